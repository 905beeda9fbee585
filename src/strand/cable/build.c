/* Construction of a cable's block: dofs, rows, elements, and the indices of their matrix entries. */
#include "strand/cable/cable.h"

#include "math/band.h"
#include "math/vec3.h"

#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- plans ------------------------------------------------------------------------------------------ */

cord_status cord__plan_allocate(cable_plan *plan, int nodes, int wraps, memory *m)
{
    *plan = (cable_plan){.node = NEW(m, planned_node, nodes), .wrap = NEW(m, planned_wrap, wraps)};
    return plan->node && plan->wrap ? CORD_OK : CORD_ERROR_MEMORY;
}

void cord__plan_free(cable_plan *plan, memory *m)
{
    cord__release(m, plan->node);
    cord__release(m, plan->wrap);
}

static cord_status refuse(char *why, size_t size, const char *what, int node)
{
    snprintf(why, size, "node %d: %s", node, what);
    return CORD_ERROR_ARGUMENT;
}

/* The quadrature of a segment takes time in proportion to its turns. */
static const double MOST_RADIANS = 1e4;

static cord_status check_node(const cord_cable_def *def, int i, char *why, size_t size)
{
    const cord_cable_node *n = def->nodes + i;
    if (n->guide < -1 || n->guide >= def->guide_count)
        return refuse(why, size, "there is no such guide", i);
    if (!v3_admissible(n->at) || !is_admissible(n->s))
        return refuse(why, size, "it is not finite or exceeds 1e50", i);
    if (i > 0 && !(n->s > n[-1].s))
        return refuse(why, size, "its material coordinate is not beyond that of the one before", i);
    int last = def->node_count - 1, beside = i + n->tangent;
    if (def->closed) beside = (beside + def->node_count) % def->node_count;
    if (n->tangent < -1 || n->tangent > 1 || beside < 0 || beside > last)
        return refuse(why, size, "there is no segment for it to be tangent to", i);
    const guide_ops *on = n->guide >= 0 ? cord__guide_ops(def->guides[n->guide].kind) : NULL;
    for (int k = 0; on && k < on->angles; k++)
        if (fabs(n->at[k]) > MOST_RADIANS)
            return refuse(why, size, "its angle exceeds 1e4 rad; angles of nodes are in radians",
                          i);
    if (n->tangent != 0 && !(on && on->normal))
        return refuse(why, size, "only a circle, a cylinder, a sphere or a surface has tangents",
                      i);
    if (n->prescribed && !(on && on->coordinates > 0))
        return refuse(why, size, "it has no coordinates to be prescribed", i);
    if (n->prescribed && n->tangent != 0)
        return refuse(why, size,
                      "it is prescribed, and so cannot be where a tangent leaves its guide", i);
    if (n->tangent != 0 && def->nodes[beside].guide == n->guide)
        return refuse(why, size, "the segment it is tangent to does not leave the guide", i);
    return CORD_OK;
}

/* The defect of a wrap's definition, or NULL. No-slip contact needs coordinates that are lengths. */
static const char *wrong_wrap(const cord_cable_def *def, const cord_wrap *given)
{
    int at = given->segment;
    const cord_cable_node *n = def->nodes + at;
    if (given->friction_law < CORD_WRAP_FRICTIONLESS || given->friction_law > CORD_WRAP_CAPSTAN)
        return "unknown friction law";
    if (!(given->friction >= 0 && is_admissible(given->friction)))
        return "friction must be at least 0";
    if (at < 0 || at + 1 >= def->node_count || n->guide < 0 || n[1].guide != n->guide ||
        cord__guide_ops(def->guides[n->guide].kind)->coordinates == 0)
        return "its segment does not lie on a guide";
    const guide_ops *on = cord__guide_ops(def->guides[n->guide].kind);
    if (!on->revolute && given->rotation.index != 0) return "only a circle or a cylinder rotates";
    if (given->friction_law == CORD_WRAP_FRICTIONLESS) return NULL;
    if (!on->no_slip) return "only a circle, a cylinder, a line or a path has wrap friction";
    if (given->friction_law != CORD_WRAP_CAPSTAN) return NULL;
    if (!on->turning) return "the force of a cable on a straight line is not known";
    if (!def->closed && (at == 0 || at + 2 == def->node_count))
        return "friction is between the forces of the segments before and after it";
    return NULL;
}

