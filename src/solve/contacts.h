/* Contacts in a step.
 *
 * A contact couples two points of surfaces. Per Newton iteration, with the increment d so far, the correction δ₀ without contact
 * forces, the normal n and two tangents as axes, and H the three rows of their relative motion over the dofs:
 *
 *     A δ = −r + Hᵀp,     u = c_v (c + H δ),     c = (gap, H_T d − the obstacle's own motion),
 *     u = W p + b,        W = c_v H A⁻¹Hᵀ,       b = c_v (c + H δ₀),     K*_μ ∋ u + μ|u_T| n ⊥ p ∈ K_μ.
 *
 * p is in newtons. u_N is the gap at the end of the step over its duration, so that gaps are met as positions. A is factored
 * cluster by cluster as without contacts; only live contacts, which have a force or would overlap without one, enter W.
 *
 * Detection finds, at the start of an attempt, the pairs of segments or obstacles that may come into contact in it, given their
 * expected motion and an allowance for deviations from it, which nothing may exceed (contact_margin.c). Pairs join clusters to
 * islands; each island evaluates its pairs at the trial. */
#ifndef CORDAGE_SOLVE_CONTACTS_H
#define CORDAGE_SOLVE_CONTACTS_H

#include "contact/broad_phase.h"
#include "contact/passages.h"
#include "contact/solids.h"
#include "math/parallel.h"
#include "math/vec3.h"
#include "solve/cone/cone.h"
#include "solve/contact_columns.h"
#include "solve/problem.h"

#include <cordage/contact.h>

/* Where the pose of an obstacle comes from, and its material. Its shape is contact_set.obstacle at the same index. The shapes of
 * bodies are obstacles on their blocks. */
typedef struct obstacle_carrier {
    int block; /* the body that carries it, in problem's list; −1: none */
    int point; /* slot of the scripted point of the world that carries it; −1: none */
    double x[3],
        R[9]; /* its pose relative to that, or in the world; of a body: in principal axes */
    double start_x[3], start_R[9]; /* its pose in the world at the start of the attempt */
    double ahead_x[3], ahead_R[9]; /* and expected at its end */
    int material;
    int slot; /* of the obstacle, or of the body whose shape it is */
    int next; /* obstacle on the same block; −1: none */
    int owner;
} obstacle_carrier;

/* Friction and restitution of two materials. */
typedef struct contact_law {
    double friction, restitution;
} contact_law;

/* An owner is the slot of a strand, or this much and twice the slot of an obstacle, or one more than twice that of a body. */
enum { FIRST_SOLID_OWNER = 1 << 28 };

/* The curve or obstacle of an owner; a strand that broke has several curves. */
typedef struct contact_owner {
    int owner, index;
} contact_owner;

/* A contact with a force at the end of a step: part of the state. Its owners and coordinates along whole strands last, its key
 * changes with the numbers of segments (contact_identity.c). */
typedef struct contact_memory {
    int owner[2];
    double whole_s[2];
    uint64_t key;
    double s[2];
    double force[3]; /* normal, tangent, tangent */
    double age;      /* steps since its impact */
    double lost;     /* energy that its island lost by errors of steps, J (contact_energy.c) */
} contact_memory;

/* One side of a contact, over the dofs of a block. */
typedef struct contact_columns {
    cluster *cluster; /* NULL: the side has no dofs */
    int count;
    int points; /* of which the position is a weighted sum, with three of the dofs each; 0: it is none */
    double weight[CURVE_POINTS];
    int *dof, *unknown; /* of the problem, of the cluster */
    int *response;      /* rows of cluster.responses; −1: the dof is prescribed */
    double *H; /* 3 per dof: along the normal and both tangents; the second side has the sign − */
} contact_columns;

/* Γ = h² B M⁻¹Hᵀ of a contact: the motion of the rows of its cluster by forces along its axes. */
enum { MOVED_ROWS = 16 };
typedef struct row_motion {
    int count;
    int row[MOVED_ROWS]; /* in the order of elimination */
    double by[MOVED_ROWS][3];
    int first[2], last[2]; /* responses of the dofs of each side */
} row_motion;

