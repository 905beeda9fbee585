/* A plectoneme: a twisted rod under tension that has wound round itself.
 *
 * In a long ply without friction, helices of radius r (that of the rod) and angle α to the axis, energy and work of the ends balance:
 *     F = (B/r²) sin⁴α (1/2 + 1/cos 2α),   M = (2B/r) cos α sin³α/cos 2α,   p = (B/r³) sin⁴α/cos 2α,
 * with tension F and torque M of the tails and the contact force p per length. At a given torque a deviation of the angle decays along the
 * ply as exp(−s/d), B/d² = V'' with V = B sin⁴α/2r² − M sin 2α/2r: d = 0.95 r at 25°. Its middle, ten times d away from end loop and tails,
 * has none of their effects; tolerances are those of the polygon, whose edges are r long, and of contacts at its points.
 *
 * The length of the ply oscillates with 25/s, and drag damps that beyond the critical damping, 0.5. With less, sliding contact without friction
 * feeds more energy than drag takes: with 0.6 the ply began to slide along the rod after 60 steps, and coiled up, for reasons that are not known. */
#include "math/vec3.h"
#include "validation/contact/contact.h"
#include "validation/contact/scenes.h"
#include <math.h>
#include <stdlib.h>

static const double pi = 3.14159265358979323846;
static const double r = 0.05, twisting = 2.0 / 3; /* B = 1 */
static const double tail = 0.8, bend = 0.3, height = 2, loop = 0.25, step = 5e-3;
enum { PARTS = 4, SAMPLES = 2000, MOST_VERTICES = 1000, MOST_CONTACTS = 1000 };

static double tension_of(double alpha)
{
    return pow(sin(alpha), 4) * (0.5 + 1 / cos(2 * alpha)) / (r * r);
}

static double torque_of(double alpha)
{
    return 2 * cos(alpha) * pow(sin(alpha), 3) / cos(2 * alpha) / r;
}

static double pressure_of(double alpha)
{
    return pow(sin(alpha), 4) / cos(2 * alpha) / pow(r, 3);
}

/* The angle at a tension: the latter grows with the former below 45°. */
static double angle_of(double tension)
{
    double low = 0, high = 0.25 * pi;
    while (high - low > 1e-12) {
        double middle = 0.5 * (low + high);
        *(tension_of(middle) < tension ? &low : &high) = middle;
    }
    return low;
}

/* ---- the initial shape ------------------------------------------------------------------------------- */

static void helix(double alpha, double z, double x[3], double tangent[3])
{
    const double psi = z * tan(alpha) / r - 0.5 * pi;
    v3_set(x, r * cos(psi), r * sin(psi), z);
    v3_set(tangent, -sin(alpha) * sin(psi), sin(alpha) * cos(psi), cos(alpha));
}

/* From the helix to the top of the end loop, a cubic curve. */
static void half_loop(double alpha, double u, double x[3])
{
    double from[3], t[3], top[3] = {0, 0, height + 1.4 * loop}, along[3];
    helix(alpha, height, from, t);
    v3_set(along, -from[0] / r, -from[1] / r, 0);
    const double a = 1 + u * u * (2 * u - 3), b = u * (1 - u) * (1 - u), d = u * u * (u - 1);
    v3_combine(x, a, from, 1 - a, top);
    v3_axpy(x, 3 * loop * b, t);
    v3_axpy(x, 2 * loop * d, along);
}

/* A point of the first half, 0 ≤ u ≤ 1 in each of four parts: tail, bend, helix, half of the end loop. */
static void half_point(double alpha, int part, double u, double x[3])
{
    const double turn = 0.5 * pi - alpha, R = bend / turn; /* a circular bend */
    double t[3];
    if (part == 0) v3_set(x, -R * sin(turn) - tail * (1 - u), -r, -R * (1 - cos(turn)));
    if (part == 1) v3_set(x, -R * (sin(turn) - sin(turn * u)), -r, R * (cos(turn) - cos(turn * u)));
    if (part == 2) helix(alpha, height * u, x, t);
    if (part == 3) half_loop(alpha, u, x);
}

/* The second half is the first one rotated by π about the axis. */
static void initial_point(double alpha, int part, double u, double x[3])
{
    const bool second = part >= PARTS;
    half_point(alpha, second ? 2 * PARTS - 1 - part : part, second ? 1 - u : u, x);
    if (second) x[0] = -x[0], x[1] = -x[1];
}

static int lay(double alpha, double edge, double *x)
{
    int count = 1;
    initial_point(alpha, 0, 0, x);
    for (int part = 0; part < 2 * PARTS; part++)
        for (int i = 1; i <= SAMPLES && count < MOST_VERTICES; i++) {
            double now[3];
            const double *last = x + 3 * (count - 1);
            initial_point(alpha, part, (double)i / SAMPLES, now);
            if (v3_distance(last, now) < edge) continue;
            v3_sub(now, now, last);
            v3_combine(x + 3 * count, 1, last, edge / v3_norm(now), now);
            count++;
        }
    return count;
}

/* Right-handed helices belong to left-handed twist. */
static cord_status wind(double alpha, double edge, rod *out)
{
    static double x[3 * MOST_VERTICES], natural[3 * MOST_VERTICES], twist[MOST_VERTICES];
    const int vertices = lay(alpha, edge, x);
    rod_plan p = rod_plan_unit(vertices - 1, (vertices - 1) * edge);
    for (int i = 0; i < vertices; i++) {
        v3_set(natural + 3 * i, i * edge, 0, 0);
        twist[i] = -torque_of(alpha) / twisting * i * edge;
    }
    p.shape = x;
    p.strand.natural_positions = natural;
    p.strand.natural_twist = NULL;
    p.strand.twist = twist;
    p.strand.section.twisting = twisting;
    p.strand.section.mass = 0.01;
    p.strand.drag = 3;
    p.world.scheme = CORD_BACKWARD_EULER;
    cord_status status = rod_make(&p, out);
    if (status == CORD_OK) status = rod_clamp_first(out, NULL, NULL);
    if (status == CORD_OK) status = rod_clamp_last(out, NULL, NULL);
    if (status == CORD_OK) status = contact_set_law(out->world, 0, 1e-6);
    return status == CORD_OK ? contact_add_surface(out->world, out->strand, r, true) : status;
}

