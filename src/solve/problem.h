/* The solvers' view of a world: live blocks, points, terms (constraints and forces) and loads, the committed and the
 * trial state, and workspace. Everything a step reads is in `now`. All arrays run over all blocks;
 * an island accesses only the ranges of its own blocks, so islands can be solved in parallel. */
#ifndef CORDAGE_SOLVE_PROBLEM_H
#define CORDAGE_SOLVE_PROBLEM_H

#include "constraint/constraint.h"
#include "math/anderson.h"
#include "math/batch.h"
#include "math/callback.h"
#include "math/sparse_ldl.h"
#include "solve/force.h"
#include "solve/impact.h"
#include "solve/row_system.h"

#include <cordage/field.h>
#include <limits.h>

typedef struct state {
    double time;
    double *q, *v, *a, *lambda;
    double *inertial_v, *inertial_a;
    double *side; /* side arrays of blocks: memory_ops */
} state;

typedef struct contact_set contact_set;       /* solve/contacts.h */
typedef struct integrator_ops integrator_ops; /* solve/integrator.h */
typedef struct scheme_ops scheme_ops;

/* The state of a degree of freedom: free or prescribed. */
enum { FREE = 0, PINNED = 1 /* by the block itself */, PRESCRIBED = 2 /* by a constraint */ };

/* A sliding point in a search for an equilibrium: its element, the node that it crossed last and how often, whether
 * it is placed at the node, at which coordinate, and the forces on either side (kink_equilibrium.c). */
typedef struct kink_equilibrium {
    int element, node, crossings;
    bool at_rest;
    double at, force[2];
} kink_equilibrium;

/* Gravity: a constant, and a function of time that is added. */
typedef struct gravity_field {
    double constant[3];
    keyframes keys;
} gravity_field;

struct problem {
    int blocks, terms, constraints, forces, loads;
    block **block;
    term **term;             /* in the order in which they were added: */
    constraint **constraint; /* those that have rows, */
    force_term **force;      /* and those that have none */
    force_term **load;
    point **point; /* by slot */

    bool
        meet_rows_first; /* the rows of blocks must be satisfied before the next step: their nodes are new */
    bool
        meet_all_rows; /* the rows of all clusters must be satisfied before the next step: motion was carried over */
    bool
        keep_momenta; /* `start`: the rates of inertial coordinates are those of a step, and have its momentum */
    bool damped; /* the step is made by backward Euler: others have failed */
    bool
        project_impacts; /* `midpoint`: impacts are projections: by backward Euler the step gained energy */
    environment environment; /* gravity at the time of `now`, and wind; time is per stage */
    gravity_field gravity;
    const integrator_ops *integrator;
    const scheme_ops *scheme;
    double tolerance;        /* the error that Newton's iteration may leave, in scales of dofs */
    double small_correction; /* corrections below it end every iteration */
    double length_tolerance;
    int max_iterations;
    bool batches;          /* islands of equal shape are stepped together (batch.h) */
    double requested_step; /* the requested duration of the step */
    int threads;           /* of the loops in one island (island_loop.h); 0: one */

    int q_count, v_count, lambda_count, cache_count, inertial_count, side_count;
    state now, trial;
    double *cache;                   /* of the trial state, or of the midpoint */
    double *cache_start, *cache_end; /* `midpoint`; contacts: of now, and of the start of a stage */
    double *q_half;       /* q at the midpoint, or at the start of a stage; statics: q to restore */
    double *saved_lambda; /* statics: multipliers to restore */
    double *d;            /* increment from now to trial */
    double *v_predictor, *a_predictor; /* v = c_v d + v̂, a = c_a d + â */
    double *inertial_x,
        *inertial_x0; /* x(q) of the trial and of now; x - x0 is their increment, as d of dofs */
    double *inertial_v_predictor, *inertial_a_predictor;
    double *balance;                  /* momenta by the impulses of the stages, inertial.c; */
    double *free_q, *free_v, *free_d; /* and the motion without forces, from now */
    double *kept_a, *kept_inertial_a; /* accelerations of now, while a step begins with others */
    double *r, *g;                    /* residuals */
    double *r_end,
        *g_end; /* `midpoint`: at the end of the step. Relative stages: rows of blocks at the start */
    double *delta;          /* correction of Newton's iteration */
    double *inverse_mass;   /* diagonal; zero where prescribed or massless */
    double *zero;           /* max(v_count, lambda_count) zeros */
    kink_equilibrium *kink; /* statics: per block; of sliders */
    contact_set *contacts;  /* NULL: there are no surfaces */
};

