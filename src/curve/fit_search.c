#include "curve/fit_search.h"
#include "curve/transport.h"
#include "math/rotation.h"

#include <math.h>
#include <string.h>

enum { ITERATIONS = 40, MANY_ITERATIONS = 150, REWEIGHTINGS = 8 };

/* ---- candidates ------------------------------------------------------------------------------- */

static cord_status make_chain(const fit_task *t, int elements, chain *c)
{
    *c = (chain){.kind = t->kind, .elements = elements};
    c->length = NEW(t->m, double, elements);
    c->kappa = NEW(t->m, double, 3 * (elements + 1));
    if (c->length && c->kappa) return CORD_OK;
    cord__release(t->m, c->length);
    cord__release(t->m, c->kappa);
    *c = (chain){.kind = t->kind};
    return CORD_ERROR_MEMORY;
}

void cord__fit_found_free(memory *m, fit_found *found)
{
    cord__release(m, found->c.length);
    cord__release(m, found->c.kappa);
    *found = (fit_found){0};
}

/* A task with its workspace and the best result so far. */
typedef struct search {
    const fit_task *t;
    double *frames, *weights, *distances, *lengths;
    double length;  /* of the curve */
    int iterations; /* limit per fit */
    fit_found best;
} search;

/* Within the tolerance at every vertex, closed if required, and without loops between vertices. */
static bool within(const search *s, const fit_found *f)
{
    bool is_closed = !s->t->closed || f->quality.closure_residual < 1e-10 * s->length;
    bool is_near = f->quality.worst <= s->t->tolerance;
    return is_near && is_closed && cord__chain_length(&f->c) < 1.25 * s->length;
}

/* Keeps the better of `f` and the best chain: within the tolerance first, then fewer elements, then
 * the smaller distance. Takes ownership of `f`. */
static bool offer(search *s, fit_found *f)
{
    bool had = s->best.c.elements > 0, good = within(s, f), better = !had;
    if (had && good != within(s, &s->best))
        better = good;
    else if (had && good)
        better = f->c.elements < s->best.c.elements;
    else if (had)
        better = f->quality.worst < s->best.quality.worst;
    fit_found *loser = better ? &s->best : f;
    cord__fit_found_free(s->t->m, loser);
    if (better) s->best = *f;
    return better;
}

/* ---- one fit -------------------------------------------------------------------------------- */

static void planar_frames(const fit_task *t, double *frames)
{
    for (int e = 0; e + 1 < t->vertices; e++) {
        double *r = frames + 9 * (size_t)e;
        v3_sub(r, t->x + 3 * (size_t)(e + 1), t->x + 3 * (size_t)e);
        v3_axpy(r, -v3_dot(r, t->normal), t->normal);
        v3_normalize(r, r);
        v3_copy(r + 6, t->normal);
        v3_cross(r + 3, r + 6, r);
    }
}

static void copy_found(fit_found *to, const fit_found *from)
{
    int count = curvature_count(from->c.kind, from->c.elements);
    memcpy(to->c.length, from->c.length, (size_t)from->c.elements * sizeof(double));
    memcpy(to->c.kappa, from->c.kappa, 3 * (size_t)count * sizeof(double));
    v3_copy(to->c.position, from->c.position);
    memcpy(to->c.frame, from->c.frame, sizeof from->c.frame);
    to->quality = from->quality;
}

/* Lawson's iteratively reweighted least squares [Lawson 1961], which converge to the minimax fit:
 * weights grow with the distances. Used where the largest distance nearly meets the tolerance. */
