// The uring executor: the fast path. Queueing writes an entry into shared memory, and one
// io_uring_enter submits a batch and waits for completions; completions that are there are read
// without a system call.
//
// liburing sets the ring up (uring_ring.h). The few lines that publish entries, enter the kernel
// and read completions stand here, because submitting and waiting with a timeout in one call is not
// to be had from every liburing that distributions ship.
//
// Made in any thread; used and destroyed in one, the first that submits. On a ring that polls for
// completions (IOPOLL) a sync is done in queue(), as such rings take reads and writes only.
#include <algorithm>
#include <atomic>
#include <cerrno>
#include <vector>

#include "common/exec/registry.h"
#include "common/exec/ring.h"
#include "common/exec/ring_enter.h"
#include "common/exec/target.h"
#include "common/exec/transfer.h"
#include "common/exec/uring_ring.h"

namespace ethio {
namespace {

class UringExecutor final : public Executor {
 public:
  explicit UringExecutor(const ExecutorConfig& config)
      : depth_(config.depth),
        hold_(config.hold),
        target_(config),
        ring_(config, target_.files()),
        buffers_(config.buffers.begin(), config.buffers.end()),
        transfers_(config.depth),
        synced_(config.depth),
        sq_(ring_.raw().sq),
        cq_(ring_.raw().cq) {
    buffers_.resize(depth_);
    if (!ring_.has_buffers()) std::fill(buffers_.begin(), buffers_.end(), Buffer{});
  }

  // The kernel may write into the caller's buffers until the last access has ended.
  ~UringExecutor() override {
    Completion last;
    while (in_flight_ > 0 && reap({&last, 1}, 1, kForever) > 0) continue;
  }

  UringExecutor(const UringExecutor&) = delete;
  UringExecutor& operator=(const UringExecutor&) = delete;

  int queue(const Access& access, void* buffer, uint32_t slot) noexcept override {
    if (in_flight_ == depth_) return -EAGAIN;
    ++in_flight_;
    transfers_[slot] = Transfer(access, buffer, slot, target_.count());
    if (ring_.polls_completion() && access.kind == AccessKind::kSync) {
      synced_.push({slot, target_.sync()});
    } else {
      push(transfers_[slot]);
    }
    return 0;
  }

  int submit() noexcept override {
    while (unsubmitted() > 0) {
      const int error = enter(unsubmitted(), 0, 0, nullptr);
      if (error == -EAGAIN || error == -EBUSY) return 0;  // no room in the kernel: reap tries again
      if (error < 0 && error != -EINTR) return error;
    }
    return 0;
  }

  int reap(std::span<Completion> out, uint32_t min, uint64_t timeout_ns) noexcept override {
    uint32_t taken = harvest(out, 0);
    const auto wanted =
        static_cast<uint32_t>(std::min<uint64_t>({min, taken + in_flight_, out.size()}));
    if (taken < wanted) return wait(out, taken, wanted, timeout_ns);
    if (unsubmitted() > (taken > 0 ? hold_ : 0)) {
      const int error = submit();
      if (error < 0 && taken == 0) return error;
      taken = harvest(out, taken);
    }
    if (taken == 0 && in_flight_ > 0 && kernel_has_work()) {
      enter(0, 0, IORING_ENTER_GETEVENTS, nullptr);
      taken = harvest(out, taken);
    }
    return static_cast<int>(taken);
  }

  std::string_view notice() const override { return ring_.notice(); }
  std::string_view name() const override { return "uring"; }

 private:
  uint32_t unsubmitted() const noexcept { return tail_ - submitted_; }

  // There is always room: a ring has at least `depth` entries.
  void push(const Transfer& transfer) noexcept {
    io_uring_sqe* const sqe = &sq_.sqes[tail_++ & sq_mask_];
    const Target::Part part = target_.next_part(transfer);
    const int fd = ring_.has_files() ? static_cast<int>(part.file) : part.fd;
    if (transfer.kind == AccessKind::kSync) {
      io_uring_prep_fsync(sqe, fd, IORING_FSYNC_DATASYNC);
    } else {
      push_data(sqe, fd, part, transfer);
    }
    if (ring_.has_files()) sqe->flags |= IOSQE_FIXED_FILE;
    sqe->user_data = transfer.slot;
  }

  void push_data(io_uring_sqe* sqe, int fd, const Target::Part& part,
                 const Transfer& transfer) noexcept {
    std::byte* const data = transfer.buffer + transfer.done;
    const int index = static_cast<int>(transfer.slot);
    const bool fixed = is_registered(transfer.slot, data, part.bytes);
    if (transfer.kind == AccessKind::kRead) {
      if (fixed) io_uring_prep_read_fixed(sqe, fd, data, part.bytes, part.offset, index);
      if (!fixed) io_uring_prep_read(sqe, fd, data, part.bytes, part.offset);
    } else {
      if (fixed) io_uring_prep_write_fixed(sqe, fd, data, part.bytes, part.offset, index);
      if (!fixed) io_uring_prep_write(sqe, fd, data, part.bytes, part.offset);
    }
  }

  bool is_registered(uint32_t slot, const std::byte* data, uint32_t bytes) const noexcept {
    const Buffer& buffer = buffers_[slot];
    const auto first = reinterpret_cast<uintptr_t>(buffer.data);
    const auto from = reinterpret_cast<uintptr_t>(data);
    return from >= first && from + bytes <= first + buffer.bytes;
  }

