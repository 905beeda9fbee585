/* The extent of a picture, and the camera that shows it. */
#include "record/render.h"

#include "math/vec3.h"

/* ---- extent --------------------------------------------------------------------------------- */

/* The directions to a cube's corners, edges and faces; their parts are -1, 0 or 1. */
static void extent_direction(int i, double d[3])
{
    int k = i < 13 ? i : i + 1; /* not the middle of the 3 × 3 × 3 */
    v3_set(d, k % 3 - 1, k / 3 % 3 - 1, k / 9 - 1);
}

static void reach_out(picture_extent *e, const double x[3], double radius)
{
    static const double inverse_lengths[4] = {0, 1, M_SQRT1_2, 0.57735026918962573};
    for (int i = 0; i < EXTENT_DIRECTIONS; i++) {
        double d[3];
        extent_direction(i, d);
        double along = v3_dot(x, d), scale = inverse_lengths[(int)v3_dot(d, d)];
        double reach = along * scale + radius;
        if (e->any && reach <= e->reach[i]) continue;
        e->reach[i] = reach;
        v3_scale(d, scale, d);
        v3_combine(e->farthest[i], 1, x, radius, d);
    }
    e->any = true;
}

static void add_moments(picture_extent *e, const double x[3], double weight)
{
    static const int pairs[6][2] = {{0, 0}, {1, 1}, {2, 2}, {0, 1}, {0, 2}, {1, 2}};
    e->weight += weight;
    v3_axpy(e->mean, weight, x);
    for (int k = 0; k < 6; k++) e->moments[k] += weight * x[pairs[k][0]] * x[pairs[k][1]];
}

static void add_range(picture_extent *e, const picture_strand *s)
{
    bool empty = !(e->range[0] <= e->range[1]) || e->weight == 0;
    for (int i = 0; s->value && i < s->vertices; i++) {
        if (empty || s->value[i] < e->range[0]) e->range[0] = s->value[i];
        if (empty || s->value[i] > e->range[1]) e->range[1] = s->value[i];
        empty = false;
    }
}

/* The corners of a flat section at a vertex: a sheet is wide across, and not below its end. */
static void reach_corners(picture_extent *e, const double x[3], const double frame[6],
                          const double half[2])
{
    double second[3];
    v3_cross(second, frame, frame + 3);
    for (int corner = 0; corner < 4; corner++) {
        double at[3];
        v3_combine(at, corner & 1 ? half[0] : -half[0], frame + 3, corner & 2 ? half[1] : -half[1],
                   second);
        v3_add(at, at, x);
        reach_out(e, at, 0);
    }
}

void cord__extent_add(picture_extent *e, const picture_strand *s)
{
    double half[2];
    cord__section_halves(&s->section, 0, half);
    double radius = fmax(half[0], half[1]);
    e->thickness = fmax(e->thickness, radius);
    add_range(e, s);
    for (int i = 0; i < s->vertices; i++) {
        const double *x = s->x + 3 * (size_t)i,
                     *frame = s->frames + 6 * (size_t)(i < s->edges ? i : s->edges - 1);
        if (half[0] == half[1])
            reach_out(e, x, radius);
        else
            reach_corners(e, x, frame, half);
    }
    for (int i = 0; i < s->edges; i++) {
        const double *a = s->x + 3 * (size_t)i, *b = s->x + 3 * (size_t)((i + 1) % s->vertices);
        double middle[3];
        v3_combine(middle, 0.5, a, 0.5, b);
        add_moments(e, middle, v3_distance(a, b));
    }
}

/* A position in a body's axes. */
static void reach_own(picture_extent *e, const picture_body *b, double x, double y, double z,
                      double radius)
{
    const double own[3] = {x, y, z};
    double at[3];
    m3_apply(at, b->frame, own);
    v3_add(at, at, b->position);
    reach_out(e, at, radius);
}

bool cord__is_floor(const picture_body *b)
{
    return b->shape->kind == CORD_SHAPE_PLANE && b->frame[8] > 1 - 1e-9;
}

bool cord__is_slope(const picture_body *b)
{
    return b->shape->kind == CORD_SHAPE_PLANE && b->frame[8] > 0.3 && !cord__is_floor(b);
}

