/* Energy that the time integration of contacts dissipates, beside the same motions without contact. No friction but that
 * of rolling acts, so that the exact motions keep their energy. */
#include "math/vec3.h"
#include "validation/contact/contact.h"
#include "validation/contact/scenes.h"
#include <math.h>

static const double pi = 3.14159265358979323846;
static const double gravity = 9.81;

/* ---- a rope that swings from a peg ------------------------------------------------------------------ */

enum { SWINGS = 4, ROPE_EDGES = 48 };
static const double peg = 0.05, rope_radius = 0.005, lying = 0.2, hanging = 0.76;

/* From a pin along the top of the peg, round a quarter of it, and down, inclined outwards by 0.2 rad. */
static void over_peg(const void *user, double s, double t[3])
{
    const double around = peg + rope_radius, bend = 0.5 * pi - 0.2;
    double angle = fmin(fmax((s - lying) / around, 0), bend);
    (void)user;
    v3_set(t, cos(angle), 0, -sin(angle));
}

static cord_status hang_rope(rod *r, bool on_peg, cord_scheme scheme, double drag)
{
    double x[3 * (ROPE_EDGES + 1)] = {0};
    rod_plan p = rod_plan_common(ROPE_EDGES);
    p.world.scheme = scheme;
    p.length = on_peg ? lying + hanging : hanging;
    p.strand.material = (cord_material){.density = 1000, .young = 1e6, .poisson = 0.5};
    p.strand.section.radius = rope_radius;
    p.strand.drag = drag;
    v3_set(x, -lying, 0, peg + rope_radius);
    v3_set(p.direction, sin(0.2), 0, -cos(0.2));
    if (on_peg) {
        rod_trace(p.edges, p.length, NULL, over_peg, NULL, x);
        p.shape = x;
    }
    cord_status status = rod_make(&p, r);
    if (status == CORD_OK) status = rod_pin(r, 0, NULL, NULL);
    if (status != CORD_OK || !on_peg) return status;
    status = contact_set_law(r->world, 0, 1e-8);
    if (status == CORD_OK) status = contact_add_surface(r->world, r->strand, 0, true);
    return status == CORD_OK
               ? contact_add_cylinder(r->world, (double[3]){0, 0, 0}, (double[3]){0, 1, 0}, peg, 1)
               : status;
}

/* The energy of the rope at rest: drag brings it there. */
static cord_status rest_energy(bool on_peg, double *energy)
{
    rod r = {0};
    cord_energy e = {0};
    cord_status status = hang_rope(&r, on_peg, CORD_BACKWARD_EULER, 2);
    for (int i = 0; status == CORD_OK && i < 400; i++) status = cord_world_step(r.world, 0.01);
    if (status == CORD_OK) status = cord_world_get_energy(r.world, &e);
    *energy = e.total;
    rod_free(&r);
    return status;
}

/* The mean fraction of the energy of swinging that a period loses. The first one is left out: the polygon is laid on the peg with
 * small overlaps, whose removal does work. */
static bool swing_loss(validation *v, bool on_peg, cord_scheme scheme, double h, double *loss)
{
    rod r = {0};
    double rest = 0, before[2] = {0}, lost = 0;
    cord_energy e[2] = {{0}};
    int extremes = 0;
    const int first = 2, last = first + 2 * SWINGS;
    cord_status status = rest_energy(on_peg, &rest);
    if (status == CORD_OK) status = hang_rope(&r, on_peg, scheme, 0);
    for (int i = 0; status == CORD_OK && extremes < last && i < 12 * SWINGS / h; i++) {
        status = cord_world_step(r.world, h);
        if (status == CORD_OK) status = rod_read(&r);
        double now = rod_tip(&r)[0];
        if (i > 0.2 / h && (now - before[0]) * (before[0] - before[1]) < 0) {
            extremes++;
            if (extremes == first) status = cord_world_get_energy(r.world, e);
        }
        before[1] = before[0], before[0] = now;
    }
    if (status == CORD_OK) status = cord_world_get_energy(r.world, e + 1);
    bool ok = validation_ok(v, r.world, status, "swinging rope");
    lost = (e[0].total - e[1].total) / (e[0].total - rest);
    *loss = extremes == last ? lost / SWINGS : NAN;
    rod_free(&r);
    return ok;
}

