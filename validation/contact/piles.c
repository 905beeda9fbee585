/* Logs at rest: pyramids, and a light pair that carries a heavy one. */
#include "math/vec3.h"
#include "validation/contact/contact.h"
#include "validation/contact/scenes.h"
#include <math.h>
#include <stdlib.h>

static const double rho = 0.01, length = 0.4, weight_per_length = 0.3, gravity = 9.81;
enum { EDGES = 4, LOGS = 10, ROWS = 4, COORDINATES = 3 * (EDGES + 1) };

typedef struct pile {
    cord_world *world;
    cord_strand log[LOGS];
    double start[LOGS][COORDINATES];
    int logs;
    double bending; /* stiffness of logs */
} pile;

static cord_status begin(pile *p, double friction, double tolerance)
{
    cord_world_def def = cord_world_def_default();
    def.threads = 1;
    v3_set(def.gravity, 0, 0, -gravity);
    *p = (pile){.bending = 20};
    cord_status status = cord_world_create(&def, &p->world);
    if (status == CORD_OK) status = contact_set_law(p->world, friction, tolerance);
    return status == CORD_OK ? contact_add_floor(p->world) : status;
}

/* A log through `center` along x or y, of this many times the usual mass. */
static cord_status add_log(pile *p, const double center[3], int axis, double mass)
{
    cord_strand_def def = cord_strand_def_default();
    double x[COORDINATES];
    for (int i = 0; i <= EDGES; i++) {
        v3_copy(x + 3 * i, center);
        x[3 * i + axis] += length * ((double)i / EDGES - 0.5);
    }
    const double m = mass * weight_per_length;
    def.positions = x, def.vertex_count = EDGES + 1;
    def.section = (cord_section){.kind = CORD_SECTION_EXPLICIT,
                                 .mass = m,
                                 .bending = {p->bending, p->bending},
                                 .twisting = p->bending,
                                 .rotary_inertia = 0.5 * m * rho * rho,
                                 .radius = rho};
    def.twist_mode = CORD_TWIST_DYNAMIC;
    cord_status status = cord_world_add_strand(p->world, &def, &p->log[p->logs]);
    if (status == CORD_OK) status = contact_add_surface(p->world, p->log[p->logs], rho, true);
    p->logs++;
    return status;
}

static cord_status read(const pile *p, double x[LOGS][COORDINATES])
{
    cord_status status = CORD_OK;
    for (int i = 0; status == CORD_OK && i < p->logs; i++)
        status = cord_strand_get_positions(p->world, p->log[i], x[i]);
    return status;
}

static double moved(const pile *p)
{
    double x[LOGS][COORDINATES], most = 0;
    if (read(p, x) != CORD_OK) return INFINITY;
    for (int i = 0; i < p->logs; i++)
        for (int k = 0; k <= EDGES; k++)
            most = fmax(most, v3_distance(x[i] + 3 * k, p->start[i] + 3 * k));
    return most;
}

static cord_status advance(pile *p, double duration, double h, coulomb_audit *audit)
{
    cord_status status = CORD_OK;
    for (int i = 0; status == CORD_OK && i < (int)lround(duration / h); i++) {
        status = cord_world_step(p->world, h);
        if (status == CORD_OK) status = contact_audit(p->world, audit);
    }
    return status;
}

static cord_status add_wall(pile *p, double x, double direction)
{
    cord_obstacle_def def = cord_obstacle_def_default();
    cord_obstacle wall;
    def.position[0] = x;
    v3_set(def.frame, 0, 0, -direction);
    v3_set(def.frame + 3, 0, 1, 0);
    v3_set(def.frame + 6, direction, 0, 0);
    return cord_world_add_obstacle(p->world, &def, &wall);
}

/* Rows of logs on a floor. */
static cord_status pyramid(pile *p, int rows, double friction)
{
    cord_status status = begin(p, friction, 1e-6);
    for (int row = 0; row < rows; row++)
        for (int i = 0; status == CORD_OK && i < rows - row; i++) {
            double at[3] = {rho * (2 * i + row), 0, rho * (1 + sqrt(3) * row)};
            status = add_log(p, at, 1, 1);
        }
    return status;
}

/* Three logs. With the normal forces N between two of them and friction F on both contacts of a lower one, which has no
 * torque: N sin 30° = F (1 + cos 30°), F/N = tan 15°. */
static void three_logs(validation *v)
{
    const double threshold = tan(3.14159265358979323846 / 12);
    for (int falls = 0; falls < 2; falls++) {
        const double friction = (falls ? 0.98 : 1.02) * threshold;
        const char *name = validation_text(v, "three logs, μ = %.2f tan 15°", friction / threshold);
        pile p;
        coulomb_audit audit = {.friction = friction, .velocity = 1, .radius = rho};
        cord_status status = pyramid(&p, 2, friction);
        if (status == CORD_OK) status = read(&p, p.start);
        if (status == CORD_OK) status = advance(&p, 0.5, 0.01, &audit);
        if (validation_ok(v, p.world, status, name)) {
            if (falls)
                validation_row_above(v, name, "largest displacement, radii", moved(&p) / rho, 0.1);
            else
                validation_row_below(v, name, "largest displacement, radii", moved(&p) / rho, 1e-5);
            contact_audit_rows(v, name, &audit, 1e-3);
        }
        cord_world_destroy(p.world);
    }
}

