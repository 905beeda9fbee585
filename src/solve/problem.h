/* What the solvers see of a world: live blocks, points, relations and loads, the committed and the
 * trial state, and workspace. Everything a step reads is in `now`. All arrays run over all blocks;
 * an island touches only the ranges of its own blocks, so islands can be solved side by side. */
#ifndef CORDAGE_SOLVE_PROBLEM_H
#define CORDAGE_SOLVE_PROBLEM_H

#include "math/sparse_ldl.h"
#include "relation/relation.h"
#include "solve/row_system.h"

#include <cordage/field.h>

typedef struct load {
    int slot;
    linked on; /* in the list of its point */
    int point; /* slot */
    double force[3], torque[3], along;
    bool turns; /* it has a torque, or may get one */
    keys keys, torque_keys, along_keys;
} load;

typedef struct load_value {
    double force[3], torque[3], along;
} load_value;

typedef struct state {
    double time;
    double *q, *v, *a, *lambda;
    double *place_v, *place_a;
} state;

/* Columns held from outside. */
enum { FREE = 0, PINNED = 1 /* by the block itself */, PRESCRIBED = 2 /* by a relation */ };

struct problem {
    int blocks, relations, loads;
    block **block;
    relation **relation;
    load **load;
    point **point; /* by slot */

    bool settle;         /* rows of cables are to be met before the next step, nodes being new */
    surroundings around; /* gravity and wind; time is per stage */
    cord_integrator integrator;
    cord_scheme scheme;
    double tolerance, length_tolerance;
    int max_iterations;
    double asked; /* the duration of the step that was asked for */

    int q_count, v_count, lambda_count, cache_count, place_count;
    state now, trial;
    double *cache;                   /* of the trial, or of half way */
    double *cache_start, *cache_end; /* `midpoint` */
    double *half;                    /* q half way; statics: q to come back to */
    double *kept_lambda;             /* statics: multipliers to come back to */
    double *d;                       /* increment from now to trial */
    double *v_hat, *a_hat;           /* v = c_v d + v̂, a = c_a d + â */
    double *place, *place_start; /* places of the trial and of now; their difference is what d is
                                        to columns */
    double *place_v_hat, *place_a_hat;
    double *r, *g;         /* residuals */
    double *r_end, *g_end; /* `midpoint`: at the end */
    double *delta;         /* Newton's correction */
    double *inverse_mass;  /* diagonal; zero where held or massless */
    double *zero;          /* v_count or lambda_count zeros, whichever is more */
};

/* One evaluation of all equations. */
typedef struct stage {
    double time;       /* of relations */
    double force_time; /* of loads and wind */
    double c_a, c_v, c_k;
    bool midpoint;
    bool statics;
    double pace;         /* statics: the c_v of what slides, and of friction */
    bool two_sided_only; /* one-sided rows do not hold */
    bool relative;       /* rows count from relation.start */
    bool placed;         /* cord__places() has been here, and pearls know their jets */
    bool chosen;         /* one-sided rows that hold stay as they are */
    double metric;       /* statics: so much of the mass matrix is added for blocks with places */
    bool rows_only;      /* projections: rows and the metric, no forces */
    bool rowless;        /* forces alone: there are no multipliers yet */
    bool explicit_terms, velocity_terms; /* the papers' semi-implicit step; see block_eval */
} stage;

/* An entry of the sparse matrix in the row or column of a held unknown. */
typedef struct held_entry {
    int slot, row, column;
} held_entry;

/* What steps of an iteration have shown of it: see mending.c. */
enum { MENDING_STEPS = 8 };
typedef struct mending {
    int count;  /* of pairs */
    bool begun; /* there is a last correction, and a step that was made of it */
    double *weight, *last, *step;
    double *difference, *mend; /* pairs, one after the other */
} mending;

/* A system that is assembled and factored in portions: see portions.c. */
typedef struct block_part {
    int block, part; /* of problem's list */
} block_part;
typedef struct given_column {
    int place, column; /* of a held column: in the order of elimination, in the world's arrays */
} given_column;
typedef struct portion {                   /* where what is done with it ends: */
    int clear_end, panel_end;              /* panels to be clear, and to be factored */
    int part_end, noted_end, relation_end; /* in the lists below */
    int held_end;                          /* in island.held */
} portion;
typedef struct portions {
    int count; /* 0: it is not */
    portion *portion;
    block_part *part;
    int *noted, *relation; /* unknowns whose diagonals are complete; of the island's relations */
    int *source;           /* per place: its column; ~ its multiplier; or that it is held */
    int givens;
    given_column *given;
} portions;

