/* The picture that is being drawn, as the parts of the renderer share it. */
#ifndef CORDAGE_RECORD_RENDER_FRAME_H
#define CORDAGE_RECORD_RENDER_FRAME_H

#include "record/render.h"

struct ground_row;

enum {
    SAMPLES = 3,   /* per pixel, along each axis */
    TILE = 32,     /* pixels along a side */
    SHADES = 8192, /* linear ones, enough that the darkest are less than a step apart in sRGB */
    LIGHT_TAPS = 8,
    RUN_END = 8, /* pixels of a row between which shadows are interpolated, at most */
};

/* Colours and light of a theme; colours are linear. */
typedef struct theme_colours {
    float top[3], bottom[3], ground[3], line[3];
    float stripe[3], marker[3];
    float key[3], sky[3], below[3];      /* light: of the sun, of the sky, from the ground */
    float zenith[3], horizon[3], low[3]; /* seen in metal */
    float least;                         /* luminance of strands and bodies */
    unsigned char ink[4];                /* of text, sRGB */
} theme_colours;

/* A corner on the picture: position in samples, and one over its depth. */
typedef struct corner {
    float x, y, w;
} corner;

/* Depth as seen from the light, for shadows on surfaces. */
typedef struct light_map {
    int size;
    double axes[2][3], light[3]; /* `light` points to the light */
    double origin[2], texel;
    float *depth; /* along the light, larger is nearer to it */
} light_map;

/* How much is kept from the ground, 0 to 1. */
enum { COVER_SQUARE = 16 };
typedef struct cover_map {
    int size;
    double origin[2], texel;
    float *cover;
    /* Whether a square of COVER_SQUARE texels along a side has any shadow, and another one than in the last picture. */
    unsigned char *covered, *changed;
} cover_map;

typedef struct ground_map {
    cover_map key, sky; /* the light, and the sky */
} ground_map;

/* The least part that is noticed. */
#define LEAST_SHADOW (1 / 1024.0F)

/* A map of shadows along a row of pixels: its coordinates are affine in the pixel. */
typedef struct cover_row {
    const cover_map *map;
    float u, v, du, dv;
} cover_row;

/* The texels of the light's map that a tile has read; none where low > high. */
typedef struct texel_bounds {
    float low[2], high[2];
} texel_bounds;

typedef struct frame {
    const picture *p;
    const cord_picture_def *def;
    theme_colours theme;
    picture_extent extent;
    camera camera;
    double light[3], centre[3],
        reach;           /* reach: radius of a ball around everything, or what is seen */
    double focus[3];     /* the position that the camera looks at */
    double ground, grid; /* height; size of the grid's squares */
    bool has_ground;
    sweep_style style;
    mesh mesh, casters;          /* of objects that are seen, and of those that cast shadows */
    int light_size, ground_size; /* of the maps of shadows, texels; the latter a multiple of 256 */
    corner *corners;
    struct kept_picture *kept;
    const light_map *light_map;
    const ground_map *ground_map;
    float light_taps[SAMPLES * SAMPLES][2]
                    [LIGHT_TAPS]; /* around a position in the light's map, texels */
    int tiles[2];
    uint32_t *bin_start, *bin;        /* triangles of each tile */
    float *depth;                     /* of each pixel; 0: nothing is there */
    int32_t *nearest;                 /* the triangle there */
    unsigned char *openness, *other;  /* the part of the sky that is seen from there, of 255 */
    const unsigned char *ground_part; /* of each pixel, of 255 */
    struct ground_row *rows;          /* per row of pixels */
    unsigned char srgb[SHADES];
    float linear[256];
    image_plane *images; /* p->image_count, the farthest first */
    int threads;
} frame;

static inline const corner *corner_of(const frame *f, size_t triangle, int k)
{
    return &f->corners[f->mesh.corners[3 * triangle + (size_t)k]];
}

static inline const mesh_vertex *vertex_of(const frame *f, size_t triangle, int k)
{
    return &f->mesh.vertices[f->mesh.corners[3 * triangle + (size_t)k]];
}

