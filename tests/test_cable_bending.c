/* Bending of cables: kinks where straight segments and guides meet, the curvature of curves on
 * surfaces, derivatives against differences, and damping. */
#include "math/vec3.h"
#include "strand/cable/guide.h"
#include "support/cable_bench.h"
#include "support/numbers.h"
#include "support/rigs.h"
#include "support/scenes.h"
#include "support/test.h"
#include "world/world.h"

#include <math.h>
#include <string.h>

static const double pi = 3.14159265358979323846;

/* ---- energies --------------------------------------------------------------------------------- */

/* Of a cable at rest, EI = 0.1 N m². */
static double energy_at_rest(cord_world *w, const cord_guide *guides, int guide_count,
                             const cord_cable_node *nodes, int node_count)
{
    cord_strand made;
    cord_cable_def def = cord_cable_def_default();
    def.density = 0.1, def.bending = 0.1;
    def.guides = guides, def.guide_count = guide_count;
    def.nodes = nodes, def.node_count = node_count;
    assert_fine(w, cord_world_add_cable(w, &def, &made));
    double energy = scene_energy(w).bending;
    cord_world_destroy(w);
    return energy;
}

/* (EI/2l)(2 tan φ/2)² */
static double kink_energy(double angle, double l)
{
    double k = 2 * tan(0.5 * angle);
    return 0.1 / (2 * l) * k * k;
}

/* A kink of 45° costs the same between straight segments, at the mouth of a tube, at an eyelet
 * behind a line, and out of a tube on the other side. */
static void mouths(void **unused)
{
    (void)unused;
    static const double points[] = {0, 0, 0, 0.1, 0, 0, 0.2, 0, 0, 0.3, 0, 0, 0.5, 0, 0};
    const double diagonal = sqrt(0.5), expected = kink_energy(pi / 4, 0.25 + 0.5 * diagonal);
    assert_close(expected, 0.0569, 5e-5);
    for (int kind = 0; kind < 4; kind++) {
        cord_world *w = scene_world_in(CORD_IMPLICIT, 0);
        cord_point_def along = cord_point_def_default(); /* a line is along z of its frame */
        memcpy(along.frame, (double[]){0, 1, 0, 0, 0, 1, 1, 0, 0}, sizeof along.frame);
        cord_point line;
        assert_fine(w, cord_world_add_point(w, &along, &line));
        const cord_guide guides[] = {
            {.kind = CORD_GUIDE_POINT, .on = scene_place(w, 0, 0, 0)},
            {.kind = CORD_GUIDE_POINT, .on = scene_place(w, 0.5, 0, 0)},
            {.kind = CORD_GUIDE_PATH, .path = scene_path(w, (cord_body){0}, 5, points, false)},
            {.kind = CORD_GUIDE_LINE, .on = line},
        };
        const int on[4][2] = {{0, 1}, {2, 2}, {3, 3}, {2, 2}};
        cord_cable_node nodes[] = {
            {.guide = on[kind][0], .prescribed = kind > 0, .s = 0},
            {.guide = on[kind][1], .at = {0.5}, .s = 0.5, .prescribed = kind > 0, .eulerian = true},
            {.guide = -1, .at = {1, 0, 0.5}, .s = 0.5 + diagonal},
        };
        if (kind == 3) { /* into the tube instead */
            cord_cable_node turned[] = {nodes[2], nodes[1], nodes[0]};
            for (int i = 0; i < 3; i++) turned[i].s = 0.5 + diagonal - turned[i].s;
            memcpy(nodes, turned, sizeof nodes);
        }
        assert_close(energy_at_rest(w, guides, 4, nodes, 3), expected, 1e-9);
    }
}

/* Off a wheel at 56° to its plane: beside the energy of the arc. */
static void sideways_off_a_wheel(void **unused)
{
    (void)unused;
    const double a = 0.3, arc = 0.5 * pi * a, length = 0.8, angle = 56 * pi / 180;
    cord_world *w = scene_world_in(CORD_IMPLICIT, 0);
    const cord_guide guides[] = {
        {.kind = CORD_GUIDE_CIRCLE, .on = scene_place(w, 0, 0, 0), .radius = a}};
    const cord_cable_node nodes[] = {
        {.guide = 0, .at = {-0.5 * pi}, .prescribed = true},
        {.guide = 0, .at = {0}, .s = arc, .eulerian = true, .tangent = 1},
        {.guide = -1, .at = {a, length * cos(angle), length * sin(angle)}, .s = arc + length},
    };
    double expected = 0.5 * 0.1 / (a * a) * arc + kink_energy(angle, 0.5 * (arc + length));
    assert_close(energy_at_rest(w, guides, 1, nodes, 3), expected, 1e-12);
}

