/* What a relation is: rows g over the poses of one or two points. A kind of relation is one file
 * with one const table, registered in registry.c. It says which measures of its points it needs
 * and gives g with its first (and, where they matter, second) derivatives over the poses; points,
 * blocks, islands and the step do the rest. */
#ifndef CORDAGE_RELATION_RELATION_H
#define CORDAGE_RELATION_RELATION_H

#include "block/point.h"

#include <cordage/relation.h>

/* NEEDS_CURVATURE, NEEDS_COORDINATE: the curvature vector, or the point's coordinate and two zeros,
 * stands where the place would; a coordinate beside a place stands where the frame would. */
enum { NEEDS_PLACE = 1, NEEDS_FRAME = 2, NEEDS_CURVATURE = 4, NEEDS_COORDINATE = 8 };
enum { RELATION_ROWS = 3, RELATION_PARTS = 4, RELATION_SLOPES = 5 };

typedef struct relation_params {
    double direction[3]; /* unit, in the second point's frame */
    double across[2][3]; /* two unit normals of it, likewise */
    double length, ratio;
    double relative[9];
    double curvature[3]; /* twist, about the two directors */
    double own[3];       /* a direction in the first point's frame, unit */
} relation_params;

/* Variations of a pose pair: place of the first (3), rotation of the first (3), place of the
 * second (3), rotation of the second (3): the parts 0 to 3. */
typedef struct relation_value {
    double g[RELATION_ROWS];
    double D[RELATION_ROWS][3 * RELATION_PARTS];
} relation_value;

typedef struct relation_ops {
    const char *name;
    int rows;
    int needs[2];                      /* of the first and of the second point */
    bool tangents[2];                  /* a tangent will do where it needs a frame */
    bool one_sided;                    /* g >= 0 makes sense */
    const struct relation_ops *within; /* what it is when it has a length, or a side */
    bool wraps; /* g is an angle: what is driven away from it is taken to ±π */
    bool
        prescribes; /* with a second point in the world it gives the first's place (or frame) whole:
                        where that is three columns of a block, they need no rows */
    void (*evaluate)(const relation_params *p, const pose *first, const pose *second,
                     relation_value *out);
    /* Σ λ ∂²g over the parts, added to h (12×12); NULL: zero or not worth it. */
    void (*curvature)(const relation_params *p, const pose *first, const pose *second,
                      const double *lambda, double h[12][12]);
    /* What the second point's pose must be for g = drive: the first's pose. Only if `prescribes`. */
    void (*target)(const relation_params *p, const pose *second, const double *drive, pose *out);
    /* Fill what the definition leaves to be taken from the present poses; `given`: it leaves nothing,
     * and poses are not looked at. */
    bool (*given)(const cord_relation_def *def);
    cord_status (*complete)(relation_params *p, const cord_relation_def *def, const pose *first,
                            const pose *second, char *why, size_t size);
} relation_ops;

/* One part of a relation: which jet of which point, and its columns in the relation's own list. */
typedef struct relation_part {
    int block; /* -1: not used, or in the world */
    int first; /* in relation.column */
    int count;
    int slider; /* block whose column is the last of them; -1: the point does not slide */
    /* At the last evaluation of what slides: its frame was the strand's own; and the part's columns from `live` to
     * `live_end` were those of its piece, beside its own. */
    bool framed;
    int live, live_end;
} relation_part;

/* Columns that follow each other. */
enum { RELATION_RUNS = 2 * RELATION_PARTS };
typedef struct column_run {
    int first, end;
} column_run;

/* A one-sided relation with restitution is no part of the equations while it is apart; when it has come
 * to rest it holds as others do, until it lets go. See solve/impact.c. */
typedef struct bounce {
    double restitution; /* 0: it does not bounce */
    bool resting;
    double since, rate_since; /* when its rate last jumped, and to what */
    double g, rate;           /* at the start of the step */
    /* during an impact: it takes part, comes to rest by it, was active before it */
    bool touches, settles, held;
} bounce;

/* When it lets go and takes hold; 0: never. See world/conditions.c. */
typedef struct conditions {
    double release_time, release_force, release_distance;
    double attach_time, attach_distance, attach_speed, attach_after;
    bool again; /* it takes hold more than once */
    /* what has become of them: times that have passed, that it has let go, and that since then what attaches
     * it was once not so */
    bool released_by_time, attached_by_time, spent, armed;
    double since; /* when it let go */
} conditions;

