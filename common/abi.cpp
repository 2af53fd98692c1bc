// common/ethio.h over the C++ headers. Each function converts its arguments, calls the C++ one and
// turns an exception into -errno and a sentence; no decision is made here.
#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <new>
#include <string>
#include <vector>

#include "common/base/error.h"
#include "common/base/version.h"
#include "common/ethio.h"
#include "common/exec/executor.h"
#include "common/report/output_file.h"
#include "common/report/session_json.h"
#include "common/report/session_text.h"
#include "common/spec/catalogue.h"
#include "common/spec/knobs.h"
#include "common/stream/session.h"

struct ethio_session {
  ethio::Knobs knobs;
  ethio::RunFacts facts;
  ethio::Session session;
  uint32_t lanes;
};

struct ethio_executor {
  std::unique_ptr<ethio::Executor> executor;
  std::string name;
  std::string notice;
  std::vector<ethio::Completion> done;  // one per slot
};

namespace {

using ethio::Access;
using ethio::AccessKind;
using ethio::Error;
using ethio::Next;

static_assert(ETHIO_READ == static_cast<int>(AccessKind::kRead));
static_assert(ETHIO_WRITE == static_cast<int>(AccessKind::kWrite));
static_assert(ETHIO_SYNC == static_cast<int>(AccessKind::kSync));
static_assert(ETHIO_NEXT_ACCESS == static_cast<int>(Next::kAccess));
static_assert(ETHIO_NEXT_STALL == static_cast<int>(Next::kStall));
static_assert(ETHIO_NEXT_IDLE == static_cast<int>(Next::kIdle));
static_assert(ETHIO_NEXT_END == static_cast<int>(Next::kEnd));

// A fixed array, so that reporting a failure cannot itself fail.
thread_local std::array<char, 2048> last_error{};

int fail(int code, const char* message) noexcept {
  std::snprintf(last_error.data(), last_error.size(), "%s", message);
  return -code;
}

// Runs `body`, which may throw and returns >= 0.
template <typename Body>
int guarded(Body body) noexcept {
  try {
    return body();
  } catch (const Error& error) {
    return fail(error.code() > 0 ? error.code() : EINVAL, error.what());
  } catch (const std::bad_alloc&) {
    return fail(ENOMEM, "out of memory");
  } catch (const std::exception& error) {
    return fail(EIO, error.what());
  }
}

// A struct of the caller, which may be of an older or a newer version of the library: what is
// missing is zero, what this version does not know must be zero.
template <typename T>
T versioned(const T* given, size_t first_version_bytes, const char* what) {
  T copy{};
  const size_t bytes = given->struct_size;
  if (bytes < first_version_bytes) {
    throw Error(EINVAL, std::string(what) + ".struct_size: set it to sizeof(struct " + what + ")");
  }
  std::memcpy(&copy, given, std::min(bytes, sizeof(T)));
  const auto* raw = reinterpret_cast<const unsigned char*>(given);
  if (std::any_of(raw + std::min(bytes, sizeof(T)), raw + bytes,
                  [](unsigned char c) { return c != 0; })) {
    throw Error(E2BIG,
                std::string(what) + ": uses a field that this version of ethio does not have");
  }
  return copy;
}

// For a struct that the caller wants filled: its own size decides how much of `full` it gets.
template <typename T>
void fill(T* out, T full) {
  full.struct_size = out->struct_size;
  std::memcpy(out, &full, std::min(size_t{out->struct_size}, sizeof(T)));
}

char* copy_of(const std::string& text) {
  char* copy = static_cast<char*>(std::malloc(text.size() + 1));
  if (copy == nullptr) throw std::bad_alloc();
  std::memcpy(copy, text.c_str(), text.size() + 1);
  return copy;
}

std::vector<ethio_knob> make_knobs() {
  std::vector<ethio_knob> knobs;
  for (const ethio::KnobInfo& info : ethio::knob_table()) {
    knobs.push_back({info.name, info.value_name, info.default_value, info.help, info.front_doors});
  }
  return knobs;
}

const std::vector<ethio_knob>& knobs() {
  static const std::vector<ethio_knob> all = make_knobs();
  return all;
}

const std::vector<std::string>& workloads() {
  static const std::vector<std::string> all = ethio::workload_names();
  return all;
}

std::unique_ptr<ethio_session> make_session(const ethio_config& config) {
  ethio::Knobs knobs;
  for (size_t i = 0; i < config.setting_count; ++i) {
    const ethio_setting& setting = config.settings[i];
    if (setting.name == nullptr || setting.value == nullptr) {
      throw Error(EINVAL, "settings[" + std::to_string(i) + "]: name or value is NULL");
    }
    ethio::set_knob(knobs, setting.name, setting.value);
  }
  ethio::SessionConfig session;
  session.spec = ethio::effective_spec(knobs);
  if (knobs.executor.empty()) knobs.executor = session.spec.executor;
  session.target_bytes = config.target_bytes;
  session.job = config.job;
  session.jobs = config.jobs == 0 ? 1 : config.jobs;
  session.depth = config.depth;
  if (config.alignment != 0) session.alignment = config.alignment;
  ethio::RunFacts facts = ethio::run_facts(session);
  ethio::Session made(session);
  const uint32_t lanes = made.lanes();
  return std::unique_ptr<ethio_session>(
      new ethio_session{std::move(knobs), std::move(facts), std::move(made), lanes});
}

}  // namespace