/* Of a guide of length L no more counts than 4h²/L, h being the length of the straight segment. */
static void long_guides_clamp(void **unused)
{
    (void)unused;
    const double a = 0.3, arc = 0.5 * pi * a, length = 0.1, angle = 0.2;
    cord_world *w = scene_world_in(CORD_IMPLICIT, 0);
    const cord_guide guides[] = {
        {.kind = CORD_GUIDE_CIRCLE, .on = scene_place(w, 0, 0, 0), .radius = a}};
    const cord_cable_node nodes[] = {
        {.guide = 0, .at = {-0.5 * pi}, .prescribed = true},
        {.guide = 0, .at = {0}, .s = arc, .eulerian = true, .tangent = 1},
        {.guide = -1, .at = {a, length * cos(angle), length * sin(angle)}, .s = arc + length},
    };
    double expected =
        0.5 * 0.1 / (a * a) * arc + kink_energy(angle, 0.5 * length + 2 * length * length / arc);
    assert_close(energy_at_rest(w, guides, 1, nodes, 3), expected, 1e-12);
}

/* Two helices of different slope on one cylinder have a kink between them. */
static void kink_on_a_cylinder(void **unused)
{
    (void)unused;
    const double a = 0.2, u = 0.3, k = cos(pi / 4) * cos(pi / 4) / a;
    cord_world *w = scene_world_in(CORD_IMPLICIT, 0);
    const cord_guide guides[] = {
        {.kind = CORD_GUIDE_CYLINDER, .on = scene_place(w, 0, 0, 0), .radius = a}};
    const cord_cable_node nodes[] = {
        {.guide = 0, .at = {0, 0}},
        {.guide = 0, .at = {u / a, 0}, .s = u},
        {.guide = 0, .at = {2 * u / a, u}, .s = u + sqrt(2) * u},
    };
    double expected =
        0.05 * (u / (a * a) + sqrt(2) * u * k * k) + kink_energy(pi / 4, 0.5 * (1 + sqrt(2)) * u);
    assert_close(energy_at_rest(w, guides, 1, nodes, 3), expected, 1e-12);
}

/* Of one segment of a surface, on which curvature and length are known. */
static void check_curve(cord_surface surface, const double size[3], const double from[2],
                        const double to[2], double curvature, double length)
{
    cord_world *w = scene_world_in(CORD_IMPLICIT, 0);
    cord_guide guide = {.kind = surface ? CORD_GUIDE_SURFACE : CORD_GUIDE_SPHERE,
                        .on = scene_place(w, 0.1, 0.2, 0.3),
                        .radius = surface ? 0.3 : size[0],
                        .surface = surface};
    memcpy(guide.size, size, sizeof guide.size);
    const cord_cable_node nodes[] = {
        {.guide = 0, .at = {from[0], from[1]}, .prescribed = true},
        {.guide = 0, .at = {to[0], to[1]}, .s = length, .prescribed = true}};
    double expected = 0.05 * curvature * curvature * length;
    assert_close(energy_at_rest(w, &guide, 1, nodes, 2), expected, 1e-9 * expected);
}

/* On a sphere of 1 m a quarter metre of the parallel of 60° has κ = 2/m: 0.05 J, not the 0.0125 J
 * of a great circle. */
static void curves_on_surfaces(void **unused)
{
    (void)unused;
    static const double sphere[3] = {1}, torus[3] = {0.6, 0.2}, cone[3] = {0.7},
                        ellipsoid[3] = {0.3, 0.3, 0.5};
    const double latitude = pi / 3;
    check_curve(NULL, sphere, (double[]){0.3, latitude}, (double[]){0.8, latitude}, 2, 0.25);
    check_curve(NULL, sphere, (double[]){0.3, 0}, (double[]){0.3, 0.5}, 1, 0.5);
    check_curve(cord_surface_torus, torus, (double[]){0, 0.3}, (double[]){0, 2}, 1 / 0.2,
                0.2 * 1.7);
    check_curve(cord_surface_torus, torus, (double[]){0, pi}, (double[]){2.5, pi}, 1 / 0.4,
                0.4 * 2.5);
    check_curve(cord_surface_cone, cone, (double[]){0, 0.5}, (double[]){1, 0.5}, 1 / 0.35, 0.35);
    check_curve(cord_surface_ellipsoid, ellipsoid, (double[]){0, 0}, (double[]){1.2, 0}, 1 / 0.3,
                0.36);
}

