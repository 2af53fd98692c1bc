/* SPDX-License-Identifier: MIT
 *
 * What a job may not ask for. The workload chooses offsets, lengths, directions and syncs; an
 * option of fio's that means to choose one of them would be ignored without a word, so it is
 * refused with the reason and with what would be right.
 */
#include "engine.h"
#include "verify.h"

/* The target is all of a job's files; what fio picks one by one would be ignored. */
static const char* unsuitable_files(struct thread_data* td) {
  struct fio_file *file, *other;
  unsigned int i, j;
  if (td->o.open_files < td->o.nr_files)
    return "openfiles=: the files are one target, and all of them are open; remove it";
  for_each_file(td, file, i) {
    if (file->filetype != FIO_TYPE_FILE && file->filetype != FIO_TYPE_BLOCK)
      return "the target must be a regular file or a block device, or several";
    for (j = 0; td->o.filename != NULL && j < i; ++j) {
      other = td->files[j];
      if (strcmp(other->file_name, file->file_name) == 0)
        return "filename=: names a file twice, and would have its bytes twice in the target; name "
               "it once";
    }
  }
  return NULL;
}

static const char* unsuitable_pattern(struct thread_options* o) {
  if (o->read_iolog_file != NULL)
    return "read_iolog=: the workload makes the accesses; remove it, or replay with a stock engine";
  if (o->ddir_seq_nr != 1 || o->ddir_seq_add != 0)
    return "rw=...:N: the workload chooses the offsets; remove the colon and what follows it";
  if (o->zone_mode != ZONE_MODE_NONE)
    return "zonemode=: the workload chooses the offsets; remove it";
  if (o->random_distribution != FIO_RAND_DIST_RANDOM)
    return "random_distribution=: the workload chooses the offsets; remove it";
  if (fio_option_is_set(o, perc_rand[DDIR_READ]))
    return "percentage_random=: the workload chooses the offsets; remove it";
  if (fio_option_is_set(o, rwmix[DDIR_READ]) || fio_option_is_set(o, rwmix[DDIR_WRITE]))
    return "rwmixread=, rwmixwrite=: the workload says what is read and written; remove them";
  if (o->bssplit_nr[DDIR_READ] || o->bssplit_nr[DDIR_WRITE])
    return "bssplit=: the workload chooses the sizes of accesses; remove it";
  if (o->fsync_blocks || o->fdatasync_blocks || o->sync_file_range)
    return "fsync=, fdatasync=, sync_file_range=: the workload says when to sync; remove them";
  return NULL;
}

const char* ethio_unsuitable(struct thread_data* td) {
  struct thread_options* o = &td->o;
  const char* why;
  if (td_trim(td))
    return "rw=: a workload does not trim; use rw=randrw, rw=randread or rw=randwrite";
  if (o->verify != VERIFY_NONE || o->verify_only)
    return "verify=, verify_only=: fio cannot check writes that it did not choose; remove them";
  if (o->io_submit_mode == IO_MODE_OFFLOAD)
    return "io_submit_mode=offload: accesses depend on each other; use io_submit_mode=inline";
  if (o->iodepth > 32768)
    return "iodepth=: a ring has at most 32768 entries, and a workload uses one for each of its "
           "lanes";
  if (o->create_on_open)
    return "create_on_open=1: a workload reads what is there, and the file would be empty; remove "
           "it";
  if (o->fill_device) return "fill_device=: a workload needs a fixed size; set size= instead";
  why = unsuitable_files(td);
  return why != NULL ? why : unsuitable_pattern(o);
}

/* fio paces the direction that it drew. ethio_rate_holds() (rate.c) paces the one that an access
 * has, but cannot follow these two. */
static const char* unsuitable_pace(const struct thread_options* o) {
  const bool rated = o->rate[DDIR_READ] || o->rate[DDIR_WRITE] || o->rate_iops[DDIR_READ] ||
                     o->rate_iops[DDIR_WRITE];
  if (rated && o->rate_process == RATE_PROCESS_POISSON)
    return "rate_process=poisson: only for a workload that goes one way; use rate_process=linear";
  if (rated && o->rate_ign_think)
    return "rate_ignore_thinktime: only for a workload that goes one way; remove it";
  return NULL;
}

/* fio would call a write under rw=read a bug of its own. */
static int refuse_direction(const struct thread_data* td, const struct ethio_session_info* info) {
  const char* does = info->reads && info->writes ? "reads and writes"
                     : info->writes              ? "writes"
                                                 : "reads";
  const char* fix = info->reads && info->writes ? "randrw"
                    : info->writes              ? "randwrite"
                                                : "randread";
  if ((!info->writes || td_write(td)) && (!info->reads || td_read(td))) return 0;
  ethio_say("workload '%s' %s: set rw=%s", info->workload, does, fix);
  return 1;
}

int ethio_refuse_for(const struct thread_data* td, const struct ethio_session_info* info) {
  const char* why = info->reads && info->writes ? unsuitable_pace(&td->o) : NULL;
  if (why == NULL) return refuse_direction(td, info);
  ethio_say("%s: %s", td->o.name, why);
  return 1;
}
