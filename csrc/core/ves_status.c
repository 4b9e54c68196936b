/* ves_status: the words behind the codes. */
#include "ves_status.h"

const char *ves_status_message(ves_status status) {
  switch (status) {
  case VES_OK: return "success";
  case VES_ENOMEM: return "out of memory";
  case VES_EDOMAIN: return "argument outside the domain of the function";
  case VES_ESIZE: return "sizes disagree or are too large";
  case VES_ESILENT: return "no synapse transmitted in any permitted attempt";
  case VES_ECONVERGE: return "the iteration did not converge";
  case VES_ECALLBACK: return "stopped by the caller's function";
  case VES_ESTOPPED: return "stopped from outside";
  }
  return "unknown status";
}
