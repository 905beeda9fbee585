/* A block: the interface that strand models, bodies and sliders implement, and that points, constraints, clusters and
 * the step use. Nothing above this file knows a model.
 *
 * A block has a configuration q on a manifold (path-dependent quantities are part of it), a velocity v of `dofs`
 * components, and `rows` internal constraints g(q) = 0 with multipliers λ. Its equations are
 *
 *     r = M a + c(q, v) + ∂V/∂q − f(q, v, t) − Bᵀλ = 0,     g(q) = 0,     B = ∂g/∂q.
 *
 * The integrator sets v = c_v d + v̂ and a = c_a d + â for an increment d of q and asks for r, g and the matrix of
 * Newton's method; a block never knows which integrator runs.
 *
 * Three kinds of data are separate. The model (`void *model`) is the definition: constant while the world steps, and
 * const in every operation of a step. The state (q, v, λ) and the cache, a function of q, are arrays of the world. Scratch
 * is workspace of the caller, shape.work_count doubles whose contents are undefined on entry and on return. */
#ifndef CORDAGE_BLOCK_BLOCK_H
#define CORDAGE_BLOCK_BLOCK_H

#include "block/batch.h"
#include "block/growth.h"
#include "block/schedule.h"
#include "block/wind.h"
#include "math/band.h"
#include "math/intrusive_list.h"
#include "math/memory.h"
#include "block/strand_traits.h"

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

/* External fields that act on every block. */
typedef struct environment {
    double time;
    double gravity[3];
    const wind *wind;   /* NULL: still air */
    double spin_filter; /* `midpoint`: the requested duration of steps, s; 0: another integrator */
} environment;

/* A block that is one generalised coordinate (block/slider.h). */
typedef struct block_coordinate {
    bool is_one;
    double friction; /* of its rate, N s/m */
    double inertia;  /* kg, of an angle kg m² */
} block_coordinate;

/* The mass matrix over the dofs, and the meaning of block_ops.inertia. */
typedef enum mass_kind {
    MASS_DIAGONAL, /* constant and diagonal: the weights are its diagonal, 0 for a dof without inertia */
    MASS_COUPLED, /* constant, not diagonal: typical inertia per dof, 0 for a dof without inertia */
    MASS_CONFIGURATION /* depends on q, every dof has inertia: the weights are typical values */
} mass_kind;

/* Counts and matrix structure of a block; constant between changes of topology.
 *
 * Unknown u < dofs is a velocity component, unknown dofs + i is the multiplier of row i. The elimination order gives each
 * unknown a position, a row after every dof that it couples, so that its pivot exists even when some of them are
 * prescribed. The first `band_count` positions have a banded matrix. The others (dofs that exist only while something is
 * attached) couple to the band by extra entries. */
typedef struct block_shape {
    int q_count;    /* doubles of configuration */
    int side_count; /* doubles that the block remembers between steps; see memory_ops */
    int dofs;
    int rows;
    int cache_count; /* doubles of cache */
    int work_count;  /* doubles of workspace for block_eval.work and for projections */
    mass_kind mass;
    int band_count,
        band_width; /* width -1: the positions are those of a band, all entries are extra entries */
    int band_group; /* positions whose columns end at the same row; see math/band.h. 0 or 1: none */
    int unused_position; /* a position of the band that belongs to no unknown, or -1 */
    bool cyclic;         /* the band wraps round */
    bool
        sets_band; /* of a block alone in its cluster `assemble` sets all entries of the band, which need not be cleared */
    int group;     /* band positions that belong to one node of the strand */
    int extra_entries;    /* block_ops.extra_entries: how many */
    int jacobian_dofs;    /* most dofs of a point Jacobian */
    int contact_dofs;     /* most dofs of a sliding Jacobian with tangent_spin and frame */
    int inertial_count;   /* block_ops.inertial: inertial coordinates, 0: inertia is in the dofs */
    int private_count;    /* block_ops.private_solver: doubles of its matrix and factor */
    int parts;            /* block_ops.parts: how many, 0: the block is assembled as a whole only */
    int shared_dofs;      /* the last dofs are those of parent blocks (block.shared) */
    int unsymmetric_rows; /* rows that may need a correction: local_matrix.unsymmetric */
    bool events_read_cache; /* topology->time_to_event reads the cache */
    block_coordinate coordinate;
    double
        softest; /* the least over the largest stiffness, of a block with inertial coordinates; 0: equal ones */
    int dense_rows; /* the last rows couple so many dofs that they are eliminated after all of the cluster */
    bool
        foresees_error; /* of the block alone: the next correction of Newton's method is about `nonlinearity` times the last */
    bool moves_freely; /* any position of it, with its frame, can move in any direction by itself */
    bool
        assembles_from_rows_cache; /* `assemble` reads no more of the cache than refresh_rows() writes; of the caches of a
                                     * midpoint_step it reads all */
} block_shape;

#define UNSYMMETRIC_UNKNOWNS 64

/* A row that does not fit in a symmetric matrix is put there as if it did. `value` is to be added to its entries at
 * `unknown`, and not to the column: A + e_row valueᵀ. Unknowns are those of the block. count 0: no correction. */
typedef struct unsymmetric_row {
    int row, count;
    int unknown[UNSYMMETRIC_UNKNOWNS];
    double value[UNSYMMETRIC_UNKNOWNS];
} unsymmetric_row;

