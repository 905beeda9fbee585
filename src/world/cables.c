/* Adding cables to a world: what carries their guides, and how they ride on it. */
#include "world/world.h"

#include "math/rotation.h"
#include "strand/cable.h"

#include <string.h>

cord_cable_def cord_cable_def_default(void)
{
    return (cord_cable_def){.density = 0.1, .radius = 2e-3};
}

/* While a cable is being made. */
typedef struct carriers {
    cable_guide *guides;
    ride *rides; /* of ports, then of spins */
    int *spin_of_wrap;
    double *q;
    int ports, spins;
} carriers;

static void free_carriers(carriers *on, memory *m)
{
    cord__release(m, on->guides);
    cord__release(m, on->rides);
    cord__release(m, on->spin_of_wrap);
    cord__release(m, on->q);
}

/* The port of a body, a new one if need be. */
static int port_of(carriers *on, int slot)
{
    for (int i = 0; i < on->ports; i++)
        if (on->rides[i].slot == slot) return i;
    on->rides[on->ports] = (ride){.on_body = true, .slot = slot};
    return on->ports++;
}

static cord_status place_guide(cord_world *w, const cord_guide *given, carriers *on, cable_guide *g,
                               int index)
{
    point *p = cord__get_point(w, given->on);
    if (!p) return CORD_ERROR_HANDLE;
    if (given->kind < CORD_GUIDE_PLACE || given->kind > CORD_GUIDE_LINE)
        return cord__fail(w, CORD_ERROR_ARGUMENT, "guide %d: unknown kind", index);
    bool round = given->kind == CORD_GUIDE_CIRCLE || given->kind == CORD_GUIDE_CYLINDER ||
                 given->kind == CORD_GUIDE_SPHERE;
    if (round && !(given->radius > 0 && isfinite(given->radius)))
        return cord__fail(w, CORD_ERROR_ARGUMENT, "guide %d: its radius must be above 0", index);
    bool still = p->source == CORD_SOURCE_WORLD && p->motion.count == 0 && p->rotation.count == 0;
    if (!still && p->source != CORD_SOURCE_BODY)
        return cord__fail(
            w, CORD_ERROR_UNSUPPORTED,
            "guide %d: it must be on a body or a still place; for a scripted one hold a "
            "body along the script",
            index);
    double place[3], frame[9];
    cord_status status = cord_point_place(w, given->on, place, frame);
    if (status != CORD_OK) return status;
    *g = (cable_guide){.kind = given->kind, .port = -1, .radius = given->radius};
    if (still) {
        v3_copy(g->origin, place);
        memcpy(g->axes, frame, sizeof frame);
        return CORD_OK;
    }
    g->port = port_of(on, p->owner);
    const block *b = w->problem.block[p->block];
    double axes[9], from[3];
    q4_matrix(axes, w->problem.now.q + b->q0 + 3);
    v3_sub(from, place, w->problem.now.q + b->q0);
    m3_apply_transposed(g->origin, axes, from);
    m3_transposed_multiply(g->axes, axes, frame);
    return CORD_OK;
}

static cord_status find_spin(cord_world *w, const cord_wrap *wrap, carriers *on, int index)
{
    on->spin_of_wrap[index] = -1;
    if (wrap->spin.index == 0) return CORD_OK;
    const point *p = cord__get_point(w, wrap->spin);
    if (!p) return CORD_ERROR_HANDLE;
    if (!p->gauge)
        return cord__fail(w, CORD_ERROR_ARGUMENT, "wrap %d: its spin must be a turn", index);
    on->rides[on->ports + on->spins] = (ride){.on_body = false, .slot = p->slider};
    on->spin_of_wrap[index] = on->spins++;
    return CORD_OK;
}

static cord_status find_carriers(cord_world *w, const cord_cable_def *def, carriers *on)
{
    memory *m = &w->memory;
    int most = def->guide_count + def->wrap_count;
    on->guides = NEW(m, cable_guide, def->guide_count);
    on->rides = NEW(m, ride, most);
    on->spin_of_wrap = NEW(m, int, def->wrap_count);
    on->q = NEW(m, double, PORT_Q *most);
    if (!on->guides || !on->rides || !on->spin_of_wrap || !on->q)
        return cord__fail(w, CORD_ERROR_MEMORY, "out of memory for a cable");
    cord_status status = cord__world_layout(w);
    for (int i = 0; i < def->guide_count && status == CORD_OK; i++)
        status = place_guide(w, def->guides + i, on, on->guides + i, i);
    for (int i = 0; i < def->wrap_count && status == CORD_OK; i++)
        status = find_spin(w, def->wraps + i, on, i);
    if (status != CORD_OK) return status;
    double *q = on->q;
    for (int i = 0; i < on->ports + on->spins; i++) {
        const slots *among = i < on->ports ? &w->bodies : &w->sliders;
        const block *b = &((thing *)among->item[on->rides[i].slot])->block;
        on->rides[i].q_count = b->shape.q_count;
        on->rides[i].columns = b->shape.columns;
        memcpy(q, w->problem.now.q + b->q0, (size_t)b->shape.q_count * sizeof *q);
        q += b->shape.q_count;
    }
    return CORD_OK;
}

static void set_rides(block *b, const cable *c, carriers *on)
{
    int column = c->own_columns, q = c->own_q;
    b->rides = on->ports + on->spins;
    b->ride = on->rides;
    on->rides = NULL;
    for (int i = 0; i < b->rides; i++) {
        b->ride[i].column = column, b->ride[i].q = q;
        column += b->ride[i].columns, q += b->ride[i].q_count;
    }
}