/* One evaluation of all equations. */
struct stage {
    double time;       /* at which constraints are evaluated */
    double force_time; /* at which loads and wind are evaluated */
    double c_a, c_v, c_k;
    double v_d, v_v; /* of the predictor: v̂ = v_d × the increment at its start + v_v v₀ */
    bool midpoint;
    bool statics;
    double rate_factor;  /* statics: c_v of sliding coordinates and of friction */
    bool two_sided_only; /* one-sided rows are inactive */
    bool relative;       /* rows are relative to constraint.start */
    bool
        has_inertial_coordinates; /* cord__inertial_coordinates() has set the Jacobians of forces */
    bool projects_momenta; /* the last stage: its last factor projects momenta (velocities.c) */
    bool active_set_fixed; /* the active set of one-sided rows does not change */
    double metric;         /* statics: factor of M, added for blocks with inertial coordinates */
    double proximal;       /* statics: factor μ of the proximal term (descent.c) */
    double floor;          /* statics: the least factor of the metric of rigid blocks */
    bool rows_only;        /* projections: rows and the metric, no forces */
    bool
        again; /* residuals alone, for the factor at hand: blocks choose their active set, and residuals have the ρBᵀg of it */
    bool
        adds_jumps; /* accelerations at the start are by the loads before those were set (load.c) */
    bool rowless;   /* forces only: there are no multipliers yet */
    bool explicit_terms, velocity_terms; /* the papers' semi-implicit step; see block_eval */
};

/* An entry of the matrix in the row or column of a prescribed unknown. */
typedef struct prescribed_entry {
    int slot, row, column;
} prescribed_entry;

/* An unknown whose value is prescribed: the increment of a dof, or 0 (dof -1) where no equation belongs to it. */
typedef struct prescribed_unknown {
    int unknown, dof;
} prescribed_unknown;

/* A multiplier: where its diagonal is in the matrix, and the weight of its proximal term. */
typedef struct multiplier_entry {
    int unknown, diagonal;
    double weight;
} multiplier_entry;

/* A dof that is identified with one of another block. */
typedef struct aliased_dof {
    int unknown, dof;
    const double *scale;
} aliased_dof;

/* The unknowns of a cluster's system, in the world's arrays; built with its matrix, and used by every factorisation.
 * Entries and multipliers are in the order of elimination. */
typedef struct unknown_map {
    int count;
    int *source;         /* per unknown: its dof; ~ its multiplier; or NO_SOURCE */
    const int *diagonal; /* per unknown: the index of its diagonal in the matrix */
    int *band_diagonal;  /* the same for a band; NULL: the sparse matrix */
    unsigned char *is_prescribed;
    int aliases, prescribed_count, entries, multipliers;
    aliased_dof *alias;
    prescribed_unknown *prescribed;
    prescribed_entry *entry;
    multiplier_entry *multiplier;
} unknown_map;
enum { NO_SOURCE = INT_MIN };

/* A system that is assembled and factored in cache blocks: see cache_blocking.c. */
typedef struct block_part {
    int block, part; /* of problem's list */
} block_part;
typedef struct cache_block {              /* ends of the ranges that belong to it: */
    int clear_end, panel_end;             /* panels to be clear, and to be factored */
    int part_end, complete_end, term_end; /* in the lists below */
    int entry_end, multiplier_end;        /* in the lists of cluster.map */
} cache_block;
typedef struct cache_blocking {
    int count; /* 0: the system is not cache-blocked */
    cache_block *block;
    block_part *part;
    int *complete, *term; /* unknowns whose diagonals are complete; of the cluster's terms */
    int *
        source; /* unknown_map.source in the order of elimination; NO_SOURCE: also where it is prescribed */
} cache_blocking;

/* Ranges of a cluster's blocks that are contiguous in the world's arrays. */
typedef struct index_range {
    int first, end;
} index_range;
typedef struct index_ranges {
    int count;
    index_range *range;
} index_ranges;

/* Rows that are not symmetric, over unknowns of the cluster: at most `max`, at present `count`. A⁻¹ of each row, and the
 * factored small matrix 1 + Vᵀ Z of Woodbury's formula. */
typedef struct low_rank_correction {
    int max, count;
    int *size, *unknown, *pivot;
    double *value, *z, *m, *t;
} low_rank_correction;

/* Room for the responses to several forces at once, apart from the vectors of Newton's iteration: see responses.c. */
enum { RESPONSES = 8 };
typedef struct responses {
    double *x;      /* RESPONSES values per unknown; in memory, aligned */
    double *column; /* those of one force */
    double *memory;
    int from; /* rows before it, on which no force acts, need not be solved for */
} responses;

/* The parameters of a search for an equilibrium. */
typedef struct equilibrium_search {
    double time;
    double rate_factor;               /* 1/h where it ends a step with friction, else 0 */
    bool in_step;                     /* of `quasi-static` */
    struct island_contacts *contacts; /* solve/contacts.h; NULL: none */
} equilibrium_search;

/* The iteration stops when it foresees an error below `error`, or at corrections below `wanted`; once rounding
 * keeps them from falling, below `enough`. All are in units of a small change of a dof. One iteration is one
 * linear solve: nothing is tested, and the inertial coordinates are left to the caller. */
