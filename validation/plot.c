#include "validation/plot.h"

#include "math/markup.h"
#include <math.h>

/* The drawing, in SVG units. */
enum { WIDTH = 680, HEIGHT = 400, LEFT = 84, RIGHT = 24, TOP = 40, BOTTOM = 56, COLOURS = 8 };

const char plot_css[] =
    "svg.plot{max-width:100%;height:auto;display:block;margin:1rem 0;font:13px "
    "system-ui,sans-serif}\n"
    "svg.plot text{fill:var(--ink)}\n"
    "svg.plot .title{font-weight:600;font-size:14px}\n"
    "svg.plot .grid{stroke:var(--line);stroke-width:1}\n"
    "svg.plot .frame{fill:none;stroke:var(--soft);stroke-width:1}\n"
    "svg.plot .key{fill:var(--paper);fill-opacity:.85;stroke:var(--line)}\n"
    "svg.plot polyline{fill:none;stroke-width:1.8;stroke-linejoin:round}\n"
    "svg.plot .dashed{stroke-dasharray:6 4}\n"
    "svg.plot circle{stroke:none}\n"
    ":root{--c0:#1f6fb2;--c1:#c8501e;--c2:#2c8c4a;--c3:#8a4fb0;--c4:#b08900;--c5:#c23b6b;"
    "--c6:#2a8f98;--c7:#666}\n"
    "@media(prefers-color-scheme:dark){:root{--c0:#6db3f2;--c1:#f5946a;--c2:#74cf8f;--c3:#c79bea;"
    "--c4:#e6c34a;--c5:#f286ab;--c6:#6fd3dc;--c7:#aaa}}\n";

typedef struct axis {
    bool log;
    double low, high; /* in axis units: the value, or its decimal logarithm */
    double from, to;  /* in SVG units */
} axis;

static bool drawable(const axis *a, double value)
{
    return isfinite(value) && (!a->log || value > 0);
}

static double scaled(const axis *a, double value)
{
    return a->log ? log10(value) : value;
}

static double place(const axis *a, double value)
{
    double fraction = (scaled(a, value) - a->low) / (a->high - a->low);
    return a->from + fraction * (a->to - a->from);
}

static void include_value(axis *a, double value)
{
    if (!drawable(a, value)) return;
    double u = scaled(a, value);
    if (u < a->low) a->low = u;
    if (u > a->high) a->high = u;
}

/* 1, 2 or 5 times a power of ten, about a `parts`-th of the range. */
static double round_step(double range, double parts)
{
    double rough = range / parts, power = pow(10, floor(log10(rough))), lead = rough / power;
    return power * (lead < 1.5 ? 1 : lead < 3.5 ? 2 : lead < 7.5 ? 5 : 10);
}

static axis fit_axis(const plot *p, bool vertical)
{
    axis a = {.log = vertical ? p->log_y : p->log_x, .low = INFINITY, .high = -INFINITY};
    a.from = vertical ? HEIGHT - BOTTOM : LEFT;
    a.to = vertical ? TOP : WIDTH - RIGHT;
    for (int i = 0; i < p->series_count; i++)
        for (int k = 0; k < p->series[i].count; k++)
            include_value(&a, vertical ? p->series[i].y[k] : p->series[i].x[k]);
    if (a.low > a.high) a.low = 0, a.high = 1; /* no points: an empty frame */
    /* A constant gets a margin of its magnitude, or of one unit about zero. */
    double range = a.high - a.low;
    if (range <= 1e-12 * fmax(fabs(a.low), fabs(a.high))) {
        double room = a.log || a.low == 0 ? 1 : fabs(a.low);
        a.low -= room / 2, a.high += room / 2, range = room;
    }
    a.low -= 0.04 * range, a.high += 0.04 * range;
    return a;
}

static void tick(FILE *out, const axis *a, bool vertical, double value, const char *text)
{
    double at = place(a, value);
    if (vertical) {
        fprintf(out, "<line class=\"grid\" x1=\"%d\" x2=\"%d\" y1=\"%.1f\" y2=\"%.1f\"/>", LEFT,
                WIDTH - RIGHT, at, at);
        fprintf(out, "<text x=\"%d\" y=\"%.1f\" text-anchor=\"end\">%s</text>\n", LEFT - 8, at + 4,
                text);
    } else {
        fprintf(out, "<line class=\"grid\" x1=\"%.1f\" x2=\"%.1f\" y1=\"%d\" y2=\"%d\"/>", at, at,
                TOP, HEIGHT - BOTTOM);
        fprintf(out, "<text x=\"%.1f\" y=\"%d\" text-anchor=\"middle\">%s</text>\n", at,
                HEIGHT - BOTTOM + 18, text);
    }
}