void cord__extent_add_body(picture_extent *e, const picture_body *b)
{
    enum { RIM = 16 };
    if (cord__is_floor(b)) {
        e->floor = e->has_floor ? fmin(e->floor, b->position[2]) : b->position[2];
        e->has_floor = true;
    }
    e->has_slope = e->has_slope || cord__is_slope(b);
    e->has_stage = e->has_stage || b->scenery;
    const cord_shape *s = b->shape;
    double half = s->length / 2, reach = cord__solid_reach(s);
    switch (s->kind) {
    case CORD_SHAPE_NONE:
    case CORD_SHAPE_PLANE: return;
    case CORD_SHAPE_SPHERE: reach_own(e, b, 0, 0, 0, s->radius); break;
    case CORD_SHAPE_CAPSULE:
        reach_own(e, b, 0, 0, half, s->radius);
        reach_own(e, b, 0, 0, -half, s->radius);
        break;
    case CORD_SHAPE_CYLINDER:
        for (int i = 0; i < 2 * RIM; i++) {
            double angle = 2 * M_PI * i / RIM;
            reach_own(e, b, s->radius * cos(angle), s->radius * sin(angle), i < RIM ? half : -half,
                      0);
        }
        break;
    case CORD_SHAPE_BOX:
        for (int i = 0; i < 8; i++)
            reach_own(e, b, (i & 1 ? 0.5 : -0.5) * s->size[0], (i & 2 ? 0.5 : -0.5) * s->size[1],
                      (i & 4 ? 0.5 : -0.5) * s->size[2], 0);
        break;
    case CORD_SHAPE_MESH:
        for (int i = 0; i < s->vertex_count; i++) {
            const double *x = s->vertices + 3 * (size_t)i;
            reach_own(e, b, x[0], x[1], x[2], 0);
        }
        break;
    }
    if (!b->scenery) add_moments(e, b->position, reach);
}

void cord__extent_add_marker(picture_extent *e, const picture_marker *m)
{
    double size[3];
    cord__marker_sizes(m, 0, size);
    reach_out(e, m->position, fmin(fmax(size[0], size[1]), size[2]));
}

void cord__extent_add_image(picture_extent *e, const cord_image_info *image)
{
    for (int corner = 0; corner < 4; corner++) {
        double x[3];
        v3_copy(x, image->corner);
        if (corner & 1) v3_axpy(x, 1, image->right);
        if (corner & 2) v3_axpy(x, 1, image->down);
        reach_out(e, x, 0);
        add_moments(e, x, 0.5 * (v3_norm(image->right) + v3_norm(image->down)));
    }
}

/* Reaches along the axes are those of the cube's faces. */
static void bounds(const picture_extent *e, double low[3], double high[3])
{
    static const int negative[3] = {12, 10, 4}, positive[3] = {13, 15, 21};
    for (int k = 0; k < 3; k++) {
        low[k] = e->any ? -e->reach[negative[k]] : -0.5;
        high[k] = e->any ? e->reach[positive[k]] : 0.5;
    }
}

double cord__extent_size(const picture_extent *e)
{
    double low[3], high[3], size = 0;
    bounds(e, low, high);
    for (int k = 0; k < 3; k++) size = fmax(size, high[k] - low[k]);
    return size > 0 ? size : 1; /* one point: any size will do */
}

double cord__extent_reach(const picture_extent *e, const double d[3])
{
    int k = (int)(13 + d[0] + 3 * d[1] + 9 * d[2]);
    return e->reach[k < 13 ? k : k - 1];
}

double cord__ground_height(const picture_extent *e, const cord_picture_def *def)
{
    double low[3], high[3];
    bounds(e, low, high);
    if (!isnan(def->ground)) return def->ground;
    if (e->has_floor) return e->floor;
    return e->has_stage ? low[2] : low[2] - 0.05 * cord__extent_size(e);
}

/* ---- camera --------------------------------------------------------------------------------- */

double cord__camera_project(const camera *c, const double x[3], double pixel[2])
{
    double d[3];
    v3_sub(d, x, c->eye);
    double depth = v3_dot(d, c->forward);
    pixel[0] = c->center[0] + c->scale * v3_dot(d, c->right) / depth;
    pixel[1] = c->center[1] - c->scale * v3_dot(d, c->up) / depth;
    return depth;
}

void cord__camera_ray(const camera *c, const double pixel[2], double ray[3])
{
    v3_combine(ray, 1, c->forward, (pixel[0] - c->center[0]) / c->scale, c->right);
    v3_axpy(ray, -(pixel[1] - c->center[1]) / c->scale, c->up);
}

