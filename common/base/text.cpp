#include "common/base/text.h"

#include <fmt/format.h>

#include <algorithm>

namespace ethio {
namespace {

constexpr size_t kLongest = 60;

bool is_control(unsigned char c) {
  return c < 0x20 || c == 0x7f;
}

// Cuts between characters, never inside a UTF-8 sequence.
std::string_view cut(std::string_view text) {
  if (text.size() <= kLongest) return text;
  size_t end = kLongest;
  while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xc0) == 0x80) --end;
  return text.substr(0, end);
}

}  // namespace

std::string in_quotes(std::string_view text) {
  std::string result = "'";
  for (const char c : cut(text)) {
    if (is_control(static_cast<unsigned char>(c))) {
      result += fmt::format("\\x{:02x}", static_cast<unsigned char>(c));
    } else {
      result += c;
    }
  }
  return result + (text.size() > kLongest ? "...'" : "'");
}

std::string joined(const std::vector<std::string>& words) {
  return fmt::format("{}", fmt::join(words, ", "));
}

std::string plural(std::string_view unit) {
  return std::string(unit) + (unit.ends_with("ch") ? "es" : "s");
}

std::vector<std::string> split(std::string_view text, char separator) {
  std::vector<std::string> parts;
  while (!text.empty()) {
    const size_t end = std::min(text.find(separator), text.size());
    if (end > 0) parts.emplace_back(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return parts;
}

}  // namespace ethio
