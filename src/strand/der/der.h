/* Discrete elastic rods [DER 2008]: the data of the model, shared by the files of src/strand/der.
 *
 * Configuration q [DER 2008, sec. 4.1, 4.2]: the vertices x_i, the material frame of each edge (its
 * first director m₁), the twist m_i of each inner vertex, and the vertex frames. The angles θ^j of
 * the paper are not stored: θ^j is the sum of the twists up to edge j, measured against the Bishop
 * frame. The velocity unknown θ̇ of an edge is the rate of rotation of its frame about its tangent,
 * relative to parallel transport in time.
 *
 * A vertex frame is a material frame at a vertex. It exists where a constraint acts on the frame
 * there (a clamp, a weld). It forms a joint with each adjacent edge, with the length of half a
 * Voronoi cell, so that a clamp acts at its vertex and not at the middle of an edge; clamps are
 * therefore second-order accurate.
 *
 * Degrees of freedom: x_i and θ_i interleaved, 4 per vertex; an open rod has no θ at its last
 * vertex. Then 3 per vertex frame (a rotation vector). Constraint rows: one length per edge when
 * inextensible [DER 2008, sec. 8]. */
#ifndef CORDAGE_STRAND_DER_H
#define CORDAGE_STRAND_DER_H

#include "block/block.h"
#include "curve/section.h"
#include "strand/der/joint.h"

enum { STRAINS = 5 };        /* of a joint; see elastic.c */
enum { FRAME_ENTRIES = 30 }; /* extra entries of a vertex frame with one edge: 3 dofs by 10 */

/* A joint is a pair of adjacent frames with bending and twisting strains between them. An inner
 * vertex is the joint of its two edges; a vertex frame has one joint with the edge before it and
 * one with the edge after it. */
typedef struct der_vertex_frame {
    int vertex;
    /* of the joints (edge before, vertex frame) and (vertex frame, edge after) */
    double natural[2][STRAINS];
    double defined[2][STRAINS]; /* those of the definition */
    double bending_cell[2];
} der_vertex_frame;

/* Values of the definition, where parameters change; rest NULL: they do not. */
typedef struct der_defined {
    double *rest, *natural;
    section_stiffness section;
    bool straight, isotropic;
} der_defined;

typedef struct der {
    int n, edges;
    bool closed;
    bool inextensible, dynamic_twist;
    bool straight; /* naturally */
    bool
        isotropic; /* bending is independent of the material frame: isotropic, straight, undamped */
    curvature_form form; /* curvature as a function of the turning angle */
    section_stiffness section;
    cord_section shape; /* as defined, for drawing */
    double damping, drag, quadratic_drag;
    double closing_twist;
    double length_rate; /* of the natural length, over it; 1/s */
    der_defined defined;

    double *rest;         /* edges: natural length */
    double shortest;      /* minimum of rest */
    double *arc;          /* n (+1 if closed): material coordinate of each vertex */
    double *vertex_mass;  /* n */
    double *edge_inertia; /* edges: rotary, zero when quasistatic */
    double *cell;         /* n: sum of the natural lengths of both edges at an inner vertex */
    double *bending_cell; /* n: the cell in the energy of bending; see share_cell() */
    double *natural;      /* n × STRAINS */
    double *natural_x, *natural_m1;             /* 3 edges + 3, 3 edges: cut open if closed */
    double *initial_x, *initial_v, *initial_m1; /* 3n, 3n, 3 edges */
    double *initial_twist;                      /* n: continuous */
    /* A successor (growth.c): its initial q and v, with the vertex frames that it has when it is made. NULL: those above. */
    double *initial_q, *initial_dofs;
    int initial_frames;

    /* A rod that grows: the vertices at which it is reported, at equal distances along it; 0: at its own. */
    int reported;
    int drawn_edges; /* and the edges of its natural shape: later ones have natural strains only */

    int frame_count, frame_capacity;
    der_vertex_frame *frame;
    int *frame_at; /* n: index of the vertex frame, or -1 */
} der;

/* ---- layout of q and of the cache ---------------------------------------------------------- */

enum { CARRIER_Q = 11 }; /* frame (9), twist against the edge before and the edge after */

