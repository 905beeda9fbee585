/* Inextensible splines: one constraint row per station, g = ½ w (x'·x'/s̄'² − 1), w the quadrature
 * weight of the station in the natural length. B = w x'/s̄'² over x', so λ is the compressive force
 * at natural length. */
#include "math/band.h"
#include "math/vec3.h"
#include "strand/spline/spline.h"

#include <stdlib.h>
#include <string.h>

static double row_scale(const spline_station *station)
{
    return station->weight / (station->speed * station->speed);
}

static double row_of(const spline_station *station, const double *p)
{
    return 0.5 * (row_scale(station) * v3_dot(p, p) - station->weight);
}

int cord__spline_row_dofs(const void *model, int row, int *dofs)
{
    const spline *s = model;
    int local[SPLINE_LOCAL];
    spline_local_dofs(s, s->station[row].span, local);
    for (int k = 0; k < 12; k++) dofs[k] = local[k];
    return 12;
}

void cord__spline_row_rates(const void *model, const double *cache, const double *side,
                            const double *v, double *rate)
{
    (void)side;
    const spline *s = model;
    const spline_stretch *stretch = spline_stretches(s, cache);
    for (int i = 0; i < spline_rows(s); i++) {
        double p[3];
        spline_sum_columns(s, p, s->station[i].d, v, s->station[i].span);
        rate[i] = row_scale(s->station + i) * v3_dot(stretch[i].p, p);
    }
}

double cord__spline_row_error(const void *model, const double *cache)
{
    const spline *s = model;
    const spline_stretch *stretch = spline_stretches(s, cache);
    double worst = 0;
    for (int i = 0; i < spline_rows(s); i++) {
        double ratio = 1 + stretch[i].strain, error = fabs(ratio * ratio - 1);
        if (!(error <= worst)) worst = error;
    }
    return worst;
}

/* g is quadratic, so its gradient at the midpoint is a discrete gradient. B = b w ⊗ p over the control points, and the second
 * derivative of the row is b w wᵀ of each coordinate. */
INLINE void assemble_row(const spline *s, const block_eval *in, const midpoint_step *step, int i,
                         double *force, double *g, double h[SPLINE_LOCAL][SPLINE_LOCAL],
                         local_matrix *matrix)
{
    const spline_station *station = s->station + i;
    const double *p = spline_stretches(s, in->cache)[i].p, *w = station->d;
    const double *end = step ? spline_stretches(s, step->end)[i].p : p;
    double b = row_scale(station), lambda = in->rows_only ? 0 : in->lambda[i], l = s->spacing;
    double stiffest = 12 * fmax(s->section.bending[0], s->section.bending[1]);
    double rho = in->c_a * s->section.mass * l + in->c_k / l * (stiffest / (l * l) + fabs(lambda));
    double B[12];
    g[i] = row_of(station, end);
    const double excess = in->row_start ? g[i] - in->row_start[i] : g[i];
    for (int c = 0; c < 12; c++) {
        B[c] = b * w[c / 3] * p[c % 3];
        force[c] += (rho * excess - lambda) * B[c];
    }
    if (!h) return;
    int column[SPLINE_LOCAL], row = s->position[spline_dofs(s) + i];
    spline_local_dofs(s, station->span, column);
    for (int c = 0; c < 12; c++) {
        int at = s->position[column[c]], behind = spline_behind(s, row, at);
        *matrix_entry(matrix, at, behind) += B[c];
    }
    for (int r = 0; r < 12; r++) {
        double scaled = rho * B[r];
        for (int c = 0; c < 12; c++) h[r][c] += scaled * B[c];
    }
    for (int j = 0; j < 4; j++)
        for (int k = 0; k < 4; k++) {
            double across = in->c_k * lambda * b * w[j] * w[k];
            for (int c = 0; c < 3; c++) h[3 * j + c][3 * k + c] -= across;
        }
}

MULTIVERSION_AVX2(cord__spline_assemble_row, assemble_row,
                  (const spline *s, const block_eval *in, const midpoint_step *step, int i,
                   double *force, double *g, double h[SPLINE_LOCAL][SPLINE_LOCAL],
                   local_matrix *matrix),
                  (s, in, step, i, force, g, h, matrix))

/* ---- the initial shape -------------------------------------------------------------------------- */

/* stations farther apart have no common control point, in the order of row_index() */
enum { REACH = 7 };

/* Where a station comes in the band. */
static int row_index(const spline *s, int i)
{
    return s->closed ? spline_fold(s->stations, i) : i;
}

/* Add (B Bᵀ)_ij, for the control points that i is `apart` before j by. */
static void add_shared(const spline *s, const double *p, int i, int j, int apart, double *a)
{
    const spline_station *from = s->station + i, *to = s->station + j;
    int row = row_index(s, i), col = row_index(s, j);
    double sum = 0;
    for (int k = apart; k < 4; k++) sum += from->d[k] * to->d[k - apart];
    sum *= row_scale(from) * row_scale(to) * v3_dot(p + 3 * i, p + 3 * j);
    a[(row < col ? row : col) * BAND_STRIDE(REACH) + abs(row - col)] += sum;
}

/* B Bᵀ, every pair once: a station with itself and with those after it. */
static void make_square(const spline *s, const double *p, double *a)
{
    int n = s->stations;
    memset(a, 0, band_size(n, REACH) * sizeof *a);
    for (int i = 0; i < n; i++)
        for (int k = 0; k < n; k++) {
            int j = i + k < n ? i + k : i + k - n;
            int apart = s->station[j].span - s->station[i].span;
            if (i + k >= n) apart += s->spans;
            if (apart > 3 || (i + k >= n && !s->closed)) break;
            add_shared(s, p, i, j, apart, a);
        }
}

/* The spline through a bent polyline of natural edge lengths is longer than the polyline: move the
 * control points by the least-norm correction until the rows are satisfied. Newton's method, dx =
 * −Bᵀ (B Bᵀ)⁻¹ g. */
cord_status cord__spline_make_natural_length(const spline *s, memory *m, double *x)
{
    int n = s->stations, negative;
    double *a = NEW(m, double, band_size(n, REACH));
    double *y = NEW(m, double, band_vector_size(n, REACH));
    double *p = NEW(m, double, 3 * n);
    cord_status status = a && y && p ? CORD_OK : CORD_ERROR_MEMORY;
    for (int pass = 0; status == CORD_OK && pass < 20; pass++) {
        double worst = 0;
        memset(y, 0, band_vector_size(n, REACH) * sizeof *y);
        for (int i = 0; i < n; i++) {
            spline_sum(p + 3 * i, s->station[i].d, x, s->station[i].span);
            y[row_index(s, i)] = row_of(s->station + i, p + 3 * i);
            worst = fmax(worst, fabs(y[row_index(s, i)]) / s->station[i].weight);
        }
        if (worst < 1e-14) break;
        make_square(s, p, a);
        if (cord__band_factor(n, REACH, 1, a, &negative) >= 0) break;
        cord__band_solve(n, REACH, 1, a, y);
        for (int i = 0; i < n; i++)
            for (int j = 0; j < 4; j++)
                v3_axpy(x + 3 * spline_round(s, s->station[i].span + j),
                        -y[row_index(s, i)] * row_scale(s->station + i) * s->station[i].d[j],
                        p + 3 * i);
        if (s->closed) spline_repeat(s, x);
    }
    cord__release(m, a);
    cord__release(m, y);
    cord__release(m, p);
    return status;
}