/* Where a block adds its entries: in the matrix of its cluster, which is a band or sparse. The block's own band is
 * addressed by columns, lower triangle: entry (j + k, j) has the index j·stride + k in `slot`, or in `values` where the
 * matrix is this band; rows beyond the last wrap round when it is cyclic. */
typedef struct local_matrix {
    double *values;
    const int *
        slot; /* per entry of the block's band: its index in a sparse matrix; NULL: the matrix is the band */
    int stride;            /* width + 1 with `slot`, BAND_STRIDE(width) without */
    const int *extra_slot; /* per extra entry: its index in values */
    double *
        private_matrix; /* not NULL: the block's private solver factors this matrix, in its own storage */
    unsymmetric_row *unsymmetric; /* shape.unsymmetric_rows of them, all to be set */
    /* Not NULL: the inertia of the exact matrix is requested. Rounding errors of sums are added here, at the indices of
     * `values`, and proximal terms are omitted. */
    double *low;
} local_matrix;

/* Entry (column + below, column) of the band, by positions. */
static inline double *matrix_entry(const local_matrix *m, int column, int below)
{
    const size_t at = (size_t)column * (size_t)m->stride + (size_t)below;
    return m->values + (m->slot ? (size_t)m->slot[at] : at);
}

/* Adds the lower triangle of a dense matrix, column c of it at a + c·count, over positions that ascend: first + offset. */
static inline void matrix_add_dense(const local_matrix *m, int count, int first, const int *offset,
                                    const double *a)
{
    const size_t stride = (size_t)m->stride, base = (size_t)first * stride;
    for (int c = 0; c < count; c++, a += count) {
        const size_t column = base + (size_t)offset[c] * (stride - 1); /* + row = entry */
        for (int r = c; r < count; r++) {
            const size_t at = column + (size_t)offset[r];
            m->values[m->slot ? (size_t)m->slot[at] : at] += a[r];
        }
    }
}

static inline double *matrix_extra_entry(const local_matrix *m, int i)
{
    return m->values + m->extra_slot[i];
}

/* One evaluation of a block's equations.
 *
 *     matrix = [ c_a M + c_v D + c_k (K + K_g) + μ K + ρ BᵀB   Bᵀ ]
 *              [ B                                              0 ]
 *
 * with K of bending and twist alone after the factor μ, `proximal`, and r has ρ Bᵀg added to match. The block chooses ρ of the size of the rest, so that dofs which only rows determine have
 * a pivot. Neither the solution nor the count of negative pivots depends on ρ. */
typedef struct block_eval {
    const environment *environment;
    const double *q, *cache; /* where to evaluate; cache refreshed from q */
    const double *v, *a, *lambda;
    const double *inertial_v,
        *inertial_a;                 /* of the inertial coordinates, for blocks that have them */
    const unsigned char *prescribed; /* per dof: a Dirichlet unknown */
    const double *side;              /* shape.side_count values of the trial */
    double *work;                    /* shape.work_count doubles of scratch; NULL where that is 0 */
    double c_a, c_v, c_k;
    /* Statics: a factor of the stiffness of bending and twist that is added to the matrix. A block without such a stiffness
     * need not read it. */
    double proximal;
    const double *
        row_start; /* g at the start, which a step relative to it leaves as it is: ρ Bᵀ has g less this; NULL: 0 */
    bool rows_only; /* projections: r is ρ Bᵀg alone, no forces, no inertia, no multipliers */
    bool rowless;   /* r is forces alone: there are no multipliers, and g is not read */
    bool
        augmented; /* without a matrix too r is to have ρ Bᵀg, for a factor that has ρ BᵀB (cables do) */
} block_eval;

typedef struct block_energy {
    double kinetic, gravity, stretching, bending, twisting;
    double linear[3], angular[3];
} block_energy;

/* The quantities of a point. */
typedef enum measure {
    MEASURE_POSITION, /* 3 components */
    MEASURE_FRAME,    /* 9 components: tangent and two directors; variations are rotation vectors */
    MEASURE_CURVATURE,  /* 3 components: twist, and about the two directors */
    MEASURE_COORDINATE, /* of a slider */
} measure;

/* Where a point sits on a block; index and weight are the model's. */
typedef struct attachment {
    int index;
    double weight[7];
    int unit; /* >= 0: J is the identity on dofs unit .. unit + 2, always */
    bool
        crosses_elements; /* index is an element (sliding_ops.element_at) that the material leaves as the block moves */
    bool tangent_only; /* of a frame: only its first axis has a meaning */
} attachment;

#define ROW_DOFS 32
#define BODY_DOFS 6
#define BODY_INERTIAL 12
#define JACOBIAN_RUNS 10
#define SLIDING_HESSIAN_DOFS 24 /* at most of a sliding_jacobian with a Hessian */
#define JACOBIAN_DOFS_MAX 64    /* at most, for point Jacobians on the stack */

/* Value of a measure at a point, and J = ∂value/∂q. */
typedef struct point_jacobian {
    double value[9];
    int runs;
    struct {
        int first, count; /* dofs of the block */
    } run[JACOBIAN_RUNS];
    int dofs;          /* in all runs */
    double *J;         /* 3 × dofs by columns; storage is the caller's */
    bool value_only;   /* the caller does not read the rest */
    bool axis_aligned; /* column c is along axis c mod 3 alone */
} point_jacobian;

/* A child block has dofs of a parent, and their configuration, among its own: all of a body's or of a coordinate's, or
 * those of one position of a strand. */
typedef enum parent_kind { PARENT_BODY, PARENT_COORDINATE, PARENT_STRAND } parent_kind;

