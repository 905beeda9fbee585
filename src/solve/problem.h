/* What the solvers see of a world: live blocks, points, constraints and loads, the committed and the
 * trial state, and workspace. Everything a step reads is in `now`. All arrays run over all blocks;
 * an island touches only the ranges of its own blocks, so islands can be solved side by side. */
#ifndef CORDAGE_SOLVE_PROBLEM_H
#define CORDAGE_SOLVE_PROBLEM_H

#include "math/sparse_ldl.h"
#include "constraint/constraint.h"
#include "solve/row_system.h"

#include <cordage/field.h>

typedef struct load {
    int slot;
    linked on; /* in the list of its point */
    int point; /* slot */
    double force[3], torque[3], along;
    bool has_torque; /* it has a torque, or may get one */
    keys keys, torque_keys, along_keys;
} load;

typedef struct load_value {
    double force[3], torque[3], along;
} load_value;

typedef struct state {
    double time;
    double *q, *v, *a, *lambda;
    double *inertial_v, *inertial_a;
} state;

typedef struct integrator_ops integrator_ops; /* solve/integrator.h */
typedef struct scheme_ops scheme_ops;

/* Columns held from outside. */
enum { FREE = 0, PINNED = 1 /* by the block itself */, PRESCRIBED = 2 /* by a constraint */ };

/* A sliding point in a search for an equilibrium: its element, the node that it crossed last and how often,
 * whether it is put there, at which coordinate, and the forces on either side (kink_equilibrium.c). */
typedef struct kink_equilibrium {
    int element, node, crossings;
    bool at_rest;
    double at, force[2];
} kink_equilibrium;

struct problem {
    int blocks, constraints, loads;
    block **block;
    constraint **constraint;
    load **load;
    point **point; /* by slot */

    bool meet_rows_first; /* rows of cables are to be met before the next step, nodes being new */
    environment environment; /* gravity and wind; time is per stage */
    const integrator_ops *integrator;
    const scheme_ops *scheme;
    double tolerance, length_tolerance;
    int max_iterations;
    double requested_step; /* the duration of the step that was asked for */

    int q_count, v_count, lambda_count, cache_count, inertial_count;
    state now, trial;
    double *cache;                     /* of the trial, or of half way */
    double *cache_start, *cache_end;   /* `midpoint` */
    double *q_half;                    /* q half way; statics: q to come back to */
    double *saved_lambda;              /* statics: multipliers to come back to */
    double *d;                         /* increment from now to trial */
    double *v_predictor, *a_predictor; /* v = c_v d + v̂, a = c_a d + â */
    double *inertial_x,
        *inertial_x0; /* places of the trial and of now; their difference is what d is
                                        to columns */
    double *inertial_v_predictor, *inertial_a_predictor;
    double *r, *g;          /* residuals */
    double *r_end, *g_end;  /* `midpoint`: at the end */
    double *delta;          /* Newton's correction */
    double *inverse_mass;   /* diagonal; zero where held or massless */
    double *zero;           /* v_count or lambda_count zeros, whichever is more */
    kink_equilibrium *kink; /* statics: per block; of sliders */
};

/* One evaluation of all equations. */
typedef struct stage {
    double time;       /* of constraints */
    double force_time; /* of loads and wind */
    double c_a, c_v, c_k;
    bool midpoint;
    bool statics;
    double rate_factor;  /* statics: the c_v of what slides, and of friction */
    bool two_sided_only; /* one-sided rows do not hold */
    bool relative;       /* rows count from constraint.start */
    bool
        has_inertial_coordinates; /* cord__inertial_coordinates() has been here, and pearls know their jets */
    bool active_set_fixed; /* one-sided rows that hold stay as they are */
    double metric;         /* statics: so much of the mass matrix is added for blocks with places */
    bool rows_only;        /* projections: rows and the metric, no forces */
    bool rowless;          /* forces alone: there are no multipliers yet */
    bool explicit_terms, velocity_terms; /* the papers' semi-implicit step; see block_eval */
} stage;

