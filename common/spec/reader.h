// The visitor that fills a spec from a JSON object: one per object, driven by the spec's `fields`.
// What it does not know it refuses; every Error names file, JSON path, value and what would be
// right. Private to spec/.
#pragma once

#include <fmt/format.h>

#include <cerrno>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "common/base/error.h"
#include "common/spec/json.h"
#include "common/spec/workload_spec.h"

namespace ethio {

// What the readers of one text share.
struct ReadContext {
  explicit ReadContext(std::string_view text_origin) : origin(text_origin) {}

  std::string_view origin;                     // how messages call the text
  std::map<std::string, std::string> cited;    // JSON path -> source
  std::vector<std::string> uncited;            // JSON paths
  std::map<std::string, SourceSpec> borrowed;  // sources of the presets
  bool allow_preset = true;                    // false while a preset itself is read
};

// The names that a `fields` function declares.
class KeyNames {
 public:
  const std::vector<std::string>& names() const { return names_; }

  void op_kind(const char* name, OpKind&, const char*, Need) { names_.emplace_back(name); }
  void number(const char* name, uint64_t&, const Range&) { names_.emplace_back(name); }
  void share(const char* name, double&, const Share&) { names_.emplace_back(name); }
  void flag(const char* name, bool&, const char*) { names_.emplace_back(name); }
  template <typename E, size_t N>
  void choice(const char* name, E&, const EnumName<E> (&)[N], const char*, Need) {
    names_.emplace_back(name);
  }
  void label(const char* name, std::string&, const char*, Need) { names_.emplace_back(name); }
  void text(const char* name, std::string&, const char*, Need) { names_.emplace_back(name); }
  void prose(const char* name, std::string&, const char*) { names_.emplace_back(name); }
  template <typename T>
  void object(const char* name, T&, const char*) {
    names_.emplace_back(name);
  }
  template <typename T>
  void list(const char* name, std::vector<T>&, const char*, Need) {
    names_.emplace_back(name);
  }
  template <typename T>
  void bibliography(const char* name, std::map<std::string, T>&, const char*) {
    names_.emplace_back(name);
  }

 private:
  std::vector<std::string> names_;
};

class Reader {
 public:
  // `json` must outlive the reader. Throws unless it is an object.
  Reader(ReadContext& context, const Json& json, std::string path);

  // Reads all of `spec`.
  template <typename T>
  void read(T& spec) {
    KeyNames keys;
    spec.fields(keys);
    refuse_unknown(keys.names());
    spec.fields(*this);
  }

  void op_kind(const char* name, OpKind& out, const char* help, Need need);
  void number(const char* name, uint64_t& out, const Range& range);
  void share(const char* name, double& out, const Share& share);
  void flag(const char* name, bool& out, const char* help);
  template <typename E, size_t N>
  void choice(const char* name, E& out, const EnumName<E> (&names)[N], const char* help,
              Need need) {
    std::vector<std::string> words;
    for (const auto& entry : names) words.emplace_back(entry.name);
    const int index = word(name, words, help, need);
    if (index >= 0) out = names[index].value;
  }
  void label(const char* name, std::string& out, const char* help, Need need);
  void text(const char* name, std::string& out, const char* help, Need need);
  void prose(const char* name, std::string& out, const char* help);

  template <typename T>
  void object(const char* name, T& out, const char*) {
    if (const Json* json = find(name)) Reader(context_, *json, at(name)).read(out);
  }
  void object(const char* name, StateSpec& out, const char*);
  void object(const char* name, LayoutSpec& out, const char*);

  template <typename T>
  void list(const char* name, std::vector<T>& out, const char* help, Need need) {
    const Json* json = items(name, help, need);
    if (json == nullptr) return;
    for (size_t i = 0; i < json->size(); ++i) {
      Reader(context_, (*json)[i], item_path(at(name), i)).read(out.emplace_back());
    }
  }

  void bibliography(const char* name, std::map<std::string, SourceSpec>& out, const char*);

 private:
  template <typename T, typename Preset>
  void start_from(T& out, T Preset::*values, const Preset* preset,
                  const std::vector<std::string>& known);

  struct Given {
    const Json* value;          // nullptr: left out
    const std::string* source;  // nullptr: plain
  };

  [[noreturn]] void fail(const std::string& path, const std::string& what) const;
  std::string at(std::string_view name) const { return member_path(path_, name); }
  void refuse_unknown(const std::vector<std::string>& known) const;
  const Json* find(const char* name) const;
  const Json* find(const char* name, const char* help, Need need) const;
  const Json* items(const char* name, const char* help, Need need) const;
  // A value written plainly or as {"value": ..., "source": ...}.
  Given open(const char* name, const char* help, Need need) const;
  // The index of the word given, -1 when left out.
  int word(const char* name, const std::vector<std::string>& words, const char* help, Need need);
  void note(const char* name, const Given& given, bool is_claim);

  ReadContext& context_;
  const Json& json_;
  std::string path_;
};

}  // namespace ethio
