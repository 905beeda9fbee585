/* Dynamic cubic B-splines [MICADO 2008, sec. 3.1]: the data of the model, shared by the files of
 * src/strand/spline.
 *
 * The centreline is x(u) = Σ b_i(u) x_i over spans of unit length in u, C² at the knots between
 * them; an open strand has spans + 3 control points. With clamped ends the first and the last
 * control point are the ends of the curve; with free ends all b_i are translates of one function.
 * Both are bases of the same spline space, so the mechanics is the same. A closed strand has as
 * many control points as spans; q repeats the first three and the first frame at the end, so that
 * the data of every span are contiguous, and only the dofs are periodic.
 *
 * Configuration q: control points; the first director of the material frame at every knot; and per
 * span the angle α from the frame at its start, parallel-transported to its end (smallest
 * rotation), to the frame there, as a continuous value. Inside a span the frame is the one at its
 * start, transported to the tangent by the smallest rotation and rotated by σα, σ the fraction of
 * natural length from the start. All strains are therefore functions of q, and those of one span
 * depend on its four control points and two frames.
 *
 * Velocity unknowns: x_i and, for every control point except the first and the last of an open
 * strand, the rotation of the frame at the nearest knot: 4 per control point, less 2 when open.
 * Constraint rows, when inextensible: one per station. In the order of the band the rows of a span
 * follow the last of its control points. */
#ifndef CORDAGE_STRAND_SPLINE_H
#define CORDAGE_STRAND_SPLINE_H

#include "block/block.h"
#include "curve/section.h"
#include "math/band.h"
#include "math/lanes.h"

enum {
    SPLINE_RING = 5, /* spans of a closed strand at least: a knot's jump has five control points */
    /* Gauss points of bending and twisting in a span. Two have the same order, x'' being affine,
     * but would not detect a fold of the span between them. */
    SPLINE_GAUSS = 3,
    SPLINE_MASSES = 4, /* of inertia and drag: exact for products of cubics */
    SPLINE_STRAINS = 3 /* curvature about the first director, about the second, twist; 1/m */
};

/* Values of the four b_i of a span and of their derivatives over u. */
typedef struct spline_weights {
    double b[4], d[4], dd[4], ddd[4];
} spline_weights;

/* A point on the strand. */
typedef struct spline_location {
    int span;
    double u, s, speed, fraction; /* in the span; arc; ds/du; σ */
    spline_weights w;
} spline_location;

/* A Gauss point of bending and twisting: in its span; 1/s̄'; σ; weight is of natural length. */
typedef struct spline_gauss {
    double u, rest, fraction, weight, natural[SPLINE_STRAINS];
} spline_gauss;

/* Stations, at which stretching is sampled; see cord__spline_stations(). */
typedef struct spline_station {
    int span;
    double u, s, speed, weight, d[4]; /* b' */
} spline_station;

/* Data of a span read in every step, */
typedef struct spline_span {
    double start[4], end[4], rise[4], bend[4]; /* b' at its knots; b'' and ½ b''' at the first */
    int station, stations;                     /* the first on it, and how many */
    double arc, length;                        /* natural */
    double mass[4][4];
} spline_span;

/* data read for points on it, */
typedef struct spline_polynomials {
    double power[4][4]; /* b_j = Σ_k power_jk uᵏ */
    double speed[5];    /* s̄'² = Σ_k speed_k uᵏ */
} spline_polynomials;

/* and drag: at its Gauss points. */
typedef struct spline_drag {
    double b[SPLINE_MASSES][4], weight[SPLINE_MASSES];
} spline_drag;

/* Doubles per control point of the factor: one more than its half-width, which is 9 when closed. */
enum { SPLINE_FIT_STRIDE = 10 };

/* Least squares: the control points nearest to prescribed positions of the vertices. */
typedef struct spline_fit {
    bool closed;    /* the fitted curve; the natural one of a closed strand may be open */
    int count;      /* vertices of it */
    bool sparse;    /* vertices are farther apart than knots in some span */
    double *factor; /* LLᵀ of a band */
} spline_fit;