enum { CONTACT_POINTS = 2 * CURVE_POINTS };

/* A contact in Newton's method with the rows of a projection (contact_row_newton.c). Vectors are in the axes of the world; rows
 * of four have zeros beyond. */
typedef struct newton_contact {
    double friction, scale; /* μ, W₀ of the contact itself */
    double axis[3][3];
    int size, position;     /* of its unknowns: 0 open, 1 or 2 slips, 3 sticks */
    double along[4], slide; /* where it slips: n + μ e, and s */
    double equation[3][3];  /* directions of the motion in its equations, */
    double unknown[3][4];   /* and of the force by its unknowns, one in each column, zero beyond */
    int points, point[CONTACT_POINTS];                       /* responses of their first dofs */
    double weight[CONTACT_POINTS], mobility[CONTACT_POINTS]; /* and weight × h²/m */
    int rows, row[MOVED_ROWS]; /* in the order of elimination, and Γ */
    double by[MOVED_ROWS][4];
    int middle[2]; /* a row in the middle of each side; −1: none */
} newton_contact;

/* A contact at the trial. */
typedef struct contact_row {
    contact at;
    double fixed[2][3]; /* of two solids: the points in the axes of both */
    double axis[3][3];  /* normal and tangents along which forces act (contact_axes.c) */
    double past[2][3], deviation[2][3]; /* of the sides (contact_motion.c) */
    double friction;
    double start_gap; /* of the material points at the start of the step */
    double c
        [3]; /* the gap beyond the wanted one, and the tangential motion since the start of the step */
    double start[3];   /* relative velocity by c and the correction without contact forces */
    double b[3], u[3]; /* relative velocities without and with contact forces */
    double force[3], previous[3]; /* p of the last solve, and p⁻ of the last step */
    double age;                   /* steps since its impact */
    double approach;   /* normal velocity of its impact in this step; 0: there was none */
    double applied[3]; /* the part of p that the trial already contains */
    int pair;
    bool has_jacobian;
    bool failed;     /* its normal turned too far */
    int live;        /* its number among live contacts; −1: it is not */
    int state;       /* in an active set (contact_solve.c) */
    double along[2]; /* direction of friction where it slips */
    contact_columns side[2];
} contact_row;

/* Adds a motion of a side, along the axes of the row. */
static inline void cord__add_along_axes(const contact_row *r, int side, const double motion[3],
                                        double out[3])
{
    for (int axis = 0; axis < 3; axis++)
        out[axis] += (side ? -1 : 1) * v3_dot(r->axis[axis], motion);
}

/* Two segments, or a segment or an obstacle and an obstacle, that may come into contact within the attempt. */
typedef struct contact_pair {
    int segment[2], obstacle[2]; /* in the lists; one of each side is −1 */
    int island;
    double start_gap;       /* at the start of the attempt, where it is negative; else 0 */
    double start_normal[3]; /* there */
    contact_law law;
} contact_pair;

/* Iterations in which positions and normals follow the trial; then they stay, so that the iteration converges. Those of solids
 * follow longer: the point of contact of a round body that rolls is not fixed in it. */
enum { CONTACT_REFRESHES = 4, SOLID_REFRESHES = 12 };

