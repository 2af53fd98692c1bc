/* SPDX-License-Identifier: MIT
 *
 * The C ABI of ethio: the workload core as a library, for harnesses written in any language.
 * The fio engine sees this header and nothing else of ethio.
 *
 * A session says which access comes next and what waits for what; it does no I/O, reads no clock and starts
 * no thread. The harness owns all three:
 *
 *   for (;;) switch (ethio_session_next(session, now, &access)) {
 *     case ETHIO_NEXT_ACCESS: start the I/O; when it is done: ethio_session_complete(session, access.lane, ...)
 *     case ETHIO_NEXT_STALL:  wait for a completion, then ask again
 *     case ETHIO_NEXT_IDLE:   nothing is due before access.offset nanoseconds on the harness's clock
 *     case ETHIO_NEXT_END:    the requested number of units is done
 *   }
 *
 * Conventions
 *  1. Opaque handles; whoever calls *_create calls *_destroy. One session or executor belongs to one thread.
 *  2. Functions that return int return >= 0 for success and -errno for failure; ethio_last_error() then gives
 *     one sentence for the calling thread, valid until its next failing call.
 *  3. Nothing throws through this header. ethio_session_next and ethio_session_complete neither allocate nor
 *     lock.
 *  4. Strings returned through char** are freed with ethio_free; const char* results belong to the library.
 *  5. Structs that may grow begin with struct_size: set it to sizeof. New fields are appended, and a zero
 *     means the default.
 *  6. Buffers belong to the caller, always.
 */
#ifndef ETHIO_H
#define ETHIO_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Grows with every addition; what was there stays.
 * 2: ethio_output_check, ethio_session_restart, executor_flags. 3: hold, depth. 4: files, file_count. */
#define ETHIO_ABI_VERSION 4

/* Version of the library, "0.1.0". */
const char* ethio_version(void);
/* Why the last call on this thread failed; "" if none has. */
const char* ethio_last_error(void);
void ethio_free(void* pointer);

/* ---- knobs: one name per setting, the same in every front door ---------------------------------------- */

struct ethio_knob {
  const char* name;          /* "cache": fio's ethio_cache=, bench's --ethio_cache=, ethio's --cache */
  const char* value_name;    /* "BYTES" */
  const char* default_value; /* as text; "" = what the workload definition says */
  const char* help;          /* one sentence with unit and range */
  const char* front_doors;   /* where it exists: any of "f" fio, "b" bench, "c" cli */
};
size_t ethio_knob_count(void);
const struct ethio_knob* ethio_knob_at(size_t index);

/* ---- the catalogue ------------------------------------------------------------------------------------ */

size_t ethio_workload_count(void);
const char* ethio_workload_name(size_t index); /* sorted; NULL past the end */

/* ---- session ------------------------------------------------------------------------------------------ */

struct ethio_setting {
  const char* name; /* a knob */
  const char* value;
};

struct ethio_config {
  uint32_t struct_size;
  uint32_t job;          /* 0 .. jobs-1 */
  uint32_t jobs;         /* workers that share the target; 0 means 1 */
  uint32_t alignment;    /* accesses start and end on multiples of this, a power of two; 0 means 4096 */
  uint64_t target_bytes; /* size of the file or device */
  const struct ethio_setting* settings;
  size_t setting_count;
  uint32_t depth; /* most accesses that the harness keeps in flight; 0 means one for each lane */
};

enum ethio_kind { ETHIO_READ = 0, ETHIO_WRITE = 1, ETHIO_SYNC = 2 };

struct ethio_access {
  uint64_t offset; /* in the target; for ETHIO_NEXT_IDLE the time at which something is due */
  uint32_t length; /* bytes; 0 for a sync */
  uint32_t lane;   /* give it back to ethio_session_complete */
  uint8_t kind;    /* enum ethio_kind */
  uint8_t reserved[7];
};

enum ethio_next {
  ETHIO_NEXT_ACCESS = 0,
  ETHIO_NEXT_STALL = 1,
  ETHIO_NEXT_IDLE = 2,
  ETHIO_NEXT_END = 3
};

struct ethio_session_info {
  uint32_t struct_size;
  uint32_t lanes;            /* most accesses in flight at once */
  uint32_t max_access_bytes; /* largest length of any access */
  uint8_t reads, writes, syncs; /* whether the workload ever does such an access */
  uint8_t paced;                /* slot_time > 0 */
  const char* workload;         /* name of the definition */
  const char* executor;         /* value of the executor knob */
  const char* notes;            /* what a user should know, e.g. how the state was scaled; "" if nothing */
  uint32_t executor_flags;      /* ETHIO_EXECUTOR_*, from the knobs sqpoll and iopoll */
};

