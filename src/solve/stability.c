/* Stability of an equilibrium, and the number of frequencies below a given one: the inertia of K − ω²M on the null space
 * of the rows. The matrix [K − ω²M, Bᵀ; B, 0] has as many negative eigenvalues as that, and one for each row.
 *
 * A direction is neutral if its eigenvalue is zero up to rounding: a strand that is free to spin or to slide. The
 * eigenvalues of K + δM and K − δM tell these apart, where δ is small compared with the lowest eigenvalue of an elastic
 * strand. That is smaller than the highest one by the factor n⁴ of n elements; hence the sums of the matrix and its
 * factorisation have twice the precision of a double. */
#include "math/band.h"
#include "math/extended.h"
#include "math/inertia.h"
#include "solve/contacts.h"

#include <math.h>
#include <string.h>

/* δ over the estimate of the lowest eigenvalue, which is about a thousand times too low. */
static const double NEUTRAL = 1e-6;

static size_t matrix_size(const problem *w, const cluster *s)
{
    const block_shape *first = &w->block[s->block[0]]->shape;
    return s->banded ? band_size(first->band_count, first->band_width)
                     : cord__sparse_size(&s->factor);
}

cord_status cord__prepare_counts(const problem *w, cluster *s, memory *m)
{
    if (s->private_solve || s->low) return CORD_OK;
    s->low = NEW(m, double, matrix_size(w, s));
    return s->low ? CORD_OK : CORD_ERROR_MEMORY;
}

static void assemble(problem *w, cluster *s, const stage *t)
{
    if (s->low) memset(s->low, 0, matrix_size(w, s) * sizeof *s->low);
    for (int k = 0; k < s->blocks; k++) w->block[s->block[k]]->matrix.low = s->low;
    cord__assemble(w, s, t, true);
    cord__kinks_prescribe(w, s, true);
    for (int k = 0; k < s->blocks; k++) w->block[s->block[k]]->matrix.low = NULL;
}

/* (m/k)^¼ of the stiffness and inertia of a dof of a bending element of the length h is proportional to h. */
static double length_of(double metric, double stiffness)
{
    return stiffness > 0 ? sqrt(sqrt(metric / stiffness)) : 0;
}

double cord__lowest_ratio(const problem *w, const cluster *s)
{
    double length = 0;
    for (int k = 0; k < s->blocks; k++) {
        const block *b = w->block[s->block[k]];
        const double softest = b->shape.softest > 0 ? b->shape.softest : 1;
        if (b->shape.coordinate.is_one) continue;
        /* A chain has about nine dofs in an element, of which the ratio of one has the length of the element. */
        double part = b->stiffness_over_metric > 0 ? 0.2 : 1;
        for (int c = 0; c < b->shape.dofs; c++) {
            int position = b->order[c];
            if (b->prescribed[c] || position >= b->shape.band_count) continue;
            length += b->shape.inertial_count
                          ? part * length_of(1, softest * cord__stiffness_ratio(w, b))
                          : length_of(b->metric[c],
                                      fabs(s->values[s->map.diagonal[s->offset[k] + position]]));
        }
    }
    return length > 0 ? 1 / (length * length * length * length) : 1;
}

/* Adds a multiple of the metric, on every dof or on those that have no inertia. */
static void add_metric(const problem *w, const cluster *s, double factor, bool massless)
{
    for (int k = 0; s->low && k < s->blocks; k++) {
        const block *b = w->block[s->block[k]];
        for (int c = 0; c < b->shape.dofs; c++) {
            int u = s->offset[k] + b->order[c];
            if (u >= s->map.count || b->alias_block[c] >= 0) continue;
            if (massless && (!b->mass || b->mass[c] > 0)) continue;
            int at = s->map.diagonal[u];
            extended_add(s->values + at, s->low + at, factor * b->metric[c]);
        }
    }
}