typedef struct block block;
typedef struct shared_dofs {
    int dof, dofs, q, q_count; /* in the child */
    int parent_dof;            /* in the parent */
    parent_kind kind;
    int parent_slot;  /* of the parent, among bodies, coordinates or strands */
    int parent_block; /* of the parent, in the problem's list */
    double s;         /* on a strand: the material coordinate, and its attachment, `at.unit` >= 0 */
    attachment at;
    list_link parent_link; /* in the list of the parent's children */
    block *child;
} shared_dofs;

/* Position r(q, s) of a strand at a material coordinate s that is an unknown, with r_s, r_ss, r_sss, J = ∂r/∂q, and
 * J_s, J_ss; J, J_s and J_ss are 3 × dofs by columns. `tangent_spin`, per dof: the rotation about the tangent of the frame
 * that is transported to it, with `with_frame`. J_ss, tangent_spin and rotation_J_s may be NULL: the caller does not read
 * them; rotation_J_s requires the other two.
 *
 * The strand's frame R is set (`has_frame`) where the model knows it anyway or the caller asks for it (`with_frame`); then
 * the runs include its dofs, and frame_rate = R κ and frame_rate_s = R κ' are its rotation along the strand and the
 * derivative of that; rotation_J_s is the derivative along the strand of each dof's rotation of the frame. The stiffness
 * ∂(Jᵀw)/∂q of a torque w is sliding_ops.add_stiffness, or `hessian` (`has_hessian`) where it couples more dofs than the
 * block's matrix. */
typedef struct sliding_jacobian {
    double value[3], r_s[3], r_ss[3], r_sss[3];
    bool with_frame, has_frame, has_hessian;
    const double *torque; /* NULL: no Hessian is asked for */
    double *hessian;      /* dofs² */
    double frame[9], frame_rate[3], frame_rate_s[3];
    int runs;
    struct {
        int first, count;
    } run[JACOBIAN_RUNS];
    int dofs;
    double *J, *J_s, *J_ss, *tangent_spin, *rotation_J_s;
} sliding_jacobian;

/* ---- capabilities ----------------------------------------------------------------------------
 *
 * A table that a block may have; block_ops points to it. NULL in block_ops means that the block does not have the
 * capability; the table at the end of block_ops says how it is then treated. Entries of a table are required unless their
 * comment says otherwise. */

/* Internal constraints g(q) = 0; required where shape.rows > 0. */
typedef struct row_ops {
    int (*dofs)(const void *model, int row,
                int *dofs); /* those it couples, at most ROW_DOFS; the count */
    void (*rates)(const void *model, const double *cache, const double *side, const double *v,
                  double *rate); /* B v */
    double (*error)(const void *model,
                    const double *cache); /* largest relative violation; NULL: 0 */
    /* The weight of a row's proximal term −ε (factor.c) relative to other rows. NULL: 1. */
    double (*proximal)(const void *model, int row);
    /* The name of a row in messages, as in "the length from node 2 on 'table' (line) to node 3 (free)". NULL: its rows have
     * no names. */
    void (*label)(const void *model, int row, char *out, size_t size);
} row_ops;

/* Frames that attachments add to the block: a discrete rod's vertex frames, three dofs without inertia each; the end joint
 * of a chain of segments. */
typedef struct frame_ops {
    /* q beyond `from` belongs to new attachments: set it from the rest. New velocities are zero, and the part of the cache
     * that point Jacobians read neither moves nor changes. */
    void (*extend)(const void *model, double *q, int from);
    /* Rotate the frame of dofs unit .. unit + 2 by a rotation vector. NULL: no such dofs are without inertia. */
    void (*rotate)(const void *model, double *q, int unit, const double w[3]);
} frame_ops;

/* Points at a material coordinate s that is an unknown: r(q, s), with r_s, r_ss, r_sss and ∂J/∂s, ∂²J/∂s² of
 * J = ∂r/∂q. An element is an interval of s on which r depends on the same dofs; elements join with continuous tangents,
 * except at the kinks of a cable. */
typedef struct sliding_ops {
    int (*element_at)(const void *model, const double *q, double s);
    void (*jacobian)(const void *model, const double *q, const double *cache, int element, double s,
                     sliding_jacobian *j);
    /* Add −c_k ∂(Jᵀw)/∂q of a force w there, or of a torque w on the frame there, to the matrix. NULL: r is linear in the
     * dofs. */
    void (*add_stiffness)(const void *model, const double *cache, int element, double s,
                          measure what, const double w[3], double c_k, local_matrix *matrix);
} sliding_ops;

typedef struct contact_segment contact_segment; /* contact/contact.h */

/* Points of which a position on a curve is a weighted sum, at most. */
enum { CURVE_POINTS = 4 };

/* The centreline of a strand for contact. Its segments are chords, in order along the strand. Velocities of its points follow
 * from sliding_ops.jacobian, which is required too. */
typedef struct contact_ops {
    int (*segment_count)(const void *model); /* constant between layouts */
    /* x, s, bulge and radius (of the section) of all segments; the cache is as refresh_rows() leaves it. */
    void (*segments)(const void *model, const double *q, const double *cache, contact_segment *out);
    /* Position and derivatives at s in a segment. */
    void (*curve)(const void *model, const double *q, const double *cache, int segment, double s,
                  double r[3], double r_s[3], double r_ss[3]);
    /* Where positions are weighted sums of points with three dofs each, one after another: the first dofs of those at s, each once,
     * and their weights; returns their number. NULL: they are not. */
    int (*points)(const void *model, int segment, double s, int first[CURVE_POINTS],
                  double weight[CURVE_POINTS]);
    /* Whether segments determine the curve (contact/contact.h). NULL: no. */
    bool (*in_segments)(const void *model);
    bool without_cache;                  /* segments() and curve() do not read the cache */
    double (*period)(const void *model); /* of s on a closed strand; 0: it is open */
    /* Whether its rotation about the tangent has inertia: friction then acts at the surface, else at the centreline. */
    bool (*spins)(const void *model);
} contact_ops;

