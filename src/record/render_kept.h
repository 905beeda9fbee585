/* The parts of a picture that are kept for the next one with the same camera and extent. Objects that have not moved, their shadows and the
 * tiles that show nothing else are the same, bit for bit, as if they were drawn again. */
#ifndef CORDAGE_RECORD_RENDER_KEPT_H
#define CORDAGE_RECORD_RENDER_KEPT_H

#include "record/render_frame.h"

/* A strand, a body or a marker, in this order. */
typedef struct kept_object {
    size_t triangle; /* the first of its triangles; they end where those of the next object begin */
    size_t caster;   /* the same, of those that cast its shadows */
    size_t state;    /* the first of its numbers in `state` */
    bool moved;      /* since the last picture */
    bool resting;    /* its shadows are in the maps of objects at rest */
    int still;       /* pictures for which it has not moved */
} kept_object;

/* Texels from low to high along each axis; empty where low > high. */
typedef struct texel_box {
    int low[2], high[2];
} texel_box;

enum { SHADOW_LAYERS = 8, SHADOW_LEVELS = 4 };

/* The shadows of objects between two heights; drawn on a level with texels 2^k times as large. */
typedef struct shadow_layer {
    int level;
    double sigma; /* of its blur, texels */
    float *cover, *resting;
    texel_box drawn, resting_drawn;
} shadow_layer;

typedef struct kept_shadow {
    shadow_layer layers[SHADOW_LAYERS];
    float *sums[SHADOW_LEVELS]; /* the first is the map itself */
    float *last;                /* the map of the last picture */
    float *other;               /* for blurs; zero */
} kept_shadow;

/* Of a tile, in this picture. */
enum {
    TILE_MOVED = 1, /* a triangle that has moved is or was there */
    TILE_NEAR = 2,  /* its depths and its part of the sky are found again */
    TILE_DRAWN = 4, /* it is drawn again */
};

typedef struct kept_picture {
    bool whole;          /* it was drawn to its end */
    unsigned char *rgba; /* without the legend */
    mesh mesh, caster_mesh;
    corner *corners;
    size_t corner_room;
    uint32_t *bin;
    size_t bin_room;
    struct tile *workers; /* one for each thread */
    int worker_count;
    int object_count;
    kept_object *objects; /* object_count + 1 */
    int solid_count;
    solid_mesh *solids,
        *casters; /* of bodies, as fine as is seen or casts shadows; without triangles: as they are */
    double *state, *state_before; /* all that the objects' triangles and shadows follow from */
    size_t state_size;
    bool rests_anew; /* other objects rest than in the last picture */
    int tile_count;
    size_t tile_words;  /* of the bits of all tiles */
    uint64_t *on_tiles; /* of each object: a bit for each tile that it may touch */
    unsigned char *tiles;
    texel_bounds *read;  /* by each tile */
    unsigned char *bare; /* whether the ground is to be seen in a tile */
    /* Of each pixel: the images in front of the background, as a colour times opacity, and opacity; NULL: there are none. */
    float (*images)[4];
    light_map light;
    float *light_resting, *light_last;
    /* Squares of the light's map that moving objects are drawn in, and those that are others than in the last picture. */
    unsigned char *light_drawn, *light_changed;
    ground_map ground;
    kept_shadow key, sky;
} kept_picture;

/* ---- render_detail.c */

/* Chooses the solids of the bodies. */
cord_status cord__choose_detail(memory *mem, frame *f);

/* ---- render_kept.c */

/* An array with room for so many, whose contents are lost when it is made larger. */
void *cord__make_room(memory *mem, void *array, size_t *room, size_t needed, size_t size);
void cord__kept_free(memory *mem, kept_picture *k);

#endif
