/* Splines through prescribed positions of the vertices, by least squares.
 *
 * Minimise Σ w_i |x(u_i) − X_i|² + ε Σ |jump of x''' at inner knots|². With two control points more
 * than vertices, the default, the curve interpolates all vertices and has no jump at the first and
 * the last inner knot ("not-a-knot" end conditions): exact for cubics and of fourth order, unlike a
 * natural spline with x'' = 0 at the ends. The second term (Tikhonov regularisation) determines the
 * curve where the vertices do not. ε is tiny, and iterative refinement with the remaining residual
 * removes its effect on the interpolation. Where vertices are sparse, exact interpolation would
 * cause oscillations; there ε is larger and refinement is omitted. Up to three vertices determine
 * no cubic; there the bending energy is minimised too. A closed curve has neither ends nor
 * not-a-knot conditions; its control points are numbered in the order of spline_fold(), in which
 * the matrix is banded. */
#include "math/vec3.h"
#include "strand/spline/spline.h"

#include <stdlib.h>
#include <string.h>

enum { HALF = 4, RING_HALF = 2 * HALF + 1, PASSES = 4 };
static const double end_weight = 1e3, no_knot = 1e-2;
static const double far_apart = 1.75; /* spans without a vertex; the default has about one */

static double vertex_weight(const spline *s, int i)
{
    return !s->fit.closed && (i == 0 || i == s->fit.count - 1) ? end_weight : 1;
}

/* ---- the matrix: entry (j + k, j) is a[(half + 1) j + k] -------------------------------------- */

static int half_width(const spline *s)
{
    return s->fit.closed ? RING_HALF : HALF;
}
static int unknowns(const spline *s)
{
    return s->fit.closed ? s->spans : s->points;
}
/* Index of the control point, and its index in the matrix. */
static int own_point(const spline *s, int point)
{
    return s->fit.closed ? point % s->spans : point;
}
static int location_of(const spline *s, int point)
{
    return s->fit.closed ? spline_fold(s->spans, own_point(s, point)) : point;
}

static void add_square(const spline *s, double *a, int first, int count, const double *w,
                       double scale)
{
    for (int j = 0; j < count; j++)
        for (int k = j; k < count; k++) {
            int row = location_of(s, first + j), col = location_of(s, first + k);
            int top = row < col ? row : col;
            a[(half_width(s) + 1) * top + abs(row - col)] += scale * w[j] * w[k];
        }
}

/* The jump of x''' at the end of a span, as weights of five control points from its first on. */
static void jump_after(const spline *s, int span, double jump[5])
{
    spline_weights before, after;
    cord__spline_basis(s, span, 0.5, &before);
    cord__spline_basis(s, s->fit.closed ? (span + 1) % s->spans : span + 1, 0.5, &after);
    for (int j = 0; j < 5; j++)
        jump[j] = (j > 0 ? after.ddd[j - 1] : 0) - (j < 4 ? before.ddd[j] : 0);
}

/* Spans that end at a knot where x''' may jump. */
static int jumps(const spline *s)
{
    return s->fit.closed ? s->spans : s->spans - 1;
}

/* Whether the knot after a span has a not-a-knot condition, which is then treated as data. */
static bool is_no_knot(const spline *s, int span)
{
    return !s->fit.closed && s->points == s->fit.count + 2 && s->fit.count > 3 && !s->fit.sparse &&
           (span == 0 || span == s->spans - 2);
}

static void add_smoothness(const spline *s, double *a)
{
    double smoothness = s->fit.sparse ? 1e-6 : 1e-9;
    for (int k = 0; k < jumps(s); k++) {
        double jump[5];
        jump_after(s, k, jump);
        add_square(s, a, k, 5, jump, is_no_knot(s, k) ? no_knot : smoothness);
    }
    for (int k = 0; s->fit.count < 4 && k < s->spans; k++)
        for (int end = 0; end < 2; end++) {
            spline_weights w;
            cord__spline_basis(s, k, end, &w);
            add_square(s, a, k, 4, w.dd, smoothness);
        }
}