typedef struct newton_limits {
    int iterations;
    double error, enough, wanted;
} newton_limits;

/* The second correction of a stage over the first, with the size and the nonlinearity of the first. */
typedef struct newton_contraction {
    double rate, size, nonlinearity; /* rate 0: not known */
} newton_contraction;

/* The iteration of a cluster on a stage, between its steps: newton.h. */
typedef struct newton_iteration {
    stage stage;
    newton_limits limits;
    double h;            /* the length of the step */
    int count;           /* of iterations so far */
    double size;         /* of the last correction */
    double nonlinearity; /* of it; corrections above 1 are shortened: */
    double fraction;     /* of it that the blocks admit */
    double bound;        /* of the motion that they took, that contacts admit */
    int worst;           /* the block of the largest correction */
    double best;         /* the smallest correction before the last, */
    int nearest;         /* and its iteration */
    int stalled;         /* iterations in a row in which the correction has not halved */
    int equal;           /* those of them whose correction has not fallen at all */
    double last, before; /* the corrections before */
    bool changed;        /* the active set changed in the last iteration */
    int unsettled;       /* small corrections of iterations in which it changed */
    int regular; /* iterations in a row that took all of their correction, with the same active set */
    bool in_contact; /* contact forces act on the island */
    bool foreseen;   /* it ended with an error that is foreseen, not with a small correction */
    bool reuse;      /* the next iteration takes the present factor */
    bool uncertain;  /* a small correction by an old factor: the error may be larger than it */
    newton_contraction measured,
        before_stage; /* of this stage, and of the one before in the same step */
    double
        guessed; /* the motion of the first guess over the size of elements, where it takes the factor of the stage before */
} newton_iteration;

/* The result of the last attempt of a cluster, with counts and times until the world collects them. */
typedef struct cluster_report {
    cord_status status;
    const char *failure_cause;
    int failed_block, failed_constraint; /* in problem's lists; -1 */
    int64_t newton_iterations, projection_iterations, impacts, batched_steps;
    double seconds_forces, seconds_solve, seconds_project, seconds_twist; /* s */
} cluster_report;

/* Blocks coupled by constraints, forces or shared degrees of freedom: one matrix, which is factored as a whole. */
struct cluster {
    int island;          /* of the partition */
    cord_status outcome; /* of the last loop over the clusters of its island (island_loop.h) */
    int blocks, terms, constraints, forces, loads;
    int *block, *constraint, *force,
        *load; /* in problem's lists; constraints: eliminated ones too */
    int *
        term; /* terms with entries in the matrix: constraints that are not eliminated, and forces */
    int eliminated_count, one_sided_count;
    int *eliminated, *one_sided; /* those of the constraints */
    /* Results of a pass over all blocks, stored because there may be many blocks. */
    index_ranges q, dofs, inertial, multipliers, side;
    bool has_shared_dofs, has_dependent_dofs;
    bool has_kinks;     /* forces of blocks have kinks: of cables that go slack or slip */
    int unknowns, rows; /* rows: of blocks and of constraints that are not eliminated */
    int *offset;        /* per block: its first unknown */
    bool banded;        /* one block and no constraint rows: the matrix is the block's band */
    bool private_solve; /* and solved by the block's private solver */
    double *band;       /* its matrix where it is banded, and not private */
    sparse_ldl factor;  /* its matrix otherwise */
    double *values;     /* of the matrix: band, or factor.a */
    double *low;        /* their low-order parts while directions are counted (stability.c) */
    int *
        slot; /* indices in values: per block of its band (not where that is the matrix) and its extra entries, then of
                * terms' B and K */
    unknown_map map;
    cache_blocking cache_blocking;
    double *rhs, *x;
    double *diagonal; /* per unknown: the diagonal of the blocks alone; NaN: no block adds to it */
    unsymmetric_row *unsymmetric; /* as blocks assembled them, low_rank.max of them */
    low_rank_correction low_rank;
    responses responses;   /* where there are one-sided rows */
    anderson anderson;     /* `midpoint` */
    double *derivatives;   /* K and Jacobians of the term that is being assembled */
    row_system row_system; /* `symplectic`, where rows couple blocks */
    double *work;          /* shape.work_count of any block; point Jacobians */
    int negative;          /* negative pivots of the last factorisation */
    int failed_pivot; /* the unknown whose pivot vanished in it; -1: none did, or it is not known */
    int64_t
        reactions_revision; /* the world's revision at which the reactions of prescribed dofs were computed */
    bool active_set_changed; /* a one-sided row was activated or released since this was cleared */
    unsigned active_set;     /* a hash of it at the start of the step (cord__active_set) */
    bool predicts_acceleration; /* the first guess of a stage has that of the step before */
    bool
        had_impact; /* a stage of the step ended with another one, and accelerations contain impulses */
    double
        impact_time; /* time from the start of the last attempt to the first impact; INFINITY: none */
    equilibrium_search search; /* statics */
    newton_iteration newton;
    int batch_shape; /* a number that clusters of equal shape share (batch.h); -1: none */
    int first_contact, contacts; /* in the list of live contacts of clusters (contact_solve.c) */
    cluster_report report;       /* of the last attempt */
};

