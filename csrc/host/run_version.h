/* run_version: what exactly is running. */
#ifndef RUN_VERSION_H
#define RUN_VERSION_H

const char *run_version_number(void);
const char *run_version_commit(void);
/* What results depend on besides scripts: the C sources and flags the program was built from (or,
 * if the build does not say, the program itself). Static storage. */
const char *run_version_build(void);

/* Prints version, commit, library versions and the vector path to stdout. */
void run_version_print(void);

#endif
