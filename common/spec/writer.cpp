#include <map>
#include <string>
#include <utility>
#include <vector>

#include "common/base/quantity.h"
#include "common/spec/json.h"
#include "common/spec/parse.h"

namespace ethio {
namespace {

// The visitor that turns a spec into JSON, every field written out, with {"value", "source"} where
// it is cited.
class Writer {
 public:
  Writer(const std::map<std::string, std::string>& cited, std::string path)
      : cited_(cited), path_(std::move(path)) {}

  template <typename T>
  Json write(T& spec) {
    spec.fields(*this);
    return std::move(json_);
  }

  void op_kind(const char* name, OpKind& value, const char*, Need) {
    put(name, std::string(info_of(value).name));
  }
  void number(const char* name, uint64_t& value, const Range& range) {
    if (range.quantity == Quantity::kDurationNs) {
      put(name, exact_duration_ns(value));
    } else {
      put(name, value);
    }
  }
  void share(const char* name, double& value, const Share&) { put(name, value); }
  void flag(const char* name, bool& value, const char*) { put(name, value); }
  template <typename E, size_t N>
  void choice(const char* name, E& value, const EnumName<E> (&names)[N], const char*, Need) {
    put(name, std::string(enum_name(value, names)));
  }
  void label(const char* name, std::string& value, const char*, Need) { text(name, value); }
  void text(const char* name, std::string& value, const char*, Need) { text(name, value); }
  void prose(const char* name, std::string& value, const char*) { text(name, value); }
  template <typename T>
  void object(const char* name, T& value, const char*) {
    json_[name] = Writer(cited_, member_path(path_, name)).write(value);
  }
  template <typename T>
  void list(const char* name, std::vector<T>& values, const char*, Need) {
    Json list = Json::array();
    for (size_t i = 0; i < values.size(); ++i) {
      list.push_back(Writer(cited_, item_path(member_path(path_, name), i)).write(values[i]));
    }
    json_[name] = std::move(list);
  }
  template <typename T>
  void bibliography(const char* name, std::map<std::string, T>& entries, const char*) {
    Json object = Json::object();
    for (auto& [key, entry] : entries) object[key] = Writer(cited_, "").write(entry);
    json_[name] = std::move(object);
  }

 private:
  void text(const char* name, const std::string& value) {
    if (!value.empty()) json_[name] = value;
  }

  void put(const char* name, Json value) {
    const auto found = cited_.find(member_path(path_, name));
    if (found == cited_.end()) {
      json_[name] = std::move(value);
    } else {
      json_[name] = {{"value", std::move(value)}, {"source", found->second}};
    }
  }

  const std::map<std::string, std::string>& cited_;
  std::string path_;
  Json json_ = Json::object();
};

}  // namespace

std::string to_json(const WorkloadSpec& spec) {
  WorkloadSpec copy = spec;  // `fields` takes what it visits as mutable
  return Writer(spec.cited, "").write(copy).dump(2) + "\n";
}

}  // namespace ethio
