/* run_version: what exactly is running. */
#ifndef RUN_VERSION_H
#define RUN_VERSION_H

/* Prints version, commit, library versions and the vector path to stdout. */
void run_version_print(void);

#endif