/* Twice the area on the picture; positive for triangles that face the eye (y is down). */
static inline float facing(const corner *a, const corner *b, const corner *c)
{
    return (c->x - a->x) * (b->y - a->y) - (b->x - a->x) * (c->y - a->y);
}

/* fminf() and fmaxf() are calls of the C library, for the sake of NaN. */
static inline float lesser(float a, float b)
{
    return a < b ? a : b;
}

static inline float larger(float a, float b)
{
    return a > b ? a : b;
}

static inline float smooth_step(float low, float high, float x)
{
    float t = (x - low) / (high - low);
    t = t > 0 ? t < 1 ? t : 1 : 0;
    return t * t * (3 - 2 * t);
}

/* ---- render_setup.c: the extent, the camera, the theme, and the lengths that follow */

cord_status cord__choose_look(frame *f);
/* How large details of objects that cast shadows are, m: a little more than a texel of the light's map, whose bias is larger. */
double cord__caster_size(const frame *f);

/* ---- render_tiles.c */

/* Sorts the triangles by the tiles that they may touch. */
cord_status cord__bin_triangles(memory *mem, frame *f);
/* Of each pixel: its depth, the triangle there, and the part of the sky that is seen from it. */
void cord__find_depths(frame *f);
/* Draws the background and the objects in front of it in `rgba`. */
cord_status cord__draw_tiles(memory *mem, const frame *f, const unsigned char *backdrop,
                             unsigned char *rgba);

/* ---- render_light.c */

/* Positions that are shaded together. */
enum { BATCH = 8 };
typedef struct shade_batch {
    int count;                /* at least 1 */
    size_t triangle[BATCH];   /* at the position */
    float x[BATCH], y[BATCH]; /* in samples */
    int sample[BATCH];        /* of its pixel */
    float open[BATCH];        /* the part of the sky that is seen */
    float colour[3][BATCH];   /* found */
} shade_batch;

/* Extends `read`. */
void cord__shade(const frame *f, shade_batch *b, texel_bounds *read);

/* ---- render_ground.c */

/* Where the rays of one row of pixels meet the ground: in equal steps. */
typedef struct ground_row {
    bool meets;
    float sky[4]; /* the background above the horizon, and far away */
    double start[2], step[2], per_grid;
    float line, footprint, faint;
    cover_row key, above;
} ground_row;

ground_row cord__ground_row(const frame *f, int y);
/* The shadows at the pixels from `first` to `last` of the row, at most TILE, 0 to 1, and room for RUN_END more. False: there are
 * none, and `out` is not set. */
bool cord__ground_shadows(const ground_row *r, int first, int last, float *out);
/* Whether the shadows there are others than in the last picture. */
bool cord__ground_changed(const ground_row *r, int first, int last);
/* Makes up to TILE pixels of the background darker by these parts of their light. */
void cord__darken(const float *dark, int count, unsigned char *rgba);
/* The background without shadows, and the part of the ground in it. */
void cord__backdrop(const frame *f, unsigned char *rgba, unsigned char *ground);

/* ---- render_occlusion.c: from depths to openness */

/* How far away the pixels are, at most, that the openness of one depends on. */
int cord__occlusion_reach(const frame *f);
void cord__find_openness(frame *f);

/* ---- render_light_map.c, render_shadow.c */

cord_status cord__light_map(memory *mem, frame *f);
cord_status cord__ground_map(memory *mem, frame *f);

/* ---- render_kept.c */

/* Compares the objects of the picture with those of the last one. */
cord_status cord__kept_begin(memory *mem, frame *f, picture_cache *cache);
/* Chooses the tiles that are drawn again. */
void cord__kept_choose_tiles(frame *f);

/* ---- render_legend.c */

void cord__draw_legend(const frame *f, unsigned char *rgba);

void cord__write_pixel(const frame *f, unsigned char *out, const float sum[4]);

#endif