/* The surface of a block. */
typedef struct contact_surface {
    bool exists;
    bool self;
    double radius; /* of a strand; 0: of its section */
    int material;
    uint32_t group, mask;
    int owner;     /* of remembered contacts: the strand as it was defined (solve/contacts.h) */
    double start;  /* its coordinate at which a fragment begins */
    double period; /* its length where it was closed and has broken; else 0 */
    /* Of its segments from their expected motion in the last steps (solve/contact_margin.c). */
    double deviation;
} contact_surface;

/* Inertia in reduced form: inertial coordinates x(q) with constant masses m. The kinetic energy is ½ Σ m ẋ², and
 * the integrator's formulas act on x, ẋ = c_v (x − x₀) + v̂ and ẍ = c_a (x − x₀) + â, so that the matrix is symmetric
 * and no velocity-dependent terms arise. Required where shape.inertial_count > 0 (but for sliders: force/point_mass.c, flywheel.c). */
typedef struct inertial_ops {
    void (*coordinates)(const void *model, const double *q, const double *cache, double *x);
    void (*rates)(const void *model, const double *cache, const double *v,
                  double *rate); /* ẋ = (∂x/∂q) v */
    /* momentum += (∂x/∂q)ᵀ m ẋ */
    void (*momenta)(const void *model, const double *cache, const double *rate, double *momentum);
    /* For a block whose momenta only forces change, d/dt (Jᵀ m ẋ) = Jᵀ m ẍ with J = ∂x/∂q: the velocity at x that has
     * these momenta. NULL, with the two after it: the velocity follows from ẋ. At most BODY_DOFS and BODY_INERTIAL. */
    void (*velocity)(const void *model, const double *x, const double *momentum, double *v);
    /* Whether its motion without forces over a step h differs from a uniform one, for which every scheme is exact. */
    bool (*rotates)(const void *model, const double *v, double h);
    /* The motion without forces: advances q and v by a time h, with the increment d of `retract`; then x, ẋ and ẍ. */
    void (*free_motion)(const void *model, double h, double *q, double *v, double *d, double *x,
                        double *x_v, double *x_a);
    /* The last inertial coordinates are the directors of so many sections, two of each, the one at the base first. NULL:
     * none, and no `base_rotation`. */
    int (*section_count)(const void *model);
    /* The dofs of a rotation of the block as a whole about the axis through its base. */
    void (*base_rotation)(const void *model, const double *cache, const double axis[3], double *d);
} inertial_ops;

/* A factorisation of the block's own, used while it is alone in its cluster. `assemble` sets
 * local_matrix.private_matrix, shape.private_count doubles, to which forces at points add; vectors are in the elimination order. */
typedef struct private_solver_ops {
    bool (*factor)(const void *model, const unsigned char *prescribed, double *matrix,
                   int *negative);
    /* x: right-hand side in, solution out; in positions of prescribed dofs, their values. */
    void (*solve)(const void *model, const unsigned char *prescribed, const double *matrix,
                  double *x);
    /* The part of the cache of q that inertial_ops.coordinates reads. */
    void (*refresh_coordinates)(const void *model, const double *q, double *cache);
} private_solver_ops;

/* Assembly part by part, for cache blocking (solve/cache_blocking.c): the sum over parts is the block's evaluation. */
typedef struct parts_ops {
    /* The unknowns that a part adds to; the count. NULL: all, there is one part. */
    int (*unknowns)(const void *model, int part, int *unknowns);
    /* As block_ops.assemble, of one part, and r is added to. */
    void (*assemble)(const void *model, const block_eval *in, int part, double *r, double *g,
                     local_matrix *matrix);
} parts_ops;

/* The step of `midpoint`: q of the evaluation is half way from start to end, which are d apart. */
typedef struct midpoint_step {
    const double *start, *end; /* caches */
    const double *d;
} midpoint_step;

/* The end of a step of `midpoint`. */
typedef struct midpoint_end {
    const environment *environment;
    const double *cache; /* at the end */
    double step;         /* its duration, s */
    const unsigned char *prescribed;
    double *work; /* shape.work_count doubles */
} midpoint_end;

/* Energy-conserving steps: ∂V/∂q is replaced by a discrete gradient D with D · d = V(end) − V(start), and g is taken
 * at the end. */
typedef struct midpoint_ops {
    void (*assemble)(const void *model, const block_eval *in, const midpoint_step *step, double *r,
                     double *g, local_matrix *matrix);
    /* Add forces to r that leave both momenta unchanged and make r · d larger by `work`, the work that constraints on the
     * block lack. NULL: constraints correct their own Jacobians. */
    void (*correct_energy)(const void *model, const double *d, double c_a, double work, double *r);
    /* Replace v and ẋ at the end of a step by velocities that belong together, ẋ = J v, with the momenta and the energy of ẋ.
     * NULL: ẋ stays as the formula of the integrator gives it. */
    void (*end_velocities)(const void *model, const midpoint_end *in, double *v, double *rate);
    bool limited_correction; /* D · d = V(end) − V(start) only while the difference is small */
} midpoint_ops;

