/* Estimates of a simulation, and warnings of inadequate meshes, steps and motions. */
#include "constraint/unit.h"
#include "math/vec3.h"
#include "scene/cables.h"
#include "scene/contacts.h"
#include "scene/joints.h"
#include "scene/measure.h"
#include "strand/traits.h"
#include "world/overlap.h"

#include <math.h>
#include <string.h>

#define PI 3.14159265358979323846

/* The largest angle between neighbouring edges, or twist between them, that a mesh resolves; and the largest
 * rotation within one step that Newton's method follows. */
static const double large_angle = 30 * PI / 180;

/* ---- estimates ---------------------------------------------------------------------------- */

static double thickness(const cord_section *s)
{
    bool flat = s->kind == CORD_SECTION_ELLIPSE || s->kind == CORD_SECTION_RECTANGLE;
    return flat ? fmax(s->size[0], s->size[1]) : 2 * s->radius;
}

/* Bending waves of wavenumber k have ω = k² √(EI/μ). The shortest on a mesh of spacing h has k = π/h;
 * there the mesh, whose second difference is at most 4/h², has ω = 4/h² √(EI/μ). */
cord_status cord_simulation_get_strand_estimates(const cord_simulation *sim, int i,
                                                 cord_strand_estimates *estimates)
{
    if (!sim || !estimates) return CORD_ERROR_ARGUMENT;
    *estimates = (cord_strand_estimates){0};
    cord_strand_info info;
    if (!sim->world) return CORD_ERROR_ARGUMENT;
    cord_status status =
        cord_strand_get_info(sim->world, cord_simulation_get_strand(sim, i), &info);
    if (status != CORD_OK) return status;
    const strand_data *s = ITEM(sim->scene->data.strands, strand_data, i);
    if (s->cable) { /* the waves of a cable are not those of a mesh */
        estimates->slenderness = info.length / thickness(&info.section);
        estimates->element = info.length / info.edge_count;
        return CORD_OK;
    }
    double h = cord__shortest_element(s);
    double stiff = sqrt(fmax(info.bending[0], info.bending[1]) * info.length / info.mass);
    double omega = 4 / (h * h) * stiff;
    *estimates = (cord_strand_estimates){
        .slenderness = info.length / thickness(&info.section),
        .element = h,
        .wave_speed = omega * h / PI,
        .wave_period = 2 * PI / omega,
    };
    return CORD_OK;
}

double cord_scene_get_frame_count(const cord_scene *scene)
{
    if (!scene) return 0;
    cord_scene_info info = cord_scene_get_info(scene);
    double steps = ceil(info.until / info.dt * (1 - 1e-12));
    double stride = fmax(1, round(info.frame_interval / info.dt));
    return 1 + ceil(steps / stride); /* the first state, and the last for any stride */
}

/* ---- warnings ----------------------------------------------------------------------------- */

typedef struct advisor {
    const cord_simulation *simulation;
    const cord_scene *scene;
    diagnostics *out;
    double dt;
    cord_strand_info info; /* of the present strand */
    const strand_data *strand;
    const built_strand *built;
    int *first_clamp,
        *next_clamp; /* lists of the clamps of each strand, as 1 + their index; 0 ends one */
} advisor;

/* The largest rate of the easing relative to linear motion: 3u² − 2u³ has the derivative 1.5. */
static double ease_factor(int ease)
{
    return ease == CORD_EASE_SMOOTH ? 1.5 : 1;
}

/* ---- the shape */

/* The angle between the edges at vertex i; 0 at the ends. */
static double angle_at(const polyline *line, int i)
{
    if (!line->closed && (i <= 0 || i >= line->count - 1)) return 0;
    i = (i + line->count) % line->count;
    double before[3], after[3], c[3];
    const double *x = line->x + 3 * (size_t)i;
    v3_sub(before, x, line->x + 3 * (size_t)((i + line->count - 1) % line->count));
    v3_sub(after, line->x + 3 * (size_t)((i + 1) % line->count), x);
    v3_cross(c, before, after);
    return atan2(v3_norm(c), v3_dot(before, after));
}

