/* Bending stiffness of cables: between supports, off a wheel, along a cylinder. */
#include "validation/cables/cables.h"
#include "validation/cables/machines.h"
#include "validation/csv.h"
#include "validation/fit.h"
#include <math.h>
#include <string.h>

static const double pi = 3.14159265358979323846;

/* ---- between two supports ------------------------------------------------------------------------------------------- */

/* Supports at (0, 0) and (span, rise): a cable that ends in eyelets, or comes out of level tubes. EI = L = mass per
 * length = 1, so that gravity is Γ = wL³/EI. */
typedef struct supports {
    bool clamp;
    double span, rise, gamma;
    double h, v0; /* forces over wL of the catenary, from which the search begins */
} supports;

enum { MOST_PARTS = 160, TUBE_POINTS = 5 };
static const double tube_length = 0.2;

static cord_path level_tube(machine *m, double x, double z)
{
    double points[3 * TUBE_POINTS] = {0};
    cord_path_def def = cord_path_def_default();
    cord_path made = {0};
    for (int i = 0; i < TUBE_POINTS; i++)
        points[3 * i] = x + i * tube_length / (TUBE_POINTS - 1), points[3 * i + 2] = z;
    def.point_count = TUBE_POINTS, def.points = points;
    if (m->status == CORD_OK) m->status = cord_world_add_path(m->world, &def, &made);
    return made;
}

/* Free nodes along the catenary, whose tangent has the direction of (H, V₀ + ws). */
static int catenary_nodes(const supports *of, int parts, cord_cable_node *nodes)
{
    double x = 0, z = 0;
    for (int i = 1; i < parts; i++) {
        double v = of->v0 + (i - 0.5) / parts, size = hypot(of->h, v);
        x += of->h / size / parts, z += v / size / parts;
        nodes[i - 1] = (cord_cable_node){.guide = -1, .at = {x, 0, z}, .s = (double)i / parts};
    }
    return parts - 1;
}

static cord_strand cable_between(machine *m, const supports *of, int parts)
{
    cord_cable_node nodes[MOST_PARTS + 4];
    cord_guide guides[2] = {{.kind = CORD_GUIDE_POINT}, {.kind = CORD_GUIDE_POINT}};
    cord_cable_def def = cord_cable_def_default();
    cord_strand made = {0};
    int count = 0;
    if (of->clamp) {
        guides[0] = (cord_guide){.kind = CORD_GUIDE_PATH, .path = level_tube(m, -tube_length, 0)};
        guides[1] =
            (cord_guide){.kind = CORD_GUIDE_PATH, .path = level_tube(m, of->span, of->rise)};
        nodes[count++] = (cord_cable_node){.guide = 0, .s = -tube_length, .prescribed = true};
    } else {
        guides[0].on = machine_point(m, 0, 0);
        guides[1].on = machine_point(m, of->span, of->rise);
    }
    nodes[count++] =
        (cord_cable_node){.guide = 0, .at = {of->clamp ? tube_length : 0}, .prescribed = of->clamp};
    count += catenary_nodes(of, parts, nodes + count);
    nodes[count++] = (cord_cable_node){.guide = 1, .s = 1, .prescribed = of->clamp};
    if (of->clamp)
        nodes[count++] = (cord_cable_node){
            .guide = 1, .at = {tube_length}, .s = 1 + tube_length, .prescribed = true};
    def.density = 1, def.bending = 1;
    def.guides = guides, def.guide_count = 2;
    def.nodes = nodes, def.node_count = count;
    if (m->status == CORD_OK) m->status = cord_world_add_cable(m->world, &def, &made);
    return made;
}

/* The middle of the cable, and the axial force there over its weight. */
static bool hang(validation *v, const supports *of, int parts, const char *name, double middle[3],
                 double *thrust)
{
    machine m = machine_make(CORD_IMPLICIT, of->gamma);
    cord_strand cable = cable_between(&m, of, parts);
    cord_node_state state = {0};
    int at = parts / 2 + of->clamp;
    if (m.status == CORD_OK) m.status = cord_world_find_equilibrium(m.world, NULL, NULL);
    if (m.status == CORD_OK) m.status = cord_cable_get_node(m.world, cable, at, &state);
    if (m.status == CORD_OK) m.status = cord_cable_get_tension(m.world, cable, at - 1, 1, thrust);
    memcpy(middle, state.position, 3 * sizeof *middle);
    *thrust /= of->gamma;
    bool ok = validation_ok(v, m.world, m.status, name);
    cord_world_destroy(m.world);
    return ok;
}