typedef struct ethio_session ethio_session;

int ethio_session_create(const struct ethio_config* config, ethio_session** out);
void ethio_session_destroy(ethio_session* session);
int ethio_session_info(const ethio_session* session, struct ethio_session_info* out);

/* The next access for the time now_ns (any monotonic clock of the caller; pacing and latencies follow it). */
int ethio_session_next(ethio_session* session, uint64_t now_ns, struct ethio_access* out);
/* The access in flight on `lane` is done: result is bytes moved (>= 0) or -errno. */
int ethio_session_complete(ethio_session* session, uint32_t lane, int64_t result, uint64_t now_ns);
/* The harness held back the access in flight on `lane` (a rate was to be kept) and begins it only now: its latency,
 * and that of its op if it is the first, count from here. */
int ethio_session_restart(ethio_session* session, uint32_t lane, uint64_t now_ns);
/* Forget all latencies and counters so far (a ramp has ended); the stream and its digest go on. */
void ethio_session_reset_metrics(ethio_session* session);

/* Identity of the stream so far: 32 hexadecimal digits and a NUL. Equal for equal definition, seed, size and
 * job whatever the harness, once the requested units are complete. */
void ethio_session_digest(const ethio_session* session, char out[33]);

/* A fact about the run that only the harness knows, kept in the result's "harness" object: "name" -> "fio",
 * "executor" -> "uring", "notice" -> what the machine could not give. The last value of a name counts. */
int ethio_session_annotate(ethio_session* session, const char* name, const char* value);

/* The result as JSON (schema "ethio-result", versioned), and as a short table for people. */
int ethio_session_result_json(const ethio_session* session, char** out);
int ethio_session_summary(const ethio_session* session, char** out);
/* Writes the JSON to a path: a new file, or one that ethio wrote before. */
int ethio_session_write_result(const ethio_session* session, const char* path);
/* Whether that would work, for harnesses that want to know before they measure: 0, or -errno when the path is
 * somebody else's file or its folder cannot be written to. Makes nothing. */
int ethio_output_check(const char* path);

/* ---- executors: how accesses are done ------------------------------------------------------------------ */

struct ethio_buffer {
  void* data;
  size_t bytes;
};

/* A file, or the part of one, that holds bytes of the target. */
struct ethio_file {
  int32_t fd;
  uint32_t reserved;
  uint64_t offset; /* where the part begins in the file */
  uint64_t bytes;
};

struct ethio_executor_config {
  uint32_t struct_size;
  uint32_t depth;   /* most accesses in flight; slots are 0 .. depth-1 */
  const char* name; /* "null", "psync", "uring"; NULL or "" means the best that works here */
  int32_t fd;       /* the open target */
  uint32_t flags;   /* ETHIO_EXECUTOR_* */
  const struct ethio_buffer* buffers; /* one per slot, to be registered where that helps; may be NULL */
  size_t buffer_count;
  uint64_t target_bytes; /* size of the target, for mmap */
  /* How many queued accesses ethio_executor_reap may leave for its next call while it has completions to give, so
   * that more are submitted in one system call. 0 for a harness that may pause between two calls. */
  uint32_t hold;
  /* In place of fd and target_bytes: the target is these files one after the other. An access may lie across a
   * boundary, and a sync is one of every file. 0: the one file fd. */
  const struct ethio_file* files;
  size_t file_count;
};
#define ETHIO_EXECUTOR_SQPOLL 1u
#define ETHIO_EXECUTOR_IOPOLL 2u

struct ethio_completion {
  uint32_t slot;
  uint32_t reserved;
  int64_t result; /* bytes moved (0 for a sync), or -errno */
};

typedef struct ethio_executor ethio_executor;

int ethio_executor_create(const struct ethio_executor_config* config, ethio_executor** out);
void ethio_executor_destroy(ethio_executor* executor);
/* Name in use, and one line on what the machine could not give ("" if nothing). */
const char* ethio_executor_name(const ethio_executor* executor);
const char* ethio_executor_notice(const ethio_executor* executor);
/* Take an access; the buffer must hold its length and stay until the slot completes. -EAGAIN: reap first. */
int ethio_executor_queue(ethio_executor* executor, const struct ethio_access* access, void* buffer,
                         uint32_t slot);
/* Start what was queued. */
int ethio_executor_submit(ethio_executor* executor);
/* Collect between min and max completions, waiting for min at most timeout_ns (UINT64_MAX: no limit).
 * Returns how many. */
int ethio_executor_reap(ethio_executor* executor, struct ethio_completion* out, uint32_t min,
                        uint32_t max, uint64_t timeout_ns);

#ifdef __cplusplus
}
#endif
#endif /* ETHIO_H */
