/* Joints of objects in contact: where a constraint joins a strand to a body, an obstacle or a strand, their surfaces overlap by
 * the definition of the scene. Contact admits an overlap there, which falls linearly along the strands:
 *
 *     at the joint:            the radii less the distance of the centrelines, or of the centreline from a solid's surface
 *     zero, two strands:       2π (ρ₁ + ρ₂) + an edge of each away, along both together
 *     zero, strand and solid:  2π ρ + √3 × the depth of the joint + an edge away; √3 is the diagonal of a cube
 *
 * The two ends at which a strand broke are such a joint, too, until they are apart. Without contact near the joint a soft strand would sink into the solid, and be far inside it where contact begins. */
#include "math/vec3.h"
#include "solve/contact_detection.h"

#include <math.h>

static const double pi = 3.14159265358979323846, diagonal = 1.7320508075688772;

/* Of the reach: contacts nearer to a joint are at the joint. */
static const double AT_JOINT = 1e-3;

typedef struct joint_list {
    contact_joint *joint;
    int count, room; /* those beyond the room are counted only */
} joint_list;

static void append(joint_list *to, const contact_joint *j)
{
    if (to->count < to->room) to->joint[to->count] = *j;
    to->count++;
}

static const contact_segment *segment_at(const contact_set *k, int curve, double s)
{
    return k->segment + cord__contact_segment_at(k, curve, s);
}

static double edge_of(const contact_segment *g)
{
    return g->s[1] - g->s[0];
}

/* One side of a constraint: a point of a strand. */
typedef struct joined_strand {
    int curve; /* −1: it is none */
    double s, x[3];
    const contact_segment *at;
} joined_strand;

static joined_strand strand_side(const problem *w, const contact_set *k, const term *x, int side)
{
    const point *p = x->point[side] >= 0 ? w->point[x->point[side]] : NULL;
    joined_strand out = {.curve = -1};
    curve_point at;
    if (!p || p->block < 0 || p->path || w->block[p->block]->curve < 0) return out;
    out.curve = w->block[p->block]->curve;
    out.s = cord__coordinate_at(w, p, w->now.q);
    out.at = segment_at(k, out.curve, out.s);
    cord__curve_point(k->curve + out.curve, out.at, out.s, &at);
    for (int c = 0; c < 3; c++) out.x[c] = at.r[c];
    return out;
}

static void join_obstacle(const contact_set *k, const joined_strand *a, int index, joint_list *to)
{
    double normal[3], radius = a->at->radius;
    double distance = cord__obstacle_distance(k->obstacle + index, a->x, normal);
    if (distance >= radius) return;
    append(to, &(contact_joint){.curve = {a->curve, -1},
                                .obstacle = index,
                                .s = {a->s, 0},
                                .overlap = radius - distance,
                                .reach = 2 * pi * radius + diagonal * fmax(0, -distance) +
                                         edge_of(a->at)});
}

static void join_strands(const joined_strand *a, const joined_strand *b, joint_list *to)
{
    double distance = v3_distance(a->x, b->x), radii = a->at->radius + b->at->radius;
    if (distance >= radii) return;
    append(to, &(contact_joint){.curve = {a->curve, b->curve},
                                .obstacle = -1,
                                .s = {a->s, b->s},
                                .overlap = radii - distance,
                                .reach = 2 * pi * radii + edge_of(a->at) + edge_of(b->at)});
}

static void join_side(const problem *w, const contact_set *k, const term *x,
                      const joined_strand side[2], int first, joint_list *to)
{
    const int other = cord__block_of(w, x, !first);
    if (side[first].curve < 0) return;
    if (side[!first].curve >= 0) {
        join_strands(side + first, side + !first, to);
    } else if (other >= 0) {
        for (int o = w->block[other]->first_obstacle; o >= 0; o = k->carrier[o].next)
            join_obstacle(k, side + first, o, to);
    } else {
        for (int o = 0; o < k->obstacles; o++)
            if (k->carrier[o].block < 0) join_obstacle(k, side + first, o, to);
    }
}

/* The end of a strand that is a fragment, or its start. */
static joined_strand fragment_end(const problem *w, const contact_set *k, int index, int end)
{
    joined_strand out = {.curve = w->block[index]->curve};
    if (out.curve < 0) return out;
    out.at = k->segment + (end ? k->first_segment[out.curve + 1] - 1 : k->first_segment[out.curve]);
    out.s = out.at->s[end];
    v3_copy(out.x, out.at->x[end]);
    return out;
}