/* Clusters joined by contacts: they take a step together. Without contacts an island is one cluster. */
typedef struct island {
    int clusters;
    cluster **cluster;                /* in the order of the partition */
    struct island_contacts *contacts; /* solve/contacts.h; NULL: none */
} island;

/* Islands that take a step together, one in each lane of a vector; one alone is stepped by itself (batch.h). */
typedef struct island_batch {
    int count;
    int island[BATCH_LANES]; /* of the partition */
} island_batch;

/* For every dof of the cluster's blocks. */
#define EACH_DOF(c)                                                                                \
    for (int k_ = 0; k_ < s->dofs.count; k_++)                                                     \
        for (int c = s->dofs.range[k_].first, end_ = s->dofs.range[k_].end; c < end_; c++)

/* The same for their inertial coordinates. */
#define EACH_INERTIAL(c)                                                                           \
    for (int k_ = 0; k_ < s->inertial.count; k_++)                                                 \
        for (int c = s->inertial.range[k_].first, end_ = s->inertial.range[k_].end; c < end_; c++)

/* ---- partition.c ---------------------------------------------------------------------------- */

typedef struct partition {
    int clusters, islands;
    cluster *cluster;
    island *island;
    cluster **member; /* clusters, island by island */
    int *root;        /* workspace: per cluster, a tree of joined clusters */
    int *indices;     /* of all terms: degrees of freedom and their unknowns */
    double *numbers;  /* B, and Jacobians of terms that keep them */
    kink_equilibrium *kinks;
    int batches, batch_shapes;
    island_batch *batch; /* of all islands */
    int *open_batch;     /* workspace: per shape, a batch with free lanes */
} partition;

/* Clusters and their workspace, each an island. */
cord_status cord__partition_make(partition *p, problem *w, memory *m);
/* After the scales and the inertia of a block have changed: the values that the cluster has from them. */
void cord__update_weights(problem *w, const cluster *s);
/* Islands of clusters that are joined in pairs, in the order of their first clusters. */
typedef struct cluster_pair {
    int first, second;
} cluster_pair;
void cord__form_islands(partition *p, int count, const cluster_pair *joined);
void cord__partition_free(partition *p, memory *m);

/* The unknown of its cluster that corresponds to a block's dof. */
int cord__unknown(const problem *w, const block *b, int dof);

/* ---- parameters.c ----------------------------------------------------------------------------- */

void cord__gravity(const problem *w, double time, double out[3]);
/* The environment of a block at a time: gravity with the load distributed along it, and wind. */
environment cord__environment(const problem *w, const block *b, double time);
/* Sets the parameters of a block that has a schedule, or of the blocks of a cluster, to those at `time`, and lengths to
 * those at `length_time`. In a step rows refer to the time of their stage, forces to force_time. Between calls of the
 * world all are at the time of `now`. The second returns whether there are such blocks. */
void cord__set_block_parameters(const block *b, double time, double length_time);
bool cord__set_parameters(problem *w, const cluster *s, double time, double length_time);

/* ---- pattern.c ------------------------------------------------------------------------------ */

/* The unknowns of a cluster; and its sparse matrix where it is not `banded`, before any value is in it. */
cord_status cord__make_pattern(const problem *w, cluster *s, memory *m);
void cord__unknown_map_free(unknown_map *map, memory *m);

/* ---- term_dofs.c ------------------------------------------------------------------------------ */

/* The first or second point of a term, NULL: the origin of the world; and its block, −1: none. */
const point *cord__point_of(const problem *w, const term *x, int side);
int cord__block_of(const problem *w, const term *x, int side);
/* The block that a degree of freedom of a part belongs to. */
const block *cord__dof_block(const problem *w, const term_part *p, int c);
/* Whether any degree of freedom has no inertia; coordinates are not counted. */
bool cord__has_massless_dofs(const problem *w, const term *x);

/* The degrees of freedom of all terms, one after the other in the memory of the partition; or none. */
cord_status cord__term_dofs(partition *p, problem *w, memory *m);
void cord__clear_term_dofs(problem *w);

/* ---- prescribed_dofs.c ------------------------------------------------------------------------ */

/* Which degrees of freedom are prescribed, aliased or quasistatic, and which constraints are eliminated by that. */
cord_status cord__prescribe_dofs(problem *w, memory *m);

/* ---- assemble.c ----------------------------------------------------------------------------- */

