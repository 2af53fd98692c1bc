// fio's normal output. Nothing is taken from columns or indentation, which forums lose: a line is
// known by what it begins with, a number by the key before it. A run is what one fio command
// printed; a block is one job's part.
#include <algorithm>
#include <array>
#include <cmath>
#include <map>

#include "common/report/fio_lines.h"
#include "common/report/fio_parts.h"

namespace ethio::fio {
namespace {

constexpr size_t kRead = 0;
constexpr size_t kWrite = 1;

struct Header {
  std::string name;
  Result fields;
};

// A result under construction, with what is needed only until it is complete.
struct Draft {
  Result result;
  std::array<std::string, 2> printed_iops;
  std::vector<Options> command;
};

class TextReader {
 public:
  TextReader(std::string_view origin, uint32_t first_line, uint32_t first_run)
      : origin_(origin), line_(first_line), run_(first_run) {}

  std::vector<Result> read(std::string_view text);

 private:
  void take_line(std::string_view line);
  bool take_run_line(std::string_view line);
  bool take_job_line(std::string_view line);
  bool take_block_line(std::string_view line);
  bool take_latency_line(std::string_view line);
  bool take_summary_line(std::string_view line);

  void begin_run_if_used();
  void begin_block(std::string_view line, size_t colon);
  void read_header(std::string_view line, size_t colon);
  void read_direction(std::string_view line, size_t direction);
  void read_summary(std::string_view line, size_t direction);
  bool belongs_to_block(size_t direction);
  Draft& add_draft(Form form);
  static Result finish(Draft& draft);

  Direction& direction_of(size_t direction) {
    Result& result = drafts_.back().result;
    return direction == kRead ? result.read : result.write;
  }

  std::string_view origin_;
  uint32_t line_;
  uint32_t run_;
  std::vector<Draft> drafts_;

  // Of the run.
  bool run_used_ = false;
  std::vector<Header> headers_;
  std::string version_;
  uint64_t laid_out_bytes_ = 0;
  bool interrupted_ = false;
  std::vector<Options> command_;
  uint32_t command_run_ = 0;

  // Of the block: which direction its lines speak of, and where percentiles go.
  bool in_block_ = false;
  size_t direction_ = kRead;
  Latency* percentiles_ = nullptr;
  double percentile_unit_ns_ = 1e3;

