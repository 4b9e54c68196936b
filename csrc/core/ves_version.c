/* ves_version: which version this is. The only file of core and bindings that sees the generated
 * header, which changes with every commit: nothing that computes is compiled again for one. */
#include "ves_version.h"
#include "vesicle.h"

const char *ves_version(void) { return VES_VERSION; }
