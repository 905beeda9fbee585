/* Labels over a picture: the scale, the directions of the axes, and the colour scale. */
#include "record/render_frame.h"

#include "math/vec3.h"

#include <stdio.h>

/* A length with the unit that suits it. */
static void write_length(char *text, size_t size, double metres)
{
    if (metres >= 1) {
        snprintf(text, size, "%g m", metres);
    } else if (metres >= 0.01) {
        snprintf(text, size, "%g cm", 100 * metres);
    } else if (metres >= 1e-3) {
        snprintf(text, size, "%g mm", 1000 * metres);
    } else {
        snprintf(text, size, "%g \xC2\xB5m", 1e6 * metres);
    }
}

static void draw_bar(const frame *f, unsigned char *rgba, int x, int y, int width, int height)
{
    for (int j = y; j < y + height; j++) {
        for (int i = x; i < x + width; i++) {
            float c[3], opaque[4] = {0, 0, 0, 1};
            if (i < 0 || j < 0 || i >= f->def->width || j >= f->def->height) continue;
            cord__colour_map(f->style.diverging, (i - x + 0.5) / width, c);
            for (int k = 0; k < 3; k++) opaque[k] = c[k];
            cord__write_pixel(f, rgba + 4 * ((size_t)j * (size_t)f->def->width + (size_t)i),
                              opaque);
        }
    }
}

/* Mixes a colour over a pixel. */
static void blend(const frame *f, unsigned char *rgba, int x, int y, const unsigned char colour[4],
                  double cover)
{
    if (x < 0 || y < 0 || x >= f->def->width || y >= f->def->height || cover <= 0) return;
    cord__blend_pixel(rgba + 4 * ((size_t)y * (size_t)f->def->width + (size_t)x), colour,
                      (float)fmin(cover, 1));
}

/* A line of some width, with soft edges. */
static void draw_line(const frame *f, unsigned char *rgba, const double a[2], const double b[2],
                      double width, const unsigned char colour[4])
{
    double d[2] = {b[0] - a[0], b[1] - a[1]}, dd = d[0] * d[0] + d[1] * d[1];
    int x0 = (int)(fmin(a[0], b[0]) - width), x1 = (int)(fmax(a[0], b[0]) + width + 1);
    int y0 = (int)(fmin(a[1], b[1]) - width), y1 = (int)(fmax(a[1], b[1]) + width + 1);
    for (int y = y0; y <= y1; y++)
        for (int x = x0; x <= x1; x++) {
            double p[2] = {x + 0.5 - a[0], y + 0.5 - a[1]};
            double u = dd > 0 ? fmin(fmax((p[0] * d[0] + p[1] * d[1]) / dd, 0), 1) : 0;
            double away = hypot(p[0] - u * d[0], p[1] - u * d[1]);
            blend(f, rgba, x, y, colour, width / 2 + 0.5 - away);
        }
}

/* The axes of the world as they are seen, the ones behind first. Returns the columns they take. */
static double draw_axes(const frame *f, unsigned char *rgba, double left, double bottom, int size)
{
    static const unsigned char colours[3][4] = {
        {200, 72, 62, 255}, {66, 145, 84, 255}, {62, 116, 196, 255}};
    static const char *const names[3] = {"x", "y", "z"};
    double length = 1.7 * size, middle[2] = {left + length, bottom - length};
    for (int pass = 0; pass < 2; pass++)
        for (int k = 0; k < 3; k++) {
            bool behind = f->camera.forward[k] > 0;
            if (behind != (pass == 0)) continue;
            double to[2] = {middle[0] + length * f->camera.right[k],
                            middle[1] - length * f->camera.up[k]};
            double name[2] = {middle[0] + 1.28 * length * f->camera.right[k],
                              middle[1] - 1.28 * length * f->camera.up[k]};
            draw_line(f, rgba, middle, to, size / 8.0, colours[k]);
            if (hypot(to[0] - middle[0], to[1] - middle[1]) < 0.3 * length) continue;
            double width = cord__text_width(0.85 * size, names[k]);
            cord__draw_text(rgba, f->def->width, f->def->height, (int)(name[0] - width / 2),
                            (int)(name[1] - 0.5 * size), 0.85 * size, colours[k], names[k]);
        }
    return 2.6 * length;
}

/* As long as a square of the grid in the middle of the scene. */
static void draw_scale(const frame *f, unsigned char *rgba, double left, double baseline, int size)
{
    char text[48];
    double pixels = f->grid / f->style.pixel, high = 0.28 * size;
    if (!(pixels < 0.4 * f->def->width) || f->def->theme == CORD_THEME_TRANSPARENT) return;
    const double a[2] = {left, baseline}, b[2] = {left + pixels, baseline};
    const unsigned char *ink = f->theme.ink;
    draw_line(f, rgba, a, b, size / 9.0, ink);
    for (int k = 0; k < 2; k++) {
        const double *x = k ? b : a;
        draw_line(f, rgba, (double[2]){x[0], x[1] - high}, (double[2]){x[0], x[1] + high},
                  size / 9.0, ink);
    }
    write_length(text, sizeof text, f->grid);
    double width = cord__text_width(size, text);
    cord__draw_text(rgba, f->def->width, f->def->height, (int)(left + (pixels - width) / 2),
                    (int)(baseline - 1.45 * size), size, ink, text);
}

static void draw_colours(const frame *f, unsigned char *rgba, int gap, int size)
{
    const cord_picture_def *d = f->def;
    const unsigned char *ink = f->theme.ink;
    const scalar_info *shown = &cord__scalars[colour_scalar(d->colour_by)];
    char text[48];
    int width = 11 * size, left = d->width - gap - width, bottom = d->height - gap;
    int numbers = bottom - size, bar = numbers - size;
    draw_bar(f, rgba, left, bar, width, (int)(0.6 * size));
    snprintf(text, sizeof text, "%s, %s", shown->name, shown->unit);
    cord__draw_text(rgba, d->width, d->height, left, (int)(bar - 1.4 * size), size, ink, text);
    snprintf(text, sizeof text, "%.3g", f->style.range[0]);
    cord__draw_text(rgba, d->width, d->height, left, numbers, size, ink, text);
    snprintf(text, sizeof text, "%.3g", f->style.range[1]);
    int right = d->width - gap - (int)cord__text_width(size, text);
    cord__draw_text(rgba, d->width, d->height, right, numbers, size, ink, text);
}

void cord__draw_legend(const frame *f, unsigned char *rgba)
{
    const cord_picture_def *d = f->def;
    int size = (int)fmax(9, round(fmin(d->height, 0.75 * d->width) / 45.0)), gap = size;
    double axes = draw_axes(f, rgba, gap, d->height - gap, size);
    draw_scale(f, rgba, gap + axes + size, d->height - 1.5 * gap, size);
    if (d->colour_by != CORD_COLOUR_STRAND) draw_colours(f, rgba, gap, size);
}
