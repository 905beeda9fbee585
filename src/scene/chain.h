/* Chains of elements in scenes: strands whose unknowns are curvatures (models segment, helix,
 * clothoid). They are given by a shape, which they are fitted to, or by their curvatures. */
#ifndef CORDAGE_SCENE_CHAIN_H
#define CORDAGE_SCENE_CHAIN_H

#include "scene/shapes.h"

enum {
    CHAIN_MAX_ELEMENTS = 1000,
    CHAIN_ELEMENTS = 8,              /* unless the scene says more, or less */
    CHAIN_VERTICES_PER_ELEMENT = 16, /* of a shape that is to be fitted */
    CHAIN_SAMPLES_PER_ELEMENT = 8,   /* of a chain given by curvatures */
};

/* Curvature vectors as they are written: about the first director, about the second, twist; 1/m. */
typedef struct curvature_list {
    const node *at;     /* NULL: not given */
    int count;          /* of vectors */
    double *values;     /* 3 × count */
    const node *number; /* the first entry that is one number, which only planar chains may have */
} curvature_list;

/* Where a chain given by its curvatures begins. */
typedef struct base_data {
    const node *at;
    double position[3], tangent[3], director[3];
    number_list frame;
    double axes[9]; /* worked out: tangent, first director, second director */
} base_data;

typedef struct chain_data {
    int elements, samples, kinematics;
    bool planar;
    double total; /* m; NaN: not given */
    double base_damping;
    number_list lengths;
    curvature_list curvatures, natural_curvatures;
    base_data *base;
    /* worked out */
    double *fractions;            /* elements + 1: where nodes are, of the length */
    double *initial;              /* as cord_strand_def.curvatures; NULL: fitted to the shape */
    double *natural;              /* as cord_strand_def.natural_curvatures; NULL: none given */
    double *ends;                 /* of `initial`, at the start and at the end of each element */
    double position[3], frame[9]; /* of the base, its offset included */
} chain_data;

extern const mapping cord__base_map;
extern const special cord__curvature_special, cord__curvatures_special; /* one, a list */
extern const count_range cord__element_range;

/* A right-handed frame from a tangent and a director (its part normal to the tangent; NaN: one is
 * chosen). Diagnoses when they do not make one. */
bool cord__make_frame(reader *r, const node *at, const double *tangent, const double *director,
                      double *frame);

/* Elements of affine curvature one after another: `ends` has the curvature at the start and at the end
 * of each, 6 numbers. */
typedef struct pieces {
    int count;
    const double *ends, *lengths;
} pieces;

/* Diagnoses a curve of more turns than any use needs, which bounds the work. */
bool cord__check_turns(reader *r, const node *at, const pieces *p);

/* Places of a curve made of pieces at ascending arc lengths s, count of them. */
void cord__trace_pieces(const pieces *p, const double *origin, const double *frame, int count,
                        const double *s, double *x);

#endif
