#include "tests/support/json_schema.h"

#include <fstream>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <valijson/adapters/nlohmann_json_adapter.hpp>
#include <valijson/schema.hpp>
#include <valijson/schema_parser.hpp>
#include <valijson/validation_results.hpp>
#include <valijson/validator.hpp>

namespace ethio {

std::string errors_against_schema(const std::string& schema, const nlohmann::json& document) {
  std::ifstream file(ETHIO_SOURCE_DIR "/" + schema);
  if (!file) throw std::runtime_error("cannot read " + schema);
  const nlohmann::json definition = nlohmann::json::parse(file);
  valijson::Schema parsed;
  valijson::SchemaParser().populateSchema(valijson::adapters::NlohmannJsonAdapter(definition),
                                          parsed);
  valijson::ValidationResults results;
  valijson::Validator().validate(parsed, valijson::adapters::NlohmannJsonAdapter(document),
                                 &results);
  std::string text;
  for (valijson::ValidationResults::Error error; results.popError(error);) {
    for (const std::string& part : error.context) text += part;
    text += ": " + error.description + "\n";
  }
  return text;
}

}  // namespace ethio