/* The contacts of one island: ranges of the arrays of the set, from the first on. */
typedef struct island_contacts {
    int first_pair, pairs;
    int first_row, row_room, live_room, rows;
    int rows_before; /* in the last iteration */
    size_t first_block, block_room, blocks;
    size_t first_work, first_number, first_index;
    int live;
    bool has_newton;     /* there is room for Newton's method with the rows of a projection, */
    bool by_newton;      /* and its matrices, instead of W, are those of the live contacts */
    int newton_unknowns; /* of the matrix that is factored; 0: none is */
    bool has_solids;     /* some pairs are two obstacles */
    int refreshes; /* iterations of this stage, in the first of which positions and normals follow */
    bool refreshed; /* they did in the last one */
    bool
        loose; /* forces of the last one are found to a larger tolerance, and an iteration has to follow */
    bool by_passes; /* it is one of a step of one solve */
    bool retains;   /* contacts with a force stay beside those that are found anew */
    double moved;   /* the correction of the last iteration, over the size of elements */
    int searches;   /* that found contacts which rows did not have */
    bool searched;  /* the present rows have all contacts, as far as the iteration has come */
    bool in_force;  /* a contact has a force, or is expected to have one */
    bool
        located; /* w->cache and segments are those of the trial, as cord__island_locate() leaves them */
    bool
        persists; /* every contact had a force in two steps at least, and nothing moves by a script */
    bool
        crosses_impacts; /* TR-BDF2 is kept in steps with impacts where nothing drives the island */
    bool across;         /* the last step began with accelerations without contact forces */
    double quiet;    /* the least age of its contacts, which a contact without an impact takes */
    double lost;     /* the least of what its contacts remember (contact_energy.c) */
    bool by_scheme;  /* the last step was made by the scheme of the world, not by backward Euler */
    bool mean_axes;  /* forces act along mean normals of the step (contact_axes.c) */
    bool closes;     /* a contact closed in this step, with an impact */
    bool overflow;   /* the room for rows or W did not suffice */
    bool far;        /* a search for an equilibrium left the margin */
    bool fixed;      /* contacts of a search stay at their material points */
    double proximal; /* ε of the next solve */
    double proximal_error; /* of the last solve, relative to the forces */
    int repetitions;       /* of the solve at a converged trial, in this stage */
    cone_report report;
    /* Until the world collects them. */
    int64_t solves, sweeps, newton_steps, unsolved;
    double seconds_rows, seconds_coupling, seconds_cones;
} island_contacts;

static inline int most_refreshes(const island_contacts *x)
{
    return x->has_solids ? SOLID_REFRESHES : CONTACT_REFRESHES;
}

/* The configuration at which the curve of a block is evaluated. */
typedef struct contact_context {
    block *block;
    const double *q, *cache;
} contact_context;

/* A row in a count of unstable directions: coefficients of H of a contact (normal, tangent, tangent) and of n·J_s, and 1/D,
 * which is 0 of the contact itself. */
typedef struct count_row {
    const contact_row *of;
    double on[3], on_slope, inverse;
    double *value; /* over the columns of both sides */
} count_row;

/* Workspace of such a count. */
typedef struct contact_count {
    int room;
    count_row *row;
    double *values, *matrix, *jacobian;
    int *dof;
} contact_count;

/* A joint of a strand with a strand, or with an obstacle, at which they overlap: the overlap that contact admits falls to zero
 * within its reach along them. */
typedef struct contact_joint {
    int curve[2], obstacle; /* the second curve or the obstacle is −1 */
    double s[2], overlap, reach;
} contact_joint;

/* Blocks of two fragments of a strand: the end of the first and the start of the second were one point. */
typedef struct contact_break {
    int before, after;
} contact_break;

/* The contacts of some pairs, in the array of the thread that found them. */
typedef struct searched_chunk {
    int thread, first, count;
} searched_chunk;

/* Workspace of a Jacobian, in cache lines of its own. */
#define THREAD_ROOM(columns) ((SURFACE_WORK + CENTRE_WORK) * (size_t)(columns) + 8)

/* Contacts of a world. Arrays are reserved between attempts. */
struct contact_set {
    cord_contact_def def;
    int materials;
    contact_law *law; /* materials × materials */

    int obstacles;
    obstacle *obstacle;
    obstacle_carrier *carrier;

    /* Strands with a surface: one curve each, and their segments one after another. */
    int curves, segments;
    contact_curve *curve;
    contact_context *context;
    int *first_segment; /* per curve */
    contact_segment *segment;
    double (*start)[2][3], (*ahead)[2][3]; /* ends at the start of the attempt, and expected ends */
    double (*last_x)[2][3], *last_q;       /* ends and q before the last motion of an iteration */
    broad_phase broad;
    solid_pairs solids;
    bool *moves; /* per obstacle */
    /* Of guarantee mode: chords of the curves in the attempt, those of a segment from first_chord on, and workspace. */
    int chord_room, chords, *first_chord;
    moving_chord *chord;
    double (*sweep)[2];
    int *sweep_order;
    /* Per segment: how far its ends may be from their expected ones at the end of the attempt (contact_margin.c). */
    double *allowance;
    /* Bounds of the attempt, and those with which candidates of the broad phase were found, which serve as long as they contain
     * the former. */
    segment_box *box, *boxed;
    bool boxes_serve;
    double margin;  /* of solids, and of a search for an equilibrium */
    double farther; /* a factor of it, since objects moved farther than expected */

