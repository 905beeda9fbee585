/* Distance of two convex solids: the point of their Minkowski difference nearest to the origin is approached by simplices of
 * support points [Gilbert, Johnson, Keerthi 1988]. */
#include "contact/convex.h"
#include "math/vec3.h"

#define ITERATIONS 100
#define CONVERGED 1e-11 /* of |v|² over its lower bound v·w, relative */

/* Support points w = a + shift − b, and the weights of the point nearest to the origin. */
typedef struct simplex {
    int count;
    double w[4][3], a[4][3], b[4][3], weight[4];
} simplex;

/* Keeps the corners with a weight. */
static void drop_others(simplex *s)
{
    int kept = 0;
    for (int i = 0; i < s->count; i++) {
        if (!(s->weight[i] > 0)) continue;
        v3_copy(s->w[kept], s->w[i]);
        v3_copy(s->a[kept], s->a[i]);
        v3_copy(s->b[kept], s->b[i]);
        s->weight[kept++] = s->weight[i];
    }
    s->count = kept;
}

static void weights_of_segment(const double p[3], const double q[3], double *weight_p,
                               double *weight_q)
{
    double d[3];
    v3_sub(d, q, p);
    double length2 = v3_dot(d, d), t = length2 > 0 ? -v3_dot(p, d) / length2 : 0;
    *weight_q = fmin(fmax(t, 0), 1);
    *weight_p = 1 - *weight_q;
}

/* Weights of the projection of the origin onto the plane of a triangle, by the areas of its parts: they remain accurate for
 * thin ones. False where it is outside. */
static bool weights_of_projection(const double x[3][3], double weight[3])
{
    double e[2][3], n[3], p[3], sum = 0;
    v3_sub(e[0], x[1], x[0]);
    v3_sub(e[1], x[2], x[0]);
    v3_cross(n, e[0], e[1]);
    double area2 = v3_dot(n, n);
    if (!(area2 > 0)) return false;
    v3_scale(p, v3_dot(x[0], n) / area2, n);
    for (int k = 0; k < 3; k++) {
        double m[3];
        for (int i = 0; i < 2; i++) v3_sub(e[i], x[(k + 1 + i) % 3], p);
        v3_cross(m, e[0], e[1]);
        weight[k] = v3_dot(m, n);
        if (weight[k] < 0) return false;
        sum += weight[k];
    }
    for (int k = 0; k < 3; k++) weight[k] /= sum;
    return true;
}

static double weighted_square(const double x[3][3], const double weight[3])
{
    double p[3] = {0, 0, 0};
    for (int k = 0; k < 3; k++) v3_axpy(p, weight[k], x[k]);
    return v3_dot(p, p);
}

/* Weights of the point of a triangle nearest to the origin; returns its square distance. */
static double weights_of_triangle(const double x[3][3], double weight[3])
{
    if (weights_of_projection(x, weight)) return weighted_square(x, weight);
    double least = INFINITY;
    for (int k = 0; k < 3; k++) {
        double w[3] = {0, 0, 0};
        int a = (k + 1) % 3, b = (k + 2) % 3;
        weights_of_segment(x[a], x[b], w + a, w + b);
        double square = weighted_square(x, w);
        if (square >= least) continue;
        least = square;
        v3_copy(weight, w);
    }
    return least;
}

/* Whether a face of a tetrahedron separates the origin from the fourth corner; so do all of a flat one. */
static bool separates(const double x[3][3], const double fourth[3])
{
    double u[3], v[3], n[3], w[3];
    v3_sub(u, x[1], x[0]);
    v3_sub(v, x[2], x[0]);
    v3_sub(w, fourth, x[0]);
    v3_cross(n, u, v);
    double height = v3_dot(n, w), side = -v3_dot(n, x[0]);
    return side * height <= 0 || height * height <= 1e-24 * v3_dot(n, n) * v3_dot(w, w);
}

/* False: the tetrahedron contains the origin. */
static bool weights_of_tetrahedron(simplex *s)
{
    double least = INFINITY, best[4] = {0};
    for (int opposite = 0; opposite < 4; opposite++) {
        double x[3][3], weight[3];
        for (int k = 0; k < 3; k++) v3_copy(x[k], s->w[k < opposite ? k : k + 1]);
        if (!separates((const double(*)[3])x, s->w[opposite])) continue;
        double distance2 = weights_of_triangle((const double(*)[3])x, weight);
        if (distance2 >= least) continue;
        least = distance2;
        for (int k = 0; k < 4; k++) best[k] = k == opposite ? 0 : weight[k < opposite ? k : k - 1];
    }
    for (int k = 0; k < 4; k++) s->weight[k] = best[k];
    return least < INFINITY;
}

/* Reduces the simplex to the feature nearest to the origin. False: it contains the origin. */
static bool reduce(simplex *s)
{
    bool outside = true;
    s->weight[0] = 1;
    if (s->count == 2) weights_of_segment(s->w[0], s->w[1], s->weight, s->weight + 1);
    if (s->count == 3) weights_of_triangle((const double(*)[3])s->w, s->weight);
    if (s->count == 4) outside = weights_of_tetrahedron(s);
    if (outside) drop_others(s);
    return outside;
}

static void combine(const simplex *s, const double (*x)[3], double r[3])
{
    v3_set(r, 0, 0, 0);
    for (int k = 0; k < s->count; k++) v3_axpy(r, s->weight[k], x[k]);
}

/* Adds the support point against v; false where it is a corner already. */
static bool extend(const obstacle *a, const obstacle *b, const double shift[3], const double v[3],
                   simplex *s)
{
    int at = s->count;
    double n[3], back[3];
    v3_normalize(n, v);
    v3_scale(back, -1, n);
    cord__solid_support(a, back, s->a[at]);
    cord__solid_support(b, n, s->b[at]);
    v3_sub(s->w[at], s->a[at], s->b[at]);
    v3_add(s->w[at], s->w[at], shift);
    for (int k = 0; k < at; k++)
        if (v3_distance(s->w[k], s->w[at]) == 0) return false;
    s->count++;
    return true;
}

bool cord__solid_distance(const obstacle *a, const obstacle *b, const double shift[3], double v[3],
                          double x[2][3])
{
    simplex s = {.count = 0}, best;
    v3_sub(v, a->x, b->x);
    v3_add(v, v, shift);
    if (v3_dot(v, v) == 0 || !extend(a, b, shift, v, &s)) return false;
    s.weight[0] = 1;
    v3_copy(v, s.w[0]);
    best = s;
    for (int k = 0; k < ITERATIONS; k++) {
        double next[3], square = v3_dot(v, v);
        if (square == 0) return false;
        if (!extend(a, b, shift, v, &s)) break;
        double bound = v3_dot(v, s.w[s.count - 1]); /* of v·w over the whole difference */
        if (square - bound <= CONVERGED * square) break;
        bool contains = !reduce(&s);
        if (contains && bound > 0) break; /* a flat tetrahedron, by rounding */
        if (contains) return false;
        combine(&s, (const double(*)[3])s.w, next);
        if (v3_dot(next, next) >= square) break; /* rounding */
        v3_copy(v, next);
        best = s;
    }
    combine(&best, (const double(*)[3])best.a, x[0]);
    combine(&best, (const double(*)[3])best.b, x[1]);
    return true;
}
