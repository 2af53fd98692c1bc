/* SPDX-License-Identifier: MIT
 *
 * A job's life in its own process or thread: the session from init to cleanup, an executor for as
 * long as the files are open (fio opens them anew for each loop), and the result at the end.
 */
#include <fcntl.h>
#include <unistd.h>

#include "engine.h"

static void free_engine(struct engine* e) {
  ethio_executor_destroy(e->executor);
  ethio_session_destroy(e->session);
  free(e->slots);
  free(e->completions);
  free(e->queued);
  free(e->orphans);
  free(e);
}

static struct engine* allocate_engine(unsigned int depth) {
  struct engine* e = calloc(1, sizeof(*e));
  if (e == NULL) return NULL;
  e->slots = calloc(depth, sizeof(*e->slots));
  e->completions = calloc(depth, sizeof(*e->completions));
  e->queued = calloc(depth, sizeof(struct io_u*));
  e->orphans = calloc(depth, sizeof(*e->orphans));
  if (e->slots && e->completions && e->queued && e->orphans) return e;
  free_engine(e);
  return NULL;
}

static uint64_t target_bytes(struct thread_data* td) {
  struct fio_file* file;
  unsigned int i;
  uint64_t bytes = 0;
  for_each_file(td, file, i) bytes += ethio_usable_bytes(td, file->io_size);
  return bytes;
}

int ethio_init(struct thread_data* td) {
  struct engine* e;
  char files[16];
  int error;
  if (!td->o.create_serialize) { /* the one setting with which setup comes after init */
    ethio_say(
        "%s: create_serialize=0: depth and buffers must be set before the job starts; remove it",
        td->o.name);
    return EINVAL;
  }
  e = allocate_engine(td->o.iodepth);
  if (e == NULL) {
    ethio_say("%s: out of memory for iodepth=%u", td->o.name, td->o.iodepth);
    return ENOMEM;
  }
  error = ethio_make_session(td, target_bytes(td), &e->session);
  if (error != 0) {
    ethio_say("%s", ethio_last_error());
    free_engine(e);
    return -error;
  }
  if (td->o.nr_files == 1) e->file_offset = td->files[0]->file_offset;
  snprintf(files, sizeof(files), "%u", td->o.nr_files);
  ethio_session_annotate(e->session, "name", "fio");
  ethio_session_annotate(e->session, "version", fio_version_string);
  ethio_session_annotate(e->session, "job", td->o.name);
  ethio_session_annotate(e->session, "files", files);
  td->io_ops_data = e;
  return 0;
}

/* Of the accesses in flight at most one in so many waits for others to be submitted with it: a few
 * microseconds, while fio takes what has ended. None does at the depths of dependent reads. */
#define HELD_PART 8

/* The io_u buffers, for the executor to register where that helps. */
static struct ethio_buffer* buffers_of(struct thread_data* td) {
  struct ethio_buffer* buffers = calloc(td->o.iodepth, sizeof(*buffers));
  unsigned int i;
  for (i = 0; buffers != NULL && i < td->o.iodepth; ++i) {
    buffers[i].data = td->io_u_all.io_us[i]->buf;
    buffers[i].bytes = td->o.max_bs[DDIR_READ];
  }
  return buffers;
}

/* What the job's files have of the target, all of them open. NULL if there is no memory. */
static struct ethio_file* files_of(struct thread_data* td) {
  struct ethio_file* files = calloc(td->o.nr_files, sizeof(*files));
  struct fio_file* file;
  unsigned int i;
  if (files == NULL) return NULL;
  for_each_file(td, file, i) {
    files[i].fd = file->fd;
    files[i].offset = file->file_offset;
    files[i].bytes = ethio_usable_bytes(td, file->io_size);
  }
  return files;
}

static int make_executor(struct thread_data* td, struct engine* e) {
  struct ethio_session_info info = {.struct_size = sizeof(info)};
  struct ethio_buffer* buffers = buffers_of(td);
  struct ethio_file* files = files_of(td);
  struct ethio_executor_config config = {.struct_size = sizeof(config),
                                         .depth = td->o.iodepth,
                                         .buffers = buffers,
                                         .buffer_count = buffers == NULL ? 0 : td->o.iodepth,
                                         .files = files,
                                         .file_count = td->o.nr_files};
  int error;
  if (files == NULL) {
    free(buffers);
    ethio_say("%s: out of memory for %u files", td->o.name, td->o.nr_files);
    return ENOMEM;
  }
  ethio_session_info(e->session, &info);
  config.name = info.executor;
  config.flags = info.executor_flags;
  e->pauses = td->o.thinktime || td->o.flow || should_check_rate(td);
  if (!e->pauses) config.hold = td->o.iodepth / HELD_PART;
  error = ethio_executor_create(&config, &e->executor);
  free(buffers);
  free(files);
  if (error != 0) {
    ethio_say("%s", ethio_last_error());
    return -error;
  }
  e->instant = strcmp(ethio_executor_name(e->executor), "null") == 0;
  if (!e->opened) {
    const char* notice = ethio_executor_notice(e->executor);
    if (notice[0] != '\0' && td->subjob_number == 0) ethio_say("%s", notice);
    ethio_session_annotate(e->session, "executor", ethio_executor_name(e->executor));
    ethio_session_annotate(e->session, "notice", notice);
    e->opened = true;
  }
  return 0;
}