/* Assembles one part of a block, with its matrix; and all loads. */
void cord__assemble_part(problem *w, cluster *s, const stage *t, const block *b, int part);
void cord__assemble_loads(problem *w, const cluster *s, const stage *t, bool matrix);
/* Whether blocks choose another active set at the trial, whose rows are in the cache. */
bool cord__blocks_choose(problem *w, cluster *s, const stage *t);

/* ---- constraint_term.c: constraints as terms ---------------------------------------------------- */

extern const term_ops cord__constraint_term;
/* The constraint that a term is; NULL: it is a force. */
constraint *cord__as_constraint(term *x);

/* Adds the geometric stiffness of a force or torque at a point to the matrix of the block of the point. */
void cord__stiffen_block(problem *w, const stage *t, const point *p, measure what,
                         const double force[3]);

/* Redundant rows (on prescribed degrees of freedom alone, or repeated) must not make the matrix singular: a proximal −ε on
 * every multiplier, this part over the mean of the diagonal. Newton's iteration has the true residual, so the solution
 * does not depend on it. */
#define PROXIMAL 1e-11

/* ---- constraint_rows.c ------------------------------------------------------------------------ */

/* The attachment of a point on its block for a measure; and the measure that a part of a term reads. */
const attachment *cord__attachment(const point *p, measure what);
measure cord__part_measure(const term *x, int part);

/* Pose of a point (slot, -1: the origin) at configuration q; `cache` refreshed from it. */
void cord__pose(const problem *w, int slot, int needs, const double *q, const double *cache,
                double time, pose *out);

/* Poses of both points of a term, and the Jacobians of those on blocks. */
void cord__term_poses(const problem *w, term *x, const double *q, const double *cache, double time,
                      pose poses[2]);

/* Value and Jacobian of a point on a block; J is the storage of the caller. */
void cord__point_jacobian(const problem *w, const point *p, measure what, const double *q,
                          const double *cache, point_jacobian *out);

/* Rows of a constraint at q: fills value; */
void cord__constraint_values(const problem *w, constraint *r, const double *q, const double *cache,
                             double time);
/* and with the Jacobians of its points: fills value, B, and K where lambda is not NULL. */
void cord__constraint_evaluate(const problem *w, constraint *r, const double *q,
                               const double *cache, double time, const double *lambda);

/* ---- term_hessian.c --------------------------------------------------------------------------- */

enum { HESSIAN_PADDING = 3 }; /* doubles of room after K */

/* K += Jᵀ h J (or = where it is compressed), from second derivatives h over the poses; and an entry of K. */
void cord__term_hessian(term *x, double h[12][12]);
double cord__hessian_entry(const term *x, int i, int k);
/* c K + Σ ρ BᵀB into the matrix. */
void cord__add_hessian(const term *x, double c, const double *rho, const dof_run *runs, int count,
                       double *a, const int *slot);
/* Runs of the degrees of freedom that the last evaluation depended on (of a sliding point one element of three, in
 * `midpoint` all of them); their number. */
int cord__active_dofs(const term *x, const stage *t, dof_run runs[TERM_RUNS]);
/* The tangent matrix of a force, in K, into the matrix of its cluster. */
void cord__add_force_matrix(const cluster *s, const stage *t, const term *x);

/* Whether a term is released, or one of its points has slid off its strand. */
bool cord__constraint_released(const problem *w, const constraint *r);

void cord__refresh(problem *w, const cluster *s, const double *q, double *cache);
void cord__refresh_rows(problem *w, const cluster *s, const double *q, double *cache);
/* The input of cord__assemble(). */
void cord__refresh_to_assemble(problem *w, const cluster *s, const double *q, double *cache);

/* Computes the residuals w->r, w->g at the trial, and the matrix; and with the prescribed motion w->delta. The time
 * of the computation is recorded. */
void cord__equations(problem *w, cluster *s, const stage *t, bool matrix);
void cord__assemble(problem *w, cluster *s, const stage *t, bool matrix);

/* Evaluates the rows only, at the trial's q: w->g, and Jacobians and compliance into the cluster's row_system.
 * Returns the largest relative violation of the rows of blocks. */
double cord__assemble_rows(problem *w, cluster *s, const stage *t);

/* Frames in q that are welded to other frames get their values from those frames. */
void cord__update_welds(problem *w, const cluster *s, double *q);

/* Prescribed dofs: the remaining motion (into w->delta), their velocity at a time, and their reactions (from w->r
 * into the multipliers of the prescribing constraints). */
void cord__prescribed_motion(problem *w, const cluster *s, const stage *t);
/* The first from any configuration; the largest of it, in scales of dofs. */
double cord__prescribed_motion_from(problem *w, const cluster *s, const double *q, double time);
void cord__set_prescribed_velocities(problem *w, const cluster *s, double time, double *v);
void cord__read_reactions(problem *w, const cluster *s);