/* The papers' semi-implicit step: q stays at the start. Terms linear in q (elasticity, internal damping) are taken at
 * q + d, all others at the start, velocity terms with v_start. */
typedef struct semi_implicit_step {
    const double *v_start, *d;
    bool velocity_terms; /* also to first order in v − v_start */
} semi_implicit_step;

typedef struct semi_implicit_ops {
    void (*assemble)(const void *model, const block_eval *in, const semi_implicit_step *step,
                     double *r, double *g, local_matrix *matrix);
} semi_implicit_ops;

/* A block with shape.side_count > 0 remembers values from one step to the next: references of no-slip contact, the
 * active set of friction. They are part of the state (state.side): committed, hashed and saved with it. Assembly
 * reads them; only the functions below write them. */
typedef struct memory_ops {
    void (*initial)(const void *model, double *side);
    /* The trial begins at this configuration, with the velocities v; `step`: the requested duration, s. */
    void (*start_step)(const void *model, const environment *env, const double *cache,
                       const double *v, double step, double *side);
    /* Before a matrix is assembled in Newton's iteration: choose the active set there. `row_cache`: the configuration at
     * which rows are taken. Returns whether it has changed. */
    bool (*choose_active_set)(const void *model, const block_eval *in, const double *row_cache,
                              double *side);
    /* Whether velocities may jump between two active sets: a one-sided row is active that was not before, or friction sticks
     * that slipped. A row that is released changes the forces continuously. */
    bool (*closes)(const void *model, const double *before, const double *side);
    /* Whether a force that is zero at one of two configurations acts at the other: one solve does not see that. */
    bool (*crosses)(const void *model, const double *start, const double *end);
    /* Releases the one-sided rows whose impulse has the wrong sign, and returns whether there are any; `impulse` per row, of
     * its multiplier; `step`: the duration of the next step, s. */
    bool (*release_rows)(const void *model, const double *cache, double step, const double *impulse,
                         double *side);
    /* The end of a step h in which the active set changed; `impulse` per row, of its multiplier. */
    void (*end_impact)(const void *model, double h, const double *impulse, double *side);
} memory_ops;

/* The committed state in which a block looks for an event. */
typedef struct topology_state {
    const double *q, *v, *lambda, *cache, *side;
    const environment *environment;
    double step; /* duration of the step that was asked for, s */
} topology_state;

/* The shortest step before an event, of the one that was asked for. */
#define CLOSEST_EVENT (1.0 / 256)

/* The model that replaces another one after an event. The arrays belong to whoever asked for them. */
typedef struct topology_successor {
    void *model; /* NULL: there was no event */
    double *
        momentum; /* per dof of the new model: that of the old one's motion; NULL: the motion is the same */
    double *lambda; /* per row of the new model */
} topology_successor;

/* Events after which a block has other unknowns: a cable wraps or unwraps a pulley. Its model is then replaced by a
 * successor with the same shared dofs. */
typedef struct topology_ops {
    /* How long a step may be so that no event is passed within it, s; INFINITY: any. `cache` only with
     * shape.events_read_cache. */
    double (*time_to_event)(const void *model, const double *q, const double *v,
                            const double *cache);
    /* Fails, with the reason, where the motion cannot go on. May count the same configuration anew (material
     * coordinates of a closed cable by whole lengths); returns whether it did in *recounted. */
    cord_status (*check)(const void *model, double *q, double *side, bool *recounted, char *why,
                         size_t size);
    /* A necessary condition of an event, by q alone. */
    bool (*may_change)(const void *model, const double *q);
    cord_status (*find_successor)(const void *model, const topology_state *now, double *work,
                                  memory *m, topology_successor *out);
    /* The energy and momentum of the cluster before and after an event of this block. */
    void (*count_event)(const void *model, double *side, const block_energy *before,
                        const block_energy *after);
    /* The momentum handed to the successor minus that of v, per dof. */
    void (*impulse)(const void *model, const double *cache, const double *v, const double *momentum,
                    double *impulse);
    /* Whether q is beyond an event: a search for an equilibrium stops there. */
    bool (*is_past)(const void *model, const double *q);
    /* Whether an event has happened so long before the end of a step that it would add energy: the step is made
     * again, shorter. */
    bool (*is_late)(const void *model, const topology_state *trial);
    /* The topology as bytes, for checkpoints. `read` makes the model that they describe, on the shared q given:
     * *successor, NULL where it is this one. CORD_ERROR_ARGUMENT: they describe no such model. */
    size_t (*size)(const void *model);
    void (*write)(const void *model, void *bytes);
    cord_status (*read)(const void *model, const void *bytes, size_t size, const double *q,
                        memory *m, void **successor);
} topology_ops;

/* How a block's quadrature suits a configuration. */
typedef enum quadrature_fit {
    QUADRATURE_FITS,
    QUADRATURE_DUE,      /* another one is to be chosen between steps; results are still exact */
    QUADRATURE_COARSE,   /* a result at this configuration must be found again, with a finer one */
    QUADRATURE_UNBOUNDED /* no quadrature is fine enough */
} quadrature_fit;

/* Quadrature that follows the configuration. It is part of the state and changes between steps only; the sizes of the
 * cache, of the workspace and of the inertial coordinates then change, and nothing else of the shape. */