static inline int der_q_count(const der *d)
{
    return 3 * d->n + 3 * d->edges + d->n + 1 + CARRIER_Q * d->frame_count;
}
/* Where parts of q begin, after the vertices. */
static inline int der_m1_offset(const der *d)
{
    return 3 * d->n;
}
static inline int der_twist_offset(const der *d)
{
    return 3 * d->n + 3 * d->edges;
}
static inline int der_closing_offset(const der *d)
{
    return 3 * d->n + 3 * d->edges + d->n;
}
static inline int der_vertex_frame_offset(const der *d, int frame)
{
    return 3 * d->n + 3 * d->edges + d->n + 1 + CARRIER_Q * frame;
}
static inline const double *der_m1(const der *d, const double *q) /* per edge */
{
    return q + 3 * d->n;
}
static inline const double *der_twist(const der *d,
                                      const double *q) /* per vertex; zero at free ends */
{
    return q + 3 * d->n + 3 * d->edges;
}
static inline const double *der_closing(const der *d, const double *q)
{
    return q + 3 * d->n + 3 * d->edges + d->n;
}
static inline const double *der_vertex_frame_q(const der *d, const double *q, int frame)
{
    return q + 3 * d->n + 3 * d->edges + d->n + 1 + CARRIER_Q * frame;
}

/* Cache: the geometry of each edge, then the strains of all joints, then the edges by coordinate. */
typedef struct der_edge {
    double e[3], t[3], m1[3], m2[3];
    double length, inverse; /* |e|, 1/|e| */
} der_edge;

/* Offset of a member among the doubles of a der_edge. */
#define EDGE(member) ((int)(offsetof(der_edge, member) / sizeof(double)))

static inline const der_edge *der_edges(const double *cache)
{
    return (const der_edge *)cache;
}
static inline const double *der_strains(const der *d, const double *cache) /* per vertex */
{
    return cache + (size_t)d->edges * (sizeof(der_edge) / sizeof(double));
}
static inline const double *der_vertex_frame_strains(
    const der *d, const double *cache) /* before, after, of each */
{
    return der_strains(d, cache) + (size_t)STRAINS * (size_t)d->n;
}
static inline int der_strain_offset(const der *d)
{
    return d->edges * (int)(sizeof(der_edge) / sizeof(double));
}
static inline int der_vertex_frame_strain_offset(const der *d)
{
    return der_strain_offset(d) + STRAINS * d->n;
}
/* The same of the edges again, coordinate by coordinate: what kernels over lanes read of consecutive edges. */
enum { OF_EDGES_E = 0, OF_EDGES_T = 3, OF_EDGES_INVERSE = 6, OF_EDGES };
static inline int der_coordinate_offset(const der *d, int coordinate)
{
    return der_vertex_frame_strain_offset(d) + 2 * STRAINS * d->frame_count + coordinate * d->edges;
}
static inline int der_cache_count(const der *d)
{
    return der_coordinate_offset(d, OF_EDGES);
}

static inline int der_edge_before(const der *d, int vertex)
{
    return vertex > 0 ? vertex - 1 : d->closed ? d->edges - 1 : -1;
}
static inline int der_edge_after(const der *d, int vertex)
{
    return vertex < d->edges ? vertex : -1;
}
static inline bool der_has_joint(const der *d, int vertex)
{
    return (d->closed || (vertex > 0 && vertex < d->n - 1)) && d->frame_at[vertex] < 0;
}
/* Lengths that belong to a joint: twice the Voronoi length, corrected beside vertex frames for bending. */
typedef struct joint_cells {
    double bending, twisting;
} joint_cells;

static inline joint_cells der_joint_cells(const der *d, int vertex)
{
    return (joint_cells){d->bending_cell[vertex], d->cell[vertex]};
}
static inline joint_cells der_frame_cells(const der *d, int frame, int side, int edge)
{
    return (joint_cells){d->frame[frame].bending_cell[side], d->rest[edge]};
}
static inline int der_main_dofs(const der *d)
{
    return 3 * d->n + d->edges;
}
/* The band's order: x_i, the length row of the edge before, θ_i. An open rod has no edge before its
 * first vertex (a hole in the order) and no θ at its last. */
static inline int der_pitch(const der *d)
{
    return d->inextensible ? 5 : 4;
}
static inline int der_band_count(const der *d)
{
    return der_pitch(d) * d->n - (d->closed ? 0 : 1);
}
static inline int der_vertex_frame_dof(const der *d, int frame)
{
    return der_main_dofs(d) + 3 * frame;
}
static inline int der_next(const der *d, int vertex) /* the other end of the edge after `vertex` */
{
    return vertex + 1 < d->n ? vertex + 1 : 0;
}

/* ---- frame.c --------------------------------------------------------------------------- */

