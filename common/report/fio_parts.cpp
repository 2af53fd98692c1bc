#include "common/report/fio_parts.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdlib>

namespace ethio::fio {
namespace {

// With one of these a job moves another amount than its size.
constexpr std::string_view kLengthOptions[] = {"runtime", "time_based", "io_size", "number_ios",
                                               "loops"};

struct Number {
  double value;
  std::string_view rest;  // what follows it
};

std::optional<Number> leading_number(std::string_view text) {
  text = trim(text);
  Number number{};
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number.value);
  if (error != std::errc{} || number.value < 0 || !std::isfinite(number.value)) return std::nullopt;
  number.rest = text.substr(static_cast<size_t>(end - text.data()));
  return number;
}

// 1 for 'k', 2 for 'm', ... 0 for anything else.
int magnitude(std::string_view suffix) {
  if (suffix.empty()) return 0;
  const size_t at = std::string_view("kmgtp").find(static_cast<char>(suffix[0] | 0x20));
  return at == std::string_view::npos ? 0 : static_cast<int>(at) + 1;
}

bool is_option_end(std::string_view token) {
  return token.find_first_of(";|&") == 0 || token == ">" || token.substr(0, 2) == "2>";
}

// Splits at blanks; quotes group and vanish, a trailing ';' becomes a token of its own.
std::vector<std::string> shell_tokens(std::string_view line) {
  std::vector<std::string> tokens;
  std::string token;
  char quote = 0;
  const auto flush = [&] {
    if (!token.empty()) tokens.push_back(std::move(token));
    token.clear();
  };
  for (const char c : line) {
    if (quote != 0) {
      if (c == quote)
        quote = 0;
      else
        token += c;
    } else if (c == '"' || c == '\'') {
      quote = c;
    } else if (c == ';') {
      flush();
      tokens.emplace_back(";");
    } else if (c == ' ' || c == '\t' || c == '\\') {
      flush();
    } else {
      token += c;
    }
  }
  flush();
  return tokens;
}

uint64_t nearest_power_of_two(double value) {
  if (value < 1) return 0;
  return uint64_t{1} << static_cast<unsigned>(std::lround(std::log2(value)));
}

void infer_block(Direction& direction, std::vector<std::string>& remarks) {
  if (direction.block_bytes != 0 || !direction.iops || *direction.iops <= 0) return;
  const double ratio = direction.bandwidth / *direction.iops;
  const uint64_t block = nearest_power_of_two(ratio);
  if (block < 512 || std::abs(ratio / static_cast<double>(block) - 1) > 0.01) return;
  direction.block_bytes = block;
  remarks.emplace_back("block size worked out as bandwidth / IOPS");
}

void complete(Direction& direction, std::vector<std::string>& remarks) {
  infer_block(direction, remarks);
  const auto block = static_cast<double>(direction.block_bytes);
  if (direction.iops || block == 0 || direction.bandwidth <= 0) return;
  direction.iops = direction.bandwidth / block;
  remarks.emplace_back("IOPS worked out as bandwidth / block size");
}

std::optional<bool> as_flag(const Options& options, std::string_view name) {
  const auto found = options.find(name);
  if (found == options.end()) return std::nullopt;
  return found->second.empty() || found->second != "0";
}

std::optional<double> as_size(const Options& options, std::string_view name) {
  const auto found = options.find(name);
  return found == options.end() ? std::nullopt : parse_size(found->second);
}

void take(const Options& options, std::string_view name, std::string& field) {
  const auto found = options.find(name);
  if (field.empty() && found != options.end()) field = found->second;
}

void take_count(const Options& options, std::string_view name, uint32_t unset, uint32_t& field) {
  const auto found = options.find(name);
  if (field != unset || found == options.end()) return;
  field = as_count32(parse_rate(found->second));
}

// "4k", "4k,8k" (reads, writes); a range leaves the block size unknown.
void take_block(const Options& options, Result& result) {
  const auto found = options.find("bs");
  if (found == options.end()) return;
  const std::string_view text = found->second;
  const size_t comma = text.find(',');
  const auto read = parse_size(text.substr(0, comma));
  const auto write = comma == std::string_view::npos ? read : parse_size(text.substr(comma + 1));
  if (result.read.block_bytes == 0 && read) result.read.block_bytes = as_count(read);
  if (result.write.block_bytes == 0 && write) {
    result.write.block_bytes = as_count(write);
  }
}

}  // namespace

std::string_view trim(std::string_view text) {
  const size_t first = text.find_first_not_of(" \t\r");
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(" \t\r") - first + 1);
}

std::optional<double> parse_rate(std::string_view text) {
  const auto number = leading_number(text);
  if (!number) return std::nullopt;
  return number->value * std::pow(1000.0, magnitude(number->rest));
}

std::optional<double> parse_size(std::string_view text, bool binary) {
  const auto number = leading_number(text);
  if (!number) return std::nullopt;
  const int power = magnitude(number->rest);
  const char unit = power > 0 && number->rest.size() > 1 ? number->rest[1] : '\0';
  const bool decimal = unit == 'B' && !binary;
  return number->value * std::pow(decimal ? 1000.0 : 1024.0, power);
}

uint64_t as_count(std::optional<double> value) {
  return static_cast<uint64_t>(std::clamp(value.value_or(0), 0.0, 0x1p63));
}

uint32_t as_count32(std::optional<double> value) {
  return static_cast<uint32_t>(std::clamp(value.value_or(0), 0.0, 0x1p31));
}