typedef struct quadrature_ops {
    quadrature_fit (*fit)(const void *model, const double *q);
    /* Chooses it for q; it becomes coarser only on request. */
    void (*choose)(void *model, const double *q, bool may_coarsen);
    /* The rates and accelerations of inertial coordinates, from the `count` of the quadrature with which the state was last
     * laid out; 0: it is laid out for the first time. */
    void (*transfer)(void *model, int count, const double *const from[2], double *const to[2]);
    /* Returns to that one, when there is no memory for another. */
    void (*restore)(void *model);
    /* As bytes, for checkpoints. inertial_count: that of the quadrature in them, -1: there is no such one. */
    size_t (*size)(const void *model);
    int (*inertial_count)(const void *model, const void *bytes, size_t size);
    void (*write)(const void *model, void *bytes);
    bool (*read)(void *model, const void *bytes); /* whether it is another one */
    /* Adds it to a hash; that of the block's creation adds nothing. */
    uint64_t (*hash)(const void *model, uint64_t hash);
} quadrature_ops;

/* Parameters that change while the block moves (block/schedule.h): natural curvature, length and stiffness. Mass stays. */
typedef struct parameter_ops {
    /* Keeps the values of the definition, which `set` refers to. Once is enough. */
    cord_status (*prepare)(void *model, memory *m);
    /* A function of its arguments alone, whatever was set before. A length scales the natural shape of the definition:
     * its curvature is divided by the factor. */
    void (*set)(void *model, const strand_parameters *p);
    /* rate += ∂g/∂t of the rows, by the rate of the length. NULL: rows do not depend on it. */
    void (*row_drift)(const void *model, const double *cache, double *rate);
} parameter_ops;

/* Growth at the end of a strand (block/growth.h): the last element becomes longer between steps, and is divided in two
 * halves when it has twice the length of the definition. Lengths, masses and natural curvatures are then part of the
 * state. */
typedef struct growth_ops {
    /* Makes the model able to grow; g->end is set to the natural curvature at its end. On CORD_ERROR_UNSUPPORTED, with the
     * reason. */
    cord_status (*prepare)(void *model, memory *m, strand_growth *g, char *why, size_t size);
    double (*last_element)(const void *model); /* its length, m */
    /* Longer by `by`. Material that exists keeps its shape and its motion, which new material continues, with the masses
     * of the section. Dependent dofs are left to set_dependent_dofs. */
    void (*lengthen)(void *model, double by, double *q, double *v);
    /* The natural curvature at the nodes of the zone, and at the end. */
    void (*set_natural)(void *model, const strand_growth *g);
    /* A model with one element more, whose initial state is the present one. */
    cord_status (*divide)(const void *model, const strand_growth *g, const double *q,
                          const double *cache, const double *v, memory *m, void **successor);
    /* The lengths and natural curvatures as bytes, for checkpoints. `read` makes a model that has them;
     * CORD_ERROR_ARGUMENT: they describe none. */
    size_t (*size)(const void *model);
    void (*write)(const void *model, void *bytes);
    cord_status (*read)(const void *model, const void *bytes, size_t size, memory *m,
                        void **successor);
    uint64_t (*hash)(const void *model, uint64_t hash);
} growth_ops;

/* Explicit steps with fast projection (`symplectic`). Every entry may be NULL. */
typedef struct projection_ops {
    /* Mass not diagonal: the mean acceleration of a step h under −r, gyroscopic terms implicit. */
    void (*accelerate)(const void *model, const double *cache, const double *r, const double *v,
                       double h, double *a);
    void (*mass_solve)(const void *model, const double *cache, const double *r,
                       double *out); /* M⁻¹ r, BODY_DOFS */
    /* Positions of q are those of `from` moved by d; frames are unchanged. NULL: retract. */
    void (*translate)(const void *model, const double *from, const double *d, double *q);
    /* Of all rows: values, and derivatives over row_ops.dofs, row after row. The largest relative violation. */
    double (*row_jacobian)(const void *model, const double *q, double *g, double *derivatives);
    /* Fast projection: change the increment d from q until the rows hold to `tolerance`. The iterations, or -1.
     * Multipliers are added to. NULL: the cluster's row system projects. */
    int (*project)(const void *model, const double *q, double *d, const double *inverse_mass,
                   double *multipliers, double tolerance, int max_iterations, double *work);
    /* Bring dofs without inertia into equilibrium. NULL: there are none. */
    cord_status (*solve_quasistatic)(const void *model, double *q, double *cache, double *work);
} projection_ops;

/* ---- the block ------------------------------------------------------------------------------- */

/* Operations of a block. `model` is its definition. Meaning of NULL:
 *
 * | operation or table         | NULL                                                              |
 * |----------------------------|-------------------------------------------------------------------|
 * | pin                        | no dof is pinned                                                  |
 * | nonlinearity               | 0: any increment is admissible                                    |
 * | refresh_rows               | refresh                                                           |
 * | set_dependent_dofs         | no dof depends on others                                          |
 * | add_geometric_stiffness    | points are linear in the dofs                                     |
 * | extra_entries, rows        | none                                                              |
 * | frames                     | attachments add no dofs                                           |
 * | sliding                    | no point slides on it                                             |
 * | contact                    | it has no contacts, but for the shape of a body                   |
 * | inertial                   | inertia is in the dofs                                            |
 * | private_solver             | solved in the cluster's matrix                                    |
 * | parts                      | assembled as a whole only; its cluster is not cache-blocked       |
 * | midpoint                   | `assemble` half way: no potential, rows at the configuration      |
 * | semi_implicit              | `assemble`: nothing in it depends on the difference               |
 * | topology                   | its nodes never change                                            |
 * | quadrature                 | its quadrature never changes                                      |
 * | parameters                 | natural curvature, length and stiffness are constant              |
 * | growth                     | the strand does not grow                                          |
 * | batch                      | it is stepped alone                                               |
 * | projection                 | diagonal mass and no rows; otherwise `symplectic` refuses it      | */
