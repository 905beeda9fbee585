/* Making a cable's block: columns, rows, elements, and where their entries go. */
#include "strand/cable.h"

#include "math/band.h"
#include "math/vec3.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

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
    if (!v3_finite(n->at) || !isfinite(n->s)) return refuse(why, size, "it is not finite", i);
    if (i > 0 && !(n->s > n[-1].s))
        return refuse(why, size, "its material coordinate is not beyond that of the one before", i);
    if (n->tangent < -1 || n->tangent > 1 || (n->tangent < 0 && i == 0) ||
        (n->tangent > 0 && i == def->node_count - 1))
        return refuse(why, size, "there is no segment for it to be tangent to", i);
    cord_guide_kind kind = n->guide >= 0 ? def->guides[n->guide].kind : CORD_GUIDE_PLACE;
    bool curved = n->guide >= 0 && (kind == CORD_GUIDE_CIRCLE || kind == CORD_GUIDE_CYLINDER ||
                                    kind == CORD_GUIDE_SPHERE);
    if (n->tangent != 0 && !curved)
        return refuse(why, size, "only a circle, a cylinder or a sphere has tangents", i);
    if (n->tangent != 0 && n[n->tangent].guide == n->guide)
        return refuse(why, size, "the segment it is tangent to does not leave the guide", i);
    return CORD_OK;
}

static cord_status check(const cord_cable_def *def, char *why, size_t size)
{
    if (def->node_count < 2 || !def->nodes || (def->guide_count > 0 && !def->guides) ||
        (def->wrap_count > 0 && !def->wraps)) {
        snprintf(why, size, "a cable needs two nodes at least, and its guides and wraps");
        return CORD_ERROR_ARGUMENT;
    }
    const double numbers[] = {def->stretching, def->bending, def->damping, def->drag, def->radius};
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
        if (!(numbers[i] >= 0 && isfinite(numbers[i]))) {
            snprintf(why, size, "stiffness, damping, drag and radius must be at least 0");
            return CORD_ERROR_ARGUMENT;
        }
    if (!(def->density > 0 && isfinite(def->density))) {
        snprintf(why, size, "the density must be above 0");
        return CORD_ERROR_ARGUMENT;
    }
    for (int i = 0; i < def->node_count; i++) {
        cord_status status = check_node(def, i, why, size);
        if (status != CORD_OK) return status;
    }
    for (int i = 0; i < def->wrap_count; i++) {
        int at = def->wraps[i].segment;
        const cord_cable_node *n = def->nodes + at;
        if (at < 0 || at + 1 >= def->node_count || n->guide < 0 || n[1].guide != n->guide ||
            def->guides[n->guide].kind == CORD_GUIDE_PLACE) {
            snprintf(why, size, "wrap %d: segment %d does not lie on a guide", i, at);
            return CORD_ERROR_ARGUMENT;
        }
    }
    return CORD_OK;
}

/* Angles become arc lengths. */
static void node_coordinates(const cable_guide *g, const double *given, double *at)
{
    v3_copy(at, given);
    if (!g || g->kind == CORD_GUIDE_LINE || g->kind == CORD_GUIDE_PLACE) return;
    at[0] *= g->radius;
    if (g->kind == CORD_GUIDE_SPHERE) at[1] *= g->radius;
}

static void make_nodes(cable *c, const cord_cable_def *def)
{
    int column = 0, q = 0;
    for (int i = 0; i < c->nodes; i++) {
        const cord_cable_node *given = def->nodes + i;
        cable_node *n = c->node + i;
        n->guide = given->guide;
        n->count = given->guide < 0 ? NODE_COORDINATES
                                    : cord__guide_coordinates(c->guide[given->guide].kind);
        n->tangent = given->tangent;
        n->s = given->s;
        n->column = column;
        column += n->count;
        n->s_column = given->eulerian ? column++ : -1;
        n->q = q;
        q += n->count + given->eulerian;
    }
    c->own_columns = column;
    c->own_q = q;
    c->columns = column + PORT_COLUMNS * c->ports + c->spins;
    c->length = c->node[c->nodes - 1].s - c->node[0].s;
}

