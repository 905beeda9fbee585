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
 * Detection finds, at the start of an attempt, the pairs of segments or obstacles whose gap is within a margin. In the attempt
 * nothing may move by more than half of it. Pairs join clusters to islands; each island evaluates its pairs at the trial. */
#ifndef CORDAGE_SOLVE_CONTACTS_H
#define CORDAGE_SOLVE_CONTACTS_H

#include "contact/detect.h"
#include "solve/cone/cone.h"
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
    int material;
} obstacle_carrier;

/* Friction and restitution of two materials. */
typedef struct contact_law {
    double friction, restitution;
} contact_law;

/* A contact that had a force at the end of the last step: part of the state. */
typedef struct contact_memory {
    uint64_t key;
    double force[3]; /* normal, tangent, tangent */
    double s[2];
} contact_memory;

/* One side of a contact over the dofs of a block; none: count 0. */
typedef struct contact_columns {
    int cluster; /* in the island's list; −1: none */
    int count;
    int *dof, *unknown; /* of the problem, of the cluster */
    double *
        H; /* 3 per dof: normal, tangent, tangent; of the relative motion, so that the second side has the sign − */
} contact_columns;

typedef struct contact_row {
    contact at;
    double first_normal[3]; /* at the start of the attempt */
    double friction;
    double radius; /* sum of both */
    double rest; /* the gap that it must reach: 0, less where the strands overlapped at the start */
    double driven[2]; /* tangential motion of the obstacle since the start of the step, relative */
    double c[3];
    double b[3];
    double force[3];    /* p of the last solve */
    double previous[3]; /* p⁻ */
    int live;           /* its number among live ones; −1: it is not */
    contact_columns side[2];
} contact_row;

/* Two segments, or a segment or an obstacle and an obstacle, that may come into contact within the attempt. */
typedef struct contact_pair {
    int segment[2]; /* in the list; −1: obstacle[k] */
    int obstacle[2];
    int island;
} contact_pair;

/* The contacts of one island: ranges of the arrays of the set. */
typedef struct island_contacts {
    int first_pair, pairs;
    int first_row, row_room, rows;
    int first_live, live_room, live;
    size_t first_block, block_room; /* of W, 3×3 each */
    int refreshes;                  /* of positions and normals, in this step */
    bool
        in_force; /* a contact has a force, or is about to have one: the step is made by backward Euler */
    bool overflow; /* the room did not suffice */
    int failed;    /* the row that failed; −1: none */
    cone_report report;
} island_contacts;

/* Contacts of a world. */
struct contact_set {
    bool enabled; /* some object has a surface */
    cord_contact_def def;
    int materials;
    contact_law *law; /* materials × materials */

    int obstacles;
    obstacle *obstacle;
    obstacle_carrier *carrier;

    /* Strands with a surface: one curve each, and their segments one after another. */
    int curves;
    contact_curve *curve;
    int *curve_block; /* in problem's list */
    struct contact_context *context;
    int *first_segment; /* curves + 1, in segment */
    contact_segment *segment;
    double (*start)[2][3]; /* ends of the segments at the start of the attempt */
    detection detection;

    double margin; /* of the attempt */
    double growth; /* of it, since objects moved farther than expected; 1: none */

    int pairs, pair_room;
    contact_pair *pair;   /* island by island */
    cluster_pair *joined; /* per pair, before islands are formed */
    int islands, island_room;
    island_contacts *island;

    int row_room, live_room, columns; /* most dofs of a side */
    contact_row *row;
    int *index;      /* dofs and unknowns of rows */
    double *numbers; /* H of rows */
    size_t block_room;
    double headroom; /* factor of the room for live contacts; grows where it did not suffice */
    int *live, *row_start, *column;
    double *block, *b, *friction, *previous, *force, *cone_work;

    int remembered, memory_room; /* committed; sorted by key */
    contact_memory *memory;
    int64_t solves, sweeps, newton_steps, unsolved;
    double worst_residual;
};

/* ---- contact_detect.c --------------------------------------------------------------------------- */

/* Room for the curves and segments of the present blocks. */
cord_status cord__contacts_layout(problem *w, contact_set *k, memory *m);
void cord__contacts_release(contact_set *k, memory *m);

/* Finds the pairs of an attempt of length h from `now`, and the clusters that they join. May allocate. */
cord_status cord__contacts_detect(problem *w, contact_set *k, double h, memory *m);
/* After islands are formed: distributes the pairs to them. May allocate. */
cord_status cord__contacts_distribute(problem *w, contact_set *k, const partition *p, double h,
                                      memory *m);
/* Positions of the segments of a cluster's blocks, at q. */
void cord__contacts_place(problem *w, const cluster *s, const double *q, const double *cache);
/* Whether something moved by more than half the margin from now to the trial; then the margin is larger in the next attempt. */
bool cord__contacts_moved_too_far(problem *w, contact_set *k);

/* ---- contact_rows.c ----------------------------------------------------------------------------- */

/* Rows of an island at the trial: positions, normals and gaps, H and c. False: a normal turned too far, or the room does not
 * suffice. */
bool cord__contact_rows(problem *w, const island *of);

/* ---- contact_solve.c ---------------------------------------------------------------------------- */

/* Whether the step of an island is to be made with contact forces from the start. */
bool cord__contacts_in_force(const problem *w, const island *of);
/* After `correct`: adds the contact forces to the corrections of all clusters. */
cord_status cord__solve_contacts(problem *w, const island *of);
/* The least gap of an island at the trial. */
double cord__least_gap(problem *w, const island *of);

/* ---- contact_memory.c --------------------------------------------------------------------------- */

/* Forces of the last step, for the rows of an island. */
void cord__recall_forces(const contact_set *k, island_contacts *of);
/* The forces of the trial become those of the committed state. May allocate. */
cord_status cord__remember_forces(contact_set *k, memory *m);

#endif
