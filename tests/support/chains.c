#include "support/chains.h"

#include "math/rotation.h"
#include "support/test.h"

#include <math.h>

const char *const chain_models[CHAIN_MODELS] = {CORD_MODEL_SEGMENT, CORD_MODEL_HELIX,
                                                CORD_MODEL_CLOTHOID};

const integration chain_integrations[CHAIN_INTEGRATIONS] = {
    {"tr_bdf2", CORD_IMPLICIT, CORD_TR_BDF2},
    {"midpoint", CORD_MIDPOINT, CORD_TR_BDF2},
    {"backward_euler", CORD_IMPLICIT, CORD_BACKWARD_EULER},
    {"linearised", CORD_IMPLICIT, CORD_LINEARISED},
    {"semi_implicit", CORD_IMPLICIT, CORD_SEMI_IMPLICIT},
    {"semi_implicit_velocity", CORD_IMPLICIT, CORD_SEMI_IMPLICIT_VELOCITY},
};

cord_world *chain_world(const integration *by, bool gravity)
{
    cord_world *world;
    cord_world_def def = cord_world_def_default();
    def.threads = 1;
    def.tolerance = 1e-11;
    def.length_tolerance = 1e-11;
    if (!gravity) def.gravity[2] = 0;
    if (by) def.integrator = by->integrator, def.scheme = by->scheme;
    assert_int_equal(cord_world_create(&def, &world), CORD_OK);
    return world;
}

cord_strand chain_strand(cord_world *world, const chain_def *d)
{
    int n = d->elements ? d->elements : 4;
    double now[3 * (CHAIN_ELEMENTS_MOST + 1)] = {0}, natural[6 * CHAIN_ELEMENTS_MOST] = {0};
    cord_strand_def def = cord_strand_def_default();
    assert_true(n <= CHAIN_ELEMENTS_MOST);
    for (int i = 0; i <= n; i++) now[3 * i + 1] = d->curl - d->straighten;
    for (int i = 0; i < 2 * n; i++) natural[3 * i + 1] = d->curl;
    def.model = d->model;
    def.name = d->model;
    def.planar = d->planar;
    def.element_count = n;
    def.length = d->length > 0 ? d->length : 0.6;
    def.vertex_count = CHAIN_VERTICES;
    def.curvatures = now;
    def.natural_curvatures = natural;
    def.section = (cord_section){.kind = CORD_SECTION_EXPLICIT,
                                 .mass = 0.1,
                                 .bending = {0.015, 0.01},
                                 .twisting = 0.01,
                                 .rotary_inertia = 1e-5,
                                 .radius = 0.01};
    def.damping = d->damping;
    def.base_damping = d->base_damping;
    /* The second director is the plane's normal, −y. */
    static const double flat[9] = {1, 0, 0, 0, 0, 1, 0, -1, 0};
    double turn[9];
    for (int i = 0; i < 9; i++) def.base_frame[i] = flat[i];
    cord__rotation_exp(turn, (double[]){0.5, 0.2, -0.4});
    if (d->skew) m3_multiply(def.base_frame, turn, def.base_frame);
    v3_copy(def.base_position, d->from);
    cord_strand made;
    assert_fine(world, cord_world_add_strand(world, &def, &made));
    return made;
}

/* ---- bases and tips ------------------------------------------------------------------------------- */

const char *const chain_bases[CHAIN_BASES] = {"clamped", "pinned", "free"};
const char *const chain_tips[CHAIN_TIPS] = {"free", "held", "G0", "G1", "G2"};

int chain_hold(cord_world *w, cord_strand chain, chain_base b, chain_tip t, cord_constraint *out)
{
    cord_strand_info info;
    int count = 0;
    assert_fine(w, cord_strand_get_info(w, chain, &info));
    if (b == CLAMPED) {
        assert_fine(w, cord_world_clamp_strand(w, chain, 0, NULL, NULL, out, out + 1));
        count = 2;
    }
    if (b == PINNED_BASE) out[count++] = scene_hang(w, chain, 0);
    if (t == FREE_TIP) return count;
    if (t == HELD_TIP) {
        out[count++] = scene_hang(w, chain, info.length);
        return count;
    }
    cord_point first = scene_point(w, chain, 0), last = scene_point(w, chain, info.length);
    out[count++] = scene_constraint(w, CORD_COINCIDE, last, first);
    if (t >= LOOP_G1) out[count++] = scene_constraint(w, CORD_ALIGN, last, first);
    if (t >= LOOP_G2) out[count++] = scene_constraint(w, CORD_CURVATURE, last, first);
    return count;
}

chain_def chain_loop(const char *model, int shape)
{
    return (chain_def){.model = model,
                       .planar = shape > 0,
                       .skew = shape == 1,
                       .elements = 6,
                       .curl = 2 * 3.14159265358979323846 / 0.6};
}

void chain_push(cord_world *w, cord_strand chain, double size)
{
    double v[3 * CHAIN_VERTICES], x[3 * CHAIN_VERTICES];
    assert_fine(w, cord_strand_get_positions(w, chain, x));
    for (int i = 0; i < CHAIN_VERTICES; i++)
        v3_set(v + 3 * i, -size * x[3 * i + 2], 0.3 * size * x[3 * i], size * x[3 * i]);
    assert_fine(w, cord_strand_set_velocities(w, chain, v));
}

double chain_residual(cord_world *w, const cord_constraint *r, int count)
{
    double largest = 0;
    for (int i = 0; i < count; i++) {
        int rows;
        double g[3];
        if (cord_constraint_get_residual(w, r[i], &rows, g) != CORD_OK) return INFINITY;
        for (int k = 0; k < rows; k++) largest = fmax(largest, fabs(g[k]));
    }
    return largest;
}

double chain_distance(const double *a, const double *b)
{
    double sum = 0;
    for (int i = 0; i < 3 * CHAIN_VERTICES; i++) sum += (a[i] - b[i]) * (a[i] - b[i]);
    return sqrt(sum);
}