/* Numbers of an island's blocks that follow each other in the world's arrays. */
typedef struct number_range {
    int first, end;
} number_range;
typedef struct number_ranges {
    int count;
    number_range *range;
} number_ranges;

/* Blocks tied by relations: solved together. */
struct island {
    int blocks, relations, loads;
    int *block, *relation, *load; /* in problem's lists; relations: absorbed ones too */
    int absorbed_count, one_sided_count;
    int *absorbed, *one_sided; /* those of the relations */
    /* What a pass over all blocks would find, without one: there may be many. */
    number_ranges q, columns, places, multipliers;
    bool has_rides, has_followers;
    int unknowns, rows; /* rows: of blocks and of relations that are not absorbed */
    int *offset;        /* per block: its first unknown */
    int *row_offset;    /* per relation: its first row's unknown, -1 when absorbed */
    bool banded;        /* one block and no relation rows: solved in the block's band */
    bool own;           /* and that by the block itself */
    sparse_ldl factor;
    int *slot; /* where each block's band, cliques and extras, then relations' B and K go */
    int held_count;
    held_entry *held;
    portions portions;
    double *rhs, *x;
    double *diagonal; /* per unknown, what blocks alone have there; NaN: they have nothing */
    /* Corrections of rows (block_ops.skew): how many there may be and are; per correction its unknowns and
     * values, A⁻¹ of its row, and the small matrix 1 + Vᵀ Z that they make, factored. */
    int skew_most, skews;
    int *skew_count, *skew_unknown, *skew_pivot;
    double *skew_value, *skew_z, *skew_m, *skew_t;
    mending mending;       /* `midpoint` */
    double *derivatives;   /* K and jets of whichever relation is at hand */
    row_system row_system; /* `symplectic`, where blocks are tied by rows */
    double *work;          /* for blocks' project and relax, and for jets */
    int negative;          /* pivots of the last factorisation */
    int64_t reactions;     /* the world's moment that what holds held columns was read at */
    bool switched;         /* a one-sided row came to hold or let go since this was cleared */
    double meets; /* how far into the last attempt a row that bounces met; INFINITY: none did */
    /* statics: the time it is at, and 1/h where it ends a step and friction counts */
    double static_time, pace;
    double metric_floor; /* so much of the metric is always there */

    /* what the last attempt did */
    cord_status status;
    const char *cause;
    int blame_block, blame_relation; /* in problem's lists; -1 */
    int64_t newton_iterations, projection_iterations, impacts;
    double seconds_forces, seconds_solve, seconds_project, seconds_twist;
};

/* For every column of the island's blocks. */
#define EACH_COLUMN(c)                                                                             \
    for (int k_ = 0; k_ < s->columns.count; k_++)                                                  \
        for (int c = s->columns.range[k_].first, end_ = s->columns.range[k_].end; c < end_; c++)

/* The same for the numbers of their places. */
#define EACH_PLACE(c)                                                                              \
    for (int k_ = 0; k_ < s->places.count; k_++)                                                   \
        for (int c = s->places.range[k_].first, end_ = s->places.range[k_].end; c < end_; c++)

/* ---- partition.c ---------------------------------------------------------------------------- */

typedef struct partition {
    int count;
    island *island;
    int *indices;    /* of all relations: columns and their unknowns */
    double *numbers; /* B, and what else they keep */
} partition;

cord_status cord__partition_make(partition *p, problem *w, memory *m);
void cord__partition_free(partition *p, memory *m);

/* What acts on a block at a time: gravity with the load spread along it, and wind. */
surroundings cord__around(const problem *w, const block *b, double time);

/* The unknown of its island that a block's column is. */
int cord__unknown(const problem *w, const block *b, int column);

/* ---- pattern.c ------------------------------------------------------------------------------ */

/* The sparse matrix of an island that is not `banded`, before any number is in it. */
cord_status cord__make_pattern(const problem *w, island *s, memory *m);

/* ---- columns.c ------------------------------------------------------------------------------ */

