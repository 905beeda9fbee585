/* Contact in equilibria and in quasi-static steps. */
#include "math/vec3.h"
#include "validation/contact/contact.h"
#include "validation/contact/scenes.h"
#include "validation/csv.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double pi = 3.14159265358979323846;

/* ---- a rod that is pushed against a plane ------------------------------------------------------------ */

enum { EDGES = 40, STEPS = 400 };
static const double rho = 1e-3;

/* A bent start: θ = a s (2 − 3s) from the vertical has its tip below the clamp to third order; the clamp moves over it. */
static void bent_tangent(const void *user, double s, double t[3])
{
    const double theta = 0.6 * s * (2 - 3 * s);
    (void)user;
    v3_set(t, sin(theta), 0, -cos(theta));
}

static cord_status stand(double lowered, rod *r)
{
    double x[3 * (EDGES + 1)] = {0, 0, 1}, natural[3 * (EDGES + 1)];
    rod_plan p = rod_plan_unit(EDGES, 1);
    p.world.integrator = CORD_QUASI_STATIC;
    rod_trace(EDGES, 1, NULL, bent_tangent, NULL, x);
    const double down = rho - x[3 * EDGES + 2], times[2] = {0, 1};
    for (int i = 0; i <= EDGES; i++) {
        x[3 * i + 2] += down;
        v3_set(natural + 3 * i, 0, 0, -(double)i / EDGES);
    }
    const double path[6] = {x[3 * EDGES], 0, 0, x[3 * EDGES], 0, 1 + rho - x[2] - lowered};
    p.shape = x;
    p.strand.natural_positions = natural;
    cord_point_def script = cord_point_def_default();
    script.motion = (cord_keys){.count = 2, .times = times, .values = path};
    cord_status status = rod_make(&p, r);
    return status == CORD_OK
               ? cord_world_clamp_strand(r->world, r->strand, 0, &script, NULL, NULL, NULL)
               : status;
}

/* ε at the middle of the step in which the tip leaves its position. Then it jumps, and the step may fail. */
static bool find_onset(validation *v, double friction, double limit, double *onset)
{
    rod r = {0};
    cord_status status = stand(limit, &r);
    if (status == CORD_OK) status = contact_set_law(r.world, 1, 1e-9);
    if (status == CORD_OK) status = contact_add_surface(r.world, r.strand, rho, false);
    if (status == CORD_OK) status = contact_add_floor(r.world);
    if (status == CORD_OK) status = cord_world_step(r.world, 1.0 / STEPS);
    if (status == CORD_OK) status = contact_set_law(r.world, friction, 1e-9);
    if (status == CORD_OK) status = rod_read(&r);
    const double tip = status == CORD_OK ? rod_tip(&r)[0] : 0;
    bool sticks = true;
    *onset = NAN;
    for (int i = 1; status == CORD_OK && sticks && i < STEPS; i++) {
        double before = 1 + rho - r.x[2];
        sticks = cord_world_step(r.world, 1.0 / STEPS) == CORD_OK;
        status = rod_read(&r);
        sticks = sticks && fabs(rod_tip(&r)[0] - tip) < 1e-6;
        if (!sticks) *onset = before + 0.5 * fabs(1 + rho - r.x[2] - before);
    }
    bool ok = validation_ok(v, r.world, status, "pushed rod");
    rod_free(&r);
    return ok;
}

void check_quasi_static_slip(validation *v)
{
    csv table;
    if (!csv_open(v, "09_stick_slip_onset.csv", &table)) return;
    for (int i = 0; i < table.rows; i++) {
        const double friction = csv_number(&table, i, csv_column(&table, "mu"));
        const double expected = csv_number(&table, i, csv_column(&table, "eps_crit"));
        if (!(fabs(10 * friction - round(10 * friction)) < 1e-9 && friction < 0.35)) continue;
        double onset;
        if (!find_onset(v, friction, 1.05 * expected, &onset)) break;
        validation_row(v, validation_text(v, "μ = %g", friction), "ε of the onset of slip", onset,
                       expected, 0.01 * expected);
    }
    csv_close(&table);
}