/* An entry of the sparse matrix in the row or column of a held unknown. */
typedef struct prescribed_entry {
    int slot, row, column;
} prescribed_entry;

/* What steps of an iteration have shown of it: see mending.c. */
enum { ANDERSON_DEPTH = 8 };
typedef struct anderson {
    int count;  /* of pairs */
    bool begun; /* there is a last correction, and a step that was made of it */
    double *weight, *last, *step;
    double *difference, *correction; /* pairs, one after the other */
} anderson;

/* A system that is assembled and factored in portions: see portions.c. */
typedef struct block_part {
    int block, part; /* of problem's list */
} block_part;
typedef struct prescribed_dof {
    int order, dof; /* of a held column: in the order of elimination, in the world's arrays */
} prescribed_dof;
typedef struct cache_block {                    /* where what is done with it ends: */
    int clear_end, panel_end;                   /* panels to be clear, and to be factored */
    int part_end, complete_end, constraint_end; /* in the lists below */
    int prescribed_end;                         /* in island.held */
} cache_block;
typedef struct cache_blocking {
    int count; /* 0: it is not */
    cache_block *block;
    block_part *part;
    int *complete,
        *constraint; /* unknowns whose diagonals are complete; of the island's constraints */
    int *source;     /* per place: its column; ~ its multiplier; or that it is held */
    int prescribed_count;
    prescribed_dof *prescribed;
} cache_blocking;

/* Numbers of an island's blocks that follow each other in the world's arrays. */
typedef struct index_range {
    int first, end;
} index_range;
typedef struct index_ranges {
    int count;
    index_range *range;
} index_ranges;

/* Blocks tied by constraints: solved together. */
struct island {
    int blocks, constraints, loads;
    int *block, *constraint, *load; /* in problem's lists; constraints: absorbed ones too */
    int eliminated_count, one_sided_count;
    int *eliminated, *one_sided; /* those of the constraints */
    /* What a pass over all blocks would find, without one: there may be many. */
    index_ranges q, dofs, inertial, multipliers;
    bool has_shared_dofs, has_dependent_dofs;
    int unknowns, rows; /* rows: of blocks and of constraints that are not absorbed */
    int *offset;        /* per block: its first unknown */
    int *row_offset;    /* per constraint: its first row's unknown, -1 when absorbed */
    bool banded;        /* one block and no constraint rows: solved in the block's band */
    bool private_solve; /* and that by the block itself */
    sparse_ldl factor;
    int *slot; /* where each block's band, cliques and extras, then constraints' B and K go */
    int prescribed_count;
    prescribed_entry *prescribed;
    cache_blocking cache_blocking;
    double *rhs, *x;
    double *diagonal; /* per unknown, what blocks alone have there; NaN: they have nothing */
    /* Corrections of rows (block_ops.skew): how many there may be and are; per correction its unknowns and
     * values, A⁻¹ of its row, and the small matrix 1 + Vᵀ Z that they make, factored. */
    int low_rank_max, low_rank_count;
    int *low_rank_size, *low_rank_unknown, *low_rank_pivot;
    double *low_rank_value, *low_rank_z, *low_rank_m, *low_rank_t;
    anderson anderson;          /* `midpoint` */
    double *derivatives;        /* K and jets of whichever constraint is at hand */
    row_system row_system;      /* `symplectic`, where blocks are tied by rows */
    double *work;               /* for blocks' project and relax, and for jets */
    int negative;               /* pivots of the last factorisation */
    int64_t reactions_revision; /* the world's moment that what holds held columns was read at */
    bool active_set_changed;    /* a one-sided row came to hold or let go since this was cleared */
    double
        impact_time; /* how far into the last attempt a row that bounces met; INFINITY: none did */
    /* statics: the time it is at, and 1/h where it ends a step and friction counts */
    double static_time, rate_factor;
    double metric_floor; /* so much of the metric is always there */

    /* what the last attempt did */
    cord_status status;
    const char *failure_cause;
    int failed_block, failed_constraint; /* in problem's lists; -1 */
    int64_t newton_iterations, projection_iterations, impacts;
    double seconds_forces, seconds_solve, seconds_project, seconds_twist;
};

