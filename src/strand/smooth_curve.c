/* The smooth curve through the vertices of a polygon. At every vertex it has the first and second
 * derivatives of the parabola through the vertex and its neighbours, over natural lengths; along an
 * edge it blends the two parabolas with the weight 3f² − 2f³, whose derivative vanishes at both
 * ends. It is C², linear in the vertices, and interpolates them. */
#include "strand/smooth_curve.h"
#include "math/vec3.h"

#include <math.h>
#include <string.h>

/* Weights of three of four vertices, from the `first` on, at lengths 0, a and a + b, in the parabola through them at x, and in
 * its first two derivatives. */
static void parabola(double a, double b, double x, int first, double w[3][4])
{
    const double at[3] = {0, a, a + b};
    for (int k = 0; k < 3; k++) w[k][first ? 0 : 3] = 0;
    for (int i = 0; i < 3; i++) {
        double u = at[(i + 1) % 3], v = at[(i + 2) % 3], c = 1 / ((at[i] - u) * (at[i] - v));
        w[0][first + i] = c * (x - u) * (x - v);
        w[1][first + i] = c * (2 * x - u - v);
        w[2][first + i] = 2 * c;
    }
}

/* w = (1 − β) p + β r and its derivatives, by Leibniz; p and r are parabolas, over four vertices. */
static void blend(const double beta[4], double p[3][4], double r[3][4], double weight[4][4])
{
    static const int choose[4][4] = {{1}, {1, 1}, {1, 2, 1}, {1, 3, 3, 1}};
    for (int k = 0; k < 4; k++)
        for (int m = 0; m <= k && m < 3; m++) {
            const double b = choose[k][m] * beta[k - m], own = m == k ? 1 : 0;
            for (int i = 0; i < 4; i++) {
                weight[k][i] += b * r[m][i];
                weight[k][i] += own * p[m][i] - b * p[m][i];
            }
        }
}

/* Along an edge, from the parabola at its start to that at its end; at an end of the strand there
 * is only one. */
void cord__smooth_weights(const smooth_curve *c, int edge, double along, int vertex[4],
                          double weight[4][4])
{
    double l = c->rest[edge], f = along / l, start[3][4], end[3][4];
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
    if (first) parabola(before, l, before + along, 0, start);
    if (last) parabola(l, after, along, 1, end);
    if (!first) memset(beta, 0, sizeof beta), beta[0] = 1;
    if (!last) memset(beta, 0, sizeof beta);
    blend(beta, first ? start : end, last ? end : start, weight);
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
void cord__smooth_segments(const smooth_curve *c, const double *x, int stride, const double *arc,
                           double radius, contact_segment *out)
{
    double start[3] = {0}, end[3];
    if (c->closed)
        second_difference(c, x, stride, 0, start);
    else if (c->edges > 1)
        second_difference(c, x, stride, 1, start);
    for (int j = 0; j < c->edges; j++, out++) {
        const int after = j + 1 < c->n ? j + 1 : 0;
        const double l = c->rest[j];
        if (c->closed || j + 2 < c->n)
            second_difference(c, x, stride, after, end);
        else
            v3_copy(end, start);
        v3_copy(out->x[0], x + stride * j);
        v3_copy(out->x[1], x + stride * after);
        v3_copy(out->difference[0], start);
        v3_copy(out->difference[1], end);
        out->s[0] = arc[j];
        out->s[1] = arc[j + 1];
        out->radius = radius;
        out->bulge = 0.25 * l * l * sqrt(fmax(v3_dot(start, start), v3_dot(end, end)));
        v3_copy(start, end);
    }
}

void cord__smooth_point(const smooth_curve *c, const double *x, int stride, int edge, double along,
                        double r[3], double r_s[3], double r_ss[3])
{
    int vertex[4];
    double weight[4][4], *out[3] = {r, r_s, r_ss};
    cord__smooth_weights(c, edge, along, vertex, weight);
    for (int k = 0; k < 3; k++) {
        v3_set(out[k], 0, 0, 0);
        for (int i = 0; i < 4; i++)
            if (vertex[i] >= 0) v3_axpy(out[k], weight[k][i], x + stride * vertex[i]);
    }
}
