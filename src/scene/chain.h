/* Chains of elements in scenes: strands whose unknowns are curvatures (models segment, helix, clothoid). They are
 * defined by a shape, to which they are fitted, or by their curvatures. */
#ifndef CORDAGE_SCENE_CHAIN_H
#define CORDAGE_SCENE_CHAIN_H

#include "curve/darboux.h"
#include "scene/shapes.h"

enum {
    CHAIN_MAX_ELEMENTS = 1000,
    CHAIN_ELEMENTS = 8,              /* default */
    CHAIN_VERTICES_PER_ELEMENT = 16, /* of a shape that is to be fitted */
    CHAIN_SAMPLES_PER_ELEMENT = 8,   /* of a chain given by curvatures */
};

/* Curvature vectors of a scene: about the first director, about the second, twist; 1/m. */
typedef struct curvature_list {
    const node *at;     /* NULL: not specified */
    int count;          /* of vectors */
    double *values;     /* 3 × count */
    const node *number; /* the first scalar entry, which only planar chains may have */
} curvature_list;

/* The base of a chain that is defined by its curvatures. */
typedef struct base_data {
    const node *at;
    double position[3], tangent[3], director[3];
    number_list frame;
    double axes[9]; /* computed: tangent, first director, second director */
} base_data;

typedef struct chain_data {
    int elements, samples, kinematics;
    bool planar;
    double total; /* m; NaN: not specified */
    double base_damping;
    number_list lengths;
    curvature_list curvatures, natural_curvatures;
    base_data *base;
    /* computed */
    double *fractions;            /* elements + 1: positions of nodes as fractions of the length */
    double *initial;              /* as cord_strand_def.curvatures; NULL: fitted to the shape */
    double *natural;              /* as cord_strand_def.natural_curvatures; NULL: not specified */
    double *ends;                 /* of `initial`, at the start and at the end of each element */
    double position[3], frame[9]; /* of the base, with its offset */
} chain_data;

extern const mapping cord__base_map;
extern const special cord__curvature_special, cord__curvatures_special; /* one, a list */
extern const count_range cord__element_range;

/* A right-handed frame from a tangent and a director (its component normal to the tangent; NaN: an arbitrary one).
 * Diagnoses parallel vectors. */
bool cord__make_frame(reader *r, const node *at, const double *tangent, const double *director,
                      double *frame);

/* Consecutive elements of affine curvature: `ends` has the curvature at the start and at the end of each, 6 values. */
typedef struct curvature_elements {
    int count;
    const double *ends, *lengths;
} curvature_elements;

/* From the ends of one element, (about first, about second, twist), to the Darboux problem's (twist, first, second). */
void cord__set_curvature(const double *ends, double length, curvature *k);

/* Diagnoses a curve with too many revolutions, which bounds the work. */
bool cord__check_revolutions(reader *r, const node *at, const curvature_elements *p);

/* Positions on a piecewise curve at ascending arc lengths s, count of them. */
void cord__trace_elements(const curvature_elements *p, const double *origin, const double *frame,
                          int count, const double *s, double *x);

#endif
