/* From waypoints to nodes: straight lines between waypoints, tangent to pulleys, and helices round cylinders. */
#include "strand/cable/pulley.h"
#include "math/vec3.h"

#include <stdio.h>
#include <string.h>

static const double pi = 3.14159265358979323846;

/* The polar angle of a position about the axis. */
static double bearing(const cable_guide *g, const double *pose, const double position[3])
{
    double own[3], from[3];
    to_carrier(pose, position, own);
    v3_sub(from, own, g->origin);
    return atan2(v3_dot(from, g->axes + 3), v3_dot(from, g->axes));
}

/* ---- the path of a route -------------------------------------------------------------------------- */

/* The points where a route enters and leaves a waypoint. */
typedef struct passage {
    double in[3], out[3], entry, exit;
    bool gone;        /* a pulley without contact */
    double wrap;      /* of a pulley, without complete revolutions */
    double height[2]; /* of a cylinder: where the cable enters and leaves it, m along the axis */
} passage;

static bool is_pulley(const cord_waypoint *s)
{
    return s->kind == CORD_WAYPOINT_PULLEY || s->kind == CORD_WAYPOINT_DRUM ||
           s->kind == CORD_WAYPOINT_SURFACE;
}

static bool is_on_surface(const cord_waypoint *s)
{
    return s->kind == CORD_WAYPOINT_SURFACE;
}

static const double *pose_of(const cable_guide *g, const double *poses)
{
    return g->carrier >= 0 ? poses + CARRIER_CACHE * g->carrier : NULL;
}

/* The next waypoint that is not gone; below 0 or beyond the last: there is none. */
static int beside(const cord_cable_def *def, const passage *p, int i, int direction)
{
    int count = def->waypoint_count, from = i;
    for (i += direction;; i += direction) {
        if (def->closed) i = (i + count) % count;
        if (i < 0 || i >= count || !p[i].gone || i == from) return i;
    }
}

/* The wrap angle of a pulley between the positions before and after it. Where the straight line between them passes
 * the pulley on the required side there is no contact, at any distance: the wrap angle is in [−π, 0]. On a closed
 * route a belt may cross itself, and of only two waypoints both are in contact, at any angle. */
static double wrap_at(const cord_cable_def *def, const cable_guide *g, const double *pose,
                      const passage *p, int i, int before, int after)
{
    int side = def->waypoints[i].side;
    double wrap = wrap_of(p[i].entry, p[i].exit, side);
    if (def->closed) return def->waypoint_count == 2 && wrap < 0 ? wrap + 2 * pi : wrap;
    if (before < 0 || after >= def->waypoint_count || wrap < pi) return wrap;
    double by = bearing(g, pose, p[after].in) - bearing(g, pose, p[before].out);
    return remainder(side * by, 2 * pi) > 1e-9 ? wrap - 2 * pi : wrap;
}

static bool is_cylinder(const cable_guide *g)
{
    return g->ops->coordinates == 2;
}

static double groove_slope(const cord_waypoint *s)
{
    return s->pitch / (2 * pi * s->radius);
}

/* The wrap angle with all turns. That of an end on a surface begins at the end. */
static double whole_wrap(const cord_waypoint *s, const passage *p)
{
    double wrap = s->side * (p->exit - p->entry);
    if (is_on_surface(s)) return wrap + 2 * pi * (s->turns - floor(wrap / (2 * pi)));
    return fmax(0, 2 * pi * s->turns + (s->kind == CORD_WAYPOINT_DRUM ? 0 : p->wrap));
}

/* The geodesic from an end on the surface to the next position. */
static void surface_heights(const cord_waypoint *s, const cable_guide *g, const double *pose,
                            const double next[3], int end, passage *p)
{
    double far, arc = whole_wrap(s, p) * g->radius, to = pulley_height(g, pose, next, &far);
    p->height[end] = pulley_height(g, pose, s->position, &(double){0});
    double slope = (to - p->height[end]) / (arc + sqrt(far * far - g->radius * g->radius));
    p->height[1 - end] = p->height[end] + slope * arc;
}

/* The heights on a cylinder. In a groove they are prescribed, relative to the middle of the wrap, or to the tangent point
 * of a drum. */
