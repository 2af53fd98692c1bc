// The null executor: every access completes at once, untouched. It measures the generator.
#include <cerrno>
#include <vector>

#include "common/exec/registry.h"

namespace ethio {
namespace {

class NullExecutor final : public Executor {
 public:
  explicit NullExecutor(const ExecutorConfig& config) : done_(config.depth) {}

  int queue(const Access& access, void*, uint32_t slot) noexcept override {
    if (count_ == done_.size()) return -EAGAIN;
    done_[count_++] = {slot, static_cast<int64_t>(access.length)};
    return 0;
  }

  int submit() noexcept override { return 0; }

  int reap(std::span<Completion> out, uint32_t, uint64_t) noexcept override {
    uint32_t taken = 0;
    while (taken < out.size() && count_ > 0) out[taken++] = done_[--count_];
    return static_cast<int>(taken);
  }

  std::string_view notice() const override { return ""; }
  std::string_view name() const override { return "null"; }

 private:
  std::vector<Completion> done_;
  size_t count_ = 0;
};

}  // namespace

std::unique_ptr<Executor> make_null_executor(const ExecutorConfig& config) {
  return std::make_unique<NullExecutor>(config);
}

}  // namespace ethio
