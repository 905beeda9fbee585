/* The background: the sky, and a ground with a grid and shadows, row by row. The camera never leans to a side: along
 * a row all rays fall as steeply, and the ground is crossed in equal steps. */
#include "record/render_frame.h"

#include "math/vec3.h"

/* How much of a pixel of size `footprint` at x the grid's lines cover, in one direction. */
static float grid_cover(float x, float grid, float line, float footprint)
{
    float away = fabsf(x / grid - rintf(x / grid)) * grid, cover = line + footprint / 2 - away;
    return cover > 0 ? cover < footprint ? cover / footprint : 1 : 0;
}

typedef struct ground_row {
    double start[2], step[2]; /* on the ground, of the first pixel and between pixels */
    float line, footprint, faint;
} ground_row;

/* False where the row shows no ground. */
static bool meet_ground(const frame *f, int y, int x0, ground_row *r)
{
    double ray[3], next[3];
    if (!f->has_ground) return false;
    cord__camera_ray(&f->camera, (double[2]){x0 + 0.5, y + 0.5}, ray);
    cord__camera_ray(&f->camera, (double[2]){x0 + 1.5, y + 0.5}, next);
    if (ray[2] >= 0) return false;
    double distance = (f->ground - f->camera.eye[2]) / ray[2], pixel = distance / f->camera.scale;
    for (int k = 0; k < 2; k++) {
        r->start[k] = f->camera.eye[k] + distance * ray[k];
        r->step[k] = distance * (next[k] - ray[k]);
    }
    double footprint = pixel / fmax(-ray[2] / v3_norm(ray), 0.2);
    r->line = (float)(0.45 * pixel), r->footprint = (float)footprint;
    r->faint = 1 - smooth_step(0.05F, 0.3F, (float)(footprint / f->grid));
    return true;
}

static float grid_at(const frame *f, const ground_row *r, const double x[2])
{
    if (r->faint <= 0) return 0;
    float grid = (float)f->grid, cover[2];
    for (int k = 0; k < 2; k++) {
        float within = (float)(x[k] - f->grid * floor(x[k] / f->grid));
        cover[k] = grid_cover(within, grid, r->line, r->footprint);
    }
    return r->faint * (cover[0] > cover[1] ? cover[0] : cover[1]);
}

/* The light that is kept from the ground at x, 0 to 1. */
static float ground_shadow(const frame *f, const double x[2])
{
    float key = cord__cover_at(&f->ground_map.key, x), sky = cord__cover_at(&f->ground_map.sky, x);
    return 1 - (1 - 0.46F * key) * (1 - 0.60F * sky);
}

void cord__background_row(const frame *f, int y, int x0, int count, float (*out)[4])
{
    const theme_colours *t = &f->theme;
    bool clear = f->def->theme == CORD_THEME_TRANSPARENT;
    float down = ((float)y + 0.5F) / (float)f->def->height, sky[3];
    ground_row r = {0};
    for (int k = 0; k < 3; k++) sky[k] = clear ? 0 : t->top[k] + down * (t->bottom[k] - t->top[k]);
    bool ground = meet_ground(f, y, x0, &r);
    for (int i = 0; i < count; i++) {
        float *c = out[i];
        for (int k = 0; k < 3; k++) c[k] = sky[k];
        c[3] = clear ? 0 : 1;
        if (!ground) continue;
        const double x[2] = {r.start[0] + i * r.step[0], r.start[1] + i * r.step[1]};
        float dx = (float)((x[0] - f->centre[0]) / f->reach);
        float dy = (float)((x[1] - f->centre[1]) / f->reach);
        float away2 = dx * dx + dy * dy;
        if (away2 >= 5 * 5) continue;
        float there = 1 - smooth_step(1.2F, 5, sqrtf(away2)), shadow = there * ground_shadow(f, x);
        if (clear) {
            c[3] = 0.75F * shadow;
            continue;
        }
        float line = grid_at(f, &r, x);
        for (int k = 0; k < 3; k++) {
            float g = t->ground[k] + line * (t->line[k] - t->ground[k]);
            c[k] = (sky[k] + there * (g - sky[k])) * (1 - shadow);
        }
    }
}
