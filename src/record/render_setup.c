/* What a picture is drawn with: the colours and the light of its theme, the range of its colour scale, the extent of what it shows,
 * the camera and the lengths that follow from them. */
#include "record/render_frame.h"

#include "math/vec3.h"

#include <float.h>
#include <string.h>

static void set_linear(float out[3], double r, double g, double b)
{
    out[0] = cord__to_linear((float)r), out[1] = cord__to_linear((float)g);
    out[2] = cord__to_linear((float)b);
}

static void set_floats(float out[3], double r, double g, double b)
{
    out[0] = (float)r, out[1] = (float)g, out[2] = (float)b;
}

/* The page has the same numbers (web/src/theme.js). */
static void choose_theme(frame *f)
{
    theme_colours *t = &f->theme;
    bool dark = f->def->theme == CORD_THEME_DARK;
    if (dark) {
        set_linear(t->top, 0.07, 0.08, 0.10);
        set_linear(t->bottom, 0.15, 0.165, 0.19);
        set_linear(t->ground, 0.20, 0.215, 0.24);
        set_linear(t->line, 0.27, 0.285, 0.31);
        set_floats(t->horizon, 0.34, 0.37, 0.42);
        set_floats(t->zenith, 0.10, 0.12, 0.16);
        set_floats(t->low, 0.05, 0.055, 0.06);
    } else {
        set_linear(t->top, 0.80, 0.85, 0.91);
        set_linear(t->bottom, 0.965, 0.97, 0.98);
        set_linear(t->ground, 0.955, 0.955, 0.95);
        set_linear(t->line, 0.875, 0.88, 0.885);
        set_floats(t->horizon, 0.95, 0.96, 0.98);
        set_floats(t->zenith, 0.50, 0.58, 0.70);
        set_floats(t->low, 0.42, 0.41, 0.40);
    }
    set_floats(t->key, 0.88, 0.85, 0.80);
    set_floats(t->sky, 0.44, 0.47, 0.52);
    set_floats(t->below, dark ? 0.16 : 0.25, dark ? 0.16 : 0.24, dark ? 0.16 : 0.22);
    t->least = dark ? 0.14F : 0;
    set_linear(t->stripe, 0.97, 0.95, 0.90);
    set_linear(t->marker, 0.42, 0.45, 0.49);
    memset(t->ink, dark ? 205 : 70, 3);
    t->ink[3] = 255;
}

static bool is_diverging(const cord_picture_def *def)
{
    return def->colour_by != CORD_COLOUR_STRAND &&
           cord__scalars[colour_scalar(def->colour_by)].has_sign;
}

/* A scale with a sign has zero in its middle; one without begins at zero. */
static void choose_range(frame *f)
{
    double *range = f->style.range;
    const double *given = f->def->range;
    range[0] = f->extent.range[0], range[1] = f->extent.range[1];
    f->style.diverging = is_diverging(f->def) && (range[0] < 0 || !isnan(given[0]));
    if (f->style.diverging) {
        range[1] = fmax(fabs(range[0]), fabs(range[1]));
        range[0] = -range[1];
    } else {
        range[0] = fmin(range[0], 0);
    }
    for (int k = 0; k < 2; k++) {
        if (!isnan(given[k])) range[k] = given[k];
    }
}

/* 1, 2 or 5 times a power of ten, at most x. */
static double round_down(double x)
{
    double power = pow(10, floor(log10(x))), lead = x / power;
    return power * (lead >= 5 ? 5 : lead >= 2 ? 2 : 1);
}

/* A ball around the farthest points. A camera within a scene much larger than what it sees has one of what is near the point that it
 * looks at: shadows elsewhere would take the maps' texels. */
static void choose_ball(frame *f)
{
    const picture_extent *e = &f->extent;
    v3_set(f->centre, 0, 0, 0);
    for (int i = 0; e->any && i < EXTENT_DIRECTIONS; i++) {
        v3_axpy(f->centre, 1.0 / EXTENT_DIRECTIONS, e->farthest[i]);
    }
    f->reach = 0.51 * cord__extent_size(e);
    for (int i = 0; e->any && i < EXTENT_DIRECTIONS; i++) {
        f->reach = fmax(f->reach, 1.02 * v3_distance(e->farthest[i], f->centre));
    }
    v3_copy(f->focus, f->def->view_given ? f->def->to : f->centre);
    double seen = 1.2 * v3_distance(f->def->from, f->def->to);
    if (!f->def->view_given || f->reach < seen) return;
    v3_copy(f->centre, f->focus);
    f->reach = seen;
}

