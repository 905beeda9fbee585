/* A constraint: rows g = 0 (or g >= 0) over the poses of one or two points, with multipliers. A kind of constraint
 * is one file with one const table, registered in registry.c: the measures of its points that it needs, and g with
 * its first and, where they are not negligible, second derivatives by the poses. Definition, state and workspace are
 * separate. */
#ifndef CORDAGE_CONSTRAINT_CONSTRAINT_H
#define CORDAGE_CONSTRAINT_CONSTRAINT_H

#include "block/term.h"
#include "constraint/drive.h"

#include <cordage/constraint.h>

enum { CONSTRAINT_ROWS = DRIVE_VALUES };

typedef struct constraint_params {
    double direction[3]; /* unit, in the frame of the second point */
    double across[2][3]; /* two unit normals of it, in the same frame */
    double length, ratio;
    double relative[9];
    double curvature[3];       /* twist, and about the two directors */
    double first_direction[3]; /* unit, in the frame of the first point */
} constraint_params;

/* Rows and their derivatives over variations of the two poses: position of the first point (3), rotation of the first
 * (3), position of the second (3), rotation of the second (3): the parts 0 to 3 of a term. */
typedef struct constraint_value {
    double g[CONSTRAINT_ROWS];
    double D[CONSTRAINT_ROWS][3 * TERM_PARTS];
} constraint_value;

typedef struct constraint_ops {
    const char *name;
    int rows;                 /* 1 to CONSTRAINT_ROWS */
    const char *unit;         /* of g; of a coordinate that is an angle rad stands for m */
    bool axial_freedom;       /* it leaves the rotation about its direction free */
    int needs[2];             /* measures of the first and of the second point */
    bool tangent_suffices[2]; /* a tangent is enough where a frame is needed */
    bool one_sided;           /* the form g >= 0 is supported */
    const struct constraint_ops *within; /* the kind of its form with a length or a side */
    bool is_angle;                       /* g is an angle, taken modulo 2π */
    /* With a second point in the world it prescribes the position (or frame) of the first: where that is three dofs
     * of a block, no rows are needed. */
    bool prescribes;
    void (*evaluate)(const constraint_params *p, const pose *first, const pose *second,
                     constraint_value *out);
    /* Σ λ ∂²g over the parts, added to h (12×12); NULL: zero, or negligible. */
    void (*curvature)(const constraint_params *p, const pose *first, const pose *second,
                      const double *lambda, double h[12][12]);
    /* The pose of the first point for which g = drive. Required with `prescribes`. */
    void (*target)(const constraint_params *p, const pose *second, const double *drive, pose *out);
    /* Sets the parameters that the definition does not specify from the present poses. `given`: the definition
     * specifies all, and poses are not read. */
    bool (*given)(const cord_constraint_def *def);
    cord_status (*complete)(constraint_params *p, const cord_constraint_def *def, const pose *first,
                            const pose *second, char *why, size_t size);
} constraint_ops;

/* The definition; constant during a step. */
typedef struct constraint_definition {
    constraint_params params;
    double compliance, damping;
    cord_side side;
    keyframes drive; /* the prescribed g(t) */
    bool internal;   /* added by the library: an end stop, or the row of a measured coordinate */
    bool end_stop;   /* at an end of a strand; does not determine the coordinate of its point */
} constraint_definition;

/* The state that a step changes; a checkpoint contains all of it. */
typedef struct constraint_state {
    drive_state drive;
    double gap[CONSTRAINT_ROWS],
        gap_time; /* g and time of an attachment at a distance; the gap closes over some time */
    bool closing; /* the gap is being closed */
    bool released;
    bool active[CONSTRAINT_ROWS]; /* active rows */
} constraint_state;

/* Results of the last evaluation. */
typedef struct constraint_work {
    constraint_value value;
    double target[CONSTRAINT_ROWS], target_rate[CONSTRAINT_ROWS]; /* of g, with drive and gap */
    double start[CONSTRAINT_ROWS];  /* `midpoint`, and stage.relative: g at the start of the step */
    double defect[CONSTRAINT_ROWS]; /* `midpoint`: the change of g over a step beyond B d */
} constraint_work;

typedef struct constraint {
    term term;
    const constraint_ops *ops;
    char *name;
    constraint_definition def;
    constraint_state state;
    /* layout, computed with the clusters */
    int l0;          /* its first multiplier; −1: not laid out yet */
    bool eliminated; /* it prescribes dofs, or welds: it has no rows in the matrix */
    bool welded;     /* it identifies the dofs of two frames */
    bool inert;      /* one-sided, on a coordinate that nothing determines: it transmits no force */
    constraint_work work;
    /* extensions; NULL: none */
    struct impact_row *impact;         /* of every one-sided constraint: solve/impact.h */
    struct conditions *conditions;     /* world/event_release.c */
    struct viscous_friction *friction; /* force/viscous_friction.h */
} constraint;

/* The list of constraints: scenes, schema and documents take the names from it. */
#define CONSTRAINT_LIST(X)                                                                         \
    X(coincide)                                                                                    \
    X(align)                                                                                       \
    X(plane) X(axis) X(distance) X(curvature) X(parallel) X(perpendicular) X(angle) X(slide)

#define DECLARE_CONSTRAINT(name) extern const constraint_ops cord__##name;
CONSTRAINT_LIST(DECLARE_CONSTRAINT)
#undef DECLARE_CONSTRAINT

/* Forms with a length; see within.c. */
extern const constraint_ops cord__coincide_within, cord__axis_within, cord__align_within,
    cord__curvature_within, cord__parallel_within;

/* Rows that define a measured coordinate; not available in scenes. */
extern const constraint_ops cord__revolute, cord__prismatic;

/* λ times the second derivatives of n·(x₁ − x₂), n rotating with the second point. */
void cord__add_normal_hessian(const double n[3], const double d[3], double lambda,
                              double h[12][12]);

/* The row a·n of directions that rotate with the first and the second frame; and λ times its second derivatives. */
void cord__dot_of_directions(const double a[3], const double n[3], int row, constraint_value *out);
void cord__add_directions_hessian(const double a[3], const double n[3], double lambda,
                                  double h[12][12]);

static inline bool cord__constraint_is_driven(const constraint *r)
{
    return cord__drive_acts(&r->def.drive, &r->state.drive, r->ops->rows);
}

static inline void cord__constraint_drive(const constraint *r, double time,
                                          double value[CONSTRAINT_ROWS],
                                          double rate[CONSTRAINT_ROWS])
{
    cord__drive_at(&r->def.drive, &r->state.drive, r->ops->rows, time, value, rate);
}

/* NULL: there is none of that name. */
const constraint_ops *cord__constraint_find(const char *name);

#endif