static void linear_ticks(FILE *out, const axis *a, bool vertical)
{
    double step = round_step(a->high - a->low, vertical ? 6 : 8);
    for (double k = ceil(a->low / step); k * step <= a->high; k++) {
        char text[32];
        snprintf(text, sizeof text, "%.6g", k == 0 ? 0.0 : k * step);
        tick(out, a, vertical, k * step, text);
    }
}

/* Powers of ten, thinned to at most eight; within less than a decade and a half also multiples. */
static void log_ticks(FILE *out, const axis *a, bool vertical)
{
    int first = (int)floor(a->low), last = (int)ceil(a->high);
    int stride = (last - first + 7) / 8;
    const double span = a->high - a->low;
    static const double fine[] = {1, 2, 5}, finer[] = {1, 1.5, 2, 3, 4, 5, 7};
    const double *leads = span < 0.8 ? finer : fine;
    const int multiples = span < 0.8 ? 7 : span < 1.5 ? 3 : 1;
    for (int d = first; d <= last; d += stride < 1 ? 1 : stride) {
        for (int k = 0; k < multiples; k++) {
            double u = d + log10(leads[k]);
            if (u < a->low || u > a->high) continue;
            char text[80], lead[16] = "";
            if (k > 0) snprintf(lead, sizeof lead, "%g·", leads[k]);
            if (d >= -2 && d <= 3)
                snprintf(text, sizeof text, "%g", leads[k] * pow(10, d));
            else
                snprintf(text, sizeof text, "%s10<tspan dy=\"-5\" font-size=\"10\">%d</tspan>",
                         lead, d);
            tick(out, a, vertical, leads[k] * pow(10, d), text);
        }
    }
}

static void draw_axes(FILE *out, const plot *p, const axis *x, const axis *y)
{
    (x->log ? log_ticks : linear_ticks)(out, x, false);
    (y->log ? log_ticks : linear_ticks)(out, y, true);
    fprintf(out, "<rect class=\"frame\" x=\"%d\" y=\"%d\" width=\"%d\" height=\"%d\"/>\n", LEFT,
            TOP, WIDTH - LEFT - RIGHT, HEIGHT - TOP - BOTTOM);
    fprintf(out, "<text x=\"%d\" y=\"%d\" text-anchor=\"middle\">", (LEFT + WIDTH - RIGHT) / 2,
            HEIGHT - 14);
    cord__markup_put(out, p->x_label);
    fprintf(out,
            "</text>\n<text transform=\"translate(18 %d) rotate(-90)\" text-anchor=\"middle\">",
            (TOP + HEIGHT - BOTTOM) / 2);
    cord__markup_put(out, p->y_label);
    fprintf(out, "</text>\n<text class=\"title\" x=\"%d\" y=\"24\">", LEFT);
    cord__markup_put(out, p->title);
    fputs("</text>\n", out);
}

static void draw_line(FILE *out, const plot_series *s, const axis *x, const axis *y, int colour)
{
    fprintf(out, "<polyline%s style=\"stroke:var(--c%d)\" points=\"",
            s->style == PLOT_DASHED ? " class=\"dashed\"" : "", colour);
    for (int k = 0; k < s->count; k++)
        if (drawable(x, s->x[k]) && drawable(y, s->y[k]))
            fprintf(out, "%.2f,%.2f ", place(x, s->x[k]), place(y, s->y[k]));
    fputs("\"/>\n", out);
}

static void draw_markers(FILE *out, const plot_series *s, const axis *x, const axis *y, int colour)
{
    fprintf(out, "<g style=\"fill:var(--c%d)\">", colour);
    for (int k = 0; k < s->count; k++)
        if (drawable(x, s->x[k]) && drawable(y, s->y[k]))
            fprintf(out, "<circle cx=\"%.2f\" cy=\"%.2f\" r=\"3\"/>", place(x, s->x[k]),
                    place(y, s->y[k]));
    fputs("</g>\n", out);
}

static void draw_series(FILE *out, const plot_series *s, const axis *x, const axis *y, int colour)
{
    if (s->style != PLOT_MARKERS) draw_line(out, s, x, y, colour);
    if (s->style == PLOT_MARKERS || s->style == PLOT_BOTH) draw_markers(out, s, x, y, colour);
}

/* How much of the series the legend would hide in the given place: points, and eight samples along
 * each line between them. */