/* The point of a side of a relation, NULL: the world's origin; and its block, -1: none. */
const point *cord__point_of(const problem *w, const relation *r, int side);
int cord__block_of(const problem *w, const relation *r, int side);
/* The block that a column of a relation's part belongs to. */
const block *cord__column_block(const problem *w, const relation_part *p, int c);

/* The columns of all relations, one after the other in the partition's memory; or none. */
cord_status cord__relation_columns(partition *p, problem *w, memory *m);
void cord__forget_columns(problem *w);
/* Which columns are held, tied, or in equilibrium at any moment. */
cord_status cord__hold_columns(problem *w, memory *m);

/* ---- assemble.c ----------------------------------------------------------------------------- */

/* Where a block's matrix goes while its island is assembled. */
local_matrix cord__local_matrix(const island *s, const block *b);

/* One part of a block, with its matrix; one of the island's relations; and all loads. */
void cord__assemble_part(problem *w, const island *s, const stage *t, const block *b, int part);
void cord__assemble_relation(problem *w, island *s, const stage *t, int k, bool matrix);
void cord__assemble_loads(problem *w, const island *s, const stage *t, bool matrix);

/* Rows that say nothing new (all their columns held, or repeated) must not stop the factoring: a
 * proximal −ε on every multiplier, this part of what the row meets. Newton solves against
 * the true residual, so the answer is not moved by it. */
#define PROXIMAL 1e-11

/* ---- relation_rows.c ------------------------------------------------------------------------ */

/* Where a point sits on its block for a measure; and which measure a relation's part takes. */
const attachment *cord__attachment(const point *p, measure what);
measure cord__part_measure(const relation *r, int part);

/* Pose of a point (slot, -1: the origin) at configuration q; `cache` refreshed from it. */
void cord__pose(const problem *w, int slot, int needs, const double *q, const double *cache,
                double time, pose *out);

/* Poses of both points of a relation, and the jets of those on blocks. */
void cord__relation_poses(const problem *w, relation *r, const double *q, const double *cache,
                          double time, pose poses[2]);

/* A jet of a point, where it has one; its J is the caller's. */
void cord__point_jet(const problem *w, const point *p, measure what, const double *q,
                     const double *cache, jet *out);

/* Rows of a relation at q: fills value; */
void cord__relation_values(const problem *w, relation *r, const double *q, const double *cache,
                           double time);
/* and with its jets: fills value, B (and K when lambda is not NULL). */
void cord__relation_evaluate(const problem *w, relation *r, const double *q, const double *cache,
                             double time, const double *lambda);

/* ---- relation_curvature.c --------------------------------------------------------------------- */

enum { CURVATURE_BEYOND = 3 }; /* doubles of room after a relation's K */

/* Second derivatives over its columns: its K; and an entry of that. */
void cord__relation_curvature(relation *r, const pose poses[2], const double *lambda);
double cord__curvature_entry(const relation *r, int i, int k);
/* c K + Σ ρ BᵀB into the matrix. */
void cord__add_curvature(const relation *r, double c, const double *rho, const column_run *runs,
                         int count, double *a, const int *slot);
/* The columns that it was about at the last evaluation: where points slide it has room for three pieces, and is about
 * one. How many runs. */
int cord__live_columns(const relation *r, column_run runs[RELATION_RUNS]);

void cord__load_at(const load *l, double time, load_value *out);

/* Whether one of its points has slipped off its strand, and it holds nothing any more. */
bool cord__relation_released(const problem *w, const relation *r);

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
void cord__follow_welds(problem *w, const island *s, double *q);

/* Held columns: the motion still to be done (into w->delta), their velocity at a time, and what
 * holds them (from w->r into the multipliers of the relations that do). */
void cord__prescribed_motion(problem *w, const island *s, const stage *t);
void cord__set_held_velocities(problem *w, const island *s, double time, double *v);
void cord__read_reactions(problem *w, const island *s);

/* The largest relative violation of the rows, of blocks by their cache, of relations at the last
 * assembly; *blame (may be NULL): the relation it is in, if it is in one. */
double cord__row_error(const problem *w, const island *s, const double *cache, int *blame);

/* Reset the island's blame and blame this. */
cord_status cord__blame(island *s, cord_status status, const char *cause, int block_index,
                        int relation_index);

