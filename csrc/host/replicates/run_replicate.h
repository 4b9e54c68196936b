/* run_replicate: E:replicate's inside. */
#ifndef RUN_REPLICATE_H
#define RUN_REPLICATE_H

#include "run_options.h"
#include <lua.h>

#define RUN_REPLICATES_MAX 1000000000 /* of one phase */

/* Adds to the table on top of the stack:
 *   replicate(spec)        computes what is missing; returns all results and the key of the phase
 *   json(value)            the text of a value; from_json(text, field) the value, or one field
 *   sha256(text)           SHA-256 of a string in hexadecimal
 * and what run_noted_register adds. `options` must outlive the state. */
void run_replicate_register(lua_State *L, const run_options *options);

#endif
