/* run_rule: what the results of an experiment depend on, as a rule for make. */
#ifndef RUN_RULE_H
#define RUN_RULE_H

#include "lves_buffer.h"
#include <stdbool.h>

/* Adds a prerequisite of $(data)/NAME/claims.tsv: a file, which may be gone later, or one that was
 * `missing` and is a reason to run again once it is there. Files below `root`, where make runs, are
 * named from there, so that the rule holds in a copy of the tree; it may be "". False if out of
 * memory. */
bool run_rule_add(lves_buffer *rule, const char *name, const char *root, const char *path,
                  bool missing);

#endif