double rounding_of(std::string_view text, double value) {
  const auto number = leading_number(text);
  if (!number || number->value == 0) return 0;
  const size_t digits = trim(text).size() - number->rest.size();
  const size_t point = trim(text).substr(0, digits).find('.');
  const double decimals =
      point == std::string_view::npos ? 0 : static_cast<double>(digits - point - 1);
  return 0.5 * std::pow(10.0, -decimals) * value / number->value;
}

std::optional<std::string_view> value_of(std::string_view line, std::string_view key) {
  size_t at = line.find(key);
  // A key is a whole word: "io=" is not the end of "aggrio=".
  while (at != std::string_view::npos && at > 0 &&
         std::isalnum(static_cast<unsigned char>(line[at - 1])) != 0) {
    at = line.find(key, at + 1);
  }
  if (at == std::string_view::npos) return std::nullopt;
  std::string_view value = line.substr(at + key.size());
  const size_t first = value.find_first_not_of(' ');
  if (first == std::string_view::npos) return std::nullopt;
  value = value.substr(first);
  return value.substr(0, value.find_first_of(", ()[];\t"));
}

void set_option(Options& options, std::string_view name, std::string_view value) {
  constexpr std::pair<std::string_view, std::string_view> kAliases[] = {
      {"readwrite", "rw"},
      {"blocksize", "bs"},
      {"rw_mixread", "rwmixread"},
      {"rwmixwrite", "rwmixread"}};
  std::string text(trim(value));
  for (const auto& [alias, spelling] : kAliases) {
    if (name != alias) continue;
    if (name == "rwmixwrite") text = std::to_string(100 - std::atoi(text.c_str()));
    name = spelling;
    break;
  }
  options.insert_or_assign(std::string(name), std::move(text));
}

std::vector<Options> parse_command(std::string_view line) {
  const std::vector<std::string> tokens = shell_tokens(line);
  size_t at = 0;
  const auto is_fio = [](std::string_view token) {
    return token == "fio" || (token.size() > 4 && token.substr(token.size() - 4) == "/fio");
  };
  while (at < tokens.size() && !is_fio(tokens[at])) ++at;
  Options globals;
  std::vector<Options> jobs;
  for (++at; at < tokens.size() && !is_option_end(tokens[at]); ++at) {
    const std::string_view token = tokens[at];
    if (token.substr(0, 2) != "--") continue;
    const std::string_view option = token.substr(2);
    const size_t equals = option.find('=');
    const std::string_view name = option.substr(0, equals);
    std::string_view value;
    if (equals != std::string_view::npos) {
      value = option.substr(equals + 1);
    } else if (at + 1 < tokens.size() && tokens[at + 1].substr(0, 2) != "--" &&
               !is_option_end(tokens[at + 1])) {
      value = tokens[++at];
    }
    if (name == "name") jobs.push_back(globals);
    // fio takes what stands before the first --name as global, unless no --name follows.
    set_option(jobs.empty() ? globals : jobs.back(), name, value);
  }
  if (jobs.empty() && !globals.empty()) jobs.push_back(std::move(globals));
  return jobs;
}

void apply_options(const Options& options, Result& result) {
  take(options, "name", result.job_name);
  take(options, "rw", result.rw);
  take(options, "ioengine", result.ioengine);
  take_count(options, "iodepth", 0, result.iodepth);
  take_count(options, "numjobs", 1, result.jobs);
  take_block(options, result);
  if (const auto size = as_size(options, "size"); size && result.size_bytes == 0) {
    result.size_bytes = as_count(size);
  }
  if (!result.direct) result.direct = as_flag(options, "direct");
  if (!result.gtod_reduce) result.gtod_reduce = as_flag(options, "gtod_reduce");
}

std::string contradiction(const Options& options, const Result& result) {
  Result stated;
  apply_options(options, stated);
  const auto differs = [](const auto& option, const auto& printed) {
    return option != std::decay_t<decltype(option)>{} &&
           printed != std::decay_t<decltype(printed)>{} && option != printed;
  };
  if (differs(stated.rw, result.rw)) return "rw=" + stated.rw;
  if (differs(stated.ioengine, result.ioengine)) return "ioengine=" + stated.ioengine;
  if (differs(stated.iodepth, result.iodepth)) return "iodepth=" + std::to_string(stated.iodepth);
  if (differs(stated.read.block_bytes, result.read.block_bytes)) return "bs=" + options.at("bs");
  const auto mix = options.find("rwmixread");
  if (mix != options.end() && result.read.active() && result.write.active()) {
    const double share = 0.01 * std::atof(mix->second.c_str());
    if (std::abs(share - result.read_share()) > 0.015) return "rwmixread=" + mix->second;
  }
  const bool whole_file = std::none_of(std::begin(kLengthOptions), std::end(kLengthOptions),
                                       [&](auto name) { return options.count(name) != 0; });
  const auto expected = static_cast<double>(stated.size_bytes) *
                        (result.form == Form::kSummary ? stated.jobs : result.jobs);
  const auto moved = static_cast<double>(result.total_bytes());
  if (whole_file && !result.interrupted && expected > 0 && moved > 0 &&
      std::abs(moved / expected - 1) > 0.02) {
    return "size=" + options.at("size");
  }
  return "";
}

void complete(Result& result) {
  for (Direction* direction : {&result.read, &result.write}) {
    if (!direction->active()) {
      *direction = Direction{};
      continue;
    }
    complete(*direction, result.remarks);
  }
  // One line for both directions is enough.
  if (result.remarks.size() == 2 && result.remarks[0] == result.remarks[1])
    result.remarks.pop_back();
}

}  // namespace ethio::fio
