/* A trefoil whose ends are pulled apart, and a rod whose end is twisted until it winds round itself [DER 2008, table 1]. */
#include "bench/contact/contact.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { FINE = 20000 };

static void trefoil_at(double t, double x[3])
{
    x[0] = t * t * t - 3 * t;
    x[1] = t * t * t * t - 4 * t * t;
    x[2] = 0.15 * (t * t * t * t * t - 10 * t);
}

static double distance(const double *a, const double *b)
{
    return sqrt((a[0] - b[0]) * (a[0] - b[0]) + (a[1] - b[1]) * (a[1] - b[1]) +
                (a[2] - b[2]) * (a[2] - b[2]));
}

/* n vertices at equal distances along an open trefoil of length 1. */
static void sample_trefoil(int n, double *x)
{
    double *fine = malloc(3 * FINE * sizeof *fine), *s = malloc(FINE * sizeof *s);
    if (!fine || !s) abort();
    for (int i = 0; i < FINE; i++) {
        trefoil_at(-2.25 + 4.5 * i / (FINE - 1), fine + 3 * (size_t)i);
        s[i] = i ? s[i - 1] + distance(fine + 3 * (size_t)i, fine + 3 * (size_t)(i - 1)) : 0;
    }
    for (int i = 0, j = 0; i < n; i++) {
        double at = s[FINE - 1] * i / (n - 1);
        while (j < FINE - 2 && s[j + 1] < at) j++;
        double f = (at - s[j]) / (s[j + 1] - s[j]);
        for (int k = 0; k < 3; k++)
            x[3 * i + k] = ((1 - f) * fine[3 * j + k] + f * fine[3 * j + 3 + k]) / s[FINE - 1];
    }
    free(fine);
    free(s);
}

/* A straight natural shape with the lengths of the edges; returns the length. */
static double straighten(int n, const double *x, double *natural)
{
    double length = 0;
    memset(natural, 0, 3 * (size_t)n * sizeof *natural);
    for (int i = 0; i < n; i++) {
        if (i) length += distance(x + 3 * (size_t)i, x + 3 * (size_t)(i - 1));
        natural[3 * i] = length;
    }
    return length;
}

static cord_status give_surface(cord_world *w, cord_strand s, double friction)
{
    cord_contact_def def = cord_contact_def_default();
    cord_contact_surface surface = cord_contact_surface_default();
    def.friction = friction;
    cord_status status = cord_world_set_contact(w, &def);
    return status == CORD_OK ? cord_strand_set_surface(w, s, &surface) : status;
}

static cord_status pull(cord_world *w, cord_strand s, double at, const double x[3], double to)
{
    const double times[2] = {0, 10}, path[6] = {0, 0, 0, to, 0, 0};
    cord_point_def on = cord_point_def_default(), script = cord_point_def_default();
    cord_constraint_def rows = cord_constraint_def_default();
    cord_constraint made;
    on.source = CORD_SOURCE_STRAND;
    on.strand = s;
    on.s = at;
    memcpy(script.position, x, sizeof script.position);
    script.motion = (cord_keys){2, times, path, CORD_EASE_LINEAR};
    rows.kind = CORD_COINCIDE;
    cord_status status = cord_world_add_point(w, &on, &rows.first);
    if (status == CORD_OK) status = cord_world_add_point(w, &script, &rows.second);
    return status == CORD_OK ? cord_world_add_constraint(w, &rows, &made) : status;
}