static cord_status negative_directions(problem *w, cluster *s, int *count)
{
    const block *b = w->block[s->block[0]];
    bool fine;
    if (s->private_solve) {
        fine = cord__factor(w, s);
    } else {
        cord__complete_equations(w, s);
        for (int i = 0; i < s->map.entries; i++) s->low[s->map.entry[i].slot] = 0;
        fine = s->banded ? cord__band_inertia(b->shape.band_count, b->shape.band_width, s->band,
                                              s->low, &s->negative)
                         : cord__sparse_inertia(&s->factor, s->low, &s->negative);
    }
    if (cord__cancelled()) return cord__cancel_cluster(s);
    if (!fine)
        return cord__set_failure(s, CORD_ERROR_SINGULAR, "its motion is not determined",
                                 s->block[0], -1);
    *count = s->negative - s->rows;
    return CORD_OK;
}

static stage stage_at(const cluster *s)
{
    return (stage){.time = s->search.time, .force_time = s->search.time, .c_k = 1, .statics = true};
}

/* Negative directions of K ± δM. */
static cord_status count_shifted(problem *w, cluster *s, double sign, int *count)
{
    stage t = stage_at(s);
    if (s->private_solve) t.metric = sign * NEUTRAL * cord__lowest_ratio(w, s);
    assemble(w, s, &t);
    add_metric(w, s, sign * NEUTRAL * cord__lowest_ratio(w, s), false);
    return negative_directions(w, s, count);
}

/* With contacts the factor itself is needed, which has the precision of a double: δ is larger. */
static const double NEUTRAL_IN_CONTACT = 1;

static cord_status count_in_contact(problem *w, cluster *s, double sign, int *count)
{
    stage t = stage_at(s);
    if (s->private_solve) t.metric = sign * NEUTRAL_IN_CONTACT * cord__lowest_ratio(w, s);
    cord__assemble(w, s, &t, true);
    double shift = sign * NEUTRAL_IN_CONTACT * cord__lowest_ratio(w, s);
    cord__kinks_prescribe(w, s, true);
    cord__stiffen_contacts(w, s);
    for (int k = 0; !s->private_solve && k < s->blocks; k++) {
        const block *b = w->block[s->block[k]];
        for (int c = 0; c < b->shape.dofs; c++) {
            int u = s->offset[k] + b->order[c];
            if (u < s->map.count && b->alias_block[c] < 0)
                s->values[s->map.diagonal[u]] += shift * b->metric[c];
        }
    }
    if (!cord__factor(w, s))
        return cord__set_failure(s, CORD_ERROR_SINGULAR, "its motion is not determined",
                                 s->block[0], -1);
    *count = s->negative - s->rows;
    return cord__contact_directions(w, s, true, count);
}

cord_status cord__trial_stability(problem *w, cluster *s, stability *out)
{
    int or_neutral = 0;
    cord_status (*shifted)(problem *, cluster *, double, int *) =
        cord__bears_contacts(w, s) ? count_in_contact : count_shifted;
    cord_status status = shifted(w, s, 1, &out->unstable);
    if (status == CORD_OK) status = shifted(w, s, -1, &or_neutral);
    out->neutral = or_neutral - out->unstable;
    return status;
}

static void begin(problem *w, cluster *s)
{
    s->search.time = w->now.time, s->search.rate_factor = 0;
    s->report.status = CORD_OK;
    cord__begin_at_rest(w, s);
    cord__kinks_clear(w, s);
    cord__static_contacts_begin(w, s);
    if (s->search.contacts) cord__static_contacts(w, s);
}

cord_status cord__cluster_stability(problem *w, cluster *s, stability *out)
{
    begin(w, s);
    return cord__trial_stability(w, s, out);
}

cord_status cord__cluster_count(problem *w, cluster *s, double omega_squared, int *count)
{
    begin(w, s);
    stage t = stage_at(s);
    t.c_a = -omega_squared;
    assemble(w, s, &t);
    add_metric(w, s, NEUTRAL * cord__lowest_ratio(w, s), true);
    return negative_directions(w, s, count);
}