static bool lies_on_guide(const cable *c, int segment)
{
    const cable_node *n = c->node + segment;
    return n->guide >= 0 && n[1].guide == n->guide && n->count > 0;
}

/* Segments, then bends, tangents and grips; `row` counts. */
static void make_elements(cable *c, const cord_cable_def *def, const int *spin_of_wrap)
{
    int count = 0;
    for (int i = 0; i + 1 < c->nodes; i++)
        c->element[count++] =
            (cable_element){.kind = lies_on_guide(c, i) ? ELEMENT_CURVED : ELEMENT_STRAIGHT,
                            .node = i,
                            .row = c->stretching > 0 ? -1 : c->rows++,
                            .spin = -1};
    for (int i = 0; c->bending > 0 && i + 2 < c->nodes; i++)
        if (!lies_on_guide(c, i) && !lies_on_guide(c, i + 1))
            c->element[count++] = (cable_element){ELEMENT_BEND, i, -1, .spin = -1};
    for (int i = 0; i < c->nodes; i++)
        if (c->node[i].tangent != 0)
            c->element[count++] = (cable_element){.kind = ELEMENT_TANGENT,
                                                  .node = c->node[i].tangent > 0 ? i : i - 1,
                                                  .side = c->node[i].tangent > 0 ? 0 : 1,
                                                  .row = c->rows++,
                                                  .spin = -1};
    for (int i = 0; i < def->wrap_count; i++)
        if (def->wraps[i].grip == CORD_GRIP_STICK)
            c->element[count++] = (cable_element){
                .kind = ELEMENT_GRIP,
                .node = def->wraps[i].segment,
                .row = c->rows++,
                .spin = spin_of_wrap[i] >= 0 ? cable_spin_column(c, spin_of_wrap[i]) : -1};
    c->elements = count;
}

/* Node by node; a row after the later of its nodes. */
static void number_unknowns(cable *c)
{
    int next = 0;
    for (int i = 0; i < c->nodes; i++) {
        const cable_node *n = c->node + i;
        for (int k = 0; k < n->count; k++) c->position[n->column + k] = next++;
        if (n->s_column >= 0) c->position[n->s_column] = next++;
        for (int k = c->row_head[i]; k >= 0; k = c->row_next[k])
            c->position[c->columns + k] = next++;
    }
    c->band_count = next;
    for (int k = c->own_columns; k < c->columns; k++) c->position[k] = next++;
}

static void chain_rows(cable *c)
{
    for (int i = 0; i < c->nodes; i++) c->row_head[i] = -1;
    for (int i = c->elements - 1; i >= 0; i--) {
        const cable_element *e = c->element + i;
        if (e->row < 0) continue;
        c->row_element[e->row] = i;
        c->row_next[e->row] = c->row_head[e->node + 1];
        c->row_head[e->node + 1] = e->row;
    }
}

/* First pass: counts and the width of the band; second: the slots. */
static void place_entries(cable *c, bool fill)
{
    int unknowns = 0, slots = 0, extras = 0, stride = BAND_STRIDE(c->band_width);
    for (int i = 0; i < c->elements; i++) {
        cable_element *e = c->element + i;
        int own[ELEMENT_UNKNOWNS];
        e->first = unknowns;
        e->first_slot = slots;
        e->count = cord__element_unknowns(c, e, own);
        if (fill) memcpy(c->unknown + unknowns, own, (size_t)e->count * sizeof *own);
        for (int a = 0; a < e->count; a++)
            for (int b = 0; b <= a; b++, slots++) {
                int pa = c->position[own[a]], pb = c->position[own[b]];
                int low = pa < pb ? pa : pb, apart = abs(pa - pb);
                bool banded = pa < c->band_count && pb < c->band_count;
                if (!fill) {
                    if (banded && apart > c->band_width) c->band_width = apart;
                } else if (banded) {
                    c->slot[slots] = low * stride + apart;
                } else {
                    c->slot[slots] = ~extras;
                    c->extra[2 * extras] = own[a], c->extra[2 * extras + 1] = own[b];
                }
                extras += !banded;
            }
        unknowns += e->count;
    }
    if (fill) return;
    c->extras = extras;
    c->unknown_count = unknowns;
    c->slot_count = slots;
}

