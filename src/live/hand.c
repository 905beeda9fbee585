/* Holds, pins, weights and cuts. A hold is a compliant constraint between a point of a strand or body and a point of the
 * world: its period is HAND_PERIOD on the mass that is held, critically damped, and it is no stronger than a few times
 * the weight. An exact constraint would make steps fail: an inextensible rope cannot be pulled beyond its length. */
#include "live/session.h"

#include "math/vec3.h"
#include "record/origin.h"
#include "world/world.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const double HAND_PERIOD = 0.05; /* s */
static const double GRAVITY = 9.81;     /* m/s² */
static const double OWN_WEIGHTS =
    10; /* a hand is as strong as the weight of the held object times this, */
static const double WHOLE_WEIGHTS =
    3; /* or that of everything that constraints join to it times this */
static const double WEIGHT_DENSITY = 7850; /* kg/m³ */

/* ---- fixtures in the world ---------------------------------------------------------------------------- */

static void remove_fixture(cord_session *l, int i)
{
    live_fixture *t = &l->fixtures.items[i];
    if (t->first.index) cord_world_remove_point(l->world, t->first);
    if (t->second.index) cord_world_remove_point(l->world, t->second);
    if (t->body.index) cord_world_remove_body(l->world, t->body);
    l->fixtures.count--;
    memmove(t, t + 1, (size_t)(l->fixtures.count - i) * sizeof *t);
}

static live_fixture *find_fixture(cord_session *l, fixture_kind kind, uint32_t number,
                                  uint32_t page)
{
    for (int i = 0; i < l->fixtures.count; i++) {
        live_fixture *t = &l->fixtures.items[i];
        bool hold = kind == FIXTURE_HOLD;
        if ((t->kind == FIXTURE_HOLD) == hold && t->number == number && (!hold || t->page == page))
            return t;
    }
    return NULL;
}

void cord__live_release(cord_session *l, uint32_t page)
{
    for (int i = l->fixtures.count - 1; i >= 0; i--) {
        const live_fixture *t = &l->fixtures.items[i];
        if (t->kind != FIXTURE_HOLD || (page && t->page != page)) continue;
        remove_fixture(l, i);
        cord__live_changed(l);
    }
}

static int count_fixtures(const cord_session *l, bool holds)
{
    int count = 0;
    for (int i = 0; i < l->fixtures.count; i++)
        count += (l->fixtures.items[i].kind == FIXTURE_HOLD) == holds;
    return count;
}

/* The strand of a fixture, or the fragment of it that has its coordinate. */
static cord_status first_point(cord_session *l, const live_fixture *t, cord_point *out)
{
    cord_point_def def = cord_point_def_default();
    cord_status status = CORD_OK;
    if (t->on_body) {
        def.source = CORD_SOURCE_BODY;
        def.body = cord_simulation_get_body(l->sim, t->index);
        v3_copy(def.position, t->own);
    } else {
        cord_strand whole = cord_simulation_get_strand(l->sim, t->index);
        cord_strand_info info;
        def.source = CORD_SOURCE_STRAND;
        status = cord_strand_find_fragment(l->world, whole, t->s, &def.strand, &def.s);
        if (status != CORD_OK) { /* shorter than it was */
            def.strand = whole, def.s = t->s;
            status = CORD_OK;
        }
        if (cord_strand_get_info(l->world, def.strand, &info) == CORD_OK)
            def.s = fmin(fmax(def.s, 0), info.length);
    }
    return status == CORD_OK ? cord_world_add_point(l->world, &def, out) : status;
}

static cord_status hang_weight(cord_session *l, live_fixture *t, cord_point_def *second)
{
    char name[40];
    snprintf(name, sizeof name, "weight %u", t->number);
    cord_body_def def = cord_body_def_default();
    def.name = name;
    def.shape = (cord_shape){.kind = CORD_SHAPE_SPHERE, .radius = t->radius};
    def.mass = t->mass;
    v3_copy(def.position, t->pose);
    memcpy(def.frame, t->pose + 3, sizeof def.frame);
    v3_copy(def.velocity, t->velocity);
    v3_copy(def.angular_velocity, t->velocity + 3);
    second->source = CORD_SOURCE_BODY;
    v3_set(second->position, 0, 0, t->radius); /* the top of the sphere, in its own axes */
    cord_status status = cord_world_add_body(l->world, &def, &t->body);
    second->body = t->body;
    return status;
}