void cord__der_retract(const void *model, double *q, const double *increment);
void cord__der_shift(const void *model, const double *from, const double *increment, double *q);
void cord__der_rotate_frame(const void *model, double *q, int unit, const double w[3]);
void cord__der_refresh(const void *model, const double *q, double *cache);
void cord__der_refresh_rows(const void *model, const double *q, double *cache);
double cord__der_nonlinearity(const void *model, const double *cache, const double *increment);
/* Set the joint strains of a cache from its edges and the twists in q. */
void cord__der_strains_of(const der *d, const double *q, double *cache);

/* The joint strains between two frames; see joint.h. */
void cord__der_joint_strains(const der *d, const double *frame0, const double *frame1, double twist,
                             double *strain);

/* ---- shape.c: construction from a definition --------------------------------------------------- */

cord_status cord__der_create(const cord_strand_def *def, memory *m, void **model, char *why,
                             size_t size);
void cord__der_destroy(void *model, memory *m);
/* The arrays of a rod whose counts are set, without vertex frames; on failure some are NULL. */
cord_status cord__der_allocate(der *d, memory *m);
/* Coordinates, masses and cells of all vertices and edges from the natural lengths; uniform density. */
void cord__der_set_cells(der *d);

/* ---- divide.c ----------------------------------------------------------------------------------- */

extern const division_ops cord__der_division;

/* ---- vertex_frame.c ----------------------------------------------------------------------------- */

cord_status cord__der_attach(void *model, memory *m, measure what, double s, attachment *at);
/* The edge that contains s, and the fraction along it (0 to 1). */
int cord__der_edge_at(const der *d, double s, double *fraction);
void cord__der_extend(const void *model, double *q, int from);
/* The cells of bending, from those of the vertices and from the vertex frames. */
void cord__der_set_bending_cells(der *d);
void cord__der_point_jacobian(const void *model, const double *q, const double *cache,
                              const attachment *at, measure what, point_jacobian *j);
void cord__der_frame_at(const void *model, const double *q, const double *cache, double s,
                        double *frame);

/* ---- slide.c --------------------------------------------------------------------------- */

int cord__der_element_at(const void *model, const double *q, double s);
void cord__der_slide(const void *model, const double *q, const double *cache, int element, double s,
                     sliding_jacobian *j);

/* ---- contact_curve.c ------------------------------------------------------------------- */

extern const contact_ops cord__der_contact;

/* ---- elastic.c ------------------------------------------------------------------------- */

/* One evaluation of the rod's equations; the pointers of the step are NULL except for `midpoint`. */
typedef struct der_eval {
    block_eval at;
    midpoint_step step;
} der_eval;
void cord__der_assemble(const void *model, const der_eval *in, double *r, double *g,
                        local_matrix *matrix);
void cord__der_assemble_extended(const void *model, const der_eval *in, double *r, double *g,
                                 local_matrix *matrix);
void cord__der_energy(const void *model, const environment *env, const double *q,
                      const double *cache, const double *v, const double *inertial_v,
                      block_energy *e);

/* ---- sample.c: where a rod is reported -------------------------------------------------------- */

static inline int der_reported(const der *d)
{
    return d->reported > 0 ? d->reported : d->n;
}
static inline int der_reported_edges(const der *d)
{
    return d->reported > 0 ? d->reported - 1 : d->edges;
}
/* The edge of reported vertex i, and its weight at the far end of that edge. */
int cord__der_vertex_edge(const der *d, int i, double *weight);
/* The edge in the middle of reported edge i. */
int cord__der_middle_edge(const der *d, int i);
/* Curvatures (about the first director, about the second, twist) at a vertex. */
void cord__der_curvature(const der *d, const double *cache, int vertex, double k[3]);

/* ---- growth.c --------------------------------------------------------------------------------- */

extern const growth_ops cord__der_growth;

/* ---- parameters.c --------------------------------------------------------------------------- */

/* The strains between two frames that are `length` apart on a curve of constant curvature k (about the first director,
 * about the second, twist), added to `strain`. */
void cord__der_add_strains(const der *d, const double k[3], double length, double *strain);

cord_status cord__der_prepare_parameters(void *model, memory *m);
void cord__der_set_parameters(void *model, const strand_parameters *p);
void cord__der_row_drift(const void *model, const double *cache, double *rate);

/* ---- twist.c: quasistatic twist -------------------------------------------------------- */

cord_status cord__der_relax(const void *model, double *q, double *cache, double *work);

/* ---- project.c: fast projection -------------------------------------------------------- */

int cord__der_project(const void *model, const double *q, double *increment,
                      const double *inverse_mass, double *multipliers, double tolerance,
                      int max_iterations, double *work);

/* ---- batch.c: rods of equal shape, several to a vector ---------------------------------- */

extern const batch_ops cord__der_batch;

extern const strand_ops cord__der;

#endif
