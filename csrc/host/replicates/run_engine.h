/* run_engine: E:replicate's inside. */
#ifndef RUN_ENGINE_H
#define RUN_ENGINE_H

#include "run_options.h"
#include <lua.h>

/* Adds to the table on top of the stack:
 *   journal(path)             opens a journal; nil in its place keeps results in a temporary one
 *   replicate(journal, spec)  computes what is missing; returns a store of all results
 *   digest(path)              SHA-256 of a file in hexadecimal, and its absolute path; or nil
 *   sha256(text)              SHA-256 of a string in hexadecimal
 *   pack(value), unpack(bytes)
 * `options` must outlive the state. */
void run_engine_register(lua_State *L, const run_options *options);

#endif