/* ---- sliding.c: points at a coordinate that is an unknown ------------------------------------- */

/* The piece that a coordinate is on, and the jet there, as of that piece; at configuration q with its
 * cache. */
int cord__piece_at(const problem *w, const point *p, const double *q, double s);
/* Its coordinate at q; and whether it is further than on the next piece there. */
double cord__coordinate_at(const problem *w, const point *p, const double *q);
bool cord__leaves_piece(const problem *w, const point *p, const double *q);
void cord__slide_at(const problem *w, const point *p, const double *q, const double *cache,
                    int piece, double s, slide_jet *out);
/* The jet at the point's own coordinate, on the nearest of the three pieces that a step knows. */
void cord__sliding_jet(const problem *w, const point *p, const double *q, const double *cache,
                       slide_jet *out);
/* Place, and a frame: the strand's, or the tangent and two normals that have no meaning of their own. */
void cord__sliding_pose(const problem *w, const point *p, const double *q, const double *cache,
                        pose *out);
/* The jet of a relation's part, place or frame, into the relation's columns; and its pose. */
void cord__sliding_part(const problem *w, relation *r, int part, const double *q,
                        const double *cache, pose *out);
/* What a force or torque there does to the relation's K as it slides. */
void cord__sliding_curvature(const problem *w, relation *r, int part, const double *q,
                             const double *cache, const pose *at, const double *lambda);
/* What a force there, or a torque, does to the matrix of the block that carries it. */
void cord__sliding_stiffen(const problem *w, const point *p, const double *q, measure what,
                           const double force[3], double c_k, local_matrix *matrix);

/* ---- detent.c: what slides and rests where the curvature of its strand jumps ----------------- */

/* A search begins; a step of it is done, from `before` to the trial (whether something was put to
 * rest by that); what rests is held, in what was assembled; what does not is let go (whether
 * anything was). */
void cord__detents_clear(problem *w, const island *s);
bool cord__detents_note(problem *w, const island *s, const double *before);
void cord__detents_hold(problem *w, const island *s, bool matrix);
bool cord__detents_release(problem *w, island *s, const stage *t);

/* ---- mending.c ------------------------------------------------------------------------------ */

bool cord__mending_make(mending *a, const problem *w, const island *s, memory *m);
void cord__mending_free(mending *a, memory *m);
/* From a correction of n unknowns, in x, to a better step. Clear `count` and `begun` to begin
 * anew. */
void cord__mend(mending *a, int n, double *x);

/* ---- pearl.c: places, of blocks and of points that carry a mass --------------------------------- */

/* Places of the island's blocks and pearls at q, and how they move at velocities v: pearls as of the last
 * assembly or places. */
void cord__places(const problem *w, const island *s, const double *q, const double *cache,
                  double *x);
void cord__place_rates(const problem *w, const island *s, const double *cache, const double *v,
                       double *rate);
/* And JᵀM of velocities of places, added to `momentum` over the columns. */
void cord__place_momenta(const problem *w, const island *s, const double *cache, const double *rate,
                         double *momentum);
/* What a pearl adds to the residuals; and the whole of what it adds to the matrix, in its K. */
void cord__pearl_assemble(problem *w, const island *s, const stage *t, relation *r, bool matrix);
/* `symplectic`: the pearl is a mass of its own, at w->place, which rows tie to its place on the strand. Where velocity
 * and gravity take it in h; the rows, into the row_system, and by how much they are off; the velocity that it came
 * with to where they have put it. */
void cord__pearls_move(problem *w, const island *s, double h);
double cord__pearl_rows(problem *w, relation *r, double h, row_system *x, int at);
void cord__pearls_end(problem *w, const island *s, double h);
/* The energy of the island's pearls in gravity. */
double cord__pearl_weight(const problem *w, const island *s, const double *q, const double *cache);
/* Of one, at `now`; `moving`: the rates of places are known. */
void cord__pearl_energy(const problem *w, const point *p, bool moving, block_energy *e);

/* ---- friction.c: of what relations leave free --------------------------------------------------- */

/* What a relation of this kind needs for it; NULL: there is none. And whether it is of turns. */
const relation_ops *cord__friction_of(const relation_ops *ops);
bool cord__friction_turns(const relation *r);
/* Whether the relation it belongs to holds; the motion left free at velocities v, whose derivatives over
 * them are in its B; and what it adds to the residuals, and to the matrix in its K. */
