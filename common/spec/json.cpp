#include "common/spec/json.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cerrno>
#include <utility>
#include <vector>

#include "common/base/error.h"
#include "common/base/text.h"

namespace ethio {
namespace {

constexpr size_t kDeepest = 32;
constexpr size_t kLongestReason = 160;

bool is_word(std::string_view key) {
  return !key.empty() && key.size() <= 60 &&
         std::all_of(key.begin(), key.end(), [](unsigned char c) {
           return std::isalnum(c) != 0 || c == '_' || c == '-' || c == '$';
         });
}

std::string line_and_column(std::string_view text, size_t position) {
  const std::string_view before = text.substr(0, position > 0 ? position - 1 : 0);
  const auto lines = std::count(before.begin(), before.end(), '\n');
  const size_t last = before.rfind('\n');
  const size_t column = last == std::string_view::npos ? before.size() + 1 : before.size() - last;
  return fmt::format("line {}, column {}", lines + 1, column);
}

// The library's text without its own prefix: "unexpected '}'; expected string literal".
std::string reason_of(const std::exception& error) {
  std::string_view what = error.what();
  for (const std::string_view mark : {"] ", " - "}) {
    const size_t at = what.find(mark);
    if (at != std::string_view::npos) what.remove_prefix(at + mark.size());
  }
  return std::string(what.substr(0, kLongestReason));
}

// Builds the tree from the parser's events. A container under construction lives in a frame of its
// own.
class Builder final : public nlohmann::json_sax<Json> {
 public:
  Builder(std::string_view text, std::string_view origin) : text_(text), origin_(origin) {}

  Json take() { return std::move(root_); }

  bool null() override { return add(nullptr); }
  bool boolean(bool value) override { return add(value); }
  bool number_integer(number_integer_t value) override { return add(value); }
  bool number_unsigned(number_unsigned_t value) override { return add(value); }
  bool number_float(number_float_t value, const string_t&) override { return add(value); }
  bool string(string_t& value) override { return add(std::move(value)); }
  bool binary(binary_t&) override { return false; }  // not in text

  bool start_object(size_t) override { return open(Json::object()); }
  bool start_array(size_t) override { return open(Json::array()); }
  bool end_object() override { return close(); }
  bool end_array() override { return close(); }

  bool key(string_t& name) override {
    if (frames_.back().value.contains(name)) {
      throw Error(EINVAL, fmt::format("{}: {}: the key stands twice in the same object", origin_,
                                      member_path(path(frames_.size()), name)));
    }
    frames_.back().key = std::move(name);
    return true;
  }

  bool parse_error(size_t position, const std::string&,
                   const nlohmann::detail::exception& error) override {
    throw Error(EINVAL, fmt::format("{}: {}: not JSON: {}", origin_,
                                    line_and_column(text_, position), reason_of(error)));
  }

 private:
  struct Frame {
    Json value;
    std::string key;  // of the member that is being read
  };

  bool add(Json value) {
    if (frames_.empty()) {
      root_ = std::move(value);
    } else if (Frame& frame = frames_.back(); frame.value.is_object()) {
      frame.value[frame.key] = std::move(value);
    } else {
      frame.value.push_back(std::move(value));
    }
    return true;
  }

  bool open(Json container) {
    if (frames_.size() == kDeepest) {
      throw Error(EINVAL, fmt::format("{}: nested deeper than {} levels", origin_, kDeepest));
    }
    frames_.push_back({std::move(container), {}});
    return true;
  }

  bool close() {
    Json value = std::move(frames_.back().value);
    frames_.pop_back();
    return add(std::move(value));
  }

  // Of the container in frame number `depth` - 1.
  std::string path(size_t depth) const {
    std::string result;
    for (size_t i = 0; i + 1 < depth; ++i) {
      const Frame& frame = frames_[i];
      result = frame.value.is_object() ? member_path(result, frame.key)
                                       : item_path(result, frame.value.size());
    }
    return result;
  }

  std::string_view text_;
  std::string_view origin_;
  std::vector<Frame> frames_;
  Json root_;
};

}  // namespace

Json read_json(std::string_view text, std::string_view origin) {
  if (text.find_first_not_of(" \t\r\n") == std::string_view::npos) {
    throw Error(EINVAL, fmt::format("{}: empty, where a JSON object is needed", origin));
  }
  Builder builder(text, origin);
  Json::sax_parse(text.begin(), text.end(), &builder);
  return builder.take();
}

std::string brief(const Json& value) {
  if (value.is_string()) return in_quotes(value.get_ref<const std::string&>());
  if (value.is_object()) return "an object";
  if (value.is_array()) return "a list";
  return value.dump();
}

std::string member_path(std::string_view parent, std::string_view key) {
  const std::string name = is_word(key) ? std::string(key) : in_quotes(key);
  return parent.empty() ? name : fmt::format("{}.{}", parent, name);
}

std::string item_path(std::string_view parent, size_t index) {
  return fmt::format("{}[{}]", parent, index);
}

}  // namespace ethio
