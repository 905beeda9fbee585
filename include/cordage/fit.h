/* Drawn curves as few curvature elements: lines, arcs and clothoids in the plane, helices and space
 * clothoids elsewhere. What comes out is what chains are made from (see cord_strand_def).
 *
 *     cord_fit_def def = cord_fit_def_default();
 *     def.vertex_count = n, def.positions = x, def.tolerance = 1e-3;
 *     cord_fit fit;
 *     if (cord_fit_curve(&def, &fit) != CORD_OK) fprintf(stderr, "%s\n", fit.error);
 *     ... fit.strands[0].lengths ...
 *     cord_fit_free(&fit);
 *
 * A curve is cut at its corners; the pieces meet there. A piece is as smooth as its elements allow:
 * clothoids go on with the same curvature, arcs and helices with the same tangent. */
#ifndef CORDAGE_FIT_H
#define CORDAGE_FIT_H

#include <cordage/strand.h>

CORD_BEGIN

typedef enum cord_fit_plane {
    CORD_FIT_PLANE_AUTO, /* planar when the points are, to a twentieth of the tolerance */
    CORD_FIT_PLANAR,     /* points further out of their plane than the tolerance are an error */
    CORD_FIT_SPATIAL,
} cord_fit_plane;

typedef struct cord_fit_def {
    const char *model; /* CORD_MODEL_CLOTHOID (default), CORD_MODEL_HELIX (arcs in the plane) or
                          CORD_MODEL_SEGMENT */
    int vertex_count;
    const double *positions; /* 3 × vertex_count, m: on the curve, or near it. Repeated ones count
                                once. */
    bool closed;      /* the last vertex is joined to the first; also when they are the same */
    double tolerance; /* m: every vertex is that near to the fit */
    /* Turning by more than this within three times the tolerance is a corner; rad. Default: a third
     * of π; π: none. */
    double corner_angle;
    cord_fit_plane plane;
    int max_elements;         /* of one strand; default 200 */
    cord_allocator allocator; /* zero: realloc and free */
} cord_fit_def;

CORD_API cord_fit_def cord_fit_def_default(void);

/* One smooth piece. */
typedef struct cord_fit_strand {
    const char *model;
    bool planar, closed;
    bool corner_at_start, corner_at_end;
    double base_position[3], base_frame[9]; /* tangent, first director, second director; planar: the
                                               second director is the plane's normal */
    int element_count;
    double *lengths;     /* element_count, m */
    int curvature_count; /* element_count, clothoids one more: at nodes */
    double *curvatures; /* 3 × curvature_count: about the first director, about the second, twist */
    double length;      /* m */
    double worst_distance; /* of the piece's vertices from it, m */
} cord_fit_strand;

typedef struct cord_fit {
    int strand_count;
    cord_fit_strand *strands;
    int element_count;     /* of all strands */
    double worst_distance; /* of all strands, m; larger than the tolerance only where max_elements
                              did not suffice */
    char error[160];       /* what was wrong, when it failed */
    cord_allocator allocator;
} cord_fit;

/* Fails with a text in fit->error: CORD_ERROR_ARGUMENT, CORD_ERROR_NOT_FINITE,
 * CORD_ERROR_UNKNOWN_NAME, CORD_ERROR_MEMORY. Then there is nothing to free. */
CORD_API cord_status cord_fit_curve(const cord_fit_def *def, cord_fit *fit);

/* Places and, unless NULL, frames (9 each) at `count` >= 2 arc lengths, equally spaced. */
CORD_API void cord_fit_sample(const cord_fit_strand *strand, int count, double *positions,
                              double *frames);

CORD_API void cord_fit_free(cord_fit *fit); /* a zeroed one is fine */

CORD_END

#endif