/* Adds the points, the weight and the constraint; after a failure the world is as it was. */
static cord_status add_fixture(cord_session *l, const live_fixture *from)
{
    if (l->fixtures.count == (int)(sizeof l->fixtures.items / sizeof *l->fixtures.items))
        return CORD_ERROR_UNSUPPORTED;
    live_fixture *t = &l->fixtures.items[l->fixtures.count++];
    *t = *from;
    t->first = t->second = (cord_point){0, 0};
    t->body = (cord_body){0, 0};
    cord_point_def second = cord_point_def_default();
    v3_copy(second.position, t->position);
    cord_constraint_def def = cord_constraint_def_default();
    def.name = t->kind == FIXTURE_HOLD ? "hand" : t->kind == FIXTURE_PIN ? "pin" : "weight";
    def.compliance = t->compliance;
    def.damping = t->damping;
    cord_status status = first_point(l, t, &t->first);
    if (status == CORD_OK && t->kind == FIXTURE_WEIGHT) status = hang_weight(l, t, &second);
    if (status == CORD_OK) status = cord_world_add_point(l->world, &second, &t->second);
    def.first = t->first, def.second = t->second;
    if (status == CORD_OK) status = cord_world_add_constraint(l->world, &def, &t->constraint);
    if (status != CORD_OK) {
        char why[400];
        snprintf(why, sizeof why, "%s", cord__live_why(l, status));
        remove_fixture(l, l->fixtures.count - 1);
        cord__fail(l->world, status, "%s", why);
    }
    return status;
}

void cord__live_save_fixtures(const cord_session *l, fixture_list *fixtures)
{
    for (int i = 0; i < fixtures->count; i++) {
        live_fixture *t = &fixtures->items[i];
        if (t->kind != FIXTURE_WEIGHT) continue;
        cord_body_get_pose(l->world, t->body, t->pose, t->pose + 3);
        cord_body_get_velocity(l->world, t->body, t->velocity, t->velocity + 3);
    }
}

void cord__live_add_fixtures(cord_session *l, const fixture_list *fixtures)
{
    for (int i = 0; i < fixtures->count; i++) {
        cord_status status = add_fixture(l, &fixtures->items[i]);
        if (status != CORD_OK)
            cord__live_warn(l, "a pin or weight is left out: %s", cord__live_why(l, status));
    }
}

/* ---- taking hold ---------------------------------------------------------------------------------- */

/* The mass of everything that constraints join to a block. */
static double joined_mass(const cord_session *l, const block *of)
{
    const cord_world *w = l->world;
    double mass = 0;
    if (cord__world_ready(w) != CORD_OK) return 0;
    for (int i = 0; i < w->strands.count; i++) {
        const strand *s = w->strands.item[i];
        cord_strand_info info = {0};
        if (!s || s->block.cluster != of->cluster) continue;
        s->ops->info(s->block.model, &info);
        mass += info.mass;
    }
    for (int i = 0; i < l->info.body_count; i++) {
        cord_body handle = cord_simulation_get_body(l->sim, i);
        const object *b = cord__get_body(w, handle);
        cord_body_info info;
        if (b && b->block.cluster == of->cluster && cord_body_get_info(w, handle, &info) == CORD_OK)
            mass += info.mass;
    }
    return mass;
}

/* The scene's strand that a strand of SCENE is, or is a fragment of. */
static cord_status aim_at_strand(cord_session *l, uint32_t index, const double position[3],
                                 live_fixture *t, double *own, const block **of)
{
    if (index >= (uint32_t)l->layout.strand_count) return CORD_ERROR_ARGUMENT;
    const snapshot_strand *s = &l->layout.strands[index];
    cord_strand handle = cord__snapshot_handle(l->sim, s);
    cord_strand_info info;
    double at;
    if (!handle.index) return CORD_ERROR_HANDLE;
    cord_status status =
        cord_strand_find_nearest(l->world, handle, position, &at, t->position, NULL);
    if (status == CORD_OK) status = cord_strand_get_info(l->world, handle, &info);
    if (status != CORD_OK) return status;
    const strand *found = cord__get_strand(l->world, handle);
    t->index = s->scene_strand;
    t->s = found->fragment_start + at;
    *own = info.mass;
    *of = &found->block;
    return CORD_OK;
}

