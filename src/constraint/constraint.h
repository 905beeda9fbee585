/* What a constraint is: rows g over the poses of one or two points. A kind of constraint is one file
 * with one const table, registered in registry.c. It says which measures of its points it needs
 * and gives g with its first (and, where they matter, second) derivatives over the poses; points,
 * blocks, islands and the step do the rest. */
#ifndef CORDAGE_CONSTRAINT_CONSTRAINT_H
#define CORDAGE_CONSTRAINT_CONSTRAINT_H

#include "block/point.h"

#include <cordage/constraint.h>

/* NEEDS_CURVATURE, NEEDS_COORDINATE: the curvature vector, or the point's coordinate and two zeros,
 * stands where the place would; a coordinate beside a place stands where the frame would. */
enum { NEEDS_POSITION = 1, NEEDS_FRAME = 2, NEEDS_CURVATURE = 4, NEEDS_COORDINATE = 8 };
enum { CONSTRAINT_ROWS = 3, CONSTRAINT_PARTS = 4, CONSTRAINT_SLIDING_RATES = 5 };

typedef struct constraint_params {
    double direction[3]; /* unit, in the second point's frame */
    double across[2][3]; /* two unit normals of it, likewise */
    double length, ratio;
    double relative[9];
    double curvature[3];       /* twist, about the two directors */
    double first_direction[3]; /* a direction in the first point's frame, unit */
} constraint_params;

/* Variations of a pose pair: place of the first (3), rotation of the first (3), place of the
 * second (3), rotation of the second (3): the parts 0 to 3. */
typedef struct constraint_value {
    double g[CONSTRAINT_ROWS];
    double D[CONSTRAINT_ROWS][3 * CONSTRAINT_PARTS];
} constraint_value;

typedef struct constraint_ops {
    const char *name;
    int rows;
    int needs[2];                        /* of the first and of the second point */
    bool tangent_suffices[2];            /* a tangent will do where it needs a frame */
    bool one_sided;                      /* g >= 0 makes sense */
    const struct constraint_ops *within; /* what it is when it has a length, or a side */
    bool is_angle; /* g is an angle: what is driven away from it is taken to ±π */
    bool
        prescribes; /* with a second point in the world it gives the first's place (or frame) whole:
                        where that is three columns of a block, they need no rows */
    void (*evaluate)(const constraint_params *p, const pose *first, const pose *second,
                     constraint_value *out);
    /* Σ λ ∂²g over the parts, added to h (12×12); NULL: zero or not worth it. */
    void (*curvature)(const constraint_params *p, const pose *first, const pose *second,
                      const double *lambda, double h[12][12]);
    /* What the second point's pose must be for g = drive: the first's pose. Only if `prescribes`. */
    void (*target)(const constraint_params *p, const pose *second, const double *drive, pose *out);
    /* Fill what the definition leaves to be taken from the present poses; `given`: it leaves nothing,
     * and poses are not looked at. */
    bool (*given)(const cord_constraint_def *def);
    cord_status (*complete)(constraint_params *p, const cord_constraint_def *def, const pose *first,
                            const pose *second, char *why, size_t size);
} constraint_ops;

/* One part of a constraint: which jet of which point, and its columns in the constraint's own list. */
typedef struct constraint_part {
    int block; /* -1: not used, or in the world */
    int first; /* in constraint.column */
    int count;
    int slider; /* block whose column is the last of them; -1: the point does not slide */
    /* At the last evaluation of what slides: its frame was the strand's own; and the part's columns from `live` to
     * `live_end` were those of its piece, beside its own. */
    bool has_strand_frame;
    int active, active_end;
} constraint_part;

/* Columns that follow each other. */
enum { CONSTRAINT_RUNS = 2 * CONSTRAINT_PARTS };
typedef struct dof_run {
    int first, end;
} dof_run;

/* A one-sided constraint with restitution is no part of the equations while it is apart; when it has come
 * to rest it holds as others do, until it lets go. See solve/impact.c. */
typedef struct impact_state {
    double restitution; /* 0: it does not bounce */
    bool resting;
    double since, rate_since; /* when its rate last jumped, and to what */
    double g, rate;           /* at the start of the step */
    /* during an impact: it takes part, comes to rest by it, was active before it */
    bool in_contact, comes_to_rest, was_active;
} impact_state;

/* When it lets go and takes hold; 0: never. See world/conditions.c. */
typedef struct conditions {
    double release_time, release_force, release_distance;
    double attach_time, attach_distance, attach_speed, attach_after;
    bool repeat; /* it takes hold more than once */
    /* what has become of them: times that have passed, that it has let go, and that since then what attaches
     * it was once not so */
    bool released_by_time, attached_by_time, released_once, armed;
    double since; /* when it let go */
} conditions;