    int breaks;
    contact_break *broken;
    int joint_room, *first_joint;          /* per curve */
    contact_joint *joint, *unsorted_joint; /* in the order of first curves */

    int pairs, pair_room;
    contact_pair *pair, *unordered; /* island by island; in the order of keys */
    cluster_pair *joined;           /* per pair, before islands are formed */
    uint64_t *pair_key;
    int *pair_order;
    int islands, island_room;
    island_contacts *island;
    cluster *cluster; /* of the partition */

    int rows, row_room, columns; /* most dofs of a side */
    contact_row *row;
    contact_memory *row_before;
    contact *found;
    /* A search in threads (contact_search.c): contacts that each has found, search_room of them, and their numbers by pairs. */
    int search_room, search_threads, chunk_room;
    contact *thread_found;
    searched_chunk *chunk;
    double *thread_work; /* THREAD_ROOM doubles for each thread of an island */
    int *index;          /* dofs, unknowns and responses of rows */
    double *numbers;     /* H of rows */
    size_t blocks, block_room, work, work_room;
    double headroom; /* a factor of the room for W */
    /* Of a search for an equilibrium: pairs of different clusters take no part, and follow the others in `unordered`. Where they
     * come into contact their blocks are joined to one cluster. */
    bool statics, frictionless;
    int between;
    int joins, join_room;
    int (*join)[2]; /* blocks */
    contact_count count;
    int *live, *row_start, *column, *member, *cursor;
    int moved_room;
    row_motion *moved; /* of live contacts, in a projection */
    newton_contact *newton;
    size_t newton_numbers, newton_indices, newton_number_room, newton_index_room;
    double *newton_number;
    int *newton_index;
    double *block, *second_block; /* of W; the parts of clusters on second sides of rows */
    double *b, *friction, *previous, *force, *cone_work;

    bool renumbered;      /* keys of remembered contacts may be those of another layout */
    contact_owner *owner; /* curves and obstacles, sorted */
    int remembered, memory_room;
    contact_memory *memory; /* sorted by key */
    uint64_t *key;
    int *order;
    contact_memory *unsorted;
};

/* ---- contact_segments.c ---------------------------------------------------------------------- */

/* Room for the curves and segments of the present blocks. */
cord_status cord__contacts_layout(problem *w, contact_set *k, memory *m);
void cord__contacts_release(contact_set *k, memory *m);
/* Positions of the segments of a cluster's blocks, at q. */
void cord__contacts_locate(problem *w, const cluster *s, const double *q, const double *cache);
/* The same after the rows of the cluster in w->cache are refreshed, and of all clusters of an island. */
void cord__refresh_and_locate(problem *w, const cluster *s, const double *q);
void cord__island_locate(problem *w, const island *of, const double *q);
/* The same at the trial, where that has not been done since it moved. */
void cord__locate_trial(problem *w, const island *of);
/* Whether w->cache of the blocks of a cluster is that of the trial, for their equations too. */
bool cord__is_refreshed(const problem *w, const cluster *s);

/* ---- contact_margin.c ------------------------------------------------------------------------ */

/* Whether something deviated from its expected motion by more than its allowance in an attempt of length h, and contacts may have
 * been missed; the next one then allows for it. May allocate. */
bool cord__contacts_moved_too_far(problem *w, contact_set *k, double h, memory *m);
/* The largest displacement of the segments and obstacles of a cluster from the start of the attempt to the trial. */
double cord__trial_displacement(problem *w, const cluster *s);
/* Twice the deviation that the sides of a pair may have, on the average: contacts with gaps up to half of it are rows. */
double cord__pair_margin(const contact_set *k, const contact_pair *x);