static void warn_shape(advisor *a, const polyline *line, const char *key)
{
    const char *which = strcmp(key, "natural") == 0 ? "natural" : "initial";
    const char *name = a->strand->name;
    double most = 0;
    int where = 0;
    for (int i = 0; i < line->count; i++) {
        double angle = angle_at(line, i);
        if (angle > most) most = angle, where = i;
    }
    if (most <= large_angle * (1 + 1e-9)) return;
    mark at = cord__node_key_mark(a->strand->at, key);
    double beside = fmax(angle_at(line, where - 1), angle_at(line, where + 1));
    if (beside < most / 3) { /* more vertices do not reduce the angle */
        cord__diagnose(a->out, at,
                       "%s: the %s shape has a corner of %.3g deg at vertex %d; a corner's energy "
                       "depends on the mesh",
                       name, which, most * 180 / PI, where);
    } else {
        cord__diagnose(a->out, at,
                       "%s: the %s shape turns by %.3g deg at vertex %d; with more vertices, below "
                       "30 deg, its curvature is resolved",
                       name, which, most * 180 / PI, where);
    }
}

static void warn_twist(advisor *a, const char *key, double per_element)
{
    if (per_element <= large_angle * (1 + 1e-9)) return;
    cord__diagnose(
        a->out, cord__node_key_mark(a->strand->at, key),
        "%s: %s is %.3g deg of twist per element; with more vertices, below 30 deg, it is "
        "resolved",
        a->strand->name, key, per_element * 180 / PI);
}

static double largest_step(const double *angles, int count)
{
    double most = 0;
    for (int i = 1; angles && i < count; i++) most = fmax(most, fabs(angles[i] - angles[i - 1]));
    return most;
}

static void warn_mesh(advisor *a)
{
    const strand_data *s = a->strand;
    int edges = cord__edge_count(&s->line);
    if (s->shape.kind) warn_shape(a, &s->line, "shape");
    if (s->natural.kind) {
        polyline natural = s->natural_line;
        natural.closed = false; /* its closing edge is explicit */
        if (s->natural_line.closed) natural.count++;
        warn_shape(a, &natural, "natural");
    }
    warn_twist(a, "initial_twist", largest_step(s->angles, edges));
    warn_twist(a, "natural_twist", largest_step(s->natural_angles, edges));
    warn_twist(a, "closing_twist", fabs(s->closing_twist) / edges);
}

/* ---- the step */

static void warn_explicit(advisor *a)
{
    const world_data *w = a->scene->data.world;
    if (w->integrator != CORD_SYMPLECTIC || a->dt <= a->info.stable_step) return;
    cord__diagnose(
        a->out, cord__node_key_mark(a->strand->at, "name"),
        "%s: the symplectic integrator is stable below %.3g s, and dt is %.3g s: every step "
        "is divided into %.0f",
        a->strand->name, a->info.stable_step, a->dt, ceil(a->dt / a->info.stable_step));
}

/* The slowest natural oscillation of the strand: the first mode of a cantilever, or the pendulum motion of a chain. */
static void warn_damping(advisor *a)
{
    const strand_data *s = a->strand;
    double length = a->info.length, mass = a->info.mass / length;
    double stiff = fmax(a->info.bending[0], a->info.bending[1]);
    double bending = 3.516 * sqrt(stiff / mass) / (length * length);
    double swinging = 1.202 * sqrt(v3_norm(a->scene->data.world->gravity) / length);
    double slowest = fmax(bending, swinging);
    if (s->drag > 2 * mass * slowest) {
        cord__diagnose(a->out, cord__node_key_mark(s->at, "drag"),
                       "%s: this drag is %.3g times the critical drag of a swing of %.3g s: the "
                       "motion will be overdamped",
                       s->name, s->drag / (2 * mass * slowest), 2 * PI / slowest);
    }
    if (s->damping * bending > 2) {
        cord__diagnose(a->out, cord__node_key_mark(s->at, "damping"),
                       "%s: this damping is %.3g times the critical damping of its slowest bending "
                       "mode, %.3g s",
                       s->name, s->damping * bending / 2, 2 * PI / bending);
    }
}

