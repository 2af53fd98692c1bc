/* SPDX-License-Identifier: MIT
 *
 * The op table that fio asks for, and the guard against a fio of another version: fio checks only
 * the version of the engine interface, which stays the same while its structs change (3.41
 * and 3.42), and then both sides read garbage.
 */
#include "engine.h"

static struct ioengine_ops ops = {
    .name = "ethio",
    .version = FIO_IOOPS_VERSION,
    .setup = ethio_setup,
    .init = ethio_init,
    .prep = ethio_prep,
    .queue = ethio_queue,
    .commit = ethio_commit,
    .getevents = ethio_getevents,
    .event = ethio_event,
    .io_u_free = ethio_io_u_free,
    .cleanup = ethio_cleanup,
    .open_file = ethio_open_file,
    .close_file = ethio_close_file,
    .get_file_size = generic_get_file_size,
#ifdef ETHIO_FIO_SETS_ISSUE_TIME
    .flags = FIO_ASYNCIO_SETS_ISSUE_TIME,
#endif
};

bool ethio_fits(const struct thread_data* td) {
  return td->io_ops == &ops;
}

/* The one exported symbol. fio calls it once for each job. */
__attribute__((visibility("default"))) void get_ioengine(struct ioengine_ops** out) {
  *out = NULL;
  if (strcmp(fio_version_string, ETHIO_FIO_VERSION) != 0) {
    ethio_say(
        "this libethio.so is for %s but was loaded by %s; run ./bootstrap.sh build with that fio "
        "on the path",
        ETHIO_FIO_VERSION, fio_version_string);
    return;
  }
  ops.options = ethio_options();
  ops.option_struct_size = (int)ethio_options_size();
  *out = &ops;
}
