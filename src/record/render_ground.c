/* The background: the sky, and a ground with a grid and shadows, row by row. The camera never leans to a side: along
 * a row all rays fall as steeply, and the ground is crossed in equal steps. */
#include "record/render_frame.h"

#include "math/multiversion.h"
#include "math/vec3.h"

#include <string.h>

static cover_row meet_cover(const cover_map *m, const ground_row *r)
{
    return (cover_row){m, (float)((r->start[0] - m->origin[0]) / m->texel),
                       (float)((r->start[1] - m->origin[1]) / m->texel),
                       (float)(r->step[0] / m->texel), (float)(r->step[1] / m->texel)};
}

ground_row cord__ground_row(const frame *f, int y)
{
    const theme_colours *t = &f->theme;
    bool clear = f->def->theme == CORD_THEME_TRANSPARENT;
    float down = ((float)y + 0.5F) / (float)f->def->height;
    double ray[3], next[3];
    ground_row r = {0};
    for (int k = 0; k < 3; k++)
        r.sky[k] = clear ? 0 : t->top[k] + down * (t->bottom[k] - t->top[k]);
    r.sky[3] = clear ? 0 : 1;
    cord__camera_ray(&f->camera, (double[2]){0.5, y + 0.5}, ray);
    cord__camera_ray(&f->camera, (double[2]){1.5, y + 0.5}, next);
    r.meets = f->has_ground && ray[2] < 0;
    if (!r.meets) return r;
    double distance = (f->ground - f->camera.eye[2]) / ray[2], pixel = distance / f->camera.scale;
    for (int k = 0; k < 2; k++) {
        r.start[k] = f->camera.eye[k] + distance * ray[k];
        r.step[k] = distance * (next[k] - ray[k]);
    }
    double footprint = pixel / fmax(-ray[2] / v3_norm(ray), 0.2);
    r.per_grid = 1 / f->grid;
    r.line = (float)(0.45 * pixel), r.footprint = (float)footprint;
    r.faint = 1 - smooth_step(0.05F, 0.3F, (float)(footprint / f->grid));
    r.key = meet_cover(&f->ground_map->key, &r), r.above = meet_cover(&f->ground_map->sky, &r);
    return r;
}

/* How much of the pixel the grid's lines cover. */
static float grid_at(const frame *f, const ground_row *r, const double x[2])
{
    if (r->faint <= 0) return 0;
    float cover[2];
    for (int k = 0; k < 2; k++) {
        double squares = x[k] * r->per_grid;
        float away = fabsf((float)(squares - rint(squares))) * (float)f->grid;
        float part = r->line + 0.5F * r->footprint - away;
        cover[k] = part > 0 ? part < r->footprint ? part / r->footprint : 1 : 0;
    }
    return r->faint * (cover[0] > cover[1] ? cover[0] : cover[1]);
}

/* Between texels, linearly; nothing outside. */
static float cover_at(const cover_row *c, int i)
{
    float x = c->u + (float)i * c->du, y = c->v + (float)i * c->dv,
          last = (float)(c->map->size - 1);
    if (!(x >= 0 && y >= 0 && x < last && y < last)) return 0;
    int column = (int)x, row = (int)y, size = c->map->size;
    float u = x - (float)column, v = y - (float)row;
    const float *p = c->map->cover + (size_t)row * (size_t)size + (size_t)column, *q = p + size;
    return (1 - v) * ((1 - u) * p[0] + u * p[1]) + v * ((1 - u) * q[0] + u * q[1]);
}

/* The squares of the map that a run of pixels may touch along one axis; false: it is beyond the map. */
static bool squares_of(const cover_map *m, float start, float step, int first, int last,
                       int range[2])
{
    float a = start + (float)first * step, b = start + (float)last * step;
    float low = lesser(a, b), high = larger(a, b), end = (float)(m->size - 1);
    if (!(high >= 0 && low < end)) return false;
    range[0] = (int)larger(low, 0) / COVER_SQUARE;
    range[1] = (int)lesser(high + 1, end) / COVER_SQUARE; /* between texels */
    return true;
}

/* Whether one of the squares under a run of pixels is marked. */
static bool has_marked(const cover_row *c, const unsigned char *marks, int first, int last)
{
    const cover_map *m = c->map;
    int columns[2], rows[2], side = m->size / COVER_SQUARE;
    if (!squares_of(m, c->u, c->du, first, last, columns) ||
        !squares_of(m, c->v, c->dv, first, last, rows))
        return false;
    for (int y = rows[0]; y <= rows[1]; y++)
        for (int x = columns[0]; x <= columns[1]; x++)
            if (marks[y * side + x]) return true;
    return false;
}