/* The initial shape is in equilibrium, but unstable. */
static void warn_rest(advisor *a)
{
    const strand_data *s = a->strand;
    if (!s->rest || a->built->rest.stable) return;
    cord__diagnose(
        a->out, cord__node_key_mark(s->at, "rest"),
        "%s will not stay at rest as drawn: it is too soft for its weight, and would have "
        "to be %.4g times as stiff (rest: {stiffen: yes} makes it so)",
        s->name, a->built->rest.stability_factor);
}

static void warn_strands(advisor *a)
{
    for (int i = 0; i < a->scene->data.strands.count; i++) {
        a->strand = ITEM(a->scene->data.strands, strand_data, i);
        a->built = &a->simulation->strands[i];
        if (a->strand->cable) continue;
        cord_status status = cord_strand_get_info(a->simulation->world, a->built->handle, &a->info);
        if (status != CORD_OK) continue;
        warn_mesh(a);
        warn_explicit(a);
        warn_damping(a);
        warn_rest(a);
    }
}

/* The rotation of a body in a step is the chord of an arc: this reduces the angular velocity, or slows the convergence
 * (midpoint). TR-BDF2 is exact without torque; with torques and joints its error is of second order in this angle. */
static void warn_bodies(advisor *a)
{
    for (int i = 0; i < a->scene->data.bodies.count; i++) {
        const body_data *b = ITEM(a->scene->data.bodies, body_data, i);
        double angle = v3_norm(b->angular_velocity) * a->dt;
        const world_data *w = a->scene->data.world;
        bool exact = w->integrator == CORD_IMPLICIT && w->scheme == CORD_TR_BDF2;
        if (b->clamped.at || angle <= 0.2) continue;
        cord__diagnose(a->out, cord__node_key_mark(b->at, "angular_velocity"),
                       "%s turns by %.3g degrees in a step; more than 10 are seen as an error of "
                       "its rotation%s (dt below %.2g s)",
                       b->name, angle * 180 / PI, exact ? " under torques and joints" : "",
                       0.17 / v3_norm(b->angular_velocity));
    }
}

/* ---- prescribed motion */

/* The largest speed of a script, m/s and rad/s. */
static void fastest(const script_data *s, double *speed, double *angular_speed)
{
    *speed = s->orbit ? 2 * PI * s->orbit->radius / s->orbit->period : 0;
    *angular_speed = 0;
    for (int i = 1; i < s->motion.count; i++) {
        const motion_key *now = ITEM(s->motion, motion_key, i), *last = now - 1;
        double rate = v3_distance(now->by, last->by) / (now->t - last->t);
        *speed = fmax(*speed, rate * ease_factor(s->ease));
    }
    for (int i = 1; i < s->rotation.count; i++) {
        const rotation_key *now = ITEM(s->rotation, rotation_key, i), *last = now - 1;
        double rate = fabs(now->angle - last->angle) / (now->t - last->t);
        *angular_speed = fmax(*angular_speed, rate * ease_factor(s->ease));
    }
}

static void warn_speed(advisor *a, mark at, const char *what, double speed, double element)
{
    if (speed * a->dt <= element) return;
    cord__diagnose(
        a->out, at,
        "%s moves by %.3g elements in one step of %.3g s; a step below %.3g s follows it", what,
        speed * a->dt / element, a->dt, element / speed);
}

static void warn_rotation(advisor *a, mark at, const char *what, double angular_speed)
{
    if (angular_speed * a->dt <= large_angle) return;
    cord__diagnose(a->out, at,
                   "%s turns by %.3g deg in one step of %.3g s; a step below %.3g s follows it",
                   what, angular_speed * a->dt * 180 / PI, a->dt, large_angle / angular_speed);
}

static double shortest_of_all(const cord_scene *scene)
{
    double least = INFINITY;
    for (int i = 0; i < scene->data.strands.count; i++) {
        const strand_data *s = ITEM(scene->data.strands, strand_data, i);
        if (!s->cable) least = fmin(least, cord__shortest_element(s));
    }
    return least;
}