static void swinging(validation *v)
{
    const double steps[2] = {0.005, 0.0025};
    for (int k = 0; k < 2; k++) {
        const char *name = validation_text(v, "swinging rope, steps of %g ms", 1e3 * steps[k]);
        double loss[3];
        if (!swing_loss(v, true, CORD_TR_BDF2, steps[k], loss) ||
            !swing_loss(v, false, CORD_TR_BDF2, steps[k], loss + 1) ||
            !swing_loss(v, false, CORD_BACKWARD_EULER, steps[k], loss + 2))
            return;
        validation_row_below(v, name, "energy lost in a period, on a peg", loss[0], 0.01);
        validation_row_below(v, name, "without contact", loss[1], 0.01);
        validation_row_below(v, name, "without contact, by backward Euler", loss[2], 0.5);
    }
}

/* ---- a ring that bounces ------------------------------------------------------------------------------ */

enum { RING_EDGES = 48 };
static const double ring_radius = 0.1, thickness = 0.01, fall = 0.1;

/* An upright ring, naturally round: above the floor; or without weight, with the velocities V cos 2φ along the radius and
 * −(V/2) sin 2φ round it, which begin its slowest vibration and keep lengths. */
static cord_status make_ring(rod *r, double velocity, cord_scheme scheme)
{
    double x[3 * RING_EDGES], v[3 * RING_EDGES];
    rod_plan p = rod_plan_common(RING_EDGES);
    p.world.scheme = scheme;
    if (velocity > 0) p.world.gravity[2] = 0;
    for (int i = 0; i < RING_EDGES; i++) {
        const double angle = 2 * pi * i / RING_EDGES, c = cos(angle), up = sin(angle);
        const double out = velocity * cos(2 * angle), round = -0.5 * velocity * sin(2 * angle);
        v3_set(x + 3 * i, ring_radius * c, 0, ring_radius * (up + 1) + thickness + fall);
        v3_set(v + 3 * i, out * c - round * up, 0, out * up + round * c);
    }
    cord_strand_def def = p.strand;
    def.closed = true;
    def.vertex_count = RING_EDGES;
    def.positions = x;
    def.velocities = v;
    def.section.radius = thickness;
    def.material.young = 1e7;
    *r = (rod){.edges = RING_EDGES, .vertices = RING_EDGES};
    cord_status status = cord_world_create(&p.world, &r->world);
    return status == CORD_OK ? cord_world_add_strand(r->world, &def, &r->strand) : status;
}

/* The fraction of the energy of the fall that the first bounce loses: the ring is off the floor again after 0.25 s. */
static bool bounce_loss(validation *v, double h, double *loss)
{
    rod r = {0};
    cord_energy before = {0}, after = {0};
    cord_strand_info info = {0};
    double force[3];
    int contacts = 0, touched = 0;
    cord_status status = make_ring(&r, 0, CORD_TR_BDF2);
    if (status == CORD_OK) status = contact_set_law(r.world, 0, 1e-8);
    if (status == CORD_OK) status = contact_add_surface(r.world, r.strand, 0, true);
    if (status == CORD_OK) status = contact_add_floor(r.world);
    if (status == CORD_OK) status = cord_world_get_energy(r.world, &before);
    if (status == CORD_OK) status = cord_strand_get_info(r.world, r.strand, &info);
    for (int i = 0; status == CORD_OK && i < 1 / h && (!touched || contacts); i++) {
        status = cord_world_step(r.world, h);
        if (status == CORD_OK) status = contact_force_on(r.world, r.strand, force, &contacts);
        touched += contacts > 0;
    }
    if (status == CORD_OK) status = cord_world_get_energy(r.world, &after);
    *loss = (before.total - after.total) / (info.mass * gravity * fall);
    bool ok = validation_ok(v, r.world, status, "bouncing ring");
    rod_free(&r);
    return ok;
}