static cord_status reduce_max_distance(search *s, const fit_problem *p, fit_found *f)
{
    const fit_task *t = s->t;
    fit_found other = {0};
    cord_status status = make_chain(t, f->c.elements, &other.c);
    if (status != CORD_OK) return status;
    copy_found(&other, f);
    fit_problem again = *p;
    again.weights = s->weights;
    again.has_guess = true;
    again.iterations = s->iterations / 3;
    for (int i = 0; i < t->vertices; i++) s->weights[i] = 1;
    for (int k = 0; k < REWEIGHTINGS && f->quality.worst > t->tolerance; k++) {
        for (int i = 0; i < t->vertices; i++) {
            s->weights[i] *= sqrt(0.4 + 0.6 * s->distances[i] / other.quality.worst);
        }
        status = cord__fit_chain(t->m, &again, &other.c, &other.quality);
        if (status != CORD_OK) break;
        if (other.quality.worst < f->quality.worst) copy_found(f, &other);
        /* Slow decrease: the tolerance is out of reach. */
        double ratio = f->quality.worst / t->tolerance;
        if ((k >= 1 && ratio > 1.6) || (k >= 3 && ratio > 1.2)) break;
    }
    cord__fit_found_free(t->m, &other);
    return status == CORD_ERROR_NOT_CONVERGED ? CORD_OK : status;
}

static cord_status fit_once(search *s, fit_problem *p, fit_found *f)
{
    const double tolerance = s->t->tolerance;
    cord_status status = cord__fit_chain(s->t->m, p, &f->c, &f->quality);
    if (status == CORD_ERROR_NOT_CONVERGED) { /* treated as infinitely far */
        f->quality.worst = f->quality.rms = INFINITY;
        return CORD_OK;
    }
    bool nearly = f->quality.worst > tolerance && f->quality.worst < 2.5 * tolerance;
    return status == CORD_OK && nearly ? reduce_max_distance(s, p, f) : status;
}

static fit_problem problem_of(const search *s)
{
    const fit_task *t = s->t;
    return (fit_problem){.vertices = t->vertices,
                         .x = t->x,
                         .frames = s->frames,
                         .frames_are_guess = true,
                         .distances = s->distances,
                         .planar = t->planar,
                         .closed = t->closed,
                         .free_lengths = true,
                         .iterations = s->iterations};
}

/* Fits elements of these lengths with the curvature of the polyline as initial guess. */
static cord_status fit_from_polyline(search *s, int elements, const double *lengths)
{
    const fit_task *t = s->t;
    cord_status status = CORD_OK;
    for (int guide = 0; guide < (t->planar ? 1 : 2) && status == CORD_OK; guide++) {
        fit_found f = {0};
        if (t->planar)
            planar_frames(t, s->frames);
        else
            status = cord__fit_space_frames(t, guide == 1, s->frames);
        if (status == CORD_OK) status = make_chain(t, elements, &f.c);
        if (status != CORD_OK) break;
        memcpy(f.c.length, lengths, (size_t)elements * sizeof *lengths);
        fit_problem p = problem_of(s);
        status = fit_once(s, &p, &f);
        if (status != CORD_OK)
            cord__fit_found_free(t->m, &f);
        else if (offer(s, &f) && within(s, &s->best))
            break;
    }
    return status;
}

/* ---- fewer elements ------------------------------------------------------------------------- */

/* Importance of node i: the jump of the curvature (clothoids: of its derivative) there, made
 * dimensionless. */
static double node_importance(const chain *c, int i)
{
    const double *k = c->kappa + 3 * (size_t)i, *l = c->length + i;
    double d[3];
    if (c->kind != ELEMENT_CLOTHOID) {
        v3_sub(d, k, k - 3);
        return v3_norm(d) * fmin(l[-1], l[0]);
    }
    for (int a = 0; a < 3; a++) {
        d[a] = (k[3 + a] - k[a]) / l[0] - (k[a] - k[a - 3]) / l[-1];
    }
    double shorter = fmin(l[-1], l[0]);
    return v3_norm(d) * shorter * shorter;
}

/* Clothoids without node i: the curvature of its neighbours is raised by the lost rotation, so that
 * the rest of the chain keeps its position. */
static void keep_rotation(const chain *from, int i, chain *to)
{
    const double *k = from->kappa + 3 * (size_t)i, *l = from->length;
    double before = i > 1 ? l[i - 2] : 0, after = i + 1 < from->elements ? l[i + 1] : 0;
    double both = l[i - 1] + l[i];
    for (int a = 0; a < 3; a++) {
        double lost = 0.5 * (l[i - 1] * (k[a - 3] + k[a]) + l[i] * (k[a] + k[a + 3]) -
                             both * (k[a - 3] + k[a + 3]));
        double share = lost / (0.5 * before + both + 0.5 * after);
        to->kappa[3 * (size_t)(i - 1) + (size_t)a] += share;
        to->kappa[3 * (size_t)i + (size_t)a] += share;
    }
}