/* The twist that the rotation of a clamp imposes on the strand if the other end is clamped. */
static void warn_winding(advisor *a, const clamp_data *c, const strand_data *s, double along)
{
    if (c->script.rotation.count < 2) return;
    const rotation_key *first = ITEM(c->script.rotation, rotation_key, 0);
    const rotation_key *last = first + c->script.rotation.count - 1;
    const strand_traits *traits = cord__strand_traits(s->model);
    bool chain = traits->has_elements;
    if (traits->has_exact_twist) return;
    int edges = cord__edge_count(&s->line), elements = chain ? s->chain.elements : edges;
    int edge = (int)fmin(edges - 1, floor(along / s->length * edges));
    double t[3], axis[3];
    v3_sub(t, s->line.x + 3 * (size_t)((edge + 1) % s->line.count), s->line.x + 3 * (size_t)edge);
    v3_normalize(t, t);
    v3_normalize(axis, last->axis);
    double twist = fabs(last->angle - first->angle) * fabs(v3_dot(t, axis)) / elements;
    if (twist <= large_angle * (1 + 1e-9)) return;
    cord__diagnose(a->out, cord__node_key_mark(c->at, "rotation"),
                   "the rotation winds %.3g deg of twist into each element of %s; with more "
                   "%s, below 30 deg, it is resolved",
                   twist * 180 / PI, s->name, chain ? "elements" : "vertices");
}

/* A clamp that holds another direction than the drawn one turns the strand within the first step. */
static void warn_turned_clamp(advisor *a, int i, const clamp_data *c, const strand_data *s)
{
    double g[3] = {0};
    int rows;
    bool inertia = a->scene->data.world->integrator != CORD_QUASI_STATIC;
    if (!inertia || a->scene->data.run->start != START_AS_DRAWN) return;
    if (isnan(c->direction[0]) && isnan(c->director[0])) return;
    cord_constraint align = a->simulation->clamps[i].align;
    if (cord_constraint_get_residual(a->simulation->world, align, &rows, g) != CORD_OK) return;
    double angle = v3_norm(g) * 180 / PI;
    if (angle <= 1) return;
    cord__diagnose(a->out,
                   cord__node_key_mark(c->at, isnan(c->direction[0]) ? "director" : "direction"),
                   "the clamp turns %s by %.3g deg in the first step; start: equilibrium in run "
                   "avoids the jolt, and so does a rotation with keyframes",
                   s->name, angle);
}

static void warn_clamps(advisor *a)
{
    for (int i = 0; i < a->scene->data.clamps.count; i++) {
        const clamp_data *c = ITEM(a->scene->data.clamps, clamp_data, i);
        double along, speed, angular_speed;
        const strand_data *s = cord__strand_of(a->scene, &c->where, &along);
        if (s->cable) continue;
        const char *moves = c->script.orbit ? "orbit" : "motion";
        fastest(&c->script, &speed, &angular_speed);
        warn_speed(a, cord__node_key_mark(c->at, moves), "the clamp", speed,
                   cord__shortest_element(s));
        warn_rotation(a, cord__node_key_mark(c->at, "rotation"), "the clamp", angular_speed);
        warn_winding(a, c, s, along);
        warn_turned_clamp(a, i, c, s);
    }
}

static void warn_points(advisor *a)
{
    double element = shortest_of_all(a->scene);
    for (int i = 0; i < a->scene->data.points.count; i++) {
        const point_data *p = ITEM(a->scene->data.points, point_data, i);
        double speed, angular_speed;
        fastest(&p->script, &speed, &angular_speed);
        warn_speed(a, cord__node_key_mark(p->at, p->script.orbit ? "orbit" : "motion"), p->name,
                   speed, element);
        warn_rotation(a, cord__node_key_mark(p->at, "rotation"), p->name, angular_speed);
    }
}

static void warn_drives(advisor *a)
{
    double element = shortest_of_all(a->scene);
    for (int i = 0; i < a->scene->data.constraints.count; i++) {
        const constraint_data *d = ITEM(a->scene->data.constraints, constraint_data, i);
        double most = 0;
        for (int k = 1; k < d->drive.count; k++) {
            const drive_key *now = ITEM(d->drive, drive_key, k), *last = now - 1;
            for (int j = 0; j < now->value.count && j < last->value.count; j++) {
                double rate = fabs(now->value.values[j] - last->value.values[j]);
                most = fmax(most, rate / (now->t - last->t) * ease_factor(d->ease));
            }
        }
        mark at = cord__node_key_mark(d->at, "drive");
        constraint_unit of = cord__constraint_unit(d->kind);
        bool rotates = of.rows == 3 && strcmp(of.unit, "rad") == 0;
        if (rotates) warn_rotation(a, at, "the drive", most);
        if (!rotates) warn_speed(a, at, "the drive", most, element);
    }
}

