/* One element and one way to solve its Darboux problem: how wrong and how fast. */
#ifndef CORDAGE_VALIDATION_CLOTHOIDS_RACE_H
#define CORDAGE_VALIDATION_CLOTHOIDS_RACE_H

#include "curve/darboux.h"

/* A kind of element; its length is such that it turns by `angle` radians. */
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

typedef enum racer {
    RACE_EULER,
    RACE_LIE_EULER,
    RACE_RK2,
    RACE_RK4,
    RACE_PAPER,
    RACE_MIDDLE, /* the library's own */
    RACERS
} racer;
extern const char *const racer_names[RACERS];

typedef struct race {
    curvature k;
    double length;
    racer racer;
    int steps;        /* of the classical integrators */
    double precision; /* of the paper's summation: where its terms end */
} race;

/* The error of frame and place at the end, against extended precision. */
double race_error(const race *r);

/* The least time of one solution in so many batches of about a millisecond, s. */
double race_time(const race *r, int batches);

#endif
