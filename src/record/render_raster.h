/* Rasterising the triangles of a tile. */
#ifndef CORDAGE_RECORD_RENDER_RASTER_H
#define CORDAGE_RECORD_RENDER_RASTER_H

#include "record/render_frame.h"

enum { TILE_SAMPLES = TILE * SAMPLES };

/* Samples of a row; empty where the first comes after the last. */
typedef struct sample_span {
    int first, last;
} sample_span;

/* Where triangles are drawn: rows of depths and of triangles. Vectors of samples may end beyond a row, where they leave what is there. */
typedef struct canvas {
    int width, height, stride;
    float *depth;
    int32_t *triangle;
    sample_span *spans; /* of rows: extended; NULL: there are none */
} canvas;

/* The triangles of a tile; its first sample is at (left, top) on the picture, the others `step` samples apart. */
void cord__draw_triangles(const frame *f, const canvas *c, int index, float left, float top,
                          float step);

#endif