/* The largest rate of a motor: its rate, or that between the keyframes of its position. */
static double motor_rate(const motor_data *m)
{
    double most = 0;
    for (int k = 0; m->rate.at && k < m->rate.items.count; k++)
        most = fmax(most, fabs(ITEM(m->rate.items, drive_key, k)->value.values[0]));
    for (int k = 1; m->position.at && k < m->position.items.count; k++) {
        const drive_key *now = ITEM(m->position.items, drive_key, k), *last = now - 1;
        double rate = fabs(now->value.values[0] - last->value.values[0]) / (now->t - last->t);
        most = fmax(most, rate * ease_factor(m->ease));
    }
    return most;
}

/* The error is of second order in the rotation per step, and visible above this rotation. */
static const double joint_angle = 0.2;

static void warn_motors(advisor *a)
{
    for (int i = 0; i < a->scene->data.joints.count; i++) {
        const joint_data *j = ITEM(a->scene->data.joints, joint_data, i);
        double rate = j->motor && j->kind != JOINT_PRISMATIC ? motor_rate(j->motor) : 0;
        if (rate * a->dt <= joint_angle) continue;
        cord__diagnose(a->out, cord__node_key_mark(j->at, "motor"),
                       "the motor turns by %.3g rad in one step of %.3g s; a step below %.3g s "
                       "follows it",
                       rate * a->dt, a->dt, joint_angle / rate);
    }
}

/* ---- cables */

/* Beyond this angle flat belts run off their pulleys, and ropes wear at the flanges. */
static const double fleet_limit = 2 * PI / 180;

static void warn_fleet_angle(advisor *a, const cable_data *c, const waypoint_data *s, double angle,
                             const char *does)
{
    if (!(fabs(angle) > fleet_limit)) return;
    cord__diagnose(a->out, s->at->at,
                   "%.40s %s \"%.40s\" at %.3g degrees to its plane; above 2 degrees a belt or a "
                   "rope runs off its wheel. Move the wheel or tilt its axis, lead the cable "
                   "through an eyelet, or give a shaft its length",
                   c->name, does, s->pulley, fabs(angle) * 180 / PI);
}

/* A disc or a groove holds the cable in its plane; on a smooth cylinder it slides along. */
static void warn_pulley(advisor *a, const cable_data *c, int i)
{
    const waypoint_data *s = ITEM(c->route, waypoint_data, i);
    const pulley_data *p = cord__waypoint_pulley(a->scene, c->strand, i);
    cord_strand cable = a->simulation->strands[c->strand].handle;
    double before, after;
    if (!p || (!isnan(p->length) && isnan(p->pitch)) ||
        cord_cable_get_fleet_angles(a->simulation->world, cable, i, &before, &after) != CORD_OK)
        return;
    warn_fleet_angle(a, c, s, before, "reaches");
    warn_fleet_angle(a, c, s, after, "leaves");
}

/* Turns beyond the end of a shaft or a drum. */
static void warn_height(advisor *a, const cable_data *c, int index)
{
    cord_node_state state;
    cord_strand cable = a->simulation->strands[c->strand].handle;
    if (cord_cable_get_node(a->simulation->world, cable, index, &state) != CORD_OK ||
        state.waypoint < 0 || state.kind != CORD_GUIDE_CYLINDER || state.guide < 0)
        return;
    const waypoint_data *s = ITEM(c->route, waypoint_data, state.waypoint);
    const pulley_data *p = cord__pulley_of(a->scene, s->pulley);
    if (!(fabs(state.at[1]) > 0.5 * p->length)) return;
    cord__diagnose(a->out, s->at->at,
                   "%.40s lies %.4g m from the middle of \"%.40s\", beyond its end at %.4g m; make "
                   "it longer, or the turns, the pitch or the height less",
                   c->name, fabs(state.at[1]), s->pulley, 0.5 * p->length);
}

