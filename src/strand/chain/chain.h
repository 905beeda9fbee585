/* Chains of curvature elements: segments, super-helices, super-clothoids [SC 2012; SSC 2013], in
 * space and in the plane.
 *
 * Unknowns [SSC 2013, sec. 4.2]: position and frame of the base, and the curvature vectors κ =
 * (twist, about the first director, about the second), affine per element between nodes (clothoid),
 * constant per element (helix), or concentrated at joints (segment). The kinematics is the Darboux
 * problem R' = R [κ]×, r' = R e₁ [SSC 2013, eq. 1–3]: exactly inextensible and unshearable.
 *
 * An element is divided into panels, each with the nodes of a Gauss rule. With the shape
 * functions F_j of the element's curvature components [SC 2012, eq. 2–4] and all vectors in world
 * axes relative to the element's first node,
 *
 *     W_j(u) = ∫ F_j R e_j,    r(u) = ∫ t,    P_j(u) = ∫ W_j × t                   [SC 2012, eq. 5–11],
 *
 * so that for a velocity (v, ω) of that node the point at u has the velocity v + ω × r + P κ̇ and
 * its frame the angular velocity ω + W κ̇ [SSC 2013, eq. 15]. Cumulative integrals over the nodes
 * of a panel are the product with one small matrix.
 *
 * Velocity unknowns are (v, ω, κ̇) of all nodes, of which (v, ω) of the base and all κ̇ are
 * independent; the others are determined by internal constraint rows of the block. A point then
 * depends on the dofs of one element only and the matrix is banded; its elimination from the tip to
 * the base is the O(N) recursion of solve.c. q contains the independent coordinates only, so the
 * internal rows are always satisfied. Their multipliers are the (negative) internal force and
 * moment at each node.
 *
 * A chain of segments has the frame of its last segment at its end, half a segment away from the end of the curve. Where a
 * constraint acts on the frame there (a clamp, a weld), an end joint follows: an element without length, whose curvature
 * has the length of half a segment, as that of the first joint has. The clamp is then second-order accurate.
 *
 * Inertia acts on the inertial coordinates: Gauss nodes with their mass, and the two directors at
 * nodes, which have the rotary inertia of the section. */
#ifndef CORDAGE_STRAND_CHAIN_H
#define CORDAGE_STRAND_CHAIN_H

#include "block/block.h"
#include "curve/darboux.h"
#include "curve/element.h"
#include "curve/section.h"

#include <math.h>

enum {
    RULE_MOST = 16,
    RULES = 3,     /* of a chain, at most */
    LOCAL_MOST = 6 /* curvature components of one element */
};

/* Gauss's rule on (−1, 1), with cumulative integrals. */
typedef struct gauss_rule {
    int n;
    double x[RULE_MOST], w[RULE_MOST], inverse_w[RULE_MOST];
    double scale[RULE_MOST]; /* 1/∏ (x_j − x_k) of the cardinal functions */
    /* ∫ from −1 to x_i of the cardinal function of node j minus half of its whole integral, for even and for odd integrands:
     * over the nodes j below the middle, and the middle one. */
    double even[RULE_MOST / 2 + 1][RULE_MOST / 2 + 1], odd[RULE_MOST / 2 + 1][RULE_MOST / 2 + 1];
} gauss_rule;

/* A point of the chain. */
typedef struct chain_location {
    double s, u;     /* material coordinate; relative to the start of its element */
    double fraction; /* u over the length of its element */
    int element;
    int node; /* >= 0: exactly there */
    int panel;
    double part; /* of the panel, up to the point */
} chain_location;

/* Values of the definition, where parameters change; length NULL: they do not. */
typedef struct chain_defined {
    double *length, *natural;
    section_stiffness section;
    double rotary;
} chain_defined;