/* ---- measurements ------------------------------------------------------------------------------------ */

typedef struct ply {
    double angle, curvature, pressure; /* of the middle half of the helices */
    double tension, torque;
} ply;

static void edge_at(const rod *o, double s, double t[3])
{
    int i = (int)(s / o->length * o->edges);
    v3_sub(t, o->x + 3 * i + 3, o->x + 3 * i);
    v3_scale(t, 1 / v3_norm(t), t);
}

/* Where the helices were drawn, less a quarter at both ends. */
static void middle(double alpha, double *from, double *to)
{
    const double length = height / cos(alpha);
    *from = tail + bend + 0.25 * length;
    *to = tail + bend + 0.75 * length;
}

/* Tangents of the two strands at a contact include 2α. */
static cord_status measure_contacts(const rod *o, double from, double to, ply *out)
{
    static cord_contact list[MOST_CONTACTS];
    int count, inside = 0;
    cord_status status = cord_world_get_contacts(o->world, MOST_CONTACTS, list, &count);
    for (int i = 0; status == CORD_OK && i < count; i++) {
        double s = fmin(list[i].first.s, list[i].second.s),
               other = fmax(list[i].first.s, list[i].second.s);
        double t[3], q[3], c[3];
        if (s < from || s > to || other < 0.5 * o->length) continue;
        edge_at(o, s, t);
        edge_at(o, other, q);
        v3_cross(c, t, q);
        out->angle += 0.5 * atan2(v3_norm(c), -v3_dot(t, q));
        out->pressure += v3_norm(list[i].force) / (to - from);
        inside++;
    }
    out->angle /= inside;
    return status;
}

static cord_status measure_strand(const rod *o, double from, double to, ply *out)
{
    static double tensions[MOST_VERTICES], curvatures[3 * MOST_VERTICES];
    int inside = 0;
    cord_status status = cord_strand_get_tensions(o->world, o->strand, tensions);
    if (status == CORD_OK) status = cord_strand_get_curvatures(o->world, o->strand, curvatures);
    if (status != CORD_OK) return status;
    out->tension = tensions[o->edges / 40];
    for (int i = 1; i < o->edges; i++) {
        const double s = o->length * i / o->edges;
        out->torque += fabs(curvatures[3 * i + 2]) * twisting / (o->edges - 1);
        if (s < from || s > to) continue;
        out->curvature += hypot(curvatures[3 * i], curvatures[3 * i + 1]);
        inside++;
    }
    out->curvature /= inside;
    return CORD_OK;
}

static void add(ply *sum, const ply *p, double weight)
{
    sum->angle += weight * p->angle;
    sum->curvature += weight * p->curvature;
    sum->pressure += weight * p->pressure;
    sum->tension += weight * p->tension;
    sum->torque += weight * p->torque;
}

/* Means over the last third of the steps. */
static bool measure(validation *v, double alpha, double edge, int steps, ply *out,
                    coulomb_audit *audit)
{
    rod o = {0};
    double from, to;
    const int first = 2 * steps / 3;
    *out = (ply){0};
    middle(alpha, &from, &to);
    cord_status status = wind(alpha, edge, &o);
    for (int i = 0; status == CORD_OK && i < steps; i++) {
        ply now = {0};
        status = cord_world_step(o.world, step);
        if (status != CORD_OK || i < first) continue;
        status = contact_audit(o.world, audit);
        if (status == CORD_OK) status = rod_read(&o);
        if (status == CORD_OK) status = measure_contacts(&o, from, to, &now);
        if (status == CORD_OK) status = measure_strand(&o, from, to, &now);
        add(out, &now, 1.0 / (steps - first));
    }
    bool ok = validation_ok(v, o.world, status, "plectoneme");
    rod_free(&o);
    return ok;
}

/* Both strands touch along the ply: the radius of the helices is that of the rod. */
void check_plectoneme(validation *v)
{
    const bool quick = validation_quick(v);
    const double drawn = 25 * pi / 180;
    coulomb_audit audit = {.velocity = 1, .radius = r};
    ply found;
    if (!measure(v, drawn, quick ? 0.05 : 0.035, quick ? 100 : 150, &found, &audit)) return;
    const double alpha = angle_of(found.tension), curvature = pow(sin(found.angle), 2) / r;
    const char *name = validation_text(v, "F r²/B = %.3g", found.tension * r * r);
    validation_row(v, name, "angle of the helices, deg", found.angle * 180 / pi, alpha * 180 / pi,
                   0.03 * alpha * 180 / pi);
    validation_row(v, name, "radius of the helices, sin²α/κ, rod radii",
                   curvature / found.curvature, 1, 0.03);
    validation_row(v, name, "torque, M r/B", found.torque * r, torque_of(alpha) * r,
                   0.05 * torque_of(alpha) * r);
    validation_row(v, name, "contact force per length, p r³/B", found.pressure * pow(r, 3),
                   pressure_of(alpha) * pow(r, 3), 0.05 * pressure_of(alpha) * pow(r, 3));
    validation_row_below(v, name, "overlap, radii", audit.overlap, 1e-3);
}