typedef struct block_ops {
    const char *name;

    void (*describe)(const void *model, block_shape *shape);
    void (*elimination_order)(const void *model, int *position); /* of dofs + rows unknowns */
    /* Per dof: a small change of it; for a dof without inertia a typical stiffness, 0: none. */
    void (*scales)(const void *model, double *scale, double *stiffness);
    /* Inertia per dof, see mass_kind. Returns the largest ratio of stiffness to inertia of MASS_CONFIGURATION,
     * 0: not known. */
    double (*inertia)(const void *model, double *weight);
    void (*initial)(const void *model, double *q, double *v);
    void (*retract)(const void *model, double *q, const double *d); /* q ← q ⊕ d */
    void (*refresh)(const void *model, const double *q, double *cache);
    void (*assemble)(const void *model, const block_eval *in, double *r, double *g,
                     local_matrix *matrix /* added to; NULL: r and g only */);
    void (*energy)(const void *model, const environment *env, const double *q, const double *cache,
                   const double *v, const double *inertial_v, block_energy *e);
    cord_status (*attach)(void *model, memory *m, measure what, double s, attachment *at);
    void (*point_jacobian)(const void *model, const double *q, const double *cache,
                           const attachment *at, measure what, point_jacobian *j);
    void (*destroy)(void *model, memory *m);

    /* Defaulted. */
    /* Prescribe dofs that nothing determines; touched: dofs that constraints couple. */
    void (*pin)(const void *model, const unsigned char *touched, unsigned char *prescribed);
    /* The size of an increment beside the largest that the linearised equations describe: for a rod about the
     * largest angle by which an edge rotates. Corrections above 1 are shortened to 1. A correction by which Newton's
     * method is off has an error of about this fraction of it. */
    double (*nonlinearity)(const void *model, const double *cache, const double *d);
    /* As refresh, only the part of the cache that rows, point Jacobians and nonlinearity read. */
    void (*refresh_rows)(const void *model, const double *q, double *cache);
    /* Dofs that follow from others: set them in a velocity or an increment. */
    void (*set_dependent_dofs)(const void *model, const double *cache, double *v);
    /* Add −c_k ∂(Jᵀw)/∂q of a force w (or torque, or its dual to curvature) at an attachment to the matrix. */
    void (*add_geometric_stiffness)(const void *model, const double *q, const double *cache,
                                    const attachment *at, measure what, const double w[3],
                                    double c_k, local_matrix *matrix);
    /* The pairs of unknowns of shape.extra_entries entries, which are added one by one (matrix_extra_entry()). Of a
     * block alone in its cluster those within the band are used. */
    void (*extra_entries)(const void *model, int *pairs);

    /* Capabilities. */
    const row_ops *rows;
    const frame_ops *frames;
    const sliding_ops *sliding;
    const contact_ops *contact;
    const inertial_ops *inertial;
    const private_solver_ops *private_solver;
    const parts_ops *parts;
    const midpoint_ops *midpoint;
    const semi_implicit_ops *semi_implicit;
    const memory_ops *memory;     /* with shape.side_count */
    const topology_ops *topology; /* events */
    const quadrature_ops *quadrature;
    /* At the start of a step: the elements beside that of an attachment which crosses elements. NULL: none. */
    void (*start_attachment)(const void *model, const double *cache, attachment *at);
    const projection_ops *projection;
    const parameter_ops *parameters;
    const growth_ops *growth;
    const batch_ops *batch;
} block_ops;

/* Stability of a strand at rest under its loads: the Hessian is K + G, K elastic, G of the loads. */
typedef struct strand_stability {
    bool
        base; /* K + G is positive definite on the base's free dofs; if not, no stiffness makes the strand stable */
    double lowest_elastic, lowest_load; /* eigenvalues of K and of G */
    double sharp_factor;                /* s K + G is positive definite for s above this */
} strand_stability;

/* One fragment of a divided strand. The arrays belong to whoever asked for them. */
typedef struct strand_fragment {
    void *model; /* NULL: there is none */
    double *q, *v, *lambda, *inertial_v;
    int q_count, dofs, rows, inertial_count; /* lengths of the arrays */
} strand_fragment;

/* The state in which a strand is divided; the cache is refreshed from q. */
typedef struct strand_motion {
    const double *q, *cache, *v, *lambda, *inertial_v;
} strand_motion;

/* Breakage: the division of a strand at a joint between two of its elements. Positions, velocities, frames and natural
 * shapes of both fragments are those of the strand; the elastic energy of the joint is lost. */
typedef struct division_ops {
    int (*joint_count)(const void *model);
    double (*joint_coordinate)(const void *model, int joint);
    /* Whether the strand may be divided there: no constraint acts on a frame at the joint. */
    bool (*is_divisible)(const void *model, int joint);
    /* Tension, N, the larger one of both sides, and bending curvature, 1/m. */
    void (*stress_at)(const void *model, const block_eval *at, int joint, double *tension,
                      double *curvature);
    /* A closed strand becomes one open fragment, which begins at the joint; the second one is then empty. On failure both
     * are empty. */
    cord_status (*divide)(const void *model, memory *m, int joint, const strand_motion *now,
                          strand_fragment out[2]);
} division_ops;

