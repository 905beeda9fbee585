/* A model under test and its state: shared by the checks of the conformance suite. */
#ifndef CORDAGE_TESTS_CONFORMANCE_SUBJECT_H
#define CORDAGE_TESTS_CONFORMANCE_SUBJECT_H

#include "math/vec3.h"
#include "support/conformance.h"
#include "support/numbers.h"

/* Points that are attached; frames between vertices, besides those that the case names. */
enum { POINTS = CONFORMANCE_POINTS, MORE_FRAMES = 3, LARGEST_JACOBIAN = 128 };

typedef struct subject {
    const conformance_case *with;
    const block_ops *ops;
    memory memory;
    void *model;
    cord_world *world; /* that contains it, where the case builds one */
    const block *block;
    conformance_shape storage;
    cord_strand_def def;
    block_shape shape;
    environment env;
    uint64_t random;

    attachment point[POINTS], frame[CONFORMANCE_FRAMES + MORE_FRAMES], curvature[POINTS];
    int frames;
    int unknowns, *position, *unknown_at; /* by position; -1: none */
    unsigned char *prescribed;
    unsigned char
        *dependent; /* per degree of freedom: others determine it (block_ops.set_dependent_dofs) */
    double *scale, *zero;
    double *q, *v, *cache;                        /* the state */
    double *other_q, *other_cache, *r, *g, *work; /* scratch */
    double *inertial_v, *inertial_a;
    double *side; /* values that the block stores between steps */
} subject;

/* Reports the case with the failure. */
#define CHECK(s, condition)                                                                        \
    do {                                                                                           \
        if (!(condition)) print_error("case '%s': ", (s)->with->name);                             \
        assert_true(condition);                                                                    \
    } while (0)
#define CHECK_CLOSE(s, actual, expected, tolerance)                                                \
    check_close((s)->with->name, #actual, (actual), (expected), (tolerance), __FILE__, __LINE__)

void check_close(const char *name, const char *what, double actual, double expected,
                 double tolerance, const char *file, int line);

void *allocate(int count, size_t size);
double *numbers(int count);

subject *begin(const conformance_case *with);
void end(subject *s);
/* The same rotated about the origin and shifted. */
subject *begin_elsewhere(const conformance_case *with, const double rotation[9],
                         const double shift[3]);
/* x ← rotation x + shift */
void rotate_vectors(double *x, int count, const double *rotation, const double *shift);
void set_state(subject *s);
/* q ← q ⊕ d, with the configuration of its parents where it shares their degrees of freedom. */
void retract(const subject *s, double *q, const double *d);
/* Whether the case gives a reason for omitting this check; it is printed then. */
bool left_out(const subject *s, const char *check, const char *why);
/* The definition's shape with a random perturbation of all dofs; frames are rotated. */
void shake(subject *s);
/* In the scale of each dof; dependent dofs are set from the others. */
void random_direction(subject *s, double size, bool prescribed_too, double *d);

/* ---- evaluations ---------------------------------------------------------------------------- */

double potential_of(const block_energy *e);
double elastic_of(const block_energy *e);
void energy_at(subject *s, const double *q, const double *v, block_energy *e);
/* An evaluation at the state, at rest, without multipliers. */
block_eval at_state(const subject *s);
/* Velocities and accelerations of the dofs, NULL: none, and from these of the inertial coordinates. */
void set_rates(subject *s, block_eval *in, const double *v, const double *a);
const double *residual(subject *s, const block_eval *in);
const double *midpoint_residual(subject *s, const block_eval *in, const midpoint_step *step);
const double *along(subject *s, const double *d, double step);
double potential_along(subject *s, const double *d, double step);
void rows_along(subject *s, const double *d, double step, double *g);

double dot(int n, const double *a, const double *b);
double size_of_dot(int n, const double *a, const double *b);
/* f' and f'' from five values at -2h … 2h: errors h⁴ and round-off/h, round-off/h². */
double first_difference(const double f[5], double h);
double second_difference(const double f[5], double h);

/* ---- the assembled matrix, dense -------------------------------------------------------------- */

typedef struct dense {
    int n, dofs;
    double *a;
} dense;

double entry(const dense *m, int row, int col);
void index_positions(subject *s);
dense assemble_dense(subject *s, const block_eval *in);
/* d ← the part of d with B d = 0, by B's rows in the matrix (modified Gram–Schmidt); prescribed
 * dofs are unchanged. With dependent dofs nothing is done. */
void project(const subject *s, const dense *m, double *d);
double form(const dense *m, const double *a, const double *b);
double form_size(const dense *m, const double *a, const double *b);

#endif