static cord_status check_wrap(const cord_cable_def *def, int i, char *why, size_t size)
{
    const char *wrong = wrong_wrap(def, def->wraps + i);
    if (!wrong) return CORD_OK;
    snprintf(why, size, "wrap %d: %s", i, wrong);
    return CORD_ERROR_ARGUMENT;
}

cord_status cord__check_material(const cable_material *of, char *why, size_t size)
{
    const double numbers[] = {of->stretching, of->bending, of->damping,
                              of->drag,       of->radius,  of->twisting};
    bool fine = true;
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
        fine = fine && numbers[i] >= 0 && is_admissible(numbers[i]);
    if (!fine) snprintf(why, size, "stiffness, damping, drag and radius must be at least 0");
    if (fine && !(of->restitution >= 0 && of->restitution <= 1)) {
        snprintf(why, size, "the restitution must be 0 to 1");
        return CORD_ERROR_ARGUMENT;
    }
    if (fine && of->density > 0 && is_admissible(of->density)) return CORD_OK;
    if (fine) snprintf(why, size, "the density must be above 0");
    return CORD_ERROR_ARGUMENT;
}

static cord_status check_closed(const cord_cable_def *def, char *why, size_t size)
{
    double drawn = def->nodes[def->node_count - 1].s - def->nodes[0].s;
    if (!def->closed) return CORD_OK;
    if (def->node_count >= 3 && def->length > drawn && is_admissible(def->length)) return CORD_OK;
    snprintf(
        why, size,
        "a closed cable needs three nodes at least, and a length beyond that from the first to "
        "the last, %.6g m",
        drawn);
    return CORD_ERROR_ARGUMENT;
}

cord_status cord__plan_given(const cord_cable_def *def, const cable_guide *guides,
                             const int *rotation, cable_plan *plan, char *why, size_t size)
{
    if (def->node_count < 2) {
        snprintf(why, size, "a cable needs two nodes at least");
        return CORD_ERROR_ARGUMENT;
    }
    cord_status status = check_closed(def, why, size);
    for (int i = 0; i < def->node_count && status == CORD_OK; i++)
        status = check_node(def, i, why, size);
    for (int i = 0; i < def->wrap_count && status == CORD_OK; i++)
        status = check_wrap(def, i, why, size);
    if (status != CORD_OK) return status;
    for (int i = 0; i < def->node_count; i++) {
        const cord_cable_node *given = def->nodes + i;
        planned_node *n = plan->node + i;
        *n = (planned_node){.guide = given->guide,
                            .tangent = given->tangent,
                            .waypoint = -1,
                            .eulerian = given->eulerian,
                            .prescribed = given->prescribed,
                            .s = given->s};
        v3_copy(n->at, given->at);
        if (given->guide < 0) continue;
        const cable_guide *g = guides + given->guide;
        for (int k = 0; k < g->ops->angles; k++)
            n->at[k] *= g->radius; /* angles become arc lengths */
    }
    for (int i = 0; i < def->wrap_count; i++)
        plan->wrap[i] = (planned_wrap){.segment = def->wraps[i].segment,
                                       .rotation = rotation[i],
                                       .friction_law = def->wraps[i].friction_law,
                                       .friction = def->wraps[i].friction};
    plan->nodes = def->node_count, plan->wraps = def->wrap_count;
    plan->length = def->length;
    cord__plan_fractions(plan);
    return CORD_OK;
}

/* A pulley with an end of the cable on it has no slack side, hence no capstan friction. */
planned_wrap cord__planned_wrap(const cable_waypoint *waypoint, int segment)
{
    bool slides = waypoint->end != 0 && waypoint->friction_law == CORD_WRAP_CAPSTAN;
    return (planned_wrap){segment, waypoint->rotation,
                          slides ? CORD_WRAP_FRICTIONLESS : waypoint->friction_law,
                          waypoint->friction, waypoint->groove};
}

