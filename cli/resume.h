/* Continuing a recorded run. */
#ifndef CORDAGE_CLI_RESUME_H
#define CORDAGE_CLI_RESUME_H

#include "run.h"

#include <cordage/record.h>

typedef struct resumption {
    struct reading *from;                         /* NULL: not continuing */
    const char *overrides[2 * MAX_OVERRIDES + 1]; /* of the first run, then of this one */
    int64_t keep;                                 /* number of frames that are kept */
} resumption;

/* All print a message on failure and return an exit code. */
int resume_open(resumption *r, const char *directory, const run_options *options);
/* Sets the world to the end of the recording, and computes the frames to keep. */
int resume_simulation(resumption *r, cord_simulation *simulation);
void resume_close(resumption *r);

/* The index of the step at a time; the number of steps between frames. */
long long step_number(double time, double dt);
long long frame_stride(const cord_scene_info *info);

#endif