  // Of each group: which of the READ and WRITE summary lines are still to come, and whether one
  // has.
  struct Pending {
    std::array<bool, 2> waiting{};
    bool printed = false;
  };
  std::map<uint32_t, Pending> pending_;
  std::optional<uint32_t> status_group_;
  bool in_summary_ = false;
};

std::vector<Result> TextReader::read(std::string_view text) {
  std::string command;  // a command may go on over lines that end in a backslash
  while (!text.empty()) {
    const size_t end = text.find('\n');
    std::string_view physical = text.substr(0, end);
    text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
    // A progress line ends in a carriage return, and the next thing printed follows it.
    while (!physical.empty()) {
      const size_t part = physical.find('\r');
      std::string line = plain(physical.substr(0, part));
      physical.remove_prefix(part == std::string_view::npos ? physical.size() : part + 1);
      if (!line.empty() && line.back() == '\\') {
        command += line;
        continue;
      }
      line.insert(0, command);
      command.clear();
      for (const std::string& piece : split_joined(std::move(line))) take_line(piece);
    }
    ++line_;
  }
  std::vector<Result> results;
  for (Draft& draft : drafts_) {
    const Result& result = results.emplace_back(finish(draft));
    if (!result.read.active() && !result.write.active() && result.error == 0) results.pop_back();
  }
  return results;
}

void TextReader::take_line(std::string_view line) {
  if (line.empty()) return;
  if (take_summary_line(line)) return;
  in_summary_ = false;
  if (take_run_line(line) || take_job_line(line)) return;
  if (in_block_) take_block_line(line);
}

bool TextReader::take_run_line(std::string_view line) {
  if (line.find("fio --") != std::string_view::npos ||
      line.find("fio \\") != std::string_view::npos) {
    std::vector<Options> jobs = parse_command(line);
    if (jobs.empty()) return false;
    begin_run_if_used();
    command_ = std::move(jobs);
    command_run_ = run_;
    return true;
  }
  if (starts_with(line, "fio-") && line.size() > 4 &&
      std::isdigit(static_cast<unsigned char>(line[4])) != 0) {
    begin_run_if_used();
    version_ = line.substr(4, line.find_first_of(" \t") - 4);
    return true;
  }
  if (starts_with(line, "Starting ") && (line.find(" process") != std::string_view::npos ||
                                         line.find(" thread") != std::string_view::npos)) {
    begin_run_if_used();
    return true;
  }
  if (starts_with(line, "fio: terminating on signal")) {
    interrupted_ = true;
    return true;
  }
  if (starts_with(line, "Run status group ")) {
    if (const auto group = parse_rate(line.substr(17)))
      status_group_ = static_cast<uint32_t>(*group);
    in_block_ = false;
    return true;
  }
  return false;
}

bool TextReader::take_job_line(std::string_view line) {
  const size_t header = line.find(": (g=");
  if (header != std::string_view::npos && line.find("rw=") != std::string_view::npos) {
    read_header(line, header);
    return true;
  }
  const size_t block = line.find(": (groupid=");
  if (block != std::string_view::npos) {
    begin_block(line, block);
    return true;
  }
  if (line.find(": Laying out IO file") != std::string_view::npos) {
    const size_t slash = line.find(" / ");
    if (slash != std::string_view::npos) {
      const std::string_view size = line.substr(slash + 3);
      laid_out_bytes_ = as_count(parse_size(size.substr(0, size.find(')')), true));
    }
    return true;
  }
  return false;
}

bool TextReader::take_block_line(std::string_view line) {
  constexpr std::array<std::string_view, 2> kNames = {"read", "write"};
  for (size_t direction = 0; direction < kNames.size(); ++direction) {
    if (!starts_with(line, kNames[direction])) continue;
    if (line.find(':') != line.find_first_not_of(' ', kNames[direction].size())) continue;
    read_direction(line, direction);
    return true;
  }
  if (starts_with(line, "issued")) {
    Result& result = drafts_.back().result;
    parse_issued(line, result.read.total_ios, result.write.total_ios);
    return true;
  }
  if (starts_with(line, "latency") && line.find("target=") != std::string_view::npos) {
    if (const auto depth = value_of(line, "depth=")) {
      drafts_.back().result.iodepth = as_count32(parse_rate(*depth));
    }
    return true;
  }
  return take_latency_line(line);
}

bool TextReader::take_latency_line(std::string_view line) {
  Latency& completion = direction_of(direction_).completion;
  Latency& sync = drafts_.back().result.sync;
  if (line.find("th=[") != std::string_view::npos) {
    if (percentiles_ != nullptr) parse_percentiles(line, percentile_unit_ns_, *percentiles_);
    return true;
  }
  percentiles_ = nullptr;
  if (line.find("percentiles (") != std::string_view::npos) {
    percentile_unit_ns_ = unit_ns(line);
    if (starts_with(line, "sync")) percentiles_ = &sync;
    if (starts_with(line, "clat") || starts_with(line, "lat")) percentiles_ = &completion;
    if (percentiles_ != nullptr && !percentiles_->percentiles.empty()) percentiles_ = nullptr;
    return true;
  }
  if (line.find("min=") == std::string_view::npos) return false;
  if (starts_with(line, "clat (")) parse_statistics(line, completion);
  if (starts_with(line, "sync (")) parse_statistics(line, sync);
  return true;
}

bool TextReader::take_summary_line(std::string_view line) {
  const bool read = starts_with(line, "READ:");
  if (!read && !starts_with(line, "WRITE:")) return false;
  if (!value_of(line, "bw=") && !value_of(line, "aggrb=")) return false;
  in_block_ = false;
  const size_t direction = read ? kRead : kWrite;
  if (!belongs_to_block(direction)) read_summary(line, direction);
  return true;
}

void TextReader::begin_run_if_used() {
  in_block_ = false;
  if (!run_used_) return;
  ++run_;
  run_used_ = false;
  headers_.clear();
  version_.clear();
  laid_out_bytes_ = 0;
  interrupted_ = false;
  pending_.clear();
  status_group_.reset();
}

Draft& TextReader::add_draft(Form form) {
  Draft& draft = drafts_.emplace_back();
  draft.result.form = form;
  draft.result.origin = origin_;
  draft.result.line = line_;
  draft.result.run = run_;
  draft.result.fio_version = version_;
  draft.result.interrupted = interrupted_;
  run_used_ = true;
  return draft;
}

void TextReader::read_header(std::string_view line, size_t colon) {
  begin_run_if_used();
  headers_.push_back({job_name_before(line, colon), parse_header(line)});
}

void TextReader::begin_block(std::string_view line, size_t colon) {
  const auto group = as_count32(parse_rate(value_of(line, "(groupid=").value_or("0")));
  // A second block of a group whose summary has been printed is another run that lost its first
  // lines.
  const auto pending = pending_.find(group);
  if (pending != pending_.end() && pending->second.printed) begin_run_if_used();

  Result& result = add_draft(Form::kText).result;
  result.job_name = job_name_before(line, colon);
  result.group = group;
  result.jobs = as_count32(parse_rate(value_of(line, "jobs=").value_or("1")));
  result.error = static_cast<int>(as_count32(parse_rate(value_of(line, "err=").value_or("0"))));
  result.size_bytes = laid_out_bytes_;
  const auto header = std::find_if(headers_.begin(), headers_.end(),
                                   [&](const Header& h) { return h.name == result.job_name; });
  if (header != headers_.end()) {
    result.rw = header->fields.rw;
    result.ioengine = header->fields.ioengine;
    result.iodepth = header->fields.iodepth;
    result.read.block_bytes = header->fields.read.block_bytes;
    result.write.block_bytes = header->fields.write.block_bytes;
  }
  if (command_run_ == run_) drafts_.back().command = command_;
  in_block_ = true;
  percentiles_ = nullptr;
  direction_ = kRead;
  pending_[group];
}

void TextReader::read_direction(std::string_view line, size_t direction) {
  direction_ = direction;
  percentiles_ = nullptr;
  drafts_.back().printed_iops[direction] = parse_direction(line, direction_of(direction));
  pending_[drafts_.back().result.group].waiting[direction] = true;
}

// A summary line after the blocks that it sums up says nothing new.
bool TextReader::belongs_to_block(size_t direction) {
  for (auto& [group, pending] : pending_) {
    if (status_group_ && *status_group_ != group) continue;
    if (!pending.waiting[direction]) continue;
    pending.waiting[direction] = false;
    pending.printed = true;
    return true;
  }
  return false;
}

void TextReader::read_summary(std::string_view line, size_t direction) {
  const bool goes_on = in_summary_ && !direction_of(direction).active();
  if (!goes_on) {
    begin_run_if_used();
    add_draft(Form::kSummary).command = command_;
  }
  in_summary_ = true;
  parse_summary(line, direction_of(direction));
}

// Total over run time is the exact IOPS, unless it contradicts what fio printed (a ramp, a foreign
// line).
void settle(Direction& direction, std::string_view printed) {
  if (direction.total_ios == 0 || direction.runtime_ms == 0) return;
  const double exact =
      1e3 * static_cast<double>(direction.total_ios) / static_cast<double>(direction.runtime_ms);
  const auto shown = parse_rate(printed);
  if (shown && std::abs(*shown - exact) > 1.01 * rounding_of(printed, *shown) + 1) return;
  direction.iops = exact;
  if (direction.block_bytes == 0) return;
  direction.total_bytes = direction.total_ios * direction.block_bytes;
  direction.bandwidth = exact * static_cast<double>(direction.block_bytes);
}

Result TextReader::finish(Draft& draft) {
  Result& result = draft.result;
  for (const Options& job : draft.command) {
    const auto name = job.find("name");
    if (!result.job_name.empty() && name != job.end() && name->second != result.job_name) continue;
    const std::string against = contradiction(job, result);
    if (against.empty()) {
      apply_options(job, result);
      break;
    }
    result.remarks.push_back("the fio command above it says " + against +
                             " and is not this result's");
  }
  result.read.iops = parse_rate(draft.printed_iops[kRead]);
  result.write.iops = parse_rate(draft.printed_iops[kWrite]);
  complete(result);
  settle(result.read, draft.printed_iops[kRead]);
  settle(result.write, draft.printed_iops[kWrite]);
  return std::move(result);
}

}  // namespace

std::vector<Result> read_text(std::string_view text, std::string_view origin, uint32_t first_line,
                              uint32_t first_run) {
  return TextReader(origin, first_line, first_run).read(text);
}

}  // namespace ethio::fio