static void warn_cables(advisor *a)
{
    for (int i = 0; i < a->scene->data.cables.count; i++) {
        const cable_data *c = ITEM(a->scene->data.cables, cable_data, i);
        cord_strand cable = a->simulation->strands[c->strand].handle;
        int nodes = 0;
        for (int k = 0; k < c->route.count; k++) warn_pulley(a, c, k);
        if (c->route.count > 0)
            (void)cord_cable_get_node_count(a->simulation->world, cable, &nodes);
        for (int k = 0; k < nodes; k++) warn_height(a, c, k);
    }
}

/* ---- contact */

/* Friction twists a strand whose rotation has inertia; chains in space always have it. */
static bool is_twisted_by_friction(const strand_data *s)
{
    return s->twist == CORD_TWIST_DYNAMIC || cord__strand_traits(s->model)->has_elements;
}

static void warn_surfaces(advisor *a)
{
    bool told = false;
    for (int i = 0; i < a->scene->data.strands.count; i++) {
        const strand_data *s = ITEM(a->scene->data.strands, strand_data, i);
        cord_status surface = a->simulation->strands[i].surface;
        if (s->surface.none) continue;
        if (surface == CORD_ERROR_ARGUMENT)
            cord__diagnose(a->out, s->at->at,
                           "%s has no radius, so it takes no part in contact; give it one, as in "
                           "contact: {radius: 2 mm}",
                           s->name);
        else if (surface == CORD_ERROR_UNSUPPORTED)
            cord__diagnose(a->out, s->at->at,
                           "%s takes no part in contact: its model has none; contact: no says so",
                           s->name);
        else if (!told && !is_twisted_by_friction(s)) {
            told = true;
            cord__diagnose(a->out, s->at->at,
                           "%s: friction acts at the centreline, and neither rolls nor twists it, "
                           "since its twist has no inertia; twist: dynamic gives it some",
                           s->name);
        }
    }
}

/* The name of the object on a side of a contact. */
static const char *side_name(const advisor *a, const cord_contact_side *side)
{
    const scene_data *d = &a->scene->data;
    for (int i = 0; i < d->strands.count; i++)
        if (side->strand.index && a->simulation->strands[i].handle.index == side->strand.index)
            return ITEM(d->strands, strand_data, i)->name;
    for (int i = 0; i < d->bodies.count; i++)
        if (side->body.index && a->simulation->bodies[i].handle.index == side->body.index)
            return ITEM(d->bodies, body_data, i)->name;
    for (int i = 0; i < d->obstacles.count; i++) {
        const char *name = ITEM(d->obstacles, obstacle_data, i)->name;
        if (a->simulation->obstacles[i].index == side->obstacle.index && name) return name;
    }
    return "an obstacle";
}

static void warn_overlaps(advisor *a)
{
    cord_contact worst;
    int count = 0;
    if (cord__find_overlaps(a->simulation->world, &worst, &count) != CORD_OK || count == 0) return;
    const char *first = side_name(a, &worst.first), *second = side_name(a, &worst.second);
    const scene_data *d = &a->scene->data;
    cord__diagnose(a->out, d->contact ? d->contact->at->at : d->at->at,
                   "at the start %s and %s overlap by %.3g m at [%.4g, %.4g, %.4g]%s; they are "
                   "pushed apart in the first steps. Draw them apart, or give them smaller radii",
                   first, strcmp(first, second) == 0 ? "itself" : second, -worst.gap,
                   worst.position[0], worst.position[1], worst.position[2],
                   count > 1 ? ", and more do elsewhere" : "");
}

static void warn_contacts(advisor *a)
{
    if (!cord__has_contacts(a->scene)) return;
    warn_surfaces(a);
    warn_overlaps(a);
}

/* ---- probes */

static bool is_still(const script_data *s)
{
    return s->motion.count == 0 && s->rotation.count == 0 && !s->orbit;
}

static bool list_clamps(advisor *a, arena *storage)
{
    const scene_data *d = &a->scene->data;
    a->first_clamp = TAKE(storage, int, d->strands.count);
    a->next_clamp = TAKE(storage, int, d->clamps.count);
    if (!a->first_clamp || !a->next_clamp) return false;
    for (int i = 0; i < d->clamps.count; i++) {
        double along;
        const clamp_data *c = ITEM(d->clamps, clamp_data, i);
        int *first = a->first_clamp +
                     INDEX(d->strands, strand_data, cord__strand_of(a->scene, &c->where, &along));
        a->next_clamp[i] = *first;
        *first = i + 1;
    }
    return true;
}