/* The largest relative violation of the rows, of blocks by their cache, of constraints at the last assembly; *blame
 * (may be NULL): the constraint with that violation, if it is one of a constraint. */
double cord__row_error(const problem *w, const cluster *s, const double *cache, int *blame);
/* Rows with a larger relative violation when corrections have vanished contradict each other. */
#define CONTRADICTION 1e-5

/* Reset and set the block or constraint that is named as the cause of a failure. */
cord_status cord__cancel_cluster(cluster *s); /* a failure, because the call is cancelled */
cord_status cord__set_failure(cluster *s, cord_status status, const char *cause, int block_index,
                              int constraint_index);

/* ---- sliding.c: points at a coordinate that is an unknown ------------------------------------- */

/* The element of a coordinate, and value and Jacobian there, as of an element; at configuration q with its cache. */
int cord__element_at(const problem *w, const point *p, const double *q, double s);
/* Its coordinate at q; and whether it is beyond the next element there. */
double cord__coordinate_at(const problem *w, const point *p, const double *q);
bool cord__crosses_elements(const problem *w, const point *p, const double *q);
void cord__sliding_jacobian_at(const problem *w, const point *p, const double *q,
                               const double *cache, int element, double s, sliding_jacobian *out);
/* At the coordinate of the point, on the nearest of the three elements that its terms have degrees of freedom of. */
void cord__sliding_jacobian(const problem *w, const point *p, const double *q, const double *cache,
                            sliding_jacobian *out);
/* Position, and a frame: that of the strand, or the tangent and two arbitrary normals. */
void cord__sliding_pose(const problem *w, const point *p, const double *q, const double *cache,
                        pose *out);
/* Pose and Jacobian of a part of a term, position or frame. */
void cord__sliding_part(const problem *w, term *x, int part, const double *q, const double *cache,
                        pose *out);
/* Adds to K the second derivatives of a part under a force or torque on it as the point slides. */
void cord__sliding_hessian(const problem *w, term *x, int part, const double *q,
                           const double *cache, const pose *at, const double force[3]);
/* Adds the geometric stiffness of a force or torque there to the matrix of the block. */
void cord__add_sliding_stiffness(const problem *w, const point *p, const double *q, measure what,
                                 const double force[3], double c_k, local_matrix *matrix);

/* ---- kink_equilibrium.c ------------------------------------------------------------------------ */

/* Begins a search; evaluates a step of it from `before` to the trial (true: a point was placed at a node);
 * prescribes points at nodes in the assembled equations; releases points at nodes that the forces of both sides do
 * not drive back (true: some were). */
void cord__kinks_clear(problem *w, const cluster *s);
bool cord__kinks_note(problem *w, const cluster *s, const double *before);
void cord__kinks_prescribe(problem *w, const cluster *s, bool matrix);
bool cord__kinks_release(problem *w, cluster *s, const stage *t);

/* ---- inertial.c: inertial coordinates x(q) of blocks and forces --------------------------------- */

/* x at q, with Jacobians of forces; ẋ = J v with those; and momenta += JᵀM ẋ. */
void cord__inertial_coordinates(const problem *w, const cluster *s, const double *q,
                                const double *cache, double *x);
void cord__inertial_rates(const problem *w, const cluster *s, const double *cache, const double *v,
                          double *rate);
void cord__inertial_momenta(const problem *w, const cluster *s, const double *cache,
                            const double *rate, double *momentum);

/* Predictor terms of a stage, by the increment so far, the velocity and acceleration at the start, and
 * the velocity of the stage before:
 *
 *     v̂ = v_d d + v_v v₀,     â = a_d d + a_v v₀ + a_a a₀ + a_stage v_γ. */
typedef struct predictor {
    double v_d, v_v, a_d, a_v, a_a, a_stage;
} predictor;

/* A scheme applied to inertial coordinates that move on circles has errors in every step that accumulate: TR-BDF2 loses
 * rotation at the rate Ω (Ωh)³, and moves the axes of a body against its angular momentum. So for blocks that rotate
 * (inertial_ops.free_motion) the scheme is applied to the deviation y = x − x_f from the motion x_f that begins with the
 * step and is without forces, which is known:
 *
 *     ẋ = ẋ_f + c_v y + v̂_y,     ẍ = ẍ_f + c_a y + â_y,     y₀ = ẏ₀ = 0,     ÿ₀ = J M⁻¹ Jᵀ m ẍ₀.
 *
 * Without forces y = 0 solves every stage. Forces act on y, with the order of the scheme. Replaces the predictor terms of
 * a stage of a step h, which begins the time `before` after the step, and moves the trial by the motion without forces over
 * the duration of the stage. */
void cord__follow_free_motion(problem *w, const cluster *s, const stage *t, const predictor *f,
                              double h, double before, double duration);