static cord_status aim_at_body(cord_session *l, uint32_t index, const double position[3],
                               live_fixture *t, double *own, const block **of)
{
    if (index >= (uint32_t)l->info.body_count) return CORD_ERROR_ARGUMENT;
    cord_body handle = cord_simulation_get_body(l->sim, (int)index);
    cord_body_info info;
    double x[3], frame[9], d[3];
    cord_status status = cord_body_get_pose(l->world, handle, x, frame);
    if (status == CORD_OK) status = cord_body_get_info(l->world, handle, &info);
    if (status != CORD_OK) return status;
    v3_sub(d, position, x);
    for (int a = 0; a < 3; a++) t->own[a] = v3_dot(frame + 3 * a, d);
    v3_copy(t->position, position);
    t->on_body = true;
    t->index = (int)index;
    *own = info.mass;
    *of = &cord__get_body(l->world, handle)->block;
    return CORD_OK;
}

static cord_status aim(cord_session *l, uint32_t what, uint32_t index, const double position[3],
                       live_fixture *t)
{
    double own = 0;
    const block *of = NULL;
    cord_status status = what == LIVE_STRAND ? aim_at_strand(l, index, position, t, &own, &of)
                         : what == LIVE_BODY ? aim_at_body(l, index, position, t, &own, &of)
                                             : CORD_ERROR_ARGUMENT;
    if (status != CORD_OK || t->kind != FIXTURE_HOLD) return status;
    if (!(own > 0)) return CORD_ERROR_UNSUPPORTED;
    double pi = acos(-1),
           strength = GRAVITY * fmax(OWN_WEIGHTS * own, WHOLE_WEIGHTS * joined_mass(l, of));
    t->compliance = HAND_PERIOD * HAND_PERIOD / (4 * pi * pi * own);
    t->damping = HAND_PERIOD / pi; /* critical */
    t->reach = strength * t->compliance;
    v3_copy(t->wanted, t->position);
    return CORD_OK;
}

static void refuse(cord_session *l, cord_status status)
{
    if (status == CORD_ERROR_ARGUMENT || status == CORD_ERROR_HANDLE)
        cord__live_fail(l, "there is no such object that can be held");
    else
        cord__live_fail(l, "%s", cord__live_why(l, status));
}

static bool end_of(cord_session *l, const live_reader *r)
{
    if (cord__live_ended(r)) return true;
    cord__live_fail(l, "the message cannot be read");
    return false;
}

void cord__live_grab(cord_session *l, live_reader *r)
{
    live_fixture t = {.kind = FIXTURE_HOLD, .number = cord__live_u32(r), .page = l->from->number};
    uint32_t what = cord__live_u32(r), index = cord__live_u32(r);
    double position[3];
    cord__live_vector(r, position);
    if (!end_of(l, r)) return;
    const live_fixture *had = find_fixture(l, FIXTURE_HOLD, t.number, t.page);
    if (had) remove_fixture(l, (int)(had - l->fixtures.items));
    if (t.number >= LIVE_MAX_HOLDS || count_fixtures(l, true) >= LIVE_MAX_HOLDS) {
        cord__live_fail(l, "more than %d holds", LIVE_MAX_HOLDS);
        return;
    }
    cord__live_keep(l);
    cord_status status = aim(l, what, index, position, &t);
    if (status == CORD_OK) status = add_fixture(l, &t);
    cord__live_changed(l);
    if (status == CORD_OK)
        cord__live_done(l);
    else
        refuse(l, status);
}

void cord__live_drag(cord_session *l, live_reader *r)
{
    uint32_t number = cord__live_u32(r);
    double position[3];
    cord__live_vector(r, position);
    if (!end_of(l, r)) return;
    live_fixture *t = find_fixture(l, FIXTURE_HOLD, number, l->from->number);
    if (!t) return; /* the hold has ended: the message was on its offset */
    v3_copy(t->wanted, position);
    cord__live_changed(l);
}

void cord__live_let_go(cord_session *l, live_reader *r)
{
    uint32_t number = cord__live_u32(r);
    if (!end_of(l, r)) return;
    const live_fixture *t = find_fixture(l, FIXTURE_HOLD, number, l->from->number);
    if (t) remove_fixture(l, (int)(t - l->fixtures.items));
    cord__live_changed(l);
    cord__live_done(l);
}

