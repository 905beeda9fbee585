/* Capstan: the ratio of tensions of a rope that slides over a fixed cylinder. */
#include "math/vec3.h"
#include "validation/contact/contact.h"
#include "validation/contact/scenes.h"
#include <math.h>
#include <stdlib.h>

static const double pi = 3.14159265358979323846;
static const double R = 0.1, rho = 0.002, T = 10, speed = 0.01; /* m, m, N, m/s */
enum { STEPS = 20 };

typedef struct capstan {
    double friction, turns;
    int per_turn; /* edges */
    bool surface; /* contact at the surface: the twist has inertia */
} capstan;

typedef struct winding {
    double angle, first; /* of the wound part; its start, along the rope */
    double radius, pitch;
} winding;

/* A helix of constant pitch on the cylinder about z, with tangents at both ends. */
static void winding_tangent(const void *user, double s, double t[3])
{
    const winding *w = user;
    double slope = w->pitch / (2 * pi * w->radius), c = 1 / sqrt(1 + slope * slope);
    double angle = fmin(fmax((s - w->first) * c / w->radius, 0), w->angle);
    v3_set(t, -sin(angle) * c, cos(angle) * c, slope * c);
}

/* The rope, a load at its start along the tangent, and a point that pulls its end. */
static cord_status wind(const capstan *c, rod *r)
{
    winding of = {.angle = 2 * pi * c->turns, .radius = R + rho, .pitch = 3 * rho};
    double slope = of.pitch / (2 * pi * of.radius), stretch = sqrt(1 + slope * slope);
    double edge = 2 * pi * of.radius * stretch / c->per_turn, t[3];
    int tail = c->per_turn / 6, edges = (int)lround(c->turns * c->per_turn) + 2 * tail;
    rod_plan p = rod_plan_unit(edges, edges * edge);
    p.strand.section = (cord_section){.kind = CORD_SECTION_EXPLICIT,
                                      .mass = 0.01,
                                      .bending = {1e-7, 1e-7},
                                      .twisting = 1e-7,
                                      .rotary_inertia = 0.5 * 0.01 * rho * rho,
                                      .radius = rho};
    p.strand.twist_mode = c->surface ? CORD_TWIST_DYNAMIC : CORD_TWIST_QUASISTATIC;
    of.first = tail * edge;
    double *x = malloc(3 * (size_t)(edges + 1) * sizeof *x);
    if (!x) return CORD_ERROR_MEMORY;
    winding_tangent(&of, 0, t);
    v3_set(x, of.radius, 0, 0);
    v3_axpy(x, -of.first, t);
    rod_trace(edges, p.length, NULL, winding_tangent, &of, x);
    p.shape = x;
    cord_status status = rod_make(&p, r);
    free(x);
    return status;
}

static cord_status hold(const capstan *c, rod *r)
{
    double forward[3], backward[3];
    v3_sub(backward, r->x, r->x + 3);
    v3_scale(backward, T / v3_norm(backward), backward);
    v3_sub(forward, rod_tip(r), rod_tip(r) - 3);
    v3_scale(forward, speed / v3_norm(forward), forward);
    const double times[2] = {0, 1}, path[6] = {0, 0, 0, forward[0], forward[1], forward[2]};
    cord_point_def pull = cord_point_def_default(), on = cord_point_def_default();
    cord_constraint_def def = cord_constraint_def_default();
    cord_constraint made;
    cord_load_def load = cord_load_def_default();
    cord_load weight;
    pull.motion = (cord_keys){.count = 2, .times = times, .values = path};
    v3_copy(pull.position, rod_tip(r));
    on.source = CORD_SOURCE_STRAND, on.strand = r->strand;
    v3_copy(load.force, backward);
    cord_status status = cord_world_add_point(r->world, &on, &load.point);
    on.s = r->length;
    if (status == CORD_OK) status = cord_world_add_load(r->world, &load, &weight);
    if (status == CORD_OK) status = cord_world_add_point(r->world, &on, &def.first);
    if (status == CORD_OK) status = cord_world_add_point(r->world, &pull, &def.second);
    if (status == CORD_OK) status = cord_world_add_constraint(r->world, &def, &made);
    if (status == CORD_OK) status = contact_set_law(r->world, c->friction, 1e-7);
    if (status == CORD_OK) status = contact_add_surface(r->world, r->strand, rho, false);
    if (status == CORD_OK)
        status = contact_add_cylinder(r->world, (double[3]){0, 0, 0}, (double[3]){0, 0, 1}, R, 2);
    return status;
}

static bool measure(validation *v, const capstan *c, double *ratio, coulomb_audit *audit)
{
    rod r = {0};
    double *tension = NULL;
    cord_status status = wind(c, &r);
    if (status == CORD_OK) status = hold(c, &r);
    for (int i = 0; status == CORD_OK && i < STEPS; i++) {
        status = cord_world_step(r.world, 0.002);
        if (status == CORD_OK) status = contact_audit(r.world, audit);
    }
    if (status == CORD_OK && !(tension = malloc((size_t)r.edges * sizeof *tension)))
        status = CORD_ERROR_MEMORY;
    if (status == CORD_OK) status = cord_strand_get_tensions(r.world, r.strand, tension);
    bool ok = validation_ok(v, r.world, status, "capstan");
    if (ok) *ratio = tension[r.edges - 1] / tension[0];
    free(tension);
    rod_free(&r);
    return ok;
}

/* The polygon turns by 2π/n at a vertex. */
void check_contact_capstan(validation *v)
{
    const int per_turn = 80;
    for (int surface = 0; surface < 2; surface++) {
        const char *name = surface ? "contact at the surface" : "contact at the centreline";
        coulomb_audit audit = {.friction = 0.15, .velocity = speed, .radius = rho};
        for (int turns = 1; turns <= (validation_quick(v) ? 2 : 3); turns++) {
            const capstan c = {0.15, turns, per_turn, surface};
            double exponent = c.friction * 2 * pi * turns, ratio;
            if (surface) exponent *= R / (R + rho);
            if (!measure(v, &c, &ratio, &audit)) return;
            validation_row(v, name, validation_text(v, "ratio of tensions, %d turns", turns), ratio,
                           exp(exponent), 0.002 * exp(exponent));
        }
        contact_audit_rows(v, name, &audit, 1e-3);
    }
}
