#include "common/report/fio_lines.h"

#include <algorithm>
#include <cctype>

#include "common/report/fio_parts.h"

namespace ethio::fio {
namespace {

// "(113GiB/113384msec)"
void parse_amount(std::string_view line, Direction& direction) {
  const size_t end = line.find("msec)");
  if (end == std::string_view::npos) return;
  const size_t open = line.rfind('(', end);
  const size_t slash = line.rfind('/', end);
  if (open == std::string_view::npos || slash == std::string_view::npos || slash < open) return;
  direction.total_bytes = as_count(parse_size(line.substr(open + 1, slash - open - 1)));
  direction.runtime_ms = as_count(parse_rate(line.substr(slash + 1, end - slash - 1)));
}

// "4096B-4096B" -> 4096; 0 for a range.
uint64_t single_size(std::string_view range) {
  const size_t dash = range.find('-');
  if (dash == std::string_view::npos) return 0;
  const auto low = parse_size(range.substr(0, dash));
  return low && low == parse_size(range.substr(dash + 1)) ? as_count(low) : 0;
}

// "bs=(R) 4096B-4096B, (W) 4096B-4096B, ..."; fio 2: "bs=4K-4K/4K-4K/4K-4K".
void parse_block_sizes(std::string_view line, Result& header) {
  const auto reads = value_of(line, "(R)");
  if (reads) {
    header.read.block_bytes = single_size(*reads);
    header.write.block_bytes = single_size(value_of(line, "(W)").value_or(""));
    return;
  }
  const std::string_view old = value_of(line, "bs=").value_or("");
  const size_t slash = std::min(old.find('/'), old.size());
  const std::string_view writes = old.substr(std::min(slash + 1, old.size()));
  header.read.block_bytes = single_size(old.substr(0, slash));
  header.write.block_bytes = single_size(writes.substr(0, writes.find('/')));
}

// What stands before "msec", or the larger of "6057-6099msec".
uint64_t milliseconds(std::string_view text) {
  text = text.substr(0, text.find("msec"));
  const size_t dash = text.find('-');
  return as_count(parse_rate(dash == std::string_view::npos ? text : text.substr(dash + 1)));
}

}  // namespace

bool starts_with(std::string_view text, std::string_view prefix) {
  return text.substr(0, prefix.size()) == prefix;
}

std::string plain(std::string_view line) {
  std::string text;
  for (size_t i = 0; i < line.size(); ++i) {
    if (line.substr(i, 2) == "\xC2\xA0") {
      text += ' ';
      ++i;
    } else {
      text += line[i];
    }
  }
  const size_t first = text.find_first_not_of(" \t>");
  return first == std::string::npos
             ? std::string()
             : std::string(trim(text).substr(first - text.find_first_not_of(" \t\r")));
}

std::vector<std::string> split_joined(std::string_view line) {
  constexpr std::string_view kStarts[] = {
      "read: IOPS=",       "write: IOPS=", "issued rwts:",       "READ: bw=",        "WRITE: bw=",
      "Run status group ", "Disk stats (", "clat percentiles (", "latency : target="};
  std::vector<size_t> cuts;
  for (const std::string_view start : kStarts) {
    for (size_t at = line.find(start, 1); at != std::string_view::npos;
         at = line.find(start, at + 1)) {
      if (line[at - 1] == ' ') cuts.push_back(at);
    }
  }
  std::sort(cuts.begin(), cuts.end());
  std::vector<std::string> parts;
  size_t from = 0;
  for (const size_t cut : cuts) {
    parts.emplace_back(trim(line.substr(from, cut - from)));
    from = cut;
  }
  parts.emplace_back(trim(line.substr(from)));
  return parts;
}

std::string job_name_before(std::string_view line, size_t colon) {
  std::string_view name = line.substr(0, colon);
  const size_t bracket = name.find_last_of("])");
  if (bracket != std::string_view::npos) name = name.substr(bracket + 1);
  return std::string(trim(name));
}

Result parse_header(std::string_view line) {
  Result header;
  header.rw = value_of(line, "rw=").value_or("");
  header.ioengine = value_of(line, "ioengine=").value_or("");
  header.iodepth = as_count32(parse_rate(value_of(line, "iodepth=").value_or("")));
  parse_block_sizes(line, header);
  return header;
}

std::string parse_direction(std::string_view line, Direction& direction) {
  if (const auto iops = value_of(line, "IOPS=")) {
    direction.bandwidth = parse_size(value_of(line, "BW=").value_or("")).value_or(0);
    parse_amount(line, direction);
    return std::string(*iops);
  }
  // fio 2: "read : io=3071.7MB, bw=45678KB/s, iops=11419, runt= 275421msec", in powers of 1024.
  direction.bandwidth = parse_size(value_of(line, "bw=").value_or(""), true).value_or(0);
  direction.total_bytes = as_count(parse_size(value_of(line, "io=").value_or(""), true));
  direction.runtime_ms = milliseconds(value_of(line, "runt=").value_or(""));
  return std::string(value_of(line, "iops=").value_or(""));
}

void parse_summary(std::string_view line, Direction& direction) {
  // fio 2: "READ: io=3071.7MB, aggrb=11419KB/s, minb=..., maxb=..., mint=275421msec,
  // maxt=275421msec".
  const auto bandwidth = value_of(line, "bw=");
  const bool old = !bandwidth;
  direction.bandwidth =
      parse_size(old ? value_of(line, "aggrb=").value_or("") : *bandwidth, old).value_or(0);
  direction.total_bytes = as_count(parse_size(value_of(line, "io=").value_or(""), old));
  direction.runtime_ms = milliseconds(value_of(line, old ? "maxt=" : "run=").value_or(""));
}

void parse_issued(std::string_view line, uint64_t& reads, uint64_t& writes) {
  // fio 2: "issued    : total=r=786347/w=262229/d=0, short=...".
  const size_t at = line.find("total=");
  if (at == std::string_view::npos) return;
  std::string_view rest = line.substr(at + 6);
  for (uint64_t* total : {&reads, &writes}) {
    const size_t digit = rest.find_first_of("0123456789");
    if (digit == std::string_view::npos) return;
    rest = rest.substr(digit);
    const size_t end = std::min(rest.find_first_not_of("0123456789"), rest.size());
    *total = as_count(parse_rate(rest.substr(0, end)));
    rest = rest.substr(end);
  }
}

double unit_ns(std::string_view line) {
  if (line.find("(nsec)") != std::string_view::npos) return 1;
  if (line.find("(msec)") != std::string_view::npos) return 1e6;
  return 1e3;
}

void parse_statistics(std::string_view line, Latency& latency) {
  const double unit = unit_ns(line);
  latency.mean_ns = parse_rate(value_of(line, "avg=").value_or("")).value_or(0) * unit;
  latency.max_ns = parse_rate(value_of(line, "max=").value_or("")).value_or(0) * unit;
}

void parse_percentiles(std::string_view line, double unit, Latency& latency) {
  for (size_t at = line.find("th=["); at != std::string_view::npos;
       at = line.find("th=[", at + 1)) {
    size_t from = line.find_last_not_of("0123456789.", at == 0 ? 0 : at - 1);
    from = from == std::string_view::npos ? 0 : from + 1;
    if (from > at) continue;
    const auto percent = parse_rate(line.substr(from, at - from));
    const auto value = parse_rate(line.substr(at + 4));
    if (percent && value) latency.percentiles.push_back({*percent, *value * unit});
  }
}

}  // namespace ethio::fio
