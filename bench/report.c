#include "bench/report.h"
#include "math/markup.h"
#include "validation/files.h"
#include "validation/page.h"
#include "validation/plot.h"

#include <cordage/cordage.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_POINTS = 32, NAME_SIZE = 64 };

/* A curve of the plot: sizes and costs. */
typedef struct curve {
    int count;
    double elements[MAX_POINTS], cost[MAX_POINTS];
} curve;

static void add_point(curve *c, double elements, double cost)
{
    if (c->count == MAX_POINTS) return;
    c->elements[c->count] = elements, c->cost[c->count++] = cost;
}

/* Earlier costs on the reference processor (bench/data/before.csv): rows `curve;elements;ns`. */
static void read_before(const char *name, curve *c)
{
    char path[FILE_PATH], line[256], curve_name[NAME_SIZE];
    double elements, cost;
    if (!file_find("bench/data", "before.csv", path)) return;
    FILE *in = fopen(path, "r");
    if (!in) return;
    while (fgets(line, sizeof line, in))
        if (sscanf(line, "%63[^;];%lf;%lf", curve_name, &elements, &cost) == 3 &&
            strcmp(curve_name, name) == 0)
            add_point(c, elements, cost);
    fclose(in);
}

static void write_curve(FILE *out, const bench_results *results, const char *name)
{
    curve now = {0}, before = {0};
    for (int i = 0; i < results->point_count; i++)
        if (strcmp(results->points[i].curve, name) == 0)
            add_point(&now, results->points[i].elements, results->points[i].cost);
    read_before(name, &before);
    plot_series series[] = {
        {"now", now.count, now.elements, now.cost, PLOT_BOTH},
        {"before vectorised kernels", before.count, before.elements, before.cost, PLOT_DASHED},
    };
    plot_svg(out, &(plot){.title = name,
                          .x_label = "elements",
                          .y_label = "ns per element and step",
                          .log_x = true,
                          .log_y = true,
                          .series_count = before.count ? 2 : 1,
                          .series = series});
}

static void write_curves(FILE *out, const bench_results *results)
{
    if (results->point_count == 0) return;
    fputs("<h2>Cost against size</h2>\n<p>Processor time per element and step, scaled to the "
          "reference "
          "processor.</p>\n",
          out);
    for (int i = 0; i < results->point_count; i++) {
        bool drawn = false;
        for (int k = 0; k < i && !drawn; k++)
            drawn = strcmp(results->points[k].curve, results->points[i].curve) == 0;
        if (!drawn) write_curve(out, results, results->points[i].curve);
    }
}

static void write_row(FILE *out, const row *r)
{
    fputs("<tr><td>", out);
    cord__markup_put(out, r->name);
    fputs("</td><td>", out);
    cord__markup_put(out, r->metric);
    fprintf(out, "</td><td class=\"n\">%.5g</td><td>", r->value);
    cord__markup_put(out, r->unit);
    fputs("</td>", out);
    if (r->has_bar)
        fprintf(out, "<td class=\"n\">%s%.4g</td><td class=\"%s\">%s</td>", r->at_least ? "≥ " : "",
                r->limit, bench_met(r) ? "good" : "bad", bench_met(r) ? "met" : "not met");
    else
        fputs("<td></td><td></td>", out);
    fputs("</tr>\n", out);
}

bool bench_write_report(const char *directory, const bench_results *results)
{
    FILE *out = page_open(directory, "speed");
    if (!out) return false;
    fprintf(
        out,
        "<h1>Speed of Cordage %s</h1>\n<p>This processor takes %.2f of the time of the reference "
        "processor in the calibration loop; limits of times are scaled by that.</p>\n",
        cord_version(), results->pace);
    write_curves(out, results);
    fputs(
        "<h2>Measurements</h2>\n<div class=\"scroll\"><table>\n<tr><th></th><th></th><th>value</th>"
        "<th></th><th>limit</th><th></th></tr>\n",
        out);
    for (int i = 0; i < results->row_count; i++) write_row(out, &results->rows[i]);
    fputs("</table></div>\n</html>\n", out);
    bool ok = !ferror(out);
    return fclose(out) == 0 && ok;
}
