// How slots are spread over contracts: the published figures come back out, and a place among all
// slots and a place in a contract are two names of one thing.
#include "common/state/contract_sizes.h"

#include <gtest/gtest.h>

#include <cmath>

#include "common/base/error.h"
#include "common/base/hash.h"
#include "tests/support/chi_square.h"

namespace ethio::test {
namespace {

// Block 22,284,325 (https://stateless.fyi/development/mainnet-analysis/tree-shape.html); the number
// of storage tries is of January 2026 (https://github.com/ethereum/go-ethereum/pull/33721).
constexpr ContractSizesConfig kMainnet = {.contracts = 47'994'700,
                                          .storage_tries = 24'908'373,
                                          .slots = 1'287'949'062,
                                          .p99_slots = 47,
                                          .max_slots = 68'794'129};

TEST(ContractSizes, GiveThePublishedFigures) {
  const ContractSizes sizes(kMainnet);
  EXPECT_NEAR(static_cast<double>(sizes.total_slots()) / 1'287'949'062, 1, 0.02);
  EXPECT_NEAR(static_cast<double>(sizes.percentile(99)), 47, 5);
  EXPECT_LE(sizes.percentile(48), 0u);  // not quite half of the contracts have no slot
  EXPECT_EQ(sizes.percentile(100), kMainnet.max_slots);
  uint64_t contracts = 0;
  uint64_t smaller = 0;
  for (const SizeClass& size : sizes.classes()) {
    EXPECT_GT(size.slots, smaller);
    EXPECT_GT(size.contracts, 0u);
    smaller = size.slots;
    contracts += size.contracts;
  }
  EXPECT_NEAR(static_cast<double>(contracts) / 24'908'373, 1, 1e-4);
  EXPECT_EQ(smaller, kMainnet.max_slots);
}

TEST(ContractSizes, FindIsTheInverseOfPosition) {
  const ContractSizes sizes(kMainnet);
  Rng rng(1);
  for (int i = 0; i < 100'000; ++i) {
    const uint64_t position = rng.next();
    const ContractSizes::Place place = sizes.find(position);
    ASSERT_LT(place.size_class, sizes.classes().size());
    const SizeClass& size = sizes.classes()[place.size_class];
    ASSERT_LT(place.contract, size.contracts);
    const uint64_t back = sizes.position(place.size_class, place.contract, place.key);
    const double slot = std::pow(2, 64) / static_cast<double>(sizes.total_slots());
    ASSERT_NEAR(static_cast<double>(back), static_cast<double>(position), slot)
        << "class " << place.size_class;
  }
}

TEST(ContractSizes, KeepContractsApartAndInOrder) {
  const ContractSizes sizes(kMainnet);
  // Classes begin at rounded places: they may touch by a small part of a slot.
  const uint64_t rounding = ~uint64_t{0} / sizes.total_slots() / 1'000;
  Rng rng(2);
  for (uint32_t index = 0; index < sizes.classes().size(); ++index) {
    const uint64_t contract = rng.below(sizes.classes()[index].contracts);
    const uint64_t first = sizes.position(index, contract, 0);
    const uint64_t middle = sizes.position(index, contract, uint64_t{1} << 63);
    const uint64_t last = sizes.position(index, contract, ~uint64_t{0});
    EXPECT_LT(first, middle);
    EXPECT_LT(middle, last);
    if (contract + 1 < sizes.classes()[index].contracts) {
      EXPECT_LT(last, sizes.position(index, contract + 1, 0));
    } else if (index + 1 < sizes.classes().size()) {
      EXPECT_LE(last, sizes.position(index + 1, 0, 0) + rounding);
    }
    const ContractSizes::Place place = sizes.find(middle);
    EXPECT_EQ(place.size_class, index);
    EXPECT_EQ(place.contract, contract);
  }
}

TEST(ContractSizes, ARandomSlotIsInAContractInProportionToItsSize) {
  const ContractSizes sizes(kMainnet);
  std::vector<uint64_t> observed(sizes.classes().size());
  Rng rng(3);
  for (int i = 0; i < 200'000; ++i) ++observed[sizes.find(rng.next()).size_class];
  std::vector<double> expected;
  expected.reserve(observed.size());
  for (const SizeClass& size : sizes.classes()) {
    expected.push_back(static_cast<double>(size.slots) * static_cast<double>(size.contracts));
  }
  EXPECT_GT(goodness_of_fit(observed, expected).p, 0.001);
}

TEST(ContractSizes, RefuseNumbersThatContradict) {
  ContractSizesConfig config = kMainnet;
  config.slots = 1'000;  // fewer than there are storage tries
  EXPECT_THROW(ContractSizes{config}, Error);
}

}  // namespace
}  // namespace ethio::test
