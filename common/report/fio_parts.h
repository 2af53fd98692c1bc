// What the readers of fio's normal output and of its JSON share: quantities as fio writes them, and
// the options of a command line or job. Internal to common/report.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "common/report/fio_result.h"

namespace ethio::fio {

// "260k", "86.7k", "1.2M", "7046": powers of 1000.
std::optional<double> parse_rate(std::string_view text);

// "113GiB", "1016MiB/s", "4096B", "1065MB/s", "5475kB", "150G", "4k". A bare letter is a power of
// 1024, as in fio's options; "MB" is a power of 1000 unless `binary`, as fio 2 wrote it.
std::optional<double> parse_size(std::string_view text, bool binary = false);

// As a whole number; 0 for nothing, never beyond the type.
uint64_t as_count(std::optional<double> value);
uint32_t as_count32(std::optional<double> value);

// How far a printed quantity may lie from the true one: half a unit of its last digit, in its own
// scale.
double rounding_of(std::string_view text, double value);

std::string_view trim(std::string_view text);

// The text after `key` up to the next comma, space, bracket or semicolon; nullopt when `key` does
// not occur.
std::optional<std::string_view> value_of(std::string_view line, std::string_view key);

// Option name -> value, aliases resolved to one spelling ("readwrite" -> "rw").
using Options = std::map<std::string, std::string, std::less<>>;
void set_option(Options& options, std::string_view name, std::string_view value);
// The jobs of the fio command that `line` holds, each with the global options; empty when it holds
// none.
std::vector<Options> parse_command(std::string_view line);

// Fills what `result` does not state itself.
void apply_options(const Options& options, Result& result);

// Why options cannot be those of this result; "" when nothing speaks against it.
std::string contradiction(const Options& options, const Result& result);

// Works out the block size or the IOPS where bandwidth and the other one are known.
void complete(Result& result);

std::vector<Result> read_text(std::string_view text, std::string_view origin, uint32_t first_line,
                              uint32_t first_run);
std::vector<Result> read_json(std::string_view text, std::string_view origin, uint32_t first_line,
                              uint32_t first_run);

}  // namespace ethio::fio