/* ---- pins, weights, cuts ------------------------------------------------------------------------------ */

static void position_weight(const cord_session *l, live_fixture *t)
{
    static const double axes[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1};
    (void)l;
    t->radius = cbrt(3 * t->mass / (4 * acos(-1) * WEIGHT_DENSITY));
    v3_copy(t->pose, t->position);
    t->pose[2] -= t->radius;
    memcpy(t->pose + 3, axes, sizeof axes);
}

static void send_attached(cord_session *l, const live_fixture *t)
{
    size_t start = cord__live_begin(l, LIVE_ATTACHED, false);
    cord__live_put_u32(&l->out, t->number);
    cord__live_put_f64(&l->out, t->on_body ? 0 : t->s);
    for (int k = 0; k < 3; k++) cord__live_put_f64(&l->out, t->position[k]);
    cord__live_end(l, start);
}

void cord__live_attach(cord_session *l, live_reader *r, fixture_kind kind)
{
    live_fixture t = {.kind = kind};
    uint32_t what = cord__live_u32(r), index = cord__live_u32(r);
    double position[3];
    cord__live_vector(r, position);
    if (kind == FIXTURE_WEIGHT) t.mass = cord__live_f64(r);
    if (!end_of(l, r)) return;
    if (kind == FIXTURE_WEIGHT && !(t.mass > 0 && t.mass < 1e9)) {
        cord__live_fail(l, "the mass of a weight is above 0, and below 1e9 kg");
        return;
    }
    if (count_fixtures(l, false) >= LIVE_MAX_ATTACHMENTS) {
        cord__live_fail(l, "more than %d pins and weights", LIVE_MAX_ATTACHMENTS);
        return;
    }
    cord__live_keep(l);
    cord_status status = aim(l, what, index, position, &t);
    t.number = ++l->next_number;
    v3_copy(t.wanted, t.position);
    if (kind == FIXTURE_WEIGHT) position_weight(l, &t);
    if (status == CORD_OK) status = add_fixture(l, &t);
    cord__live_changed(l);
    if (status != CORD_OK) {
        refuse(l, status);
        return;
    }
    send_attached(l, &t);
    cord__live_done(l);
}

void cord__live_detach(cord_session *l, live_reader *r)
{
    uint32_t number = cord__live_u32(r);
    if (!end_of(l, r)) return;
    const live_fixture *t = find_fixture(l, FIXTURE_PIN, number, 0);
    if (!t) {
        cord__live_fail(l, "there is no pin or weight of this number");
        return;
    }
    cord__live_keep(l);
    t = find_fixture(l, FIXTURE_PIN, number, 0);
    remove_fixture(l, (int)(t - l->fixtures.items));
    cord__live_changed(l);
    cord__live_done(l);
}

void cord__live_cut(cord_session *l, live_reader *r)
{
    uint32_t index = cord__live_u32(r);
    double position[3], s;
    cord__live_vector(r, position);
    if (!end_of(l, r)) return;
    if (index >= (uint32_t)l->layout.strand_count) {
        cord__live_fail(l, "there is no such strand");
        return;
    }
    const int of = l->layout.strands[index].scene_strand;
    cord_strand handle = cord__snapshot_handle(l->sim, &l->layout.strands[index]);
    int breaks = 0;
    cord__live_keep(l);
    cord_status status = handle.index
                             ? cord_strand_find_nearest(l->world, handle, position, &s, NULL, NULL)
                             : CORD_ERROR_HANDLE;
    if (status == CORD_OK) status = cord_strand_get_break_count(l->world, handle, &breaks);
    int reserved = cord__reserved_breaks(l->sim, of, NULL, NULL);
    if (status == CORD_OK && breaks + 1 > reserved)
        status = cord__reserve_breaks(l->sim, of, breaks + 1);
    if (status == CORD_OK) status = cord_strand_cut(l->world, handle, s);
    if (status != CORD_OK) {
        cord__live_fail(l, "%s", cord__live_why(l, status));
        return;
    }
    status = cord__live_describe(l);
    cord__live_changed(l);
    if (status == CORD_OK)
        cord__live_done(l);
    else
        cord__live_fail(l, "%s", cord__live_why(l, status));
}