static void find_heights(const cord_cable_def *def, const cable_guide *g, const double *pose,
                         passage *p, int i, int before, int after)
{
    const cord_waypoint *s = def->waypoints + i;
    bool drum = s->kind == CORD_WAYPOINT_DRUM;
    double wrap = whole_wrap(s, p + i), rise = s->side * groove_slope(s) * s->radius * wrap;
    if (is_on_surface(s)) {
        surface_heights(s, g, pose, before < 0 ? p[after].in : p[before].out, before >= 0, p + i);
        return;
    }
    if (s->pitch == 0) {
        geodesic_heights(g, pose, p[before].out, p[after].in, wrap * g->radius, p[i].height);
        return;
    }
    p[i].height[0] = s->height - (drum ? (before < 0) * rise : 0.5 * rise);
    p[i].height[1] = p[i].height[0] + rise;
}

/* One Gauss-Seidel sweep over the tangencies: each pulley from the positions of its neighbours. Returns the largest
 * change of an angle; NaN, with the waypoint in *bad: a position is inside a pulley. */
static double find_contacts(const cord_cable_def *def, const cable_guide *guides,
                            const double *poses, passage *p, int *bad)
{
    double change = 0;
    for (int i = 0; i < def->waypoint_count; i++) {
        const cord_waypoint *s = def->waypoints + i;
        if (!is_pulley(s) || p[i].gone) continue;
        const double *pose = pose_of(guides + i, poses);
        int before = beside(def, p, i, -1), after = beside(def, p, i, 1);
        double entry = p[i].entry, exit = p[i].exit;
        *bad = i;
        if (before >= 0 && !pulley_angle(guides + i, pose, p[before].out, s->side, true, &entry))
            return NAN;
        if (after < def->waypoint_count &&
            !pulley_angle(guides + i, pose, p[after].in, s->side, false, &exit))
            return NAN;
        change = fmax(change, fmax(fabs(remainder(entry - p[i].entry, 2 * pi)),
                                   fabs(remainder(exit - p[i].exit, 2 * pi))));
        p[i].entry = entry, p[i].exit = exit;
        p[i].wrap = wrap_at(def, guides + i, pose, p, i, before, after);
        double height[2] = {p[i].height[0], p[i].height[1]};
        if (is_cylinder(guides + i)) find_heights(def, guides + i, pose, p, i, before, after);
        for (int k = 0; k < 2; k++)
            change = fmax(change, fabs(p[i].height[k] - height[k]) / guides[i].radius);
        pulley_position(guides + i, pose, entry, p[i].height[0], p[i].in);
        pulley_position(guides + i, pose, exit, p[i].height[1], p[i].out);
    }
    return change;
}

/* Removes one pulley without contact from the route, or restores one that was removed while others
 * were still present. False: no change is necessary. */
static bool change_passage(const cord_cable_def *def, const cable_guide *guides,
                           const double *poses, passage *p, bool may_return)
{
    for (int i = 0; i < def->waypoint_count; i++) {
        const cord_waypoint *s = def->waypoints + i;
        if (s->kind != CORD_WAYPOINT_PULLEY || p[i].gone || s->turns > 0) continue;
        p[i].gone = p[i].wrap < 2 * LEAST_WRAP;
        if (p[i].gone) return true;
    }
    for (int i = 0; may_return && i < def->waypoint_count; i++) {
        const cord_waypoint *s = def->waypoints + i;
        const double *pose = pose_of(guides + i, poses);
        double entry, exit;
        if (!p[i].gone) continue;
        int before = beside(def, p, i, -1), after = beside(def, p, i, 1);
        if (!pulley_angle(guides + i, pose, p[before].out, s->side, true, &entry) ||
            !pulley_angle(guides + i, pose, p[after].in, s->side, false, &exit))
            continue;
        double wrap = wrap_of(entry, exit, s->side);
        if (wrap < 2 * LEAST_WRAP || wrap > 0.5 * pi) continue;
        p[i].gone = false;
        return true;
    }
    return false;
}

static void tube_ends(const cord_waypoint *s, const cable_guide *g, const double *pose, passage *p)
{
    double own[3], length = g->path->length;
    p->entry = s->reversed ? length : 0, p->exit = s->reversed ? 0 : length;
    guide_position(g, &p->entry, own, NULL, NULL);
    to_world(pose, own, p->in);
    guide_position(g, &p->exit, own, NULL, NULL);
    to_world(pose, own, p->out);
}