/* ---- contact_pairs.c ------------------------------------------------------------------------- */

/* Finds the pairs of an attempt of length h from `now`, and the clusters that they join. May allocate. */
cord_status cord__contacts_detect(problem *w, contact_set *k, double h, memory *m);
/* The least key of the contacts of a pair. */
uint64_t cord__pair_key(const contact_set *k, const contact_pair *x);
/* The radius of the first side; of two solids, which have none, the margin. */
double cord__pair_scale(const contact_set *k, const contact_pair *x);
/* In a search for an equilibrium: joins the clusters of pairs between clusters; of those only that overlap at the trial or passed
 * through each other, and of all where something left the margin; or of those that were in contact in the last step. Whether
 * there are any. May allocate. */
typedef enum joined_pairs { JOIN_ALL, JOIN_OVERLAPPING, JOIN_REMEMBERED } joined_pairs;
cord_status cord__join_clusters(problem *w, contact_set *k, joined_pairs which, memory *m,
                                bool *any);

/* The segment of a curve that has the material coordinate s, or the first or last one where none has. */
int cord__contact_segment_at(const contact_set *k, int curve, double s);

/* ---- contact_joints.c --------------------------------------------------------------------------- */

/* Where constraints join objects, at the present positions. May allocate. */
cord_status cord__find_joints(const problem *w, contact_set *k, memory *m);
/* Whether a pair is in reach of a joint, and whether both of its segments have it. */
bool cord__near_joint(const contact_set *k, const contact_pair *x);
bool cord__meets_at_joint(const contact_set *k, const contact_pair *x);
/* Tapers a contact near a joint. False: it is at the joint itself, where nothing moves. */
bool cord__taper(const contact_set *k, contact *c);

/* ---- contact_islands.c ----------------------------------------------------------------------- */

/* After islands are formed: distributes the pairs to them. May allocate. */
cord_status cord__contacts_distribute(problem *w, contact_set *k, const partition *p, double h,
                                      memory *m);
/* Whether the room of an island did not suffice; the next attempt has more. */
bool cord__contacts_overflow(contact_set *k);

/* ---- contact_bound.c ------------------------------------------------------------------------------ */

/* Before clusters move: keeps q and the present positions of their segments. */
void cord__contacts_mark(problem *w, const island *of, const double *q);
/* After they moved by w->delta: where strands would pass through each other they move by a fraction of it instead, prescribed
 * dofs too unless `free`. Whether they do. */
bool cord__contacts_bound(problem *w, const island *of, bool free);

/* ---- contact_guarantee.c ------------------------------------------------------------------------ */

/* Guarantee mode: a failure where a strand passed through another, itself or an obstacle in an attempt of length h; segments are at
 * the trial, and stay there. May allocate. */
cord_status cord__check_passages(problem *w, contact_set *k, double h, memory *m);

/* ---- contact_passage.c -------------------------------------------------------------------------- */

/* Whether the axes of two strands, or of a strand with itself, passed through each other in the attempt. After
 * cord__contacts_moved_too_far(). */
bool cord__contacts_pass(const problem *w, const contact_set *k);
/* The same of one pair. */
bool cord__pair_passes(const contact_set *k, const contact_pair *x);

/* ---- contact_rows.c ----------------------------------------------------------------------------- */

/* Rows of an island at the trial: positions, normals and gaps, H and c. Returns a row whose normal turned too far, NULL: none
 * did. */
const contact_row *cord__contact_rows(problem *w, const island *of);
/* c of the same rows at the trial: material points, normals and H stay. The largest overlap over the radius. */
double cord__contact_gaps(problem *w, const island *of);
/* Positions and gaps of the same rows at the trial. */
void cord__follow_contacts(problem *w, const island *of);
bool cord__is_of_pair(const contact_pair *x, const contact *c);
/* The contacts of a pair with gaps up to a margin at the present positions, and how many there may be. */
int cord__contacts_of_pair(const contact_set *k, const contact_pair *x, double margin,
                           contact *out);
