/* Construction of a cable's block: dofs, rows, elements, and the indices of their matrix entries. */
#include "strand/cable/cable.h"

#include "math/band.h"
#include "math/vec3.h"

#include <math.h>
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
    if (n->tangent != 0 && !(on && on->normal))
        return refuse(why, size, "only a circle, a cylinder, a sphere or a surface has tangents",
                      i);
    if (n->prescribed && !(on && on->coordinates > 0))
        return refuse(why, size, "it has no coordinates to be held at", i);
    int before = i > 0 ? i - 1 : def->closed ? last : i;
    bool stays = before != i && n->guide >= 0 && def->nodes[before].guide == n->guide;
    if (stays && on->along && !on->bending && def->bending > 0)
        return refuse(
            why, size,
            "what lies on a surface has no bending there; set bending to 0, or use a path", i);
    if (n->prescribed && n->tangent != 0)
        return refuse(why, size, "it is held, and so cannot be where a tangent leaves its guide",
                      i);
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
    if (!on->revolute && given->rotation.index != 0) return "only a circle or a cylinder turns";
    if (given->friction_law == CORD_WRAP_FRICTIONLESS) return NULL;
    if (!on->no_slip) return "only a circle, a cylinder, a line or a path grips a cable";
    if (given->friction_law != CORD_WRAP_CAPSTAN) return NULL;
    if (!on->turning) return "what presses a cable on a straight line is not known";
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
        plan->wrap[i] = (planned_wrap){def->wraps[i].segment, rotation[i],
                                       def->wraps[i].friction_law, def->wraps[i].friction};
    plan->nodes = def->node_count, plan->wraps = def->wrap_count;
    plan->length = def->length;
    return CORD_OK;
}

/* A pulley with an end of the cable on it has no slack side, hence no capstan friction. */
planned_wrap cord__planned_wrap(const cable_waypoint *waypoint, int segment)
{
    bool slides = waypoint->end != 0 && waypoint->friction_law == CORD_WRAP_CAPSTAN;
    return (planned_wrap){segment, waypoint->rotation,
                          slides ? CORD_WRAP_FRICTIONLESS : waypoint->friction_law,
                          waypoint->friction};
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
            snprintf(why, size, "the straight ways of a lumped cable have no parts; give nodes");
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
        cable_node *n = c->node + i;
        n->guide = given->guide;
        n->size = given->guide < 0 ? NODE_COORDINATES : c->guide[given->guide].ops->coordinates;
        n->count = given->prescribed ? 0 : n->size;
        v3_copy(n->at, given->at);
        n->tangent = given->tangent;
        n->evenly_spaced = given->evenly_spaced;
        n->kept = given->kept;
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
    c->twist_dof = c->twist_row = -1;
    if (c->material.twisting > 0) c->twist_dof = dof++, q++;
    c->own_dofs = dof;
    c->own_q = q;
    for (int i = 0; i < c->carriers; i++) {
        cable_carrier *p = c->carrier + i;
        p->dof = dof, p->q = q;
        dof += p->rotates ? CARRIER_DOFS : 3;
        q += p->rotates ? CARRIER_Q : 3;
    }
    c->rotation_dof = dof, c->rotation_q = q;
    c->dofs = dof + c->rotations;
    c->start = c->waypoints > 0 ? 0 : plan->node->s;
    c->length = c->closed ? plan->length : c->node[c->nodes - 1].s - c->node[0].s;
    cord__closed_nodes(c);
}

/* The wrap angle of a segment between prescribed nodes; negative: it may change. */
static double prescribed_turning(const cable *c, int segment)
{
    const cable_node *n = c->node + segment;
    const cable_guide *on = c->guide + n->guide;
    if (n->count > 0 || n[1].count > 0) return -1;
    return on->ops->turning(on, n->at[0], n[1].at[0]);
}

/* Half of the mass between a Lagrangian node and the adjacent Lagrangian nodes; at an end all mass
 * beyond. */
