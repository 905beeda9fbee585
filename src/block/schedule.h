/* Parameters of a strand that may change while it moves, and their functions of time.
 *
 * The values at a time are the product (length, stiffness) or the sum (natural curvature, load) of a constant, which is
 * state, and of keyframe functions, which are part of the definition. Models apply them by parameter_ops. */
#ifndef CORDAGE_BLOCK_SCHEDULE_H
#define CORDAGE_BLOCK_SCHEDULE_H

#include "curve/keyframes.h"

#include <stdbool.h>

/* Curvatures (about the first director, about the second, twist) at fractions of the length that are equally spaced
 * from 0 to 1, affine between them; one: the same everywhere. */
typedef struct curvature_samples {
    int count;
    const double *value; /* 3 × count, 1/m */
} curvature_samples;

enum { BENDING_FACTOR, TWISTING_FACTOR, STRETCHING_FACTOR, STIFFNESS_FACTORS };

typedef struct strand_parameters {
    double length, length_rate;          /* factor of the natural length; its derivative, 1/s */
    double stiffness[STIFFNESS_FACTORS]; /* factors */
    curvature_samples natural;           /* natural curvature; count 0: that of the definition */
    curvature_samples added;             /* added to it; count 0: none */
} strand_parameters;

/* Some curvature differs from that of the definition, or may at another time. */
static inline bool changes_curvature(const strand_parameters *p)
{
    return p->natural.count > 0 || p->added.count > 0;
}

/* The natural curvature at a fraction of the length, without that of the definition. */
void cord__sampled_curvature(const strand_parameters *p, double fraction, double k[3]);

typedef struct schedule {
    keyframes load, natural, length, stiffness; /* definition; of widths 3, 3 × count, 1, 3 */
    double length_factor, stiffness_factor[STIFFNESS_FACTORS]; /* constants */
    int natural_count;
    double *natural_constant; /* 3 × natural_count */
    double *natural_keyed;    /* workspace: the value of `natural` */
    double load_scale;        /* natural length over mass, as defined */
    double defined_length;    /* m */
    bool prepared;            /* the model has kept its definition: parameter_ops.prepare */
    strand_parameters now;    /* those that the model has */
} schedule;

/* The parameters at `time`, with the length at `length_time`. */
void cord__schedule_at(schedule *s, double time, double length_time, strand_parameters *out);
/* The acceleration of the distributed load at a time; `constant` is that of the constant load at the natural length of
 * the definition. The load is per natural length at that time. */
void cord__schedule_load(const schedule *s, double time, const double constant[3], double out[3]);
/* Whether some value depends on time. */
bool cord__schedule_varies(const schedule *s);
void cord__schedule_free(schedule *s, memory *m);

#endif