cord_status cord__check_lumped(const cable_plan *plan, bool closed, char *why, size_t size)
{
    int staying = 0;
    if (closed) {
        snprintf(why, size, "a closed cable is not lumped");
        return CORD_ERROR_ARGUMENT;
    }
    for (int i = 0; i < plan->nodes; i++) {
        const planned_node *n = plan->node + i;
        staying += !n->eulerian;
        if (n->evenly_spaced)
            snprintf(why, size,
                     "the straight segments of a lumped cable have no parts; define nodes");
        else if (n->eulerian && n->guide < 0)
            snprintf(why, size,
                     "node %d: in a lumped cable, a node that the cable runs through has no mass, "
                     "and must be on a guide",
                     i);
        if (why[0]) return CORD_ERROR_ARGUMENT;
    }
    if (staying > 0) return CORD_OK;
    snprintf(why, size, "no node of a lumped cable stays with it, to have its mass");
    return CORD_ERROR_ARGUMENT;
}

/* ---- the block -------------------------------------------------------------------------------------- */

static void make_nodes(cable *c, const cable_plan *plan)
{
    int dof = 0, q = 0;
    for (int i = 0; i < plan->nodes; i++) {
        const planned_node *given = plan->node + i;
        cable_node *n = c->topology.node + i;
        n->guide = given->guide;
        n->size = given->guide < 0 ? NODE_COORDINATES : c->def.guide[given->guide].ops->coordinates;
        n->count = given->prescribed ? 0 : n->size;
        v3_copy(n->at, given->at);
        n->tangent = given->tangent;
        n->evenly_spaced = given->evenly_spaced;
        n->retained = given->retained;
        n->fraction = given->fraction;
        double next = i + 1 < plan->nodes ? given[1].s : plan->node->s + plan->length;
        if (n->evenly_spaced) n->fraction = (given->s - given[-1].s) / (next - given[-1].s);
        n->waypoint = given->waypoint;
        n->s = given->s;
        n->dof = dof;
        dof += n->count;
        n->s_dof = given->eulerian ? dof++ : -1;
        n->q = q;
        q += n->count + given->eulerian;
    }
    c->layout.twist_dof = c->layout.twist_row = -1;
    if (c->def.material.twisting > 0) c->layout.twist_dof = dof++, q++;
    c->layout.own_dofs = dof;
    c->layout.own_q = q;
    for (int i = 0; i < c->def.carriers; i++) {
        bool rotates = c->def.carrier[i].rotates;
        c->layout.carrier[i] = (carrier_offset){dof, q};
        dof += rotates ? CARRIER_DOFS : 3;
        q += rotates ? CARRIER_Q : 3;
    }
    c->layout.rotation_dof = dof, c->layout.rotation_q = q;
    c->layout.dofs = dof + c->def.rotations;
    c->topology.start = c->def.by_nodes ? plan->node->s : 0;
    c->topology.length = c->def.closed
                             ? plan->length
                             : c->topology.node[c->topology.nodes - 1].s - c->topology.node[0].s;
    cord__closed_nodes(c);
}

/* The wrap angle of a segment between prescribed nodes; negative: it may change. */
static double prescribed_turning(const cable *c, int segment)
{
    const cable_node *n = c->topology.node + segment;
    const cable_guide *on = c->def.guide + n->guide;
    if (n->count > 0 || n[1].count > 0) return -1;
    return on->ops->turning(on, n->at, n[1].at);
}

/* Half of the mass between a Lagrangian node and the adjacent Lagrangian nodes; at an end all mass beyond. */
static double lumped_mass(const cable *c, int node)
{
    double s = c->topology.node[node].s, from = 2 * c->topology.node[0].s - s;
    double to = 2 * c->topology.node[c->topology.nodes - 1].s - s;
    for (int i = 0; i < node; i++)
        if (c->topology.node[i].s_dof < 0) from = c->topology.node[i].s;
    for (int i = c->topology.nodes - 1; i > node; i--)
        if (c->topology.node[i].s_dof < 0) to = c->topology.node[i].s;
    return 0.5 * c->def.material.density * (to - from);
}

static int take_side(cable_layout *layout, int doubles)
{
    layout->side_count += doubles;
    return layout->side_count - doubles;
}

