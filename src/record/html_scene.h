/* What the page says about the scene: strands, bodies, points, what holds them, what is plotted. */
#ifndef CORDAGE_RECORD_HTML_SCENE_H
#define CORDAGE_RECORD_HTML_SCENE_H

#include "record/recorder.h"

#include <stdio.h>

/* Scalars per vertex, in the order in which they are written. */
typedef enum page_scalar {
    PAGE_TENSION,
    PAGE_CURVATURE,
    PAGE_TWIST,
    PAGE_SPEED,
    PAGE_SCALARS,
} page_scalar;
enum { PAGE_FRAMES = 1 << PAGE_SCALARS };

typedef struct page_strand {
    cord_strand_info info;
    unsigned fields; /* 1 << page_scalar, PAGE_FRAMES: what its model knows */
} page_strand;

typedef struct page_scene {
    int strand_count, body_count, point_count, series_count;
    page_strand *strands;
    cord_point *points; /* of clamps, named points, both ends of constraints, in this order */
    double *sample;     /* any probe */
} page_scene;

cord_status cord__page_scene_make(recording *r, page_scene *p);
void cord__page_scene_write(const recording *r, const page_scene *p, FILE *out);
/* One number per series, now. */
cord_status cord__page_scene_sample(recording *r, page_scene *p, double *values);
void cord__page_scene_free(recording *r, page_scene *p);

#endif