static double lumped_mass(const cable *c, int node)
{
    double s = c->node[node].s, from = 2 * c->node[0].s - s;
    double to = 2 * c->node[c->nodes - 1].s - s;
    for (int i = 0; i < node; i++)
        if (c->node[i].s_dof < 0) from = c->node[i].s;
    for (int i = c->nodes - 1; i > node; i--)
        if (c->node[i].s_dof < 0) to = c->node[i].s;
    return 0.5 * c->material.density * (to - from);
}

static int take_side(cable *c, int doubles)
{
    c->side_count += doubles;
    return c->side_count - doubles;
}

/* Segments, then bending elements, masses, tangency and no-slip contacts; `row` is the row counter. */
static void make_elements(cable *c, const cable_plan *plan)
{
    int count = 0;
    for (int i = 0; i + 1 < c->nodes; i++)
        c->element[count++] =
            (cable_element){.kind = cable_is_curved(c, i) ? ELEMENT_CURVED : ELEMENT_STRAIGHT,
                            .node = i,
                            .row = c->material.stretching > 0 ? -1 : c->rows++,
                            .rotation = -1};
    for (int i = 0; c->material.bending > 0 && i + 2 < cable_cached_nodes(c); i++)
        if (!cable_is_curved(c, i) && !cable_is_curved(c, i + 1))
            c->element[count++] = (cable_element){ELEMENT_BEND, i, -1, .rotation = -1};
    for (int i = 0; c->material.lumped && i < c->nodes; i++)
        if (c->node[i].s_dof < 0)
            c->element[count++] =
                (cable_element){ELEMENT_MASS, i, -1, .rotation = -1, .mass = lumped_mass(c, i)};
    for (int i = 0; i < c->nodes; i++) {
        int first = c->node[i].tangent > 0 ? i : i - 1;
        if (c->node[i].tangent != 0 && first >= 0 && first + 1 < c->nodes)
            c->element[count++] = (cable_element){.kind = ELEMENT_TANGENT,
                                                  .node = first,
                                                  .end = c->node[i].tangent > 0 ? 0 : 1,
                                                  .row = c->rows++,
                                                  .rotation = -1};
    }
    for (int i = 0; i < plan->wraps; i++) {
        const planned_wrap *wrap = plan->wrap + i;
        int rotation = wrap->rotation >= 0 ? cable_rotation_dof(c, wrap->rotation) : -1;
        bool rolls = wrap->friction_law == CORD_WRAP_NO_SLIP && c->material.stretching > 0;
        for (int end = 0; rolls && end < 2; end++)
            c->element[count++] =
                (cable_element){.kind = ELEMENT_ROLLING,
                                .node = wrap->segment,
                                .row = c->rows++,
                                .end = end,
                                .memory = take_side(c, SIDE_DOUBLES(rolling_memory)),
                                .rotation = rotation};
        if (rolls) continue;
        if (wrap->friction_law == CORD_WRAP_CAPSTAN)
            c->slip[c->slips] = (cable_slip){.element = count,
                                             .coefficient = wrap->friction,
                                             .turning = prescribed_turning(c, wrap->segment)};
        if (wrap->friction_law != CORD_WRAP_FRICTIONLESS)
            c->element[count++] =
                (cable_element){.kind = ELEMENT_NO_SLIP,
                                .node = wrap->segment,
                                .row = c->rows++,
                                .slip = wrap->friction_law == CORD_WRAP_CAPSTAN ? c->slips++ : -1,
                                .memory = take_side(c, SIDE_DOUBLES(no_slip_memory)),
                                .rotation = rotation};
    }
    for (int i = 1; i + 1 < c->nodes; i++)
        if (c->node[i].evenly_spaced)
            c->element[count++] = (cable_element){
                .kind = ELEMENT_EVENLY_SPACED, .node = i - 1, .row = c->rows++, .rotation = -1};
    if (c->twist_dof >= 0) {
        c->twist_row = c->rows++; /* the last: see block_shape.late_rows */
        c->element[count++] =
            (cable_element){.kind = ELEMENT_TORSION, .row = c->twist_row, .rotation = -1};
    }
    for (int i = 0; c->twist_dof >= 0 && i < c->nodes; i++)
        c->element[count++] = (cable_element){.kind = ELEMENT_TWIST,
                                              .node = i > 0 ? i - 1 : 0,
                                              .end = i > 0,
                                              .row = c->twist_row,
                                              .rotation = -1};
    c->elements = count;
    if (c->waypoints > 0) take_side(c, SIDE_DOUBLES(event_memory));
}