static cord_status find_path(const cord_cable_def *def, const cable_guide *guides,
                             const double *poses, passage *p, char *why, size_t size)
{
    for (int i = 0; i < def->waypoint_count; i++) {
        const cord_waypoint *s = def->waypoints + i;
        if (s->kind == CORD_WAYPOINT_TUBE) {
            tube_ends(s, guides + i, pose_of(guides + i, poses), p + i);
            continue;
        }
        if (is_on_surface(s))
            p[i].entry = p[i].exit = bearing(guides + i, pose_of(guides + i, poses), s->position);
        if (s->kind == CORD_WAYPOINT_FREE || is_on_surface(s))
            v3_copy(p[i].in, s->position);
        else
            to_world(pose_of(guides + i, poses), guides[i].origin, p[i].in);
        v3_copy(p[i].out, p[i].in);
    }
    int changes = 0; /* enough for each pulley to be removed, restored and removed again */
    for (int round = 0, bad = 0; round < 1000; round++) {
        double change = find_contacts(def, guides, poses, p, &bad);
        if (isnan(change)) {
            snprintf(why, size,
                     def->closed
                         ? "waypoint %d: what the cable comes from or goes to is inside its pulley"
                         : "waypoint %d: the cable would have to begin inside its pulley",
                     bad);
            return CORD_ERROR_ARGUMENT;
        }
        if (change > 1e-14 && round < 999) continue;
        bool may_return = changes++ < 3 * def->waypoint_count;
        if (!change_passage(def, guides, poses, p, may_return)) return CORD_OK;
        round = 0;
    }
    return CORD_OK;
}

/* ---- nodes ------------------------------------------------------------------------------------------ */

int cord__route_capacity(const cord_waypoint *waypoints, int count)
{
    int nodes = 0;
    for (int i = 0; i < count; i++)
        nodes += 2 + (waypoints[i].parts > 1 ? waypoints[i].parts - 1 : 0);
    return nodes;
}

/* The natural length of a geometric one. */
static double natural(const cord_cable_def *def, double length)
{
    return def->stretching > 0 ? length / (1 + def->tension / def->stretching) : length;
}

/* The nodes of a pulley; *s is advanced. On a drum the node at the end is Lagrangian. */
static void plan_pulley(const cord_cable_def *def, const cable_guide *g, const passage *p,
                        cable_waypoint *waypoint, int i, cable_plan *plan, double *s)
{
    bool drum = waypoint->kind == CORD_WAYPOINT_DRUM, first = i == 0;
    bool surface = is_on_surface(def->waypoints + i);
    double wrap = 2 * pi * def->waypoints[i].turns, entry = p->entry, exit = p->exit;
    if (!drum) wrap += p->wrap;
    if (surface) wrap = whole_wrap(def->waypoints + i, p);
    if (drum && first)
        entry = exit - waypoint->side * wrap;
    else
        exit = entry + waypoint->side * wrap;
    for (int end = 0; end < 2; end++) {
        bool tied = drum && (end == 0) == first;
        planned_node *n = add_node(plan, i, waypoint->guide, *s);
        n->at[0] = (end == 0 ? entry : exit) * g->radius;
        if (is_cylinder(g)) n->at[1] = p->height[end];
        n->eulerian = !tied;
        n->prescribed = tied && surface;
        n->tangent = tied ? 0 : end == 0 ? -1 : 1;
        if (end == 0) *s += natural(def, hypot(wrap * g->radius, p->height[1] - p->height[0]));
    }
    double slope = groove_slope(def->waypoints + i);
    waypoint->groove = (cable_groove){slope, p->height[0] - slope * entry * g->radius};
    add_wrap(plan, waypoint);
}