/* The rows of a wrap with friction; returns the number of elements. */
static int make_contact(cable *c, const planned_wrap *wrap, int count)
{
    cable_layout *to = &c->layout;
    if (wrap->friction_law == CORD_WRAP_FRICTIONLESS) return count;
    bool rolls = c->def.material.stretching > 0, slips = wrap->friction_law == CORD_WRAP_CAPSTAN;
    const int first = count, rows = rolls ? 2 : 1;
    bool helix = c->topology.node[wrap->segment].size > 1;
    for (int end = 0; end < rows; end++)
        to->element[count++] = (cable_element){
            .kind = rolls ? ELEMENT_ROLLING : ELEMENT_NO_SLIP,
            .node = wrap->segment,
            .row = to->rows++,
            .end = end,
            .slip = slips ? to->slips : -1,
            .memory = take_side(to, rolls   ? SIDE_DOUBLES(rolling_memory)
                                    : helix ? SIDE_DOUBLES(helix_memory)
                                            : SIDE_DOUBLES(no_slip_memory)),
            .rotation = wrap->rotation >= 0 ? cable_rotation_dof(c, wrap->rotation) : -1};
    if (!slips) return count;
    int mode =
        rolls ? take_side(to, SIDE_DOUBLES(slip_memory))
              : to->element[first].memory + (int)(offsetof(no_slip_memory, mode) / sizeof(double));
    to->slip_rows += rows;
    to->slip[to->slips++] = (cable_slip){.element = first,
                                         .rows = rows,
                                         .mode = mode,
                                         .coefficient = wrap->friction,
                                         .turning = prescribed_turning(c, wrap->segment)};
    return count;
}

/* The rows of the ends of a wrap in a groove; returns the number of elements. */
static int make_groove(cable *c, const planned_wrap *wrap, int count)
{
    for (int end = 0; wrap->groove.slope != 0 && end < 2; end++)
        c->layout.element[count++] = (cable_element){
            .kind = ELEMENT_GROOVE,
            .node = wrap->segment,
            .row = c->layout.rows++,
            .end = end,
            .rotation = wrap->rotation >= 0 ? cable_rotation_dof(c, wrap->rotation) : -1,
            .groove = wrap->groove};
    return count;
}

/* Whether the cable may have a kink at the node after node i: along one curve it has none. */
static bool has_kink(const cable *c, int i)
{
    bool one_guide = cable_is_curved(c, i) && cable_is_curved(c, i + 1);
    return !one_guide || c->topology.node[i].size > 1;
}

/* Segments, then bending elements, masses, tangency and no-slip contacts; `row` is the row counter. */
static void make_elements(cable *c, const cable_plan *plan)
{
    int count = 0;
    for (int i = 0; i + 1 < c->topology.nodes; i++)
        c->layout.element[count++] =
            (cable_element){.kind = cable_is_curved(c, i) ? ELEMENT_CURVED : ELEMENT_STRAIGHT,
                            .node = i,
                            .row = c->def.material.stretching > 0 ? -1 : c->layout.rows++,
                            .rotation = -1};
    for (int i = 0; i < count; i++) {
        cable_element *e = c->layout.element + i;
        e->one_sided = e->row >= 0 && e->kind == ELEMENT_STRAIGHT && !c->def.material.pushes;
        if (e->one_sided) e->memory = take_side(&c->layout, SIDE_DOUBLES(length_memory));
        double ds = c->topology.node[i + 1].s - c->topology.node[i].s;
        e->buckling = M_PI * M_PI * c->def.material.bending / (ds * ds);
    }
    for (int i = 0; c->def.material.bending > 0 && i + 2 < cable_cached_nodes(c); i++)
        if (has_kink(c, i))
            c->layout.element[count++] = (cable_element){ELEMENT_BEND, i, -1, .rotation = -1};
    for (int i = 0; c->def.material.lumped && i < c->topology.nodes; i++)
        if (c->topology.node[i].s_dof < 0)
            c->layout.element[count++] =
                (cable_element){ELEMENT_MASS, i, -1, .rotation = -1, .mass = lumped_mass(c, i)};
    for (int i = 0; i < c->topology.nodes; i++) {
        int first = c->topology.node[i].tangent > 0 ? i : i - 1;
        if (c->topology.node[i].tangent != 0 && first >= 0 && first + 1 < c->topology.nodes)
            c->layout.element[count++] =
                (cable_element){.kind = ELEMENT_TANGENT,
                                .node = first,
                                .end = c->topology.node[i].tangent > 0 ? 0 : 1,
                                .row = c->layout.rows++,
                                .rotation = -1};
    }
    for (int i = 0; i < plan->wraps; i++) {
        count = make_contact(c, plan->wrap + i, count);
        count = make_groove(c, plan->wrap + i, count);
    }
    for (int i = 1; i + 1 < c->topology.nodes; i++)
        if (c->topology.node[i].evenly_spaced)
            c->layout.element[count++] = (cable_element){.kind = ELEMENT_EVENLY_SPACED,
                                                         .node = i - 1,
                                                         .row = c->layout.rows++,
                                                         .rotation = -1};
    if (c->layout.twist_dof >= 0) {
        c->layout.twist_row = c->layout.rows++; /* the last: see block_shape.late_rows */
        c->layout.element[count++] =
            (cable_element){.kind = ELEMENT_TORSION, .row = c->layout.twist_row, .rotation = -1};
    }
    for (int i = 0; c->layout.twist_dof >= 0 && i < c->topology.nodes; i++)
        c->layout.element[count++] = (cable_element){.kind = ELEMENT_TWIST,
                                                     .node = i > 0 ? i - 1 : 0,
                                                     .end = i > 0,
                                                     .row = c->layout.twist_row,
                                                     .rotation = -1};
    c->layout.elements = count;
    take_side(&c->layout, SIDE_DOUBLES(event_memory));
}

