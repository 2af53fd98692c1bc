// One line of fio's normal output -> its values, whatever version printed it and whatever a paste
// lost. Pure functions, without memory of earlier lines; fio_text_reader.cpp puts the lines
// together.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "common/report/fio_result.h"

namespace ethio::fio {

bool starts_with(std::string_view text, std::string_view prefix);

// Without indentation, the quotation marks of mails and forums, and no-break spaces.
std::string plain(std::string_view line);

// The lines that a paste ran together, apart again.
std::vector<std::string> split_joined(std::string_view line);

// "test" of "test: (groupid=0, ..." and of "...eta 00m:00s] test: (groupid=0, ...".
std::string job_name_before(std::string_view line, size_t colon);

// "rw=randrw, bs=(R) 4096B-4096B, (W) ..., ioengine=libaio, iodepth=64", into a result's fields.
Result parse_header(std::string_view line);

// "read: IOPS=260k, BW=1016MiB/s (1065MB/s)(113GiB/113384msec)"; gives the IOPS as printed.
std::string parse_direction(std::string_view line, Direction& direction);

// "READ: bw=494MiB/s (518MB/s), 164MiB/s-166MiB/s (...), io=3010MiB (3157MB), run=6057-6099msec"
void parse_summary(std::string_view line, Direction& direction);

// "issued rwts: total=29492326,9829274,0,0 short=..."
void parse_issued(std::string_view line, uint64_t& reads, uint64_t& writes);

// "clat (usec): min=18, max=838, avg=107.32, stdev=58.55"
void parse_statistics(std::string_view line, Latency& latency);

// "|  1.00th=[   35],  5.00th=[   41], ..."
void parse_percentiles(std::string_view line, double unit_ns, Latency& latency);

// Nanoseconds in the unit that a line names: "(usec)".
double unit_ns(std::string_view line);

}  // namespace ethio::fio