/* The light: over the viewer's left shoulder. */
static void choose_light(frame *f)
{
    static const double ring[LIGHT_TAPS][2] = {{0.35, 0},    {0, 0.55},    {-0.7, 0},
                                               {0, -0.8},    {0.64, 0.64}, {-0.67, 0.67},
                                               {-0.5, -0.5}, {0.4, -0.4}};
    double ahead[3] = {f->camera.forward[0], f->camera.forward[1], 0};
    if (v3_norm(ahead) < 1e-3) v3_copy(ahead, f->camera.up);
    v3_normalize(ahead, ahead);
    v3_combine(f->light, -0.40, f->camera.right, -0.42, ahead);
    f->light[2] = 1;
    v3_normalize(f->light, f->light);
    for (int i = 0; i < SAMPLES * SAMPLES; i++) {
        double angle = 2 * M_PI * i / (SAMPLES * SAMPLES), c = 2.2 * cos(angle),
               s = 2.2 * sin(angle);
        for (int k = 0; k < LIGHT_TAPS; k++) {
            f->light_taps[i][0][k] = (float)(c * ring[k][0] - s * ring[k][1]);
            f->light_taps[i][1][k] = (float)(s * ring[k][0] + c * ring[k][1]);
        }
    }
}

static void choose_ground(frame *f)
{
    const picture_extent *e = &f->extent;
    f->ground = cord__ground_height(e, f->def);
    f->grid = round_down(fmax(0.45 * f->reach, DBL_MIN));
    f->has_ground =
        !f->def->no_ground && f->camera.eye[2] > f->ground && (e->has_floor || !e->has_slope);
}

/* The eye moves on the lens; the plane in focus stays where it is on the picture. */
static void move_on_lens(frame *f)
{
    camera *c = &f->camera;
    const double *lens = f->p->lens;
    double ahead[3];
    v3_sub(ahead, f->focus, c->eye);
    double distance = v3_dot(ahead, c->forward);
    v3_axpy(c->eye, distance * lens[0], c->right);
    v3_axpy(c->eye, distance * lens[1], c->up);
    c->center[0] += c->scale * lens[0], c->center[1] -= c->scale * lens[1];
}

static int power_of_two(double wanted, int low, int high)
{
    int size = low;
    while (size < wanted && size < high) size *= 2;
    return size;
}

static void choose_maps(frame *f)
{
    double pixels = fmax(f->def->width, f->def->height);
    f->light_size = power_of_two(0.5 * pixels, 512, 2048);
    f->ground_size = power_of_two(0.26 * pixels, 512, 1024);
}

double cord__caster_size(const frame *f)
{
    return 2.5 * f->reach / f->light_size;
}

cord_status cord__choose_look(frame *f)
{
    if (f->p->extent) {
        f->extent = *f->p->extent;
    } else {
        for (int i = 0; i < f->p->strand_count; i++) {
            cord__extent_add(&f->extent, &f->p->strands[i]);
        }
        for (int i = 0; i < f->p->body_count; i++) {
            cord__extent_add_body(&f->extent, &f->p->bodies[i]);
        }
        for (int i = 0; i < f->p->marker_count; i++) {
            cord__extent_add_marker(&f->extent, &f->p->markers[i]);
        }
        for (int i = 0; i < f->p->image_count; i++) {
            cord__extent_add_image(&f->extent, &f->p->images[i]);
        }
    }
    if (!cord__camera_choose(&f->camera, &f->extent, f->def)) return CORD_ERROR_ARGUMENT;
    for (int i = 0; i < SHADES; i++) {
        f->srgb[i] = (unsigned char)(255 * cord__to_srgb((float)i / (SHADES - 1)) + 0.5F);
    }
    for (int i = 0; i < 256; i++) f->linear[i] = cord__to_linear((float)i / 255);
    choose_theme(f);
    choose_range(f);
    choose_ball(f);
    choose_light(f);
    choose_ground(f);
    choose_maps(f);
    double near = fmin(v3_distance(f->camera.eye, f->focus), v3_distance(f->camera.eye, f->centre));
    double depth = fmax(near, 0.1 * f->reach);
    f->style.pixel = depth / f->camera.scale;
    f->style.stripe = !f->def->no_stripe;
    f->style.least_sides = 12;
    f->style.smallest_radius = f->def->smallest_radius * f->style.pixel;
    f->style.smallest_marker = 3.5 * f->style.pixel;
    f->style.fallback_radius = 0.004 * cord__extent_size(&f->extent);
    move_on_lens(f);
    return CORD_OK;
}
