/* A small software renderer: strands, bodies and markers in, an image out. It does not depend on worlds
 * and scenes; picture.c fills its input from a frame_snapshot.
 *
 * In order: the camera is chosen (render_setup.c, render_camera.c), the strands are swept to triangles
 * (render_mesh.c), as finely as they are seen (render_detail.c), shadows are drawn as seen from the light (render_light_map.c) and on
 * the ground (render_shadow.c), and the part of the sky that each pixel sees is found (render_occlusion.c). Of all this, a film keeps
 * what is the same in the next picture (render_kept.c). Then triangles are rasterised with 3 × 3 samples to a pixel,
 * (render_raster.c), and shaded (render_light.c), tile by tile (render_tiles.c), in front of the background (render_ground.c). Images are
 * laid over the samples behind them (render_image.c), and a legend is written over it (render_legend.c,
 * render_text.c). */
#ifndef CORDAGE_RECORD_RENDER_H
#define CORDAGE_RECORD_RENDER_H

#include "record/quantities.h"
#include "record/snapshot.h"
#include "record/solid.h"

#include <cordage/picture.h>

/* ---- input ---------------------------------------------------------------------------------- */

typedef struct picture_strand {
    int vertices, edges;
    bool closed;
    const double *x;      /* 3 × vertices */
    const double *frames; /* 6 × edges: tangent, first director */
    cord_section section;
    const double
        *value;    /* per vertex: the scalar that is coloured; NULL: one colour for the strand */
    int colour;    /* of the palette */
    bool coloured; /* by rgb, 0xrrggbb, instead */
    int rgb;
    cord_look look;
    double fade; /* from 0, as it is, to 1, the colour of the ground */
} picture_strand;

typedef struct picture_body {
    const cord_shape *shape;
    const solid_mesh *solid;
    double position[3], frame[9]; /* of its own axes */
    float colour[3];              /* linear */
    cord_look look;
    bool scenery; /* it stands on the ground, if it is not above something else */
    double fade;  /* as of strands */
} picture_body;

typedef enum marker_kind {
    MARKER_DOT,
    MARKER_BALL,
    MARKER_BLOCK,
    MARKER_LINK,
    MARKER_BAR,
    MARKER_PATH
} marker_kind;

typedef struct picture_marker {
    marker_kind kind;
    double position[3], frame[9]; /* tangent, first director, second director */
    double half[2]; /* half the sizes of the section at it; a marker is somewhat larger, m */
    double
        length; /* of a link or a part of a path, whose middle is at `position` along the tangent, m */
    /* Of a bar; the sides of other kinds follow from the section. */
    cord_look look;
    int rgb;
} picture_marker;

/* Everything that the camera is to show, gathered over one picture or many: the farthest points in a
 * fixed set of directions, and second moments. */
enum { EXTENT_DIRECTIONS = 26 };
typedef struct picture_extent {
    bool any;
    double farthest[EXTENT_DIRECTIONS][3], reach[EXTENT_DIRECTIONS];
    double thickness; /* the largest radius */
    double weight, mean[3], moments[6];
    double range[2]; /* of values; empty when range[0] > range[1] */
    bool has_floor;  /* a horizontal plane: the ground is there */
    double floor;
    bool has_slope; /* a plane that rises: no other ground is drawn */
    bool has_stage; /* scenery: it stands on the ground */
} picture_extent;

/* What pictures with the same camera and extent share: the background, which the first of them draws, and memory. */
typedef struct picture_cache {
    bool drawn;            /* the background */
    unsigned char *rgba;   /* the background without shadows, 4 × width × height */
    unsigned char *ground; /* the part of the ground in each pixel, of 255: shadows fall on it */
    float *depth;
    int32_t *nearest;
    unsigned char *openness, *other;
    struct kept_picture *kept; /* the last picture, of which the next one keeps parts */
} picture_cache;

typedef struct picture {
    int strand_count, body_count, marker_count, image_count;
    const picture_strand *strands;
    const picture_body *bodies;
    const picture_marker *markers;
    const cord_image_info *images;
    const picture_extent *extent; /* NULL: of this picture alone */
    picture_cache *cache;         /* NULL: none is shared */
    double
        lens[2]; /* where the eye is on the lens, to the right and up, over the distance in focus */
} picture;

void cord__extent_add(picture_extent *e, const picture_strand *s);
void cord__extent_add_body(picture_extent *e, const picture_body *b);
void cord__extent_add_marker(picture_extent *e, const picture_marker *m);
void cord__extent_add_image(picture_extent *e, const cord_image_info *image);
double cord__extent_size(const picture_extent *e); /* largest side of the bounding box; > 0 */
/* How far everything reaches along the unit vector of d, whose parts are -1, 0 or 1. */
double cord__extent_reach(const picture_extent *e, const double d[3]);

/* Half the section's sizes along the directors, and its kind once radii that are not given are
 * replaced by some that can be seen. */
void cord__section_halves(const cord_section *s, double fallback, double half[2]);

/* CORD_ERROR_NOT_FINITE when a number of the input is not finite, CORD_ERROR_ARGUMENT when a size or
 * a view makes no picture. `rgba` has 4 × width × height bytes. */
cord_status cord__render(memory *mem, const picture *p, const cord_picture_def *def,
                         unsigned char *rgba);
void cord__picture_cache_free(memory *mem, picture_cache *cache);

/* The renderer's input for picture i of a film, valid until the film draws again. */
cord_status cord__film_picture(cord_film *film, int i, picture *p);