static int hidden_by(const plot *p, const axis *x, const axis *y, double left, double top,
                     double width, double height)
{
    int count = 0;
    for (int i = 0; i < p->series_count; i++) {
        const plot_series *s = &p->series[i];
        double u0 = NAN, v0 = NAN;
        for (int k = 0; k < s->count; k++) {
            if (!drawable(x, s->x[k]) || !drawable(y, s->y[k])) continue;
            double u1 = place(x, s->x[k]) - left, v1 = place(y, s->y[k]) - top;
            int first = s->style == PLOT_MARKERS || isnan(u0) ? 8 : 1;
            for (int part = first; part <= 8; part++) {
                double w = part / 8.0, u = part == 8 ? u1 : u0 + w * (u1 - u0),
                       v = part == 8 ? v1 : v0 + w * (v1 - v0);
                count += u >= 0 && u <= width && v >= 0 && v <= height;
            }
            u0 = u1, v0 = v1;
        }
    }
    return count;
}

static void draw_legend(FILE *out, const plot *p, const axis *x, const axis *y)
{
    int lines = 0, longest = 0;
    for (int i = 0; i < p->series_count; i++) {
        if (p->series[i].label == NULL) continue;
        int length = 0;
        for (const char *c = p->series[i].label; *c; c++)
            length += ((unsigned char)*c & 0xC0) != 0x80;
        if (length > longest) longest = length;
        lines++;
    }
    if (lines == 0) return;
    double width = 46 + 7.6 * longest, height = 10 + 18.0 * lines;
    /* The corners first, then places between them; of equal ones the first. */
    static const double across[] = {1, 0, 0.5}, down[] = {0, 1, 0.5, 0.25, 0.75};
    double left = 0, top = 0;
    int best = -1;
    for (int part = 0; part < 2; part++)
        for (int i = 0; i < 5; i++)
            for (int k = 0; k < 3; k++) {
                if ((i < 2 && k < 2) != (part == 0)) continue;
                double l = LEFT + 8 + across[k] * (WIDTH - LEFT - RIGHT - width - 16);
                double t = TOP + 8 + down[i] * (HEIGHT - TOP - BOTTOM - height - 16);
                int hidden = hidden_by(p, x, y, l, t, width, height);
                if (best < 0 || hidden < best) best = hidden, left = l, top = t;
            }
    fprintf(out, "<rect class=\"key\" x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%.1f\"/>\n",
            left, top, width, height);
    double line = top + 19;
    for (int i = 0; i < p->series_count; i++) {
        const plot_series *s = &p->series[i];
        if (s->label == NULL) continue;
        if (s->style != PLOT_MARKERS)
            fprintf(out, "<polyline%s style=\"stroke:var(--c%d)\" points=\"%.1f,%.1f %.1f,%.1f\"/>",
                    s->style == PLOT_DASHED ? " class=\"dashed\"" : "", i % COLOURS, left + 8,
                    line - 4, left + 32, line - 4);
        if (s->style == PLOT_MARKERS || s->style == PLOT_BOTH)
            fprintf(out, "<circle style=\"fill:var(--c%d)\" cx=\"%.1f\" cy=\"%.1f\" r=\"3\"/>",
                    i % COLOURS, left + 20, line - 4);
        fprintf(out, "<text x=\"%.1f\" y=\"%.1f\">", left + 38, line);
        cord__markup_put(out, s->label);
        fputs("</text>\n", out);
        line += 18;
    }
}

static void draw(FILE *out, const plot *p)
{
    axis x = fit_axis(p, false), y = fit_axis(p, true);
    draw_axes(out, p, &x, &y);
    for (int i = 0; i < p->series_count; i++) draw_series(out, &p->series[i], &x, &y, i % COLOURS);
    draw_legend(out, p, &x, &y);
    fputs("</svg>\n", out);
}

void plot_svg(FILE *out, const plot *p)
{
    fprintf(out,
            "<svg class=\"plot\" viewBox=\"0 0 %d %d\" width=\"%d\" role=\"img\" aria-label=\"",
            WIDTH, HEIGHT, WIDTH);
    cord__markup_put(out, p->title);
    fputs("\">\n", out);
    draw(out, p);
}

void plot_file(FILE *out, const plot *p)
{
    fprintf(out,
            "<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"plot\" viewBox=\"0 0 %d %d\" "
            "width=\"%d\" height=\"%d\">\n<style>\n"
            ":root{--paper:#fff;--ink:#1c1c1e;--soft:#777;--line:#e2e2e2}\n"
            "@media(prefers-color-scheme:dark){:root{--paper:#16171a;--ink:#e8e8ea;--soft:#9a9aa0;"
            "--line:#33353a}}\n%s</style>\n"
            "<rect width=\"100%%\" height=\"100%%\" style=\"fill:var(--paper)\"/>\n",
            WIDTH, HEIGHT, WIDTH, HEIGHT, plot_css);
    draw(out, p);
}