typedef struct chain_model {
    element_kind kind;
    bool planar;
    int plane; /* planar: the world axis that the plane is normal to, and then the base stays in it;
                  -1: it goes with the base */
    cord_kinematics kinematics;
    int elements; /* with the end joint of a chain of segments, an element without length */
    int bars;     /* elements without it */
    int numbers;  /* of a curvature vector that are free: 3, or 1 in the plane */
    int local;    /* curvature components of an element */
    int panels;   /* of an element, when the chain is created */
    /* The quadrature of each element that the cache has room for (panels.c): the present one, and that to which the rates of the
     * inertial coordinates in the state belong. Panels and Gauss nodes before each, and of all. */
    int *level, *stored_level, *first_panel, *first_node;
    int rules;
    gauss_rule rule[RULES]; /* of the first levels; the last one of those above, too */
    int panel_segments;     /* segments in contact of a panel of level 0 */
    double *segment_weight
        [RULES]; /* of the Gauss nodes of a panel at the starts of its segments, by rule */
    double *length, *arc;
    double shortest; /* of the lengths */
    double *natural; /* 6 per element: curvature vectors at its start and its end */
    section_stiffness section;
    cord_section shape;
    double stiffness[3]; /* of twist, and about the two directors */
    double rotary;       /* per length; on each director half of it */
    bool filtered;       /* `midpoint` filters the spin of sections */
    double damping, drag, quadratic_drag, base_damping;
    chain_defined defined;

    double *initial_q, *initial_v;
    int vertices;
    chain_location *vertex, *edge; /* where the strand is reported: vertices, and edges' middles */
    double *fraction; /* of the length at each vertex, where the chain grows; NULL: it does not */
    int attached, attached_capacity;
    chain_location *attachment;
    int *attached_at; /* table by their coordinates: 1 + which it is; 0: none. See point.c */
} chain_model;

/* ---- layout -------------------------------------------------------------------------------- */

static inline int chain_knots(const chain_model *c)
{
    return curvature_count(c->kind, c->elements);
}
/* Curvature components that belong to a node. */
static inline int chain_carried(const chain_model *c, int node)
{
    return node < chain_knots(c) ? c->numbers : 0;
}
static inline int chain_q_count(const chain_model *c)
{
    return 7 + c->numbers * chain_knots(c);
}
/* Free curvature components of a knot, in q. A macro, so that a pointer to const remains one. */
#define chain_kappa(c, q, knot) ((q) + 7 + (c)->numbers * (knot))
static inline int chain_dof(const chain_model *c, int node)
{
    return node * (6 + c->numbers);
}
static inline int chain_dofs(const chain_model *c)
{
    return 6 * (c->elements + 1) + c->numbers * chain_knots(c);
}
/* Position of a node's first unknown; its v, ω and κ are followed by the rows that determine them. */
static inline int chain_position(const chain_model *c, int node)
{
    return node == 0 ? 0 : 6 + c->numbers + (node - 1) * (12 + c->numbers);
}
static inline int chain_row_position(const chain_model *c, int node)
{
    return chain_position(c, node) + 6 + chain_carried(c, node);
}
/* The component of the full curvature vector of local component j, and whether it belongs to the
 * end. */
static inline int chain_axis(const chain_model *c, int j)
{
    return c->planar ? 2 : j % 3;
}
/* Index of the local component j of element e among the dofs. */
static inline int chain_local_dof(const chain_model *c, int e, int j)
{
    return j < c->numbers ? chain_dof(c, e) + 6 + j : chain_dof(c, e + 1) + 6 + j - c->numbers;
}

/* The cache: nodes, then elements' ends, panels' starts, Gauss nodes. */
typedef struct chain_node {
    double position[3], quaternion[4], frame[9];
} chain_node;
/* Position r of a point relative to the element's first node, and its Jacobians over the element's
 * curvature components: W (rotation) and P (translation). */
typedef struct chain_local {
    double r[3], W[3 * LOCAL_MOST], P[3 * LOCAL_MOST];
} chain_local;
/* The start of a panel, from which a point in it is found. */
typedef struct chain_start {
    chain_local at;
    double quaternion[4];
    curvature kappa;
} chain_start;
typedef struct chain_gauss {
    double R[9];
    chain_local at;
} chain_gauss;

enum {
    NODE_DOUBLES = sizeof(chain_node) / sizeof(double),
    LOCAL_DOUBLES = sizeof(chain_local) / sizeof(double),
    START_DOUBLES = sizeof(chain_start) / sizeof(double),
    GAUSS_DOUBLES = sizeof(chain_gauss) / sizeof(double)
};