/* Of second order. Out of tubes it is reached from below, since with 40 parts the layer of L/√Γ beside the mouth has one
 * or two of them. */
static void converge(validation *v, const supports *of, const double expected[2], double thrust)
{
    enum { COUNT = 3 };
    static const double parts[COUNT] = {40, 80, 160};
    double error[COUNT], middle[3], force = 0;
    const char *name = validation_text(v, "%s (%g, %g) Γ=%g", of->clamp ? "tubes" : "eyelets",
                                       of->span, of->rise, of->gamma);
    for (int i = 0; i < COUNT; i++) {
        if (!hang(v, of, (int)parts[i], name, middle, &force)) return;
        error[i] = hypot(middle[0] - expected[0], middle[2] - expected[1]);
    }
    validation_row(v, name, "x/L of the middle, 160 parts", middle[0], expected[0], 1e-3);
    validation_row(v, name, "y/L of the middle, 160 parts", middle[2], expected[1], 1e-3);
    if (of->rise == 0)
        validation_row(v, name, "thrust H/wL, 160 parts", force, thrust, of->clamp ? 0.005 : 1e-3);
    validation_row_above(v, name, "order in the parts, 40 to 160", fit_order(COUNT, parts, error),
                         of->clamp ? 1.4 : 1.8);
}

/* Of the reference the cases in which the cable is under tension everywhere. */
void check_bent_supports(validation *v)
{
    csv t;
    supports of = {0};
    if (!csv_open(v, "03b_heavy_rod_two_supports.csv", &t)) return;
    int kind = csv_column(&t, "bc"), gamma = csv_column(&t, "Gamma");
    int x = csv_column(&t, "x_mid"), y = csv_column(&t, "y_mid"), h = csv_column(&t, "H_over_wL");
    for (int i = 0; i < t.rows; i++) {
        double span = csv_number(&t, i, csv_column(&t, "span"));
        double rise = csv_number(&t, i, csv_column(&t, "rise"));
        if (strcmp(csv_text(&t, i, kind), "catenary") == 0) { /* opens every pair of supports */
            of = (supports){.span = span,
                            .rise = rise,
                            .h = csv_number(&t, i, h),
                            .v0 = csv_number(&t, i, csv_column(&t, "V0"))};
            continue;
        }
        of.clamp = strcmp(csv_text(&t, i, kind), "clamp") == 0;
        of.gamma = csv_number(&t, i, gamma);
        double expected[2] = {csv_number(&t, i, x), csv_number(&t, i, y)};
        bool chosen = of.gamma == (of.clamp ? 200 : 1000) || of.gamma == (of.clamp ? 2000 : 10000);
        if (chosen && csv_number(&t, i, h) > 0) converge(v, &of, expected, csv_number(&t, i, h));
    }
    csv_close(&t);
}

/* ---- off a wheel ------------------------------------------------------------------------------------------------------- */

/* A weightless cable with the tension T on both sides of a wheel of radius R. With φ the angle to the direction of the
 * load far away, ½EIκ² = T(1 − cos φ) along the free part; the moment is continuous where it leaves the wheel, so that
 * κ = 1/R there: sin φ₀/2 = √(EI/T)/2R, and the load hangs at R cos φ₀ + EI/TR = R + EI/2TR from the axis of the
 * wheel. Near the tangent φ ≈ φ₀ exp(−s√(T/EI)). */
typedef struct lifted {
    double angle, distance; /* of contact; of the load from the axis of the wheel */
    double residual;        /* of the search, N */
} lifted;

static const double wheel_radius = 0.2, wheel_tension = 100;

static double expected_distance(double bending)
{
    return wheel_radius + bending / (2 * wheel_tension * wheel_radius);
}