/* ---- derivatives ------------------------------------------------------------------------------- */

/* Kinks of straight segments with circles, cylinders, surfaces and paths, of two bodies and the world. */
static cord_strand crowd(cord_world *w)
{
    static const double tilt[3] = {0.4, -0.3, 0.7}, other[3] = {-0.5, 0.2, 0.1};
    static const double points[] = {0,   0,   0,   0.3,  0.1, 0.2, 0.5, 0.4,
                                    0.1, 0.9, 0.3, -0.2, 1.1, 0,   0};
    cord_body body = bench_box(w, 1, 0.5, 0, 0), second = bench_box(w, 2, 2, 0.3, -0.2);
    const cord_guide guides[] = {
        {.kind = CORD_GUIDE_CIRCLE, .on = bench_on(w, body, 0.1, 0.2, 0, tilt), .radius = 0.3},
        {.kind = CORD_GUIDE_CYLINDER,
         .on = bench_on(w, second, 0, 0.1, 0.3, other),
         .radius = 0.25},
        {.kind = CORD_GUIDE_SURFACE,
         .on = bench_on(w, body, 0.1, 0, 0.2, tilt),
         .radius = 0.2,
         .surface = cord_surface_torus,
         .size = {0.6, 0.2}},
        {.kind = CORD_GUIDE_SPHERE, .on = bench_still(w, 3, 0.5, 0, tilt), .radius = 0.4},
        {.kind = CORD_GUIDE_PATH, .path = scene_path(w, body, 5, points, false)},
        {.kind = CORD_GUIDE_POINT, .on = bench_on(w, second, 0.3, 0.1, 0, tilt)},
    };
    const cord_cable_node nodes[] = {
        {.guide = -1, .at = {0.2, 1, 0.5}, .s = 0},
        {.guide = 0, .at = {0.3}, .s = 0.9, .eulerian = true, .tangent = -1},
        {.guide = 0, .at = {1.9}, .s = 1.4, .eulerian = true},
        {.guide = 5, .s = 1.9, .eulerian = true},
        {.guide = 1, .at = {0.5, 0.1}, .s = 2.6, .eulerian = true},
        {.guide = 1, .at = {1.5, 0.2}, .s = 2.9, .eulerian = true},
        {.guide = 1, .at = {2.5, -0.1}, .s = 3.2, .eulerian = true},
        {.guide = 2, .at = {0.3, 0.2}, .s = 4.1, .eulerian = true},
        {.guide = 2, .at = {0.8, 0.9}, .s = 4.6, .eulerian = true},
        {.guide = 2, .at = {1.2, 1.4}, .s = 5.1},
        {.guide = 3, .at = {0.5, 0.4}, .s = 6.5, .eulerian = true},
        {.guide = 3, .at = {1.2, 0.1}, .s = 6.9, .eulerian = true, .prescribed = true},
        {.guide = 4, .at = {0.2}, .s = 7.7, .eulerian = true, .prescribed = true},
        {.guide = 4, .at = {1.1}, .s = 8.6, .eulerian = true, .prescribed = true},
        {.guide = -1, .at = {1.6, 0.4, 0.2}, .s = 9},
    };
    cord_cable_def def = cord_cable_def_default();
    cord_strand made;
    def.density = 0.7, def.stretching = 300, def.bending = 0.02, def.damping = 0.3;
    def.guides = guides, def.guide_count = sizeof guides / sizeof *guides;
    def.nodes = nodes, def.node_count = sizeof nodes / sizeof *nodes;
    assert_fine(w, cord_world_add_cable(w, &def, &made));
    assert_fine(w, cord__world_ready(w));
    return made;
}

