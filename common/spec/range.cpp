#include "common/spec/range.h"

#include <fmt/format.h>

#include <cerrno>

#include "common/base/quantity.h"
#include "common/base/text.h"

namespace ethio {
namespace {

// A minus sign is no part of a quantity, but "-1 is not in 1..4096" says more than "'-1' is not a
// count".
bool is_negative_number(std::string_view text) {
  return text.size() > 1 && text[0] == '-' && text[1] >= '0' && text[1] <= '9';
}

}  // namespace

uint64_t parse_quantity(Quantity quantity, std::string_view text) {
  switch (quantity) {
    case Quantity::kCount:
      return parse_count(text);
    case Quantity::kBytes:
    case Quantity::kBytesPerSecond:
      return parse_bytes(text);
    case Quantity::kDurationNs:
      return parse_duration_ns(text);
  }
  return 0;
}

std::string exact_text(Quantity quantity, uint64_t value) {
  switch (quantity) {
    case Quantity::kCount:
      return exact_count(value);
    case Quantity::kBytes:
    case Quantity::kBytesPerSecond:
      return exact_bytes(value);
    case Quantity::kDurationNs:
      return exact_duration_ns(value);
  }
  return {};
}

std::string range_text(const Range& range) {
  return fmt::format("{}..{}", exact_text(range.quantity, range.min),
                     exact_text(range.quantity, range.max));
}

Error out_of_range(std::string_view text, const Range& range) {
  const std::string shown = in_quotes(text);
  return {EINVAL,
          fmt::format("{} is not in {}", shown.substr(1, shown.size() - 2), range_text(range))};
}

uint64_t parse_in_range(std::string_view text, const Range& range) {
  if (is_negative_number(text)) throw out_of_range(text, range);
  const uint64_t value = parse_quantity(range.quantity, text);
  if (value < range.min || value > range.max) throw out_of_range(text, range);
  return value;
}

}  // namespace ethio
