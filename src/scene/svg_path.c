#include "scene/point_list.h"
#include "scene/units.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#define PI 3.14159265358979323846

enum { CHORDS = 64 }; /* of one curve */

typedef struct path {
    const char *text, *p, *end;
    point_list *list;
    bool closed;
    double now[2], start[2], handle[2]; /* handle: the last control point, for S and T */
    char last;                          /* the last command, in upper case */
    char *error;
    size_t error_size;
} path;

bool cord__point_add(point_list *list, double x, double y, double z)
{
    if (list->count == list->capacity) {
        int capacity = list->capacity ? 2 * list->capacity : 256;
        double *more = TAKE(list->memory, double, 3 * (size_t)capacity);
        if (!more || list->count >= POINT_LIST_MAX) return false;
        if (list->count) memcpy(more, list->x, 3 * (size_t)list->count * sizeof *more);
        list->x = more;
        list->capacity = capacity;
    }
    double *to = list->x + 3 * (size_t)list->count++;
    to[0] = x;
    to[1] = y;
    to[2] = z;
    return true;
}

/* ---- numbers ------------------------------------------------------------------------------ */

static void skip_gap(path *s)
{
    while (s->p < s->end && (isspace((unsigned char)*s->p) || *s->p == ',')) s->p++;
}

static bool wrong(path *s, const char *what)
{
    snprintf(s->error, s->error_size, "%s, at character %ld of the path", what,
             (long)(s->p - s->text) + 1);
    return false;
}

/* A repeated command needs no letter: a number follows. */
static bool number_follows(path *s)
{
    skip_gap(s);
    return s->p < s->end && (isdigit((unsigned char)*s->p) || strchr("+-.", *s->p));
}

static bool number(path *s, double *value)
{
    skip_gap(s);
    if (s->p >= s->end || !cord__parse_number(&s->p, value) || !isfinite(*value)) {
        return wrong(s, "a number is missing");
    }
    return true;
}

/* Flags of arcs may be written without separators: "a1 1 0 0110 10". */
static bool flag(path *s, bool *value)
{
    skip_gap(s);
    if (s->p >= s->end || (*s->p != '0' && *s->p != '1')) return wrong(s, "0 or 1 is missing");
    *value = *s->p++ == '1';
    return true;
}

static bool pair(path *s, bool relative, double *x)
{
    if (!number(s, &x[0]) || !number(s, &x[1])) return false;
    if (relative) x[0] += s->now[0], x[1] += s->now[1];
    return true;
}

/* ---- drawing ------------------------------------------------------------------------------ */

static bool line_to(path *s, double x, double y)
{
    s->now[0] = x;
    s->now[1] = y;
    if (s->list->count) {
        const double *last = s->list->x + 3 * (size_t)(s->list->count - 1);
        if (last[0] == x && last[1] == y) return true; /* zero length */
    }
    return cord__point_add(s->list, x, y, 0) || wrong(s, "the path has too many points");
}

static bool cubic_to(path *s, const double *a, const double *b, const double *c)
{
    double from[2] = {s->now[0], s->now[1]};
    for (int i = 1; i <= CHORDS; i++) {
        double t = (double)i / CHORDS, u = 1 - t, x[2];
        for (int k = 0; k < 2; k++) {
            x[k] = u * u * u * from[k] + 3 * u * u * t * a[k] + 3 * u * t * t * b[k] +
                   t * t * t * c[k];
        }
        if (i == CHORDS) x[0] = c[0], x[1] = c[1];
        if (!line_to(s, x[0], x[1])) return false;
    }
    return true;
}

static bool quadratic_to(path *s, const double *a, const double *b)
{
    double first[2], second[2];
    for (int k = 0; k < 2; k++) {
        first[k] = s->now[k] + 2 * (a[k] - s->now[k]) / 3;
        second[k] = b[k] + 2 * (a[k] - b[k]) / 3;
    }
    return cubic_to(s, first, second, b);
}

static double angle_between(double ux, double uy, double vx, double vy)
{
    return atan2(ux * vy - uy * vx, ux * vx + uy * vy);
}

/* From end points to the centre [SVG 1.1, appendix F.6.5]. */
static bool arc_to(path *s, double rx, double ry, double turn, bool large, bool sweep,
                   const double *to)
{
    double c = cos(turn), d = sin(turn), hx = (s->now[0] - to[0]) / 2, hy = (s->now[1] - to[1]) / 2;
    double x = c * hx + d * hy, y = -d * hx + c * hy;
    rx = fabs(rx);
    ry = fabs(ry);
    if (rx == 0 || ry == 0 || (hx == 0 && hy == 0)) return line_to(s, to[0], to[1]);
    double fit = x * x / (rx * rx) + y * y / (ry * ry);
    if (fit > 1) rx *= sqrt(fit), ry *= sqrt(fit); /* too small: scaled up to reach both points */
    double over = rx * rx * y * y + ry * ry * x * x, room = rx * rx * ry * ry - over;
    double scale = (large == sweep ? -1 : 1) * sqrt(fmax(room, 0) / over);
    double cx = scale * rx * y / ry, cy = -scale * ry * x / rx;
    double mx = c * cx - d * cy + (s->now[0] + to[0]) / 2;
    double my = d * cx + c * cy + (s->now[1] + to[1]) / 2;
    double first = angle_between(1, 0, (x - cx) / rx, (y - cy) / ry);
    double sweeps = angle_between((x - cx) / rx, (y - cy) / ry, (-x - cx) / rx, (-y - cy) / ry);
    if (sweep && sweeps < 0) sweeps += 2 * PI;
    if (!sweep && sweeps > 0) sweeps -= 2 * PI;
    for (int i = 1; i < CHORDS; i++) {
        double a = first + sweeps * i / CHORDS, ex = rx * cos(a), ey = ry * sin(a);
        if (!line_to(s, mx + c * ex - d * ey, my + d * ex + c * ey)) return false;
    }
    return line_to(s, to[0], to[1]);
}