/* ---- twining ----------------------------------------------------------------------------------------- */

enum { ELEMENTS = 5 };
static const double length = 4;

typedef struct twined {
    double force; /* on the tip */
    double angle; /* of the tip about the centre, from the clamp on */
    double tilt;  /* of its tangent to the disk */
    int unstable;
} twined;

/* A planar chain of natural curvature ρ/R round a disk, R = 1, clamped along it at its start. */
static cord_status wind(double ratio, rod *r)
{
    const double frame[9] = {0, 1, 0, -1, 0, 0, 0, 0, 1}, radius = 0.01;
    double curvatures[3 * (ELEMENTS + 1)] = {0}, natural[6 * ELEMENTS] = {0};
    rod_plan p = rod_plan_unit(10 * ELEMENTS, length);
    for (int i = 0; i <= ELEMENTS; i++) curvatures[3 * i + 1] = 1;
    for (int i = 0; i < 2 * ELEMENTS; i++) natural[3 * i + 1] = ratio;
    p.strand.model = CORD_MODEL_CLOTHOID;
    p.strand.planar = true;
    p.strand.element_count = ELEMENTS;
    p.strand.curvatures = curvatures, p.strand.natural_curvatures = natural;
    p.strand.length = length;
    memcpy(p.strand.base_frame, frame, sizeof frame);
    v3_set(p.strand.base_position, 1, 0, 0);
    v3_set(p.start, 1, 0, 0);
    cord_status status = rod_make(&p, r);
    if (status == CORD_OK) status = rod_clamp_first(r, NULL, NULL);
    if (status == CORD_OK) status = contact_add_surface(r->world, r->strand, radius, false);
    if (status == CORD_OK)
        status = contact_add_cylinder(r->world, (double[3]){0, 0, 0}, (double[3]){0, 0, 1},
                                      1 - radius, 1);
    return status;
}

/* The direction of an edge, from the last one backwards, in the plane. */
static double edge_direction(const rod *r, int back)
{
    const double *x = rod_tip(r) - 3 * back;
    return atan2(x[1] - x[-2], x[0] - x[-3]);
}

/* The tangent at the tip is half an edge beyond the last edge; it points into the disk. */
static double tip_tilt(const rod *r)
{
    const double last = edge_direction(r, 0), before = edge_direction(r, 1);
    const double tangent = last + 0.5 * remainder(last - before, 2 * pi);
    const double around = atan2(rod_tip(r)[1], rod_tip(r)[0]) + 0.5 * pi;
    return remainder(tangent - around, 2 * pi);
}

static cord_status read_tip(rod *r, twined *out)
{
    enum { MOST = 256 };
    static cord_contact list[MOST];
    int count;
    cord_status status = cord_world_get_contacts(r->world, MOST, list, &count);
    if (status == CORD_OK) status = rod_read(r);
    out->force = 0;
    for (int i = 0; status == CORD_OK && i < count; i++)
        if (list[i].first.s > 0.999 * length) out->force += v3_norm(list[i].force);
    if (status == CORD_OK) out->angle = atan2(rod_tip(r)[1], rod_tip(r)[0]) + 2 * pi;
    if (status == CORD_OK) out->tilt = tip_tilt(r);
    return status;
}

/* Whether the tip holds on to the disk. Beyond the threshold there is no equilibrium nearby, and the search may fail. */
static bool twines(validation *v, double ratio, twined *out)
{
    rod r = {0};
    cord_statics_result found = {0};
    cord_status status = wind(ratio, &r);
    bool made = validation_ok(v, r.world, status, "twining");
    bool holds = made && cord_world_find_equilibrium(r.world, NULL, &found) == CORD_OK;
    if (holds) holds = read_tip(&r, out) == CORD_OK && out->force > 0;
    out->unstable = found.unstable_directions;
    rod_free(&r);
    return holds;
}

