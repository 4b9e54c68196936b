/* run_version: what exactly is running: enough to repeat it. The only file of the host that sees
 * the commit, so that a commit alone recompiles nothing that computes. Random123 is a set of
 * headers without a version of its own, so that the build may name the package's
 * (VES_RANDOM123_VERSION). */
#include "run_version.h"
#include "ves_simd.h"

#include "run_sha256.h"
#include "ves_rng.h"
#include "ves_version.h"
#include <gsl/gsl_version.h>
#include <lua.h>
#include <sqlite3.h>
#include <stdio.h>

#ifndef VES_RANDOM123_VERSION
#define VES_RANDOM123_VERSION "(headers carry no version)"
#endif

const char *run_version_number(void) { return VES_VERSION; }
const char *run_version_commit(void) { return VES_COMMIT; }

const char *run_version_build(void) {
#ifdef VES_BUILD
  return VES_BUILD;
#else
  static char hex[2 * RUN_SHA256_SIZE + 1];
  uint8_t digest[RUN_SHA256_SIZE];
  if (!run_sha256_file("/proc/self/exe", digest)) return "unknown";
  run_sha256_hex(digest, hex);
  return hex;
#endif
}

void run_version_print(void) {
  printf("vesicle %s\n", VES_VERSION);
  printf("commit     %s\n", VES_COMMIT);
  printf("build      %s\n", run_version_build());
  printf("GSL        %s\n", gsl_version);
  printf("Lua        %s.%s.%s\n", LUA_VERSION_MAJOR, LUA_VERSION_MINOR, LUA_VERSION_RELEASE);
  printf("SQLite     %s\n", sqlite3_libversion());
  printf("Random123  Philox4x32-10 %s\n", VES_RANDOM123_VERSION);
  printf("SIMD       %s\n", ves_simd_select(true));
}
