/* SPDX-License-Identifier: MIT
 *
 * The data plane. fio takes a free io_u, draws an offset for it and calls prep, which replaces what
 * was drawn by the session's next access; queue starts it. When the session has nothing, because an
 * access must complete first or the next slot has not come, queue answers FIO_Q_BUSY: fio then
 * reaps completions and brings the same io_u again, through prep. So waiting costs nothing of the
 * time that fio measures.
 */
#include "engine.h"

/* The longest sleep between two looks of fio at its clock and at Ctrl-C. */
#define NAP_NS 10000000ULL

static uint64_t in_ns(const struct timespec* time) {
  return (uint64_t)time->tv_sec * 1000000000ULL + (uint64_t)time->tv_nsec;
}

static uint64_t now_ns(void) {
  struct timespec now;
  fio_gettime(&now, NULL);
  return in_ns(&now);
}

/* At the end of ramp_time fio forgets all counts in the middle of its loop; the session does so at
 * the same access. */
static void follow_reset(struct thread_data* td, struct engine* e) {
  const uint64_t ios =
      td->ts.total_io_u[DDIR_READ] + td->ts.total_io_u[DDIR_WRITE] + td->ts.total_io_u[DDIR_SYNC];
  if (ios < e->counted_ios) ethio_session_reset_metrics(e->session);
  e->counted_ios = ios;
}

/* Fresh contents for a write, as fio gives them to an io_u that it makes a write itself. */
static void fill_write_buffer(struct thread_data* td, struct io_u* io_u, bool filled,
                              uint64_t stamp) {
  if (td->flags & TD_F_REFILL_BUFFERS) {
    if (!filled) io_u_fill_buffer(td, io_u, td->o.min_bs[DDIR_WRITE], io_u->xfer_buflen);
  } else if ((td->flags & TD_F_SCRAMBLE_BUFFERS) && !(td->flags & TD_F_COMPRESS)) {
    char* at = io_u->xfer_buf;
    char* end = at + io_u->xfer_buflen;
    for (; at < end; at += 512) {
      memcpy(at, &io_u->offset, sizeof(io_u->offset));
      memcpy(at + sizeof(io_u->offset), &stamp, sizeof(stamp));
    }
  }
}

static void give_access(struct thread_data* td, struct engine* e, struct io_u* io_u, uint64_t now) {
  /* Not DDIR_DATASYNC, which fio 3.33 and older count past the end of an array. */
  static const enum fio_ddir kDirections[] = {
      [ETHIO_READ] = DDIR_READ, [ETHIO_WRITE] = DDIR_WRITE, [ETHIO_SYNC] = DDIR_SYNC};
  struct slot* slot = &e->slots[io_u->index];
  const struct ethio_access* access = &slot->access;
  const bool filled = io_u->ddir == DDIR_WRITE;
  slot->io_u = io_u;
  slot->state = SLOT_ACCESS;
  io_u->ddir = io_u->acct_ddir = kDirections[access->kind];
  io_u->offset = e->file_offset + access->offset;
  io_u->buflen = io_u->xfer_buflen = access->length;
  io_u->xfer_buf = io_u->buf;
  if (access->kind == ETHIO_WRITE) fill_write_buffer(td, io_u, filled, now);
}

/* The job is over and fio syncs the file with any io_u, even one that it had put back with an
 * access. */
static int prepare_final_sync(struct engine* e, const struct io_u* io_u) {
  struct slot* slot = &e->slots[io_u->index];
  if (slot->state == SLOT_ACCESS) e->orphans[e->orphan_count++] = slot->access;
  slot->state = SLOT_FINAL_SYNC;
  return 0;
}

/* The time at which an access is handed out. The clock is looked at for the first one after fio has
 * done something else; for those that follow at once it is when fio had the one before, which fio
 * has noted right after its prep. */
static uint64_t time_of_prep(struct thread_data* td, struct engine* e, const struct io_u* io_u) {
  const struct io_u* before = e->prepared_last;
  e->prepared_last = io_u;
  if (before == NULL || td->o.disable_lat || e->pauses) return now_ns();
  return in_ns(&before->start_time);
}

int ethio_prep(struct thread_data* td, struct io_u* io_u) {
  struct engine* e = td->io_ops_data;
  struct slot* slot = &e->slots[io_u->index];
  uint64_t now;
  if (td->runstate == TD_FSYNCING) return prepare_final_sync(e, io_u);
  if (slot->state == SLOT_ACCESS) return 0; /* put back by fio, comes again */
  follow_reset(td, e);
  now = e->prepared_ns = time_of_prep(td, e, io_u);
  if (e->orphan_count > 0) {
    slot->access = e->orphans[--e->orphan_count];
    give_access(td, e, io_u, now);
    return 0;
  }
  e->waiting_for = ethio_session_next(e->session, now, &slot->access);
  if (e->waiting_for == ETHIO_NEXT_ACCESS) {
    ++e->carried;
    give_access(td, e, io_u, now);
  } else {
    slot->state = SLOT_WAITING;
    e->due_ns = slot->access.offset;
    e->prepared_last = NULL;
  }
  return 0;
}

static void nap_until(uint64_t due_ns) {
  const uint64_t now = now_ns();
  struct timespec nap = {0};
  if (due_ns <= now) return;
  nap.tv_nsec = (long)(due_ns - now < NAP_NS ? due_ns - now : NAP_NS);
  nanosleep(&nap, NULL);
}