/* The same for the directors of sections of strands (inertial_ops.section_count) that rotate about their tangents by more than
 * `least` in the step (section_spin.c). */
void cord__follow_spin(problem *w, const cluster *s, const stage *t, const predictor *f, double h,
                       double least, double before, double duration);
/* Completes accelerations of such directors that are found by a step τ (start.c). */
void cord__complete_spin(problem *w, const cluster *s, double tau);
/* Whether one does. */
bool cord__spins(const problem *w, const block *b, double h, double least);
/* ẍ₀ of blocks with a motion without forces, by the forces at the trial: the end of a step h that is so short that they are
 * those at its start. */
void cord__start_free_motion(problem *w, const cluster *s, double h);

/* Momentum balance of the same blocks (inertial_ops.velocity): their coordinates determine the configuration and the
 * forces, and the momenta at the end of the step are those at its start plus the impulses of the stages: begin, add
 * factor × Jᵀ m × rate at the cache's configuration, end. */
void cord__balance_begin(problem *w, const cluster *s);
void cord__balance_add(problem *w, const cluster *s, double factor, const double *rate);
void cord__balance_end(problem *w, const cluster *s);

/* ---- factor.c ------------------------------------------------------------------------------- */

/* Factors the matrix of cord__assemble(); false: a pivot vanished. */
bool cord__factor(problem *w, cluster *s);

/* The three steps between assembly and factorisation, over ranges of the unknowns or of the map's lists, so that every
 * factorisation uses them. y −= residuals, of the unknowns in `source`. */
void cord__take_residuals(const problem *w, const int *source, int first, int end, double *y);
/* Prescribed unknowns, whose values are in y: A_ff x_f = y_f − A_fp x_p, and x_p = y_p. `permutation`: the positions of
 * unknowns in y; NULL: in their order. */
void cord__eliminate_prescribed(const unknown_map *map, int first, int end, const int *permutation,
                                double *a, double *y);
/* −ε on the diagonals of multipliers, PROXIMAL over a `typical` diagonal entry. */
void cord__add_proximal(const unknown_map *map, int first, int end, double typical, double *a);

/* All three for the matrix of a cluster, and its right-hand side. */
void cord__complete_equations(problem *w, cluster *s);

/* The right-hand side of equations that were assembled without a matrix, to be solved with the present factor; prescribed
 * dofs already have their values, so that their increments are zero. */
void cord__refill(problem *w, cluster *s);

/* Solves for cluster->rhs, which is already filled; w->delta gets the dofs' part. The second function only copies
 * that part from cluster->x. */
void cord__solve(problem *w, cluster *s);
void cord__read_dofs(problem *w, const cluster *s);
/* Factor and solve in one pass, which is faster. */
bool cord__factor_and_solve(problem *w, cluster *s);

/* x ← A⁻¹ x with the present factor, of a vector like cluster.rhs; and only its correction for unsymmetric rows. */
void cord__solve_vector(const problem *w, const cluster *s, double *x);
void cord__correct(const cluster *s, double *x);

/* ---- responses.c ------------------------------------------------------------------------------- */

cord_status cord__responses_create(const problem *w, cluster *s, memory *m);
void cord__responses_free(responses *of, memory *m);
/* Clear the forces, add to force k on the unknown of a dof, and solve for `count` of them with the present factor. Forces
 * on prescribed dofs have no effect. */
void cord__clear_responses(const problem *w, cluster *s);
void cord__add_to_force(cluster *s, int k, int unknown, double force);
void cord__solve_responses(const problem *w, cluster *s, int count);
/* The motion of an unknown under force k, or minus its multiplier; of prescribed dofs 0. */
double cord__response(const cluster *s, int k, int unknown);
/* The row of an unknown in responses.x; not of prescribed dofs. */
int cord__response_index(const cluster *s, int unknown);
/* The same; −1 of prescribed dofs. */
int cord__free_response(const cluster *s, int unknown);
/* All responses of an unknown, RESPONSES values; zeros where it is prescribed. */
const double *cord__response_row(const cluster *s, int unknown);

/* ---- cache_blocking.c -------------------------------------------------------------------------- */

cord_status cord__cache_blocking_create(const problem *w, cluster *s, memory *m);
void cord__cache_blocking_free(cache_blocking *p, memory *m);
/* cord__assemble() and cord__factor_and_solve() of a cache-blocked cluster; not for `midpoint`. */
bool cord__solve_cache_blocked(problem *w, cluster *s, const stage *t);
void cord__clear_rhs(const problem *w, cluster *s);

/* Add `scale` times the multipliers' part of the last solution to the trial's multipliers. */
void cord__add_multipliers(problem *w, const cluster *s, double scale);

/* Writes the residuals of the rows at the last assembly into cluster->rhs, and zeros elsewhere. */
void cord__rows_to_rhs(const problem *w, cluster *s);

