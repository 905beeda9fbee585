/* Fitting: approximates a drawn curve by few elements of simple curvature, which are lines, arcs and
 * clothoids in the plane, and helices and space clothoids elsewhere. The result has the form from
 * which chains are made (cord_strand_def).
 *
 *     cord_fit_def def = cord_fit_def_default();
 *     def.vertex_count = n, def.positions = x, def.tolerance = 1e-3;
 *     cord_fit fit;
 *     if (cord_fit_curve(&def, &fit) != CORD_OK) fprintf(stderr, "%s\n", fit.error);
 *     ... fit.strands[0].lengths ...
 *     cord_fit_free(&fit);
 *
 * The curve is divided at its corners into smooth strands. Within a strand, consecutive clothoids have
 * equal curvature where they meet, and arcs and helices equal tangents. Any thread may call these
 * functions. */
#ifndef CORDAGE_FIT_H
#define CORDAGE_FIT_H

#include <cordage/strand.h>

CORD_BEGIN

/* Whether the fit is planar. */
typedef enum cord_fit_plane {
    /* Planar when all points lie in a plane to a twentieth of the tolerance; the default. */
    CORD_FIT_PLANE_AUTO,
    CORD_FIT_PLANAR,  /* planar; points farther from the plane than the tolerance are an error */
    CORD_FIT_SPATIAL, /* in space */
} cord_fit_plane;

/* The definition of a fit. */
typedef struct cord_fit_def {
    /* CORD_MODEL_CLOTHOID (the default), CORD_MODEL_HELIX (in the plane: arcs) or
     * CORD_MODEL_SEGMENT. */
    const char *model;
    int vertex_count; /* number of points */
    /* 3 × vertex_count, m: points on or near the curve; required; repeated points count once. */
    const double *positions;
    bool closed;      /* the last point is joined to the first; implied when they coincide */
    double tolerance; /* largest distance of a point from the fit, m; required, above 0 */
    /* The tangent turns by more than this within three tolerances: a corner; rad; default π/3; π:
     * no corners. */
    double corner_angle;
    cord_fit_plane plane;     /* default CORD_FIT_PLANE_AUTO */
    int max_elements;         /* of one strand; default 200 */
    cord_allocator allocator; /* of the result; default: realloc and free */
    cord_cancel cancel;       /* cancels the fit (CORD_ERROR_CANCELLED); default: nothing does */
} cord_fit_def;

/* Returns the default definition. The caller sets the points and the tolerance. */
CORD_API cord_fit_def cord_fit_def_default(void);

/* One smooth strand of a fit. */
typedef struct cord_fit_strand {
    const char *model;                   /* as in cord_fit_def; static */
    bool planar, closed;                 /* as in cord_strand_def */
    bool corner_at_start, corner_at_end; /* the curve has a corner there, else an end */
    double base_position[3];             /* start of the strand, m */
    /* Tangent, first and second director at the start; planar: the second director is the normal
     * of the plane. */
    double base_frame[9];
    int element_count;   /* number of elements */
    double *lengths;     /* element_count, m */
    int curvature_count; /* element_count; clothoids: element_count + 1, at the nodes */
    double *curvatures; /* 3 × curvature_count: about the first director, the second, twist; 1/m */
    double length;      /* sum of `lengths`, m */
    double worst_distance; /* largest distance of the strand's points from the fit, m */
} cord_fit_strand;

/* A fit. cord_fit_free() frees its arrays. */
typedef struct cord_fit {
    int strand_count;         /* length of `strands` */
    cord_fit_strand *strands; /* in the order of the curve */
    int element_count;        /* of all strands */
    /* Of all strands, m; above the tolerance only where max_elements did not suffice. */
    double worst_distance;
    char error[160];          /* message of a failure, else "" */
    cord_allocator allocator; /* the allocator of the arrays */
} cord_fit;

/* Fits a curve. On failure fit->error has a message and there is nothing to free. Returns
 * CORD_ERROR_ARGUMENT, CORD_ERROR_NOT_FINITE when a position is not finite or exceeds 1e50 m, CORD_ERROR_UNKNOWN_NAME
 * when the model has no fit, CORD_ERROR_CANCELLED, and CORD_ERROR_MEMORY. */
CORD_API cord_status cord_fit_curve(const cord_fit_def *def, cord_fit *fit);

/* Evaluates a strand of a fit at `count` equally spaced arc lengths, at least 2, from its start to its
 * end: `positions`, 3 × count, m, and `frames`, 9 × count, which may be NULL. It writes nothing when the strand or
 * `positions` is NULL, or `count` is below 2. */
CORD_API void cord_fit_sample(const cord_fit_strand *strand, int count, double *positions,
                              double *frames);

/* Frees the arrays of a fit. A zeroed fit and NULL are allowed. */
CORD_API void cord_fit_free(cord_fit *fit);

CORD_END

#endif
