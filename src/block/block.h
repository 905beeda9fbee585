/* What a block is: the interface that strand models (and later bodies and sliders) fill, and that
 * points, constraints, islands and the step use. Nothing above this file knows a model.
 *
 * A block owns a configuration q (a manifold; whatever depends on the path is part of it), a
 * velocity of `columns` numbers, and `rows` internal constraints g(q) = 0 with multipliers λ.
 * Its equations are
 *
 *     r = M a + c(q, v) + ∂V/∂q − f(q, v, t) − Bᵀλ = 0,     g(q) = 0,     B = ∂g/∂q.
 *
 * The integrator says v = c_v d + v̂ and a = c_a d + â for an increment d of q and asks for r, g and
 * the matrix of Newton's method; a block never knows which integrator runs. */
#ifndef CORDAGE_BLOCK_BLOCK_H
#define CORDAGE_BLOCK_BLOCK_H

#include "block/wind.h"
#include "math/band.h"
#include "math/linked.h"
#include "math/memory.h"
#include "block/strand_traits.h"

#include <stdbool.h>
#include <string.h>

/* What the world does to every block. */
typedef struct environment {
    double time;
    double gravity[3];
    const wind *wind; /* NULL: still air */
} environment;

/* Counts and shape of a block; constant between changes of topology.
 *
 * Unknown u < columns is a velocity column, unknown columns + r is the multiplier of row r.
 * `position[u]` is its place in the block's elimination order, where a row comes after every column
 * it couples (so that its pivot exists even when some of them are held). The first `band_count`
 * positions have a banded matrix; the rest (columns that exist only while
 * something is attached) meet the band through cliques. */
typedef struct block_shape {
    int q_count; /* doubles of configuration */
    int dofs;
    int rows;
    int cache_count;            /* doubles of cache */
    int band_count, band_width; /* width -1: positions as of a band, but all entries are extras */
    int unused_position;        /* a position that belongs to no unknown, or -1 */
    bool cyclic;                /* the band wraps round */
    int group;                  /* band positions that belong to one node of the strand */
    int cliques;
    int clique_dofs;   /* columns of each clique, the same for all */
    int jacobian_dofs; /* most columns a jet has */
    /* A block whose inertia is not constant in its columns gives places x(q), numbers with constant
     * masses, instead: the integrator's formulas then act on them, v = c_v (x − x₀) + v̂ and so for
     * a. The equations keep a symmetric matrix, and no velocity-dependent terms are needed. */
    int inertial_count;
    int private_count;    /* doubles that hold the matrix and the factor of a block that solves for
                          itself while it is alone in its island; 0: it does not */
    int work_count;       /* doubles of workspace for project and relax */
    int shared_dofs;      /* the last columns are those of what it rides on (block.ride) */
    int unsymmetric_rows; /* rows that may need corrections, see ops->skew */
    int dense_rows; /* the last rows are over so many columns that they come after all of the island's */
    int extra_entries; /* entries of the matrix beyond band and cliques, each listed */
    bool moves_freely; /* any place of it, with its frame, can move any way by itself */
    bool
        assembles_from_rows_cache; /* `assemble` reads no more of its cache than rows do; of `start` and `end` it does */
    bool direct_assembly; /* it adds to the band by matrix_entry() */
    int parts; /* `assemble` can be asked for one of so many at a time, and adds to r then; 0: it cannot */
} block_shape;

/* The lower band by columns: entry (j + k, j) is a[j·BAND_STRIDE(width) + k]; rows beyond the last
 * wrap round when cyclic. */
typedef struct local_matrix {
    double *band;
    const int *
        slot; /* not NULL: entry (j + k, j) is band[slot[j·(width + 1) + k]], in the island's sparse matrix */
    double *cliques; /* clique c: dense clique_columns², symmetric, both triangles */
    double *
        private_matrix; /* not NULL: a block that solves for itself puts its matrix here, in its own form */
    double *extras; /* entry i is at extras[extra_slot[i]], in the island's sparse matrix */
    const int *extra_slot;
} local_matrix;

/* Of the band, of that width: so far below the diagonal of a column. */
static inline double *matrix_entry(const local_matrix *m, int width, int dof, int below)
{
    const size_t j = (size_t)dof, k = (size_t)below;
    if (!m->slot) return m->band + j * (size_t)BAND_STRIDE(width) + k;
    return m->band + m->slot[j * (size_t)(width + 1) + k];
}

