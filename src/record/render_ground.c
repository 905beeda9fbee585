/* The background: the sky, and a ground with a grid and shadows, row by row. The camera never leans to a side: along
 * a row all rays fall as steeply, and the ground is crossed in equal steps. */
#include "record/render_frame.h"

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
    r.key = meet_cover(&f->ground_map.key, &r), r.above = meet_cover(&f->ground_map.sky, &r);
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

/* Whether a straight row of pixels may cross the map: not if both of its ends are beyond the same side. */
static bool may_cross(const cover_row *c, int first, int last)
{
    float end = (float)(c->map->size - 1), from = (float)first, to = (float)last;
    float x0 = c->u + from * c->du, x1 = c->u + to * c->du;
    float y0 = c->v + from * c->dv, y1 = c->v + to * c->dv;
    return fmaxf(x0, x1) >= 0 && fminf(x0, x1) < end && fmaxf(y0, y1) >= 0 && fminf(y0, y1) < end;
}

bool cord__may_be_shaded(const ground_row *r, int first, int last)
{
    return may_cross(&r->key, first, last) || may_cross(&r->above, first, last);
}

float cord__ground_shadow(const ground_row *r, int i)
{
    float key = cover_at(&r->key, i), above = cover_at(&r->above, i);
    return 1 - (1 - 0.46F * key) * (1 - 0.60F * above);
}

void cord__background(const frame *f, const ground_row *r, int i, float shadow, float out[4])
{
    const theme_colours *t = &f->theme;
    memcpy(out, r->sky, sizeof r->sky);
    if (!r->meets) return;
    const double x[2] = {r->start[0] + i * r->step[0], r->start[1] + i * r->step[1]};
    float inverse = (float)(1 / f->reach);
    float dx = (float)(x[0] - f->centre[0]) * inverse, dy = (float)(x[1] - f->centre[1]) * inverse;
    float away2 = dx * dx + dy * dy;
    if (away2 >= 5 * 5) return;
    float there = away2 > 1.2F * 1.2F ? 1 - smooth_step(1.2F, 5, sqrtf(away2)) : 1;
    if (f->def->theme == CORD_THEME_TRANSPARENT) {
        out[3] = 0.75F * there * shadow;
        return;
    }
    float line = grid_at(f, r, x), lit = 1 - there * shadow;
    for (int k = 0; k < 3; k++) {
        float g = t->ground[k] + line * (t->line[k] - t->ground[k]);
        out[k] = (out[k] + there * (g - out[k])) * lit;
    }
}

void cord__backdrop(const frame *f, unsigned char *rgba)
{
    int width = f->def->width;
#pragma omp parallel for num_threads(f->threads) schedule(dynamic, 8)
    for (int y = 0; y < f->def->height; y++) {
        ground_row r = cord__ground_row(f, y);
        for (int x = 0; x < width; x++) {
            float c[4];
            cord__background(f, &r, x, 0, c);
            cord__write_pixel(f, rgba + 4 * ((size_t)y * (size_t)width + (size_t)x), c);
        }
    }
}