/* Friction in `quasi-static` worlds, in the axes of the second point: see solve/friction.c. */
typedef struct rubbing {
    double from[9]; /* place or frame of the first at the start of the step */
    double held[RELATION_ROWS][3];
    int held_count;
    double moved[3]; /* since then, of what is free */
    double rate[3];  /* over the last step */
} rubbing;

typedef struct relation {
    const relation_ops *ops;
    char *name;
    int slot;
    linked on[2]; /* in the lists of its points */
    int point[2]; /* index; -1 for a null second point: the world's origin */
    relation_params params;
    bool whole
        [2]; /* of a point that slides it takes the strand's own frame; else its tangent will do */
    double compliance, damping;
    cord_side side;
    bounce bounce;
    keys drive;
    double drive_value[RELATION_ROWS], drive_rate[RELATION_ROWS],
        drive_from; /* added to the keys */
    bool steered;   /* by hand: there are no keys any more */
    bool off;       /* let go */
    /* What took hold from a distance closes that gently: g at the time `gap_from`, 0 after a while. */
    double gap[RELATION_ROWS], gap_from;
    bool closing;
    conditions when;
    double friction; /* of what is left free; held by a relation beside it: */
    struct relation *beside;
    struct relation *of; /* not NULL: it is that, and has no rows. See solve/friction.c */
    rubbing *rubbing;    /* of that, in a `quasi-static` world */
    bool own;  /* the library's own: at the ends of strands, what coordinates are, friction */
    bool stop; /* of these, at an end; gives a point nothing to be moved by */

    /* set when islands are made */
    bool absorbed;
    bool welded; /* it makes columns of one block those of another; it has no rows then either */
    bool
        instant; /* all its columns are without inertia: it holds at the end of a step, not on average */
    int l0;      /* where its multipliers begin */
    int place;   /* among its island's relations */
    int entries; /* where in the island's list of slots B and K begin */
    int columns;
    int *column;    /* global column numbers */
    int *unknown;   /* and their places among the island's unknowns */
    bool repeats;   /* some of which are the same */
    bool inertial;  /* all of which have inertia, or are held */
    bool weighed;   /* all its jets are weights, see jet.weighs */
    double *B;      /* RELATION_ROWS × columns, row by row */
    double *K;      /* Σ λ ∂²g, or what that is made from: see solve/relation_curvature.c */
    double *jets;   /* storage for the jets' J */
    double *slopes; /* RELATION_SLOPES per column: how they change as a point slides */
    relation_part part[RELATION_PARTS];
    relation_value value; /* at the last evaluation */
    double target[RELATION_ROWS], target_rate[RELATION_ROWS];
    double start[RELATION_ROWS];  /* `midpoint`, and stage.relative: g at the start of the step */
    double defect[RELATION_ROWS]; /* and what g changes by beyond B d */
    bool active[RELATION_ROWS];   /* one-sided rows that hold now */
} relation;

/* The list of relations: scenes, schema and documents learn the names from it. */
#define RELATION_LIST(X)                                                                           \
    X(coincide)                                                                                    \
    X(align)                                                                                       \
    X(plane) X(axis) X(distance) X(curvature) X(parallel) X(perpendicular) X(angle) X(slide)

#define DECLARE_RELATION(name) extern const relation_ops cord__##name;
RELATION_LIST(DECLARE_RELATION)
#undef DECLARE_RELATION

/* What some of them are with a length; see within.c. */
extern const relation_ops cord__coincide_within, cord__axis_within, cord__align_within,
    cord__curvature_within, cord__parallel_within;

/* Rows that say what a coordinate is: not for scenes. */
extern const relation_ops cord__turn, cord__travel;
/* No rows: the mass of a point that slides. See solve/pearl.c. */
extern const relation_ops cord__pearl;

/* Second derivatives of n·(x₁ − x₂) with n turning with the second point, times λ. */
void cord__add_turning_normal(const double n[3], const double d[3], double lambda,
                              double h[12][12]);

/* Row: a·n of directions that turn with the first and the second frame; and λ times its second
 * derivatives. */
void cord__dot_of_directions(const double a[3], const double n[3], int row, relation_value *out);
void cord__add_turning_directions(const double a[3], const double n[3], double lambda,
                                  double h[12][12]);

/* Whether it is driven at all, and to what; `rate` may be NULL. */
bool cord__relation_is_driven(const relation *r);
void cord__relation_drive(const relation *r, double time, double value[RELATION_ROWS],
                          double rate[RELATION_ROWS]);

/* NULL when there is none of that name. */
const relation_ops *cord__relation_find(const char *name);

#endif
