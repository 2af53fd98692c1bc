/* SPDX-License-Identifier: MIT
 *
 * What happens in fio's parent process before files are laid out, buffers allocated and workers
 * forked: refuse what cannot work (refuse.c), and set what the pattern needs. Nothing that lives on
 * is made here.
 */
#include <sys/stat.h>
#include <sys/statvfs.h>

#include "engine.h"

#define BLOCK 4096ULL /* accesses start and end on multiples of it */

/* As fio does for engines without a setup hook. */
static int find_file_sizes(struct thread_data* td) {
  struct fio_file* file;
  unsigned int i;
  for_each_file(td, file, i) {
    if (td_io_get_file_size(td, file)) {
      if (td->error != ENOENT) {
        ethio_say("%s: %s", file->file_name, strerror(td->error));
        return 1;
      }
      td_clear_error(td); /* a file that fio will make */
    }
    if (file->real_file_size == -1ULL && td->o.size)
      file->real_file_size = td->o.size / td->o.nr_files;
  }
  return 0;
}

/* The part of a file that the job works on, as fio will compute it once files are laid out (for a
 * filesize= range, the least); 0 if unknown. */
static uint64_t expected_file_bytes(struct thread_data* td, struct fio_file* file) {
  const struct thread_options* o = &td->o;
  const uint64_t offset = get_start_offset(td, file);
  const uint64_t low = o->file_size_low, present = file->real_file_size;
  uint64_t bytes = o->size / o->nr_files;
  if (low != 0 && (present < low || present > o->file_size_high)) {
    bytes = low > offset ? low - offset : 0;
  } else if (low != 0 || bytes == 0) {
    bytes = present > offset ? present - offset : 0;
  }
  if (o->size_percent != 0 && o->size_percent != 100) {
    const uint64_t part = (offset + bytes) * o->size_percent / 100;
    if (part < bytes) bytes = part;
  }
  return bytes;
}

uint64_t ethio_usable_bytes(const struct thread_data* td, uint64_t bytes) {
  return td->o.nr_files == 1 ? bytes : bytes / BLOCK * BLOCK;
}

static uint64_t expected_target_bytes(struct thread_data* td) {
  struct fio_file* file;
  unsigned int i;
  uint64_t bytes = 0;
  for_each_file(td, file, i) bytes += ethio_usable_bytes(td, expected_file_bytes(td, file));
  return bytes;
}

/* The folder of a path, as text. */
static void folder_of(const char* path, char* folder, size_t size) {
  char* slash;
  snprintf(folder, size, "%s", path);
  slash = strrchr(folder, '/');
  if (slash == NULL) {
    snprintf(folder, size, ".");
  } else {
    slash[slash == folder] = '\0';
  }
}

/* What must be allocated before the job can have its part of a file. */
static uint64_t bytes_to_allocate(struct thread_data* td, struct fio_file* file) {
  const uint64_t end = get_start_offset(td, file) + expected_file_bytes(td, file);
  struct stat status;
  uint64_t present = 0;
  if (file->filetype != FIO_TYPE_FILE) return 0;
  if (end <= file->real_file_size && !td_write(td)) return 0;
  if (stat(file->file_name, &status) == 0) present = (uint64_t)status.st_blocks * 512;
  return end > present ? end - present : 0;
}

/* Says early and in one sentence what fio would find out after writing for a while. Files of one
 * file system are looked at together where they follow each other. */
static int check_space(struct thread_data* td) {
  struct fio_file* file;
  unsigned int i;
  uint64_t needed = 0;
  unsigned long system_id = 0;
  for_each_file(td, file, i) {
    char folder[PATH_MAX];
    struct statvfs system;
    uint64_t free_bytes;
    folder_of(file->file_name, folder, sizeof(folder));
    if (statvfs(folder, &system) != 0) continue; /* fio makes missing folders, or says why not */
    if (i > 0 && system.f_fsid != system_id) needed = 0;
    system_id = system.f_fsid;
    needed += bytes_to_allocate(td, file);
    free_bytes = (uint64_t)system.f_bavail * system.f_frsize;
    if (needed <= free_bytes) continue;
    ethio_say(
        "%s: needs %llu MiB but %s has %llu MiB free; set a smaller size= or another directory=",
        file->file_name, (unsigned long long)needed >> 20, folder,
        (unsigned long long)free_bytes >> 20);
    return 1;
  }
  return 0;
}

/* fio draws offsets of its own in each file, and would give up one in which nothing fits. */
static int check_file_sizes(struct thread_data* td, unsigned long long bs) {
  struct fio_file* file;
  unsigned int i;
  if (td->o.nr_files == 1) return 0;
  for_each_file(td, file, i) {
    const unsigned long long bytes = expected_file_bytes(td, file);
    if (bytes >= bs) continue;
    ethio_say(
        "%s: %llu bytes of it are in the target, and each of several files must hold a block of "
        "%lluk; set a larger size= or fewer files",
        file->file_name, bytes, bs >> 10);
    return 1;
  }
  return 0;
}

/* Nobody should measure for an hour to learn that the result cannot be written. */
static int check_out(const struct thread_data* td) {
  char path[PATH_MAX];
  if (!ethio_out_path(td, path, sizeof(path)) || ethio_output_check(path) == 0) return 0;
  ethio_say("ethio_out=: %s", ethio_last_error());
  return 1;
}