/* Values of the definition, where parameters change; gauss NULL: they do not. */
typedef struct spline_defined {
    spline_gauss *gauss;
    spline_station *station;
    spline_span *span;
    spline_polynomials *polynomials;
    spline_location *vertex, *middle;
    spline_drag *dragged;
    double *natural_x, length;
    section_stiffness section;
    bool isotropic;
} spline_defined;

typedef struct spline {
    int n, edges;      /* vertices: where it is reported */
    int points, spans; /* control points, repeated ones too; points − 3 */
    int stations;
    bool closed;
    bool clamped, inextensible, dynamic_twist;
    bool isotropic; /* bending is independent of the material frame, as in der.h */
    section_stiffness section;
    cord_section shape;
    double damping, drag, quadratic_drag;
    double closing_twist;
    double length, spacing; /* natural; of a span, on average */
    double scale;           /* length over that of the definition */
    double length_rate;     /* rate of the length, over it; 1/s */
    spline_defined defined;

    spline_span *span;
    spline_polynomials *polynomials; /* of each */
    spline_drag *dragged;            /* and this; NULL: no drag */
    spline_gauss *gauss;             /* SPLINE_GAUSS × spans */
    spline_station *station;         /* along the strand */
    spline_location *vertex;         /* edges + 1: of a closed strand, where it ends too */
    spline_location *middle;         /* edges */
    double *knot_inertia;            /* per angle: rotary, zero when quasistatic */
    /* per independent control point: row sums of the mass matrix */
    double *lumped;
    int *position; /* of dofs and rows in the band */
    int band_width;
    double *natural_x; /* control points */
    double *initial_q, *initial_v;
    spline_fit fit;
} spline;

/* ---- layout --------------------------------------------------------------------------------- */

/* Control points and knots that are not repeated. */
static inline int spline_own(const spline *s)
{
    return s->closed ? s->spans : s->points;
}
static inline int spline_turns(const spline *s)
{
    return s->closed ? s->spans : s->spans + 1;
}
/* Round a closed strand, once. */
static inline int spline_round(const spline *s, int i)
{
    return s->closed && i >= s->spans ? i - s->spans : i;
}
static inline int spline_dofs(const spline *s)
{
    return 3 * spline_own(s) + spline_turns(s);
}
static inline int spline_dof(const spline *s, int point)
{
    if (s->closed) return 4 * spline_round(s, point);
    return point > 0 ? 4 * point - 1 : 0;
}
static inline int spline_angle_dof(const spline *s, int knot)
{
    return s->closed ? 4 * spline_round(s, knot + 1) + 3 : 4 * knot + 6;
}
/* Inextensible: a row per station. */
static inline int spline_rows(const spline *s)
{
    return s->inextensible ? s->stations : 0;
}
static inline int spline_q_count(const spline *s)
{
    return 3 * s->points + 3 * (s->spans + 1) + s->spans + s->closed;
}
/* Parts of q, which begins with the control points. Macros, so that a pointer to const remains one. */
#define spline_m1(s, q) ((q) + 3 * (s)->points)                           /* per knot */
#define spline_alpha(s, q) ((q) + 3 * (s)->points + 3 * ((s)->spans + 1)) /* per span */
/* Closed: the angle from the first frame to the one at the end, which is the same knot. */
#define spline_closing(s, q) (spline_alpha(s, q) + (s)->spans)
/* The first three control points of a closed curve, again at the end. */
static inline void spline_repeat(const spline *s, double *x)
{
    for (int k = 0; k < 9; k++) x[3 * s->spans + k] = x[k];
}