/* Node by node; a row after the later of its nodes; rows and dofs of the whole cable last. */
static void number_unknowns(cable *c)
{
    int next = 0;
    for (int i = 0; i < c->nodes; i++) {
        const cable_node *n = c->node + i;
        bool own = i < cable_own_nodes(c);
        for (int k = 0; own && k < n->count; k++) c->order[n->dof + k] = next++;
        if (own && n->s_dof >= 0) c->order[n->s_dof] = next++;
        for (int k = c->row_head[i]; k >= 0; k = c->row_next[k]) c->order[c->dofs + k] = next++;
    }
    c->band_count = next;
    for (int k = c->own_dofs; k < c->dofs; k++) c->order[k] = next++;
    if (c->twist_dof < 0) return;
    c->order[c->twist_dof] = next++;
    c->order[c->dofs + c->twist_row] = next;
}

static void chain_rows(cable *c)
{
    for (int i = 0; i < c->nodes; i++) c->row_head[i] = -1;
    for (int i = c->elements - 1; i >= 0; i--) {
        const cable_element *e = c->element + i;
        if (e->kind == ELEMENT_TORSION) c->row_element[e->row] = i;
        if (e->row < 0 || e->row == c->twist_row) continue;
        int last = e->node + (e->kind == ELEMENT_EVENLY_SPACED ? 2 : 1);
        c->row_element[e->row] = i;
        c->row_next[e->row] = c->row_head[last];
        c->row_head[last] = e->row;
    }
}

/* A cable with shared dofs, a closed one, and one with twist, whose row is over all nodes, has no band: the entries of its
 * elements are listed. */
static bool is_listed(const cable *c)
{
    return c->closed || c->carriers + c->rotations > 0 || c->twist_dof >= 0;
}

/* Counts, and the width of the band. */
static void count_entries(cable *c)
{
    c->band_width = is_listed(c) ? -1 : 0;
    for (int i = 0; i < c->elements; i++) {
        cable_element *e = c->element + i;
        int own[ELEMENT_UNKNOWNS];
        e->first = c->unknown_count;
        e->first_slot = c->slot_count;
        e->count = cord__element_unknowns(c, e, own);
        for (int a = 0; a < e->count; a++)
            for (int b = 0; b < a; b++) {
                int pa = c->order[own[a]], pb = c->order[own[b]], apart = abs(pa - pb);
                if (!is_listed(c) && apart > c->band_width) c->band_width = apart;
            }
        c->unknown_count += e->count;
        c->slot_count += e->count * (e->count + 1) / 2;
    }
}

/* Unknowns of all elements, and, where there is a band, the positions of their entries in it. */
static bool place_entries(cable *c, memory *m)
{
    int stride = BAND_STRIDE(c->band_width);
    c->unknown = NEW(m, int, c->unknown_count);
    if (!is_listed(c)) c->slot = NEW(m, int, c->slot_count);
    if (!c->unknown || !(c->slot || is_listed(c))) return false;
    for (int i = 0; i < c->elements; i++) {
        cable_element *e = c->element + i;
        int *own = c->unknown + e->first, *slot = c->slot + e->first_slot;
        cord__element_unknowns(c, e, own);
        for (int a = 0; c->slot && a < e->count; a++)
            for (int b = 0; b <= a; b++) {
                int pa = c->order[own[a]], pb = c->order[own[b]];
                *slot++ = (pa < pb ? pa : pb) * stride + abs(pa - pb);
            }
    }
    return true;
}

