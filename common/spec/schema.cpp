// The JSON schema (draft-07) of definitions and state presets, from the `fields` functions that the
// reader uses. It says what one field can be; what several fields must be together (check.cpp) is
// beyond it.
#include <fmt/format.h>

#include <string>
#include <utility>
#include <vector>

#include "common/spec/json.h"
#include "common/spec/parse.h"
#include "common/spec/preset.h"
#include "common/spec/range.h"

namespace ethio {
namespace {

constexpr const char* kCountPattern = "^[0-9]+(\\.[0-9]+)?[kmgtKMGT]?$";
constexpr const char* kBytesPattern = "^[0-9]+(\\.[0-9]+)?([kmgtKMGT]([iI][bB])?)?$";
constexpr const char* kDurationPattern = "^[0-9]+(\\.[0-9]+)?([nNuUmM]?[sS])?$";

Json reference(const char* definition) {
  return {{"$ref", fmt::format("#/definitions/{}", definition)}};
}

// The two ways to write a quantity without its source.
Json quantity_forms(const Range& range) {
  switch (range.quantity) {
    case Quantity::kCount:
      return Json::array({{{"type", "integer"}, {"minimum", range.min}, {"maximum", range.max}},
                          {{"type", "string"}, {"pattern", kCountPattern}}});
    case Quantity::kBytes:
    case Quantity::kBytesPerSecond:
      return Json::array({{{"type", "integer"}, {"minimum", range.min}, {"maximum", range.max}},
                          {{"type", "string"}, {"pattern", kBytesPattern}}});
    case Quantity::kDurationNs:
      return Json::array({{{"type", "number"},
                           {"minimum", static_cast<double>(range.min) / 1e9},
                           {"maximum", static_cast<double>(range.max) / 1e9}},
                          {{"type", "string"}, {"pattern", kDurationPattern}}});
  }
  return {};
}

std::string_view unit_of(Quantity quantity) {
  switch (quantity) {
    case Quantity::kCount:
      return "";
    case Quantity::kBytes:
      return " bytes";
    case Quantity::kBytesPerSecond:
      return " bytes a second";
    case Quantity::kDurationNs:
      return ", a bare number in seconds";
  }
  return "";
}

class SchemaWriter {
 public:
  // `presets`: whether values that are left out come from a state preset rather than from the
  // defaults.
  explicit SchemaWriter(bool presets = false) : presets_(presets) {}

  // The schema of an object with these fields.
  template <typename T>
  Json write(T& spec) {
    spec.fields(*this);
    Json schema = {{"type", "object"}, {"additionalProperties", false}};
    if (!required_.empty()) schema["required"] = required_;
    schema["properties"] = std::move(properties_);
    return schema;
  }