/* The best chain without node i, its two elements merged. */
static cord_status without_node(const search *s, int i, fit_found *f)
{
    const chain *from = &s->best.c;
    chain *to = &f->c;
    cord_status status = make_chain(s->t, from->elements - 1, to);
    if (status != CORD_OK) return status;
    int count = curvature_count(from->kind, from->elements);
    for (int e = 0, k = 0; e < from->elements; e++) {
        if (e == i)
            to->length[k - 1] += from->length[e];
        else
            to->length[k++] = from->length[e];
    }
    for (int e = 0, k = 0; e < count; e++) {
        if (e == i) continue;
        v3_copy(to->kappa + 3 * (size_t)k++, from->kappa + 3 * (size_t)e);
    }
    if (from->kind == ELEMENT_CLOTHOID) {
        keep_rotation(from, i, to);
    } else { /* weighted mean of the two elements */
        double a = from->length[i - 1], b = from->length[i];
        v3_combine(to->kappa + 3 * (size_t)(i - 1), a / (a + b), from->kappa + 3 * (size_t)(i - 1),
                   b / (a + b), from->kappa + 3 * (size_t)i);
    }
    v3_copy(to->position, from->position);
    memcpy(to->frame, from->frame, sizeof to->frame);
    return CORD_OK;
}

/* From the current chain and, if that diverges, from the curvature of the polyline. */
static cord_status try_without(search *s, int i, bool *removed)
{
    cord_status status = CORD_OK;
    *removed = false;
    bool diverged = true; /* far from the vertices: perhaps another local minimum */
    for (int fresh = 0; fresh < 2 && status == CORD_OK && diverged; fresh++) {
        fit_found f = {0};
        status = without_node(s, i, &f);
        if (status != CORD_OK) return status;
        fit_problem p = problem_of(s);
        p.has_guess = !fresh;
        status = fit_once(s, &p, &f);
        *removed = status == CORD_OK && within(s, &f);
        diverged = status == CORD_OK && f.quality.worst > 3 * s->t->tolerance;
        if (*removed)
            offer(s, &f);
        else
            cord__fit_found_free(s->t->m, &f);
    }
    return status;
}

/* The least important node that has not been tried. */
static int next_node(const chain *c, const bool *tried)
{
    int best = 0;
    for (int i = 1; i < c->elements; i++) {
        if (!tried[i] && (best == 0 || node_importance(c, i) < node_importance(c, best))) best = i;
    }
    return best;
}

/* Removes nodes in order of importance while the chain stays within the tolerance. */
static cord_status remove_nodes(search *s)
{
    if (s->t->kind == ELEMENT_SEGMENT && s->t->planar) planar_frames(s->t, s->frames);
    bool *tried = NEW(s->t->m, bool, s->best.c.elements + 1);
    if (!tried) return CORD_ERROR_MEMORY;
    cord_status status = CORD_OK;
    /* Fits of many elements are slow, and a single element matters little there. */
    double unknowns = (s->t->planar ? 2.0 : 4.0) * s->best.c.elements;
    int tries = 4 + (int)(5e7 / (unknowns * unknowns * s->t->vertices));
    while (status == CORD_OK && tries-- > 0) {
        int i = next_node(&s->best.c, tried);
        bool removed = false;
        if (i == 0) break;
        status = try_without(s, i, &removed);
        tried[i] = true;
        if (removed) memset(tried, 0, (size_t)s->best.c.elements + 1);
    }
    cord__release(s->t->m, tried);
    return status;
}

/* ---- one element more ----------------------------------------------------------------------- */