static bool is_sparse(const spline *s)
{
    double last = 0;
    for (int i = 0; i < s->fit.count; i++) {
        double at = s->vertex[i].span + s->vertex[i].u;
        if (at - last > far_apart) return true;
        last = at;
    }
    return s->spans - last > far_apart;
}

bool cord__spline_fit_prepare(spline *s)
{
    s->fit.sparse = is_sparse(s);
    double *a = s->fit.factor;
    int n = unknowns(s), half = half_width(s);
    memset(a, 0, (size_t)((half + 1) * n) * sizeof *a);
    for (int i = 0; i < s->fit.count; i++)
        add_square(s, a, s->vertex[i].span, 4, s->vertex[i].w.b, vertex_weight(s, i));
    add_smoothness(s, a);
    for (int j = 0; j < n; j++) {
        double *column = a + (half + 1) * j;
        if (!(column[0] > 0)) return false;
        double root = sqrt(column[0]);
        for (int k = 0; k <= half; k++) column[k] /= root;
        for (int k = 1; k <= half && j + k < n; k++)
            for (int i = k; i <= half; i++)
                a[(half + 1) * (j + k) + i - k] -= column[k] * column[i];
    }
    return true;
}

static void solve(const spline *s, double *b)
{
    const double *a = s->fit.factor;
    int n = unknowns(s), half = half_width(s);
    for (int j = 0; j < n; j++) {
        const double *column = a + (half + 1) * j;
        v3_scale(b + 3 * j, 1 / column[0], b + 3 * j);
        for (int k = 1; k <= half && j + k < n; k++)
            v3_axpy(b + 3 * (j + k), -column[k], b + 3 * j);
    }
    for (int j = n - 1; j >= 0; j--) {
        const double *column = a + (half + 1) * j;
        for (int k = 1; k <= half && j + k < n; k++)
            v3_axpy(b + 3 * j, -column[k], b + 3 * (j + k));
        v3_scale(b + 3 * j, 1 / column[0], b + 3 * j);
    }
}

/* rest += the residual of the data at the control points, in the order of the matrix. */
static void add_misses(const spline *s, const double *vertices, const double *points, double *rest)
{
    for (int i = 0; i < s->fit.count; i++) {
        const spline_location *at = s->vertex + i;
        double x[3], miss[3];
        spline_sum(x, at->w.b, points, at->span);
        v3_sub(miss, vertices + 3 * i, x);
        for (int j = 0; j < 4; j++)
            v3_axpy(rest + 3 * location_of(s, at->span + j), vertex_weight(s, i) * at->w.b[j],
                    miss);
    }
    for (int k = 0; k < jumps(s); k++) {
        double jump[5], x[3] = {0, 0, 0};
        if (!is_no_knot(s, k)) continue;
        jump_after(s, k, jump);
        for (int j = 0; j < 5; j++) v3_axpy(x, jump[j], points + 3 * (k + j));
        for (int j = 0; j < 5; j++) v3_axpy(rest + 3 * (k + j), -no_knot * jump[j], x);
    }
}

void cord__spline_fit_points(const spline *s, const double *vertices, double *points, double *work)
{
    double *rest = work;
    size_t bytes = (size_t)(3 * s->points) * sizeof *points;
    for (int i = 0; i < s->points; i++) v3_copy(points + 3 * i, vertices); /* less round-off */
    for (int pass = 0; pass < (s->fit.sparse ? 1 : PASSES); pass++) {
        memset(rest, 0, bytes);
        add_misses(s, vertices, points, rest);
        solve(s, rest);
        for (int i = 0; i < unknowns(s); i++)
            v3_add(points + 3 * i, points + 3 * i, rest + 3 * location_of(s, i));
        if (s->fit.closed) spline_repeat(s, points);
    }
}