/* The variables of a span: its four control points, then the angles at its two knots. */
enum { SPLINE_LOCAL = 14 };
static inline void spline_local_dofs(const spline *s, int span, int *column)
{
    for (int j = 0; j < 4; j++)
        for (int k = 0; k < 3; k++) column[3 * j + k] = spline_dof(s, span + j) + k;
    column[12] = spline_angle_dof(s, span);
    column[13] = spline_angle_dof(s, span + 1);
}
/* The variables of a span in the order of the band. */
static const int spline_ascending[SPLINE_LOCAL] = {0, 1, 2, 3, 4, 5, 12, 6, 7, 8, 13, 9, 10, 11};
/* Spans are processed in batches of this size (elastic.c). */
enum { SPLINE_PART = 32 };
static inline int spline_band_count(const spline *s)
{
    return spline_dofs(s) + spline_rows(s);
}

/* Offset of a position in the band from the first position of its span; periodic in a closed strand. */
static inline int spline_behind(const spline *s, int position, int first)
{
    return position >= first ? position - first : position - first + spline_band_count(s);
}

/* Cache: knots, Gauss points, stations; the least |x'| of knots and stations. */
typedef struct spline_knot {
    double p[3], t[3], m1[3], inverse; /* x', tangent, first director, 1/|x'| */
} spline_knot;

typedef struct spline_state {
    double p[3], s[3], m1[3]; /* x', x'', first director */
    double strain[SPLINE_STRAINS];
} spline_state;

typedef struct spline_stretch {
    double p[3], strain;
} spline_stretch;

#define SPLINE_DOUBLES(type) ((int)(sizeof(type) / sizeof(double)))

static inline int spline_state_offset(const spline *s)
{
    return (s->spans + 1) * SPLINE_DOUBLES(spline_knot);
}
static inline int spline_stretch_offset(const spline *s)
{
    return spline_state_offset(s) + SPLINE_GAUSS * s->spans * SPLINE_DOUBLES(spline_state);
}
static inline int spline_cache_count(const spline *s)
{
    return spline_stretch_offset(s) + s->stations * SPLINE_DOUBLES(spline_stretch);
}
static inline const spline_knot *spline_knots(const double *cache)
{
    return (const spline_knot *)cache;
}
static inline const spline_state *spline_states(const spline *s, const double *cache)
{
    return (const spline_state *)(cache + spline_state_offset(s));
}
static inline const spline_stretch *spline_stretches(const spline *s, const double *cache)
{
    return (const spline_stretch *)(cache + spline_stretch_offset(s));
}

/* ---- basis.c ------------------------------------------------------------------------- */

/* u within the span, 0 to 1. */
void cord__spline_basis(const spline *s, int span, double u, spline_weights *w);
/* The same from the span's polynomials, once they are set. */
void cord__spline_span_basis(const spline *s, int span, double u, spline_weights *w);
/* Nodes on [0, 1] and weights of Gauss's rule with 3 or 4 points. */
void cord__spline_rule(int points, const double **u, const double **weight);
/* r = Σ w_j x_(span + j) */
static inline void spline_sum(double *r, const double *w, const double *x, int span)
{
    x += 3 * span;
    for (int k = 0; k < 3; k++)
        r[k] = w[0] * x[k] + w[1] * x[3 + k] + w[2] * x[6 + k] + w[3] * x[9 + k];
}
/* Σ w_j v_(span + j), v over the dofs. */
static inline void spline_sum_columns(const spline *s, double *r, const double *w, const double *v,
                                      int span)
{
    const double *x[4];
    for (int j = 0; j < 4; j++) x[j] = v + spline_dof(s, span + j);
    if (!s->closed && span > 0) /* neighbours, at constant distances */
        for (int j = 1; j < 4; j++) x[j] = x[0] + 4 * j;
    for (int k = 0; k < 3; k++)
        r[k] = w[0] * x[0][k] + w[1] * x[1][k] + w[2] * x[2][k] + w[3] * x[3][k];
}

/* ---- frame.c: the configuration and its strains -------------------------------------- */

