/* lves_amplitude: options of the amplitude rule, for the functions that learn. */
#ifndef LVES_AMPLITUDE_H
#define LVES_AMPLITUDE_H

#include "lves.h"
#include "ves_amplitude.h"

/* Whether a value is the name of the amplitude rule. */
bool lves_is_amplitude(const lves_arg *rule);

/* Reads the options of the amplitude rule from a table whose keys are those of learning; keys of
 * other rules are errors. Pointers are left NULL. */
ves_amplitude_options lves_read_amplitude(const lves_options *o);

/* Raises if another rule is given a key of this one. */
void lves_refuse_amplitude(const lves_options *o);

/* Key 'updates': pushes numbers of updates like w, those of the given rows in front and taken from
 * an array, or zeros for `true`; NULL, and nothing pushed, if nobody asks. */
double *lves_push_updates(const lves_options *o, const lves_array *w, const uint32_t *row,
                          size_t rows);

#endif
