/* A film: snapshots of a simulation, and the drawing of them. */
#ifndef CORDAGE_RECORD_FILM_H
#define CORDAGE_RECORD_FILM_H

#include "record/render.h"

#include <stdio.h>

/* The arrays of the pictures that are drawn at once. */
typedef struct drawing {
    picture_strand *strands;
    picture_body *bodies;
    picture_marker *markers;
    int marker_count;
    double *values; /* the scalar of each vertex */
} drawing;

struct cord_film {
    memory mem;
    cord_simulation *simulation;
    cord_picture_def def;
    char error[SNAPSHOT_ERROR];
    snapshot_layout layout;
    frame_snapshot frame;
    size_t size; /* numbers of the snapshot */
    solid_mesh *solids;
    int *colours;                  /* of strands, then of bodies */
    int most_markers, image_count; /* released constraints are not drawn */
    cord_image_info *images;
    drawing drawing;
    FILE *file; /* all snapshots */
    int count;
    picture_extent extent;
    picture_cache cache; /* of the pictures drawn since the last one was taken */
};

/* Stores a message; returns `status`. */
cord_status cord__film_fail(cord_film *f, cord_status status, const char *what, const char *detail);

/* Room for so many pictures. */
cord_status cord__film_drawing(const cord_film *f, memory *mem, size_t pictures, drawing *d);
void cord__film_drawing_free(memory *mem, drawing *d);

/* The first `count` numbers of snapshot i; the time is the first. */
bool cord__film_load(const cord_film *f, int i, double *into, size_t count);

/* From a snapshot to the renderer's input. */
void cord__film_draw_snapshot(const cord_film *f, const frame_snapshot *s, double fade, drawing *d);
picture cord__film_picture_of(const cord_film *f, int pictures, const drawing *d);

#endif