/* Both ends on one cylinder, and the helix between them. */
static void plan_surface(const cord_cable_def *def, const cable_guide *g, const double *pose,
                         cable_waypoint *waypoints, cable_plan *plan)
{
    const cord_waypoint *given = def->waypoints;
    double angle[2], height[2], far;
    for (int end = 0; end < 2; end++) {
        angle[end] = bearing(g, pose, given[end].position);
        height[end] = pulley_height(g, pose, given[end].position, &far);
    }
    double wrap = given->side * (angle[1] - angle[0]);
    wrap += 2 * pi * (given->turns - floor(wrap / (2 * pi) + 1e-9));
    angle[1] = angle[0] + given->side * wrap;
    plan->length = natural(def, hypot(wrap * g->radius, height[1] - height[0]));
    for (int end = 0; end < 2; end++) {
        waypoints[end].guide = 0, waypoints[end].node = end, waypoints[end].present = true;
        planned_node *n = add_node(plan, end, 0, end * plan->length);
        n->at[0] = angle[end] * g->radius, n->at[1] = height[end];
        n->prescribed = given[end].prescribed;
    }
}

/* In at one end of a tube, out at the other. */
static void plan_tube(const cord_cable_def *def, const cable_guide *g, const passage *p,
                      const cable_waypoint *waypoint, int i, cable_plan *plan, double *s)
{
    for (int end = 0; end < 2; end++) {
        planned_node *n = add_node(plan, i, waypoint->guide, *s);
        n->at[0] = end == 0 ? p->entry : p->exit;
        n->eulerian = n->prescribed = true;
        if (end == 0) *s += natural(def, g->path->length);
    }
    add_wrap(plan, waypoint);
}

static void plan_span(const cord_cable_def *def, const double from[3], const double to[3],
                      cable_waypoint *after, cable_plan *plan, double *s)
{
    double length = natural(def, v3_distance(from, to));
    after->spacing = after->parts > 1 ? length / after->parts : 0;
    for (int k = 1; k < after->parts; k++) {
        double f = (double)k / after->parts;
        planned_node *n = add_node(plan, -1, -1, *s + f * length);
        n->eulerian = n->evenly_spaced = true;
        v3_combine(n->at, 1 - f, from, f, to);
    }
    *s += length;
}

static cord_status check_waypoint(const cord_cable_def *def, int i, char *why, size_t size)
{
    const cord_waypoint *s = def->waypoints + i;
    bool end = !def->closed && (i == 0 || i == def->waypoint_count - 1);
    bool only_end = s->kind == CORD_WAYPOINT_DRUM || is_on_surface(s) ||
                    (s->kind == CORD_WAYPOINT_ANCHOR && !def->closed);
    bool tube = s->kind == CORD_WAYPOINT_TUBE;
    bool surface = is_on_surface(s), grooved = s->pitch != 0;
    bool second = surface && i == 1 && is_on_surface(def->waypoints);
    bool only_inner = tube || s->kind == CORD_WAYPOINT_EYELET || s->kind == CORD_WAYPOINT_PULLEY;
    const char *wrong = NULL;
    if (s->kind < CORD_WAYPOINT_ANCHOR || s->kind > CORD_WAYPOINT_SURFACE)
        wrong = "unknown kind";
    else if (def->closed && (s->kind == CORD_WAYPOINT_DRUM || is_on_surface(s)))
        wrong = "a closed cable has no end to wind on a drum; let it run round a pulley";
    else if (only_end && !end)
        wrong = surface ? "an end on the surface of a cylinder is at an end of the cable"
                        : "an anchor or a drum is at an end of the cable";
    else if (only_inner && end)
        wrong = tube ? "a cable does not end in a tube; put an anchor or a free end beyond it"
                     : "a cable does not end at an eyelet or a pulley; put an anchor, a drum or a "
                       "free end there";
    else if (tube && s->friction_law == CORD_WRAP_NO_SLIP)
        wrong = "a cable that sticks in a tube does not run through it; define a friction, or an "
                "anchor";
    else if (is_pulley(s) && s->side != 1 && s->side != -1 && !second)
        wrong = "the side of a pulley is 1 or -1";
    else if (s->turns < 0 || (s->kind == CORD_WAYPOINT_DRUM && s->turns < 1))
        wrong = "turns must be at least 0, on a drum 1";
    else if (s->kind == CORD_WAYPOINT_DRUM && s->rotation.index == 0)
        wrong = "a drum needs a rotation";
    else if ((s->cylinder || grooved) && (surface || !is_pulley(s)))
        wrong = "only a pulley or a drum is a cylinder or has a groove";
    else if (!is_admissible(s->pitch) || !is_admissible(s->height))
        wrong = "its pitch or height is not finite or exceeds 1e50";
    else if (s->kind == CORD_WAYPOINT_DRUM && s->cylinder && !grooved)
        wrong = "on a smooth cylinder nothing holds the turns of a drum apart; give it a pitch, or "
                "make it a disc";
    else if (s->height != 0 && !grooved)
        wrong = "a height is that of a groove, which needs a pitch";
    else if (s->loose && s->kind != CORD_WAYPOINT_DRUM)
        wrong = "only a drum has a loose end";
    else if ((s->kind == CORD_WAYPOINT_FREE || surface) && !v3_admissible(s->position))
        wrong = "its position is not finite";
    else if (s->friction_law < CORD_WRAP_FRICTIONLESS || s->friction_law > CORD_WRAP_CAPSTAN)
        wrong = "unknown friction law";
    if (!wrong) return CORD_OK;
    snprintf(why, size, "waypoint %d: %s", i, wrong);
    return CORD_ERROR_ARGUMENT;
}

