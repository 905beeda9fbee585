#include "curve/fit_prepare.h"
#include "math/vec3.h"

#include <float.h>
#include <math.h>
#include <string.h>

enum { FEWEST_POINTS = 12 };

static double *vertex(const double *x, int i)
{
    return (double *)x + 3 * (size_t)i;
}

/* ---- duplicates ------------------------------------------------------------------------------- */

static double box_diagonal(int count, const double *x)
{
    double low[3], high[3];
    v3_copy(low, x), v3_copy(high, x);
    for (int i = 1; i < count; i++) {
        for (int k = 0; k < 3; k++) {
            low[k] = fmin(low[k], vertex(x, i)[k]);
            high[k] = fmax(high[k], vertex(x, i)[k]);
        }
    }
    return v3_distance(low, high);
}

cord_status cord__drawing_clean(memory *m, int count, const double *x, bool closed, drawing *d)
{
    *d = (drawing){.closed = closed};
    for (int i = 0; i < 3 * count; i++) {
        if (!is_admissible(x[i])) return CORD_ERROR_NOT_FINITE;
    }
    d->x = NEW(m, double, 3 * (size_t)count + 3);
    if (!d->x) return CORD_ERROR_MEMORY;
    if (count > 0) d->size = box_diagonal(count, x);
    /* Closer points have no meaningful direction between them. */
    const double same = 1e-9 * d->size;
    for (int i = 0; i < count; i++) {
        bool repeated =
            d->count > 0 && v3_distance(vertex(x, i), vertex(d->x, d->count - 1)) <= same;
        if (!repeated) v3_copy(vertex(d->x, d->count++), vertex(x, i));
    }
    bool ends_meet = d->count > 3 && v3_distance(d->x, vertex(d->x, d->count - 1)) <= same;
    if (ends_meet) d->count--, d->closed = true;
    return CORD_OK;
}

/* ---- plane ------------------------------------------------------------------------------------ */

static int farthest(const drawing *d, const double *from, const double *direction)
{
    int best = 0;
    double most = -1;
    for (int i = 0; i < d->count; i++) {
        double r[3];
        v3_sub(r, vertex(d->x, i), from);
        if (direction) v3_axpy(r, -v3_dot(r, direction), direction);
        if (v3_norm(r) > most) most = v3_norm(r), best = i;
    }
    return best;
}

void cord__drawing_plane(const drawing *d, double normal[3], double *distance)
{
    double along[3], across[3];
    const double *a = vertex(d->x, farthest(d, d->x, NULL));
    const double *b = vertex(d->x, farthest(d, a, NULL));
    v3_sub(along, b, a);
    v3_normalize(along, along);
    v3_sub(across, vertex(d->x, farthest(d, a, along)), a);
    v3_cross(normal, along, across);
    if (v3_norm(normal) > 1e-9 * d->size) {
        v3_normalize(normal, normal);
    } else if (fabs(along[2]) < 1e-9) {
        v3_set(normal, 0, 0, 1);
    } else {
        v3_any_normal(normal, along);
    }
    int largest = 0;
    for (int k = 1; k < 3; k++) {
        if (fabs(normal[k]) > fabs(normal[largest]) + 1e-12) largest = k;
    }
    if (normal[largest] < 0) v3_scale(normal, -1, normal);
    *distance = 0;
    for (int i = 0; i < d->count; i++) {
        double r[3];
        v3_sub(r, vertex(d->x, i), a);
        *distance = fmax(*distance, fabs(v3_dot(r, normal)));
    }
}

void cord__flatten(part *p, const double normal[3])
{
    for (int i = 1; i < p->count; i++) {
        double r[3];
        v3_sub(r, vertex(p->x, i), p->x);
        v3_axpy(vertex(p->x, i), -v3_dot(r, normal), normal);
    }
}

/* ---- corners -------------------------------------------------------------------------------- */

static int wrap_index(const drawing *d, int i)
{
    return ((i % d->count) + d->count) % d->count;
}

/* The point where the polyline, followed from vertex i forward (step 1) or backward (step -1), is
 * first at distance `reach`; the end of an open polyline if it is nearer. */