static void list_breaks(const problem *w, const contact_set *k, joint_list *to)
{
    for (int i = 0; i < k->breaks; i++) {
        const joined_strand before = fragment_end(w, k, k->broken[i].before, 1);
        const joined_strand after = fragment_end(w, k, k->broken[i].after, 0);
        if (before.curve < 0 || after.curve < 0) continue;
        join_strands(&before, &after, to);
        join_strands(&after, &before, to);
    }
}

static void list_joints(const problem *w, const contact_set *k, joint_list *to)
{
    to->count = 0;
    list_breaks(w, k, to);
    for (int i = 0; i < w->constraints; i++) {
        const constraint *r = w->constraint[i];
        if (r->state.released) continue;
        joined_strand side[2];
        for (int j = 0; j < 2; j++) side[j] = strand_side(w, k, &r->term, j);
        for (int j = 0; j < 2; j++) join_side(w, k, &r->term, side, j, to);
    }
}

/* In the order of their first curves. */
static void sort_joints(contact_set *k, const joint_list *from)
{
    for (int c = 0; c <= k->curves; c++) k->first_joint[c] = 0;
    for (int i = 0; i < from->count; i++) k->first_joint[from->joint[i].curve[0] + 1]++;
    for (int c = 0; c < k->curves; c++) k->first_joint[c + 1] += k->first_joint[c];
    for (int i = 0; i < from->count; i++)
        k->joint[k->first_joint[from->joint[i].curve[0]]++] = from->joint[i];
    for (int c = k->curves; c > 0; c--) k->first_joint[c] = k->first_joint[c - 1];
    k->first_joint[0] = 0;
}

cord_status cord__find_joints(const problem *w, contact_set *k, memory *m)
{
    for (;;) {
        joint_list list = {k->unsorted_joint, 0, k->joint_room};
        list_joints(w, k, &list);
        if (list.count <= list.room) {
            sort_joints(k, &list);
            return CORD_OK;
        }
        k->joint_room = 0;
        int room = list.count + list.count / 2 + 8;
        if (!RESERVE(m, k->joint, room) || !RESERVE(m, k->unsorted_joint, room))
            return CORD_ERROR_MEMORY;
        k->joint_room = room;
    }
}

static double along(const contact_set *k, int curve, double s, double joint)
{
    const double period = k->curve[curve].period, distance = fabs(s - joint);
    return period > 0 ? fmin(distance, fabs(period - distance)) : distance;
}

/* From the nearest point of a segment to the joint. */
static double along_segment(const contact_set *k, const contact_segment *g, double joint)
{
    if (joint >= g->s[0] && joint <= g->s[1]) return 0;
    return fmin(along(k, g->block, g->s[0], joint), along(k, g->block, g->s[1], joint));
}

static bool is_of(const contact_set *k, const contact_joint *j, int second, int solid)
{
    return second >= 0 ? j->curve[1] == k->segment[second].block : j->obstacle == solid;
}

/* The least distance of a pair from a joint, over its reach. */
static double nearest(const contact_set *k, const contact_pair *x)
{
    double least = INFINITY;
    if (x->segment[0] < 0) return least;
    const contact_segment *a = k->segment + x->segment[0];
    for (int i = k->first_joint[a->block]; i < k->first_joint[a->block + 1]; i++) {
        const contact_joint *j = k->joint + i;
        if (!is_of(k, j, x->segment[1], x->obstacle[1])) continue;
        double distance = along_segment(k, a, j->s[0]);
        if (x->segment[1] >= 0) distance += along_segment(k, k->segment + x->segment[1], j->s[1]);
        least = fmin(least, distance / j->reach);
    }
    return least;
}

bool cord__near_joint(const contact_set *k, const contact_pair *x)
{
    return nearest(k, x) < 1;
}

bool cord__meets_at_joint(const contact_set *k, const contact_pair *x)
{
    return nearest(k, x) < AT_JOINT;
}

bool cord__taper(const contact_set *k, contact *c)
{
    if (c->segment[0] < 0) return true;
    const int curve = k->segment[c->segment[0]].block;
    for (int i = k->first_joint[curve]; i < k->first_joint[curve + 1]; i++) {
        const contact_joint *j = k->joint + i;
        if (!is_of(k, j, c->segment[1], c->obstacle[1])) continue;
        double distance = along(k, curve, c->s[0], j->s[0]);
        if (c->segment[1] >= 0) distance += along(k, j->curve[1], c->s[1], j->s[1]);
        if (distance < AT_JOINT * j->reach) return false;
        c->taper = fmax(c->taper, j->overlap * (1 - distance / j->reach));
    }
    c->gap += c->taper;
    return true;
}
