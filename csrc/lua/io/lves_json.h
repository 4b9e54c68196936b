/* lves_json: Lua values as JSON text, and back, bit for bit. */
#ifndef LVES_JSON_H
#define LVES_JSON_H

#include "lves_buffer.h"
#include <lua.h>

/* Appends the value at `index` to `out`. Raises a Lua error that names the place of what cannot be
 * written ("the result.fit.f is a function"), or that memory ran out; `out` then holds a part and
 * stays the caller's. `whole` is what messages call the value: "the result". */
void lves_json_write(lua_State *L, int index, const char *whole, lves_buffer *out);

/* Pushes that text as a string. */
const char *lves_json_push(lua_State *L, int index, const char *whole);

/* Pushes the value of a text that lves_json_write made. Raises a Lua error if it is any other.
 * A zero stands behind the text, and nothing frees it meanwhile. */
void lves_json_read(lua_State *L, const char *text, size_t length);

/* The same for one field, "a.b" naming a field within a field; what else there is is passed over.
 * False, and nothing is pushed, if there is none: the whole value then tells what there is instead.
 */
bool lves_json_read_field(lua_State *L, const char *text, size_t length, const char *path);

/* As functions of Lua: json(value) -> text, and from_json(text, field) -> the value, or one field of
 * it, nil if there is no such. */
int lves_json_text(lua_State *L);
int lves_json_value(lua_State *L);

#endif