/* Elements that the cache has room for: an end joint moves nothing in it. */
static inline int chain_room(const chain_model *c)
{
    return c->kind == ELEMENT_SEGMENT ? c->bars + 1 : c->bars;
}
static inline int chain_panels(const chain_model *c, int e)
{
    return c->first_panel[e + 1] - c->first_panel[e];
}
static inline int chain_end_offset(const chain_model *c, int e)
{
    return (chain_room(c) + 1) * NODE_DOUBLES + e * LOCAL_DOUBLES;
}
static inline int chain_panel_offset(const chain_model *c, int e, int panel)
{
    return chain_end_offset(c, chain_room(c)) + (c->first_panel[e] + panel) * START_DOUBLES;
}
static inline int chain_rule_of(const chain_model *c, int level)
{
    return level < c->rules ? level : c->rules - 1;
}
static inline const gauss_rule *chain_rule(const chain_model *c, int e)
{
    return c->rule + chain_rule_of(c, c->level[e]);
}
/* Gauss nodes of an element. */
static inline int chain_nodes_of(const chain_model *c, int e)
{
    return c->first_node[e + 1] - c->first_node[e];
}
static inline int chain_gauss_offset(const chain_model *c, int e, int panel)
{
    const int before = panel > 0 ? panel * chain_rule(c, e)->n : 0;
    return chain_panel_offset(c, chain_room(c), 0) + (c->first_node[e] + before) * GAUSS_DOUBLES;
}
static inline int chain_cache_count(const chain_model *c)
{
    return chain_gauss_offset(c, c->elements, 0);
}
static inline const chain_node *chain_nodes(const double *cache)
{
    return (const chain_node *)cache;
}
static inline const chain_local *chain_end(const chain_model *c, const double *cache, int e)
{
    return (const chain_local *)(cache + chain_end_offset(c, e));
}
static inline const chain_start *chain_panel(const chain_model *c, const double *cache, int e,
                                             int panel)
{
    return (const chain_start *)(cache + chain_panel_offset(c, e, panel));
}
static inline const chain_gauss *chain_gausses(const chain_model *c, const double *cache, int e,
                                               int panel)
{
    return (const chain_gauss *)(cache + chain_gauss_offset(c, e, panel));
}

/* A segment has panels with rotation and no extent, its joint, and a last one with extent and no
 * rotation. */
static inline bool chain_panel_extends(const chain_model *c, int e, int panel)
{
    return c->kind != ELEMENT_SEGMENT || (panel == chain_panels(c, e) - 1 && e < c->bars);
}
static inline bool chain_panel_turns(const chain_model *c, int e, int panel)
{
    return c->kind != ELEMENT_SEGMENT || panel < chain_panels(c, e) - 1;
}
/* Half of a panel's length, for the integral of curvature and for the integral of the centreline. */
double cord__chain_joint(const chain_model *c,
                         int e); /* the length over which a segment's curvature is distributed */
static inline double chain_half_rotation(const chain_model *c, int e, int panel)
{
    if (c->kind != ELEMENT_SEGMENT) return 0.5 * c->length[e] / chain_panels(c, e);
    if (!chain_panel_turns(c, e, panel)) return 0;
    return 0.5 * cord__chain_joint(c, e) / (chain_panels(c, e) - 1);
}
static inline double chain_half_extent(const chain_model *c, int e, int panel)
{
    if (c->kind != ELEMENT_SEGMENT) return 0.5 * c->length[e] / chain_panels(c, e);
    return chain_panel_extends(c, e, panel) ? 0.5 * c->length[e] : 0;
}
/* Gauss nodes with mass before an element, those of panels with extent: they are inertial coordinates. */
static inline int chain_heavy_before(const chain_model *c, int e)
{
    if (c->kind != ELEMENT_SEGMENT) return c->first_node[e];
    return (e < c->bars ? e : c->bars) * c->rule->n;
}
/* The fraction of an element at node i of a part of a panel that begins with it, 1: the panel. */
static inline double chain_fraction(const chain_model *c, int e, int panel, double part, int i)
{
    return (panel + part * (0.5 * (1 + chain_rule(c, e)->x[i]))) / chain_panels(c, e);
}
/* Count of the values of the directors among the inertial coordinates: zero where there is no
 * rotary inertia. */