/* Friction in `quasi-static` worlds, in the axes of the second point: see solve/friction.c. */
typedef struct friction_state {
    double from[9]; /* place or frame of the first at the start of the step */
    double constrained[CONSTRAINT_ROWS][3];
    int constrained_count;
    double displacement[3]; /* since then, of what is free */
    double rate[3];         /* over the last step */
} friction_state;

typedef struct constraint {
    const constraint_ops *ops;
    char *name;
    int slot;
    list_link on[2]; /* in the lists of its points */
    int point[2];    /* index; -1 for a null second point: the world's origin */
    constraint_params params;
    bool needs_whole_frame
        [2]; /* of a point that slides it takes the strand's own frame; else its tangent will do */
    double compliance, damping;
    cord_side side;
    impact_state impact_state;
    keyframes drive;
    double drive_value[CONSTRAINT_ROWS], drive_rate[CONSTRAINT_ROWS],
        drive_time;    /* added to the keys */
    bool manual_drive; /* by hand: there are no keys any more */
    bool released;     /* let go */
    /* What took hold from a distance closes that gently: g at the time `gap_from`, 0 after a while. */
    double gap[CONSTRAINT_ROWS], gap_time;
    bool closing;
    conditions conditions;
    double friction; /* of what is left free; held by a constraint beside it: */
    struct constraint *friction_term;
    struct constraint *owner; /* not NULL: it is that, and has no rows. See solve/friction.c */
    friction_state *friction_state; /* of that, in a `quasi-static` world */
    bool internal; /* the library's own: at the ends of strands, what coordinates are, friction */
    bool end_stop; /* of these, at an end; gives a point nothing to be moved by */

    /* set when islands are made */
    bool eliminated;
    bool welded; /* it makes columns of one block those of another; it has no rows then either */
    bool
        quasistatic; /* all its columns are without inertia: it holds at the end of a step, not on average */
    int l0;          /* where its multipliers begin */
    int island_index; /* among its island's constraints */
    int entries;      /* where in the island's list of slots B and K begin */
    int dofs;
    int *dof;               /* global column numbers */
    int *unknown;           /* and their places among the island's unknowns */
    bool has_repeated_dofs; /* some of which are the same */
    bool all_inertial;      /* all of which have inertia, or are held */
    bool axis_aligned;      /* all its jets are weights, see jet.weighs */
    double *B;              /* CONSTRAINT_ROWS × columns, row by row */
    double *K;         /* Σ λ ∂²g, or what that is made from: see solve/constraint_hessian.c */
    double *jacobians; /* storage for the jets' J */
    double *sliding_rates; /* CONSTRAINT_SLOPES per column: how they change as a point slides */
    constraint_part part[CONSTRAINT_PARTS];
    constraint_value value; /* at the last evaluation */
    double target[CONSTRAINT_ROWS], target_rate[CONSTRAINT_ROWS];
    double start[CONSTRAINT_ROWS];  /* `midpoint`, and stage.relative: g at the start of the step */
    double defect[CONSTRAINT_ROWS]; /* and what g changes by beyond B d */
    bool active[CONSTRAINT_ROWS];   /* one-sided rows that hold now */
} constraint;

/* The list of constraints: scenes, schema and documents learn the names from it. */
#define CONSTRAINT_LIST(X)                                                                         \
    X(coincide)                                                                                    \
    X(align)                                                                                       \
    X(plane) X(axis) X(distance) X(curvature) X(parallel) X(perpendicular) X(angle) X(slide)

#define DECLARE_CONSTRAINT(name) extern const constraint_ops cord__##name;
CONSTRAINT_LIST(DECLARE_CONSTRAINT)
#undef DECLARE_CONSTRAINT

/* What some of them are with a length; see within.c. */
extern const constraint_ops cord__coincide_within, cord__axis_within, cord__align_within,
    cord__curvature_within, cord__parallel_within;

/* Rows that say what a coordinate is: not for scenes. */
extern const constraint_ops cord__revolute, cord__prismatic;
/* No rows: the mass of a point that slides. See solve/pearl.c. */
extern const constraint_ops cord__pearl;

/* Second derivatives of n·(x₁ − x₂) with n turning with the second point, times λ. */
void cord__add_turning_normal(const double n[3], const double d[3], double lambda,
                              double h[12][12]);

/* Row: a·n of directions that turn with the first and the second frame; and λ times its second
 * derivatives. */
void cord__dot_of_directions(const double a[3], const double n[3], int row, constraint_value *out);
void cord__add_turning_directions(const double a[3], const double n[3], double lambda,
                                  double h[12][12]);

/* Whether it is driven at all, and to what; `rate` may be NULL. */
bool cord__constraint_is_driven(const constraint *r);
void cord__constraint_drive(const constraint *r, double time, double value[CONSTRAINT_ROWS],
                            double rate[CONSTRAINT_ROWS]);

/* NULL when there is none of that name. */
const constraint_ops *cord__constraint_find(const char *name);

#endif