static void pull_down(machine *m, cord_strand cable, double s)
{
    cord_point_def end = cord_point_def_default();
    cord_load_def def = cord_load_def_default();
    cord_load made;
    end.source = CORD_SOURCE_STRAND, end.strand = cable, end.s = s;
    if (m->status == CORD_OK) m->status = cord_world_add_point(m->world, &end, &def.point);
    def.force[2] = -wheel_tension;
    if (m->status == CORD_OK) m->status = cord_world_add_load(m->world, &def, &made);
}

/* One end is anchored below the wheel where a load would hang, the other is pulled down. */
static bool lift_off(validation *v, double bending, int parts, const char *name, lifted *out)
{
    const double depth = 1, x = expected_distance(bending);
    machine m = machine_make(CORD_IMPLICIT, 0);
    const cord_waypoint waypoints[] = {
        {.kind = CORD_WAYPOINT_ANCHOR, .point = machine_point(&m, -x, -depth), .parts = parts},
        {.kind = CORD_WAYPOINT_PULLEY,
         .point = machine_point(&m, 0, 0),
         .radius = wheel_radius,
         .side = -1,
         .parts = parts},
        {.kind = CORD_WAYPOINT_FREE, .position = {wheel_radius, 0, -depth}},
    };
    cord_cable_def def = cord_cable_def_default();
    cord_strand cable = {0};
    cord_node_state end = {0};
    int nodes = 1;
    def.density = 1e-3, def.bending = bending;
    def.waypoints = waypoints, def.waypoint_count = 3;
    if (m.status == CORD_OK) m.status = cord_world_add_cable(m.world, &def, &cable);
    pull_down(&m, cable, machine_length(&m, cable));
    cord_statics_result result = {0};
    if (m.status == CORD_OK) m.status = cord_world_find_equilibrium(m.world, NULL, &result);
    out->residual = result.residual;
    if (m.status == CORD_OK)
        m.status = cord_cable_get_wrap(m.world, cable, 1, NULL, &out->angle, NULL, NULL);
    if (m.status == CORD_OK) m.status = cord_cable_get_node_count(m.world, cable, &nodes);
    if (m.status == CORD_OK) m.status = cord_cable_get_node(m.world, cable, nodes - 1, &end);
    out->distance = end.position[0];
    bool ok = validation_ok(v, m.world, m.status, name);
    cord_world_destroy(m.world);
    return ok;
}

/* The energy of a cable that leaves the wheel too early is stationary to first order in 1 − κR, so that the equilibrium of
 * the parts has (1 − κR)² ≈ ¾h²T/EI, and the contact is too long by √3 h/R: twice that is the tolerance. The order is 1 in
 * the limit; parts whose first one counted half would have ½. */
static void stand_off(validation *v, double bending)
{
    enum { COUNT = 3 };
    const double parts[COUNT] = {40, 80, 120}, R = wheel_radius, T = wheel_tension;
    double angle = pi - 4 * asin(sqrt(bending / T) / (2 * R)), error[COUNT], residual = 0;
    lifted found = {0};
    const char *name = validation_text(v, "EI = %g N m²", bending);
    for (int i = 0; i < COUNT; i++) {
        if (!lift_off(v, bending, (int)parts[i], name, &found)) return;
        error[i] = fabs(found.angle - angle);
        residual = fmax(residual, found.residual);
    }
    validation_row_below(v, name, "unbalanced force, N", residual, 1e-9);
    validation_row(v, name, "contact, rad, 120 parts", found.angle, angle,
                   2 * sqrt(3) / (parts[COUNT - 1] * R));
    validation_row(v, name, "distance of the load, m, 120 parts", found.distance,
                   expected_distance(bending), 1e-4);
    validation_row_above(v, name, "order of the contact in the parts, 40 to 120",
                         fit_order(COUNT, parts, error), 0.6);
}

void check_lift_off(validation *v)
{
    static const double bending[] = {0.25, 1, 2};
    for (int i = 0; i < 3; i++) stand_off(v, bending[i]);
}

/* ---- along a cylinder --------------------------------------------------------------------------------------------------- */