/* Whether both ends, and nothing else, are on one cylinder. */
static bool is_helix(const cord_cable_def *def, const cable_guide *g)
{
    double apart[3], off[3];
    if (def->waypoint_count != 2 || !is_on_surface(def->waypoints) ||
        !is_on_surface(def->waypoints + 1))
        return false;
    v3_sub(apart, g[1].origin, g->origin);
    v3_cross(off, apart, g->axes + 6);
    return g->carrier == g[1].carrier && g->radius == g[1].radius &&
           v3_norm(off) < 1e-9 * g->radius && v3_dot(g->axes + 6, g[1].axes + 6) > 1 - 1e-12;
}

/* Where the nodes of a closed cable begin. */
static int find_base(const cord_cable_def *def, passage *p)
{
    int best = 0;
    for (int i = 0; i < def->waypoint_count; i++) {
        bool pulley = is_pulley(def->waypoints + i);
        p[i].wrap = p[i].gone ? -1 : pulley ? p[i].wrap : INFINITY;
        if (p[i].wrap > p[best].wrap) best = i;
    }
    return def->closed ? best : 0;
}

static void plan_path(const cord_cable_def *def, const cable_guide *guides, passage *p,
                      cable_waypoint *waypoints, cable_plan *plan)
{
    double s = 0;
    int last = -1, count = def->waypoint_count;
    plan->base = find_base(def, p);
    for (int k = 0; k < count; k++) {
        int i = (plan->base + k) % count;
        cable_waypoint *waypoint = waypoints + i;
        waypoint->present = !p[i].gone;
        if (p[i].gone) continue;
        if (is_on_surface(def->waypoints + i)) waypoint->kind = CORD_WAYPOINT_DRUM; /* smooth */
        if (last >= 0) plan_span(def, p[last].out, p[i].in, waypoints + last, plan, &s);
        last = i;
        waypoint->node = plan->nodes;
        if (is_pulley(def->waypoints + i)) {
            plan_pulley(def, guides + i, p + i, waypoint, i, plan, &s);
            continue;
        }
        if (waypoint->kind == CORD_WAYPOINT_TUBE) {
            plan_tube(def, guides + i, p + i, waypoint, i, plan, &s);
            continue;
        }
        planned_node *n = add_node(plan, i, waypoint->guide, s);
        n->eulerian = waypoint->kind == CORD_WAYPOINT_EYELET;
        if (waypoint->kind == CORD_WAYPOINT_FREE) v3_copy(n->at, def->waypoints[i].position);
    }
    if (def->closed) plan_span(def, p[last].out, p[plan->base].in, waypoints + last, plan, &s);
    plan->length = s;
}

/* ---- slack ------------------------------------------------------------------------------------------ */

/* Whether the segment after a node is straight between two waypoints, or between nodes of a span. */
static bool is_straight(const cable_plan *plan, int i)
{
    const planned_node *n = plan->node + i;
    return n->guide < 0 || n[1].guide != n->guide;
}