/* ---- start.c --------------------------------------------------------------------------------- */

/* Velocities that obey the two-sided rows, and accelerations, of the committed state. */
cord_status cord__cluster_start(problem *w, cluster *s, double h);

/* Accelerations of the committed state, by a step of the length `tiny`; for integrators that use them. */
cord_status cord__cluster_accelerations(problem *w, cluster *s, double tiny);
/* The same; zero where they are not found. And only where the last step had an impact. */
cord_status cord__accelerations_after_step(problem *w, cluster *s, double tiny);
cord_status cord__accelerations_after_impact(problem *w, cluster *s, double tiny);

/* Accelerations without contact forces for the start of a step h, and back to those of the state. */
cord_status cord__release_accelerations(problem *w, cluster *s, double h);
void cord__restore_accelerations(problem *w, cluster *s, const void *with);

/* Dofs that follow from others, and shared ones, in a vector over all dofs (newton.c). */
void cord__set_dependent_dofs(const problem *w, const cluster *s, const double *cache, double *v);

/* ---- velocities.c ------------------------------------------------------------------------------ */

/* Project velocities onto the active rows, with the present factor; the same at the end of a step of backward Euler,
 * or of a scheme whose last stage had c_a times the mass in its matrix. The velocities of inertial coordinates are
 * set from those of the dofs. */
void cord__project_velocities(problem *w, cluster *s, double time, double *v, double c_a);
void cord__end_euler(problem *w, cluster *s, double h);
void cord__end_step(problem *w, cluster *s, double h, double c_a);
void cord__set_inertial_rates(const problem *w, const cluster *s, const double *cache, state *of);

/* ---- impact.c ---------------------------------------------------------------------------------- */

/* Steps no longer than this fraction of the requested duration are not shortened for an impact. */
#define SHORTEST_FLIGHT 1e-5
/* After an impact, accelerations are computed from a step of this fraction of the duration: short compared with the
 * changes of forces, long enough that round-off in differences of inertial coordinates is small. */
#define AFTER_IMPACT 0.03

/* Whether any constraint of the cluster has a restitution. */
bool cord__cluster_has_restitution(const problem *w, const cluster *s);
/* Rows that close at `now`, before a step of h: impulses change the velocities in `now`. */
cord_status cord__cluster_impact(problem *w, cluster *s, double h);
/* After a step of h to the trial: cluster->impact_time is the time at which the first row has closed. True: a row
 * came to rest instead, and the step must be repeated. */
bool cord__cluster_find_impacts(problem *w, cluster *s, double h);

/* ---- stability.c -------------------------------------------------------------------------------- */

/* Directions, under the rows, in which the potential energy decreases or does not change to second order. */
typedef struct stability {
    int unstable, neutral;
} stability;

/* An estimate of the lowest eigenvalue of K over the metric, from the diagonal of K that was assembled last: EI/ρS L⁴, if
 * the lengths of the elements of a strand add up to L. */
double cord__lowest_ratio(const problem *w, const cluster *s);
/* Memory for the counts, once for a cluster. */
cord_status cord__prepare_counts(const problem *w, cluster *s, memory *m);
/* The directions at the trial, with its multipliers; w->cache is refreshed from it. */
cord_status cord__trial_stability(problem *w, cluster *s, stability *out);
/* The same at `now`; and the number of its directions with squared frequencies below ω² > 0. */
cord_status cord__cluster_stability(problem *w, cluster *s, stability *out);
cord_status cord__cluster_count(problem *w, cluster *s, double omega_squared, int *count);
/* No velocities; contacts without slip are referred to this configuration (statics.c). */
void cord__begin_at_rest(problem *w, cluster *s);

/* ---- statics.c ---------------------------------------------------------------------------------- */

typedef struct equilibrium {
    int iterations;
    double residual;
    stability stability;
} equilibrium;

/* Minimise the potential energy; result in `trial`. */
cord_status cord__cluster_equilibrium(problem *w, cluster *s, const cord_statics_def *def,
                                      equilibrium *out);
/* The step of `quasi-static`, and the search for its initial state: a stable equilibrium. */
cord_status cord__cluster_quasi_static(problem *w, cluster *s, double h);
/* Computes the multipliers of `now`, into it. */
void cord__cluster_multipliers(problem *w, cluster *s);
/* A block's stiffness over its metric. A rigid body has none: the gravity over its size stands for it, or 1
 * without gravity; any value gives a pivot to a body that only constraints support. */
double cord__stiffness_ratio(const problem *w, const block *b);

/* Copy the cluster's part of a state, without or with accelerations. */
void cord__copy_motion(const cluster *s, const state *from, state *to);
/* The trial starts from its present state: blocks and attachments store their reference values for the step. */
void cord__start_step(problem *w, const cluster *s);
void cord__copy_state(const cluster *s, const state *from, state *to);

double cord__seconds(void);

#endif
