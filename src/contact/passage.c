/* Whether two moving segments pass through each other.
 *
 * The segments can meet only when their four ends are in a plane: when the signed volume det(e, f, g) vanishes, with
 * e = a₁ − a₀, f = b₁ − b₀, g = b₀ − a₀. It is a cubic in time; its Bernstein coefficients follow from the vectors at both
 * ends of the motion. At each of its roots the segments intersect or not. Where the whole motion is in one plane, the roots
 * are those of the areas that the end of one segment has with the other. */
#include "contact/contact.h"
#include "math/vec3.h"

#define DEPTH 40        /* of the bisection: times to 1e-12 */
#define PLANAR 1e-13    /* volume, relative to the product of the lengths, that is rounding */
#define ON_SEGMENT 1e-9 /* beyond the ends, so that no crossing escapes between two segments */

typedef struct passage {
    const segment_motion *a, *b;
} passage;

static double det(const double *a, const double *b, const double *c)
{
    double n[3];
    v3_cross(n, b, c);
    return v3_dot(a, n);
}

static void end_at(const segment_motion *m, int end, double time, double x[3])
{
    v3_combine(x, 1 - time, m->from[end], time, m->to[end]);
}

/* e, f, g at a time. */
static void vectors_at(const passage *p, double time, double v[3][3])
{
    double a0[3], a1[3], b0[3], b1[3];
    end_at(p->a, 0, time, a0);
    end_at(p->a, 1, time, a1);
    end_at(p->b, 0, time, b0);
    end_at(p->b, 1, time, b1);
    v3_sub(v[0], a1, a0);
    v3_sub(v[1], b1, b0);
    v3_sub(v[2], b0, a0);
}

/* Whether the segments, in a plane at this time, intersect: g = s e − t f with s and t in [0, 1]. */
static bool intersect_at(const passage *p, double time)
{
    double v[3][3], n[3], m[3];
    vectors_at(p, time, v);
    v3_cross(n, v[0], v[1]);
    double n2 = v3_dot(n, n);
    if (!(n2 > 0)) return false; /* parallel: they meet at their ends, at a time of its own */
    v3_cross(m, v[2], v[1]);
    double s = v3_dot(m, n) / n2;
    v3_cross(m, v[2], v[0]);
    double t = v3_dot(m, n) / n2;
    return s >= -ON_SEGMENT && s <= 1 + ON_SEGMENT && t >= -ON_SEGMENT && t <= 1 + ON_SEGMENT;
}

/* False also of zero: two segments that stay on one line do not pass through each other. */
static bool changes_sign(const double *b, int degree)
{
    bool positive = false, negative = false, zero = true;
    for (int i = 0; i <= degree; i++) {
        positive |= b[i] >= 0;
        negative |= b[i] <= 0;
        zero &= b[i] == 0;
    }
    return positive && negative && !zero;
}

/* Whether the segments intersect at a root of the polynomial between two times, by de Casteljau's bisection. */
static bool intersect_at_root(const passage *p, const double *b, int degree, double from, double to,
                              int depth)
{
    if (!changes_sign(b, degree)) return false;
    double middle = 0.5 * (from + to);
    if (depth == 0) return intersect_at(p, middle);
    double left[4], right[4], row[4];
    for (int i = 0; i <= degree; i++) row[i] = b[i];
    for (int k = 0; k <= degree; k++) {
        left[k] = row[0], right[degree - k] = row[degree - k];
        for (int i = 0; i < degree - k; i++) row[i] = 0.5 * (row[i] + row[i + 1]);
    }
    return intersect_at_root(p, left, degree, from, middle, depth - 1) ||
           intersect_at_root(p, right, degree, middle, to, depth - 1);
}

/* The signed volume; true where it is more than rounding. */
static bool volume(double v[2][3][3], double b[4])
{
    double(*u)[3] = v[0], (*w)[3] = v[1], scale = 1;
    b[0] = det(u[0], u[1], u[2]);
    b[1] = (det(w[0], u[1], u[2]) + det(u[0], w[1], u[2]) + det(u[0], u[1], w[2])) / 3;
    b[2] = (det(u[0], w[1], w[2]) + det(w[0], u[1], w[2]) + det(w[0], w[1], u[2])) / 3;
    b[3] = det(w[0], w[1], w[2]);
    for (int k = 0; k < 3; k++) scale *= v3_norm(u[k]) + v3_norm(w[k]);
    double most = fmax(fmax(fabs(b[0]), fabs(b[1])), fmax(fabs(b[2]), fabs(b[3])));
    return most > PLANAR * scale;
}

/* Twice the area of `edge` with an end of the other segment, in the plane with the normal n: a quadratic in time. */
static void area(const segment_motion *edge, const segment_motion *other, int end,
                 const double n[3], double b[3])
{
    double d[2][3], g[2][3];
    for (int i = 0; i < 2; i++) {
        const double(*x)[3] = i ? edge->to : edge->from, *y = i ? other->to[end] : other->from[end];
        v3_sub(d[i], x[1], x[0]);
        v3_sub(g[i], y, x[0]);
    }
    b[0] = det(n, d[0], g[0]);
    b[1] = 0.5 * (det(n, d[0], g[1]) + det(n, d[1], g[0]));
    b[2] = det(n, d[1], g[1]);
}

/* The normal of the plane of the motion: the largest product of two of its vectors. */
static void plane_normal(double v[2][3][3], double n[3])
{
    double product[3];
    v3_set(n, 0, 0, 0);
    for (int i = 0; i < 6; i++)
        for (int k = 0; k < i; k++) {
            v3_cross(product, v[k / 3][k % 3], v[i / 3][i % 3]);
            if (v3_dot(product, product) > v3_dot(n, n)) v3_copy(n, product);
        }
}

static bool pass_in_plane(const passage *p, double v[2][3][3])
{
    double n[3], b[3];
    plane_normal(v, n);
    for (int end = 0; end < 2; end++) {
        area(p->a, p->b, end, n, b);
        if (intersect_at_root(p, b, 2, 0, 1, DEPTH)) return true;
        area(p->b, p->a, end, n, b);
        if (intersect_at_root(p, b, 2, 0, 1, DEPTH)) return true;
    }
    return false;
}

bool cord__pass_through(const segment_motion *a, const segment_motion *b)
{
    const passage p = {a, b};
    double v[2][3][3], coefficients[4];
    vectors_at(&p, 0, v[0]);
    vectors_at(&p, 1, v[1]);
    if (!volume(v, coefficients)) return pass_in_plane(&p, v);
    return intersect_at_root(&p, coefficients, 3, 0, 1, DEPTH);
}
