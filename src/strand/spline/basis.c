/* Cubic B-splines over unit spans: Cox and de Boor's recursion, and Gauss's rules. */
#include "strand/spline/spline.h"

/* Knot i of the basis: 0, 1, …, spans, continued evenly (free ends) or repeated (clamped). The span k
 * is between knots k + 3 and k + 4 of it. */
static double knot(const spline *s, int i)
{
    int k = i - 3;
    if (s->clamped) k = k < 0 ? 0 : k > s->spans ? s->spans : k;
    return k;
}

/* One row of differences: the derivative of a spline of degree `degree` with control points c
 * (degree + 1 of them matter in the span) has the control points
 * degree (c_{j+1} − c_j)/(t_{j+degree+1} − t_{j+1}). Each c is a row of weights of x. */
static void differences(const spline *s, int span, int degree, double c[4][4])
{
    for (int j = 0; j < degree; j++) {
        int first = span + 3 - degree + 1 + j;
        double width = knot(s, first + degree) - knot(s, first);
        for (int i = 0; i < 4; i++) c[j][i] = degree * (c[j + 1][i] - c[j][i]) / width;
    }
}

static void combine(const double *N, int count, double c[4][4], double *w)
{
    for (int i = 0; i < 4; i++) {
        w[i] = 0;
        for (int j = 0; j < count; j++) w[i] += N[j] * c[j][i];
    }
}

void cord__spline_basis(const spline *s, int span, double u, spline_weights *w)
{
    double N[4][4] = {{1}}, left[4], right[4];
    double x = span + u;
    for (int degree = 1; degree <= 3; degree++) {
        left[degree] = x - knot(s, span + 4 - degree);
        right[degree] = knot(s, span + 3 + degree) - x;
        double saved = 0;
        for (int r = 0; r < degree; r++) {
            double part = N[degree - 1][r] / (right[r + 1] + left[degree - r]);
            N[degree][r] = saved + right[r + 1] * part;
            saved = left[degree - r] * part;
        }
        N[degree][degree] = saved;
    }
    double c[4][4] = {{1, 0, 0, 0}, {0, 1, 0, 0}, {0, 0, 1, 0}, {0, 0, 0, 1}};
    combine(N[3], 4, c, w->b);
    differences(s, span, 3, c);
    combine(N[2], 3, c, w->d);
    differences(s, span, 2, c);
    combine(N[1], 2, c, w->dd);
    differences(s, span, 1, c);
    combine(N[0], 1, c, w->ddd);
}

void cord__spline_span_basis(const spline *s, int span, double u, spline_weights *w)
{
    for (int j = 0; j < 4; j++) {
        const double *c = s->polynomials[span].power[j];
        w->b[j] = c[0] + u * (c[1] + u * (c[2] + u * c[3]));
        w->d[j] = c[1] + u * (2 * c[2] + u * 3 * c[3]);
        w->dd[j] = 2 * c[2] + u * 6 * c[3];
        w->ddd[j] = 6 * c[3];
    }
}

void cord__spline_rule(int points, const double **u, const double **weight)
{
    static const double u3[3] = {0.1127016653792583, 0.5, 0.8872983346207417};
    static const double w3[3] = {0.2777777777777778, 0.4444444444444444, 0.2777777777777778};
    static const double u4[4] = {0.0694318442029737, 0.3300094782075719, 0.6699905217924281,
                                 0.9305681557970263};
    static const double w4[4] = {0.1739274225687269, 0.3260725774312731, 0.3260725774312731,
                                 0.1739274225687269};
    *u = points == 3 ? u3 : u4;
    *weight = points == 3 ? w3 : w4;
}