static bool is_covered(const cover_row *c, int first, int last)
{
    return has_marked(c, c->map->covered, first, last);
}

bool cord__ground_changed(const ground_row *r, int first, int last)
{
    return r->meets && (has_marked(&r->key, r->key.map->changed, first, last) ||
                        has_marked(&r->above, r->above.map->changed, first, last));
}

/* Along a run of `count` pixels: at pixels at most a texel apart, and linearly between them. */
static void cover_run(const cover_row *c, int first, int count, float *out)
{
    float step = larger(fabsf(c->du), fabsf(c->dv));
    int stride = RUN_END;
    while (stride > 2 && (float)stride * step > 1) stride /= 2;
    out[0] = cover_at(c, first);
    for (int i = stride; i < count + stride; i += stride) {
        float *from = out + i - stride, slope;
        from[stride] = cover_at(c, first + i);
        slope = (from[stride] - from[0]) / (float)stride;
        for (int k = 1; k < stride; k++) from[k] = from[0] + (float)k * slope;
    }
}

bool cord__ground_shadows(const ground_row *r, int first, int last, float *out)
{
    if (!r->meets) return false;
    float above[TILE + RUN_END] = {0};
    int count = last - first + 1;
    bool sun = is_covered(&r->key, first, last), sky = is_covered(&r->above, first, last);
    if (!sun && !sky) return false;
    if (sun)
        cover_run(&r->key, first, count, out);
    else
        memset(out, 0, (size_t)count * sizeof *out);
    if (sky) cover_run(&r->above, first, count, above);
    for (int i = 0; i < count; i++) out[i] = 1 - (1 - 0.46F * out[i]) * (1 - 0.60F * above[i]);
    return true;
}

/* A shadow takes the part `dark` of the linear light l. In sRGB that is c = 1.055 l^(1/2.4) − 0.055 (nearly so in the darkest
 * 4 %), and (1 − dark)^(1/2.4) is t^(5/6) with t = √(1 − dark), by a cubic that is right to 2e-4 from t = 0.45 on. */
INLINE void darken_run(const float *dark, int count, unsigned char *rgba)
{
    float scale[4 * TILE];
    for (int i = 0; i < count; i++) {
        float s = sqrtf(1 - dark[i]) - 1,
              keep = 1 + s * (0.83362F + s * (-0.06398F + s * 0.04789F));
        scale[4 * i] = scale[4 * i + 1] = scale[4 * i + 2] = keep, scale[4 * i + 3] = 1;
    }
    for (int i = 0; i < 4 * count; i++)
        rgba[i] = (unsigned char)(int)(((float)rgba[i] + 14.025F) * scale[i] - 13.525F);
}
MULTIVERSION_AVX2(cord__darken, darken_run, (const float *dark, int count, unsigned char *rgba),
                  (dark, count, rgba))

/* The background at pixel i of the row without shadows, and the part of the ground in it. */
static float background_at(const frame *f, const ground_row *r, int i, float out[4])
{
    const theme_colours *t = &f->theme;
    memcpy(out, r->sky, sizeof r->sky);
    if (!r->meets) return 0;
    const double x[2] = {r->start[0] + i * r->step[0], r->start[1] + i * r->step[1]};
    float inverse = (float)(1 / f->reach);
    float dx = (float)(x[0] - f->centre[0]) * inverse, dy = (float)(x[1] - f->centre[1]) * inverse;
    float away2 = dx * dx + dy * dy;
    if (away2 >= 5 * 5) return 0;
    float part = away2 > 1.2F * 1.2F ? 1 - smooth_step(1.2F, 5, sqrtf(away2)) : 1;
    if (f->def->theme == CORD_THEME_TRANSPARENT) return part;
    float line = grid_at(f, r, x);
    for (int k = 0; k < 3; k++) {
        float g = t->ground[k] + line * (t->line[k] - t->ground[k]);
        out[k] += part * (g - out[k]);
    }
    return part;
}

void cord__backdrop(const frame *f, unsigned char *rgba, unsigned char *ground)
{
    int width = f->def->width;
#pragma omp parallel for num_threads(f->threads) schedule(dynamic, 8)
    for (int y = 0; y < f->def->height; y++)
        for (int x = 0; x < width; x++) {
            size_t pixel = (size_t)y * (size_t)width + (size_t)x;
            float c[4], part = background_at(f, &f->rows[y], x, c);
            cord__write_pixel(f, rgba + 4 * pixel, c);
            ground[pixel] = (unsigned char)(255 * part + 0.5F);
        }
}