static inline int cord__most_contacts(const contact_pair *x)
{
    return x->segment[0] < 0 ? SOLID_CONTACTS : PAIR_CONTACTS;
}

/* The largest overlap of an island at the trial, over the radius, beyond those at the start of the step. `add`: contacts there become rows. */
double cord__overlap(problem *w, const island *of, bool add);
/* Whether the rows of the last iteration were found anew, so that its correction tells nothing of the next one. */
bool cord__contacts_change(const island *of);
/* Whether an iteration that has converged, or is about to, has to go on with contacts that its rows did not have. */
bool cord__misses_contacts(problem *w, const island *of, bool converged);
/* Whether an iteration that has converged has to go on, since the proximal term still moves contacts that stick. */
bool cord__contacts_drift(const problem *w, const island *of);
/* Begins the contacts of a step, by backward Euler or by the scheme of the world, or of a stage of it, whose prediction begins at q; ends a stage of a step h. */
void cord__contacts_begin_step(const island *of, bool by_scheme);
void cord__contacts_begin_stage(problem *w, const island *of, const double *q);
void cord__contacts_end_stage(const problem *w, const island *of, double h);
/* Of the radius: an overlap for which a step is made again, shorter; the same of schemes of one solve, for which steps of backward
 * Euler would take its place. */
#define LARGE_OVERLAP 0.05
#define LARGE_OVERLAP_ONE_SOLVE 0.2
/* A failure where a larger overlap remains. */
cord_status cord__check_overlap(problem *w, const island *of, double most);

/* ---- contact_search.c --------------------------------------------------------------------------- */

/* The gap up to which contacts of a pair are sought; false: the pair is left out. */
typedef bool pair_reach(const contact_set *k, const island_contacts *of, const contact_pair *x,
                        double *margin);
/* The contacts of the pairs of an island, to k->found from its first row on; an overflow where they are more than its rows have room
 * for. Their number. */
int cord__search_contacts(const problem *w, island_contacts *of, pair_reach *reach);
cord_status cord__reserve_search(const problem *w, contact_set *k, memory *m);

/* ---- contact_axes.c ----------------------------------------------------------------------------- */

/* The axes of a row: those of its contact at the trial, or mean ones of the step. */
void cord__set_contact_axes(const contact_set *k, contact_row *r, bool mean);
/* The work that forces along the normals at the end of the step have done in it, and mean ones would not, J. */
double cord__normal_work(const contact_set *k, const island_contacts *of);
/* The cosine of the angle between the normal of a contact of two strands and the direction between its material points at the start
 * of the attempt. */
double cord__normal_cosine(const contact_set *k, const contact *c);

/* ---- contact_motion.c --------------------------------------------------------------------------- */

/* The gap of the material points of a contact of strands at the start of the step, after cord__contacts_mark_stage(). */
double cord__gap_at_start(const problem *w, const contact *c);
/* At the start of a stage, at q: keeps what the motion of contacts in it is found from. */
void cord__contacts_mark_stage(problem *w, const island *of, const double *q);
/* Motion since the start of the step of the material point of an obstacle that is now at x. */
void cord__obstacle_motion(const contact_set *k, int index, const double x[3], double motion[3]);
/* Whether a side has a deviation; otherwise it becomes zero. Sets its past. The columns of the side are workspace, as are `work`,
 * SURFACE_WORK × columns. */
bool cord__contact_deviates(const problem *w, const stage *t, contact_row *r, int side,
                            double *work);
/* Sets it at the trial, from the Jacobian of the centreline over the columns of the side. */
void cord__set_deviation(const problem *w, const stage *t, contact_row *r, int side,
                         const double *centre);
/* Adds H x, along the axes of a row, for x over all dofs. */
void cord__add_row_motion(const contact_row *r, const double *x, double out[3]);
/* The relative motion of a contact since the start of the step, along its axes. */
void cord__contact_motion(const problem *w, const stage *t, const contact_row *r, double out[3]);

/* ---- contact_energy.c --------------------------------------------------------------------------- */

