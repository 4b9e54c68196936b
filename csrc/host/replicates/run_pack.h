/* run_pack: the result of a replicate as bytes, and back, bit for bit. */
#ifndef RUN_PACK_H
#define RUN_PACK_H

#include "run_bytes.h"
#include <lua.h>
#include <stdbool.h>

/* Appends the value at `index` to `out`. Raises a Lua error that names the place of what cannot be
 * packed ("result.fit.f is a function"), or that memory ran out; `out` then holds a part and stays
 * the caller's. */
void run_pack(lua_State *L, int index, run_bytes *out);

/* Pushes the value that fills exactly `length` bytes. Raises a Lua error if they are malformed. */
void run_unpack(lua_State *L, const uint8_t *bytes, size_t length);

/* The same for one field, "a.b" naming a field within a field and a whole number a place in an
 * array; what else there is is passed over. False, and nothing is pushed, if there is none: then
 * the whole value tells what there is instead. */
bool run_unpack_field(lua_State *L, const uint8_t *bytes, size_t length, const char *path);

#endif
