/* The smooth curve through the vertices of a polygon. At every vertex it has the first and second
 * derivatives of the parabola through the vertex and its neighbours, over natural lengths; along an
 * edge it blends the two parabolas with the weight 3f² − 2f³, whose derivative vanishes at both
 * ends. It is C², linear in the vertices, and interpolates them. */
#include "strand/smooth_curve.h"
#include "math/vec3.h"

#include <math.h>
#include <string.h>

/* Weights of three vertices, at lengths 0, a and a + b, in the parabola through them at x, and in its first two
 * derivatives. */
static void parabola(double a, double b, double x, double w[3][3])
{
    const double at[3] = {0, a, a + b};
    for (int i = 0; i < 3; i++) {
        double u = at[(i + 1) % 3], v = at[(i + 2) % 3], c = 1 / ((at[i] - u) * (at[i] - v));
        w[0][i] = c * (x - u) * (x - v);
        w[1][i] = c * (2 * x - u - v);
        w[2][i] = 2 * c;
    }
}

/* w = (1 − β) p + β r and its derivatives, by Leibniz; p and r are parabolas. */
static void blend(const double beta[4], double p[3][3], int of_p, double r[3][3], int of_r,
                  double weight[4][4])
{
    static const int choose[4][4] = {{1}, {1, 1}, {1, 2, 1}, {1, 3, 3, 1}};
    for (int k = 0; k < 4; k++)
        for (int m = 0; m <= k && m < 3; m++)
            for (int i = 0; i < 3; i++) {
                double b = choose[k][m] * beta[k - m];
                weight[k][of_p + i] += (m == k ? choose[k][m] * p[m][i] : 0) - b * p[m][i];
                weight[k][of_r + i] += b * r[m][i];
            }
}

/* Along an edge, from the parabola at its start to that at its end; at an end of the strand there
 * is only one. */
void cord__smooth_weights(const smooth_curve *c, int edge, double along, int vertex[4],
                          double weight[4][4])
{
    double l = c->rest[edge], f = along / l, start[3][3], end[3][3];
    double before = c->rest[(edge - 1 + c->edges) % c->edges],
           after = c->rest[(edge + 1) % c->edges];
    bool first = edge > 0 || c->closed, last = edge + 2 < c->n || c->closed;
    double beta[4] = {(3 - 2 * f) * f * f, 6 * f * (1 - f) / l, (6 - 12 * f) / (l * l),
                      -12 / (l * l * l)};
    memset(weight, 0, 4 * sizeof *weight);
    for (int k = 0; k < 4; k++) {
        bool there = c->closed || (edge - 1 + k >= 0 && edge - 1 + k < c->n);
        vertex[k] = there ? (edge - 1 + k + c->n) % c->n : -1;
    }
    if (c->edges == 1) { /* a straight line */
        weight[0][1] = 1 - f, weight[0][2] = f;
        weight[1][1] = -1 / l, weight[1][2] = 1 / l;
        return;
    }
    if (first) parabola(before, l, before + along, start);
    if (last) parabola(l, after, along, end);
    if (!first) memset(beta, 0, sizeof beta), beta[0] = 1;
    if (!last) memset(beta, 0, sizeof beta);
    blend(beta, first ? start : end, first ? 0 : 1, last ? end : start, last ? 1 : 0, weight);
}

void cord__smooth_jacobian(double weight[4][4], const double *const x[4], const int column[4],
                           sliding_jacobian *j)
{
    double *out[4] = {j->value, j->r_s, j->r_ss, j->r_sss};
    double *by_column[3] = {j->J, j->J_s, j->J_ss};
    for (int k = 0; k < 4; k++) v3_set(out[k], 0, 0, 0);
    for (int k = 0; k < 3 && by_column[k]; k++)
        memset(by_column[k], 0, (size_t)(3 * j->dofs) * sizeof **by_column);
    if (j->tangent_spin) memset(j->tangent_spin, 0, (size_t)j->dofs * sizeof *j->tangent_spin);
    for (int i = 0; i < 4; i++) {
        if (!x[i]) continue;
        for (int k = 0; k < 4; k++) v3_axpy(out[k], weight[k][i], x[i]);
        for (int k = 0; k < 3 && by_column[k]; k++)
            for (int axis = 0; axis < 3; axis++)
                by_column[k][3 * (column[i] + axis) + axis] = weight[k][i];
    }
}

/* ((x₂ − x₁)/l₁ − (x₁ − x₀)/l₀)/(l₀ + l₁), x₁ being `vertex` */
static void second_difference(const smooth_curve *c, const double *x, int stride, int vertex,
                              double out[3])
{
    const int last = vertex > 0 ? vertex - 1 : c->n - 1, next = vertex + 1 < c->n ? vertex + 1 : 0;
    const double a = c->rest[last], b = c->rest[vertex], sum = a + b;
    double back[3], ahead[3];
    v3_sub(back, x + stride * vertex, x + stride * last);
    v3_sub(ahead, x + stride * next, x + stride * vertex);
    v3_combine(out, 1 / (b * sum), ahead, -1 / (a * sum), back);
}

/* At an end of the strand there is only one parabola; a single edge is straight. */
void cord__smooth_edge(const smooth_curve *c, const double *x, int stride, int edge,
                       smooth_edge *out)
{
    const int end = edge + 1 < c->n ? edge + 1 : 0;
    const bool first = edge > 0 || c->closed, last = edge + 2 < c->n || c->closed;
    out->length = c->rest[edge];
    v3_copy(out->start, x + stride * edge);
    v3_sub(out->slope, x + stride * end, x + stride * edge);
    v3_scale(out->slope, 1 / out->length, out->slope);
    memset(out->difference, 0, sizeof out->difference);
    if (first) second_difference(c, x, stride, edge, out->difference[0]);
    if (last) second_difference(c, x, stride, end, out->difference[1]);
    if (!first) v3_copy(out->difference[0], out->difference[1]);
    if (!last) v3_copy(out->difference[1], out->difference[0]);
}

void cord__smooth_point(const smooth_edge *e, double along, double r[3], double r_s[3],
                        double r_ss[3])
{
    const double l = e->length, f = along / l, product = along * (l - along);
    const double beta = (3 - 2 * f) * f * f, beta_s = 6 * f * (1 - f) / l,
                 beta_ss = (6 - 12 * f) / (l * l);
    for (int k = 0; k < 3; k++) {
        const double change = e->difference[1][k] - e->difference[0][k];
        const double g = e->difference[0][k] + beta * change;
        const double g_s = beta_s * change, g_ss = beta_ss * change;
        r[k] = e->start[k] + along * e->slope[k] - product * g;
        r_s[k] = e->slope[k] - (l - 2 * along) * g - product * g_s;
        r_ss[k] = 2 * g - 2 * (l - 2 * along) * g_s - product * g_ss;
    }
}

double cord__smooth_bulge(const smooth_edge *e)
{
    const double square = fmax(v3_dot(e->difference[0], e->difference[0]),
                               v3_dot(e->difference[1], e->difference[1]));
    return 0.25 * e->length * e->length * sqrt(square);
}