/* ethio_units= says when the job ends; without io_size= fio would end it after size= bytes. */
static void let_units_end_the_job(struct thread_data* td) {
  const char* units = ethio_option(td, "units");
  if (units == NULL || strcmp(units, "0") == 0 || fio_option_is_set(&td->o, io_size)) return;
  td->o.io_size = UINT64_MAX / 4096 / (td->o.loops > 0 ? td->o.loops : 1);
}

/* fio goes on drawing offsets of its own, which are then replaced. Its generator must neither end
 * early (random map, LFSR, sequential positions) nor draw sizes, and its buffers must hold the
 * longest access. */
static unsigned long long fit_options(struct thread_data* td,
                                      const struct ethio_session_info* info) {
  struct thread_options* o = &td->o;
  unsigned long long bs = info->max_access_bytes;
  int ddir;
  for (ddir = 0; ddir < DDIR_RWDIR_CNT; ++ddir) {
    if (ddir != DDIR_TRIM && bs < o->max_bs[ddir]) bs = o->max_bs[ddir];
  }
  bs = (bs + BLOCK - 1) / BLOCK *
       BLOCK; /* io_u buffers follow each other: keeps each aligned for O_DIRECT */
  for (ddir = 0; ddir < DDIR_RWDIR_CNT; ++ddir) {
    o->min_bs[ddir] = o->max_bs[ddir] = o->ba[ddir] = bs;
    o->perc_rand[ddir] = 100;
  }
  o->rw_min_bs = bs;
  o->td_ddir |= TD_DDIR_RAND;
  o->norandommap = 1;
  if (o->nr_files > 1)
    o->file_service_type = FIO_FSERVICE_SEQ; /* which file it thinks of is moot */
  if (o->random_generator == FIO_RAND_GEN_LFSR) o->random_generator = FIO_RAND_GEN_TAUSWORTHE64;
  /* For a job that only writes fio would not fill a new file, and what is written would first have
   * to become part of it: no database works like that for long. */
  if (!fio_option_is_set(o, overwrite)) o->overwrite = 1;
  if (!fio_option_is_set(o, iodepth)) o->iodepth = info->lanes;
  if (!fio_option_is_set(o, iodepth_low)) o->iodepth_low = o->iodepth;
  return bs;
}

/* The null executor touches no file: none is laid out or opened. */
static void go_diskless(struct thread_data* td) {
  struct fio_file* file;
  unsigned int i;
  td->flags |= (unsigned long long)FIO_DISKLESSIO << TD_ENG_FLAG_SHIFT;
  for_each_file(td, file, i) {
    file->real_file_size = get_start_offset(td, file) + expected_file_bytes(td, file);
  }
}

static void say_what_was_set(struct thread_data* td, const struct ethio_session_info* info,
                             unsigned long long bs, uint64_t target_bytes) {
  char depth[80];
  if (td->subjob_number != 0) return; /* the copies of a section say the same */
  snprintf(depth, sizeof(depth),
           td->o.iodepth < info->lanes ? ", iodepth=%u as given caps its %u lanes" : ", iodepth=%u",
           td->o.iodepth, info->lanes);
  ethio_say("%s: for its accesses fio has norandommap=1, bs=%lluk%s%s", info->workload, bs >> 10,
            depth, info->writes && td->o.overwrite ? ", overwrite=1" : "");
  if (td->o.nr_files > 1) {
    const bool range = td->o.file_size_low != td->o.file_size_high; /* fio has yet to choose */
    ethio_say(
        "%s: its %u files, one after the other and each in whole blocks of 4k, are one target of "
        "%s%llu MiB",
        info->workload, td->o.nr_files, range ? "at least " : "",
        (unsigned long long)target_bytes >> 20);
  }
  if (info->notes[0] != '\0') ethio_say("%s: %s", info->workload, info->notes);
}

static int fit_job(struct thread_data* td) {
  struct ethio_session_info info = {.struct_size = sizeof(info)};
  const uint64_t target_bytes = expected_target_bytes(td);
  ethio_session* session;
  int failed;
  if (target_bytes == 0) return 0; /* fio itself asks for size= */
  if (ethio_make_session(td, target_bytes, &session) != 0) {
    ethio_say("%s", ethio_last_error());
    return 1;
  }
  ethio_session_info(session, &info);
  failed = ethio_refuse_for(td, &info);
  if (!failed) {
    const unsigned long long bs = fit_options(td, &info);
    ethio_fit_rate(td);
    let_units_end_the_job(td);
    failed = check_file_sizes(td, bs);
    if (strcmp(info.executor, "null") == 0) {
      go_diskless(td);
    } else {
      failed = failed || check_space(td);
    }
    if (!failed) say_what_was_set(td, &info, bs, target_bytes);
  }
  ethio_session_destroy(session);
  return failed;
}

int ethio_setup(struct thread_data* td) {
  const char* why;
  if (!ethio_fits(td)) {
    ethio_say(
        "this libethio.so was built for a %s whose structs are laid out in another way; run "
        "./bootstrap.sh build with the fio that loads it on the path",
        fio_version_string);
    return 1;
  }
  why = ethio_unsuitable(td);
  if (why != NULL) {
    ethio_say("%s: %s", td->o.name, why);
    return 1;
  }
  return check_out(td) || find_file_sizes(td) || fit_job(td);
}