/* While accesses are in flight fio waits for one of them by itself. */
static enum fio_q_status wait_turn(struct thread_data* td, struct engine* e, struct io_u* io_u) {
  if (e->waiting_for == ETHIO_NEXT_END) {
    fio_mark_td_terminate(td);
  } else if (e->carried == 0 && e->waiting_for == ETHIO_NEXT_IDLE) {
    nap_until(e->due_ns);
  } else if (e->carried == 0) {
    ethio_say("internal error: the workload waits for an access that nobody has");
    io_u->error = EDEADLK;
    return FIO_Q_COMPLETED;
  }
  return FIO_Q_BUSY;
}

static bool wait_for_rate(struct thread_data* td, struct engine* e, const struct io_u* io_u) {
  const uint64_t us = ethio_rate_holds_us(td, io_u);
  struct slot* slot = &e->slots[io_u->index];
  if (us == 0 && slot->held) ethio_session_restart(e->session, slot->access.lane, now_ns());
  slot->held = us > 0;
  if (us > 0 && e->carried == 1) nap_until(now_ns() + us * 1000); /* nothing but this one */
  return us > 0;
}

/* The null executor has done everything already, in no time: the access is issued when it is
 * prepared, and that needs no other look at the clock unless fio has rested in between. */
static enum fio_q_status complete_at_once(struct thread_data* td, struct engine* e,
                                          struct io_u* io_u, struct slot* slot) {
  if (!e->pauses && !td->o.disable_lat)
    io_u->issue_time = io_u->start_time;
  else if (fio_fill_issue_time(td))
    fio_gettime(&io_u->issue_time, NULL);
  ethio_session_complete(e->session, slot->access.lane, slot->access.length, e->prepared_ns);
  slot->state = SLOT_FREE;
  --e->carried;
  return FIO_Q_COMPLETED;
}

enum fio_q_status ethio_queue(struct thread_data* td, struct io_u* io_u) {
  struct engine* e = td->io_ops_data;
  struct slot* slot = &e->slots[io_u->index];
  int error;
  if (slot->state != SLOT_ACCESS) {
    const bool waits = slot->state == SLOT_WAITING;
    slot->state = SLOT_FREE;
    if (waits) return wait_turn(td, e, io_u);
    if (!td_ioengine_flagged(td, FIO_DISKLESSIO)) do_io_u_sync(td, io_u); /* sets io_u->error */
    return FIO_Q_COMPLETED;
  }
  if (should_check_rate(td) && wait_for_rate(td, e, io_u)) return FIO_Q_BUSY;
  if (e->instant) {
    if (should_check_rate(td)) ethio_rate_count(td, io_u);
    return complete_at_once(td, e, io_u, slot);
  }
  error = ethio_executor_queue(e->executor, &slot->access, io_u->xfer_buf, io_u->index);
  if (error == 0) {
    if (should_check_rate(td)) ethio_rate_count(td, io_u);
    e->queued[e->queued_count++] = io_u;
    return FIO_Q_QUEUED;
  }
  if (error == -EAGAIN) return FIO_Q_BUSY;
  io_u->error = (unsigned int)-error;
  return FIO_Q_COMPLETED;
}

int ethio_commit(struct thread_data* td) {
  struct engine* e = td->io_ops_data;
  struct timespec now;
  unsigned int i;
  int error;
  if (e->queued_count == 0) return 0;
  /* With every io_u in use fio collects completions next, and the executor submits then: in the
   * system call that waits, or several accesses at once. */
  if (e->pauses || e->carried < td->o.iodepth) {
    error = ethio_executor_submit(e->executor);
    if (error < 0) return error;
  }
  io_u_mark_submit(td, e->queued_count);
  if (fio_fill_issue_time(td)) {
    fio_gettime(&now, NULL);
    for (i = 0; i < e->queued_count; ++i) {
      e->queued[i]->issue_time = now;
      io_u_queued(td, e->queued[i]);
    }
  }
  e->queued_count = 0;
  return 0;
}

int ethio_getevents(struct thread_data* td, unsigned int min_events, unsigned int max_events,
                    const struct timespec* timeout) {
  struct engine* e = td->io_ops_data;
  const uint64_t timeout_ns = timeout == NULL ? UINT64_MAX : in_ns(timeout);
  int count;
  do {
    count = ethio_executor_reap(e->executor, e->completions, min_events, max_events, timeout_ns);
  } while (count == -EINTR);
  e->reaped_ns = now_ns();
  e->prepared_last = NULL;
  return count;
}

/* After latency_target= fio ends with accesses in flight, and frees the buffers. */
void ethio_io_u_free(struct thread_data* td, struct io_u* io_u) {
  struct engine* e = td->io_ops_data;
  (void)io_u;
  if (e == NULL || e->executor == NULL) return;
  ethio_executor_reap(e->executor, e->completions, td->o.iodepth, td->o.iodepth, UINT64_MAX);
}

/* A failed sync: fio does not look at the error of one that completes later than queue. */
static void fail_sync(struct thread_data* td, const struct io_u* io_u, int error) {
  if (!td->error) ethio_say("%s: fdatasync failed: %s", io_u->file->file_name, strerror(error));
  td_verror(td, error, "fdatasync");
}

struct io_u* ethio_event(struct thread_data* td, int event) {
  struct engine* e = td->io_ops_data;
  const int64_t result = e->completions[event].result;
  struct slot* slot = &e->slots[e->completions[event].slot];
  struct io_u* io_u = slot->io_u;
  follow_reset(td, e);
  io_u->error = 0;
  io_u->resid = 0;
  if (result < 0) {
    io_u->error = (unsigned int)-result;
    if (ddir_sync(io_u->ddir)) fail_sync(td, io_u, (int)-result);
  } else {
    io_u->resid = io_u->xfer_buflen - (unsigned long long)result;
  }
  ethio_session_complete(e->session, slot->access.lane, result, e->reaped_ns);
  slot->state = SLOT_FREE;
  --e->carried;
  return io_u;
}