/* Node by node; a row after the later of its nodes; rows and dofs of the whole cable last. */
static void number_unknowns(cable *c)
{
    int next = 0;
    for (int i = 0; i < c->topology.nodes; i++) {
        const cable_node *n = c->topology.node + i;
        bool own = i < cable_own_nodes(c);
        for (int k = 0; own && k < n->count; k++) c->layout.order[n->dof + k] = next++;
        if (own && n->s_dof >= 0) c->layout.order[n->s_dof] = next++;
        for (int k = c->layout.row_head[i]; k >= 0; k = c->layout.row_next[k])
            c->layout.order[c->layout.dofs + k] = next++;
    }
    c->layout.band_count = next;
    for (int k = c->layout.own_dofs; k < c->layout.dofs; k++) c->layout.order[k] = next++;
    if (c->layout.twist_dof < 0) return;
    c->layout.order[c->layout.twist_dof] = next++;
    c->layout.order[c->layout.dofs + c->layout.twist_row] = next;
}

static void chain_rows(cable *c)
{
    for (int i = 0; i < c->topology.nodes; i++) c->layout.row_head[i] = -1;
    for (int i = c->layout.elements - 1; i >= 0; i--) {
        const cable_element *e = c->layout.element + i;
        if (e->kind == ELEMENT_TORSION) c->layout.row_element[e->row] = i;
        if (e->row < 0 || e->row == c->layout.twist_row) continue;
        int last = e->node + (e->kind == ELEMENT_EVENLY_SPACED ? 2 : 1);
        c->layout.row_element[e->row] = i;
        c->layout.row_next[e->row] = c->layout.row_head[last];
        c->layout.row_head[last] = e->row;
    }
}

/* A cable with shared dofs, a closed one, and one with twist, whose row is over all nodes, has no band. */
static bool has_band(const cable *c)
{
    return !c->def.closed && c->def.carriers + c->def.rotations == 0 && c->layout.twist_dof < 0;
}

/* Counts, and the width of the band. */
static void count_entries(cable *c)
{
    c->layout.band_width = has_band(c) ? 0 : -1;
    for (int i = 0; i < c->layout.elements; i++) {
        cable_element *e = c->layout.element + i;
        int own[ELEMENT_UNKNOWNS];
        e->first = c->layout.unknown_count;
        e->first_slot = c->layout.slot_count;
        e->count = cord__element_unknowns(c, e, own);
        for (int a = 0; a < e->count; a++)
            for (int b = 0; b < a; b++) {
                int pa = c->layout.order[own[a]], pb = c->layout.order[own[b]],
                    apart = abs(pa - pb);
                if (has_band(c) && apart > c->layout.band_width) c->layout.band_width = apart;
            }
        c->layout.unknown_count += e->count;
        c->layout.slot_count += e->count * (e->count + 1) / 2;
    }
}

static bool list_unknowns(cable *c, memory *m)
{
    c->layout.unknown = NEW(m, int, c->layout.unknown_count);
    for (int i = 0; c->layout.unknown && i < c->layout.elements; i++)
        cord__element_unknowns(c, c->layout.element + i,
                               c->layout.unknown + c->layout.element[i].first);
    return c->layout.unknown;
}

