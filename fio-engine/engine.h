/* SPDX-License-Identifier: MIT
 *
 * The fio engine, an adapter between two C interfaces: fio's ioengine_ops above, common/ethio.h
 * below. It makes no decision about the pattern; it turns each access of a session into one io_u
 * and each completed io_u into a completion.
 *
 *   options.c   the knobs as fio options, and text for the user
 *   setup.c     fio's parent, before any I/O: what the pattern needs
 *   refuse.c    what a job may not ask for
 *   worker.c    a job's session, executor and result
 *   data.c      the data plane: prep, queue, commit, getevents, event
 *   rate.c      rate= and rate_iops=, by the accesses that are made
 *   ethio_engine.c  the op table, and the guard against another fio
 *
 * fio.h defines macros such as min, max and nop: it is included here and nowhere else, after the
 * system's headers.
 */
#ifndef ETHIO_FIO_ENGINE_H
#define ETHIO_FIO_ENGINE_H

#include <errno.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/ethio.h"
#include "fio.h"
#include "optgroup.h"

/* What the engine knows of one io_u, found by io_u->index, which is also its slot in the executor.
 */
enum slot_state {
  SLOT_FREE = 0,
  SLOT_ACCESS,  /* carries an access of the session, from prep until that is complete, over requeues
                 */
  SLOT_WAITING, /* the session has nothing for it now: queue answers FIO_Q_BUSY */
  SLOT_FINAL_SYNC /* the sync that fio itself makes at the end of a job (end_fsync, fsync_on_close)
                   */
};

struct slot {
  struct io_u* io_u;
  struct ethio_access access;
  enum slot_state state;
  bool held; /* its access waits for rate= */
};

/* One job's state, td->io_ops_data; made and used in the worker only. */
struct engine {
  ethio_session* session;
  ethio_executor* executor;             /* lives while the files are open */
  struct slot* slots;                   /* one per io_u */
  struct ethio_completion* completions; /* of the last getevents */
  struct io_u** queued;                 /* since the last commit */
  unsigned int queued_count;
  unsigned int carried; /* slots in SLOT_ACCESS, and orphans */
  /* Accesses whose io_u fio took away for a final sync before they were started. */
  struct ethio_access* orphans;
  unsigned int orphan_count;
  uint64_t file_offset;             /* where the target begins in its one file (offset=) */
  uint64_t reaped_ns;               /* clock of the last getevents */
  uint64_t prepared_ns;             /* and of the last prep */
  const struct io_u* prepared_last; /* NULL when fio has done something else since */
  bool pauses;          /* fio may rest between two accesses: rate=, thinktime=, flow= */
  bool instant;         /* the executor is null: an access is complete when it is queued */
  uint64_t due_ns;      /* when the session has something again, while idle */
  int waiting_for;      /* the answer that made an io_u wait: ETHIO_NEXT_STALL, _IDLE or _END */
  uint64_t counted_ios; /* as fio had counted when last looked at */
  bool opening;         /* the files of the target, one within the other */
  bool opened;          /* they have been open for I/O: there is a result */
};

/* ---- ethio_engine.c ---- */

/* Whether this job's struct is what the engine was compiled for, as far as can be seen: its op
 * table is where the engine looks for it. */
bool ethio_fits(const struct thread_data* td);

/* ---- options.c ---- */

struct fio_option* ethio_options(void);
unsigned int ethio_options_size(void);
/* The value of a knob as given on fio's command line; NULL if it was not. */
const char* ethio_option(const struct thread_data* td, const char* knob);
/* A session for a job, from its options. Returns 0, or -errno with ethio_last_error() set. */
int ethio_make_session(struct thread_data* td, uint64_t target_bytes, ethio_session** out);
/* Where this job stands among the jobs that fio made from its section (numjobs=). */
void ethio_job_position(struct thread_data* td, uint32_t* job, uint32_t* jobs);
/* Where the job's result goes: ethio_out=, with the job's number behind it when there are several
 * jobs. False if no result is wanted. */
bool ethio_out_path(const struct thread_data* td, char* path, size_t size);
/* One line for the user, on stderr, because stdout may be JSON and fio's own log may be the same
 * file. A line that repeats the last one (the jobs of a section fail alike) is left out. */
void ethio_say(const char* format, ...) __attribute__((format(printf, 1, 2)));

/* ---- setup.c ---- */

int ethio_setup(struct thread_data* td);
/* What of a file's part the target has: of several files whole blocks only, so that each begins on
 * one. */
uint64_t ethio_usable_bytes(const struct thread_data* td, uint64_t bytes);

/* ---- refuse.c ---- */

/* Why a job cannot be run with any workload, with what would be right; NULL if it can. */
const char* ethio_unsuitable(struct thread_data* td);
/* Says why a job cannot be run with this workload and returns 1; 0 if it can. */
int ethio_refuse_for(const struct thread_data* td, const struct ethio_session_info* info);

/* ---- rate.c ---- */

/* After the block size has been set. */
void ethio_fit_rate(struct thread_data* td);
/* How long the access that fio has just brought to queue must wait, in microseconds. */
uint64_t ethio_rate_holds_us(struct thread_data* td, const struct io_u* io_u);
/* The access has been taken. */
void ethio_rate_count(struct thread_data* td, const struct io_u* io_u);

/* ---- worker.c ---- */

int ethio_init(struct thread_data* td);
int ethio_open_file(struct thread_data* td, struct fio_file* file);
int ethio_close_file(struct thread_data* td, struct fio_file* file);
void ethio_cleanup(struct thread_data* td);

/* ---- data.c ---- */

int ethio_prep(struct thread_data* td, struct io_u* io_u);
enum fio_q_status ethio_queue(struct thread_data* td, struct io_u* io_u);
int ethio_commit(struct thread_data* td);
int ethio_getevents(struct thread_data* td, unsigned int min_events, unsigned int max_events,
                    const struct timespec* timeout);
struct io_u* ethio_event(struct thread_data* td, int event);
void ethio_io_u_free(struct thread_data* td, struct io_u* io_u);

#endif /* ETHIO_FIO_ENGINE_H */