static void check_branch(validation *v, const csv *table)
{
    const int every = validation_quick(v) ? 8 : 4;
    for (int i = 0; i < table->rows; i += every) {
        if (strcmp(csv_text(table, i, csv_column(table, "branch")), "lower(stable)") != 0) continue;
        const double ratio = csv_number(table, i, 0), beta = csv_number(table, i, 1);
        const double l = csv_number(table, i, 2), force = csv_number(table, i, 3);
        if (ratio > 3) continue; /* near the fold small errors of ρ move the tip far */
        const char *name = validation_text(v, "ρ = %.4g", ratio);
        twined at;
        if (!twines(v, ratio, &at)) {
            validation_fail(v, name, "no equilibrium with the tip on the disk");
            continue;
        }
        validation_row(v, name, "force on the tip, B/R²", at.force, force, 0.02 * force);
        validation_row(v, name, "polar angle of the tip, rad", at.angle, length - l + beta, 0.02);
        /* An error of the length of the span, 0.02, turns the tip by that times its curvature. */
        validation_row(v, name, "angle of the tip to the disk, rad", at.tilt,
                       csv_number(table, i, 5), 0.02 * ratio);
        validation_row(v, name, "unstable directions", at.unstable, 0, 0.5);
    }
}

void check_twining(validation *v)
{
    const double expected = 3.30927238;
    csv table;
    if (!csv_open(v, "11_twining_branch.csv", &table)) return;
    check_branch(v, &table);
    csv_close(&table);
    double low = 0.98 * expected, high = 1.02 * expected;
    twined at;
    while (high - low > 1e-3 * expected) {
        double middle = 0.5 * (low + high);
        *(twines(v, middle, &at) ? &low : &high) = middle;
    }
    validation_row(v, "threshold", "largest natural curvature times R", 0.5 * (low + high),
                   expected, 0.01 * expected);
}

/* ---- a heavy rod on a floor -------------------------------------------------------------------------- */

/* One end is raised by δ = w l⁴/24 EI; the weight that the floor bears gives the length l off it. Chains have eight elements:
 * with twelve and l = 0.7 the search does not converge. */
static bool raise_end(validation *v, const char *model, double l, double *found)
{
    const double weight = 1, radius = 0.01, raised = weight * l * l * l * l / 24;
    rod r = {0};
    double force[3] = {0};
    int count;
    rod_plan p = rod_plan_unit(60, 1);
    p.world.gravity[2] = -weight;
    p.strand.model = model;
    p.strand.element_count = 8;
    v3_set(p.start, 0, 0, radius);
    cord_point_def on = cord_point_def_default(), at = cord_point_def_default();
    cord_constraint_def def = cord_constraint_def_default();
    cord_constraint made;
    on.source = CORD_SOURCE_STRAND;
    v3_set(at.position, 0, 0, radius + raised);
    cord_status status = rod_make(&p, &r);
    on.strand = r.strand;
    if (status == CORD_OK) status = cord_world_add_point(r.world, &on, &def.first);
    if (status == CORD_OK) status = cord_world_add_point(r.world, &at, &def.second);
    if (status == CORD_OK) status = cord_world_add_constraint(r.world, &def, &made);
    if (status == CORD_OK) status = contact_add_surface(r.world, r.strand, radius, false);
    if (status == CORD_OK) status = contact_add_floor(r.world);
    if (status == CORD_OK) status = cord_world_find_equilibrium(r.world, NULL, NULL);
    if (status == CORD_OK) status = contact_force_on(r.world, r.strand, force, &count);
    *found = 2 * (1 - force[2] / weight);
    bool ok = validation_ok(v, r.world, status, "raised end");
    rod_free(&r);
    return ok;
}

void check_raised_end(validation *v)
{
    static const char *const models[] = {CORD_MODEL_DER, CORD_MODEL_CLOTHOID};
    for (int k = 0; k < 2; k++)
        for (int i = 0; i < 3; i++) {
            double l = 0.4 + 0.15 * i, found;
            if (!raise_end(v, models[k], l, &found)) continue;
            validation_row(v, models[k], validation_text(v, "length off the floor, of %g", l),
                           found, l, 0.01 * l);
        }
}