/* The terms of an element that bending has, without others; false: it has none. */
static bool bending_terms(const bench *t, const cable_element *e, const double *cache,
                          const double *v, double c_v, double c_k, element_terms *out)
{
    element_input in = {.cache = cache, .v = v, .c_v = c_v, .c_k = c_k, .matrix = true};
    if (e->kind != ELEMENT_BEND && e->kind != ELEMENT_CURVED) return false;
    *out = (element_terms){.bending = 0};
    if (e->kind == ELEMENT_BEND)
        cord__kink_terms(t->c, e, &in, out);
    else
        t->c->def.guide[t->c->topology.node[e->node].guide].ops->bending(t->c, e, &in, out);
    return true;
}

/* r·d and d·A d. */
static double power(const bench *t, const cable_element *e, const element_terms *of,
                    const double *d)
{
    double sum = 0;
    for (int i = 0; i < e->count; i++)
        if (t->c->layout.unknown[e->first + i] < t->c->layout.dofs)
            sum += of->r[i] * d[t->c->layout.unknown[e->first + i]];
    return sum;
}

static double form(const bench *t, const cable_element *e, const element_terms *of, const double *d)
{
    double sum = 0;
    for (int i = 0; i < e->count; i++)
        for (int j = 0; j <= i; j++) {
            int a = t->c->layout.unknown[e->first + i], b = t->c->layout.unknown[e->first + j];
            if (a < t->c->layout.dofs && b < t->c->layout.dofs)
                sum += (i == j ? 1 : 2) * of->a[i][j] * d[a] * d[b];
        }
    return sum;
}

static void with_crowd(void (*check)(const bench *t))
{
    cord_world *w = scene_world_in(CORD_IMPLICIT, 9.81);
    bench t;
    put_up(w, crowd(w), &t);
    check(&t);
    cord_world_destroy(w);
}

/* Along random motions of all unknowns, and along each alone. Of paths the matrix is not exact. */
static void stiffness_of(const bench *t)
{
    static double q[BENCH_NUMBERS], cache[BENCH_NUMBERS];
    double d[BENCH_MOST], zero[BENCH_MOST] = {0};
    uint64_t random = 3;
    const double h = 1e-5;
    int kinks = 0, dofs = t->c->layout.dofs;
    for (int i = 0; i < t->c->layout.elements; i++) {
        const cable_element *e = t->c->layout.element + i;
        element_terms here, there[2];
        if (!bending_terms(t, e, t->cache, zero, 0, 1, &here)) continue;
        kinks += e->kind == ELEMENT_BEND;
        int guide = t->c->topology.node[e->node].guide;
        bool path = guide >= 0 && t->c->def.guide[guide].ops->kind == CORD_GUIDE_PATH;
        if (e->kind == ELEMENT_CURVED && path) continue;
        for (int trial = 0; trial < 10 + dofs; trial++) {
            for (int k = 0; k < dofs; k++) d[k] = k == trial - 10;
            if (trial < 10) random_vector(&random, dofs, d);
            for (int side = 0; side < 2; side++) {
                bench_moved_to(t, d, side ? h : -h, q, cache);
                bending_terms(t, e, cache, zero, 0, 1, there + side);
            }
            double change = (power(t, e, there + 1, d) - power(t, e, there, d)) / (2 * h);
            assert_close(form(t, e, &here, d), change, 2e-6 * (1 + fabs(change)));
            double energy = (there[1].bending - there[0].bending) / (2 * h);
            assert_close(power(t, e, &here, d), energy, 1e-7 * (1 + fabs(energy)));
        }
    }
    assert_int_equal(kinks, 13); /* at all inner nodes */
}