/* Whether the file can be read past the page cache; 0 or an errno. A file system may take the flag
 * and then refuse the access. */
static int try_direct(const struct fio_file* file) {
  const size_t block = 4096;
  void* buffer = NULL;
  int error = 0;
  const int fd = open(file->file_name, O_RDONLY | O_DIRECT | O_CLOEXEC);
  if (fd < 0) return errno;
  if (posix_memalign(&buffer, block, block) != 0 ||
      pread(fd, buffer, block, (off_t)(file->file_offset / block * block)) < 0)
    error = errno;
  free(buffer);
  close(fd);
  return error;
}

/* direct=1 where there is no O_DIRECT, for one file or all: goes on through the page cache, and the
 * result is marked. */
static void settle_direct(struct thread_data* td, struct engine* e) {
  char text[PATH_MAX + 128];
  struct fio_file* file;
  unsigned int i;
  for_each_file(td, file, i) {
    if (!td->o.odirect || try_direct(file) != EINVAL) continue;
    td->o.odirect = 0;
    snprintf(
        text, sizeof(text),
        "%s: its file system has no O_DIRECT; direct=1 is dropped, and what follows is the page "
        "cache's speed as well",
        file->file_name);
    if (td->subjob_number == 0) ethio_say("%s", text);
    ethio_session_annotate(e->session, "direct_notice", text);
  }
  ethio_session_annotate(e->session, "direct", td->o.odirect ? "yes" : "no");
}

static void close_others(struct thread_data* td, const struct fio_file* but) {
  struct fio_file* file;
  unsigned int i;
  for_each_file(td, file, i) {
    if (file != but && fio_file_open(file)) td_io_close_file(td, file);
  }
}

/* fio opens a file when it first thinks of it. The executor needs them all, so the first to be
 * opened brings the others with it, each through fio, which keeps account of them. */
static int open_others(struct thread_data* td, struct engine* e, const struct fio_file* but) {
  struct fio_file* file;
  unsigned int i;
  int error = 0;
  e->opening = true;
  for_each_file(td, file, i) {
    if (error == 0 && file != but && (!fio_file_open(file) || fio_file_closing(file)))
      error = td_io_open_file(td, file);
  }
  e->opening = false;
  return error;
}

/* fio has noted the errno of a file that it could not open. */
static int prepare_target(struct thread_data* td, struct engine* e, const struct fio_file* file) {
  int error;
  if (!td_ioengine_flagged(td, FIO_DISKLESSIO) && open_others(td, e, file) != 0) return 1;
  error = make_executor(td, e);
  if (error != 0) td_verror(td, error, "ethio_open_file");
  return error;
}

int ethio_open_file(struct thread_data* td, struct fio_file* file) {
  struct engine* e = td->io_ops_data;
  const bool diskless = td_ioengine_flagged(td, FIO_DISKLESSIO);
  /* e is NULL in fio's parent, which only looks at the file */
  const bool first = e != NULL && !e->opening && e->executor == NULL;
  if (first && !diskless && !e->opened) settle_direct(td, e);
  if (!diskless && generic_open_file(td, file)) return 1;
  if (!first || prepare_target(td, e, file) == 0) return 0;
  if (diskless) return 1;
  close_others(td, file);
  if (generic_close_file(td, file) != 0) ethio_say("%s: cannot be closed", file->file_name);
  return 1;
}

/* With the first file that is closed the target is no longer whole. */
int ethio_close_file(struct thread_data* td, struct fio_file* file) {
  struct engine* e = td->io_ops_data;
  if (e != NULL) {
    ethio_executor_destroy(e->executor);
    e->executor = NULL;
  }
  return td_ioengine_flagged(td, FIO_DISKLESSIO) ? 0 : generic_close_file(td, file);
}

static void write_result(struct thread_data* td, struct engine* e) {
  char path[PATH_MAX];
  if (!ethio_out_path(td, path, sizeof(path))) return;
  if (ethio_session_write_result(e->session, path) == 0) return;
  ethio_say("%s", ethio_last_error());
  td_verror(td, EIO, "ethio_out");
}

static void show_summary(struct engine* e) {
  char* text;
  if (ethio_session_summary(e->session, &text) != 0) return;
  fputs(text, stderr);
  ethio_free(text);
}

/* fio calls this also for a job that has failed before init. */
void ethio_cleanup(struct thread_data* td) {
  struct engine* e = td->io_ops_data;
  if (e == NULL) return;
  if (e->opened) {
    if (output_format & FIO_OUTPUT_NORMAL) show_summary(e);
    write_result(td, e);
  }
  free_engine(e);
  td->io_ops_data = NULL;
}
