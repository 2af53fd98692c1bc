#include "common/base/quantity.h"

#include <fmt/format.h>

#include <array>
#include <cerrno>
#include <cmath>
#include <optional>
#include <span>

#include "common/base/error.h"
#include "common/base/text.h"

namespace ethio {
namespace {

struct Suffix {
  std::string_view text;  // lower case
  uint64_t factor;
};

// One kind of quantity: its suffixes and the words of its messages.
struct Unit {
  std::span<const Suffix> suffixes;
  uint64_t plain;  // factor of a number without suffix
  std::string_view what, whole, write;
};

constexpr uint64_t kKi = 1024, kMi = kKi * 1024, kGi = kMi * 1024, kTi = kGi * 1024;
constexpr uint64_t kUs = 1'000, kMs = 1'000'000, kSecond = 1'000'000'000;

constexpr Suffix kByteSuffixes[] = {{"k", kKi},   {"m", kMi},   {"g", kGi},   {"t", kTi},
                                    {"kib", kKi}, {"mib", kMi}, {"gib", kGi}, {"tib", kTi}};
constexpr Suffix kCountSuffixes[] = {
    {"k", 1'000}, {"m", 1'000'000}, {"g", 1'000'000'000}, {"t", 1'000'000'000'000}};
constexpr Suffix kDurationSuffixes[] = {{"ns", 1}, {"us", kUs}, {"ms", kMs}, {"s", kSecond}};

constexpr Unit kBytes = {kByteSuffixes, 1, "size", "bytes", "4096, 64k, 614m, 1g"};
constexpr Unit kCounts = {kCountSuffixes, 1, "count", "", "1000, 250k, 60m, 1.5g"};
constexpr Unit kDurations = {kDurationSuffixes, kSecond, "duration", "nanoseconds",
                             "12s, 500ms, 10us, or seconds as 12"};

bool is_digit(char c) {
  return c >= '0' && c <= '9';
}

char lower(char c) {
  return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
}

std::string_view take_digits(std::string_view& text) {
  size_t length = 0;
  while (length < text.size() && is_digit(text[length])) ++length;
  const std::string_view digits = text.substr(0, length);
  text.remove_prefix(length);
  return digits;
}

std::optional<uint64_t> factor_of(const Unit& unit, std::string_view suffix) {
  if (suffix.empty()) return unit.plain;
  std::string lowered;
  for (const char c : suffix) lowered += lower(c);
  for (const Suffix& known : unit.suffixes) {
    if (known.text == lowered) return known.factor;
  }
  return std::nullopt;
}

[[noreturn]] void refuse(std::string_view text, const Unit& unit, std::string_view why) {
  throw Error(EINVAL, fmt::format("{} {}; write {}", in_quotes(text), why, unit.write));
}

// digits * factor in exact arithmetic, digits being an integer scaled by 10^decimals.
uint64_t scaled(std::string_view text, const Unit& unit, std::string_view digits, size_t decimals,
                uint64_t factor) {
  using Wide = unsigned __int128;
  constexpr Wide kMost = ~uint64_t{0};
  Wide value = 0;
  for (const char c : digits) {
    value = value * 10 + static_cast<unsigned>(c - '0');
    if (value > kMost && decimals > 0) refuse(text, unit, "has too many digits");
    if (value > kMost) refuse(text, unit, fmt::format("is too large for a {}", unit.what));
  }
  value *= factor;
  for (; decimals > 0; --decimals) {
    if (value % 10 != 0) {
      refuse(text, unit,
             fmt::format("is not a whole {}{}", unit.whole.empty() ? "" : "number of ",
                         unit.whole.empty() ? "count" : unit.whole));
    }
    value /= 10;
  }
  if (value > kMost) refuse(text, unit, fmt::format("is too large for a {}", unit.what));
  return static_cast<uint64_t>(value);
}

uint64_t parse(std::string_view text, const Unit& unit) {
  std::string_view rest = text;
  const std::string_view whole = take_digits(rest);
  std::string_view fraction;
  bool well_formed = !whole.empty();
  if (!rest.empty() && rest.front() == '.') {
    rest.remove_prefix(1);
    fraction = take_digits(rest);
    well_formed = well_formed && !fraction.empty();
  }
  const std::optional<uint64_t> factor = factor_of(unit, rest);
  if (!well_formed || !factor) refuse(text, unit, fmt::format("is not a {}", unit.what));
  while (!fraction.empty() && fraction.back() == '0') fraction.remove_suffix(1);
  return scaled(text, unit, std::string(whole).append(fraction), fraction.size(), *factor);
}

// The largest suffix that divides the value leaves it exact.
std::string exact(uint64_t value, std::span<const Suffix> suffixes, std::string_view zero) {
  if (value == 0) return std::string(zero);
  const Suffix* best = nullptr;
  for (const Suffix& suffix : suffixes) {
    if (value % suffix.factor == 0 && (best == nullptr || suffix.factor > best->factor)) {
      best = &suffix;
    }
  }
  if (best == nullptr) return fmt::format("{}", value);
  return fmt::format("{}{}", value / best->factor, best->text);
}

// Three significant digits without trailing zeros: 1.25, 12.3, 123, 1023.
std::string three_digits(double value) {
  const int decimals = value < 9.995 ? 2 : value < 99.95 ? 1 : 0;
  std::string text = fmt::format("{:.{}f}", value, decimals);
  if (decimals > 0) {
    while (text.back() == '0') text.pop_back();
    if (text.back() == '.') text.pop_back();
  }
  return text;
}

std::string with_commas(uint64_t value) {
  std::string text = fmt::format("{}", value);
  for (size_t at = text.size(); at > 3; at -= 3) text.insert(at - 3, ",");
  return text;
}

// value in the largest of the units that leaves at least 1 once rounded; `step` is the factor
// between them.
std::string in_units(double value, double step, std::span<const std::string_view> units) {
  size_t unit = 0;
  while (unit + 1 < units.size() && std::round(value) >= step) {
    value /= step;
    ++unit;
  }
  return three_digits(value) + std::string(units[unit]);
}

}  // namespace

uint64_t parse_bytes(std::string_view text) {
  return parse(text, kBytes);
}
uint64_t parse_count(std::string_view text) {
  return parse(text, kCounts);
}
uint64_t parse_duration_ns(std::string_view text) {
  return parse(text, kDurations);
}

std::string format_bytes(uint64_t bytes) {
  static constexpr std::string_view kUnits[] = {" B", " KiB", " MiB", " GiB", " TiB", " PiB"};
  return in_units(static_cast<double>(bytes), 1024, kUnits);
}

std::string format_count(double count) {
  static constexpr std::string_view kUnits[] = {"", "k", "M", "G", "T", "P"};
  if (!std::isfinite(count)) return "?";
  if (count < 0) return "-" + format_count(-count);
  if (std::round(count) >= 1000 && std::round(count) < 10'000) {
    return with_commas(static_cast<uint64_t>(std::llround(count)));
  }
  return in_units(count, 1000, kUnits);
}

std::string format_duration_ns(double nanoseconds) {
  static constexpr std::string_view kUnits[] = {" ns", " us", " ms", " s"};
  if (!std::isfinite(nanoseconds)) return "?";
  if (nanoseconds < 0) return "-" + format_duration_ns(-nanoseconds);
  return in_units(nanoseconds, 1000, kUnits);
}

std::string exact_bytes(uint64_t bytes) {
  return exact(bytes, std::span(kByteSuffixes).first(4), "0");
}
std::string exact_count(uint64_t count) {
  return exact(count, kCountSuffixes, "0");
}
std::string exact_duration_ns(uint64_t nanoseconds) {
  return exact(nanoseconds, kDurationSuffixes, "0");
}

}  // namespace ethio