void cord__spline_retract(const void *model, double *q, const double *d);
void cord__spline_refresh(const void *model, const double *q, double *cache);
void cord__spline_refresh_rows(const void *model, const double *q, double *cache);
/* x', x'', first director and strains at a point; `cache` has the knots. */
void cord__spline_state_at(const spline *s, const double *q, const double *cache,
                           const spline_location *at, spline_state *out);
/* Closed: the frame at the end is the first, rotated by the closing twist; t is the tangent there. */
void cord__spline_close_frames(const spline *s, const double *t, double *q);
/* The holonomy angle between a twist-free frame transported along a span and the one transported by the
 * smallest rotation: −∫ of the latter's twist. */
double cord__spline_lag(const spline *s, const double *q, int span);

/* ---- strain.c: four spans at a time -------------------------------------------------- */

/* The states of all Gauss points; the cache has the knots. */
void cord__spline_states(const spline *s, const double *q, double *cache);
/* Forces over the variables of four spans, and the lower triangles of their matrices, span by span: in the order of the
 * band, h[span][c][k] is the entry k rows below the diagonal of column c. The last vector of a column is padded. */
enum { SPLINE_PADDED = 16 };
typedef struct spline_many {
    lanes force[SPLINE_LOCAL];
    double h[LANES][SPLINE_LOCAL][SPLINE_PADDED];
} spline_many;
/* Elasticity and internal damping of the spans from `first` on, over the reduced variables. */
enum { SPLINE_REDUCED = 11 };
typedef struct spline_reduced {
    lanes force[SPLINE_REDUCED], h[SPLINE_REDUCED][SPLINE_REDUCED];
} spline_reduced;
void cord__spline_strains(const spline *s, const block_eval *in, const midpoint_step *step,
                          int first, bool matrix, spline_reduced *out);
/* The same over the variables of the spans, with inertia and weight. */
void cord__spline_spans(const spline *s, const block_eval *in, int first, bool matrix,
                        spline_reduced *on, spline_many *out);

/* ---- parameters.c -------------------------------------------------------------------- */

cord_status cord__spline_prepare_parameters(void *model, memory *m);
void cord__spline_release_defined(spline *s, memory *m);
void cord__spline_set_parameters(void *model, const strand_parameters *p);
void cord__spline_row_drift(const void *model, const double *cache, double *rate);

/* ---- location.c---------------------------------------------------------------------- */

/* Derivatives of the strains at a point over the variables of the span. */
typedef double spline_gradient[SPLINE_STRAINS][SPLINE_LOCAL];
void cord__spline_gradient(const spline *s, const double *cache, const spline_location *at,
                           const spline_state *state, spline_gradient g);
/* Derivatives of the rotation of the frame at a point about its tangent, likewise. */
void cord__spline_turning(const spline *s, const double *cache, const spline_location *at,
                          const spline_state *state, double g[SPLINE_LOCAL]);
/* h = Σ stress_a ∂²strain_a, row ≥ column. */
void cord__spline_curving(const spline *s, const double *cache, const spline_location *at,
                          const spline_state *state, const double stress[SPLINE_STRAINS],
                          double h[SPLINE_LOCAL][SPLINE_LOCAL]);

/* ---- torque.c ------------------------------------------------------------------------ */

/* ∂(Jᵀw)/∂q of a torque w on the frame there, row ≥ column; `rotation` is the result of cord__spline_turning(). */
void cord__spline_torque_curving(const spline *s, const double *cache, const spline_location *at,
                                 const spline_state *state, const double rotation[SPLINE_LOCAL],
                                 const double w[3], double h[SPLINE_LOCAL][SPLINE_LOCAL]);

/* ---- elastic.c ----------------------------------------------------------------------- */

int cord__spline_part_unknowns(const void *model, int part, int *unknowns);
void cord__spline_assemble(const void *model, const block_eval *in, double *r, double *g,
                           local_matrix *matrix);