/* For every column of the island's blocks. */
#define EACH_DOF(c)                                                                                \
    for (int k_ = 0; k_ < s->dofs.count; k_++)                                                     \
        for (int c = s->dofs.range[k_].first, end_ = s->dofs.range[k_].end; c < end_; c++)

/* The same for the numbers of their places. */
#define EACH_INERTIAL(c)                                                                           \
    for (int k_ = 0; k_ < s->inertial.count; k_++)                                                 \
        for (int c = s->inertial.range[k_].first, end_ = s->inertial.range[k_].end; c < end_; c++)

/* ---- partition.c ---------------------------------------------------------------------------- */

typedef struct partition {
    int count;
    island *island;
    int *indices;    /* of all constraints: columns and their unknowns */
    double *numbers; /* B, and what else they keep */
} partition;

cord_status cord__partition_make(partition *p, problem *w, memory *m);
void cord__partition_free(partition *p, memory *m);

/* What acts on a block at a time: gravity with the load spread along it, and wind. */
environment cord__environment(const problem *w, const block *b, double time);

/* The unknown of its island that a block's column is. */
int cord__unknown(const problem *w, const block *b, int dof);

/* ---- pattern.c ------------------------------------------------------------------------------ */

/* The sparse matrix of an island that is not `banded`, before any number is in it. */
cord_status cord__make_pattern(const problem *w, island *s, memory *m);

/* ---- columns.c ------------------------------------------------------------------------------ */

/* The point of a side of a constraint, NULL: the world's origin; and its block, -1: none. */
const point *cord__point_of(const problem *w, const constraint *r, int side);
int cord__block_of(const problem *w, const constraint *r, int side);
/* The block that a column of a constraint's part belongs to. */
const block *cord__dof_block(const problem *w, const constraint_part *p, int c);

/* The columns of all constraints, one after the other in the partition's memory; or none. */
cord_status cord__constraint_dofs(partition *p, problem *w, memory *m);
void cord__clear_constraint_dofs(problem *w);
/* Which columns are held, tied, or in equilibrium at any moment. */
cord_status cord__prescribe_dofs(problem *w, memory *m);

/* ---- assemble.c ----------------------------------------------------------------------------- */

/* Where a block's matrix goes while its island is assembled. */
local_matrix cord__local_matrix(const island *s, const block *b);

/* One part of a block, with its matrix; one of the island's constraints; and all loads. */
void cord__assemble_part(problem *w, const island *s, const stage *t, const block *b, int part);
void cord__assemble_constraint(problem *w, island *s, const stage *t, int k, bool matrix);
void cord__assemble_loads(problem *w, const island *s, const stage *t, bool matrix);

/* Rows that say nothing new (all their columns held, or repeated) must not stop the factoring: a
 * proximal −ε on every multiplier, this part of what the row meets. Newton solves against
 * the true residual, so the answer is not moved by it. */
#define PROXIMAL 1e-11

/* ---- constraint_rows.c ------------------------------------------------------------------------ */

/* Where a point sits on its block for a measure; and which measure a constraint's part takes. */
const attachment *cord__attachment(const point *p, measure what);
measure cord__part_measure(const constraint *r, int part);

/* Pose of a point (slot, -1: the origin) at configuration q; `cache` refreshed from it. */
void cord__pose(const problem *w, int slot, int needs, const double *q, const double *cache,
                double time, pose *out);

/* Poses of both points of a constraint, and the jets of those on blocks. */
void cord__constraint_poses(const problem *w, constraint *r, const double *q, const double *cache,
                            double time, pose poses[2]);

/* A jet of a point, where it has one; its J is the caller's. */
void cord__point_jacobian(const problem *w, const point *p, measure what, const double *q,
                          const double *cache, point_jacobian *out);

/* Rows of a constraint at q: fills value; */
void cord__constraint_values(const problem *w, constraint *r, const double *q, const double *cache,
                             double time);
/* and with its jets: fills value, B (and K when lambda is not NULL). */
void cord__constraint_evaluate(const problem *w, constraint *r, const double *q,
                               const double *cache, double time, const double *lambda);

