/* lves_number: numbers of text and numbers as text, with a point in any locale.
 *
 * The C library reads and writes a decimal comma where the program that loads this module has asked
 * for one by setlocale. What a table, a journal or a line on the screen says must not depend on that:
 * the calling thread has the locale "C" for the time of one conversion. */
#define _POSIX_C_SOURCE 200809L /* uselocale; NOLINT(bugprone-reserved-identifier) */
#include "lves.h"

#include <locale.h>
#include <stdarg.h>
#include <stdlib.h>
#ifdef __APPLE__
#include <xlocale.h>
#endif

/* Returns the locale to put back. Threads that come here first at the same time write the same. */
static locale_t use_points(void) {
  static locale_t points = (locale_t)0;
  if (points == (locale_t)0) points = newlocale(LC_ALL_MASK, "C", (locale_t)0);
  return uselocale(points);
}

double lves_strtod(const char *text, char **end) {
  const locale_t before = use_points();
  const double value = strtod(text, end);
  uselocale(before);
  return value;
}

int lves_snprintf(char *text, size_t size, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  const locale_t before = use_points();
  const int length = vsnprintf(text, size, format, arguments);
  uselocale(before);
  va_end(arguments);
  return length;
}