typedef struct block_eval {
    const environment *environment;
    const double *q, *cache; /* where to evaluate; cache refreshed from q */
    const double *v, *a, *lambda;
    const double *inertial_v, *inertial_a; /* of the places, for blocks that have them */
    const unsigned char *prescribed;       /* per column: prescribed from outside */
    /* matrix = c_a M + c_v D + c_k (K + K_g) + ρ BᵀB, and B; r has ρ Bᵀg added to match. The block
     * chooses ρ of the size of the rest, so that columns which only rows determine have a pivot.
     * The solution and the count of negative pivots are as without it. */
    double c_a, c_v, c_k;
    bool rows_only; /* projections: r is ρ Bᵀg alone, no forces, no inertia, no multipliers */
    bool rowless;   /* r is forces alone: there are no multipliers, and nobody asks for g */
    /* `midpoint`: ∂V/∂q is the discrete gradient between start and end, which are `d` apart; q is
     * half way, and g is taken at the end. NULL otherwise. */
    const double *start, *end; /* caches */
    const double *d;
    /* The papers' semi-implicit step: not NULL, the velocities at the start. q stays there; what is
     * linear in q (elasticity, internal damping) is taken at q + d, the rest at the start, with
     * velocity terms of `v_start`; `velocity_terms`: to first order in v − v_start as well. */
    const double *v_start;
    bool velocity_terms;
    /* `in_parts`: no more than this one of shape.parts; r is zero before the first, and added to. */
    bool in_parts;
    int part;
} block_eval;

typedef struct block_energy {
    double kinetic, gravity, stretching, bending, twisting;
    double linear[3], angular[3];
} block_energy;

/* Where a point sits on a block. */
typedef enum measure {
    MEASURE_POSITION,   /* 3 numbers */
    MEASURE_FRAME,      /* 9 numbers: tangent and two directors; variations are rotation vectors */
    MEASURE_CURVATURE,  /* 3 numbers: twist, and about the two directors */
    MEASURE_COORDINATE, /* of a slider */
} measure;

typedef struct attachment {
    int index; /* the block's own */
    double weight[7];
    int unit; /* >= 0: the jet is the identity on columns unit .. unit + 2, always */
    bool
        crosses_elements; /* index is a piece (ops->piece) that the material leaves as the block moves */
    bool tangent_only; /* of a frame: only its first axis has a meaning */
} attachment;

#define ROW_DOFS 32
#define CLIQUE_DOFS 16 /* at most */
#define BODY_DOFS 6
#define UNSYMMETRIC_UNKNOWNS 64
#define JACOBIAN_RUNS 10
#define SLIDING_HESSIAN_DOFS 24 /* at most of a sliding_jacobian with `curving` */
#define JACOBIAN_DOFS_MAX 64    /* for jets on the stack; models with more say so when they come */
typedef struct point_jacobian {
    double value[9];
    int runs;
    struct {
        int first, count; /* columns of the block */
    } run[JACOBIAN_RUNS];
    int dofs;          /* in all runs */
    double *J;         /* 3 × columns by columns; storage is the caller's */
    bool value_only;   /* nobody asks for the rest */
    bool axis_aligned; /* column c is along axis c mod 3 alone */
} point_jacobian;

/* A block that rides on another has that one's columns, and its configuration, among its own: all of a body's or a
 * coordinate's, or those of one place of a strand. */
typedef enum parent_kind { PARENT_BODY, PARENT_COORDINATE, PARENT_STRAND } parent_kind;

typedef struct block block;
typedef struct shared_dofs {
    int dof, dofs, q, q_count; /* in the rider */
    int parent_dof;            /* column in the carrier */
    parent_kind kind;
    int parent_slot;  /* of the carrier, among bodies, coordinates or strands */
    int parent_block; /* of the carrier, in the problem's list */
    double s;         /* on a strand: where, and how it has that; `at.unit` >= 0 */
    attachment at;
    linked parent_link; /* in the list of what rides on the carrier */
    block *child;       /* that it is of */
} shared_dofs;

