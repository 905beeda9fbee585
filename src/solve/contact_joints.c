/* Joints of objects in contact: where a constraint joins a strand to a body, an obstacle or a strand, their surfaces overlap by
 * the definition of the scene, and there is no contact between them nearby. The distance along the strands within which there is
 * none follows from the radii, as between neighbours along a strand, and from the depth of the joint below the surface of a
 * solid:
 *
 *     two strands, along both together:  π (ρ₁ + ρ₂) + an edge of each
 *     a strand and a solid:              2π ρ + √3 × depth + an edge;  √3 is the diagonal of a cube */
#include "solve/contact_detection.h"

#include <math.h>

static const double pi = 3.14159265358979323846, diagonal = 1.7320508075688772;

/* Of the radii: points of a constraint that are farther apart than this, or from a surface, join no surfaces. */
static const double NEAR = 2;

typedef struct joint_list {
    contact_joint *joint;
    int count, room; /* those beyond the room are counted only */
} joint_list;

static void append(joint_list *to, const contact_joint *j)
{
    if (to->count < to->room) to->joint[to->count] = *j;
    to->count++;
}

/* The segment of a curve that has a material coordinate. */
static const contact_segment *segment_at(const contact_set *k, int curve, double s)
{
    int low = k->first_segment[curve], high = k->first_segment[curve + 1] - 1;
    while (low < high) {
        int middle = low + (high - low) / 2;
        if (k->segment[middle].s[1] < s)
            low = middle + 1;
        else
            high = middle;
    }
    return k->segment + low;
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
    if (distance > NEAR * radius) return;
    append(to, &(contact_joint){.curve = {a->curve, -1},
                                .obstacle = index,
                                .s = {a->s, 0},
                                .reach = 2 * pi * radius + diagonal * fmax(0, -distance) +
                                         edge_of(a->at)});
}

static void join_strands(const joined_strand *a, const joined_strand *b, joint_list *to)
{
    double apart = 0, radii = a->at->radius + b->at->radius;
    for (int c = 0; c < 3; c++) apart += (a->x[c] - b->x[c]) * (a->x[c] - b->x[c]);
    if (sqrt(apart) > NEAR * radii) return;
    append(to, &(contact_joint){.curve = {a->curve, b->curve},
                                .obstacle = -1,
                                .s = {a->s, b->s},
                                .reach = pi * radii + edge_of(a->at) + edge_of(b->at)});
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

static void list_joints(const problem *w, const contact_set *k, joint_list *to)
{
    to->count = 0;
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

/* From the nearest point of an interval of a curve to the joint, or from the farthest one. */
static double along_interval(const contact_set *k, int curve, const double s[2], double joint,
                             bool farthest)
{
    const double from = along(k, curve, s[0], joint), to = along(k, curve, s[1], joint);
    if (farthest) return fmax(from, to);
    return joint >= s[0] && joint <= s[1] ? 0 : fmin(from, to);
}

/* A pair of intervals of material coordinates; the second one is NULL on an obstacle. */
static bool joined(const contact_set *k, const contact *c, const double *first,
                   const double *second, bool farthest)
{
    const int curve = k->segment[c->segment[0]].block;
    const int other = second ? k->segment[c->segment[1]].block : -1;
    for (int i = k->first_joint[curve]; i < k->first_joint[curve + 1]; i++) {
        const contact_joint *j = k->joint + i;
        if (second ? j->curve[1] != other : j->obstacle != c->obstacle[1]) continue;
        double distance = along_interval(k, curve, first, j->s[0], farthest);
        if (second) distance += along_interval(k, other, second, j->s[1], farthest);
        if (distance < j->reach) return true;
    }
    return false;
}

bool cord__pair_joined(const contact_set *k, const contact_pair *x, bool wholly)
{
    if (x->segment[0] < 0) return false;
    const contact c = {.segment = {x->segment[0], x->segment[1]},
                       .obstacle = {x->obstacle[0], x->obstacle[1]}};
    return joined(k, &c, k->segment[x->segment[0]].s,
                  x->segment[1] >= 0 ? k->segment[x->segment[1]].s : NULL, wholly);
}

bool cord__at_joint(const contact_set *k, const contact *c)
{
    const double first[2] = {c->s[0], c->s[0]}, second[2] = {c->s[1], c->s[1]};
    return c->segment[0] >= 0 && joined(k, c, first, c->segment[1] >= 0 ? second : NULL, true);
}
