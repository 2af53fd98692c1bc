// How storage slots are spread over contracts: size classes that follow the measured distribution
// (share of contracts without storage, 99th percentile, maximum, total). Contracts of a class have
// the same number of slots and lie side by side in the flat and trie tables, each contract's slots
// contiguous, so that a place among all slots names a contract and a place in it without a table of
// contracts. Used by StateModel.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

namespace ethio {

struct ContractSizesConfig {
  uint64_t contracts = 0;      // with code, with or without storage
  uint64_t storage_tries = 0;  // contracts with at least one slot
  uint64_t slots = 0;          // total
  uint64_t p99_slots = 0;      // 99th percentile over all contracts
  uint64_t max_slots = 0;      // largest contract
};

struct SizeClass {
  uint64_t slots = 0;      // of each contract
  uint64_t contracts = 0;  // of this size
};

class ContractSizes {
 public:
  explicit ContractSizes(
      const ContractSizesConfig& config);  // throws Error when the numbers contradict

  const std::vector<SizeClass>& classes() const { return classes_; }  // ascending
  uint64_t total_slots() const { return total_slots_; }               // as built
  // Slots of the contract at a percentile over all contracts, empty ones included.
  uint64_t percentile(double percent) const;

  struct Place {
    uint32_t size_class = 0;
    uint64_t contract = 0;  // index in the class
    uint64_t key = 0;       // place in the contract's key order, a fraction of 2^64
  };
  // The slot at `position`, a fraction of 2^64 of all slots.
  Place find(uint64_t position) const;
  // And back: the position of a place in key order of a contract.
  uint64_t position(uint32_t size_class, uint64_t contract, uint64_t key) const {
    const Zone& zone = zones_[size_class];
    return zone.first + contract * zone.share +
           static_cast<uint64_t>((static_cast<unsigned __int128>(key) * zone.share) >> 64);
  }

 private:
  struct Zone {
    uint64_t first = 0;        // where the class begins, a fraction of 2^64
    uint64_t share = 0;        // of one contract, likewise
    double inverse_share = 0;  // 1 / share
  };

  std::vector<SizeClass> classes_;
  std::vector<Zone> zones_;
  std::array<uint8_t, 256> guide_{};  // class at which each 1/256 of the slots begins
  uint64_t contracts_ = 0;
  uint64_t total_slots_ = 0;
};

}  // namespace ethio