static void set_initial(cable *c, const cable_plan *plan, const cable_parts *parts)
{
    for (int i = 0; i < plan->nodes; i++) {
        const cable_node *n = c->node + i;
        const planned_node *given = plan->node + i;
        memcpy(c->initial_q + n->q, given->at, (size_t)n->count * sizeof(double));
        memcpy(c->initial_v + n->dof, given->rate, (size_t)n->count * sizeof(double));
        if (n->s_dof < 0) continue;
        c->initial_q[n->q + n->count] = n->s;
        c->initial_v[n->s_dof] = given->s_rate;
    }
    if (c->twist_dof >= 0) {
        c->initial_q[c->own_q - 1] = parts->twist;
        c->initial_v[c->twist_dof] = parts->twist_rate;
    }
    const double *carried_q = parts->q;
    size_t carried = (size_t)(c->rotation_q + c->rotations - c->own_q);
    if (carried) memcpy(c->initial_q + c->own_q, carried_q, carried * sizeof(double));
}

/* The reference of a no-slip contact is the initial value of its row; the sums over events are
 * continued. */
static void set_side(cable *c, const cable_parts *parts)
{
    for (int i = 0; i < c->elements; i++) {
        const cable_element *e = c->element + i;
        if (e->kind != ELEMENT_NO_SLIP) continue;
        const cable_node *n = c->node + e->node;
        double at[2], turn = 0;
        for (int k = 0; k < 2; k++) at[k] = n[k].count > 0 ? c->initial_q[n[k].q] : n[k].at[0];
        double sign = at[1] > at[0] ? 1 : -1;
        if (e->rotation >= 0) turn = c->initial_q[c->rotation_q + e->rotation - c->rotation_dof];
        ((no_slip_memory *)(c->initial_side + e->memory))->reference =
            0.5 * (at[0] + at[1]) - 0.5 * sign * (n->s + n[1].s) - c->guide[n->guide].radius * turn;
    }
    if (parts->events) *cable_events(c, c->initial_side) = *parts->events;
}

double cord__shorter_segment(const cable *c, int node)
{
    const cable_node *n = c->node + node;
    bool first = node == 0, last = node + 1 == c->nodes;
    if (first && c->closed) n += c->nodes - 1;
    double before = !first || c->closed ? n->s - n[-1].s : INFINITY;
    double after = !last || c->closed ? n[1].s - n->s : INFINITY;
    return fmin(before, after);
}

/* Displacement of a node per unit of a coordinate: most coordinates are lengths. */
double cord__dof_scale(const cable *c, int node, int k)
{
    const cable_node *n = c->node + node;
    if (n->guide < 0) return 1;
    const cable_guide *on = c->guide + n->guide;
    return on->ops->scale ? on->ops->scale(on, c->initial_q + n->q, k) : 1;
}

static void set_weights(cable *c)
{
    for (int i = 0; i < c->dofs; i++) c->weight[i] = c->material.density * c->length;
    for (int i = 0; i < c->nodes; i++) {
        const cable_node *n = c->node + i;
        double mass = c->material.density * cord__shorter_segment(c, i);
        for (int k = 0; k < n->count; k++) {
            double size = cord__dof_scale(c, i, k);
            c->weight[n->dof + k] = mass * size * size;
        }
        if (n->s_dof >= 0) c->weight[n->s_dof] = mass;
    }
    /* Quasistatic twist: a negligible fraction of the inertia ρL³. */
    if (c->twist_dof >= 0)
        c->weight[c->twist_dof] = 1e-9 * c->material.density * c->length * c->length * c->length;
}

/* The previous directions of the clamps, or those of the current configuration. */
static bool set_directions(cable *c, const cable_parts *from, memory *m)
{
    if (from->upright) {
        memcpy(c->clamp, from->clamp, sizeof c->clamp);
        v3_copy(c->upright, from->upright);
        return true;
    }
    block_shape shape;
    cord__cable.block.describe(c, &shape);
    double *cache = NEW(m, double, shape.cache_count);
    if (!cache) return false;
    cord__cable.block.refresh(c, c->initial_q, cache);
    if (c->twist_dof >= 0) cord__clamp_ends(c, cache);
    cord__set_upright(c, cache);
    cord__release(m, cache);
    return true;
}