/* ---- constraint_hessian.c --------------------------------------------------------------------- */

enum { HESSIAN_PADDING = 3 }; /* doubles of room after a constraint's K */

/* Second derivatives over its columns: its K; and an entry of that. */
void cord__constraint_hessian(constraint *r, const pose poses[2], const double *lambda);
double cord__hessian_entry(const constraint *r, int i, int k);
/* c K + Σ ρ BᵀB into the matrix. */
void cord__add_hessian(const constraint *r, double c, const double *rho, const dof_run *runs,
                       int count, double *a, const int *slot);
/* The columns that it was about at the last evaluation: where points slide it has room for three pieces, and is about
 * one. How many runs. */
int cord__active_dofs(const constraint *r, dof_run runs[CONSTRAINT_RUNS]);

void cord__load_at(const load *l, double time, load_value *out);

/* Whether one of its points has slipped off its strand, and it holds nothing any more. */
bool cord__constraint_released(const problem *w, const constraint *r);

void cord__refresh(problem *w, const island *s, const double *q, double *cache);
void cord__refresh_rows(problem *w, const island *s, const double *q, double *cache);
/* All that cord__assemble() reads. */
void cord__refresh_to_assemble(problem *w, const island *s, const double *q, double *cache);

/* Residuals w->r, w->g at the trial, and the matrix. And with the prescribed motion w->delta, the time that takes
 * noted. */
void cord__equations(problem *w, island *s, const stage *t, bool matrix);
void cord__assemble(problem *w, island *s, const stage *t, bool matrix);

/* The rows alone, at the trial's q: w->g, and slopes and softness into the island's row_system. Returns the
 * largest relative violation of the blocks' own. */
double cord__assemble_rows(problem *w, island *s, const stage *t);

/* Frames that are welded to others, in q, are put where those are. */
void cord__update_welds(problem *w, const island *s, double *q);

/* Held columns: the motion still to be done (into w->delta), their velocity at a time, and what
 * holds them (from w->r into the multipliers of the constraints that do). */
void cord__prescribed_motion(problem *w, const island *s, const stage *t);
void cord__set_prescribed_velocities(problem *w, const island *s, double time, double *v);
void cord__read_reactions(problem *w, const island *s);

/* The largest relative violation of the rows, of blocks by their cache, of constraints at the last
 * assembly; *blame (may be NULL): the constraint it is in, if it is in one. */
double cord__row_error(const problem *w, const island *s, const double *cache, int *blame);

/* Reset the island's blame and blame this. */
cord_status cord__set_failure(island *s, cord_status status, const char *cause, int block_index,
                              int constraint_index);

/* ---- sliding.c: points at a coordinate that is an unknown ------------------------------------- */

/* The piece that a coordinate is on, and the jet there, as of that piece; at configuration q with its
 * cache. */
int cord__element_at(const problem *w, const point *p, const double *q, double s);
/* Its coordinate at q; and whether it is further than on the next piece there. */
double cord__coordinate_at(const problem *w, const point *p, const double *q);
bool cord__crosses_elements(const problem *w, const point *p, const double *q);
void cord__sliding_jacobian_at(const problem *w, const point *p, const double *q,
                               const double *cache, int element, double s, sliding_jacobian *out);
/* The jet at the point's own coordinate, on the nearest of the three pieces that a step knows. */
void cord__sliding_jacobian(const problem *w, const point *p, const double *q, const double *cache,
                            sliding_jacobian *out);
/* Place, and a frame: the strand's, or the tangent and two normals that have no meaning of their own. */
void cord__sliding_pose(const problem *w, const point *p, const double *q, const double *cache,
                        pose *out);
/* The jet of a constraint's part, place or frame, into the constraint's columns; and its pose. */
void cord__sliding_part(const problem *w, constraint *r, int part, const double *q,
                        const double *cache, pose *out);
/* What a force or torque there does to the constraint's K as it slides. */
void cord__sliding_hessian(const problem *w, constraint *r, int part, const double *q,
                           const double *cache, const pose *at, const double *lambda);