static void point_at_distance(const drawing *d, int i, int step, double reach, double *point)
{
    const double *from = vertex(d->x, i);
    v3_copy(point, from);
    for (int steps = 1; steps < d->count; steps++) {
        int next = i + step * steps;
        if (!d->closed && (next < 0 || next >= d->count)) return;
        const double *x = vertex(d->x, wrap_index(d, next));
        double here = v3_distance(point, from), there = v3_distance(x, from);
        double at = there > reach ? (reach - here) / (there - here) : 1;
        v3_combine(point, 1 - at, point, at, x);
        if (there >= reach) return;
    }
}

static double angle_at(const drawing *d, int i, double reach)
{
    double before[3], after[3], cross[3];
    point_at_distance(d, i, -1, reach, before);
    point_at_distance(d, i, 1, reach, after);
    v3_sub(before, vertex(d->x, i), before);
    v3_sub(after, after, vertex(d->x, i));
    v3_cross(cross, before, after);
    return atan2(v3_norm(cross), v3_dot(before, after));
}

/* Whether a sharper vertex, or an equally sharp earlier one, is within reach. */
static bool sharper_near(const drawing *d, const double *angles, int i, double reach)
{
    for (int step = -1; step <= 1; step += 2) {
        for (int steps = 1; steps < d->count; steps++) {
            int j = i + step * steps;
            if (!d->closed && (j < 0 || j >= d->count)) break;
            j = wrap_index(d, j);
            if (v3_distance(vertex(d->x, j), vertex(d->x, i)) >= reach) break;
            if (angles[j] > angles[i] || (angles[j] == angles[i] && step < 0)) return true;
        }
    }
    return false;
}

int cord__drawing_corners(const drawing *d, double angle, double reach, double *angles,
                          bool *corner)
{
    int count = 0;
    for (int i = 0; i < d->count; i++) {
        bool end = !d->closed && (i == 0 || i == d->count - 1);
        angles[i] = end ? 0 : angle_at(d, i, reach);
    }
    for (int i = 0; i < d->count; i++) {
        corner[i] = angles[i] > angle && !sharper_near(d, angles, i, reach);
        count += corner[i];
    }
    return count;
}

/* ---- parts and their points ----------------------------------------------------------------- */

cord_status cord__drawing_part(memory *m, const drawing *d, int from, int edges, part *p)
{
    *p = (part){edges + 1, NEW(m, double, 3 * ((size_t)edges + 1))};
    if (!p->x) return CORD_ERROR_MEMORY;
    for (int i = 0; i <= edges; i++)
        v3_copy(vertex(p->x, i), vertex(d->x, wrap_index(d, from + i)));
    return CORD_OK;
}

static double edge_length(const part *p, int e)
{
    return v3_distance(vertex(p->x, e), vertex(p->x, e + 1));
}

static double polyline_length(const part *p)
{
    double sum = 0;
    for (int e = 0; e + 1 < p->count; e++) sum += edge_length(p, e);
    return sum;
}

/* The ends and vertices at least `spacing` apart. */
static void subsample(const part *from, double spacing, part *to)
{
    int last = 0;
    to->count = 0;
    v3_copy(vertex(to->x, to->count++), from->x);
    for (int i = 1; i + 1 < from->count; i++) {
        const double *x = vertex(from->x, i);
        bool near_end =
            v3_distance(x, vertex(from->x, from->count - 1)) < 0.5 * spacing && i > from->count / 2;
        if (v3_distance(x, vertex(from->x, last)) < spacing || near_end) continue;
        v3_copy(vertex(to->x, to->count++), x);
        last = i;
    }
    v3_copy(vertex(to->x, to->count++), vertex(from->x, from->count - 1));
}

/* The mean of the consecutive vertices around vertex i within `radius` of it. */
static void mean_around(const part *p, int i, double radius, double *mean)
{
    int count = 1;
    v3_copy(mean, vertex(p->x, i));
    for (int step = -1; step <= 1; step += 2) {
        for (int j = i + step; j >= 0 && j < p->count; j += step) {
            if (v3_distance(vertex(p->x, j), vertex(p->x, i)) > radius) break;
            v3_add(mean, mean, vertex(p->x, j));
            count++;
        }
    }
    v3_scale(mean, 1.0 / count, mean);
}