void check_log_pyramid(validation *v)
{
    three_logs(v);
    const double duration = validation_quick(v) ? 20 : 60, h = 0.01;
    coulomb_audit audit = {.friction = 0.5, .velocity = 1e-3, .radius = rho};
    pile p;
    cord_counters counters = {0};
    cord_status status = pyramid(&p, ROWS, 0.5);
    if (status == CORD_OK) status = add_wall(&p, -rho, 1);
    if (status == CORD_OK) status = add_wall(&p, (2 * ROWS - 1) * rho, -1);
    if (status == CORD_OK) status = read(&p, p.start);
    if (status == CORD_OK) status = advance(&p, duration, h, &audit);
    if (status == CORD_OK) status = cord_world_get_counters(p.world, &counters);
    if (validation_ok(v, p.world, status, "log pyramid")) {
        const char *name = validation_text(v, "%g s, steps of %g ms", duration, 1e3 * h);
        validation_row_below(v, name, "largest displacement, radii", moved(&p) / rho, 1e-5);
        validation_row_below(v, name, "Newton iterations in a step",
                             (double)counters.newton_iterations / (double)counters.steps / LOGS, 3);
        contact_audit_rows(v, name, &audit, 1e-3);
    }
    cord_world_destroy(p.world);
}

/* Layers of two logs, crosswise: every log but the lowest rests on two others at a point each. A log that sags has a slope w l³/24 EI
 * at its supports, a distance l apart, and the logs on it roll down: they are so stiff that this takes them less than 1e-4 radii in a minute.
 * Nothing resists rolling, so that errors of forces move it: with a tolerance of 1e-6 the logs roll by 2e-3 radii in a minute, as t². */
static cord_status crib(pile *p, double friction)
{
    cord_status status = begin(p, friction, 1e-8);
    p->bending = 2e7;
    for (int i = 0; status == CORD_OK && i < LOGS; i++) {
        const int layer = i / 2, axis = layer % 2;
        double at[3] = {0, 0, rho * (1 + 2 * layer)};
        at[1 - axis] = (i % 2 ? 0.3 : -0.3) * length;
        status = add_log(p, at, axis, 1);
    }
    return status;
}

void check_pile_at_rest(validation *v)
{
    const double duration = validation_quick(v) ? 5 : 60, h = 0.01;
    coulomb_audit audit = {.friction = 0.3, .velocity = 1e-3, .radius = rho};
    pile p;
    cord_status status = crib(&p, 0.3);
    if (status == CORD_OK) status = read(&p, p.start);
    if (status == CORD_OK) status = advance(&p, duration, h, &audit);
    if (validation_ok(v, p.world, status, "pile")) {
        const char *name =
            validation_text(v, "%d logs, %g s, steps of %g ms", LOGS, duration, 1e3 * h);
        validation_row_below(v, name, "largest displacement, radii", moved(&p) / rho, 1e-3);
        contact_audit_rows(v, name, &audit, 1e-3);
    }
    cord_world_destroy(p.world);
}

/* Two light logs between walls carry a heavy one. An error of the tolerance in its forces is an error of the ratio times
 * that in the forces of a light one. */
static cord_status heavy_log(pile *p, double ratio)
{
    cord_status status = begin(p, 0.3, 1e-9);
    for (int i = 0; status == CORD_OK && i < 2; i++)
        status = add_log(p, (double[3]){2 * rho * i, 0, rho}, 1, 1);
    if (status == CORD_OK) status = add_log(p, (double[3]){rho, 0, rho * (1 + sqrt(3))}, 1, ratio);
    if (status == CORD_OK) status = add_wall(p, -rho, 1);
    return status == CORD_OK ? add_wall(p, 3 * rho, -1) : status;
}

/* The force of floor and walls against the weight of all. */
static double support_error(const pile *p, double ratio)
{
    double sum = 0, weight = (2 + ratio) * length * weight_per_length * gravity;
    int count;
    for (int i = 0; i < p->logs; i++) {
        double force[3];
        if (contact_force_on(p->world, p->log[i], force, &count) != CORD_OK) return INFINITY;
        sum += force[2];
    }
    return fabs(sum / weight - 1);
}

void check_mass_ratios(validation *v)
{
    for (int exponent = 0; exponent <= 4; exponent += 2) {
        const double ratio = pow(10, exponent), h = 0.01;
        const char *name = validation_text(v, "ratio %g", ratio);
        coulomb_audit audit = {.friction = 0.3, .velocity = gravity * h, .radius = rho};
        pile p;
        cord_status status = heavy_log(&p, ratio);
        if (status == CORD_OK) status = read(&p, p.start);
        if (status == CORD_OK) status = advance(&p, 1, h, &audit);
        if (validation_ok(v, p.world, status, name)) {
            validation_row_below(v, name, "largest displacement in a second, radii",
                                 moved(&p) / rho, 1e-3);
            validation_row_below(v, name, "error of the supporting force", support_error(&p, ratio),
                                 1e-6);
            contact_audit_rows(v, name, &audit, 2e-3);
        }
        cord_world_destroy(p.world);
    }
}