  // Takes the completions that are there, without a system call. Returns the new `taken`.
  uint32_t harvest(std::span<Completion> out, uint32_t taken) noexcept {
    while (!synced_.empty() && taken < out.size()) {
      out[taken++] = synced_.pop();
      --in_flight_;
    }
    uint32_t head = *cq_.khead;
    const uint32_t tail = io_uring_smp_load_acquire(cq_.ktail);
    while (head != tail && taken < out.size()) {
      const io_uring_cqe& cqe = cq_.cqes[head++ & cq_mask_];
      Transfer& transfer = transfers_[cqe.user_data];
      int64_t result = 0;
      if (transfer.advance(cqe.res, result)) {
        out[taken++] = {transfer.slot, result};
        --in_flight_;
      } else {
        push(transfer);
      }
    }
    io_uring_smp_store_release(cq_.khead, head);
    return taken;
  }

  // Whether a completion may be due that only a system call can bring forth.
  bool kernel_has_work() const noexcept {
    const unsigned flags = io_uring_smp_load_acquire(sq_.kflags);
    return ring_.polls_completion() || (flags & (IORING_SQ_TASKRUN | IORING_SQ_CQ_OVERFLOW)) != 0;
  }

  int wait(std::span<Completion> out, uint32_t taken, uint32_t wanted,
           uint64_t timeout_ns) noexcept {
    const bool limited = timeout_ns < kLongestWaitNs;
    const uint64_t deadline = limited ? now_ns() + timeout_ns : kForever;
    uint64_t left = timeout_ns;
    while (taken < wanted) {
      __kernel_timespec limit{};
      limit.tv_sec = static_cast<int64_t>(left / 1'000'000'000);
      limit.tv_nsec = static_cast<long long>(left % 1'000'000'000);
      const int error = enter_to_wait(wanted - taken, limited ? &limit : nullptr);
      taken = harvest(out, taken);
      if (error < 0 && error != -EINTR && error != -ETIME) {
        return taken > 0 ? static_cast<int>(taken) : error;
      }
      if (limited) {
        const uint64_t now = now_ns();
        if (now >= deadline) break;
        left = deadline - now;
      }
    }
    return static_cast<int>(taken);
  }

  int enter_to_wait(uint32_t min, const __kernel_timespec* limit) noexcept {
    int error = enter(unsubmitted(), min, IORING_ENTER_GETEVENTS, limit);
    // A kernel without room for more does not wait; there is room once something under way has
    // ended.
    const bool full = error == -EAGAIN || error == -EBUSY;
    if (full && in_flight_ > unsubmitted()) error = enter(0, 1, IORING_ENTER_GETEVENTS, limit);
    return error;
  }

  // Publishes what is queued, submits `count` of it and waits for `min` completions. 0 or -errno.
  int enter(uint32_t count, uint32_t min, unsigned flags, const __kernel_timespec* limit) noexcept {
    if (!enabled_) {
      const int error = ring_.enable();
      if (error < 0) return error;
      enabled_ = true;
    }
    if (!ring_.polls_submission()) {
      io_uring_smp_store_release(sq_.ktail, tail_);
    } else {
      // The tail before the flags: the poller sets its flag before its last look at the tail.
      std::atomic_ref(*sq_.ktail).store(tail_, std::memory_order_seq_cst);
      submitted_ = tail_;
      const unsigned state = std::atomic_ref(*sq_.kflags).load(std::memory_order_seq_cst);
      if ((state & IORING_SQ_NEED_WAKEUP) != 0) flags |= IORING_ENTER_SQ_WAKEUP;
      if (flags == 0) return 0;
    }
    io_uring_getevents_arg argument{};
    argument.ts = reinterpret_cast<uint64_t>(limit);
    if (limit != nullptr) flags |= IORING_ENTER_EXT_ARG;
    const long answer =
        ring_enter(ring_.raw().ring_fd, count, min, flags, limit != nullptr ? &argument : nullptr,
                   limit != nullptr ? sizeof argument : 0);
    if (answer < 0) return static_cast<int>(answer);
    if (!ring_.polls_submission()) submitted_ += static_cast<uint32_t>(answer);
    return 0;
  }

  static constexpr uint64_t kLongestWaitNs = uint64_t{1} << 60;  // longer is for ever: no overflow

  const uint32_t depth_;
  const uint32_t hold_;
  const Target target_;
  UringRing ring_;
  std::vector<Buffer> buffers_;      // by slot; empty ones where nothing is registered
  std::vector<Transfer> transfers_;  // by slot
  Ring<Completion> synced_;          // syncs done in queue()
  io_uring_sq& sq_;
  io_uring_cq& cq_;
  const uint32_t sq_mask_ = ring_.sq_mask();
  const uint32_t cq_mask_ = ring_.cq_mask();
  uint32_t in_flight_ = 0;  // queued and not yet handed back
  uint32_t tail_ = 0;       // entries written, and
  uint32_t submitted_ = 0;  // those the kernel has taken; both run on and wrap at 2^32
  bool enabled_ = false;
};

}  // namespace

std::unique_ptr<Executor> make_uring_executor(const ExecutorConfig& config) {
  return std::make_unique<UringExecutor>(config);
}

}  // namespace ethio
