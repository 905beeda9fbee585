/* Five strands plaited along figures of eight, which straighten and press on each other: y = A sin φ, z = B sin 2φ with phases of a
 * fifth of a turn between them. */
#include "bench/contact/contact.h"

#include <math.h>
#include <string.h>

enum { STRANDS = 5, VERTICES = 60 };
static const double LENGTH = 1, RADIUS = 0.006, PI = 3.14159265358979323846;

static void lay(int strand, double *x)
{
    for (int i = 0; i < VERTICES; i++) {
        const double u = (double)i / (VERTICES - 1);
        const double phase = 2 * PI * (2 * u + (double)strand / STRANDS);
        x[3 * i] = LENGTH * (u - 0.5);
        x[3 * i + 1] = 5 * RADIUS * sin(phase);
        x[3 * i + 2] = 2.2 * RADIUS * sin(2 * phase);
    }
}

static void straighten(const double *x, double *natural)
{
    double length = 0;
    memset(natural, 0, 3 * VERTICES * sizeof *natural);
    for (int i = 1; i < VERTICES; i++) {
        const double *a = x + 3 * (i - 1), *c = x + 3 * i;
        length += sqrt((c[0] - a[0]) * (c[0] - a[0]) + (c[1] - a[1]) * (c[1] - a[1]) +
                       (c[2] - a[2]) * (c[2] - a[2]));
        natural[3 * i] = length;
    }
}

/* The ends stay where they are. */
static cord_status hold(cord_world *w, cord_strand s, double at, const double x[3])
{
    cord_point_def on = cord_point_def_default(), fixed = cord_point_def_default();
    cord_constraint_def rows = cord_constraint_def_default();
    cord_constraint made;
    on.source = CORD_SOURCE_STRAND;
    on.strand = s;
    on.s = at;
    memcpy(fixed.position, x, sizeof fixed.position);
    rows.kind = CORD_COINCIDE;
    cord_status status = cord_world_add_point(w, &on, &rows.first);
    if (status == CORD_OK) status = cord_world_add_point(w, &fixed, &rows.second);
    return status == CORD_OK ? cord_world_add_constraint(w, &rows, &made) : status;
}

static cord_status add_strand(cord_world *w, int strand, cord_twist twist)
{
    double x[3 * VERTICES], natural[3 * VERTICES];
    cord_strand_def def = cord_strand_def_default();
    cord_contact_surface surface = cord_contact_surface_default();
    cord_strand made;
    lay(strand, x);
    straighten(x, natural);
    def.vertex_count = VERTICES;
    def.positions = x;
    def.natural_positions = natural;
    def.section.radius = RADIUS;
    def.material.young = 1e6;
    def.material.density = 1000;
    def.drag = 0.5;
    def.twist_mode = twist;
    cord_status status = cord_world_add_strand(w, &def, &made);
    if (status == CORD_OK) status = cord_strand_set_surface(w, made, &surface);
    if (status == CORD_OK) status = hold(w, made, 0, x);
    return status == CORD_OK ? hold(w, made, natural[3 * (VERTICES - 1)], x + 3 * (VERTICES - 1))
                             : status;
}

static void entangled(bench *b, cord_integrator integrator, double h, double bar)
{
    const bool implicit = integrator == CORD_IMPLICIT;
    cord_world_def world = cord_world_def_default();
    cord_contact_def contact = cord_contact_def_default();
    cord_world *w;
    world.integrator = integrator;
    world.gravity[2] = 0;
    world.threads = 1;
    contact.friction = 0.3;
    if (cord_world_create(&world, &w) != CORD_OK) return;
    cord_status status = cord_world_set_contact(w, &contact);
    for (int i = 0; status == CORD_OK && i < STRANDS; i++)
        status = add_strand(w, i, implicit ? CORD_TWIST_DYNAMIC : CORD_TWIST_QUASISTATIC);
    const char *name = bench_text(b, "%d x %d entangled, %s", STRANDS, VERTICES,
                                  implicit ? "implicit" : "symplectic");
    const int warm = (int)(0.2 / h), steps = (int)((bench_quick(b) ? 0.02 : 0.1) / h);
    if (bench_ok(b, w, status, name)) bench_contact_steps(b, w, name, h, warm, steps, bar);
    cord_world_destroy(w);
}

void bench_contact_entangled(bench *b)
{
    entangled(b, CORD_SYMPLECTIC, 2e-4, 0);
    entangled(b, CORD_IMPLICIT, 2e-3, 1);
}
