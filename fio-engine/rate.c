/* SPDX-License-Identifier: MIT
 *
 * rate= and rate_iops=. fio holds back the direction that it drew until that is due, and counts
 * bytes: rate_iops= has become bytes of whole blocks. The access that takes the place of the drawn
 * one may go the other way and have any length, so the engine asks again, for the access.
 */
#include "engine.h"

void ethio_fit_rate(struct thread_data* td) {
  const struct thread_options* o = &td->o;
  int ddir;
  for (ddir = DDIR_READ; ddir <= DDIR_WRITE; ++ddir) {
    if (o->rate_iops[ddir] && !o->rate[ddir])
      td->rate_bps[ddir] = o->rate_iops[ddir] * o->min_bs[ddir];
  }
}

uint64_t ethio_rate_holds_us(struct thread_data* td, const struct io_u* io_u) {
  const enum fio_ddir ddir = io_u->ddir;
  uint64_t bps, issued, due, now;
  if (!ddir_rw(ddir) || td->rate_bps[ddir] == 0) return 0;
  if (td->o.rate_process == RATE_PROCESS_POISSON) return 0; /* one direction: fio has held it */
  bps = td->rate_bps[ddir];
  issued = td->rate_io_issue_bytes[ddir] - io_u->xfer_buflen; /* fio has counted this one already */
  due = issued / bps * 1000000 + issued % bps * 1000000 / bps;
  now = utime_since_now(&td->epoch);
  return due > now ? due - now : 0;
}

void ethio_rate_count(struct thread_data* td, const struct io_u* io_u) {
  const enum fio_ddir ddir = io_u->ddir;
  if (ddir_rw(ddir) && td->o.rate_iops[ddir] && !td->o.rate[ddir])
    td->rate_io_issue_bytes[ddir] += td->o.min_bs[ddir] - io_u->xfer_buflen;
}