/* Place of a strand at a coordinate that is itself an unknown: with its derivatives along the
 * strand (of the place: tangent, bend and third; of J: slope and curl). J, slope and curl are 3 ×
 * columns by columns. `spin`, one number per column: by how much it turns what carries the tangent
 * about that. curl and spin may be NULL: nobody asks. The strand's own frame is here (`framed`) where it
 * is known anyway or asked for (`whole`), and then the jet has its columns, too. With it come the rotation
 * vector by which it turns along the strand and how that changes, R κ and R κ'; and turning, like curl,
 * is how a column's turn of it changes along the strand. What a torque on it does, ∂(Jᵀw)/∂q, is in
 * `stiffen_slide`; or, where it depends on more columns than the block's matrix couples, here (`curved`). */
typedef struct sliding_jacobian {
    double value[3], r_s[3], r_ss[3], r_sss[3];
    bool with_frame, has_frame, has_hessian;
    const double *torque; /* NULL: nobody asks */
    double *hessian;      /* columns² */
    double frame[9], frame_rate[3], frame_rate_s[3];
    int runs;
    struct {
        int first, count;
    } run[JACOBIAN_RUNS];
    int dofs;
    double *J, *J_s, *J_ss, *tangent_spin, *rotation_J_s;
} sliding_jacobian;