static void trefoil(bench *b, int n, cord_integrator integrator, double h, double bar)
{
    double x[600], natural[600];
    cord_world_def world = cord_world_def_default();
    cord_strand_def def = cord_strand_def_default();
    cord_world *w;
    cord_strand s;
    world.integrator = integrator;
    world.gravity[2] = 0;
    world.threads = 1;
    sample_trefoil(n, x);
    const double length = straighten(n, x, natural);
    def.vertex_count = n;
    def.positions = x;
    def.natural_positions = natural;
    def.section.radius = 0.006;
    def.material.young = 1e6;
    def.material.density = 1000;
    def.drag = 0.5;
    def.twist_mode = integrator == CORD_SYMPLECTIC ? CORD_TWIST_QUASISTATIC : CORD_TWIST_DYNAMIC;
    if (cord_world_create(&world, &w) != CORD_OK) return;
    cord_status status = cord_world_add_strand(w, &def, &s);
    if (status == CORD_OK) status = give_surface(w, s, 0.2);
    if (status == CORD_OK) status = pull(w, s, 0, x, -2);
    if (status == CORD_OK) status = pull(w, s, length, x + 3 * (size_t)(n - 1), 2);
    const char *name = bench_text(b, "trefoil, %d vertices, %s", n,
                                  integrator == CORD_SYMPLECTIC ? "symplectic" : "implicit");
    const int warm = (int)(0.5 / h), steps = (int)((bench_quick(b) ? 0.05 : 0.3) / h);
    if (bench_ok(b, w, status, name)) bench_contact_steps(b, w, name, h, warm, steps, bar);
    cord_world_destroy(w);
}

/* A hanging parabola whose ends turn against each other until it winds round itself. */
static void plectoneme(bench *b, int n, double h, double bar)
{
    double x[900];
    /* 60 rad each, about the tangents of the ends. */
    const double times[3] = {0, 1, 100}, c = 60 * 0.3511234416, s0 = 60 * 0.9363291776;
    const double turn[9] = {0, 0, 0, c, 0, -s0, c, 0, -s0},
                 back[9] = {0, 0, 0, -c, 0, -s0, -c, 0, -s0};
    cord_world_def world = cord_world_def_default();
    cord_strand_def def = cord_strand_def_default();
    cord_point_def script[2] = {cord_point_def_default(), cord_point_def_default()};
    cord_world *w;
    cord_strand s;
    world.integrator = CORD_SYMPLECTIC;
    world.threads = 1;
    for (int i = 0; i < n; i++) {
        double u = 2.0 * i / (n - 1) - 1;
        x[3 * i] = 0.3 * u, x[3 * i + 1] = 0.001 * sin(7 * u), x[3 * i + 2] = 0.4 * (u * u - 1);
    }
    def.vertex_count = n;
    def.positions = x;
    def.section.radius = 0.004;
    def.material.young = 1e6;
    def.material.density = 1000;
    def.drag = 0.2;
    script[0].rotation = (cord_keys){3, times, turn, CORD_EASE_LINEAR};
    script[1].rotation = (cord_keys){3, times, back, CORD_EASE_LINEAR};
    if (cord_world_create(&world, &w) != CORD_OK) return;
    cord_status status = cord_world_add_strand(w, &def, &s);
    if (status == CORD_OK) status = give_surface(w, s, 0.1);
    cord_strand_info info;
    if (status == CORD_OK) status = cord_strand_get_info(w, s, &info);
    for (int end = 0; status == CORD_OK && end < 2; end++)
        status = cord_world_clamp_strand(w, s, end * info.length, script + end, NULL, NULL, NULL);
    const char *name = bench_text(b, "plectoneme, %d vertices, symplectic", n);
    const int warm = (int)(0.9 / h), steps = (int)((bench_quick(b) ? 0.003 : 0.03) / h);
    if (bench_ok(b, w, status, name)) bench_contact_steps(b, w, name, h, warm, steps, bar);
    cord_world_destroy(w);
}

void bench_contact_knots(bench *b)
{
    trefoil(b, 60, CORD_SYMPLECTIC, 2e-4, 0.06);
    trefoil(b, 60, CORD_IMPLICIT, 2e-3, 0.4);
    trefoil(b, 200, CORD_IMPLICIT, 2e-3, 0);
    plectoneme(b, 275, 3e-5, 0.2);
}