/* ---- in a step ------------------------------------------------------------------------------------------- */

/* A pin goes to where it is wanted by a part of the offset, as handles do. */
static void move_pin(cord_session *l, live_fixture *t)
{
    double part = 1 - exp(-l->info.dt / HAND_PERIOD), to[3];
    if (v3_distance(t->position, t->wanted) == 0) return;
    v3_combine(to, 1 - part, t->position, part, t->wanted);
    if (v3_distance(to, t->wanted) < 1e-6) v3_copy(to, t->wanted);
    if (cord_point_move(l->world, t->second, to, NULL) == CORD_OK) v3_copy(t->position, to);
}

/* No farther ahead than its strength reaches: the force of the constraint is −(g + damping ġ)/compliance, and damping does
 * not slow what follows the hand. */
static void move_hand(cord_session *l, live_fixture *t)
{
    double at[3], offset[3], v[3] = {0, 0, 0};
    if (cord_point_get_pose(l->world, t->first, at, NULL) != CORD_OK) return;
    cord_point_get_velocity(l->world, t->first, v);
    v3_sub(offset, t->wanted, at);
    double far = v3_norm(offset), reach = t->reach;
    if (far > 0) reach += t->damping * fmax(0, v3_dot(v, offset) / far);
    v3_axpy(at, far > reach ? reach / far : 1, offset);
    if (cord_point_set_pose(l->world, t->second, at, NULL) == CORD_OK) v3_copy(t->position, at);
}

void cord__live_move_hands(cord_session *l)
{
    for (int i = 0; i < l->fixtures.count; i++) {
        live_fixture *t = &l->fixtures.items[i];
        if (t->kind == FIXTURE_HOLD) move_hand(l, t);
        if (t->kind == FIXTURE_PIN) move_pin(l, t);
    }
}

void cord__live_move_pin(cord_session *l, uint32_t number, const double position[3])
{
    live_fixture *t = find_fixture(l, FIXTURE_PIN, number, 0);
    if (!t || t->kind != FIXTURE_PIN) {
        cord__live_fail(l, "there is no pin of this number");
        return;
    }
    v3_copy(t->wanted, position);
    cord__live_changed(l);
}

/* ---- in frames --------------------------------------------------------------------------------------------- */

static void put_vector(live_text *t, const double x[3])
{
    for (int k = 0; k < 3; k++) cord__live_put_f32(t, x[k]);
}

static void put_hold(cord_session *l, live_text *t, const live_fixture *h, const live_page *page)
{
    double grasped[3] = {0, 0, 0}, force[3] = {0, 0, 0};
    cord_point_get_pose(l->world, h->first, grasped, NULL);
    cord_constraint_get_force(l->world, h->constraint, force, NULL);
    cord__live_put_u32(t, h->page == page->number);
    cord__live_put_u32(t, h->number);
    put_vector(t, grasped);
    put_vector(t, h->position);
    put_vector(t, force);
}

static void put_attachment(cord_session *l, live_text *t, const live_fixture *a)
{
    double at[3] = {0, 0, 0}, centre[3], force[3] = {0, 0, 0};
    cord_point_get_pose(l->world, a->first, at, NULL);
    cord_constraint_get_force(l->world, a->constraint, force, NULL);
    v3_copy(centre, a->position);
    if (a->body.index) cord_body_get_pose(l->world, a->body, centre, NULL);
    cord__live_put_u32(t, a->number);
    cord__live_put_u32(t, a->kind == FIXTURE_WEIGHT);
    put_vector(t, at);
    put_vector(t, centre);
    cord__live_put_f32(t, a->radius);
    cord__live_put_f32(t, a->mass);
    put_vector(t, force);
}

void cord__live_put_fixtures(cord_session *l, live_text *t, const live_page *page)
{
    cord__live_put_u32(t, (uint32_t)count_fixtures(l, true));
    for (int i = 0; i < l->fixtures.count; i++)
        if (l->fixtures.items[i].kind == FIXTURE_HOLD) put_hold(l, t, &l->fixtures.items[i], page);
    cord__live_put_u32(t, (uint32_t)count_fixtures(l, false));
    for (int i = 0; i < l->fixtures.count; i++)
        if (l->fixtures.items[i].kind != FIXTURE_HOLD) put_attachment(l, t, &l->fixtures.items[i]);
}