static void set_initial(cable *c, const cable_plan *plan, const cable_source *from)
{
    for (int i = 0; i < plan->nodes; i++) {
        const cable_node *n = c->topology.node + i;
        const planned_node *given = plan->node + i;
        memcpy(c->initial.q + n->q, given->at, (size_t)n->count * sizeof(double));
        memcpy(c->initial.v + n->dof, given->rate, (size_t)n->count * sizeof(double));
        if (n->s_dof < 0) continue;
        c->initial.q[n->q + n->count] = n->s;
        c->initial.v[n->s_dof] = given->s_rate;
    }
    if (c->layout.twist_dof >= 0) {
        c->initial.q[c->layout.own_q - 1] = from->twist;
        c->initial.v[c->layout.twist_dof] = from->twist_rate;
    }
    size_t carried = (size_t)(c->layout.rotation_q + c->def.rotations - c->layout.own_q);
    if (carried) memcpy(c->initial.q + c->layout.own_q, from->q, carried * sizeof(double));
}

/* The reference of a no-slip contact is the initial value of its row; the sums over events are continued. */
static void set_side(cable *c, const cable_source *from)
{
    for (int i = 0; i < c->layout.elements; i++) {
        const cable_element *e = c->layout.element + i;
        if (e->kind != ELEMENT_NO_SLIP) continue;
        const cable_node *n = c->topology.node + e->node;
        no_slip_memory *contact = (no_slip_memory *)(c->initial.side + e->memory);
        double at[2], height[2] = {0}, rotation = 0;
        for (int k = 0; k < 2; k++) {
            const double *own = n[k].count > 0 ? c->initial.q + n[k].q : n[k].at;
            at[k] = own[0];
            if (n[k].size > 1) height[k] = own[1];
        }
        double sign = at[1] > at[0] ? 1 : -1;
        if (n->size > 1) {
            double cosine = fabs(at[1] - at[0]) / hypot(at[1] - at[0], height[1] - height[0]);
            ((helix_memory *)contact)->cosine = cosine;
            sign *= cosine;
        }
        if (e->rotation >= 0)
            rotation = c->initial.q[c->layout.rotation_q + e->rotation - c->layout.rotation_dof];
        contact->reference = 0.5 * (at[0] + at[1]) - 0.5 * sign * (n->s + n[1].s) -
                             c->def.guide[n->guide].radius * rotation;
    }
    for (int i = 0; i < c->layout.slips; i++)
        c->initial.side[c->layout.slip[i].mode] = SLIP_UNDECIDED;
    if (from->events) *cable_events(&c->layout, c->initial.side) = *from->events;
}

double cord__shorter_segment(const cable *c, int node)
{
    const cable_node *n = c->topology.node + node;
    bool first = node == 0, last = node + 1 == c->topology.nodes;
    if (first && c->def.closed) n += c->topology.nodes - 1;
    double before = !first || c->def.closed ? n->s - n[-1].s : INFINITY;
    double after = !last || c->def.closed ? n[1].s - n->s : INFINITY;
    return fmin(before, after);
}

/* Displacement of a node per unit of a coordinate: most coordinates are lengths. */
double cord__dof_scale(const cable *c, int node, int k)
{
    const cable_node *n = c->topology.node + node;
    if (n->guide < 0) return 1;
    const cable_guide *on = c->def.guide + n->guide;
    return on->ops->scale ? on->ops->scale(on, c->initial.q + n->q, k) : 1;
}

static void set_weights(cable *c)
{
    for (int i = 0; i < c->layout.dofs; i++)
        c->layout.weight[i] = c->def.material.density * c->topology.length;
    for (int i = 0; i < c->topology.nodes; i++) {
        const cable_node *n = c->topology.node + i;
        double mass = c->def.material.density * cord__shorter_segment(c, i);
        for (int k = 0; k < n->count; k++) {
            double size = cord__dof_scale(c, i, k);
            c->layout.weight[n->dof + k] = mass * size * size;
        }
        if (n->s_dof >= 0) c->layout.weight[n->s_dof] = mass;
    }
    /* Quasistatic twist: a negligible fraction of the inertia ρL³. */
    if (c->layout.twist_dof >= 0)
        c->layout.weight[c->layout.twist_dof] = 1e-9 * c->def.material.density *
                                                c->topology.length * c->topology.length *
                                                c->topology.length;
}

