// The published JSON schemas: they are what the code generates, and a validator that knows nothing
// of ethio agrees with the parser.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "common/spec/catalogue.h"
#include "common/spec/parse.h"
#include "common/spec/preset.h"
#include "tests/support/source_file.h"
#if __has_include(<valijson/validator.hpp>)
#include <valijson/adapters/nlohmann_json_adapter.hpp>
#include <valijson/schema.hpp>
#include <valijson/schema_parser.hpp>
#include <valijson/validator.hpp>
#define ETHIO_HAVE_VALIJSON 1
#endif

namespace ethio {
namespace {

// With ETHIO_UPDATE_SCHEMAS set, writes the file instead.
void expect_published(const std::string& path, const std::string& generated) {
  if (std::getenv("ETHIO_UPDATE_SCHEMAS") != nullptr) {
    std::ofstream(source_path(path)) << generated;
  }
  EXPECT_EQ(read_file(path), generated) << "run this test with ETHIO_UPDATE_SCHEMAS=1 to renew";
}

TEST(Schema, IsPublishedAsGenerated) {
  expect_published("workloads/schema/workload.schema.json", workload_json_schema());
  expect_published("workloads/schema/state.schema.json", state_preset_json_schema());
  expect_published("workloads/schema/layout.schema.json", layout_preset_json_schema());
}

std::vector<std::string> json_files(const std::string& folder) {
  std::vector<std::string> files;
  for (const auto& entry : std::filesystem::directory_iterator(source_path(folder))) {
    if (entry.path().extension() == ".json") {
      files.push_back(folder + "/" + entry.path().filename().string());
    }
  }
  return files;
}

#ifdef ETHIO_HAVE_VALIJSON

class Validator {
 public:
  explicit Validator(const std::string& schema_text) {
    const auto json = nlohmann::json::parse(schema_text);
    valijson::SchemaParser parser;
    parser.populateSchema(valijson::adapters::NlohmannJsonAdapter(json), schema_);
  }

  // "" if the text is valid, else the first complaint.
  std::string complaint(const std::string& text) const {
    const auto json = nlohmann::json::parse(text);
    valijson::Validator validator;
    valijson::ValidationResults results;
    if (validator.validate(schema_, valijson::adapters::NlohmannJsonAdapter(json), &results)) {
      return "";
    }
    valijson::ValidationResults::Error error;
    while (results.popError(error)) {
      if (!error.description.empty()) return error.description;
    }
    return "invalid";
  }

 private:
  valijson::Schema schema_;
};

TEST(Schema, AcceptsWhatTheParserAccepts) {
  const Validator validator(workload_json_schema());
  for (const char* folder : {"workloads", "tests/spec/sound"}) {
    for (const std::string& file : json_files(folder)) {
      SCOPED_TRACE(file);
      EXPECT_EQ(validator.complaint(read_file(file)), "");
      const WorkloadSpec spec = parse_workload(read_file(file), file);
      EXPECT_EQ(validator.complaint(to_json(spec)), "");
    }
  }
}

TEST(Schema, AcceptsTheStatePresets) {
  const Validator validator(state_preset_json_schema());
  for (const std::string& file : json_files("workloads/state")) {
    EXPECT_EQ(validator.complaint(read_file(file)), "") << file;
  }
}

TEST(Schema, AcceptsTheLayoutPresets) {
  const Validator validator(layout_preset_json_schema());
  for (const std::string& file : json_files("workloads/layout")) {
    EXPECT_EQ(validator.complaint(read_file(file)), "") << file;
  }
}

TEST(Schema, RefusesWhatTheParserRefuses) {
  const Validator validator(workload_json_schema());
  const std::vector<std::string> files = json_files("tests/spec/broken/schema");
  EXPECT_GT(files.size(), 30U);
  for (const std::string& file : files) {
    EXPECT_NE(validator.complaint(read_file(file)), "") << file;
  }
}

// So that the folders say the truth: a file that the schema can refuse belongs into schema/.
TEST(Schema, CannotTellWhatLiesBeyondIt) {
  const Validator validator(workload_json_schema());
  for (const std::string& file : json_files("tests/spec/broken/beyond")) {
    EXPECT_EQ(validator.complaint(read_file(file)), "") << file;
  }
}

#else

TEST(Schema, AgreesWithTheParser) {
  GTEST_SKIP() << "valijson (libvalijson-dev) is not installed: schema not tried on definitions";
}

#endif

}  // namespace
}  // namespace ethio