void cord__spline_assemble_midpoint(const void *model, const block_eval *in,
                                    const midpoint_step *step, double *r, double *g,
                                    local_matrix *matrix);
void cord__spline_assemble_part(const void *model, const block_eval *in, int part, double *r,
                                double *g, local_matrix *matrix);
void cord__spline_energy(const void *model, const environment *env, const double *q,
                         const double *cache, const double *v, const double *inertial_v,
                         block_energy *e);
/* Add a span's matrix, row ≥ column, to the band. */
void cord__spline_scatter(const spline *s, int span, double h[SPLINE_LOCAL][SPLINE_LOCAL],
                          local_matrix *matrix);

/* ---- length.c: rows ------------------------------------------------------------------- */

int cord__spline_row_dofs(const void *model, int row, int *dofs);
void cord__spline_row_rates(const void *model, const double *cache, const double *side,
                            const double *v, double *rate);
double cord__spline_row_error(const void *model, const double *cache);
/* One row: adds to the span's force and matrix (NULL: not), and sets g[i]. */
void cord__spline_assemble_row(const spline *s, const block_eval *in, const midpoint_step *step,
                               int i, double *force, double *g,
                               double h[SPLINE_LOCAL][SPLINE_LOCAL], local_matrix *matrix);
/* Move control points, by a correction of least norm, until the rows are satisfied. */
cord_status cord__spline_make_natural_length(const spline *s, memory *m, double *x);

/* ---- shape.c: construction from a definition --------------------------------------------------- */

cord_status cord__spline_create(const cord_strand_def *def, memory *m, void **model, char *why,
                                size_t size);
void cord__spline_destroy(void *model, memory *m);
/* The span of an arc length, plus the number of spans for every revolution of a closed strand; u of
 * an arc length in a span, or on the extension of its polynomial; the position. */
int cord__spline_element_at(const void *model, const double *q, double arc);
double cord__spline_parameter(const spline *s, int span, double arc);
double cord__spline_arc(const spline *s, int span, double u); /* from the start of the span */
void cord__spline_locate(const spline *s, double arc, spline_location *at);

/* ---- fit.c --------------------------------------------------------------------------- */

/* Factorise the matrix for the positions of the vertices; false: they do not determine a curve. */
bool cord__spline_fit_prepare(spline *s);
/* Control points from positions of the vertices; `work`: 3 doubles per control point. */
void cord__spline_fit_points(const spline *s, const double *vertices, double *points, double *work);
/* Index of the i-th of `count` members of a ring in an order with small bandwidth: 0, the last, 1,
 * the last but one … A band of half-width w round the ring becomes one of 2w + 1. */
static inline int spline_fold(int count, int i)
{
    return 2 * i < count ? 2 * i : 2 * (count - 1 - i) + 1;
}

/* ---- point.c ------------------------------------------------------------------------- */

cord_status cord__spline_attach(void *model, memory *m, measure what, double s, attachment *at);
void cord__spline_point_jacobian(const void *model, const double *q, const double *cache,
                                 const attachment *at, measure what, point_jacobian *j);
void cord__spline_stiffen(const void *model, const double *q, const double *cache,
                          const attachment *at, measure what, const double w[3], double c_k,
                          local_matrix *matrix);
void cord__spline_frame_at(const void *model, const double *q, const double *cache, double s,
                           double *frame);

/* ---- slide.c ------------------------------------------------------------------------- */

void cord__spline_slide(const void *model, const double *q, const double *cache, int element,
                        double arc, sliding_jacobian *j);
/* Weights of the control points of a span in r, r_s, r_ss and r_sss at an arc length, on the extension of its polynomials
 * too. */
void cord__spline_slide_weights(const spline *s, int span, double arc, double weight[4][4]);

/* ---- contact_curve.c ------------------------------------------------------------------ */

extern const contact_ops cord__spline_contact;

extern const strand_ops cord__spline;

#endif
