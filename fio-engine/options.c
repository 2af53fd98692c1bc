/* SPDX-License-Identifier: MIT
 *
 * The knobs as fio options. The rows come from ethio_knob_at(), so a knob is declared once for all
 * front doors; all carry the prefix ethio_, without which an option could be taken for the
 * abbreviation of one of fio's.
 */
#include <pthread.h>
#include <stdarg.h>

#include "engine.h"

#define MAX_OPTIONS 48

/* What fio parses into: a pointer of fio's, then one string an option. */
struct option_values {
  struct thread_data* td;
  char* values[MAX_OPTIONS];
};

static struct fio_option options[MAX_OPTIONS + 1]; /* ends in a row without a name */
static char option_names[MAX_OPTIONS][40];
static const char* option_knobs[MAX_OPTIONS];
static unsigned int option_count;

static void append_row(const struct ethio_knob* knob) {
  const unsigned int i = option_count++;
  struct fio_option* option = &options[i];
  snprintf(option_names[i], sizeof(option_names[i]), "ethio_%s", knob->name);
  option_knobs[i] = knob->name;
  option->name = option_names[i];
  option->lname = option_names[i];
  option->help = knob->help;
  option->type = FIO_OPT_STR_STORE;
  option->off1 = (unsigned int)(offsetof(struct option_values, values) + i * sizeof(char*));
  option->def = knob->default_value[0] == '\0' ? NULL : knob->default_value;
  option->category = FIO_OPT_C_ENGINE;
  option->group = FIO_OPT_G_INVALID;
}

struct fio_option* ethio_options(void) {
  size_t i;
  if (option_count == 0) {
    for (i = 0; i < ethio_knob_count() && option_count < MAX_OPTIONS; ++i) {
      const struct ethio_knob* knob = ethio_knob_at(i);
      if (strchr(knob->front_doors, 'f') != NULL) append_row(knob);
    }
  }
  return options;
}

unsigned int ethio_options_size(void) {
  return sizeof(struct option_values);
}

const char* ethio_option(const struct thread_data* td, const char* knob) {
  const struct option_values* given = td->eo;
  unsigned int i;
  for (i = 0; i < option_count; ++i) {
    if (strcmp(option_knobs[i], knob) == 0) return given->values[i];
  }
  return NULL;
}

int ethio_make_session(struct thread_data* td, uint64_t target_bytes, ethio_session** out) {
  const struct option_values* given = td->eo;
  struct ethio_setting settings[MAX_OPTIONS];
  struct ethio_config config = {
      .struct_size = sizeof(config), .target_bytes = target_bytes, .depth = td->o.iodepth};
  unsigned int i;
  for (i = 0; i < option_count; ++i) {
    if (given->values[i] == NULL) continue;
    settings[config.setting_count].name = option_knobs[i];
    settings[config.setting_count++].value = given->values[i];
  }
  config.settings = settings;
  ethio_job_position(td, &config.job, &config.jobs);
  return ethio_session_create(&config, out);
}

/* fio makes numjobs= out of a section by copying it: the original comes first and keeps numjobs,
 * the copies follow with subjob_number > 0. */
void ethio_job_position(struct thread_data* td, uint32_t* job, uint32_t* jobs) {
  const unsigned int number = td->thread_number; /* counts from 1 */
  struct thread_data* original = td;
  unsigned int at = number;
  while (original->subjob_number != 0 && at > 1) original = tnumber_to_td(--at - 1);
  *job = number - at;
  *jobs = original->o.numjobs;
}

bool ethio_out_path(const struct thread_data* td, char* path, size_t size) {
  const char* out = ethio_option(td, "out");
  if (out == NULL || out[0] == '\0') return false;
  if (thread_number > 1) {
    snprintf(path, size, "%s.%u", out, td->thread_number - 1);
  } else {
    snprintf(path, size, "%s", out);
  }
  return true;
}

void ethio_say(const char* format, ...) {
  static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER; /* jobs may be threads */
  static char last[2560];
  char line[sizeof(last)];
  bool repeated;
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(line, sizeof(line), format, arguments);
  va_end(arguments);
  pthread_mutex_lock(&mutex);
  repeated = strcmp(line, last) == 0;
  snprintf(last, sizeof(last), "%s", line);
  pthread_mutex_unlock(&mutex);
  if (repeated) return;
  if (is_backend) {
    log_err("ethio: %s\n", line); /* fio --server: to the client's screen */
  } else {
    fprintf(stderr, "ethio: %s\n", line);
  }
}
