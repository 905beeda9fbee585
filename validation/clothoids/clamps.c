/* Clamps hold the tangent of the curve, at both ends and for every model: a naturally curved rod,
 * drawn straight and clamped, at rest without load and under a small force at its free end. */
#include "validation/clothoids/clothoids.h"
#include "validation/fit.h"
#include <math.h>
#include <string.h>

enum { KINDS = 5, MESHES = 4, FINEST = 64 };

static const char *const models[KINDS] = {CORD_MODEL_DER, CORD_MODEL_SPLINE, CORD_MODEL_SEGMENT,
                                          CORD_MODEL_HELIX, CORD_MODEL_CLOTHOID};
static const int meshes[MESHES] = {8, 16, 32, FINEST};

/* Vertices of an arc with curvature 1 and length 1 from the origin along x; and of the straight line
 * with edges of the same length. */
static void draw(int n, double *arc, double *line)
{
    for (int i = 0; i <= n; i++) {
        double s = (double)i / n;
        arc[3 * i] = sin(s), arc[3 * i + 1] = 1 - cos(s), arc[3 * i + 2] = 0;
        line[3 * i] = 2 * i * sin(0.5 / n), line[3 * i + 1] = line[3 * i + 2] = 0;
    }
}

static cord_status make(cord_world *w, const char *model, int n, cord_strand *rod)
{
    double arc[3 * (FINEST + 1)], line[3 * (FINEST + 1)];
    bool has_vertices = strcmp(model, CORD_MODEL_DER) == 0 || strcmp(model, CORD_MODEL_SPLINE) == 0;
    cord_strand_def def = cord_strand_def_default();
    draw(n, arc, line);
    def.model = model;
    def.vertex_count = n + 1;
    def.positions = line;
    def.natural_positions = arc;
    def.director[2] = 1;
    def.section = (cord_section){CORD_SECTION_EXPLICIT, .mass = 1,     .radius = 1e-3,
                                 .bending = {1, 1},     .twisting = 1, .rotary_inertia = 1e-4};
    if (!has_vertices) def.element_count = n, def.length = 1;
    return cord_world_add_strand(w, &def, rod);
}

/* The free end relative to the clamp at rest under a force along y. */
static cord_status settle(cord_world *w, cord_point free, cord_point clamp, cord_load load,
                          double force, double tip[3])
{
    double at[3];
    cord_status status = cord_load_set_force(w, load, (double[3]){0, force, 0});
    if (status == CORD_OK) status = cord_world_find_equilibrium(w, NULL, NULL);
    if (status == CORD_OK) status = cord_point_get_pose(w, free, tip, NULL);
    if (status == CORD_OK) status = cord_point_get_pose(w, clamp, at, NULL);
    for (int k = 0; status == CORD_OK && k < 3; k++) tip[k] -= at[k];
    return status;
}

/* Errors of the free end without load, and of its displacement per force. With the moment arms
 * x₁ − x = sin 1 − sin s and y₁ − y = cos s − cos 1 about the point at s, a unit force along y moves
 * the end by (−∫(x₁ − x)(y₁ − y), ∫(x₁ − x)²) ds. A clamp at the end mirrors x. */
static cord_status measure(cord_world *w, const char *model, int n, bool last, double error[2])
{
    const double S = sin(1), C = cos(1), side = last ? -1 : 1, force = 1e-3;
    const double place[2] = {side * S, 1 - C};
    const double moved[2] = {-side * (S * S / 2 - S * C + C - C * C),
                             S * S - 2 * S * (1 - C) + 0.5 - sin(2) / 4};
    cord_strand rod = {0};
    cord_strand_info info = {0};
    cord_point_def on = cord_point_def_default();
    cord_load_def def = cord_load_def_default();
    cord_point clamp = {0};
    cord_load load = {0};
    double tip[3][3] = {{0}};
    cord_status status = make(w, model, n, &rod);
    if (status == CORD_OK) status = cord_strand_get_info(w, rod, &info);
    on.source = CORD_SOURCE_STRAND, on.strand = rod, on.s = last ? 0 : info.length;
    if (status == CORD_OK) status = cord_world_add_point(w, &on, &def.point);
    if (status == CORD_OK) status = cord_world_add_load(w, &def, &load);
    if (status == CORD_OK)
        status = cord_world_clamp_strand(w, rod, last ? info.length : 0, NULL, &clamp, NULL, NULL);
    for (int i = 0; status == CORD_OK && i < 3; i++)
        status = settle(w, def.point, clamp, load, (i - 1) * force, tip[i]);
    error[0] = hypot(tip[1][0] - place[0], tip[1][1] - place[1]);
    error[1] = hypot((tip[2][0] - tip[0][0]) / (2 * force) - moved[0],
                     (tip[2][1] - tip[0][1]) / (2 * force) - moved[1]) /
               hypot(moved[0], moved[1]);
    return status;
}

/* Errors below 1e-6 are the third order of the force. */
static double observed_order(const double *error)
{
    double n[MESHES], e[MESHES];
    int used = 0;
    for (int k = 0; k < MESHES; k++)
        if (error[k] > 1e-6) n[used] = meshes[k], e[used++] = error[k];
    return used >= 2 ? fit_order(used, n, e) : NAN;
}

static void one_clamp(validation *v, const char *model, bool last)
{
    static const char *const quantity[2] = {"place", "compliance"};
    double error[2][MESHES];
    const char *name = validation_text(v, "%s, clamped at its %s", model, last ? "end" : "start");
    for (int k = 0; k < MESHES; k++) {
        cord_world *w = NULL;
        cord_world_def def = cord_world_def_default();
        memset(def.gravity, 0, sizeof def.gravity);
        double one[2] = {NAN, NAN};
        cord_status status = cord_world_create(&def, &w);
        if (status == CORD_OK) status = measure(w, model, meshes[k], last, one);
        bool good = validation_ok(v, w, status, name);
        cord_world_destroy(w);
        if (!good) return;
        error[0][k] = one[0], error[1][k] = one[1];
    }
    for (int i = 0; i < 2; i++) {
        double order = observed_order(error[i]);
        validation_row_below(v, name, validation_text(v, "error of the %s, n = 64", quantity[i]),
                             error[i][MESHES - 1], 2e-4);
        if (!isnan(order))
            validation_row_above(v, name, validation_text(v, "order of the %s", quantity[i]), order,
                                 1.9);
    }
}

void check_clamps(validation *v)
{
    for (int m = 0; m < KINDS; m++)
        for (int last = 0; last < 2; last++) one_clamp(v, models[m], last);
}
