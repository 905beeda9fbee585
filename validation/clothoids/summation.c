/* Summation of the series [SSC 2013, sec. 6]: cancellation, and the size of the terms. */
#include "curve/darboux_piecewise.h"
#include "validation/baselines/darboux_series.h"
#include "validation/clothoids/clothoids.h"
#include "validation/clothoids/reference.h"
#include <math.h>

static const double identity[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1};

/* A curled element: case E of the references. */
static const double curled_start[3] = {10, 50, -30}, curled_end[3] = {-15, -40, 60};
static const double curled_length = 2;

enum { LENGTHS = 24, TERMS = 160 };

void check_naive_summation(validation *v)
{
    curvature k = reference_curvature(curled_start, curled_end, curled_length);
    double angle[LENGTHS], naive[LENGTHS], paper[LENGTHS], ours[LENGTHS];
    double first_wrong = INFINITY, worst_paper = 0, worst_ours = 0;
    for (int i = 0; i < LENGTHS; i++) {
        double u = curled_length * (i + 1) / LENGTHS, R[9], r[3], exact_R[9], exact_r[3];
        angle[i] = reference_angle(&k, u);
        reference_darboux(&k, u, exact_R, exact_r);
        cord__darboux_piecewise_at(&k, u, identity, INFINITY, DARBOUX_SERIES_PRECISION, R, r);
        naive[i] = reference_error(R, r, exact_R, exact_r);
        cord__darboux_piecewise_at(&k, u, identity, DARBOUX_SERIES_LIMIT, DARBOUX_SERIES_PRECISION,
                                   R, r);
        paper[i] = reference_error(R, r, exact_R, exact_r);
        cord__darboux_at(&k, u, identity, R, r);
        ours[i] = reference_error(R, r, exact_R, exact_r);
        if (naive[i] > 0.01 && angle[i] < first_wrong) first_wrong = angle[i];
        worst_paper = fmax(worst_paper, paper[i]), worst_ours = fmax(worst_ours, ours[i]);
    }
    const char *name = "curled element";
    validation_row_below(v, name, validation_text(v, "naive error, %.3g rad", angle[0]), naive[0],
                         1e-12);
    validation_row_above(v, name, validation_text(v, "naive error, %.3g rad", angle[LENGTHS - 1]),
                         naive[LENGTHS - 1], 1);
    validation_row_below(v, name, "rad until naive error > 0.01", first_wrong, 50);
    validation_row_below(v, name, "largest error, piecewise", worst_paper, 1e-13);
    validation_row_below(v, name, "largest error, about the middle", worst_ours, 1e-13);
    plot_series s[] = {{"one summation", LENGTHS, angle, naive, PLOT_BOTH},
                       {"piecewise, M = 10", LENGTHS, angle, paper, PLOT_BOTH},
                       {"about the middle", LENGTHS, angle, ours, PLOT_BOTH}};
    validation_plot(v, &(plot){"Error of the frame and place at the end of a curled element",
                               "radians turned", "error", false, true, 3, s});
}

/* log(top)/log(bound) of a helix whose three components are equal, 26 rad: the bound is nearest there,
 * since it takes the largest component for the size of the vector, twice. */
static double equal_components(void)
{
    curvature k = {{30, 30, 30}, {0, 0, 0}};
    double sizes[TERMS], top = 0;
    cord__darboux_term_sizes(&k, 0.5, TERMS, sizes);
    for (int n = 0; n < TERMS; n++) top = fmax(top, sizes[n]);
    return log(top) / log(cord__darboux_term_bound(&k, 0.5));
}

/* For lengths up to about 30 rad: the sizes, and the maximum of each with its bound. */
void check_term_sizes(validation *v)
{
    enum { SHOWN = 6 };
    double sizes[SHOWN][TERMS];
    curvature k = reference_curvature(curled_start, curled_end, curled_length);
    double index[TERMS], length[LENGTHS], top[LENGTHS], bound[LENGTHS], worst = 0;
    plot_series hillocks[SHOWN];
    for (int n = 0; n < TERMS; n++) index[n] = n;
    for (int i = 0; i < LENGTHS; i++) {
        double *row = sizes[i * SHOWN / LENGTHS]; /* the last of each four is plotted */
        length[i] = 0.5 * (i + 1) / LENGTHS, top[i] = 0;
        cord__darboux_term_sizes(&k, length[i], TERMS, row);
        for (int n = 0; n < TERMS; n++) {
            top[i] = fmax(top[i], row[n]);
            if (row[n] < 1e-20) row[n] = NAN; /* not shown */
        }
        bound[i] = cord__darboux_term_bound(&k, length[i]);
        worst = fmax(worst, top[i] / bound[i]);
        if (i % (LENGTHS / SHOWN) == LENGTHS / SHOWN - 1)
            hillocks[i * SHOWN / LENGTHS] = (plot_series){validation_text(v, "s = %.3g", length[i]),
                                                          160, index, row, PLOT_LINE};
    }
    validation_row_below(v, "curled element", "largest term over bound (12)", worst, 1);
    validation_row_above(v, "curled element", "top of the hillock at s = 0.5", top[LENGTHS - 1],
                         1e6);
    validation_row_above(v, "curled element", "log(top)/log(bound) at s = 0.5",
                         log(top[LENGTHS - 1]) / log(bound[LENGTHS - 1]), 0.4);
    validation_row_above(v, "equal components", "log(top)/log(bound)", equal_components(), 0.8);
    validation_plot(v, &(plot){"Sizes of the terms of the series", "n", "‖Rₙ(s)‖∞", false, true,
                               SHOWN, hillocks});
    plot_series tops[] = {{"largest term", LENGTHS, length, top, PLOT_BOTH},
                          {"bound (12)", LENGTHS, length, bound, PLOT_DASHED}};
    validation_plot(
        v, &(plot){"Top of the hillock against length", "s", "size", false, true, 2, tops});
}