typedef struct block_ops {
    const char *name;

    /* Required. `model` is the block's constant data. */
    void (*describe)(const void *model, block_shape *shape);
    void (*elimination_order)(const void *model, int *position); /* columns + rows numbers */
    /* Per column: what is a small change; and for one without inertia a typical stiffness (0: none). */
    void (*scales)(const void *model, double *scale, double *stiffness);
    void (*initial)(const void *model, double *q, double *v);
    void (*retract)(const void *model, double *q, const double *d); /* q ← q ⊕ d */
    void (*refresh)(const void *model, const double *q, double *cache);
    void (*assemble)(const void *model, const block_eval *in, double *r, double *g,
                     local_matrix *matrix /* zeroed; NULL: r and g only */);
    void (*energy)(const void *model, const environment *env, const double *q, const double *cache,
                   const double *v, const double *inertial_v, block_energy *e);
    cord_status (*attach)(void *model, memory *m, measure what, double s, attachment *at);
    void (*point_jacobian)(const void *model, const double *q, const double *cache,
                           const attachment *at, measure what, point_jacobian *j);
    void (*destroy)(void *model, memory *m);

    /* Defaulted (NULL has a meaning). */
    /* With rows. */
    int (*row_dofs)(const void *model, int row, int *dofs); /* at most ROW_DOFS; the count */
    void (*row_rates)(const void *model, const double *cache, const double *v, double *rate);
    /* q beyond `from` is new: attachments made since; set it from the rest. New velocities are zero, and what
     * jets read of the cache stays where and as it is. */
    void (*extend)(const void *model, double *q, int from);
    /* Fix what nothing determines; touched: columns that constraints have a say in. */
    void (*pin)(const void *model, const unsigned char *touched, unsigned char *prescribed);
    /* With several shape.parts: the unknowns that one adds to; how many. */
    int (*part_unknowns)(const void *model, int part, int *unknowns);
    double (*step_bound)(const void *model, const double *cache, const double *d); /* 1 */
    /* As `refresh`, but only what rows, jets and step_bound read of the cache. NULL: all of it. */
    void (*refresh_rows)(const void *model, const double *q, double *cache);
    void (*clique_dofs)(const void *model, int clique, int *dofs);
    double (*row_error)(const void *model, const double *cache); /* largest relative violation */
    /* How much of the proximal term (factor.c) a row has, beside others: 1. */
    double (*proximal)(const void *model, int row);
    /* Columns that follow from others: set them in a velocity or an increment. */
    void (*set_dependent_dofs)(const void *model, const double *cache, double *v);
    /* Where the mass is not diagonal, in place of `mass`: typical inertia per column, 0 for a column
     * without any. */
    void (*inertia)(const void *model, double *weight);
    /* Typical inertia per column, where `mass` does not say it, and the largest stiffness over it. */
    double (*metric)(const void *model, double *weight);
    /* A force (or torque, or what works on curvature) w at an attachment whose jet is curved in q:
     * add c_k times −∂(Jᵀw)/∂q to the matrix. */
    void (*add_geometric_stiffness)(const void *model, const double *q, const double *cache,
                                    const attachment *at, measure what, const double w[3],
                                    double c_k, local_matrix *matrix);

    /* Sliding, NULL: no point slides on it. A piece is a stretch on which a place depends on the same
     * columns; pieces join with their tangents, but for the kinks of a cable. */
    int (*element_at)(const void *model, const double *q, double s);
    void (*sliding_jacobian)(const void *model, const double *q, const double *cache, int element,
                             double s, sliding_jacobian *j);
    /* `midpoint`: constraints that lack work over the step's increment d ask for it here: add to r, where
     * it does not change momenta, so that r · d grows by it. NULL: constraints see to it themselves. */
    void (*energy_correction)(const void *model, const double *d, double c_a, double work,
                              double *r);

    /* As `stiffen`, of a force at such a place or a torque on the frame there; NULL: it is linear
     * in the columns. */
    void (*add_sliding_stiffness)(const void *model, const double *cache, int element, double s,
                                  measure what, const double w[3], double c_k,
                                  local_matrix *matrix);

    /* With shape.places. */
    void (*inertial_coordinates)(const void *model, const double *q, const double *cache,
                                 double *x);
    void (*inertial_rates)(const void *model, const double *cache, const double *v, double *x_rate);
    /* Its transpose, with the masses: what velocities of places have of momentum, added to it. */
    void (*inertial_momenta)(const void *model, const double *cache, const double *x_rate,
                             double *momentum);

    /* With shape.private_count: factor and solve what `assemble` left in local_matrix.own, in the
     * order of `positions`. Held columns: x has what is given. */
    bool (*factor)(const void *model, const unsigned char *prescribed, double *own, int *negative);
    void (*solve)(const void *model, const unsigned char *prescribed, const double *own, double *x);

    /* Momentum per column that its velocities lack after a change of nodes. */
    void (*topology_impulse)(const void *model, const double *cache, const double *v,
                             double *impulse);

    /* The trial begins at this configuration. */
    void (*start_step)(const void *model, const double *cache);

    /* With shape.skews: rows that do not fit in a symmetric matrix are put there as if they did, and this
     * says what is to be added to row *row (an unknown of the block), not to its column: so many unknowns, at
     * most UNSYMMETRIC_UNKNOWNS, with values. 0: nothing is. */
    int (*unsymmetric_row)(const void *model, int which, int *row, int *unknown, double *value);

    /* Whether the block ends to be what it is at q (a cable lets go of a wheel): a search for an equilibrium
     * goes no further. NULL: never. */
    bool (*topology_ends)(const void *model, const double *q);

    /* With shape.extras: pairs of unknowns. */
    void (*extra_entries)(const void *model, int *pairs);

    /* Optional: what `symplectic` needs. Without a diagonal mass: the mean acceleration of a step of h
     * under −r, with what the block's own motion adds treated stably. */
    void (*accelerate)(const void *model, const double *cache, const double *r, const double *v,
                       double h, double *a);
    void (*mass)(const void *model, double *diagonal);
    /* M⁻¹ r of such a block, of BODY_DOFS columns. */
    void (*mass_solve)(const void *model, const double *cache, const double *r, double *out);
    /* The places of q are those of `from` moved by d; frames stay behind. */
    void (*translate)(const void *model, const double *from, const double *d, double *q);
    /* With frames without inertia: turn the one of columns unit .. unit + 2 by a rotation vector. */
    void (*rotate_frame)(const void *model, double *q, int unit, const double w[3]);
    /* Of all rows: values, and slopes over their row_columns(), one after the other. Returns the largest
     * relative violation. */
    double (*row_jacobian)(const void *model, const double *q, double *g, double *derivatives);
    /* Change the increment d from q until the rows hold to `tolerance`; returns the iterations, or
     * -1. Multipliers are added to. */
    int (*project)(const void *model, const double *q, double *d, const double *inverse_mass,
                   double *multipliers, double tolerance, int max_iterations, double *work);
    cord_status (*solve_quasistatic)(const void *model, double *q, double *cache, double *work);
} block_ops;