static inline int chain_director_count(const chain_model *c)
{
    return c->plane >= 0 ? 0 : 6 * (c->elements + 1);
}
static inline int chain_gauss_count(const chain_model *c)
{
    return 3 * chain_heavy_before(c, c->bars);
}
static inline int chain_inertial_count(const chain_model *c)
{
    return chain_gauss_count(c) + chain_director_count(c);
}
/* Round-off normal to an axis-aligned plane would be a lever arm of negligible length in the rows
 * of constraints, and would make their forces normal to the plane indeterminate. The base may leave
 * the plane when its carrier moves it. */
static inline void chain_flatten(const chain_model *c, double *frame)
{
    if (c->plane < 0 || fabs(frame[6 + c->plane]) < 1 - 1e-12) return;
    for (int k = 0; k < 3; k++) frame[6 + k] = k == c->plane ? copysign(1, frame[6 + k]) : 0;
    frame[c->plane] = frame[3 + c->plane] = 0;
}
/* The shape function F_j of local component j at the fraction f of an element [SC 2012, eq. 2–4]. */
static inline double chain_hat(const chain_model *c, int j, double f)
{
    return c->kind != ELEMENT_CLOTHOID ? 1 : j < c->numbers ? 1 - f : f;
}
/* Fraction of a node in the lengths of its two adjacent elements. Both nodes of an end joint have half of the last. */
static inline double chain_cell(const chain_model *c, int node)
{
    if (c->elements > c->bars && node >= c->bars) return 0.25 * c->length[c->bars - 1];
    return 0.5 *
           ((node > 0 ? c->length[node - 1] : 0) + (node < c->elements ? c->length[node] : 0));
}

/* The matrix of an element over v and ω of its first node and its curvature components (6 + local,
 * square, both triangles), and the Jacobian of its end. */
static inline int chain_size(const chain_model *c)
{
    return 6 + c->local;
}
typedef struct chain_matrix {
    double a[(6 + LOCAL_MOST) * (6 + LOCAL_MOST)];
    chain_local end;
    /* factor: the Schur complement beyond the end over its v, ω and carried curvature components;
     * the inverse of the pivot block; the eliminated components as linear functions of the others */
    double after[(6 + 3) * (6 + 3)];
    double pivot[9];
    double gain[3 * (6 + 3)];
} chain_matrix;

enum { MATRIX_DOUBLES = sizeof(chain_matrix) / sizeof(double), BASE_DOUBLES = 2 * 81 };

/* One for each element, that of the tip (9 × 9), the factor of the base. */
static inline int chain_own_count(const chain_model *c)
{
    return c->elements * MATRIX_DOUBLES + 81 + BASE_DOUBLES;
}
/* The dofs of the base and all curvatures. */
static inline int chain_free_count(const chain_model *c)
{
    return 6 + c->numbers * chain_knots(c);
}

/* ---- rule.c -------------------------------------------------------------------------- */

void cord__gauss_rule(gauss_rule *rule, int n);
/* The cardinal function of node j at x. */
double cord__gauss_cardinal(const gauss_rule *rule, int j, double x);
/* All cardinal functions at x. */
void cord__gauss_cardinals(const gauss_rule *rule, double x, double *value);

/* ---- shape.c ------------------------------------------------------------------------- */

cord_status cord__chain_create(element_kind kind, const cord_strand_def *def, memory *m,
                               void **model, char *why, size_t size);
void cord__chain_destroy(void *model, memory *m);
void cord__chain_locate(const chain_model *c, double s, chain_location *at);

/* ---- divide.c ------------------------------------------------------------------------ */

extern const division_ops cord__chain_division;

/* ---- panels.c ------------------------------------------------------------------------ */

extern const quadrature_ops cord__chain_quadrature;
/* The rule and the panels of a new chain, from its initial and its natural curvatures. */
void cord__chain_choose_rule(chain_model *c, const double *kappa);
cord_status cord__chain_make_panels(chain_model *c, memory *m);
/* Panels and nodes before each element, after a change of its level. */
void cord__chain_set_panels(chain_model *c);
/* Whether the curvature of an element is beyond every bound: there is no curve then. */
bool cord__chain_is_unbounded(const chain_model *c, const double *q, int e);