static void set_initial(cable *c, const cord_cable_def *def, const double *port_q)
{
    for (int i = 0; i < c->nodes; i++) {
        const cable_node *n = c->node + i;
        double at[3];
        node_coordinates(n->guide >= 0 ? c->guide + n->guide : NULL, def->nodes[i].at, at);
        memcpy(c->initial_q + n->q, at, (size_t)n->count * sizeof *at);
        if (n->s_column >= 0) c->initial_q[n->q + n->count] = n->s;
    }
    size_t carried = (size_t)(PORT_Q * c->ports + c->spins);
    if (carried) memcpy(c->initial_q + c->own_q, port_q, carried * sizeof *port_q);
}

/* What a grip keeps is what it is at first. */
static void set_grips(cable *c)
{
    for (int i = 0; i < c->elements; i++) {
        const cable_element *e = c->element + i;
        if (e->kind != ELEMENT_GRIP) continue;
        const cable_node *n = c->node + e->node;
        double at[2] = {c->initial_q[n->q], c->initial_q[n[1].q]};
        double sign = at[1] > at[0] ? 1 : -1;
        double turn = e->spin >= 0 ? c->initial_q[c->own_q + e->spin - c->own_columns +
                                                  (PORT_Q - PORT_COLUMNS) * c->ports]
                                   : 0;
        c->grip_start[e->row] =
            0.5 * (at[0] + at[1]) - 0.5 * sign * (n->s + n[1].s) - c->guide[n->guide].radius * turn;
    }
}

static bool allocate_nodes(cable *c, const cord_cable_def *def, memory *m)
{
    int elements = 3 * def->node_count + def->wrap_count;
    c->node = NEW(m, cable_node, def->node_count);
    c->guide = NEW(m, cable_guide, def->guide_count);
    c->element = NEW(m, cable_element, elements);
    return c->node && c->guide && c->element;
}

static bool allocate_unknowns(cable *c, memory *m)
{
    c->position = NEW(m, int, c->columns + c->rows);
    c->row_head = NEW(m, int, c->nodes);
    c->row_next = NEW(m, int, c->rows);
    c->row_element = NEW(m, int, c->rows);
    c->grip_start = NEW(m, double, c->rows);
    c->initial_q = NEW(m, double, c->own_q + PORT_Q * c->ports + c->spins);
    return c->position && c->row_head && c->row_next && c->row_element && c->grip_start &&
           c->initial_q;
}

static bool allocate_entries(cable *c, memory *m)
{
    c->unknown = NEW(m, int, c->unknown_count);
    c->slot = NEW(m, int, c->slot_count);
    c->extra = NEW(m, int, 2 * c->extras);
    return c->unknown && c->slot && c->extra;
}

cord_status cord__cable_create(const cord_cable_def *def, const cable_carriers *on, memory *m,
                               cable **out, char *why, size_t size)
{
    cord_status status = check(def, why, size);
    if (status != CORD_OK) return status;
    cable *c = NEW(m, cable, 1);
    if (!c) return CORD_ERROR_MEMORY;
    c->density = def->density, c->radius = def->radius;
    c->stretching = def->stretching, c->bending = def->bending;
    c->damping = def->damping, c->drag = def->drag;
    c->nodes = def->node_count, c->guides = def->guide_count;
    c->ports = on->ports, c->spins = on->spins;
    c->vertices = def->vertex_count > 1 ? def->vertex_count : 8 * def->node_count;
    bool all = allocate_nodes(c, def, m);
    if (all) {
        if (c->guides) memcpy(c->guide, on->guides, (size_t)c->guides * sizeof *c->guide);
        make_nodes(c, def);
        make_elements(c, def, on->spin_of_wrap);
        all = allocate_unknowns(c, m);
    }
    if (all) {
        chain_rows(c);
        number_unknowns(c);
        place_entries(c, false);
        all = allocate_entries(c, m);
    }
    if (!all) {
        cord__cable.block.destroy(c, m);
        return CORD_ERROR_MEMORY;
    }
    place_entries(c, true);
    set_initial(c, def, on->q);
    set_grips(c);
    *out = c;
    return CORD_OK;
}