extern "C" {

const char* ethio_version(void) {
  return ethio::kVersion;
}
const char* ethio_last_error(void) {
  return last_error.data();
}
void ethio_free(void* pointer) {
  std::free(pointer);
}

size_t ethio_knob_count(void) {
  size_t count = 0;
  guarded([&] { return count = knobs().size(), 0; });
  return count;
}

const struct ethio_knob* ethio_knob_at(size_t index) {
  return index < ethio_knob_count() ? &knobs()[index] : nullptr;
}

size_t ethio_workload_count(void) {
  size_t count = 0;
  guarded([&] { return count = workloads().size(), 0; });
  return count;
}

const char* ethio_workload_name(size_t index) {
  return index < ethio_workload_count() ? workloads()[index].c_str() : nullptr;
}

int ethio_session_create(const struct ethio_config* config, ethio_session** out) {
  if (config == nullptr || out == nullptr) {
    return fail(EINVAL, "config and out must not be NULL");
  }
  *out = nullptr;
  return guarded([&] {
    constexpr size_t kFirst = offsetof(ethio_config, setting_count) + sizeof(size_t);
    *out = make_session(versioned(config, kFirst, "ethio_config")).release();
    return 0;
  });
}

void ethio_session_destroy(ethio_session* session) {
  delete session;
}

int ethio_session_info(const ethio_session* session, struct ethio_session_info* out) {
  if (session == nullptr || out == nullptr) {
    return fail(EINVAL, "session and out must not be NULL");
  }
  if (out->struct_size < offsetof(struct ethio_session_info, notes) + sizeof(char*)) {
    return fail(EINVAL,
                "ethio_session_info.struct_size: set it to sizeof(struct ethio_session_info)");
  }
  struct ethio_session_info full {};
  full.lanes = session->lanes;
  full.max_access_bytes = session->session.max_access_bytes();
  full.reads = session->session.does(AccessKind::kRead);
  full.writes = session->session.does(AccessKind::kWrite);
  full.syncs = session->session.does(AccessKind::kSync);
  full.paced = session->session.spec().slot_time > 0;
  full.workload = session->session.spec().name.c_str();
  full.executor = session->knobs.executor.c_str();
  full.notes = session->session.scaling_note().c_str();
  full.executor_flags = (session->knobs.sqpoll ? ETHIO_EXECUTOR_SQPOLL : 0) |
                        (session->knobs.iopoll ? ETHIO_EXECUTOR_IOPOLL : 0);
  fill(out, full);
  return 0;
}

int ethio_session_annotate(ethio_session* session, const char* name, const char* value) {
  if (session == nullptr || name == nullptr || value == nullptr) {
    return fail(EINVAL, "session, name and value must not be NULL");
  }
  return guarded([&] {
    session->facts.harness[name] = value;
    return 0;
  });
}

int ethio_session_next(ethio_session* session, uint64_t now_ns, struct ethio_access* out) {
  Access access;
  const Next next = session->session.next(now_ns, access);
  out->offset = access.offset;
  out->length = access.length;
  out->lane = access.lane;
  out->kind = static_cast<uint8_t>(access.kind);
  return static_cast<int>(next);
}

int ethio_session_complete(ethio_session* session, uint32_t lane, int64_t result, uint64_t now_ns) {
  if (lane >= session->lanes) return fail(EINVAL, "lane: not one that ethio_session_next gave out");
  session->session.complete(lane, result, now_ns);
  return 0;
}

int ethio_session_restart(ethio_session* session, uint32_t lane, uint64_t now_ns) {
  if (lane >= session->lanes) return fail(EINVAL, "lane: not one that ethio_session_next gave out");
  session->session.restart(lane, now_ns);
  return 0;
}

void ethio_session_reset_metrics(ethio_session* session) {
  session->session.reset_metrics();
}

void ethio_session_digest(const ethio_session* session, char out[33]) {
  out[0] = '\0';
  guarded([&] {
    const std::string text = ethio::to_hex(session->session.digest());
    std::snprintf(out, 33, "%s", text.c_str());
    return 0;
  });
}

int ethio_session_result_json(const ethio_session* session, char** out) {
  if (session == nullptr || out == nullptr) {
    return fail(EINVAL, "session and out must not be NULL");
  }
  return guarded([&] {
    *out = copy_of(ethio::to_json(ethio::result_of(session->session, session->facts)));
    return 0;
  });
}

int ethio_session_summary(const ethio_session* session, char** out) {
  if (session == nullptr || out == nullptr) {
    return fail(EINVAL, "session and out must not be NULL");
  }
  return guarded([&] {
    *out = copy_of(ethio::to_text(ethio::result_of(session->session, session->facts)));
    return 0;
  });
}

int ethio_session_write_result(const ethio_session* session, const char* path) {
  if (session == nullptr || path == nullptr) {
    return fail(EINVAL, "session and path must not be NULL");
  }
  return guarded([&] {
    ethio::write_output_file(path,
                             ethio::to_json(ethio::result_of(session->session, session->facts)));
    return 0;
  });
}

int ethio_output_check(const char* path) {
  if (path == nullptr) return fail(EINVAL, "path must not be NULL");
  return guarded([&] {
    ethio::check_output_file(path);
    return 0;
  });
}

int ethio_executor_create(const struct ethio_executor_config* config, ethio_executor** out) {
  if (config == nullptr || out == nullptr) {
    return fail(EINVAL, "config and out must not be NULL");
  }
  *out = nullptr;
  return guarded([&] {
    constexpr size_t kFirst = offsetof(ethio_executor_config, target_bytes) + sizeof(uint64_t);
    const ethio_executor_config given = versioned(config, kFirst, "ethio_executor_config");
    std::vector<ethio::Buffer> buffers;
    for (size_t i = 0; given.buffers != nullptr && i < given.buffer_count; ++i) {
      buffers.push_back({given.buffers[i].data, given.buffers[i].bytes});
    }
    std::vector<ethio::FileExtent> files;
    for (size_t i = 0; given.files != nullptr && i < given.file_count; ++i) {
      files.push_back({given.files[i].fd, given.files[i].offset, given.files[i].bytes});
    }
    ethio::ExecutorConfig native;
    native.fd = given.fd;
    native.depth = given.depth;
    native.target_bytes = given.target_bytes;
    native.buffers = buffers;
    native.files = files;
    native.hold = given.hold;
    native.sqpoll = (given.flags & ETHIO_EXECUTOR_SQPOLL) != 0;
    native.iopoll = (given.flags & ETHIO_EXECUTOR_IOPOLL) != 0;
    auto handle = std::make_unique<ethio_executor>();
    handle->executor = ethio::make_executor(given.name == nullptr ? "" : given.name, native);
    handle->name = handle->executor->name();
    handle->notice = handle->executor->notice();
    handle->done.resize(given.depth);
    *out = handle.release();
    return 0;
  });
}

void ethio_executor_destroy(ethio_executor* executor) {
  delete executor;
}
const char* ethio_executor_name(const ethio_executor* executor) {
  return executor->name.c_str();
}
const char* ethio_executor_notice(const ethio_executor* executor) {
  return executor->notice.c_str();
}

int ethio_executor_queue(ethio_executor* executor, const struct ethio_access* access, void* buffer,
                         uint32_t slot) {
  if (access->kind > ETHIO_SYNC)
    return fail(EINVAL, "kind: not ETHIO_READ, ETHIO_WRITE or ETHIO_SYNC");
  if (slot >= executor->done.size()) return fail(EINVAL, "slot: not below the depth");
  const Access native{access->offset, access->length, access->lane,
                      static_cast<AccessKind>(access->kind)};
  return executor->executor->queue(native, buffer, slot);
}

int ethio_executor_submit(ethio_executor* executor) {
  return executor->executor->submit();
}

int ethio_executor_reap(ethio_executor* executor, struct ethio_completion* out, uint32_t min,
                        uint32_t max, uint64_t timeout_ns) {
  const size_t room = std::min(executor->done.size(), size_t{max});
  const int count = executor->executor->reap({executor->done.data(), room}, min, timeout_ns);
  for (int i = 0; i < count; ++i) out[i] = {executor->done[i].slot, 0, executor->done[i].result};
  return count;
}

}  // extern "C"