/* ---- parameters.c ---------------------------------------------------------------------- */

cord_status cord__chain_prepare_parameters(void *model, memory *m);
void cord__chain_set_parameters(void *model, const strand_parameters *p);

/* ---- motion.c ------------------------------------------------------------------------ */

void cord__chain_retract(const void *model, double *q, const double *d);
void cord__chain_refresh(const void *model, const double *q, double *cache);
/* Frames of nodes, and positions, which cord__chain_inertial_x() reads. */
void cord__chain_refresh_positions(const void *model, const double *q, double *cache);
void cord__chain_follow(const void *model, const double *cache, double *v);
void cord__chain_inertial_x(const void *model, const double *q, const double *cache, double *x);
void cord__chain_inertial_rates(const void *model, const double *cache, const double *v,
                                double *rate);
void cord__chain_momenta(const void *model, const double *cache, const double *rate,
                         double *momentum);
/* Velocity-dependent accelerations J̇ q̇ of the inertial coordinates [SC 2012, eq. 13; SSC 2013,
 * eq. 6 with κ̈ = 0]. */
void cord__chain_inertial_bias(const chain_model *c, const double *cache, const double *v,
                               double *bias);
void cord__chain_curvature(const chain_model *c, const double *q, int e, curvature *k);
/* Rates of an element's curvature components, in v; the motion (v, ω) of its end, and the velocity of a Gauss node, from
 * that of its first node. */
void cord__chain_curvature_rates(const chain_model *c, int e, const double *v, double *rate);
void cord__chain_end_motion(const chain_model *c, const chain_local *end, const double *first,
                            const double *rate, double *motion);
void cord__chain_gauss_rate(const chain_model *c, const chain_gauss *g, const double *first,
                            const double *rate, double *velocity);
/* Positions of the nodes of a panel; the quaternion at its start becomes that at its end. */
void cord__chain_locate_panel(const chain_model *c, int e, int panel, const curvature *kappa,
                              const double start[3], chain_gauss *g, double after[3],
                              double quaternion[4]);
/* The nodes g of a panel, or of a part of one that begins with it, and its end, from its start; `end_only`: of the nodes
 * R and W alone. */
void cord__chain_integrate(const chain_model *c, int e, int panel, double part, bool end_only,
                           const chain_start *start, chain_gauss *g, chain_local *after,
                           double end[4]);
/* Position relative to the element's first node, and its Jacobians W and P, to round-off: by Gauss's rule over the part of
 * the panel up to the point, whose RULE_MOST nodes at most are g; NULL: they are not asked for. */
void cord__chain_local_at(const chain_model *c, const double *cache, const chain_location *at,
                          chain_gauss *g, chain_local *out);

/* ---- growth.c ------------------------------------------------------------------------ */

extern const growth_ops cord__chain_growth;

/* ---- point.c ------------------------------------------------------------------------- */

/* The table of the coordinates of attachments is that many times as long as there may be of them. */
enum { ATTACHED_TABLE = 2 };
/* Enters all attachments in the table again, after their coordinates have changed. */
void cord__chain_index_attachments(chain_model *c);
cord_status cord__chain_attach(void *model, memory *m, measure what, double s, attachment *at);
/* Frame and position relative to the element's first node, to round-off. */
void cord__chain_pose(const chain_model *c, const double *cache, const chain_location *at,
                      double frame[9], double r[3]);
/* block_ops.frames: the curvature of a new end joint. */
void cord__chain_extend(const void *model, double *q, int from);
void cord__chain_end_frame(const chain_model *c, const double *q, const double *cache,
                           double *frame);
void cord__chain_point_jacobian(const void *model, const double *q, const double *cache,
                                const attachment *at, measure what, point_jacobian *j);
void cord__chain_jacobian_at(const chain_model *c, const double *q, const double *cache,
                             const chain_location *location, measure what, point_jacobian *j);
int cord__chain_element_at(const void *model, const double *q, double s);
void cord__chain_slide(const void *model, const double *q, const double *cache, int element,
                       double s, sliding_jacobian *j);

