/* Friction between a cable and a wheel: the capstan's law. Along an arc of angle φ the axial force, less ρv² of
 * what runs round, grows by e^{μφ} at most. So what holds the cable, the multiplier of the row that keeps it from
 * slipping, is at most (e^{μφ} − 1) T of the slack side; when more is asked for, it slips with just that.
 *
 * The bound is itself unknown, and depends on forces elsewhere: the row of a wrap that slips is
 *     λ − s (e^{μφ} − 1) T = 0,
 * which is no row of a symmetric matrix. It is put there as if it were (with B, and −1 for λ), and what is wrong
 * with that is handed to the solver as a correction of one row. */
#include "math/vec3.h"
#include "strand/cable.h"

#include <math.h>
#include <string.h>

/* Axial force of a straight segment, with what it depends on: unknowns of the cable and derivatives, those of
 * multipliers for y = −dλ. */
typedef struct pull {
    double force;
    int count, unknown[ELEMENT_UNKNOWNS];
    double slope[ELEMENT_UNKNOWNS];
} pull;

static void pull_of(const cable *c, int segment, const element_input *in, pull *p)
{
    const cable_element *e = c->element + segment;
    element_input at = *in;
    element_terms t;
    at.matrix = false;
    at.a = NULL; /* no inertia is asked for */
    cord__element_terms(c, e, &at, &t);
    p->force = t.tension;
    p->count = 0;
    if (e->row >= 0) {
        p->unknown[p->count] = c->columns + e->row;
        p->slope[p->count++] = 1;
        return;
    }
    double stiff = c->of.stretching * (in->c_k + in->c_v * c->of.damping) / t.natural;
    for (int k = 0; k < e->count; k++) {
        p->unknown[p->count] = c->unknown[e->first + k];
        p->slope[p->count++] = stiff * t.stretch_slope[k];
    }
}

/* How fast the material goes round. */
static double speed(const cable *c, const cable_element *e, const double *v, double sign)
{
    double rate = 0;
    for (int k = 0; v && k < 2; k++) {
        const cable_node *n = c->node + e->node + k;
        rate += 0.5 * ((n->s_column >= 0 ? v[n->s_column] : 0) - sign * v[n->column]);
    }
    return rate;
}

static double arc_sign(const cable *c, const element_input *in, const cable_slip *f, double *angle)
{
    const cable_element *e = c->element + f->element;
    double arc =
        cable_coordinates(in->cache, e->node + 1)[0] - cable_coordinates(in->cache, e->node)[0];
    *angle = fabs(arc) / c->guide[c->node[e->node].guide].radius;
    return arc > 0 ? 1 : -1;
}

/* The bound on the side that a force of this sign leaves slack. */
static double bound_of(const cable *c, const cable_slip *f, const element_input *in, int side,
                       pull *slack, double *factor)
{
    const cable_element *e = c->element + f->element;
    double angle, sign = arc_sign(c, in, f, &angle), v = speed(c, e, in->v, sign);
    pull_of(c, side * sign > 0 ? e->node + 1 : e->node - 1, in, slack);
    *factor = expm1(f->coefficient * angle);
    return *factor * fmax(slack->force - c->of.density * v * v, 0);
}

/* Slipping: whether the wheel drags the cable as it should, against the motion between them. */
static double slip_rate(const cable *c, const cable_element *e, const double *v, double sign)
{
    double rate = -sign * speed(c, e, v, sign);
    if (v && e->spin >= 0) rate -= c->guide[c->node[e->node].guide].radius * v[e->spin];
    return rate;
}

void cord__slips_choose(const cable *c, const element_input *in)
{
    for (int i = 0; i < c->slips; i++) {
        cable_slip *f = c->slip + i;
        const cable_element *e = c->element + f->element;
        double lambda = in->lambda[e->row], angle, sign = arc_sign(c, in, f, &angle);
        if (f->mode == 0) {
            int side = lambda > 0 ? 1 : -1;
            double bound = bound_of(c, f, in, side, &(pull){0}, &f->factor);
            if (fabs(lambda) > bound * (1 + 1e-9) + 1e-300) f->mode = side;
        } else if (f->mode * slip_rate(c, e, in->v, sign) > 0) {
            f->mode = 0;
        }
    }
}

void cord__slip_terms(const cable *c, const cable_element *e, const element_input *in,
                      const double *B, element_terms *out)
{
    cable_slip *f = c->slip + e->slip;
    int row = e->count - 1;
    double lambda = in->lambda ? in->lambda[e->row] : 0;
    out->r[row] = 0;
    if (in->lambda && !in->rows_only)
        out->r[row] = lambda - f->mode * bound_of(c, f, in, f->mode, &(pull){0}, &f->factor);
    for (int k = 0; k < row; k++) {
        if (!in->rows_only) out->r[k] -= lambda * B[k];
        if (in->matrix) out->a[row][k] += B[k];
        f->B[k] = B[k];
    }
    if (in->matrix) out->a[row][row] -= 1;
}

int cord__slip_correction(const cable *c, int which, const element_input *in, int *row,
                          int *unknown, double *value)
{
    cable_slip *f = c->slip + which;
    const cable_element *e = c->element + f->element;
    int count = 0;
    if (f->mode == 0) return 0;
    *row = c->columns + e->row;
    for (int k = 0; k < e->count - 1; k++) {
        unknown[count] = c->unknown[e->first + k];
        value[count++] = -f->B[k];
    }
    if (in->rows_only) return count;
    pull slack;
    double bound = bound_of(c, f, in, f->mode, &slack, &f->factor);
    for (int k = 0; bound > 0 && k < slack.count; k++) {
        unknown[count] = slack.unknown[k];
        value[count++] = -f->mode * f->factor * slack.slope[k];
    }
    return count;
}