static double distance_to_edge(const double *x, const double *a, const double *b)
{
    double e[3], r[3];
    v3_sub(e, b, a);
    v3_sub(r, x, a);
    double at = fmin(fmax(v3_dot(r, e) / fmax(v3_dot(e, e), DBL_MIN), 0), 1);
    v3_axpy(r, -at, e);
    return v3_norm(r);
}

static double distance_to(const part *p, const double *x)
{
    double least = DBL_MAX;
    for (int e = 0; e + 1 < p->count; e++)
        least = fmin(least, distance_to_edge(x, vertex(p->x, e), vertex(p->x, e + 1)));
    return least;
}

/* Averages over `radius` at vertices half of that apart; the ends are kept. */
static void average(const part *from, double radius, part *to)
{
    int last = 0;
    to->count = 0;
    v3_copy(vertex(to->x, to->count++), from->x);
    for (int i = 1; i + 1 < from->count; i++) {
        if (v3_distance(vertex(from->x, i), vertex(from->x, last)) < 0.5 * radius) continue;
        double mean[3];
        mean_around(from, i, radius, mean);
        last = i;
        if (v3_distance(mean, vertex(to->x, to->count - 1)) < 0.25 * radius) continue;
        v3_copy(vertex(to->x, to->count++), mean);
    }
    const double *end = vertex(from->x, from->count - 1);
    if (to->count > 1 && v3_distance(end, vertex(to->x, to->count - 1)) < 0.25 * radius)
        to->count--;
    v3_copy(vertex(to->x, to->count++), end);
}

/* The number of divisions of an edge: an edge much longer than its neighbours is taken as straight,
 * and a fit to its ends alone would not reproduce that. */
static int divisions_of(const part *p, int e, double length)
{
    if (p->count == 2) return FEWEST_POINTS;
    double length_e = edge_length(p, e), neighbours = 0;
    if (e > 0) neighbours = fmax(neighbours, edge_length(p, e - 1));
    if (e + 2 < p->count) neighbours = fmax(neighbours, edge_length(p, e + 1));
    if (length_e < 2 * neighbours) return 1;
    return 1 + (int)fmin(length_e / fmax(neighbours, length / 60), 60);
}

static cord_status divide(memory *m, const part *from, part *to)
{
    double length = polyline_length(from);
    size_t count = 1;
    for (int e = 0; e + 1 < from->count; e++) count += (size_t)divisions_of(from, e, length);
    to->x = NEW(m, double, 3 * count);
    if (!to->x) return CORD_ERROR_MEMORY;
    to->count = 0;
    for (int e = 0; e + 1 < from->count; e++) {
        int divisions = divisions_of(from, e, length);
        for (int k = 0; k < divisions; k++) {
            double at = (double)k / divisions;
            v3_combine(vertex(to->x, to->count++), 1 - at, vertex(from->x, e), at,
                       vertex(from->x, e + 1));
        }
    }
    v3_copy(vertex(to->x, to->count++), vertex(from->x, from->count - 1));
    return CORD_OK;
}

/* Whether the polyline is noticeably longer than a subset of vertices twice the tolerance apart:
 * then the vertices scatter about the curve. */
static bool is_noisy(const part *p, double tolerance, part *work)
{
    if (p->count < 4 * FEWEST_POINTS) return false;
    subsample(p, 2 * tolerance, work);
    return polyline_length(p) > 1.06 * polyline_length(work);
}

cord_status cord__fit_points(memory *m, const part *from, double tolerance, int most, part *p,
                             double *averaging_error)
{
    *averaging_error = 0;
    *p = (part){0, NULL};
    part divided = {0, NULL};
    cord_status status = divide(m, from, &divided);
    if (status != CORD_OK) return status;
    p->x = NEW(m, double, 3 * (size_t)divided.count);
    if (!p->x) {
        cord__release(m, divided.x);
        return CORD_ERROR_MEMORY;
    }
    if (is_noisy(&divided, tolerance, p)) {
        average(&divided, 2 * tolerance, p);
        for (int i = 0; i < divided.count; i++)
            *averaging_error = fmax(*averaging_error, distance_to(p, vertex(divided.x, i)));
    } else {
        subsample(&divided, divided.count > most ? polyline_length(&divided) / most : 0, p);
    }
    cord__release(m, divided.x);
    return CORD_OK;
}
