/* After config-host.h: a fio of the same version with one more member at the head of struct thread_data, as 3.42 has
 * over 3.41. */
#define opt_list opt_list, member_of_another_fio