/* ---- contact_curve.c ------------------------------------------------------------------ */

extern const contact_ops cord__chain_contact;
/* The segments of a new chain, from its initial and its natural curvatures. */
cord_status cord__chain_make_segments(chain_model *c, memory *m);
/* The weights of their starts. */
cord_status cord__chain_weigh_segments(chain_model *c, memory *m);

/* ---- forces.c ------------------------------------------------------------------------------ */

int cord__chain_work_count(const chain_model *c); /* doubles of block_eval.work */
void cord__chain_assemble(const void *model, const block_eval *in, double *r, double *g,
                          local_matrix *matrix);
void cord__chain_assemble_midpoint(const void *model, const block_eval *in,
                                   const midpoint_step *step, double *r, double *g,
                                   local_matrix *matrix);
void cord__chain_assemble_semi_implicit(const void *model, const block_eval *in,
                                        const semi_implicit_step *step, double *r, double *g,
                                        local_matrix *matrix);
/* midpoint_ops.correct_energy: forces on the curvatures, along their change. */
void cord__chain_correct_energy(const void *model, const double *d, double c_a, double work,
                                double *r);
/* The mass matrix plus `stiff` times that of elasticity, as the private solver factors it. */
void cord__chain_mass_matrix(const chain_model *c, const double *cache, double filter, double stiff,
                             double *own);
/* cord__chain_momenta() with the filter of `midpoint`. */
void cord__chain_filtered_momenta(const chain_model *c, const double *cache, double filter,
                                  const double *rate, double *momentum);
/* The mass of each of a node's two directors: half of the section's rotary inertia. `filter`: environment.spin_filter. */
double cord__chain_director_mass(const chain_model *c, int node, double filter);

/* ---- end_step.c ---------------------------------------------------------------------- */

int cord__chain_end_work_count(const chain_model *c);
void cord__chain_end_velocities(const void *model, const midpoint_end *in, double *v, double *rate);

/* ---- energy.c ------------------------------------------------------------------------------ */

void cord__chain_energy(const void *model, const environment *env, const double *q,
                        const double *cache, const double *v, const double *inertial_v,
                        block_energy *e);

/* ---- forces.c: a force at a point ----------------------------------------------------------- */

void cord__chain_stiffen(const void *model, const double *q, const double *cache,
                         const attachment *at, measure what, const double w[3], double c_k,
                         local_matrix *matrix);

/* ---- solve.c ------------------------------------------------------------------------- */

/* All elements, from the tip: H is the form beyond the tip, and becomes that of the base. */
void cord__chain_factor_elements(const chain_model *c, chain_matrix *m, double *H, int *negative,
                                 bool *done);
/* Substitution in all elements, from the base to the tip or back. */
void cord__chain_substitute(const chain_model *c, bool forwards, const chain_matrix *m, double *x);
bool cord__chain_factor(const void *model, const unsigned char *prescribed, double *own,
                        int *negative);
void cord__chain_solve(const void *model, const unsigned char *prescribed, const double *own,
                       double *x);

/* ---- dense.c ------------------------------------------------------------------------- */

/* The matrix of the last `assemble` over the independent dofs; symmetric, column-major. */
void cord__chain_dense(const chain_model *c, const double *own, int stride, double *a);

/* ---- batch.c ------------------------------------------------------------------------- */

extern const batch_ops cord__chain_batch;

/* ---- inverse.c ----------------------------------------------------------------------- */

void cord__chain_elements(const void *model, const double *q, double *curvatures, double *natural);
void cord__chain_reduce(const void *model, const double *cache, double *r, double *lambda);
cord_status cord__chain_rest(void *model, memory *m, const double *r);
void cord__chain_stiffen_slide(const void *model, const double *cache, int element, double s,
                               measure what, const double w[3], double c_k, local_matrix *matrix);
/* A point on an element, or on its extension beyond the ends. */
void cord__chain_slide_location(const chain_model *c, int element, double s, chain_location *at);
void cord__chain_stiffen_all(void *model, double factor);
cord_status cord__chain_stability(const void *model, memory *m, const unsigned char *prescribed,
                                  const double *own, strand_stability *out);

#endif