/* Whether work is done on an island that its energy does not contain. */
bool cord__island_is_driven(const problem *w, const island *of);
/* The energy in `now` or in the trial, J. Leaves w->cache there. */
typedef struct island_energy {
    double kinetic, total;
} island_energy;
island_energy cord__island_energy(problem *w, const island *of, const state *at, double time);
/* Whether a step between these energies gains too much, of TR-BDF2 or of backward Euler; and, at the end of a step h, what
 * steps have lost then. */
bool cord__contacts_gain(const problem *w, const island *of, const island_energy *before,
                         const island_energy *after, bool by_euler);
/* Whether a step h of backward Euler gains so much that it is to be made in shorter ones. */
bool cord__contacts_leap(const problem *w, const island *of, const island_energy *before,
                         const island_energy *after, double h);
void cord__contacts_lose(const problem *w, const island *of, const island_energy *before,
                         const island_energy *after, double h);

/* How a cluster responds to forces: A⁻¹ of the present factor, over cluster.responses. */
typedef struct coupling coupling; /* contact_coupling.h */
typedef struct response_ops {
    void (*solve)(const problem *w, cluster *s, int count);
    void (*add)(problem *w, cluster *s); /* the response to the first force, to the correction */
    /* Adds the blocks of a cluster in another way; false: there is none. NULL: never. */
    bool (*couple)(const problem *w, cluster *s, coupling *c);
} response_ops;

/* In Newton's iteration. */
extern const response_ops cord__newton_responses;

/* ---- contact_coupling.c ------------------------------------------------------------------------- */

/* Numbers the live contacts, and lists those of each cluster. A failure where there is no room. */
cord_status cord__list_live(problem *w, const island *of);
/* The same, and W of these contacts. */
cord_status cord__couple_contacts(problem *w, const island *of, const response_ops *by, double c_v);
/* The block of live contacts i and j. */
double *cord__coupling_block(const contact_set *k, const island_contacts *x, int i, int j);

/* ---- contact_row_newton.c ----------------------------------------------------------------------- */

/* Doubles and ints of workspace. */
size_t cord__row_newton_numbers(int rows, int contacts);
size_t cord__row_newton_indices(int rows, int contacts);
/* In a projection of an island of one cluster, after cord__list_live(): the matrices. False: the method does not apply. */
bool cord__couple_with_rows(const problem *w, const island *of);
/* With them: forces of the live contacts to a tolerance. False where they are not found; then forces stay. */
bool cord__solve_with_contact_rows(const problem *w, const island *of, double c_v,
                                   const cone_options *options, cone_report *report);

/* ---- contact_solve.c ---------------------------------------------------------------------------- */

/* Whether the step of an island is to be made with contact forces. */
bool cord__contacts_in_force(const island *of);
/* Whether a contact has a force at the end of the step. */
bool cord__contacts_bear(const problem *w, const island *of);
/* After `correct`, with new rows: adds the motion by contact forces to the corrections of all clusters. */
cord_status cord__solve_contacts(problem *w, const island *of, const response_ops *by, double c_v);
/* The same in a pass of a step of one solve (contact_one_solve.c), to a larger tolerance; and after the last one, with its rows and
 * the tolerance of the world: adds the motion by the change of the forces. */
cord_status cord__solve_contacts_loosely(problem *w, const island *of, const response_ops *by,
                                         double c_v);
void cord__solve_contacts_exactly(problem *w, const island *of, const response_ops *by, double c_v);
/* The same with the rows of the last solve, whose c is that of the trial with its forces; and with its W as long as the same
 * contacts are live. The proximal term refers to these forces, so that its error vanishes. */
cord_status cord__solve_contacts_again(problem *w, const island *of, const response_ops *by,
                                       double c_v);
/* Removes the motion by the contact forces of the last solve from the correction of a cluster. */
void cord__withdraw_contacts(problem *w, const island *of, cluster *s, const response_ops *by);
/* Adds the geometric stiffness of the contact forces of the last solve to the matrix of a cluster in Newton's iteration. */
void cord__stiffen_in_contact(const problem *w, const cluster *s);
/* With the present rows. */
cord_status cord__solve_with_rows(problem *w, const island *of, const response_ops *by, double c_v);
/* For given velocities `start` of the rows: forces and velocities without and with them. */
cord_status cord__solve_impulses(problem *w, const island *of, const response_ops *by, double c_v);
/* With the present rows, in a search for an equilibrium whose matrix is positive only under the contacts: by changes of an
 * active set that begins with the contacts that have a force. False: none was found. */
