/* A rod that is pushed against a plane: onset of slip at its tip. */
#include "math/vec3.h"
#include "validation/contact/contact.h"
#include "validation/contact/scenes.h"
#include "validation/csv.h"
#include <math.h>

/* Unit length and bending stiffness. The mass is small enough for inertia not to matter at this speed, and M/h² = 2000 large
 * enough for M/h² + K to be positive: contact forces alone keep the bent rod from unbending. */
enum { EDGES = 40, RELAXATION = 200 };
static const double rho = 1e-3, mass = 0.05, speed = 0.01, h = 0.005;

/* A bent start: θ = a s (2 − 3s) from the vertical has its tip below the clamp, to third order. */
static void bent_tangent(const void *user, double s, double t[3])
{
    const double theta = 0.2 * s * (2 - 3 * s);
    (void)user;
    v3_set(t, sin(theta), 0, -cos(theta));
}

static cord_status lower(const double start[3], rod *r)
{
    double x[3 * (EDGES + 1)], natural[3 * (EDGES + 1)];
    rod_plan p = rod_plan_unit(EDGES, 1);
    v3_copy(x, start);
    rod_trace(EDGES, 1, NULL, bent_tangent, NULL, x);
    const double down = rho - x[3 * EDGES + 2];
    for (int i = 0; i <= EDGES; i++) {
        x[3 * i + 2] += down;
        v3_set(natural + 3 * i, 0, 0, -(double)i / EDGES);
    }
    p.shape = x;
    p.strand.natural_positions = natural;
    p.strand.section.mass = mass;
    return rod_make(&p, r);
}

/* The clamp rests while the rod comes to its equilibrium, and then moves. */
static cord_status clamp(rod *r)
{
    const double begin = RELAXATION * h;
    const double times[3] = {0, begin, begin + 50}, path[9] = {0, 0, 0, 0, 0, 0, 0, 0, -50 * speed};
    cord_point_def script = cord_point_def_default();
    script.motion = (cord_keys){.count = 3, .times = times, .values = path};
    return cord_world_clamp_strand(r->world, r->strand, 0, &script, NULL, NULL, NULL);
}

/* ε at the first step in which the tip leaves its position. */
static bool find_onset(validation *v, double friction, double limit, double *onset,
                       coulomb_audit *audit)
{
    rod r = {0};
    double tip = 0;
    cord_status status = lower((double[3]){0, 0, 1}, &r);
    if (status == CORD_OK) status = clamp(&r);
    if (status == CORD_OK) status = contact_set_law(r.world, 1, 1e-9);
    if (status == CORD_OK) status = contact_add_surface(r.world, r.strand, rho, true);
    if (status == CORD_OK) status = contact_add_floor(r.world);
    *onset = NAN;
    for (int i = 0; status == CORD_OK && isnan(*onset) && i < RELAXATION + limit / (speed * h);
         i++) {
        if (i == RELAXATION) {
            status = contact_set_law(r.world, friction, 1e-9);
            tip = rod_tip(&r)[0];
        }
        if (status == CORD_OK) status = cord_world_step(r.world, h);
        if (status == CORD_OK) status = rod_read(&r);
        if (status == CORD_OK && i >= RELAXATION) status = contact_audit(r.world, audit);
        if (i > RELAXATION && fabs(rod_tip(&r)[0] - tip) > 1e-5) *onset = 1 + rho - r.x[2];
    }
    bool ok = validation_ok(v, r.world, status, "pushed rod");
    rod_free(&r);
    return ok;
}

void check_pushed_rod(validation *v)
{
    csv table;
    if (!csv_open(v, "09_stick_slip_onset.csv", &table)) return;
    coulomb_audit audit = {.velocity = 1, .radius = rho};
    for (int i = 0; i < table.rows; i++) {
        const double friction = csv_number(&table, i, csv_column(&table, "mu"));
        const double expected = csv_number(&table, i, csv_column(&table, "eps_crit"));
        if (!(fabs(10 * friction - round(10 * friction)) < 1e-9 && friction < 0.35)) continue;
        double onset;
        audit.friction = friction;
        if (!find_onset(v, friction, 1.2 * expected, &onset, &audit)) break;
        validation_row(v, validation_text(v, "μ = %g", friction), "ε of the onset of slip", onset,
                       expected, 0.01 * expected);
    }
    contact_audit_rows(v, "all", &audit, 1e-3);
    csv_close(&table);
}
