/* Continuing a recorded run. */
#ifndef CORDAGE_CLI_RESUME_H
#define CORDAGE_CLI_RESUME_H

#include "run.h"

#include <cordage/record.h>

typedef struct resumption {
    struct reading *from;                         /* NULL: not continuing */
    const char *overrides[2 * MAX_OVERRIDES + 1]; /* those of the first run, then the given ones */
    int64_t keep;                                 /* frames that stay */
} resumption;

/* All return an exit code and have said what is wrong. */
int resume_open(resumption *r, const char *directory, const run_options *options);
/* Puts the world where the recording ends, and decides which frames stay. */
int resume_simulation(resumption *r, cord_simulation *simulation);
void resume_close(resumption *r);

/* A step's number from the time; the frames of a run are every so many steps. */
long long step_number(double time, double dt);
long long frame_stride(const cord_scene_info *info);

#endif
