/* The C ABI from its consumer's side: compiled as C11 -Wpedantic, nothing but common/ethio.h.
 * Drives a session with the null executor and with psync over a real file, and tries every mistake
 * that a caller can make. Exit 0 or 1. */
#define _POSIX_C_SOURCE 200809L
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "common/ethio.h"

static int failures;

#define CHECK(condition)                                                                           \
  do {                                                                                             \
    if (!(condition)) {                                                                            \
      fprintf(stderr, "%s:%d: %s does not hold; last error: %s\n", __FILE__, __LINE__, #condition, \
              ethio_last_error());                                                                 \
      ++failures;                                                                                  \
    }                                                                                              \
  } while (0)

enum { kTargetBytes = 16 << 20, kMaxLanes = 64, kUnits = 200 };

static uint64_t now_ns(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

static ethio_session* session_of(const struct ethio_setting* settings, size_t count) {
  struct ethio_config config = {.struct_size = sizeof config};
  config.target_bytes = kTargetBytes;
  config.settings = settings;
  config.setting_count = count;
  ethio_session* session = NULL;
  if (ethio_session_create(&config, &session) != 0) return NULL;
  return session;
}

static ethio_session* uniform_read(void) {
  const struct ethio_setting settings[] = {
      {"workload", "uniform-read"}, {"seed", "7"}, {"units", "200"}, {"executor", "psync"}};
  return session_of(settings, sizeof settings / sizeof settings[0]);
}

/* The loop of common/ethio.h's first comment. Returns the number of accesses. */
static unsigned drive(ethio_session* session, ethio_executor* executor, char* const* buffers) {
  struct ethio_completion done[kMaxLanes];
  unsigned accesses = 0;
  for (;;) {
    struct ethio_access access;
    const int next = ethio_session_next(session, now_ns(), &access);
    if (next == ETHIO_NEXT_END) return accesses;
    if (next == ETHIO_NEXT_ACCESS) {
      CHECK(access.offset + access.length <= kTargetBytes);
      CHECK(ethio_executor_queue(executor, &access, buffers[access.lane], access.lane) == 0);
      CHECK(ethio_executor_submit(executor) == 0);
      ++accesses;
      continue;
    }
    CHECK(next == ETHIO_NEXT_STALL);
    const int count = ethio_executor_reap(executor, done, 1, kMaxLanes, UINT64_MAX);
    CHECK(count >= 1);
    if (count < 1) return accesses;
    for (int i = 0; i < count; ++i) {
      CHECK(done[i].result > 0);
      CHECK(ethio_session_complete(session, done[i].slot, done[i].result, now_ns()) == 0);
    }
  }
}

/* In one file, or in `parts` of it one after the other. */
static void run_on(const char* executor_name, int fd, size_t parts, char digest[33]) {
  ethio_session* session = uniform_read();
  CHECK(session != NULL);
  if (session == NULL) return;

  struct ethio_session_info info = {.struct_size = sizeof info};
  CHECK(ethio_session_info(session, &info) == 0);
  CHECK(info.lanes >= 1 && info.lanes <= kMaxLanes);
  CHECK(info.max_access_bytes > 0);
  CHECK(info.reads && !info.writes && !info.syncs && !info.paced);
  CHECK(strcmp(info.workload, "uniform-read") == 0);
  CHECK(strcmp(info.executor, "psync") == 0);
  CHECK(info.notes != NULL);

  char* buffers[kMaxLanes] = {0};
  for (uint32_t i = 0; i < info.lanes; ++i) {
    buffers[i] = aligned_alloc(4096, (info.max_access_bytes + 4095) / 4096 * 4096);
    CHECK(buffers[i] != NULL);
  }
  struct ethio_executor_config config = {.struct_size = sizeof config};
  config.depth = info.lanes;
  config.name = executor_name;
  config.fd = fd;
  config.target_bytes = kTargetBytes;
  struct ethio_file files[2] = {{.fd = fd, .bytes = kTargetBytes / 2},
                                {.fd = fd, .offset = kTargetBytes / 2, .bytes = kTargetBytes / 2}};
  config.files = files;
  config.file_count = parts;
  ethio_executor* executor = NULL;
  CHECK(ethio_executor_create(&config, &executor) == 0);
  if (executor != NULL) {
    CHECK(strcmp(ethio_executor_name(executor), executor_name) == 0);
    CHECK(ethio_executor_notice(executor) != NULL);
    CHECK(drive(session, executor, buffers) == kUnits); /* one access a unit */
    ethio_session_digest(session, digest);
    CHECK(strlen(digest) == 32);
  }

  CHECK(ethio_session_annotate(session, "executor", executor_name) == 0);
  char* json = NULL;
  CHECK(ethio_session_result_json(session, &json) == 0);
  CHECK(json != NULL && strstr(json, "\"ethio-result\"") != NULL && strstr(json, digest) != NULL);
  ethio_free(json);
  char* text = NULL;
  CHECK(ethio_session_summary(session, &text) == 0);
  CHECK(text != NULL && strstr(text, "uniform-read") != NULL &&
        strstr(text, executor_name) != NULL);
  ethio_free(text);

  ethio_session_reset_metrics(session);
  char after[33];
  ethio_session_digest(session, after);
  CHECK(strcmp(digest, after) == 0);

  ethio_executor_destroy(executor);
  ethio_session_destroy(session);
  for (uint32_t i = 0; i < info.lanes; ++i) free(buffers[i]);
}

static void write_results(const char* folder) {
  char path[256];
  snprintf(path, sizeof path, "%s/result.json", folder);
  ethio_session* session = uniform_read();
  CHECK(session != NULL);
  if (session == NULL) return;
  CHECK(ethio_output_check(path) == 0);
  CHECK(access(path, F_OK) != 0); /* the check makes nothing */
  CHECK(ethio_session_write_result(session, path) == 0);
  CHECK(ethio_output_check(path) == 0);
  CHECK(ethio_session_write_result(session, path) == 0); /* ethio's own may be replaced */

  char foreign[256];
  snprintf(foreign, sizeof foreign, "%s/precious", folder);
  FILE* file = fopen(foreign, "w");
  CHECK(file != NULL);
  if (file != NULL) {
    fputs("mine", file);
    fclose(file);
  }
  CHECK(ethio_output_check(foreign) == -EEXIST);
  CHECK(ethio_session_write_result(session, foreign) == -EEXIST);
  CHECK(strstr(ethio_last_error(), foreign) != NULL);
  char content[8] = {0};
  file = fopen(foreign, "r");
  CHECK(file != NULL);
  if (file != NULL) {
    CHECK(fgets(content, sizeof content, file) != NULL && strcmp(content, "mine") == 0);
    fclose(file);
  }
  CHECK(ethio_output_check("/nonexistent/result.json") == -ENOENT);
  CHECK(ethio_session_write_result(session, "/nonexistent/result.json") == -ENOENT);
  CHECK(unlink(path) == 0 && unlink(foreign) == 0);
  ethio_session_destroy(session);
}

static void refuse_mistakes(void) {
  ethio_session* session = (ethio_session*)&failures;
  const struct ethio_setting unknown[] = {{"workload", "no-such-workload"}};
  CHECK(session_of(unknown, 1) == NULL);
  CHECK(strstr(ethio_last_error(), "no-such-workload") != NULL);
  const struct ethio_setting knob[] = {{"workload", "uniform-read"}, {"cash", "1g"}};
  CHECK(session_of(knob, 2) == NULL);
  CHECK(strstr(ethio_last_error(), "cash") != NULL);
  const struct ethio_setting value[] = {{"workload", "uniform-read"}, {"cache", "6q"}};
  CHECK(session_of(value, 2) == NULL);
  CHECK(strstr(ethio_last_error(), "6q") != NULL);
  const struct ethio_setting null[] = {{"workload", NULL}};
  CHECK(session_of(null, 1) == NULL);

  CHECK(ethio_session_create(NULL, &session) == -EINVAL);
  struct ethio_config config = {0};
  CHECK(ethio_session_create(&config, &session) == -EINVAL); /* struct_size not set */
  CHECK(session == NULL);

  /* A caller of a later version: fine as long as it uses nothing new. */
  struct {
    struct ethio_config known;
    uint64_t later;
  } newer;
  memset(&newer, 0, sizeof newer);
  const struct ethio_setting good[] = {{"workload", "uniform-read"}};
  newer.known.struct_size = sizeof newer;
  newer.known.target_bytes = kTargetBytes;
  newer.known.settings = good;
  newer.known.setting_count = 1;
  CHECK(ethio_session_create(&newer.known, &session) == 0);
  CHECK(ethio_session_complete(session, 1000000, 4096, 0) == -EINVAL);
  ethio_session_destroy(session);
  newer.later = 1;
  CHECK(ethio_session_create(&newer.known, &session) == -E2BIG);

  newer.later = 0;
  newer.known.alignment = 3000;
  CHECK(ethio_session_create(&newer.known, &session) == -EINVAL);
  newer.known.alignment = 0;
  newer.known.job = 4;
  newer.known.jobs = 4;
  CHECK(ethio_session_create(&newer.known, &session) == -EINVAL);

  ethio_executor* executor = NULL;
  struct ethio_executor_config wrong = {.struct_size = sizeof wrong, .depth = 1, .name = "turbo"};
  CHECK(ethio_executor_create(&wrong, &executor) == -EINVAL);
  CHECK(executor == NULL && strstr(ethio_last_error(), "turbo") != NULL);
  ethio_session_destroy(NULL);
  ethio_executor_destroy(NULL);
  ethio_free(NULL);
}

static void list_everything(void) {
  CHECK(ethio_knob_count() > 0);
  CHECK(ethio_knob_at(ethio_knob_count()) == NULL);
  int has_cache = 0;
  for (size_t i = 0; i < ethio_knob_count(); ++i) {
    const struct ethio_knob* knob = ethio_knob_at(i);
    CHECK(knob->name[0] != '\0' && knob->help[0] != '\0' && knob->front_doors[0] != '\0');
    if (strcmp(knob->name, "cache") == 0) has_cache = 1;
  }
  CHECK(has_cache);
  CHECK(ethio_workload_count() > 0);
  CHECK(ethio_workload_name(ethio_workload_count()) == NULL);
  for (size_t i = 1; i < ethio_workload_count(); ++i) {
    CHECK(strcmp(ethio_workload_name(i - 1), ethio_workload_name(i)) < 0);
  }
  CHECK(strchr(ethio_version(), '.') != NULL);
}

int main(void) {
  CHECK(strcmp(ethio_last_error(), "") == 0);
  char folder[] = "/tmp/ethio-abi-XXXXXX";
  if (mkdtemp(folder) == NULL) return perror("mkdtemp"), 1;
  char target[256];
  snprintf(target, sizeof target, "%s/target", folder);
  const int fd = open(target, O_RDWR | O_CREAT | O_EXCL, 0600);
  CHECK(fd >= 0 && ftruncate(fd, kTargetBytes) == 0);

  char null_digest[33] = "";
  char psync_digest[33] = "";
  char parts_digest[33] = "";
  run_on("null", -1, 0, null_digest);
  run_on("psync", fd, 0, psync_digest);
  run_on("psync", fd, 2, parts_digest);
  CHECK(strcmp(null_digest, psync_digest) == 0);
  CHECK(strcmp(null_digest, parts_digest) == 0);
  write_results(folder);
  refuse_mistakes();
  list_everything();

  close(fd);
  CHECK(unlink(target) == 0 && rmdir(folder) == 0);
  return failures == 0 ? 0 : 1;
}
