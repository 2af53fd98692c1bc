/* Drives a session in a harness of its own: a drive that answers at once. Prints the stream's
 * digest. */
#include <ethio.h>
#include <stdio.h>

int main(void) {
  const struct ethio_setting settings[] = {{"workload", "uniform-read"}, {"units", "10"}};
  struct ethio_config config = {.struct_size = sizeof config, .target_bytes = 16 << 20};
  config.settings = settings;
  config.setting_count = 2;
  ethio_session* session = NULL;
  if (ethio_session_create(&config, &session) != 0) {
    fprintf(stderr, "consumer: %s\n", ethio_last_error());
    return 1;
  }
  struct ethio_access access;
  uint64_t now_ns = 1;
  while (ethio_session_next(session, now_ns, &access) == ETHIO_NEXT_ACCESS) {
    ethio_session_complete(session, access.lane, access.length, ++now_ns);
  }
  char digest[33];
  ethio_session_digest(session, digest);
  printf("%s\n", digest);
  ethio_session_destroy(session);
  return 0;
}