/* −λ ∂²g of the row of tangency, over the unknowns of the cable itself. */
static void tangency_of(const bench *t)
{
    static double q[BENCH_NUMBERS], cache[BENCH_NUMBERS];
    static element_terms terms[2];
    double d[BENCH_MOST] = {0}, zero[BENCH_MOST] = {0}, force[2];
    uint64_t random = 7;
    const double h = 1e-5;
    const cable_element *e = t->c->layout.element;
    while (e->kind != ELEMENT_TANGENT) e++;
    element_input in = {.cache = t->cache, .v = zero, .c_k = 1, .matrix = true};
    for (int trial = 0; trial < 10; trial++) {
        random_vector(&random, t->c->layout.own_dofs, d);
        for (int k = 0; k < 2; k++) {
            in.lambda = k ? t->lambda : zero;
            cord__element_terms(t->c, e, &in, terms + k);
        }
        double made = form(t, e, terms + 1, d) - form(t, e, terms, d);
        for (int side = 0; side < 2; side++) {
            element_input beside = in;
            bench_moved_to(t, d, side ? h : -h, q, cache);
            beside.cache = cache, beside.matrix = false;
            cord__element_terms(t->c, e, &beside, terms);
            force[side] = power(t, e, terms, d);
        }
        double change = (force[1] - force[0]) / (2 * h);
        assert_true(fabs(change) > 1e-3);
        assert_close(made, change, 1e-6 * (1 + fabs(change)));
    }
}

static void tangency(void **unused)
{
    (void)unused;
    with_crowd(tangency_of);
}

static void stiffness(void **unused)
{
    (void)unused;
    with_crowd(stiffness_of);
}

/* Half of both segments; of one along a guide no more than 2h²/L. */
static double kink_length(const bench *t, const cable_element *e, const double *cache)
{
    double length = 0;
    for (int k = 0; k < 2; k++) {
        int first = e->node + k, other = e->node + 1 - k;
        double L = cable_s(cache, first + 1) - cable_s(cache, first);
        double h = cable_s(cache, other + 1) - cable_s(cache, other);
        bool limited = cable_is_curved(t->c, first) && !cable_is_curved(t->c, other);
        length += limited ? fmin(0.5 * L, 2 * h * h / L) : 0.5 * L;
    }
    return length;
}

/* E = ½ EI l κ² changes at the rate EI l κκ̇, and the viscous power is EI τ l κ̇²: for a kink, whose l is known, one follows
 * from the other. Forces are linear in the rates, with the matrix as their derivative. */
static void viscosity_of(const bench *t)
{
    static double q[BENCH_NUMBERS], cache[BENCH_NUMBERS];
    double zero[BENCH_MOST] = {0};
    const double h = 1e-6, stiff = t->c->def.material.bending, tau = t->c->def.material.damping;
    for (int i = 0; i < t->c->layout.elements; i++) {
        const cable_element *e = t->c->layout.element + i;
        element_terms still, moving, there[2];
        if (!bending_terms(t, e, t->cache, zero, 1, 0, &still)) continue;
        bending_terms(t, e, t->cache, t->v, 1, 0, &moving);
        double lost = power(t, e, &moving, t->v) - power(t, e, &still, t->v);
        assert_close(lost, form(t, e, &still, t->v), 1e-12 * (1 + lost));
        assert_true(lost >= 0);
        if (e->kind != ELEMENT_BEND) continue;
        double kappa[2], l = kink_length(t, e, t->cache);
        for (int side = 0; side < 2; side++) {
            bench_moved_to(t, t->v, side ? h : -h, q, cache);
            bending_terms(t, e, cache, zero, 0, 0, there + side);
            kappa[side] = sqrt(2 * there[side].bending / (stiff * kink_length(t, e, cache)));
        }
        double rate = (kappa[1] - kappa[0]) / (2 * h);
        assert_close(lost, stiff * tau * l * rate * rate, 1e-6 * (1e-3 + lost));
    }
}

static void viscosity(void **unused)
{
    (void)unused;
    with_crowd(viscosity_of);
}

/* A straight cable has no plane of bending yet: all directions are damped alike. */
static void straight_cables_are_damped(void **unused)
{
    (void)unused;
    cord_world *w = scene_world_in(CORD_IMPLICIT, 0);
    const cord_cable_node nodes[] = {{.guide = -1, .at = {0, 0, 0}},
                                     {.guide = -1, .at = {0.3, 0, 0}, .s = 0.3},
                                     {.guide = -1, .at = {0.8, 0, 0}, .s = 0.8}};
    cord_cable_def def = cord_cable_def_default();
    cord_strand made;
    bench t;
    element_terms terms;
    def.density = 1, def.bending = 0.02, def.damping = 0.5;
    def.nodes = nodes, def.node_count = 3;
    assert_fine(w, cord_world_add_cable(w, &def, &made));
    assert_fine(w, cord__world_ready(w));
    put_up(w, made, &t);
    const cable_element *e = t.c->layout.element + 2;
    assert_int_equal(e->kind, ELEMENT_BEND);
    bending_terms(&t, e, t.cache, t.v, 0, 0, &terms);
    double rate[2] = {0};
    for (int k = 0; k < 2; k++)
        rate[k] = (t.v[4 + k] - t.v[1 + k]) / -0.3 + (t.v[7 + k] - t.v[4 + k]) / 0.5;
    double expected = 0.02 * 0.5 / 0.4 * (rate[0] * rate[0] + rate[1] * rate[1]);
    assert_close(power(&t, e, &terms, t.v), expected, 1e-12);
    cord_world_destroy(w);
}