/* One segment of length l on a cylinder of radius a, its upper end fixed: at the slope ψ its energy is ½EI l cos⁴ψ/a², and
 * unrolled it is a rod that rotates about its end, ½(ρl³/3)ψ′² . */
typedef struct winding {
    double radius, length, slope, density, bending;
} winding;

static double energy_at(const winding *of, double slope)
{
    double c = cos(slope);
    return 0.5 * of->bending * of->length * c * c * c * c / (of->radius * of->radius);
}

static double slope_rate(const winding *of, double slope)
{
    double inertia = of->density * of->length * of->length * of->length / 3;
    return sqrt(2 * (energy_at(of, of->slope) - energy_at(of, slope)) / inertia);
}

/* The time from rest to a slope: ∫ dψ/ψ′, with ψ = ψ₀ + y² to remove the singularity at rest. */
static double time_to(const winding *of, double slope)
{
    enum { STEPS = 2000 };
    double end = sqrt(slope - of->slope), sum = 0;
    for (int i = 0; i < STEPS; i++) {
        double y = (i + 0.5) * end / STEPS;
        sum += 2 * y / slope_rate(of, of->slope + y * y) * end / STEPS;
    }
    return sum;
}

/* The slope at the time, and the energies, after release by midpoint. */
static bool unwind(validation *v, const winding *of, double time, int steps, double *slope,
                   cord_energy *energy)
{
    machine m = machine_make(CORD_MIDPOINT, 0);
    cord_point_def axis = cord_point_def_default();
    cord_guide guide = {.kind = CORD_GUIDE_CYLINDER, .radius = of->radius};
    if (m.status == CORD_OK) m.status = cord_world_add_point(m.world, &axis, &guide.on);
    double l = of->length;
    const cord_cable_node nodes[] = {
        {.guide = 0, .at = {0, 0.7}, .prescribed = true},
        {.guide = 0, .at = {l * cos(of->slope) / of->radius, 0.7 - l * sin(of->slope)}, .s = l},
    };
    cord_cable_def def = cord_cable_def_default();
    cord_strand cable = {0};
    cord_node_state end = {0};
    def.density = of->density, def.bending = of->bending;
    def.guides = &guide, def.guide_count = 1, def.nodes = nodes, def.node_count = 2;
    if (m.status == CORD_OK) m.status = cord_world_add_cable(m.world, &def, &cable);
    if (steps > 0) machine_run(&m, time / steps, steps);
    if (m.status == CORD_OK) m.status = cord_cable_get_node(m.world, cable, 1, &end);
    if (m.status == CORD_OK) m.status = cord_world_get_energy(m.world, energy);
    *slope = atan2(0.7 - end.at[1], of->radius * end.at[0]);
    bool ok = validation_ok(v, m.world, m.status, "a helix");
    cord_world_destroy(m.world);
    return ok;
}

/* Of the figure: one turn, half a metre high, on 15 cm. */
void check_helix_straightens(validation *v)
{
    winding of = {.radius = 0.15, .density = 0.2, .bending = 0.01};
    cord_energy energy = {0};
    double slope;
    of.length = hypot(2 * pi * of.radius, 0.5);
    of.slope = atan2(0.5, 2 * pi * of.radius);
    double whole = energy_at(&of, of.slope);
    if (!unwind(v, &of, 0, 0, &slope, &energy)) return;
    validation_row(v, "at the start", "bending energy, J", energy.bending, 0.14438, 5e-6);
    validation_row(v, "at the start", "½EIκ²l, J", energy.bending, whole, 1e-12);
    for (int i = 1; i <= 3; i++) {
        double reached = of.slope + (0.5 * pi - of.slope) * i / 3;
        const char *name = i < 3 ? validation_text(v, "at a slope of %.1f°", reached * 180 / pi)
                                 : "straight along the cylinder";
        if (!unwind(v, &of, time_to(&of, reached), 1000, &slope, &energy)) return;
        validation_row(v, name, "slope, rad", slope, reached, 1e-5);
        validation_row(v, name, "bending energy, J", energy.bending, energy_at(&of, reached),
                       1e-5 * whole);
        validation_row(v, name, "energy, J", energy.total, whole, 1e-10 * whole);
    }
}
