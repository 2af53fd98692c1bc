#include "common/state/contract_sizes.h"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>

#include "common/base/error.h"
#include "common/base/exact_math.h"

namespace ethio {
namespace {

constexpr double kTailShare = 0.01;  // contracts above the 99th percentile
constexpr uint64_t kClassesAnOctave = 4;

// Lower bounds of the classes: every integer while small, then a quarter of an octave apart, then
// the maximum.
std::vector<uint64_t> class_bounds(uint64_t max_slots) {
  std::vector<uint64_t> bounds;
  for (uint64_t bound = 1; bound < max_slots;
       bound += std::max<uint64_t>(1, bound / kClassesAnOctave)) {
    bounds.push_back(bound);
  }
  bounds.push_back(max_slots);
  return bounds;
}

// Share of all contracts with at least `slots`: a power law from 1 to the 99th percentile, another
// above it.
class SizeLaw {
 public:
  SizeLaw(const ContractSizesConfig& config, double tail_exponent)
      : with_storage_(static_cast<double>(config.storage_tries) /
                      static_cast<double>(config.contracts)),
        p99_(static_cast<double>(config.p99_slots)),
        tail_exponent_(tail_exponent),
        beyond_max_(exact_pow(static_cast<double>(config.max_slots) / p99_, -tail_exponent)) {
    body_exponent_ = p99_ > 1 ? exact_log(with_storage_ / kTailShare) / exact_log(p99_) : 1;
  }

  double at_least(uint64_t slots) const {
    const auto s = static_cast<double>(slots);
    if (s <= p99_) return with_storage_ * exact_pow(s, -body_exponent_);
    return kTailShare * (exact_pow(s / p99_, -tail_exponent_) - beyond_max_) / (1 - beyond_max_);
  }

 private:
  double with_storage_;
  double p99_;
  double body_exponent_;
  double tail_exponent_;
  double beyond_max_;  // what the tail would have beyond the maximum
};

std::vector<SizeClass> classes_of(const ContractSizesConfig& config, double tail_exponent) {
  const SizeLaw law(config, tail_exponent);
  const std::vector<uint64_t> bounds = class_bounds(config.max_slots);
  std::vector<SizeClass> classes;
  double carried = 0;  // fractions of a contract, so that rare sizes are neither lost nor doubled
  for (size_t i = 0; i + 1 < bounds.size(); ++i) {
    const double share = law.at_least(bounds[i]) - law.at_least(bounds[i + 1]);
    carried += share * static_cast<double>(config.contracts);
    const auto whole = static_cast<uint64_t>(carried);
    carried -= static_cast<double>(whole);
    const uint64_t middle = (bounds[i] + bounds[i + 1] - 1) / 2;
    if (whole > 0) classes.push_back({middle, whole});
  }
  classes.push_back({config.max_slots, 1});
  return classes;
}

uint64_t slots_in(const std::vector<SizeClass>& classes) {
  uint64_t slots = 0;
  for (const SizeClass& c : classes) slots += c.slots * c.contracts;
  return slots;
}

// The tail exponent is what the other numbers leave open: choose it so that the total comes out.
std::vector<SizeClass> fitted_classes(const ContractSizesConfig& config) {
  double low = 0.001;
  double high = 8;
  for (int i = 0; i < 60; ++i) {
    const double middle = (low + high) / 2;
    (slots_in(classes_of(config, middle)) > config.slots ? low : high) = middle;
  }
  return classes_of(config, high);
}

}  // namespace

ContractSizes::ContractSizes(const ContractSizesConfig& config)
    : classes_(fitted_classes(config)),
      contracts_(config.contracts),
      total_slots_(slots_in(classes_)) {
  const double off = static_cast<double>(total_slots_) / static_cast<double>(config.slots);
  if (off < 0.8 || off > 1.25) {
    throw Error(
        EINVAL,
        fmt::format("state.slots: {} slots do not fit {} contracts with storage, a 99th percentile "
                    "of {} and a largest of {}; these would hold {}",
                    config.slots, config.storage_tries, config.p99_slots, config.max_slots,
                    total_slots_));
  }
  double first = 0;
  const double unit = kTwo64 / static_cast<double>(total_slots_);
  for (const SizeClass& c : classes_) {
    const auto share = static_cast<uint64_t>(static_cast<double>(c.slots) * unit * (1 - 1e-12));
    zones_.push_back({static_cast<uint64_t>(first), share, 1 / static_cast<double>(share)});
    first += static_cast<double>(share) * static_cast<double>(c.contracts);
  }
  uint8_t at = 0;
  for (uint64_t i = 0; i < guide_.size(); ++i) {
    while (at + 1u < zones_.size() && zones_[at + 1].first <= i << 56) ++at;
    guide_[i] = at;
  }
}

uint64_t ContractSizes::percentile(double percent) const {
  double above = static_cast<double>(contracts_) * (1 - percent / 100);
  for (size_t i = classes_.size(); i-- > 0;) {
    above -= static_cast<double>(classes_[i].contracts);
    if (above < 0) return classes_[i].slots;
  }
  return 0;
}

ContractSizes::Place ContractSizes::find(uint64_t position) const {
  uint32_t index = guide_[position >> 56];
  while (index + 1 < zones_.size() && zones_[index + 1].first <= position) ++index;
  const Zone& zone = zones_[index];
  const uint64_t offset = position - zone.first;
  const double in_contracts = static_cast<double>(offset) * zone.inverse_share;
  auto contract = static_cast<uint64_t>(in_contracts);
  const uint64_t last = classes_[index].contracts - 1;
  if (contract > last)
    return {index, last, ~uint64_t{0}};  // the sliver that rounding leaves at a zone's end
  double key = in_contracts - static_cast<double>(contract);
  if (key > 0.99999999) key = 0.99999999;
  return {index, contract, static_cast<uint64_t>(key * kTwo64)};
}

}  // namespace ethio