bool cord__friction_acts(const problem *w, const relation *r);
void cord__friction_rate(const problem *w, relation *r, const double *q, const double *cache,
                         double time, const double *v, double u[3]);
void cord__friction_assemble(problem *w, const stage *t, relation *r, bool matrix);
/* A step of `quasi-static` begins at `now`, w->cache being there; what its friction takes up to the last assembly, as an
 * energy; and it ends there, or an equilibrium does, where nothing moves. */
void cord__frictions_start(problem *w, const island *s);
double cord__frictions_work(const problem *w, const island *s);
void cord__frictions_end(problem *w, const island *s);

/* ---- factor.c ------------------------------------------------------------------------------- */

/* Factor what cord__assemble() left; false: a pivot vanished. */
bool cord__factor(problem *w, island *s);

/* Of these, for a sparse matrix: replace the equations of what is held. */
void cord__hold_unknowns(problem *w, island *s);

/* What was assembled without a matrix, to be solved with the factor at hand; held columns are where
 * they belong. */
void cord__refill(problem *w, island *s);

/* Solve for island->rhs, which that leaves filled; w->delta gets the columns' part, as it does from island->x by
 * itself. */
void cord__solve(problem *w, island *s);
void cord__read_columns(problem *w, const island *s);
/* Factor and solve, which is faster at once. */
bool cord__factor_and_solve(problem *w, island *s);

/* ---- portions.c ----------------------------------------------------------------------------- */

cord_status cord__portions_make(const problem *w, island *s, memory *m);
void cord__portions_free(portions *p, memory *m);
/* cord__assemble() and cord__factor_and_solve() of an island that has any; not for `midpoint`. */
bool cord__solve_in_portions(problem *w, island *s, const stage *t);
void cord__clear_rhs(const problem *w, island *s);

/* Add `scale` times the multipliers' part of the last solution to the trial's multipliers. */
void cord__add_multipliers(problem *w, const island *s, double scale);

/* Put what the rows lack at the last assembly into island->rhs, nothing else. */
void cord__rows_to_rhs(const problem *w, island *s);

/* ---- newton.c, projection.c, statics.c --------------------------------------------------------- */

/* Advance the island by h from `now` to `trial`. */
cord_status cord__island_step(problem *w, island *s, double h);

/* Make velocities consistent and find accelerations, in `now`. */
cord_status cord__island_start(problem *w, island *s, double h);

/* Its parts: the trial begins at `now`; columns that follow from others, in a vector over all columns; accelerations of
 * `now`, by a step that is so short. */
void cord__begin(problem *w, island *s);
void cord__follow_columns(const problem *w, const island *s, const double *cache, double *v);
cord_status cord__island_accelerations(problem *w, island *s, double tiny);

/* ---- velocities.c ------------------------------------------------------------------------------ */

/* Velocities obey the rows that hold, with the factor at hand; the same at the end of a step of backward Euler, or of
 * one whose last stage had the mass in its matrix by c_a. The velocities of places are those of the columns. */
void cord__project_velocities(problem *w, island *s, double time, double *v, double c_a);
void cord__end_euler(problem *w, island *s, double h);
void cord__end_step(problem *w, island *s, double h, double c_a);
void cord__take_place_rates(const problem *w, const island *s, const double *cache, state *of);

/* ---- impact.c ---------------------------------------------------------------------------------- */

/* Steps no longer than this part of the duration asked for are not made shorter for an impact. */
#define SHORTEST_FLIGHT 1e-5
/* After an impact accelerations come from a step of this part of it: short for the forces, long for what
 * rounding does to differences of places. */
#define AFTER_IMPACT 0.03

/* Whether any relation of the island bounces. */
bool cord__island_bounces(const problem *w, const island *s);
/* Rows that meet at `now` bounce off each other: velocities in `now` change. */
cord_status cord__island_impact(problem *w, island *s);
/* After a step of h to the trial: island->meets says when the first row has met. True: one came to rest
 * instead, and the step is to be repeated. */
bool cord__island_meets(problem *w, island *s, double h);

cord_status cord__island_symplectic(problem *w, island *s, double h);

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
