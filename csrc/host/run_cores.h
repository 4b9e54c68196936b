/* run_cores: how many processors this process may use. */
#ifndef RUN_CORES_H
#define RUN_CORES_H

long run_cores(void);

#endif