/* The best chain with the element halved that has the largest distance from a vertex. */
static cord_status divide_worst(const search *s, fit_found *f)
{
    const chain *from = &s->best.c;
    chain *to = &f->c;
    cord_status status = make_chain(s->t, from->elements + 1, to);
    if (status != CORD_OK) return status;
    int worst = 0, count = curvature_count(from->kind, from->elements);
    double end = from->length[0];
    while (worst + 1 < from->elements && end < s->best.quality.worst_at)
        end += from->length[++worst];
    for (int e = 0; e <= from->elements; e++) {
        int source = e > worst ? e - 1 : e;
        to->length[e] = from->length[source] * (source == worst ? 0.5 : 1);
    }
    for (int e = 0; e <= count; e++) {
        const double *k = from->kappa + 3 * (size_t)(e > worst ? e - 1 : e);
        v3_copy(to->kappa + 3 * (size_t)e, k);
        if (e == worst + 1 && from->kind == ELEMENT_CLOTHOID)
            v3_combine(to->kappa + 3 * (size_t)e, 0.5, k, 0.5, k + 3);
    }
    v3_copy(to->position, from->position);
    memcpy(to->frame, from->frame, sizeof to->frame);
    return CORD_OK;
}

/* A chain close to the tolerance: one more element where the distance is largest, at most twice. */
static cord_status refine(search *s)
{
    cord_status status = CORD_OK;
    for (int k = 0; k < 2 && status == CORD_OK && !within(s, &s->best); k++) {
        fit_found f = {0};
        if (s->best.quality.worst > 2.5 * s->t->tolerance || s->best.c.elements >= s->t->most)
            break;
        status = divide_worst(s, &f);
        if (status != CORD_OK) break;
        fit_problem p = problem_of(s);
        p.has_guess = true;
        status = fit_once(s, &p, &f);
        if (status != CORD_OK)
            cord__fit_found_free(s->t->m, &f);
        else if (!offer(s, &f))
            break;
    }
    return status;
}

/* ---- the search ----------------------------------------------------------------------------- */

/* Plane curves: element boundaries by shortest path with each element within some tolerance. The
 * joint fit may be worse or better than the separate ones, hence decreasing tolerances until the
 * joint fit meets the requested one. */
static cord_status search_plane(search *s)
{
    planar_graph *g;
    double tolerance = 3 * s->t->tolerance, last = 0;
    cord_status status = cord__planar_graph_make(s->t, tolerance, &g);
    if (status != CORD_OK) return status;
    for (int k = 0; k < 24 && status == CORD_OK; k++, tolerance *= 0.85) {
        int elements;
        double checksum = 0; /* checksum of the lengths: skips repeated partitions */
        cord__planar_graph_path(g, tolerance, &elements, s->lengths);
        for (int e = 0; e < elements; e++) checksum += s->lengths[e] * (e + 1);
        if (checksum == last) continue;
        last = checksum;
        status = fit_from_polyline(s, elements, s->lengths);
        if (status == CORD_OK) status = refine(s);
        if (status == CORD_OK && within(s, &s->best)) break;
    }
    cord__planar_graph_free(g);
    return status;
}

/* Increasing numbers of elements of equal length. */
static cord_status search_evenly(search *s)
{
    cord_status status = CORD_OK;
    for (int n = 1; n <= s->t->most && status == CORD_OK; n += 1 + n / 3) {
        for (int e = 0; e < n; e++) s->lengths[e] = s->length / n;
        status = fit_from_polyline(s, n, s->lengths);
        if (status == CORD_OK) status = refine(s);
        if (status == CORD_OK && within(s, &s->best)) break;
    }
    return status;
}

/* The largest distance of the vertices between i and j from the chord. */
static double chord_error(const fit_task *t, int i, int j)
{
    const double *a = t->x + 3 * (size_t)i;
    double e[3], worst = 0;
    v3_sub(e, t->x + 3 * (size_t)j, a);
    double squared = v3_dot(e, e);
    for (int k = i + 1; k < j && squared > 0; k++) {
        double r[3];
        v3_sub(r, t->x + 3 * (size_t)k, a);
        v3_axpy(r, -fmin(fmax(v3_dot(r, e) / squared, 0), 1), e);
        worst = fmax(worst, v3_norm(r));
    }
    return squared > 0 ? worst : INFINITY;
}

/* The fewest chords between vertices within the tolerance, by dynamic programming from the end;
 * to[i] becomes the end of the chord from vertex i. Returns the number of chords. [Imai and Iri
 * 1988] */