/* What a force there, or a torque, does to the matrix of the block that carries it. */
void cord__add_sliding_stiffness(const problem *w, const point *p, const double *q, measure what,
                                 const double force[3], double c_k, local_matrix *matrix);

/* ---- kink_equilibrium.c ------------------------------------------------------------------------ */

/* A search begins; a step of it went from `before` to the trial (true: a point was put at a node); points at
 * nodes are prescribed in the assembled equations; points that both sides do not drive back are released
 * (true: some were). */
void cord__kinks_clear(problem *w, const island *s);
bool cord__kinks_note(problem *w, const island *s, const double *before);
void cord__kinks_prescribe(problem *w, const island *s, bool matrix);
bool cord__kinks_release(problem *w, island *s, const stage *t);

/* ---- mending.c ------------------------------------------------------------------------------ */

bool cord__anderson_create(anderson *a, const problem *w, const island *s, memory *m);
void cord__anderson_free(anderson *a, memory *m);
/* From a correction of n unknowns, in x, to a better step. Clear `count` and `begun` to begin
 * anew. */
void cord__anderson_accelerate(anderson *a, int n, double *x);

/* ---- pearl.c: places, of blocks and of points that carry a mass --------------------------------- */

/* Places of the island's blocks and pearls at q, and how they move at velocities v: pearls as of the last
 * assembly or places. */
void cord__inertial_coordinates(const problem *w, const island *s, const double *q,
                                const double *cache, double *x);
void cord__inertial_rates(const problem *w, const island *s, const double *cache, const double *v,
                          double *rate);
/* And JᵀM of velocities of places, added to `momentum` over the columns. */
void cord__inertial_momenta(const problem *w, const island *s, const double *cache,
                            const double *rate, double *momentum);
/* What a pearl adds to the residuals; and the whole of what it adds to the matrix, in its K. */
void cord__pearl_assemble(problem *w, const island *s, const stage *t, constraint *r, bool matrix);
/* `symplectic`: the pearl is a mass of its own, at w->place, which rows tie to its place on the strand. Where velocity
 * and gravity take it in h; the rows, into the row_system, and by how much they are off; the velocity that it came
 * with to where they have put it. */
void cord__pearls_move(problem *w, const island *s, double h);
double cord__pearl_rows(problem *w, constraint *r, double h, row_system *x, int at);
void cord__pearls_end(problem *w, const island *s, double h);
/* The energy of the island's pearls in gravity. */
double cord__pearl_weight(const problem *w, const island *s, const double *q, const double *cache);
/* Of one, at `now`; `moving`: the rates of places are known. */
void cord__pearl_energy(const problem *w, const point *p, bool moving, block_energy *e);

/* ---- friction.c: of what constraints leave free --------------------------------------------------- */

/* What a constraint of this kind needs for it; NULL: there is none. And whether it is of turns. */
const constraint_ops *cord__friction_of(const constraint_ops *ops);
bool cord__friction_is_rotational(const constraint *r);
/* Whether the constraint it belongs to holds; the motion left free at velocities v, whose derivatives over
 * them are in its B; and what it adds to the residuals, and to the matrix in its K. */
bool cord__friction_acts(const problem *w, const constraint *r);
void cord__friction_rate(const problem *w, constraint *r, const double *q, const double *cache,
                         double time, const double *v, double u[3]);
void cord__friction_assemble(problem *w, const stage *t, constraint *r, bool matrix);
/* A step of `quasi-static` begins at `now`, w->cache being there; what its friction takes up to the last assembly, as an
 * energy; and it ends there, or an equilibrium does, where nothing moves. */
void cord__frictions_start(problem *w, const island *s);
double cord__frictions_work(const problem *w, const island *s);
void cord__frictions_end(problem *w, const island *s);

/* ---- factor.c ------------------------------------------------------------------------------- */

/* Factor what cord__assemble() left; false: a pivot vanished. */
bool cord__factor(problem *w, island *s);

