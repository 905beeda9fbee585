/* Small changes of initial shapes. */
#include "curve/darboux.h"
#include "math/vec3.h"
#include "scene/scene_data.h"
#include "strand/traits.h"

#include <math.h>
#include <string.h>

#define PI 3.14159265358979323846

enum { RANDOM_WAVES = 6 };

/* xorshift64*: the same sequence on every machine. In [-1, 1). */
static double next_random(uint64_t *state)
{
    uint64_t x = *state;
    x ^= x >> 12;
    x ^= x << 25;
    x ^= x >> 27;
    *state = x;
    return (double)((x * 2685821657736338717ULL) >> 11) / 4503599627370496.0 - 1;
}

/* The normal of the plane of the shape, by its area vector about its centre; any normal of its chord when it is
 * straight. */
static void plane_normal(const polyline *line, double *normal)
{
    double center[3] = {0, 0, 0}, length = cord__polyline_length(line);
    for (int i = 0; i < line->count; i++)
        v3_axpy(center, 1.0 / line->count, line->x + 3 * (size_t)i);
    v3_set(normal, 0, 0, 0);
    for (int i = 0; i < cord__edge_count(line); i++) {
        double a[3], b[3], c[3];
        v3_sub(a, line->x + 3 * (size_t)i, center);
        v3_sub(b, line->x + 3 * (size_t)((i + 1) % line->count), center);
        v3_cross(c, a, b);
        v3_add(normal, normal, c);
    }
    if (v3_norm(normal) < 1e-9 * length * length) {
        double chord[3];
        v3_sub(chord, line->x + 3 * (size_t)(line->count - 1), line->x);
        v3_normalize(chord, chord);
        v3_any_normal(normal, chord);
    }
    v3_normalize(normal, normal);
}

/* Sum of waves sin(2πku + phase), largest value about 1, each in a separate direction. */
typedef struct waves {
    int count;
    int number[RANDOM_WAVES];
    double phase[RANDOM_WAVES], direction[RANDOM_WAVES][3];
} waves;

static void one_wave(const perturb_data *p, const double normal[3], waves *w)
{
    w->count = 1;
    w->number[0] = p->mode;
    w->phase[0] = 0;
    if (isnan(p->direction[0])) {
        v3_copy(w->direction[0], normal);
    } else {
        v3_normalize(w->direction[0], p->direction);
    }
}

/* Few and long waves, so that the perturbation does not depend on the mesh. */
static void random_waves(const perturb_data *p, waves *w)
{
    uint64_t state = 0x9e3779b97f4a7c15ULL * ((uint64_t)p->seed + 1);
    w->count = RANDOM_WAVES;
    for (int k = 0; k < RANDOM_WAVES; k++) {
        w->number[k] = k + 1;
        w->phase[k] = PI * next_random(&state);
        for (int c = 0; c < 3; c++) w->direction[k][c] = next_random(&state) / RANDOM_WAVES * 2;
    }
}

static void add_waves(const waves *w, double u, double size, double *x)
{
    for (int k = 0; k < w->count; k++) {
        v3_axpy(x, size * sin(2 * PI * w->number[k] * u + w->phase[k]), w->direction[k]);
    }
}

static void choose_waves(const perturb_data *p, const double normal[3], waves *w)
{
    if (p->mode > 0) {
        one_wave(p, normal, w);
    } else {
        random_waves(p, w);
    }
}

/* ---- shapes ----------------------------------------------------------------------------------- */

/* The first and last edge of an open strand are not perturbed: clamps there keep the initial directions. A single
 * wave has its nodes at their inner ends; random ones decrease to zero towards them. */
void cord__perturb_line(const perturb_data *p, polyline *line)
{
    waves w = {0};
    double normal[3];
    plane_normal(line, normal);
    choose_waves(p, normal, &w);
    int skip = line->closed ? 0 : 1, edges = cord__edge_count(line);
    if (edges <= 2 * skip) return;
    for (int i = skip; i < line->count - skip; i++) {
        double u = (double)(i - skip) / (edges - 2 * skip);
        double fade = line->closed || p->mode > 0 ? 1 : sin(PI * u) * sin(PI * u);
        add_waves(&w, u, p->amplitude * fade, line->x + 3 * (size_t)i);
    }
}

/* ---- curvatures ------------------------------------------------------------------------------- */

/* d²/ds² of the displacement at the fraction u of a strand, by differences: waves are smooth and long. */
static void second_derivative(const waves *w, const perturb_data *p, double length, double u,
                              double out[3])
{
    const double du = 1e-3, weight[3] = {1, -2, 1};
    v3_set(out, 0, 0, 0);
    for (int k = 0; k < 3; k++) {
        double at = u + (k - 1) * du, fade = p->mode > 0 ? 1 : sin(PI * at) * sin(PI * at);
        add_waves(w, at, weight[k] * p->amplitude * fade / (du * du * length * length), out);
    }
}

/* A displacement w of a curve with the tangent t changes its curvature by t × w″. */
static void add_curvature(const waves *w, const strand_data *s, double u, const double frame[9],
                          double k[3])
{
    const chain_data *c = &s->chain;
    double bent[3], change[3];
    second_derivative(w, s->perturb, c->total, u, bent);
    v3_cross(change, frame, bent);
    if (!c->planar) k[0] += v3_dot(change, frame + 3);
    k[1] += v3_dot(change, frame + 6);
}

void cord__perturb_curvatures(strand_data *s)
{
    chain_data *c = &s->chain;
    bool nodes = cord__strand_traits(s->model)->has_nodal_curvature;
    double frame[9], part[9];
    waves w = {0};
    memcpy(frame, c->frame, sizeof frame);
    choose_waves(s->perturb, frame + 3, &w);
    for (int i = 0; i < c->elements; i++) {
        double u = c->fractions[i], length = c->total * (c->fractions[i + 1] - u);
        curvature k;
        cord__set_curvature(c->ends + 6 * (size_t)i, length, &k);
        cord__darboux_at(&k, nodes ? 0 : 0.5 * length, frame, part, NULL);
        add_curvature(&w, s, nodes ? u : 0.5 * (u + c->fractions[i + 1]), part,
                      c->initial + 3 * (size_t)i);
        cord__darboux_at(&k, length, frame, part, NULL);
        memcpy(frame, part, sizeof frame);
    }
    if (nodes) add_curvature(&w, s, 1, frame, c->initial + 3 * (size_t)c->elements);
}
