/* run_rule: what the results of an experiment depend on, as a rule for make.
 *
 * The Makefile includes these rules, outside of any sandbox, and the files that a script reads may
 * have any name. In a rule a semicolon, a colon or an equals sign would be more than a part of it. So
 * only names of characters are written that mean nothing to make, or can be made to; a file of another
 * name makes its experiment run again each time, which the journal makes cheap. A name without a slash
 * would be that of a goal, `clean` for one, and gets a detour. */
#include "run_rule.h"

#include <string.h>

static bool add(lves_buffer *rule, const char *text) {
  return lves_buffer_add(rule, text, strlen(text));
}

/* What make would take for more when it stands alone, and what to put before it. Bytes above 127
 * belong to letters. */
static const char *guard_of(char c) { return c == ' ' || c == '#' ? "\\" : c == '$' ? "$" : ""; }

static bool is_plain(const char *path) {
  static const char plain[] =
      "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz_-+@,./ #$";
  for (; *path != '\0'; path++)
    if ((unsigned char)*path < 128 && strchr(plain, *path) == NULL) return false;
  return true;
}

static bool add_name(lves_buffer *rule, const char *path) {
  for (; *path != '\0'; path++)
    if (!add(rule, guard_of(*path)) || !lves_buffer_add(rule, path, 1)) return false;
  return true;
}

static const char *below(const char *root, const char *path) {
  const size_t length = strlen(root);
  return length > 0 && strncmp(path, root, length) == 0 && path[length] == '/' ? path + length + 1
                                                                               : path;
}

bool run_rule_add(lves_buffer *rule, const char *name, const char *root, const char *path,
                  bool missing) {
  path = below(root, path);
  if (!add(rule, "$(data)/") || !add(rule, name) || !add(rule, "/claims.tsv: ")) return false;
  if (!is_plain(path)) return add(rule, "FORCE\n");
  if (missing)
    return add(rule, "$(if $(wildcard ") && add_name(rule, path) && add(rule, "),FORCE)\n");
  const char *detour = strchr(path, '/') == NULL ? "lua/../" : "";
  return add(rule, detour) && add_name(rule, path) && add(rule, "\n") && add(rule, detour) &&
         add_name(rule, path) && add(rule, ":\n");
}
