/* One element and one solver of its Darboux problem: error and time. */
#ifndef CORDAGE_VALIDATION_CLOTHOIDS_RACE_H
#define CORDAGE_VALIDATION_CLOTHOIDS_RACE_H

#include "curve/darboux.h"

/* A kind of element; its length is such that it rotates by `angle` radians. */
typedef struct race_element {
    const char *name;
    double start[3], end[3], angle;
} race_element;

typedef enum race_element_kind {
    RACE_GENTLE,
    RACE_RINGLET,
    RACE_CURLED,
    RACE_ELEMENTS
} race_element_kind;
extern const race_element race_elements[RACE_ELEMENTS];

/* The curvature of an element, and its length. */
curvature race_curvature(const race_element *e, double *length);

typedef enum solver {
    RACE_EULER,
    RACE_LIE_EULER,
    RACE_RK2,
    RACE_RK4,
    RACE_PIECEWISE,
    RACE_MIDPOINT, /* the default of the library */
    RACERS
} solver;
extern const char *const solver_names[RACERS];

typedef struct race {
    curvature k;
    double length;
    solver solver;
    int steps;        /* of the classical integrators */
    double precision; /* of the piecewise summation: size of the last term */
} race;

/* The error of frame and position at the end, against extended precision. */
double race_error(const race *r);

/* The smallest time of one solution over batches of about a millisecond, s. */
double race_time(const race *r, int batches);

#endif
