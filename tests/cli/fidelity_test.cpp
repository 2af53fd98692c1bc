// The model keeps to what was measured: every row of `ethio describe --fidelity` is met, or says
// why it cannot be, and none that is said to be out of reach has been reached.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "cli/fidelity/row.h"

namespace ethio {
namespace {

void expect_honest(const std::vector<FidelityRow>& rows) {
  EXPECT_GE(rows.size(), 4u);
  for (const FidelityRow& row : rows) {
    EXPECT_FALSE(row.source.empty()) << row.what;
    EXPECT_LE(row.low, row.high) << row.what;
    EXPECT_EQ(row.met(), row.gap.empty()) << row.what << ": the model gives " << row.model
                                          << ", the fact is " << row.low << " to " << row.high;
  }
}

TEST(Fidelity, OfTries) {
  expect_honest(trie_rows());
}
TEST(Fidelity, OfContractsCodeAndChanges) {
  expect_honest(state_rows());
}
TEST(Fidelity, OfStores) {
  expect_honest(store_rows());
}
TEST(Fidelity, OfWritesABlock) {
  expect_honest(block_rows());
}

TEST(Fidelity, MostFactsAreMet) {
  size_t met = 0;
  size_t all = 0;
  for (const auto& rows : {trie_rows(), state_rows(), store_rows(), block_rows()}) {
    for (const FidelityRow& row : rows) {
      met += row.met() ? 1 : 0;
      ++all;
    }
  }
  EXPECT_GE(met * 10, all * 8);
}

TEST(Fidelity, IsPrintedByOneCommandWithoutAWorkload) {
  const auto text = nlohmann::json::parse(fidelity_json());
  EXPECT_EQ(text.at("schema"), "ethio-fidelity");
  EXPECT_GE(text.at("rows").size(), 30u);
  EXPECT_THAT(fidelity_table(), testing::HasSubstr("account leaves on level 7"));
}

}  // namespace
}  // namespace ethio
