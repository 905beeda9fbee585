/* Plots as inline SVG: axes with round ticks, linear or logarithmic, lines and markers, a legend.
 * Colours come from the page's style sheet (plot_css), so that a plot follows light and dark. */
#ifndef CORDAGE_VALIDATION_PLOT_H
#define CORDAGE_VALIDATION_PLOT_H

#include <stdbool.h>
#include <stdio.h>

typedef enum plot_style {
    PLOT_LINE,
    PLOT_DASHED, /* for expected values */
    PLOT_MARKERS,
    PLOT_BOTH, /* line with markers */
} plot_style;

typedef struct plot_series {
    const char *label; /* NULL: not in the legend */
    int count;
    const double *x,
        *y; /* points that are not finite, or not positive on a log axis, are skipped */
    plot_style style;
} plot_series;

typedef struct plot {
    const char *title, *x_label, *y_label;
    bool log_x, log_y;
    int series_count;
    const plot_series *series;
} plot;

void plot_svg(FILE *out, const plot *p);
/* A stand-alone SVG file with its style. */
void plot_file(FILE *out, const plot *p);

/* The style sheet the SVG needs, for the page's <style>. */
extern const char plot_css[];

#endif