/* Stability of a strand at rest under its loads: K + G, K elastic, G of the loads. */
typedef struct strand_stability {
    bool
        base; /* the base's free columns are held by the loads alone; if not, nothing below helps */
    double lowest_elastic, lowest_load; /* eigenvalues of K and of G */
    double sharp_factor;                /* s K + G is positive definite for s above this */
} strand_stability;

/* The table of a strand model: what the strand queries of the public API read. */
typedef struct strand_ops {
    block_ops block;
    strand_traits traits;
    cord_status (*create)(const cord_strand_def *def, memory *m, void **model, char *why,
                          size_t size);
    void (*info)(const void *model, cord_strand_info *info);
    void (*get_positions)(const void *model, const double *q, const double *cache, double *x);
    void (*get_velocities)(const void *model, const double *q, const double *cache, const double *v,
                           double *x);
    void (*displacement)(const void *model, const double *q, const double *x, double *d);
    void (*set_velocities)(const void *model, const double *q, const double *cache, double *v,
                           const double *x);
    void (*frames)(const void *model, const double *q, const double *cache, double *frames);
    void (*curvatures)(const void *model, const double *q, const double *cache, double *k);
    void (*angles)(const void *model, const double *q, const double *cache, double *theta);
    void (*tensions)(const void *model, const double *q, const double *cache, const double *lambda,
                     double *t);
    void (*frame_at)(const void *model, const double *q, const double *cache, double s,
                     double *frame);
    void (*set_closing_twist)(const void *model, double *q, double angle); /* NULL: none */
    /* Chains: curvatures and natural ones as a definition has them; either may be NULL. NULL: none. */
    void (*elements)(const void *model, const double *q, double *curvatures, double *natural);
    /* Inverse statics, NULL: none. `reduce` puts the forces on all columns onto the free ones and
     * leaves in `lambda` what passes the rows; `rest` changes the natural shape so that they balance;
     * `stability` reads the matrix that `assemble` makes there. */
    void (*reduce_forces)(const void *model, const double *cache, double *r, double *lambda);
    cord_status (*set_natural_shape)(void *model, memory *m, const double *r);
    cord_status (*stability)(const void *model, memory *m, const unsigned char *prescribed,
                             const double *own, strand_stability *out);
    void (*scale_stiffness)(void *model, double factor);
} strand_ops;

struct block {
    const block_ops *ops;
    void *model;
    block_shape shape;
    int q0, v0, l0; /* where its numbers begin in the world's arrays */
    int cache0, inertial0;
    int island;                  /* of the partition */
    int unknown0;                /* its first unknown in its island */
    double load_acceleration[3]; /* a load spread along it, over its mass: acts beside gravity */
    unsigned char *prescribed;   /* per column */
    /* Columns of another block that are these columns' own (a frame without inertia, welded to one that
     * has it): per column the block in the problem's list, or -1, and the column there. */
    int *alias_block, *alias_dof;
    double *alias_scale; /* `midpoint`: the increment of this column over that of the other */
    unsigned char *
        quasistatic; /* per column: without inertia, and so is all that constraints tie it to: it is
                               in equilibrium at the end of every step */
    int *order;
    double *scale, *stiffness;    /* per column; see ops->scales */
    double *mass;                 /* diagonal, where ops->mass exists; or ops->inertia */
    double *metric;               /* per column: mass, or what stands for it */
    double stiffness_over_metric; /* ops->metric: stiffness over metric at most */
    double *band;                 /* matrix storage */
    double *cliques;
    double *private_matrix;
    const int *slot; /* in a sparse matrix: where its numbers go, the band's first */
    double *storage; /* the memory of the arrays above */
    int shared_count;
    shared_dofs *shared;
};

/* The configuration of what is ridden on, from its carrier's: `q` is that of the whole carrier. */
static inline void shared_dofs_read(const shared_dofs *on, const block *by, const double *q,
                                    double *out)
{
    if (on->kind != PARENT_STRAND) {
        memcpy(out, q, (size_t)on->q_count * sizeof *out);
        return;
    }
    double J[9];
    point_jacobian j = {.J = J};
    /* Where a place is three columns by themselves it is known without a cache. */
    by->ops->point_jacobian(by->model, q, NULL, &on->at, MEASURE_POSITION, &j);
    memcpy(out, j.value, 3 * sizeof *out);
}

#endif
