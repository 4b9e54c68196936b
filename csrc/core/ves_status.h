/* ves_status: what a core function can say about how it went.
 *
 * The core never prints, exits or raises. Every function that can fail returns one of these codes;
 * whoever called it (a binding, a test, a C program) decides what the failure means to its user. */
#ifndef VES_STATUS_H
#define VES_STATUS_H

typedef enum {
  VES_OK = 0,
  VES_ENOMEM,    /* an allocation failed */
  VES_EDOMAIN,   /* an argument lies outside the function's domain */
  VES_ESIZE,     /* sizes disagree, or are larger than the function accepts */
  VES_ESILENT,   /* no synapse transmitted in any permitted attempt */
  VES_ECONVERGE, /* an iteration did not reach its tolerance */
  VES_ECALLBACK, /* a caller-supplied function asked to stop */
  VES_ESTOPPED   /* it was stopped from outside (ves_stop) */
} ves_status;

/* A sentence fragment describing the status, static storage, never NULL. */
const char *ves_status_message(ves_status status);

#endif