/* The fraction of the energy of its slowest vibration that a ring without contact loses in half a period, about as long as
 * it is on the floor: until its bending energy has risen and fallen. */
static bool vibration_loss(validation *v, double h, cord_scheme scheme, double *loss)
{
    rod r = {0};
    cord_energy start = {0}, now = {0};
    cord_status status = make_ring(&r, 0.5, scheme);
    if (status == CORD_OK) status = cord_world_get_energy(r.world, &start);
    bool bent = false;
    for (int i = 0; status == CORD_OK && i < 1 / h; i++) {
        status = cord_world_step(r.world, h);
        if (status == CORD_OK) status = cord_world_get_energy(r.world, &now);
        bent = bent || now.bending > now.kinetic;
        if (bent && now.bending < 0.1 * now.kinetic) break;
    }
    *loss = (start.kinetic - now.kinetic - now.bending) / start.kinetic;
    bool ok = validation_ok(v, r.world, status, "vibrating ring");
    rod_free(&r);
    return ok;
}

static void bouncing(validation *v)
{
    const double steps[2] = {0.002, 0.0005};
    for (int k = 0; k < 2; k++) {
        const char *name = validation_text(v, "bouncing ring, steps of %g ms", 1e3 * steps[k]);
        double loss[3];
        if (!bounce_loss(v, steps[k], loss) ||
            !vibration_loss(v, steps[k], CORD_TR_BDF2, loss + 1) ||
            !vibration_loss(v, steps[k], CORD_BACKWARD_EULER, loss + 2))
            return;
        validation_row_below(v, name, "energy lost in a bounce", loss[0], 0.05);
        validation_row_below(v, name, "in half a vibration without contact", loss[1], 0.05);
        validation_row_below(v, name, "the same, by backward Euler", loss[2], 1);
    }
}

/* ---- a rod that rolls ---------------------------------------------------------------------------------- */

/* The fraction of the kinetic energy gained in a second that is missing. Without contact: in free fall. */
static bool fall_loss(validation *v, bool rolls, double h, double *loss)
{
    rod r = {0};
    cord_energy e[2] = {{0}};
    rod_plan p = rod_plan_common(10);
    const double rho = 0.01, angle = 0.2;
    p.strand.section = (cord_section){.kind = CORD_SECTION_EXPLICIT,
                                      .mass = 0.1,
                                      .bending = {10, 10},
                                      .twisting = 10,
                                      .rotary_inertia = 0.5 * 0.1 * rho * rho,
                                      .radius = rho};
    p.strand.twist_mode = CORD_TWIST_DYNAMIC;
    v3_set(p.direction, 0, 1, 0);
    p.strand.director[1] = p.strand.natural_director[1] = 0;
    v3_set(p.start, 0, 0, rho);
    v3_set(p.world.gravity, gravity * sin(angle), 0, -gravity * cos(angle));
    cord_status status = rod_make(&p, &r);
    if (status == CORD_OK && rolls) {
        status = contact_set_law(r.world, 0.5, 1e-9);
        if (status == CORD_OK) status = contact_add_surface(r.world, r.strand, rho, true);
        if (status == CORD_OK) status = contact_add_floor(r.world);
    }
    if (status == CORD_OK) status = cord_world_get_energy(r.world, e);
    for (int i = 0; status == CORD_OK && i < (int)lround(1 / h); i++)
        status = cord_world_step(r.world, h);
    if (status == CORD_OK) status = cord_world_get_energy(r.world, e + 1);
    *loss = (e[0].total - e[1].total) / e[1].kinetic;
    bool ok = validation_ok(v, r.world, status, "rolling rod");
    rod_free(&r);
    return ok;
}

void check_contact_losses(validation *v)
{
    double loss[2];
    swinging(v);
    bouncing(v);
    if (!fall_loss(v, true, 0.005, loss) || !fall_loss(v, false, 0.005, loss + 1)) return;
    validation_row_below(v, "rolling rod, steps of 5 ms", "energy lost in a second", loss[0], 1e-3);
    validation_row_below(v, "rolling rod, steps of 5 ms", "without contact, falling", loss[1],
                         1e-3);
}