/* Queries of the public interface, implemented by every strand model. NULL: the model does not support it. */
typedef struct strand_ops {
    block_ops block;
    strand_traits traits;
    cord_status (*create)(const cord_strand_def *def, memory *m, void **model, char *why,
                          size_t size);
    void (*info)(const void *model, cord_strand_info *info);
    /* In the committed state, as are frames and tensions; at->a is NULL where accelerations are not known. Gravity counts
     * where a slack cable hangs. */
    void (*get_positions)(const void *model, const block_eval *at, double *x);
    void (*coordinates)(const void *model, const double *cache, double *s); /* of the vertices */
    void (*get_velocities)(const void *model, const double *q, const double *cache, const double *v,
                           double *x);
    /* The increment d that leads from q to vertices at x, and velocities v from those of the vertices: nearest ones where
     * the model cannot have these exactly. Their scratch is from `m`. */
    cord_status (*displacement)(const void *model, memory *m, const double *q, const double *x,
                                double *d);
    cord_status (*set_velocities)(const void *model, memory *m, const double *q,
                                  const double *cache, double *v, const double *x);
    void (*frames)(const void *model, const block_eval *at, double *frames);
    void (*curvatures)(const void *model, const double *q, const double *cache, double *k);
    void (*angles)(const void *model, const double *q, const double *cache, double *theta);
    void (*tensions)(const void *model, const block_eval *at, double *t);
    void (*frame_at)(const void *model, const double *q, const double *cache, double s,
                     double *frame);
    void (*set_closing_twist)(const void *model, double *q, double angle);
    /* Chains: curvatures and natural ones as a definition has them; either may be NULL. */
    void (*elements)(const void *model, const double *q, double *curvatures, double *natural);
    /* Inverse statics. `reduce_forces` moves the forces on all dofs to the free ones and leaves the force that passes the
     * rows in `lambda`; `set_natural_shape` changes the natural shape so that they balance; `stability` reads the private
     * matrix that `assemble` makes there. */
    void (*reduce_forces)(const void *model, const double *cache, double *r, double *lambda);
    cord_status (*set_natural_shape)(void *model, memory *m, const double *r);
    cord_status (*stability)(const void *model, memory *m, const unsigned char *prescribed,
                             const double *own, strand_stability *out);
    void (*scale_stiffness)(void *model, double factor);
    const division_ops *division; /* NULL: the strand does not break */
} strand_ops;

/* A block of a world: its model, and where its data are. */
struct block {
    const block_ops *ops;
    void *model;
    block_shape shape;
    int q0, v0, l0; /* where its q, dofs and multipliers begin in the world's arrays */
    int cache0, inertial0, side0;
    const double
        *momentum; /* per dof: handed over by the last event (topology->impulse); or NULL */
    int cluster;   /* of the partition */
    int unknown0;  /* its first unknown in its cluster */
    double load_acceleration[3]; /* a load spread along it, over its mass: added to gravity */
    schedule *schedule;          /* NULL: its parameters and its load are those of the definition */
    strand_growth *growth;       /* NULL: it has never grown */
    unsigned char *prescribed;   /* per dof */
    /* Aliases: a dof that is identified with one of another block (a frame without inertia, welded to one that has
     * inertia). Per dof the block in the problem's list, or -1, and the dof there. */
    int *alias_block, *alias_dof;
    double *alias_scale; /* `midpoint`: the increment of this dof over that of the other */
    unsigned char *
        quasistatic; /* per dof: without inertia, as are all dofs that constraints couple it to: it is in
                                 * equilibrium at the end of every step */
    int *order;
    double *scale, *stiffness; /* per dof; see block_ops.scales */
    double *mass; /* per dof, block_ops.inertia; NULL: MASS_CONFIGURATION, every dof has inertia */
    double *metric;               /* per dof: mass, or a typical value where it has none */
    double stiffness_over_metric; /* largest ratio, 0: not known */
    double proximal_ratio; /* statics: the factor of the metric in a proximal term (descent.c) */
    double *private_matrix;
    local_matrix matrix; /* its entries in the matrix of its cluster */
    double *storage;     /* the memory of the arrays above */
    int shared_count;
    shared_dofs *shared;
    contact_surface surface;
    int curve;          /* of its centreline in detection; −1: none */
    int first_obstacle; /* the first obstacle on it; −1: none */
};

/* The admissible fraction of an increment d of the block; `cache` is that of all blocks. */
static inline double block_step_bound(const block *b, const double *cache, const double *d)
{
    if (!b->ops->nonlinearity) return 1;
    double size = b->ops->nonlinearity(b->model, cache + b->cache0, d);
    return size > 1 ? 1 / size : 1;
}

/* Whether a block has an optional operation of a capability. */
#define BLOCK_HAS(b, capability, operation)                                                        \
    ((b)->ops->capability && (b)->ops->capability->operation)

/* The configuration of shared dofs, from the parent's: `q` is that of the whole parent. */
static inline void shared_dofs_read(const shared_dofs *on, const block *parent, const double *q,
                                    double *out)
{
    if (on->kind != PARENT_STRAND) {
        memcpy(out, q, (size_t)on->q_count * sizeof *out);
        return;
    }
    double J[9];
    point_jacobian j = {.J = J};
    /* A position that is three dofs by themselves is known without a cache. */
    parent->ops->point_jacobian(parent->model, q, NULL, &on->at, MEASURE_POSITION, &j);
    memcpy(out, j.value, 3 * sizeof *out);
}

#endif