static bool allocate_nodes(cable *c, const cable_parts *parts, const cable_plan *plan, memory *m)
{
    c->node = NEW(m, cable_node, plan->nodes + 2 * c->closed);
    c->guide = NEW(m, cable_guide, parts->guides);
    c->carrier = NEW(m, cable_carrier, parts->carriers);
    c->waypoint = NEW(m, cable_waypoint, parts->waypoints);
    c->element = NEW(m, cable_element, 6 * c->nodes + 2 * plan->wraps + 1);
    c->slip = NEW(m, cable_slip, plan->wraps);
    return c->slip && c->node && c->guide && c->carrier && c->waypoint && c->element;
}

static bool allocate_unknowns(cable *c, memory *m)
{
    c->order = NEW(m, int, c->dofs + c->rows);
    c->row_head = NEW(m, int, c->nodes);
    c->row_next = NEW(m, int, c->rows);
    c->row_element = NEW(m, int, c->rows);
    c->initial_q = NEW(m, double, c->rotation_q + c->rotations);
    c->initial_v = NEW(m, double, c->dofs);
    c->weight = NEW(m, double, c->dofs);
    c->initial_side = NEW(m, double, c->side_count);
    return c->weight && c->order && c->row_head && c->row_next && c->row_element && c->initial_q &&
           c->initial_v && c->initial_side;
}

cable_parts cord__parts_of(const cable *c, const double *shared_q)
{
    return (cable_parts){.material = c->material,
                         .vertices = c->vertices,
                         .guides = c->guides,
                         .waypoints = c->waypoints,
                         .carriers = c->carriers,
                         .rotations = c->rotations,
                         .guide = c->guide,
                         .waypoint = c->waypoint,
                         .carrier = c->carrier,
                         .q = shared_q,
                         .closed = c->closed,
                         .tension = c->kept_tension,
                         .clamp = c->clamp,
                         .upright = c->upright};
}

cord_status cord__cable_make(const cable_parts *parts, const cable_plan *plan, memory *m,
                             cable **out)
{
    cable *c = NEW(m, cable, 1);
    if (!c) return CORD_ERROR_MEMORY;
    c->material = parts->material;
    c->linear_density = c->material.lumped ? 0 : c->material.density;
    c->closed = parts->closed, c->base = plan->base, c->kept_tension = parts->tension;
    c->nodes = plan->nodes + c->closed, c->guides = parts->guides, c->waypoints = parts->waypoints;
    c->carriers = parts->carriers, c->rotations = parts->rotations;
    c->vertices = parts->vertices > 1 ? parts->vertices : 8 * plan->nodes;
    bool all = allocate_nodes(c, parts, plan, m);
    if (all) {
        if (c->guides) memcpy(c->guide, parts->guide, (size_t)c->guides * sizeof *c->guide);
        if (c->carriers)
            memcpy(c->carrier, parts->carrier, (size_t)c->carriers * sizeof *c->carrier);
        if (c->waypoints)
            memcpy(c->waypoint, parts->waypoint, (size_t)c->waypoints * sizeof *c->waypoint);
        make_nodes(c, plan);
        make_elements(c, plan);
        all = allocate_unknowns(c, m) && cord__make_tables(c, m);
    }
    if (all) {
        chain_rows(c);
        number_unknowns(c);
        count_entries(c);
        all = place_entries(c, m);
    }
    if (!all) {
        cord__cable.block.destroy(c, m);
        return CORD_ERROR_MEMORY;
    }
    set_initial(c, plan, parts);
    set_side(c, parts);
    set_weights(c);
    if (!set_directions(c, parts, m)) {
        cord__cable.block.destroy(c, m);
        return CORD_ERROR_MEMORY;
    }
    c->rigid = cord__closed_is_rigid(c);
    *out = c;
    return CORD_OK;
}