bool cord__solve_active_contacts(problem *w, const island *of, const response_ops *by);

/* ---- contact_one_solve.c ------------------------------------------------------------------------ */

/* The step h of an island in contact by a scheme of one solve, but for its projection. */
cord_status cord__one_solve_in_contact(problem *w, const island *of, const scheme_ops *scheme,
                                       double h);

/* ---- contact_statics.c -------------------------------------------------------------------------- */

/* In a search for an equilibrium of a cluster, whose contacts are with obstacles and with itself. Begins a search, of the trial
 * or a query at it; finds the rows at the trial, whose w->cache is refreshed. */
void cord__static_contacts_begin(problem *w, cluster *s);
void cord__static_contacts(problem *w, cluster *s);
/* Whether a contact has a force. */
bool cord__bears_contacts(const problem *w, const cluster *s);
/* Adds the contact forces, times a factor, to the residual w->r. */
void cord__add_contact_forces(const problem *w, const cluster *s, double factor);
/* Adds the geometric stiffness of contact forces, at the material points of strands, to the matrix; that of one row, on one cluster. */
void cord__stiffen_contacts(const problem *w, const cluster *s);
void cord__stiffen_row(const problem *w, const cluster *s, const contact_row *r);
double cord__largest_contact_force(const problem *w, const cluster *s);
/* Σ max(0, −g), and the work of friction with the present normal forces, Σ μ p_N |u_T|. */
double cord__contact_violation(const problem *w, const cluster *s);
bool cord__contacts_overlap(const problem *w, const cluster *s); /* by more than the tolerance */
double cord__contact_dissipation(const problem *w, const cluster *s);
/* After a step without contact forces was solved for: adds the motion by contact forces to w->delta, and to multipliers. */
bool cord__solve_static_contacts(problem *w, cluster *s);
/* The displacement since detection over that which the search may have. */
double cord__moved_over_margin(problem *w, const cluster *s);

/* ---- contact_stability.c ------------------------------------------------------------------------ */

/* Adds to the negative directions of the matrix, which is factored, beyond those of its rows, the change by the contacts that
 * have a force; with the curvature of obstacles, or without it. */
cord_status cord__contact_directions(problem *w, cluster *s, bool curved, int *count);

/* ---- contact_restitution.c ---------------------------------------------------------------------- */

/* After a step h: contacts that closed in it with an impact rebound, u_N⁺ = −e u_N⁻. */
cord_status cord__rebound(problem *w, const island *of, double h);

/* ---- contact_identity.c ------------------------------------------------------------------------- */

/* Sets owners and coordinates along whole strands. */
void cord__identify_contact(const contact_set *k, const contact *c, contact_memory *to);
/* After the layout has changed, with segments at their positions: gives remembered contacts their present keys. */
void cord__renumber_memory(contact_set *k);
/* Forgets the contacts of an object that is removed. */
void cord__forget_contacts(contact_set *k, int owner);

/* ---- contact_memory.c --------------------------------------------------------------------------- */

/* The first remembered contact whose key is not less. */
int cord__find_memory(const contact_set *k, uint64_t key);
/* Before rows are found again: keeps their forces. Afterwards: sets those of the last iteration, or of the last step, of rows from
 * `first` on. */
void cord__keep_forces(contact_set *k, island_contacts *of);
void cord__recall_forces(const contact_set *k, const island_contacts *of, int first);
/* Contacts of `unsorted` become those that are remembered, sorted by their keys. */
void cord__sort_memory(contact_set *k);
/* The forces of the trial become those of the committed state. May allocate. */
cord_status cord__remember_forces(contact_set *k, memory *m);
cord_status cord__reserve_memory(contact_set *k, memory *m, int room);

#endif