/* ---- statics -------------------------------------------------------------------------------------- */

/* A cable of EI = 1 N m² over a wheel of R = 0.2 m, its end pulled down by T = 100 N, stands off by EI/2TR = 25 mm; it
 * leaves the wheel earlier, but not as early as a cable of shorter parts. */
static void stands_off_a_wheel(void **unused)
{
    (void)unused;
    const double R = 0.2, T = 100, x = R + 1 / (2 * T * R), exact = pi - 4 * asin(0.25);
    double last = pi, wrap;
    for (int parts = 20; parts <= 40; parts *= 2) {
        cord_world *w = scene_world_in(CORD_IMPLICIT, 0);
        cord_waypoint waypoints[] = {rig_anchor(rig_world_point(w, -x, -1)),
                                     rig_pulley(rig_world_point(w, 0, 0), R, -1),
                                     {.kind = CORD_WAYPOINT_FREE, .position = {R, 0, -1}}};
        waypoints[0].parts = waypoints[1].parts = parts;
        cord_cable_def def = cord_cable_def_default();
        def.density = 1e-3, def.bending = 1;
        def.waypoints = waypoints, def.waypoint_count = 3;
        cord_strand rope = rig_cable(w, &def);
        cord_load_def pull = cord_load_def_default();
        cord_load made;
        pull.point = scene_point(w, rope, rig_length(w, rope)), pull.force[2] = -T;
        assert_fine(w, cord_world_add_load(w, &pull, &made));
        assert_fine(w, cord_world_find_equilibrium(w, NULL, NULL));
        assert_true(rig_in_contact(w, rope, 1, &wrap));
        assert_true(wrap < last && wrap > exact);
        last = wrap;
        double end = rig_node(w, rope, rig_node_count(w, rope) - 1).position[0];
        assert_close(end, x, parts == 20 ? 4e-4 : 2e-4);
        cord_world_destroy(w);
    }
    assert_close(last, exact, 0.3);
}

/* ---- motion -------------------------------------------------------------------------------------- */

/* A strip of ten segments out of a tube's mouth, released from a bend; the energy after a third of a second, relative
 * to that at the start. */
static double vibrate(cord_integrator by, double damping)
{
    static const double points[] = {-0.4, 0, 0, -0.3, 0, 0, -0.2, 0, 0, -0.1, 0, 0, 0, 0, 0};
    cord_world *w = scene_world_in(by, 0);
    const cord_guide guides[] = {
        {.kind = CORD_GUIDE_PATH, .path = scene_path(w, (cord_body){0}, 5, points, false)}};
    cord_cable_node nodes[12] = {
        {.guide = 0, .at = {0}, .s = 0, .prescribed = true},
        {.guide = 0, .at = {0.4}, .s = 0.4, .prescribed = true},
    };
    double x = 0, y = 0;
    for (int i = 2; i < 12; i++) {
        double angle = 0.12 * (i - 1.5);
        x += 0.05 * cos(angle), y += 0.05 * sin(angle);
        nodes[i] = (cord_cable_node){.guide = -1, .at = {x, 0, y}, .s = 0.35 + 0.05 * i};
    }
    cord_cable_def def = cord_cable_def_default();
    cord_strand made;
    def.density = 0.1, def.bending = 0.02, def.damping = damping;
    def.guides = guides, def.guide_count = 1, def.nodes = nodes, def.node_count = 12;
    assert_fine(w, cord_world_add_cable(w, &def, &made));
    double start = scene_energy(w).total, worst = start;
    assert_true(start > 0.01);
    for (int k = 0; k < 333; k++) {
        assert_fine(w, cord_world_step(w, 1e-3));
        double now = scene_energy(w).total;
        if (damping > 0) assert_true(now < worst + 1e-9 * start);
        worst = now;
    }
    cord_world_destroy(w);
    return worst / start;
}