/* Of these, for a sparse matrix: replace the equations of what is held. */
void cord__prescribe_unknowns(problem *w, island *s);

/* What was assembled without a matrix, to be solved with the factor at hand; held columns are where
 * they belong. */
void cord__refill(problem *w, island *s);

/* Solve for island->rhs, which that leaves filled; w->delta gets the columns' part, as it does from island->x by
 * itself. */
void cord__solve(problem *w, island *s);
void cord__read_dofs(problem *w, const island *s);
/* Factor and solve, which is faster at once. */
bool cord__factor_and_solve(problem *w, island *s);

/* ---- portions.c ----------------------------------------------------------------------------- */

cord_status cord__cache_blocking_create(const problem *w, island *s, memory *m);
void cord__cache_blocking_free(cache_blocking *p, memory *m);
/* cord__assemble() and cord__factor_and_solve() of an island that has any; not for `midpoint`. */
bool cord__solve_cache_blocked(problem *w, island *s, const stage *t);
void cord__clear_rhs(const problem *w, island *s);

/* Add `scale` times the multipliers' part of the last solution to the trial's multipliers. */
void cord__add_multipliers(problem *w, const island *s, double scale);

/* Put what the rows lack at the last assembly into island->rhs, nothing else. */
void cord__rows_to_rhs(const problem *w, island *s);

/* ---- start.c --------------------------------------------------------------------------------- */

/* Velocities that obey the two-sided rows, and accelerations, of the committed state. */
cord_status cord__island_start(problem *w, island *s, double h);

/* Accelerations of the committed state, by a step of the length `tiny`; for integrators that use them. */
cord_status cord__island_accelerations(problem *w, island *s, double tiny);

/* Dofs that follow from others, and shared ones, in a vector over all dofs (newton.c). */
void cord__set_dependent_dofs(const problem *w, const island *s, const double *cache, double *v);

/* ---- velocities.c ------------------------------------------------------------------------------ */

/* Velocities obey the rows that hold, with the factor at hand; the same at the end of a step of backward Euler, or of
 * one whose last stage had the mass in its matrix by c_a. The velocities of places are those of the columns. */
void cord__project_velocities(problem *w, island *s, double time, double *v, double c_a);
void cord__end_euler(problem *w, island *s, double h);
void cord__end_step(problem *w, island *s, double h, double c_a);
void cord__set_inertial_rates(const problem *w, const island *s, const double *cache, state *of);

/* ---- impact.c ---------------------------------------------------------------------------------- */

/* Steps no longer than this part of the duration asked for are not made shorter for an impact. */
#define SHORTEST_FLIGHT 1e-5
/* After an impact accelerations come from a step of this part of it: short for the forces, long for what
 * rounding does to differences of places. */
#define AFTER_IMPACT 0.03

/* Whether any constraint of the island bounces. */
bool cord__island_has_restitution(const problem *w, const island *s);
/* Rows that meet at `now` bounce off each other: velocities in `now` change. */
cord_status cord__island_impact(problem *w, island *s);
/* After a step of h to the trial: island->meets says when the first row has met. True: one came to rest
 * instead, and the step is to be repeated. */
bool cord__island_find_impacts(problem *w, island *s, double h);

typedef struct equilibrium {
    int iterations;
    double residual;
    int unstable;
} equilibrium;

/* Minimise the potential energy; result in `trial`. */
cord_status cord__island_equilibrium(problem *w, island *s, const cord_statics_def *def,
                                     equilibrium *out);
/* The step of `quasi-static`, and the search for where it begins: at rest, and stable. */
cord_status cord__island_quasi_static(problem *w, island *s, double h);
/* Multipliers for `now`, into it. */
void cord__island_multipliers(problem *w, island *s);
/* Negative pivots beyond those of the rows, of K − ω²M at `now`. */
cord_status cord__island_count(problem *w, island *s, double omega_squared, int *count);

/* Copy the island's part of a state; but for accelerations, or all of it. */
void cord__copy_motion(const island *s, const state *from, state *to);
void cord__copy_state(const island *s, const state *from, state *to);

double cord__seconds(void);

#endif