/* ---- commands ----------------------------------------------------------------------------- */

/* The first control point of S and T: the last control point of the curve before, reflected. */
static void mirrored(const path *s, const char *after, double *x)
{
    bool follows = s->last && strchr(after, s->last);
    for (int k = 0; k < 2; k++) x[k] = follows ? 2 * s->now[k] - s->handle[k] : s->now[k];
}

static void keep_handle(path *s, const double *x)
{
    s->handle[0] = x[0];
    s->handle[1] = x[1];
}

static bool move(path *s, bool relative)
{
    double x[2];
    if (!pair(s, relative, x)) return false;
    if (s->list->count) return wrong(s, "the path has several parts; a strand is one");
    s->start[0] = x[0];
    s->start[1] = x[1];
    return line_to(s, x[0], x[1]);
}

static bool draw_line(path *s, bool relative)
{
    double x[2];
    return pair(s, relative, x) && line_to(s, x[0], x[1]);
}

static bool draw_horizontal(path *s, bool relative)
{
    double x;
    return number(s, &x) && line_to(s, relative ? s->now[0] + x : x, s->now[1]);
}

static bool draw_vertical(path *s, bool relative)
{
    double y;
    return number(s, &y) && line_to(s, s->now[0], relative ? s->now[1] + y : y);
}

static bool draw_cubic(path *s, bool relative)
{
    double a[2], b[2], c[2];
    if (!pair(s, relative, a) || !pair(s, relative, b) || !pair(s, relative, c)) return false;
    keep_handle(s, b);
    return cubic_to(s, a, b, c);
}

static bool draw_smooth_cubic(path *s, bool relative)
{
    double a[2], b[2], c[2];
    mirrored(s, "CS", a);
    if (!pair(s, relative, b) || !pair(s, relative, c)) return false;
    keep_handle(s, b);
    return cubic_to(s, a, b, c);
}

static bool draw_quadratic(path *s, bool relative)
{
    double a[2], b[2];
    if (!pair(s, relative, a) || !pair(s, relative, b)) return false;
    keep_handle(s, a);
    return quadratic_to(s, a, b);
}

static bool draw_smooth_quadratic(path *s, bool relative)
{
    double a[2], b[2];
    mirrored(s, "QT", a);
    if (!pair(s, relative, b)) return false;
    keep_handle(s, a);
    return quadratic_to(s, a, b);
}

static bool draw_arc(path *s, bool relative)
{
    double rx, ry, degrees, to[2];
    bool large, sweep;
    return number(s, &rx) && number(s, &ry) && number(s, &degrees) && flag(s, &large) &&
           flag(s, &sweep) && pair(s, relative, to) &&
           arc_to(s, rx, ry, degrees * PI / 180, large, sweep, to);
}

static const struct {
    char letter;
    bool (*draw)(path *s, bool relative);
} commands[] = {{'M', move},
                {'L', draw_line},
                {'H', draw_horizontal},
                {'V', draw_vertical},
                {'C', draw_cubic},
                {'S', draw_smooth_cubic},
                {'Q', draw_quadratic},
                {'T', draw_smooth_quadratic},
                {'A', draw_arc}};

static bool close_path(path *s)
{
    const double *x = s->list->x, *last = x + 3 * (size_t)(s->list->count - 1);
    if (s->list->count > 1 && last[0] == x[0] && last[1] == x[1]) s->list->count--;
    s->closed = true;
    skip_gap(s);
    return s->p == s->end || wrong(s, "the path goes on after it is closed");
}

static bool run_command(path *s, char letter)
{
    bool relative = islower((unsigned char)letter) != 0;
    char upper = (char)toupper((unsigned char)letter);
    for (size_t i = 0; i < sizeof commands / sizeof commands[0]; i++) {
        if (commands[i].letter != upper) continue;
        if (!commands[i].draw(s, relative)) return false;
        s->last = upper;
        size_t again = upper == 'M' ? 1 : i; /* further coordinates after M are lines */
        while (number_follows(s)) {
            if (!commands[again].draw(s, relative)) return false;
        }
        return true;
    }
    return wrong(s, "not a command of SVG paths");
}

bool cord__svg_path(const char *d, size_t length, point_list *list, bool *closed, char *error,
                    size_t error_size)
{
    path s = {.text = d,
              .p = d,
              .end = d + length,
              .list = list,
              .error = error,
              .error_size = error_size};
    bool good = true;
    for (skip_gap(&s); good && s.p < s.end && !s.closed; skip_gap(&s)) {
        char letter = *s.p++;
        if (list->count == 0 && letter != 'M' && letter != 'm') {
            good = wrong(&s, "a path begins with M");
        } else if (letter == 'Z' || letter == 'z') {
            good = close_path(&s);
        } else {
            good = run_command(&s, letter);
        }
    }
    *closed = s.closed;
    if (good && list->count == 0) good = wrong(&s, "the path is empty");
    return good;
}