  void op_kind(const char* name, OpKind&, const char* help, Need need) {
    Json words = Json::array();
    for (const OpKindInfo& info : kOpKinds) words.push_back(std::string(info.name));
    sourced(name, help, Json::array({{{"enum", std::move(words)}}}), nullptr, need);
  }
  void number(const char* name, uint64_t& value, const Range& range) {
    const std::string help =
        fmt::format("{}; {}{}", range.help, range_text(range), unit_of(range.quantity));
    Json fallback = value;
    if (range.quantity == Quantity::kDurationNs) fallback = exact_text(range.quantity, value);
    if (presets_) fallback = nullptr;
    sourced(name, help, quantity_forms(range), std::move(fallback), Need::kOptional);
  }
  void share(const char* name, double& value, const Share& share) {
    sourced(name, fmt::format("{}; 0..1", share.help),
            Json::array({{{"type", "number"}, {"minimum", 0}, {"maximum", 1}}}),
            presets_ ? Json() : Json(value), Need::kOptional);
  }
  void flag(const char* name, bool& value, const char* help) {
    sourced(name, help, Json::array({{{"type", "boolean"}}}), value, Need::kOptional);
  }
  template <typename E, size_t N>
  void choice(const char* name, E& value, const EnumName<E> (&names)[N], const char* help,
              Need need) {
    Json words = Json::array();
    for (const auto& entry : names) words.push_back(std::string(entry.name));
    sourced(name, help, Json::array({{{"enum", std::move(words)}}}),
            need == Need::kRequired ? Json() : Json(std::string(enum_name(value, names))), need);
  }
  // Draft-07 ignores what stands beside a $ref, hence allOf.
  void label(const char* name, std::string& value, const char* help, Need need) {
    Json schema = {{"description", help}};
    if (!value.empty()) schema["default"] = value;
    schema["allOf"] = Json::array({reference("label")});
    put(name, std::move(schema), need);
  }
  void text(const char* name, std::string&, const char* help, Need need) {
    Json schema = {{"description", help}, {"type", "string"}};
    if (need == Need::kRequired) schema["minLength"] = 1;
    put(name, std::move(schema), need);
  }
  void prose(const char* name, std::string&, const char* help) {
    put(name,
        {{"description", help},
         {"anyOf", Json::array({{{"type", "string"}},
                                {{"type", "array"}, {"items", {{"type", "string"}}}}})}},
        Need::kOptional);
  }
  template <typename T>
  void object(const char* name, T& value, const char* help) {
    put(name, described(help, SchemaWriter().write(value)), Need::kOptional);
  }
  void object(const char* name, StateSpec& value, const char* help) {
    put(name, described(help, SchemaWriter(true).write(value)), Need::kOptional);
  }
  template <typename T>
  void list(const char* name, std::vector<T>&, const char* help, Need need) {
    T item;
    Json schema = {{"description", help}, {"type", "array"}};
    if (need == Need::kRequired) schema["minItems"] = 1;
    schema["items"] = SchemaWriter().write(item);
    put(name, std::move(schema), need);
  }
  void list(const char* name, std::vector<OpSpec>&, const char* help, Need need) {
    put(name,
        {{"description", help}, {"type", "array"}, {"minItems", 1}, {"items", reference("op")}},
        need);
  }
  template <typename T>
  void bibliography(const char* name, std::map<std::string, T>&, const char* help) {
    T entry;
    put(name,
        {{"description", help},
         {"type", "object"},
         {"propertyNames", {{"not", {{"pattern", "^(assumed|$)"}}}}},
         {"additionalProperties", SchemaWriter().write(entry)}},
        Need::kOptional);
  }

 private:
  static Json described(const char* help, const Json& schema) {
    Json result = {{"description", help}};
    result.update(schema);
    return result;
  }

  // A field that may be written plainly or with its source.
  void sourced(const char* name, const std::string& help, Json forms, Json fallback, Need need) {
    Json value = forms.size() == 1 ? forms[0] : Json{{"anyOf", forms}};
    forms.push_back(
        {{"type", "object"},
         {"additionalProperties", false},
         {"required", {"value", "source"}},
         {"properties", {{"value", std::move(value)}, {"source", reference("source")}}}});
    Json schema = {{"description", help}};
    if (!fallback.is_null()) schema["default"] = std::move(fallback);
    schema["anyOf"] = std::move(forms);
    put(name, std::move(schema), need);
  }

  void put(const char* name, Json schema, Need need) {
    properties_[name] = std::move(schema);
    if (need == Need::kRequired) required_.push_back(name);
  }

  bool presets_;
  Json properties_ = Json::object();
  Json required_ = Json::array();
};

// The ops that need a size must have one.
Json op_schema() {
  OpSpec op;
  Json schema = SchemaWriter().write(op);
  Json with_size = Json::array();
  for (const OpKindInfo& info : kOpKinds) {
    if (info.needs_bytes) with_size.push_back(std::string(info.name));
  }
  schema["if"] = {{"properties", {{"op", {{"enum", std::move(with_size)}}}}}};
  schema["then"] = {{"required", {"bytes"}}};
  return schema;
}

Json definitions() {
  return {{"label",
           {{"type", "string"},
            {"pattern", fmt::format("^[a-z0-9][a-z0-9_-]{{0,{}}}$", kLongestLabel - 1)}}},
          {"source",
           {{"description", "a key of `sources`, or \"assumed: why\""},
            {"type", "string"},
            {"minLength", 1}}}};
}

template <typename T>
std::string schema_of(const char* title, Json shared) {
  T spec;
  Json schema = {{"$schema", "http://json-schema.org/draft-07/schema#"}, {"title", title}};
  schema.update(SchemaWriter().write(spec));
  schema["properties"]["$schema"] = {{"type", "string"}};
  schema["definitions"] = std::move(shared);
  return schema.dump(2) + "\n";
}

}  // namespace

std::string workload_json_schema() {
  Json shared = definitions();
  shared["op"] = op_schema();
  return schema_of<WorkloadSpec>("ethio workload definition", std::move(shared));
}

std::string state_preset_json_schema() {
  return schema_of<StatePreset>("ethio state preset", definitions());
}

std::string layout_preset_json_schema() {
  return schema_of<LayoutPreset>("ethio layout preset", definitions());
}

}  // namespace ethio
