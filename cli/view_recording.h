/* A recording that pages play: they ask for chunks of frames, which are read from the file. */
#ifndef CORDAGE_VIEW_RECORDING_H
#define CORDAGE_VIEW_RECORDING_H

#include "view_source.h"

typedef struct view_recording view_recording;

/* `path` is a recording or a folder with one. The exit code; on failure the cause has been printed. */
int view_recording_open(const char *path, view_recording **result);
void view_recording_close(view_recording *v); /* NULL is fine */
view_source view_recording_source(view_recording *v);

#endif