/* Whether a clamp without a prescribed motion is at this point of a strand. */
static bool is_clamped(const advisor *a, const probe_data *p)
{
    for (int i = a->first_clamp[p->strand]; i > 0; i = a->next_clamp[i - 1]) {
        const clamp_data *c = ITEM(a->scene->data.clamps, clamp_data, i - 1);
        double along;
        const strand_data *s = cord__strand_of(a->scene, &c->where, &along);
        if (is_still(&c->script) && fabs(along - p->along) < 1e-9 * s->length) return true;
    }
    return false;
}

static void warn_probes(advisor *a)
{
    for (int i = 0; i < a->scene->data.probes.count; i++) {
        const probe_data *p = ITEM(a->scene->data.probes, probe_data, i);
        const char *unit = p->ops->unit ? p->ops->unit : "";
        bool moving = strcmp(unit, "m") == 0 || strcmp(unit, "m/s") == 0;
        bool fixed = p->subject == SUBJECT_POINT && p->of.kind == LOCATION_WORLD;
        if (p->subject == SUBJECT_POINT && p->of.kind == LOCATION_NAME) {
            const symbol *s = cord__find_symbol(a->scene, p->of.name);
            const point_data *of = ITEM(a->scene->data.points, point_data, s->index);
            fixed = of->where.kind == LOCATION_WORLD && is_still(&of->script);
        }
        if (p->subject == SUBJECT_STRAND_POINT) fixed = is_clamped(a, p);
        if (!moving || !fixed) continue;
        cord__diagnose(a->out, p->at->at, "probe %s measures a point that never moves", p->name);
    }
    for (int i = 0; i < a->scene->data.expectations.count; i++) {
        const expect_data *e = ITEM(a->scene->data.expectations, expect_data, i);
        double until = a->scene->data.run->until;
        if (isinf(e->time) || e->time <= until + a->dt / 2) continue;
        cord__diagnose(a->out, cord__node_key_mark(e->at, "at"),
                       "nothing is expected at %.6g s: the run ends at %.6g s", e->time, until);
    }
}

static void warn_variables(advisor *a)
{
    const scope *s = a->scene->read.scope;
    for (int i = 0; s && i < s->count; i++) {
        const variable *v = &s->list[i];
        if (!v->used) cord__diagnose(a->out, v->at->at, "the variable $%s is never used", v->name);
    }
}

static void warn_run(advisor *a)
{
    const run_data *run = a->scene->data.run;
    if (run->until == 0 || 1 / run->frames >= a->dt * 0.999) return;
    cord__diagnose(a->out, cord__node_key_mark(run->at, "frames"),
                   "frames: %g Hz is more often than there are steps; each step is recorded",
                   run->frames);
}

cord_status cord_simulation_advise(cord_simulation *sim)
{
    if (!sim) return CORD_ERROR_ARGUMENT;
    static void (*const rules[])(advisor *) = {
        warn_strands, warn_bodies,   warn_clamps, warn_points,    warn_drives, warn_motors,
        warn_cables,  warn_contacts, warn_probes, warn_variables, warn_run};
    if (!sim->world) return CORD_ERROR_ARGUMENT;
    sim->warnings.count = sim->warnings.dropped = 0;
    advisor a = {.simulation = sim, .scene = sim->scene, .out = &sim->warnings};
    a.dt = sim->scene->data.run->dt;
    if (!list_clamps(&a, &sim->memory)) return CORD_ERROR_MEMORY;
    for (size_t i = 0; i < sizeof rules / sizeof rules[0]; i++) rules[i](&a);
    return sim->memory.failed ? CORD_ERROR_MEMORY : CORD_OK;
}

int cord_simulation_get_warning_count(const cord_simulation *sim)
{
    if (!sim) return 0;
    return sim->warnings.count;
}

const char *cord_simulation_get_warning(const cord_simulation *sim, int i)
{
    if (!sim) return NULL;
    return i >= 0 && i < sim->warnings.count ? sim->warnings.list[i].text : NULL;
}