static int fewest_chords(const fit_task *t, int *count, int *to)
{
    const int last = t->vertices - 1;
    count[last] = 0;
    for (int i = last - 1; i >= 0; i--) {
        count[i] = count[i + 1] + 1, to[i] = i + 1;
        for (int j = i + 2; j <= last; j++) {
            if (count[j] + 1 >= count[i] || chord_error(t, i, j) > t->tolerance) continue;
            count[i] = count[j] + 1, to[i] = j;
        }
    }
    return count[0];
}

/* The chain of bars along these chords. */
static cord_status chain_of_chords(search *s, const int *to, double *x, fit_found *f)
{
    const fit_task *t = s->t;
    int at = 0;
    f->quality.worst = 0;
    v3_copy(x, t->x);
    for (int e = 0; e < f->c.elements; e++, at = to[at]) {
        const double *end = t->x + 3 * (size_t)to[at];
        f->quality.worst = fmax(f->quality.worst, chord_error(t, at, to[at]));
        f->c.length[e] = v3_distance(end, t->x + 3 * (size_t)at);
        v3_copy(x + 3 * (size_t)(e + 1), end);
    }
    fit_task chords = *t;
    chords.vertices = f->c.elements + 1, chords.x = x;
    if (t->planar) planar_frames(&chords, s->frames);
    fit_problem p = {.vertices = chords.vertices,
                     .x = x,
                     .frames = t->planar ? s->frames : NULL,
                     .planar = t->planar};
    fit_quality exact;
    cord_status status = cord__fit_chain(t->m, &p, &f->c, &exact);
    f->quality.worst += exact.worst;
    return status;
}

/* Bars between vertices. They meet the tolerance for certain, but bars that miss the vertices might
 * be fewer. */
static cord_status search_bars(search *s)
{
    const fit_task *t = s->t;
    int *count = NEW(t->m, int, 2 * (size_t)t->vertices), *to = count ? count + t->vertices : NULL;
    double *x = NEW(t->m, double, 3 * (size_t)t->vertices);
    fit_found f = {0};
    cord_status status = count && x ? CORD_OK : CORD_ERROR_MEMORY;
    int bars = status == CORD_OK ? fewest_chords(t, count, to) : 0;
    if (status == CORD_OK && bars <= t->most) {
        status = make_chain(t, bars, &f.c);
        if (status == CORD_OK) status = chain_of_chords(s, to, x, &f);
        if (status == CORD_OK)
            offer(s, &f);
        else
            cord__fit_found_free(t->m, &f);
    }
    cord__release(t->m, count);
    cord__release(t->m, x);
    return status;
}

static cord_status search_all(search *s)
{
    const fit_task *t = s->t;
    /* One element represents lines, circles, helices and clothoids. */
    cord_status status = fit_from_polyline(s, 1, &s->length);
    if (status != CORD_OK || within(s, &s->best)) return status;
    if (t->kind == ELEMENT_SEGMENT)
        status = search_bars(s);
    else if (t->planar)
        status = search_plane(s);
    if (status == CORD_OK && !within(s, &s->best)) status = search_evenly(s);
    if (status == CORD_OK && !within(s, &s->best)) { /* noisy curves converge slowly */
        s->iterations = MANY_ITERATIONS;
        status = search_evenly(s);
    }
    if (status == CORD_OK && within(s, &s->best)) status = remove_nodes(s);
    return status;
}

cord_status cord__fit_search(const fit_task *t, fit_found *found)
{
    search s = {.t = t, .iterations = ITERATIONS};
    size_t v = (size_t)t->vertices;
    double *storage = NEW(t->m, double, 9 * v + 3 * v + (size_t)t->most);
    *found = (fit_found){0};
    if (!storage) return CORD_ERROR_MEMORY;
    s.frames = storage;
    s.weights = s.frames + 9 * v;
    s.distances = s.weights + v;
    s.length = cord__arc_lengths(t->vertices, t->x, s.distances + v);
    s.lengths = s.distances + 2 * v;
    cord_status status = search_all(&s);
    if (status == CORD_OK)
        *found = s.best;
    else
        cord__fit_found_free(t->m, &s.best);
    cord__release(t->m, storage);
    return status;
}
