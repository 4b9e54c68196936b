/* ves_version: which version this is. */
#include "ves_version.h"
#include "vesicle.h"

const char *ves_version(void) { return VES_VERSION; }