/* A cable that is longer than its route: the rest is in the longest straight span, in proportion to its segments. */
static cord_status lengthen(const cord_cable_def *def, cable_waypoint *waypoints, cable_plan *plan,
                            char *why, size_t size)
{
    planned_node *n = plan->node;
    double more = def->length - plan->length, longest = 0;
    int first = 0, last = 0;
    if (def->length == 0) return CORD_OK;
    if (def->closed) {
        snprintf(why, size,
                 "a closed cable along a route is as long as its route; set length to 0");
        return CORD_ERROR_ARGUMENT;
    }
    if (!is_admissible(def->length) || more < -1e-9 * plan->length) {
        snprintf(why, size,
                 "its length is %.6g m, but its route is %.6g m long; give it at least that, or "
                 "place its ends nearer%s",
                 def->length, plan->length,
                 def->stretching > 0 ? "; a stretched cable has a tension instead" : "");
        return CORD_ERROR_ARGUMENT;
    }
    for (int i = 0; i + 1 < plan->nodes; i++) {
        int end = i + 1;
        while (n[end].evenly_spaced) end++;
        if (is_straight(plan, i) && n[end].s - n[i].s > longest)
            longest = n[end].s - n[i].s, first = i, last = end;
        i = end - 1;
    }
    if (!(more > 0)) return CORD_OK;
    if (longest == 0) {
        snprintf(why, size,
                 "its length is more than that of its route, %.6g m, which has no straight span "
                 "that could be slack",
                 plan->length);
        return CORD_ERROR_ARGUMENT;
    }
    double from = n[first].s, factor = 1 + more / longest;
    for (int i = first + 1; i < plan->nodes; i++)
        n[i].s = i < last ? from + factor * (n[i].s - from) : n[i].s + more;
    waypoints[n[first].waypoint].spacing *= factor;
    plan->length = def->length;
    return CORD_OK;
}

/* The waypoint of a node or, between waypoints, the nearest in a direction. */
static int nearest_waypoint(const cable_plan *plan, int i, int direction)
{
    while (plan->node[i].waypoint < 0) i = (i + direction + plan->nodes) % plan->nodes;
    return plan->node[i].waypoint;
}

/* Of a closed one: it goes somewhere. */
static cord_status check_path(const cord_cable_def *def, const cable_plan *plan, char *why,
                              size_t size)
{
    const planned_node *n = plan->node;
    for (int i = 1; i < plan->nodes; i++)
        if (!(n[i].s > n[i - 1].s)) {
            snprintf(why, size, "waypoints %d and %d are at the same position",
                     nearest_waypoint(plan, i - 1, -1), nearest_waypoint(plan, i, 1));
            return CORD_ERROR_ARGUMENT;
        }
    if (!def->closed || (plan->nodes > 2 && plan->length > n[plan->nodes - 1].s)) return CORD_OK;
    snprintf(why, size,
             plan->nodes > 2
                 ? "the first and the last waypoint are at the same position"
                 : "a closed cable needs two pulleys that it wraps, or three waypoints");
    return CORD_ERROR_ARGUMENT;
}

cord_status cord__plan_route(const cord_cable_def *def, const cable_guide *guides,
                             const double *poses, cable_waypoint *waypoints, memory *m,
                             cable_plan *plan, char *why, size_t size)
{
    cord_status status = CORD_OK;
    if (def->waypoint_count < 2) {
        snprintf(why, size, "a route needs two waypoints at least");
        return CORD_ERROR_ARGUMENT;
    }
    if (!(def->tension >= 0 && is_admissible(def->tension))) {
        snprintf(why, size, "the tension must be at least 0");
        return CORD_ERROR_ARGUMENT;
    }
    for (int i = 0; i < def->waypoint_count && status == CORD_OK; i++)
        status = check_waypoint(def, i, why, size);
    if (status != CORD_OK) return status;
    passage *p = NEW(m, passage, def->waypoint_count);
    if (!p) return CORD_ERROR_MEMORY;
    if (is_helix(def, guides)) {
        plan_surface(def, guides, pose_of(guides, poses), waypoints, plan);
    } else {
        status = find_path(def, guides, poses, p, why, size);
        if (status == CORD_OK) plan_path(def, guides, p, waypoints, plan);
    }
    if (status == CORD_OK) status = check_path(def, plan, why, size);
    if (status == CORD_OK) status = lengthen(def, waypoints, plan, why, size);
    cord__release(m, p);
    return status;
}