static cord_status add_thing(cord_world *w, cable *c, carriers *on, const char *name,
                             cord_strand *out)
{
    memory *m = &w->memory;
    strand *s = NEW(m, strand, 1);
    if (!s) {
        cord__cable.block.destroy(c, m);
        return cord__fail(w, CORD_ERROR_MEMORY, "out of memory for a cable");
    }
    s->ops = &cord__cable;
    s->block.ops = &cord__cable.block;
    s->block.model = c;
    set_rides(&s->block, c, on);
    if (name) s->name = cord__copy_string(m, name);
    cord_status status = name && !s->name ? CORD_ERROR_MEMORY : CORD_OK;
    if (status == CORD_OK)
        status = cord__slots_add(&w->strands, m, s, &out->index, &out->generation);
    if (status != CORD_OK) {
        cord__thing_free(w, s);
        return cord__fail(w, status, "out of memory for a cable");
    }
    w->layout_stale = w->partition_stale = true;
    return CORD_OK;
}

cord_status cord_world_add_cable(cord_world *w, const cord_cable_def *def, cord_strand *out)
{
    if (!w) return CORD_ERROR_ARGUMENT;
    if (!def || !out) return cord__fail(w, CORD_ERROR_ARGUMENT, "definition or result is NULL");
    *out = (cord_strand){0};
    carriers on = {0};
    char why[256] = "";
    cable *c = NULL;
    cord_status status = find_carriers(w, def, &on);
    if (status == CORD_OK) {
        cable_carriers found = {on.guides, on.ports, on.spins, on.spin_of_wrap, on.q};
        status = cord__cable_create(def, &found, &w->memory, &c, why, sizeof why);
        if (status != CORD_OK)
            cord__fail(w, status, "cable '%s': %s", def->name ? def->name : "",
                       why[0] ? why : cord_status_text(status));
    }
    if (status == CORD_OK) status = add_thing(w, c, &on, def->name, out);
    free_carriers(&on, &w->memory);
    return status;
}

/* ---- asking -------------------------------------------------------------------------------------- */

static const cable *find_cable(const cord_world *w, cord_strand handle, cord_status *status)
{
    strand *s = cord__get_strand(w, handle);
    *status = s ? CORD_OK : w ? CORD_ERROR_HANDLE : CORD_ERROR_ARGUMENT;
    if (!s) return NULL;
    if (s->ops != &cord__cable) {
        *status = cord__fail((cord_world *)w, CORD_ERROR_UNSUPPORTED, "it is not a cable");
        return NULL;
    }
    *status = cord__thing_ready((cord_world *)w, s);
    if (*status != CORD_OK) return NULL;
    cord__refresh_thing(w, s);
    return s->block.model;
}

cord_status cord_cable_node_count(const cord_world *w, cord_strand handle, int *count)
{
    cord_status status;
    const cable *c = find_cable(w, handle, &status);
    if (c && !count) return cord__fail((cord_world *)w, CORD_ERROR_ARGUMENT, "the result is NULL");
    if (c) *count = c->nodes;
    return status;
}

cord_status cord_cable_node_state(cord_world *w, cord_strand handle, int node, cord_node_state *out)
{
    cord_status status;
    const cable *c = find_cable(w, handle, &status);
    if (!c) return status;
    if (!out || node < 0 || node >= c->nodes)
        return cord__fail(w, CORD_ERROR_ARGUMENT, "there is no such node, or the result is NULL");
    const block *b = &cord__get_strand(w, handle)->block;
    const double *cache = w->problem.cache + b->cache0, *v = w->problem.now.v + b->v0;
    const cable_node *n = c->node + node;
    *out = (cord_node_state){
        .guide = n->guide, .eulerian = n->s_column >= 0, .s = cable_s(cache, node)};
    v3_copy(out->position, cable_place(cache, node));
    memcpy(out->at, cable_coordinates(cache, node), (size_t)n->count * sizeof(double));
    if (n->guide >= 0 && c->guide[n->guide].radius > 0 &&
        c->guide[n->guide].kind != CORD_GUIDE_LINE)
        out->at[0] /= c->guide[n->guide].radius;
    if (n->s_column >= 0) out->rate = v[n->s_column];
    for (int k = 0; k < n->count; k++)
        v3_axpy(out->velocity, v[n->column + k], cable_slopes(cache, node) + 3 * k);
    int port = n->guide >= 0 ? c->guide[n->guide].port : -1;
    if (port >= 0) {
        const double *motion = v + cable_port_column(c, port);
        double arm[3], turn[3];
        v3_sub(arm, out->position, cable_port(c, cache, port));
        v3_cross(turn, motion + 3, arm);
        v3_add(out->velocity, out->velocity, motion);
        v3_add(out->velocity, out->velocity, turn);
    }
    return CORD_OK;
}

cord_status cord_cable_tension(cord_world *w, cord_strand handle, int segment, double *tension)
{
    cord_status status;
    const cable *c = find_cable(w, handle, &status);
    if (!c) return status;
    if (!tension || segment < 0 || segment + 1 >= c->nodes)
        return cord__fail(w, CORD_ERROR_ARGUMENT,
                          "there is no such segment, or the result is NULL");
    const block *b = &cord__get_strand(w, handle)->block;
    static const surroundings nothing = {0};
    element_input in = {.cache = w->problem.cache + b->cache0,
                        .q = w->problem.now.q + b->q0,
                        .v = w->problem.now.v + b->v0,
                        .lambda = w->problem.now.lambda + b->l0,
                        .around = &nothing};
    element_terms terms;
    cord__element_terms(c, c->element + segment, &in, &terms);
    *tension = terms.tension;
    return CORD_OK;
}
