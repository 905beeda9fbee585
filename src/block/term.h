/* A term of the equations over the poses of one or two points: a constraint, or a force that couples degrees of freedom
 * (viscous friction, a point mass on a sliding point). The solvers see terms only: the sparsity pattern, the
 * elimination order and the cache blocking depend on the degrees of freedom of a term and on how many rows it has, not
 * on its kind. A kind of term embeds this structure as its first member. */
#ifndef CORDAGE_BLOCK_TERM_H
#define CORDAGE_BLOCK_TERM_H

#include "block/point.h"

typedef struct problem problem;
typedef struct cluster cluster;
typedef struct stage stage;
typedef struct row_system row_system;
typedef struct term term;

/* Measures of a point that a term reads. The curvature vector, or the coordinate and two zeros, is
 * stored as the position of a pose; a coordinate in addition to a position is stored in the entries
 * of the frame. */
enum { NEEDS_POSITION = 1, NEEDS_FRAME = 2, NEEDS_CURVATURE = 4, NEEDS_COORDINATE = 8 };
enum { TERM_PARTS = 4, SLIDING_RATES = 5 };

typedef struct term_ops {
    const char *name;
    /* Adds its residual, and where `matrix` its rows and tangent matrix, at the trial state. */
    void (*assemble)(problem *w, cluster *s, const stage *t, term *x, bool matrix);
    /* Whether it determines its degrees of freedom, so that those without inertia are not left to be quasistatic. */
    bool (*acts)(const problem *w, const term *x);
    /* Fast projection: the multiplier of one of its `projected_rows`, or −1 less the inertial coordinate that it moves;
     * and the rows at the trial into a row system, from row `at` on. Returns the largest relative violation. NULL: the
     * term has no projected rows. */
    int (*projected_multiplier)(const problem *w, const term *x, int row);
    double (*project)(problem *w, cluster *s, const stage *t, term *x, row_system *to, int at);
    /* Frees the members of the object that the term is embedded in. */
    void (*destroy)(term *x, memory *m);
} term_ops;

/* One part of a term: the position (parts 0, 2) or the frame (parts 1, 3) of its first or second point. */
typedef struct term_part {
    int block; /* −1: not read, or in the world */
    int first; /* in term.dof */
    int count;
    int slider; /* block whose coordinate is the last of them; −1: the point does not slide */
    /* At the last evaluation of a sliding point: it had the frame of the strand; and, of the degrees of freedom of three
     * elements, those from `active` to `active_end` belonged to the element of the point. */
    bool has_strand_frame;
    int active, active_end;
} term_part;

/* Degrees of freedom that follow each other. */
enum { TERM_RUNS = 2 * TERM_PARTS };
typedef struct dof_run {
    int first, end;
} dof_run;

/* Storage of second derivatives in K: row ≤ column of a square matrix; where every column of the
 * Jacobians is parallel to one axis, w_j h_ij for the three axes of every part
 * (solve/term_hessian.c); or none, since they vanish. */
typedef enum hessian_form { HESSIAN_FULL, HESSIAN_COMPRESSED, HESSIAN_ZERO } hessian_form;

struct term {
    /* definition */
    const term_ops *ops;
    int slot;
    list_link on[2];      /* in the lists of its points */
    int point[2];         /* slot; −1: the origin of the world */
    int needs[2];         /* measures of the first and of the second point */
    bool whole_frame[2];  /* of a sliding point: the frame of the strand; else the tangent alone */
    term *follows;        /* its assembly reads results of that term's; NULL: of none */
    int rows;             /* equations with multipliers; 0 of a force */
    int projected_rows;   /* equations in a fast projection */
    int b_rows;           /* of B */
    bool keeps_jacobians; /* they are read after the evaluation; other terms use common storage */

    /* layout, made with the clusters */
    int cluster_index; /* among the terms of its cluster; −1: it has no entries in the matrix */
    int row0;          /* unknown of its first row; −1: it has none */
    int entries;       /* first of its entries (B, then K) in cluster.slot */
    int dofs;
    int *dof;               /* in the arrays of the world */
    int *unknown;           /* among the unknowns of the cluster */
    bool has_repeated_dofs; /* two of its degrees of freedom are one unknown */
    bool all_inertial;      /* each has inertia or is prescribed */
    bool quasistatic;       /* no inertia: satisfied at the end of a step, not in the mean */
    term_part part[TERM_PARTS];

    /* workspace */
    double *B;         /* b_rows × dofs, by rows */
    double *K;         /* second derivatives, or a tangent matrix: see `hessian` */
    double *jacobians; /* 3 per degree of freedom */
    double
        *sliding_rates; /* SLIDING_RATES per degree of freedom: derivatives over the coordinate */
    bool axis_aligned;  /* all Jacobians are, see point_jacobian.axis_aligned */
    hessian_form hessian;
};

#endif
