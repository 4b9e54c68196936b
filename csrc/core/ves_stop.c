/* ves_stop: the flag. */
#include "ves_stop.h"

atomic_bool ves_stop_flag = false;

void ves_stop(bool stop) { atomic_store_explicit(&ves_stop_flag, stop, memory_order_relaxed); }
