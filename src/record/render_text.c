/* Text: outlines of the font, filled with the exact coverage of every pixel. */
#include "record/render.h"
#include "record/render_font.h"

#include <math.h>
#include <string.h>

enum { BOX = 192 }; /* pixels: the largest glyph */
static const double largest_size = 120;

/* ---- coverage --------------------------------------------------------------------------------- */

/* Signed areas: of each pixel the change of coverage from its left neighbour, so that sums along rows are the coverage. */
typedef struct coverage {
    float change[BOX * BOX + 2];
} coverage;

static void add_change(coverage *c, int row, int column, float value)
{
    if (row >= 0 && row < BOX && column >= 0 && column < BOX)
        c->change[row * BOX + column] += value;
}

/* The part of a line within one row of pixels; `height` is positive downwards. */
static void add_in_row(coverage *c, int row, double x0, double x1, double height)
{
    double left = fmin(x0, x1), right = fmax(x0, x1);
    int first = (int)floor(left), last = (int)floor(right);
    if (first == last) {
        double inside = (x0 + x1) / 2 - first; /* to the left of the line */
        add_change(c, row, first, (float)(height * (1 - inside)));
        add_change(c, row, first + 1, (float)(height * inside));
        return;
    }
    /* Over the columns the line crosses: the mean of the part of a pixel that lies right of the line, and all of the
     * pixels left of it. */
    double width = right - left, before = 0;
    for (int column = first; column <= last + 1; column++) {
        double from = fmax(column - left, 0), to = fmin(column + 1 - left, width);
        double after = 1;
        if (column <= last)
            after =
                (from + (to - from) * (column + 1 - left) - (to * to - from * from) / 2) / width;
        add_change(c, row, column, (float)(height * (after - before)));
        before = after;
    }
}

static void add_line(coverage *c, double x0, double y0, double x1, double y1)
{
    if (y0 == y1) return;
    double sign = 1;
    if (y0 > y1) {
        double x = x0, y = y0;
        x0 = x1, y0 = y1, x1 = x, y1 = y, sign = -1;
    }
    double slope = (x1 - x0) / (y1 - y0);
    for (int row = (int)floor(y0); row < y1; row++) {
        double top = fmax(y0, row), bottom = fmin(y1, row + 1);
        if (bottom > top)
            add_in_row(c, row, x0 + slope * (top - y0), x0 + slope * (bottom - y0),
                       sign * (bottom - top));
    }
}

static void add_curve(coverage *c, const double a[2], const double b[2], const double d[2])
{
    enum { PARTS = 6 };
    double x = a[0], y = a[1];
    for (int i = 1; i <= PARTS; i++) {
        double u = i / (double)PARTS, v = 1 - u;
        double nx = v * v * a[0] + 2 * u * v * b[0] + u * u * d[0];
        double ny = v * v * a[1] + 2 * u * v * b[1] + u * u * d[1];
        add_line(c, x, y, nx, ny);
        x = nx, y = ny;
    }
}

/* ---- glyphs ----------------------------------------------------------------------------------- */

typedef struct placement {
    double scale, x, y; /* pixels per unit; the origin in the box */
} placement;

static bool outline_point(const short *contour, int count, int i, const placement *p, double out[2])
{
    const short *at = contour + 2 * (i % count);
    int x = at[0];
    out[0] = p->x + p->scale * ((x - (x & 1)) / 2);
    out[1] = p->y - p->scale * at[1];
    return x & 1;
}

/* Between two control points lies a point of the curve, in their middle. */
static void fill_contour(coverage *c, const short *contour, int count, const placement *p)
{
    double start[2], control[2], next[2], at[2];
    int first = 0;
    while (first < count && !outline_point(contour, count, first, p, start)) first++;
    memcpy(at, start, sizeof at);
    bool curved = false;
    for (int i = 1; i <= count; i++) {
        bool on = outline_point(contour, count, first + i, p, next);
        if (on && !curved) {
            add_line(c, at[0], at[1], next[0], next[1]);
        } else if (curved) {
            const double middle[2] = {(control[0] + next[0]) / 2, (control[1] + next[1]) / 2};
            const double *end = on ? next : middle;
            add_curve(c, at, control, end);
            memcpy(at, end, sizeof at);
        }
        if (on) memcpy(at, next, sizeof at);
        curved = !on;
        if (curved) memcpy(control, next, sizeof control);
    }
}

static const font_glyph *find_glyph(int code)
{
    const font_glyph *question = NULL;
    for (const font_glyph *g = cord__font_glyphs; g->code; g++) {
        if (g->code == code) return g;
        if (g->code == '?') question = g;
    }
    return question;
}

/* The next code point of UTF-8; bytes that are none are question marks. */
static int next_code(const char **text)
{
    const unsigned char *s = (const unsigned char *)*text;
    int more = s[0] >= 0xf0 ? 3 : s[0] >= 0xe0 ? 2 : s[0] >= 0xc0 ? 1 : 0;
    int code = more == 3 ? s[0] & 7 : more == 2 ? s[0] & 15 : more == 1 ? s[0] & 31 : s[0];
    for (int k = 1; k <= more; k++) {
        if ((s[k] & 0xc0) != 0x80) {
            *text += k;
            return '?';
        }
        code = code << 6 | (s[k] & 63);
    }
    *text += 1 + more;
    return s[0] >= 0x80 && more == 0 ? '?' : code;
}

/* ---- text ------------------------------------------------------------------------------------- */

double cord__text_width(double size, const char *text)
{
    double width = 0;
    while (*text) width += find_glyph(next_code(&text))->advance;
    return width * fmin(size, largest_size) / cord__font_em;
}

void cord__blend_pixel(unsigned char *pixel, const unsigned char colour[4], float cover)
{
    float over = cover * (float)colour[3] / 255, under = (float)pixel[3] / 255 * (1 - over);
    float alpha = over + under;
    for (int k = 0; k < 3 && alpha > 0; k++)
        pixel[k] =
            (unsigned char)(((float)colour[k] * over + (float)pixel[k] * under) / alpha + 0.5F);
    pixel[3] = (unsigned char)(255 * alpha + 0.5F);
}

static void blend_box(unsigned char *rgba, int width, int height, int left, int top,
                      const coverage *c, const unsigned char colour[4])
{
    for (int j = 0; j < BOX; j++) {
        float sum = 0;
        for (int i = 0; i < BOX; i++) {
            sum += c->change[j * BOX + i];
            int x = left + i, y = top + j;
            float cover = fabsf(sum);
            if (cover < 1 / 512.0F || x < 0 || y < 0 || x >= width || y >= height) continue;
            cord__blend_pixel(rgba + 4 * ((size_t)y * (size_t)width + (size_t)x), colour,
                              cover < 1 ? cover : 1);
        }
    }
}

void cord__draw_text(unsigned char *rgba, int width, int height, int x, int y, double size,
                     const unsigned char colour[4], const char *text)
{
    static const double ascent = 0.93; /* of its size, to the top of the box */
    double scale = fmin(size, largest_size) / cord__font_em, at = x;
    while (*text) {
        const font_glyph *g = find_glyph(next_code(&text));
        int left = (int)floor(at) - 2;
        placement p = {scale, at - left, ascent * fmin(size, largest_size)};
        coverage c = {{0}};
        for (const short *o = cord__font_outlines + g->outline; *o; o += 1 + 2 * *o)
            fill_contour(&c, o + 1, *o, &p);
        blend_box(rgba, width, height, left, y, &c, colour);
        at += scale * g->advance;
    }
}
