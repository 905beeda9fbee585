/* Anchors that pages move: clamps, and named points of the world. An anchor follows its handle with a time constant, and
 * goes back one step where the mechanism does not admit it. */
#include "live/session.h"

#include "math/rotation.h"
#include "math/vec3.h"
#include "world/world.h"

#include <math.h>
#include <string.h>

static const double FOLLOW = 0.05;    /* the time constant with which an anchor follows, s */
static const double MOST_SPIN = 15;   /* rad/s */
static const double MOST_LENGTHS = 4; /* of the longest strand, per second */

bool cord__live_moves_anchor(const cord_session *l, int i, bool *turns)
{
    *turns = i < l->info.clamp_count && l->layout.anchors[i].kind == ANCHOR_CLAMP;
    const point *p = cord__get_point(l->world, l->layout.points[i]);
    return p && p->source == CORD_SOURCE_WORLD;
}

bool cord__live_read_anchors(cord_session *l)
{
    int count = l->info.clamp_count + l->info.point_count;
    live_move *moves = NEW(&l->mem, live_move, count);
    if (!moves) {
        l->move_count = 0;
        return false;
    }
    for (int i = 0; i < count; i++) {
        cord_point handle = i < l->info.clamp_count
                                ? cord_simulation_get_clamp(l->sim, i).point
                                : cord_simulation_get_point(l->sim, i - l->info.clamp_count);
        live_move *m = &moves[i];
        if (cord_point_get_pose(l->world, handle, m->start, m->frame) != CORD_OK)
            cord_point_get_pose(l->world, handle, m->start, NULL);
        if (l->moves && l->move_count == count && l->moves[i].is) {
            *m = l->moves[i]; /* the same anchor of the scene before, as far as one can tell */
            continue;
        }
        v3_copy(m->position, m->start);
        v3_copy(m->to_position, m->start);
    }
    cord__release(&l->mem, l->moves);
    l->moves = moves;
    l->move_count = count;
    return true;
}

static cord_point point_of(const cord_session *l, int i)
{
    return i < l->info.clamp_count ? cord_simulation_get_clamp(l->sim, i).point
                                   : cord_simulation_get_point(l->sim, i - l->info.clamp_count);
}

typedef cord_status set_pose_call(cord_world *world, cord_point point, const double position[3],
                                  const double frame[9]);

static void set_pose(cord_session *l, int i, set_pose_call *set)
{
    const live_move *m = &l->moves[i];
    double rotation[9], frame[9];
    cord__rotation_exp(rotation, m->rotation);
    m3_multiply(frame, rotation, m->frame);
    set(l->world, point_of(l, i), m->position, frame);
}

void cord__live_set_anchors(cord_session *l)
{
    for (int i = 0; i < l->move_count; i++)
        if (l->moves[i].is) set_pose(l, i, cord_point_set_pose);
}

void cord__live_move(cord_session *l, live_reader *r)
{
    uint32_t what = cord__live_u32(r), number = cord__live_u32(r);
    double position[3], rotation[3];
    bool turns;
    cord__live_vector(r, position);
    cord__live_vector(r, rotation);
    if (!cord__live_ended(r) || what > LIVE_ATTACHMENT) {
        cord__live_fail(l, "the message cannot be read");
        return;
    }
    if (what == LIVE_ATTACHMENT) {
        cord__live_move_pin(l, number, position);
        return;
    }
    if (number >= (uint32_t)l->move_count || number >= (uint32_t)l->layout.anchor_count ||
        !cord__live_moves_anchor(l, (int)number, &turns)) {
        cord__live_fail(l, "there is no such anchor that moves");
        return;
    }
    if (!(v3_norm(rotation) < 1e6) || !(v3_norm(position) < 1e30)) {
        cord__live_fail(l, "a handle cannot go that far");
        return;
    }
    live_move *m = &l->moves[number];
    if (!m->is) cord__live_keep(l);
    m->is = true;
    v3_copy(m->to_position, position);
    if (turns) v3_copy(m->to_rotation, rotation);
    cord__live_changed(l);
}

/* One step of x'' = (to − x)/τ² − 2 x'/τ, critically damped, with a bounded rate; at rest where it has arrived. */
static void follow(double x[3], double rate[3], const double to[3], double h, double most)
{
    double offset[3];
    v3_sub(offset, to, x);
    /* The rate at the end of the step appears in the damping and in the position: stable for any h. */
    double a = h / (FOLLOW * FOLLOW), slower = 1 + 2 * h / FOLLOW + h * a;
    for (int k = 0; k < 3; k++) rate[k] = (rate[k] + a * offset[k]) / slower;
    double speed = v3_norm(rate);
    if (speed > most) v3_scale(rate, most / speed, rate);
    v3_axpy(x, h, rate);
    if (v3_norm(offset) > 1e-7 || speed > 1e-5) return;
    v3_copy(x, to);
    v3_scale(rate, 0, rate);
}

static double longest_strand(const cord_session *l)
{
    double longest = 0;
    for (int i = 0; i < l->layout.strand_count; i++)
        longest = fmax(longest, l->layout.strands[i].length);
    return longest > 0 ? longest : 1;
}

bool cord__live_move_anchors(cord_session *l)
{
    bool any = false;
    for (int i = 0; i < l->move_count; i++) {
        live_move *m = &l->moves[i];
        if (!m->is || (v3_distance(m->position, m->to_position) == 0 &&
                       v3_distance(m->rotation, m->to_rotation) == 0))
            continue;
        v3_copy(m->last_position, m->position);
        v3_copy(m->last_rotation, m->rotation);
        follow(m->position, m->rate, m->to_position, l->info.dt, MOST_LENGTHS * longest_strand(l));
        follow(m->rotation, m->spin, m->to_rotation, l->info.dt, MOST_SPIN);
        m->moved = any = true;
        set_pose(l, i, cord_point_move);
    }
    return any;
}

void cord__live_return_anchors(cord_session *l)
{
    for (int i = 0; i < l->move_count; i++) {
        live_move *m = &l->moves[i];
        if (!m->moved) continue;
        m->moved = false;
        v3_copy(m->position, m->last_position);
        v3_copy(m->rotation, m->last_rotation);
        v3_copy(m->to_position, m->position);
        v3_copy(m->to_rotation, m->rotation);
        v3_scale(m->rate, 0, m->rate);
        v3_scale(m->spin, 0, m->spin);
        set_pose(l, i, cord_point_set_pose);
    }
}