/* Axes from the direction of view, z up; looking straight down, y is up. False for no direction. */
static bool look_along(camera *c, const double direction[3])
{
    static const double z[3] = {0, 0, 1}, y[3] = {0, 1, 0};
    double length = v3_norm(direction);
    if (!(length > 0) || !isfinite(length)) return false;
    v3_scale(c->forward, 1 / length, direction);
    v3_cross(c->right, c->forward, fabs(c->forward[2]) > 0.9999 ? y : z);
    v3_normalize(c->right, c->right);
    v3_cross(c->up, c->right, c->forward);
    return true;
}

/* From the side on which most is to be seen: across the long horizontal axis, a little rotated and
 * from above, more so when the scene lies flat. */
static void choose_direction(const picture_extent *e, double direction[3])
{
    double cxx = 1, cyy = 1, czz = 1, cxy = 0;
    if (e->weight > 0) {
        double w = 1 / e->weight, mx = e->mean[0] * w, my = e->mean[1] * w, mz = e->mean[2] * w;
        cxx = e->moments[0] * w - mx * mx, cyy = e->moments[1] * w - my * my;
        czz = fmax(e->moments[2] * w - mz * mz, 0), cxy = e->moments[3] * w - mx * my;
    }
    double mean = (cxx + cyy) / 2, radius = hypot((cxx - cyy) / 2, cxy);
    double large = sqrt(fmax(mean + radius, 0)), small = sqrt(fmax(mean - radius, 0));
    bool long_axis = small < 0.8 * large && large > 0.05 * sqrt(czz);
    double axis = long_axis ? atan2(2 * cxy, cxx - cyy) / 2 : 0;
    /* To the right is +x, or +y when the axis is nearer to that. */
    if (axis < -M_PI / 4 - 1e-9) axis += M_PI;
    double flat = small / fmax(small + 2 * sqrt(czz) + 0.05 * large, 1e-300);
    double azimuth = axis + 0.30, elevation = 0.22 + 0.42 * flat;
    v3_set(direction, -sin(azimuth) * cos(elevation), cos(azimuth) * cos(elevation),
           -sin(elevation));
}

/* Move the camera back and aside until the farthest points fill the picture, but for a margin. */
static void fit(camera *c, const picture_extent *e, double width, double height)
{
    double low[3], high[3], target[3], distance = 4 * cord__extent_size(e);
    bounds(e, low, high);
    v3_combine(target, 0.5, low, 0.5, high);
    for (int round = 0; round < 24; round++) {
        v3_combine(c->eye, 1, target, -distance, c->forward);
        double least[2] = {INFINITY, INFINITY}, most[2] = {-INFINITY, -INFINITY};
        for (int i = 0; e->any && i < EXTENT_DIRECTIONS; i++) {
            double pixel[2];
            cord__camera_project(c, e->farthest[i], pixel);
            for (int k = 0; k < 2; k++) {
                least[k] = fmin(least[k], pixel[k]), most[k] = fmax(most[k], pixel[k]);
            }
        }
        if (!e->any) return;
        double move = distance / c->scale;
        v3_axpy(target, move * ((least[0] + most[0]) / 2 - c->center[0]), c->right);
        v3_axpy(target, move * (c->center[1] - (least[1] + most[1]) / 2), c->up);
        double fill =
            fmax((most[0] - least[0]) / (0.84 * width), (most[1] - least[1]) / (0.82 * height));
        distance *= fmin(fmax(fill, 0.5), 2);
        /* One point fills nothing: stay where it can be seen. */
        distance = fmax(distance, 0.5 * cord__extent_size(e));
    }
}

bool cord__camera_choose(camera *c, const picture_extent *e, const cord_picture_def *def)
{
    double direction[3];
    c->center[0] = def->width / 2.0, c->center[1] = 0.49 * def->height;
    c->scale = fmin(def->height, 0.75 * def->width) / (2 * tan(0.26));
    if (def->view_given) {
        v3_sub(direction, def->to, def->from);
        v3_copy(c->eye, def->from);
        return look_along(c, direction);
    }
    choose_direction(e, direction);
    if (!look_along(c, def->direction_given ? def->direction : direction)) return false;
    fit(c, e, def->width, def->height);
    return true;
}