/* ---- camera --------------------------------------------------------------------------------- */

typedef struct camera {
    double eye[3], right[3], up[3], forward[3];
    double scale;     /* pixels per unit of slope */
    double center[2]; /* pixels */
} camera;

/* False when the view makes no sense (from = to). */
bool cord__camera_choose(camera *c, const picture_extent *e, const cord_picture_def *def);
/* Pixels and depth along the view (> 0 in front). */
double cord__camera_project(const camera *c, const double x[3], double pixel[2]);
/* The direction of a pixel, with 1 along the view: a point at this depth is eye + depth × ray. */
void cord__camera_ray(const camera *c, const double pixel[2], double ray[3]);
double cord__ground_height(const picture_extent *e, const cord_picture_def *def);
/* Whether a body is a horizontal plane, solid below; or one that rises. */
bool cord__is_floor(const picture_body *b);
bool cord__is_slope(const picture_body *b);

/* ---- mesh ----------------------------------------------------------------------------------- */

enum { MIXED = 16 };
typedef struct mesh_vertex {
    union { /* all that is interpolated, by name and as one array */
        struct {
            float x[3], normal[3];
            float tangent[3]; /* of strands: along them */
            /* Strands: position in the section over its half sizes, and along the strand in units of its radius. Bodies:
             * position in their own axes, the longest of them last, over half the size of the others. */
            float own[3];
            float colour[3]; /* linear */
            float radius;    /* of the object, m */
        };
        float mixed[MIXED];
    };
    int object; /* a number of its own */
    cord_look look;
    bool striped;
} mesh_vertex;

typedef struct mesh {
    memory *mem;
    mesh_vertex *vertices;
    uint32_t *corners; /* 3 per triangle, anticlockwise from outside */
    size_t vertex_count, vertex_room, triangle_count, triangle_room;
    int objects; /* so far */
    bool failed; /* out of memory */
} mesh;

/* How a strand is drawn. */
typedef struct sweep_style {
    float colour[3];
    float pale[3]; /* the colour that faded ones approach */
    bool stripe;
    double range[2]; /* of values, when the strand has any */
    bool diverging;
    double pixel;    /* size of a pixel at the strand, m: how fine the mesh has to be */
    int least_sides; /* of a round section */
    double smallest_radius, smallest_marker, fallback_radius; /* m */
} sweep_style;

void cord__mesh_strand(mesh *m, const picture_strand *s, const sweep_style *style);
void cord__mesh_body(mesh *m, const picture_body *b, const float pale[3]);
/* Where a body puts vertex i of its solid. */
void cord__body_vertex(const picture_body *b, int i, double x[3]);
/* The sides of a polygon in a circle that is at most a twentieth of a pixel away from it. */
int cord__sides_of(double radius, double pixel, int least, int most);
/* Half its sizes along the directors and along the strand; a ball has the first for radius. */
void cord__marker_sizes(const picture_marker *marker, double smallest, double size[3]);
void cord__mesh_marker(mesh *m, const picture_marker *marker, const sweep_style *style,
                       const float colour[3]);
void cord__mesh_free(mesh *m);

/* ---- colours -------------------------------------------------------------------------------- */

/* The scalar that strands are coloured by; CORD_COLOUR_STRAND has none. The scalars have the order of
 * cord_colour_by. */
static inline vertex_scalar colour_scalar(cord_colour_by by)
{
    return (vertex_scalar)(by - CORD_COLOUR_CURVATURE);
}

/* Colours are linear inside and sRGB outside. */
float cord__to_linear(float srgb);
float cord__to_srgb(float linear);
void cord__palette(int i, float linear[3]);
void cord__from_rgb(int rgb, float linear[3]);
/* Makes a colour lighter until it has this luminance: a black belt is seen in the dark. */
void cord__lift(float linear[3], float luminance);
int cord__to_rgb(const float linear[3]);
/* The colours, 0xrrggbb, of strands and then bodies. Members of an array, as box[0] and box[1], have neighbouring shades of
 * one colour of the palette, or of their own. */
void cord__choose_colours(const snapshot_layout *l, int *rgb);
/* t from 0 to 1. */
void cord__colour_map(bool diverging, double t, float linear[3]);

/* ---- images --------------------------------------------------------------------------------- */

/* An image as the camera sees it. */
typedef struct image_plane {
    double corner[3], edges[2][3], normal[3];
    int size[2];   /* texels */
    float *colour; /* of each: linear red, green and blue, times opacity; opacity */
} image_plane;

/* Reduces the image to texels of half a pixel or more. `pixel` is the size of a pixel at it, m. Free `colour`
 * also after a failure. */
cord_status cord__image_plane(memory *mem, const cord_image_info *image, double pixel,
                              image_plane *p);
/* Lays images, the farthest first, over a sample that shows `colour` (with opacity, which is a factor of
 * the others), if they are nearer than 1/`nearest`. */
void cord__image_over(const image_plane *planes, int count, const camera *c, const double pixel[2],
                      float nearest, float colour[4]);

/* ---- text ----------------------------------------------------------------------------------- */

/* A line of text (UTF-8), `size` pixels high with the gap to the next; x and y are its upper left corner. */
void cord__draw_text(unsigned char *rgba, int width, int height, int x, int y, double size,
                     const unsigned char colour[4], const char *text);
double cord__text_width(double size, const char *text);
/* Mixes a colour over a pixel, which it covers in part. */
void cord__blend_pixel(unsigned char *pixel, const unsigned char colour[4], float cover);

#endif