/* The directions of the clamps in the initial configuration, and the segments that are slack in it. */
static bool set_directions(cable *c, memory *m)
{
    block_shape shape;
    cord__cable.block.describe(c, &shape);
    double *cache = NEW(m, double, shape.cache_count);
    if (!cache) return false;
    cord__cable.block.refresh(c, c->initial.q, cache);
    if (c->layout.twist_dof >= 0) cord__clamp_ends(c, cache);
    cord__set_upright(c, cache);
    cord__initial_slack(c, cache);
    cord__release(m, cache);
    return true;
}

static bool allocate_nodes(cable *c, const cable_source *from, const cable_plan *plan, memory *m)
{
    cable_definition *def = &c->def;
    def->guide = cord__copy(m, from->def.guide, (size_t)def->guides, sizeof *def->guide);
    def->carrier = cord__copy(m, from->def.carrier, (size_t)def->carriers, sizeof *def->carrier);
    c->topology.waypoint =
        cord__copy(m, from->waypoint, (size_t)def->waypoints, sizeof *from->waypoint);
    c->topology.node = NEW(m, cable_node, plan->nodes + 2 * def->closed);
    c->layout.carrier = NEW(m, carrier_offset, def->carriers);
    c->layout.element = NEW(m, cable_element, 6 * c->topology.nodes + 4 * plan->wraps + 1);
    c->layout.slip = NEW(m, cable_slip, plan->wraps);
    return def->guide && def->carrier && c->topology.waypoint && c->topology.node &&
           c->layout.carrier && c->layout.element && c->layout.slip;
}

static bool allocate_unknowns(cable *c, memory *m)
{
    c->layout.order = NEW(m, int, c->layout.dofs + c->layout.rows);
    c->layout.row_head = NEW(m, int, c->topology.nodes);
    c->layout.row_next = NEW(m, int, c->layout.rows);
    c->layout.row_element = NEW(m, int, c->layout.rows);
    c->initial.q = NEW(m, double, c->layout.rotation_q + c->def.rotations);
    c->initial.v = NEW(m, double, c->layout.dofs);
    c->layout.weight = NEW(m, double, c->layout.dofs);
    c->initial.side = NEW(m, double, c->layout.side_count);
    return c->layout.weight && c->layout.order && c->layout.row_head && c->layout.row_next &&
           c->layout.row_element && c->initial.q && c->initial.v && c->initial.side;
}

cable_source cord__successor_of(const cable *c, const double *shared_q)
{
    return (cable_source){
        .def = c->def, .waypoint = c->topology.waypoint, .q = shared_q, .successor = true};
}

/* Nodes, elements, and the order and entries of their unknowns. */
static bool lay_out(cable *c, const cable_source *from, const cable_plan *plan, memory *m)
{
    if (!allocate_nodes(c, from, plan, m)) return false;
    make_nodes(c, plan);
    make_elements(c, plan);
    if (!allocate_unknowns(c, m) || !cord__make_tables(c, m) || !cord__cable_list_straight(c, m))
        return false;
    chain_rows(c);
    number_unknowns(c);
    count_entries(c);
    return list_unknowns(c, m);
}

cord_status cord__cable_make(const cable_source *from, const cable_plan *plan, memory *m,
                             cable **out)
{
    cable *c = NEW(m, cable, 1);
    if (!c) return CORD_ERROR_MEMORY;
    c->def = from->def;
    c->def.linear_density = c->def.material.lumped ? 0 : c->def.material.density;
    if (c->def.vertices < 2) c->def.vertices = 8 * plan->nodes;
    c->topology.base = plan->base;
    c->topology.nodes = plan->nodes + c->def.closed;
    bool all = lay_out(c, from, plan, m);
    if (all) {
        set_initial(c, plan, from);
        set_side(c, from);
        set_weights(c);
        all = from->successor || set_directions(c, m);
    }
    if (!all) {
        cord__cable.block.destroy(c, m);
        return CORD_ERROR_MEMORY;
    }
    c->layout.rigid = cord__closed_is_rigid(c);
    *out = c;
    return CORD_OK;
}