static void vibrations(void **unused)
{
    (void)unused;
    assert_close(vibrate(CORD_MIDPOINT, 0), 1, 1e-9);
    assert_true(vibrate(CORD_MIDPOINT, 0.02) < 0.5);
    assert_true(vibrate(CORD_IMPLICIT, 0.02) < 0.5);
}

/* The energy's largest change over its largest kinetic part, by midpoint. */
static double energy_off(cord_world *w, int steps)
{
    double start = scene_energy(w).total, off = 0, kinetic = 0;
    for (int k = 0; k < steps; k++) {
        assert_fine(w, cord_world_step(w, 1e-3));
        cord_energy now = scene_energy(w);
        off = fmax(off, fabs(now.total - start));
        kinetic = fmax(kinetic, now.kinetic);
    }
    cord_world_destroy(w);
    assert_true(kinetic > 1e-3);
    return off / kinetic;
}

/* Two weights on a cable through a level tube: it runs over kinks of a right angle at both mouths. */
static void running_through_mouths(void **unused)
{
    (void)unused;
    static const double points[] = {0, 0, 0, 0.1, 0, 0, 0.2, 0, 0, 0.3, 0, 0, 0.5, 0, 0};
    cord_world *w = scene_world_in(CORD_MIDPOINT, 9.81);
    const cord_waypoint waypoints[] = {
        {.kind = CORD_WAYPOINT_ANCHOR,
         .point = rig_on(w, rig_ball(w, 1, 0, -0.6), 0, 0),
         .parts = 3},
        {.kind = CORD_WAYPOINT_TUBE,
         .path = scene_path(w, (cord_body){0}, 5, points, false),
         .parts = 3},
        {.kind = CORD_WAYPOINT_ANCHOR, .point = rig_on(w, rig_ball(w, 2, 0.5, -0.6), 0, 0)},
    };
    cord_cable_def def = cord_cable_def_default();
    def.density = 0.1, def.bending = 0.05;
    def.waypoints = waypoints, def.waypoint_count = 3;
    rig_cable(w, &def);
    assert_true(energy_off(w, 200) < 1e-9);
}

/* A cord of four segments that slides on a torus, and swings off it. */
static void sliding_on_a_torus(void **unused)
{
    (void)unused;
    cord_world *w = scene_world_in(CORD_MIDPOINT, 9.81);
    const cord_guide guide = {.kind = CORD_GUIDE_SURFACE,
                              .on = scene_place(w, 0, 0, 0),
                              .radius = 0.1,
                              .surface = cord_surface_torus,
                              .size = {0.3, 0.1}};
    const cord_cable_node nodes[] = {
        {.guide = 0, .at = {0, 0.5}, .s = 0},
        {.guide = 0, .at = {0.2, 0.4}, .s = 0.08, .eulerian = true},
        {.guide = 0, .at = {0.4, 0.2}, .s = 0.16, .eulerian = true, .tangent = 1},
        {.guide = -1, .at = {0.3, 0.3, -0.1}, .s = 0.34},
    };
    cord_cable_def def = cord_cable_def_default();
    cord_strand made;
    def.density = 0.1, def.bending = 1e-3, def.stretching = 100;
    def.guides = &guide, def.guide_count = 1, def.nodes = nodes, def.node_count = 4;
    assert_fine(w, cord_world_add_cable(w, &def, &made));
    assert_fine(w, cord_world_step(w, 1e-6));
    assert_true(energy_off(w, 100) < 1e-8);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(mouths),
        cmocka_unit_test(sideways_off_a_wheel),
        cmocka_unit_test(long_guides_clamp),
        cmocka_unit_test(kink_on_a_cylinder),
        cmocka_unit_test(curves_on_surfaces),
        cmocka_unit_test(stiffness),
        cmocka_unit_test(tangency),
        cmocka_unit_test(viscosity),
        cmocka_unit_test(straight_cables_are_damped),
        cmocka_unit_test(stands_off_a_wheel),
        cmocka_unit_test(vibrations),
        cmocka_unit_test(running_through_mouths),
        cmocka_unit_test(sliding_on_a_torus),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
