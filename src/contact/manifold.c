/* Which contacts there are: identity, ownership, neighbours along a strand, merging. */
#include "contact/contact.h"
#include "math/vec3.h"

static const double pi = 3.14159265358979323846;

uint64_t cord__contact_key(uint32_t first, uint32_t second, int which)
{
    return (uint64_t)first << 34 | (uint64_t)second << 4 | (uint64_t)which;
}

uint32_t cord__key_side(uint64_t key, int side)
{
    return (uint32_t)(side ? key >> 4 & ((1u << 30) - 1) : key >> 34);
}

int cord__key_which(uint64_t key)
{
    return (int)(key & 15);
}

bool cord__same_sides(uint64_t key, uint64_t other)
{
    return key >> 4 == other >> 4;
}

uint32_t cord__segment_number(const contact_curve *curves, const contact_segment *segment)
{
    return (uint32_t)(curves[segment->block].first + segment->segment);
}

/* The distance along a strand, the shorter way round a closed one. */
static double along(double period, double s1, double s2)
{
    double d = fabs(s1 - s2);
    return period > 0 ? fmin(d, fabs(period - d)) : d;
}

static double edge_of(const contact_segment *g)
{
    return g->s[1] - g->s[0];
}

double cord__along_ratio(const contact_curve *curves, const contact_segment *a,
                         const contact_segment *b, const double s[2])
{
    if (a->block != b->block) return INFINITY;
    double edge = fmax(edge_of(a), edge_of(b)), radius = fmax(a->radius, b->radius);
    return along(curves[a->block].period, s[0], s[1]) / (pi * radius + edge);
}

bool cord__along_neighbours(const contact_curve *curves, const contact_segment *a,
                            const contact_segment *b, const double s[2])
{
    return cord__along_ratio(curves, a, b, s) < 1;
}

bool cord__owned(const contact_segment *segment, double s)
{
    return segment->before < 0 || s > segment->s[0];
}

/* ---- merging --------------------------------------------------------------------------------- */

#define HALF_EDGE 0.499
#define SAME_NORMAL 0.5 /* cosine: contacts in a groove of one obstacle are different ones */

typedef struct merging {
    const contact_curve *curves;
    const contact_segment *segments;
    contact *contacts;
    int count;
} merging;

/* Whether s on segments a and b of one block are nearer than half an edge; not those of staggered edges, at exactly half. */
static bool near_along(const merging *m, int a, double s, int b, double s_other)
{
    const contact_segment *g = m->segments + a, *h = m->segments + b;
    if (g->block != h->block) return false;
    return along(m->curves[g->block].period, s, s_other) < HALF_EDGE * fmin(edge_of(g), edge_of(h));
}

/* The same contact of a closed strand with its sides exchanged, as on both sides of the joint of its ends. */
static bool mergeable_exchanged(const merging *m, const contact *c, const contact *d)
{
    return v3_dot(c->normal, d->normal) < -SAME_NORMAL &&
           near_along(m, c->segment[0], c->s[0], d->segment[1], d->s[1]) &&
           near_along(m, c->segment[1], c->s[1], d->segment[0], d->s[0]);
}

static bool mergeable(const merging *m, const contact *c, const contact *d)
{
    if (c->obstacle[1] != d->obstacle[1]) return false;
    if (c->obstacle[1] < 0 && mergeable_exchanged(m, c, d)) return true;
    if (v3_dot(c->normal, d->normal) < SAME_NORMAL) return false;
    if (!near_along(m, c->segment[0], c->s[0], d->segment[0], d->s[0])) return false;
    return c->obstacle[1] >= 0 || near_along(m, c->segment[1], c->s[1], d->segment[1], d->s[1]);
}

/* Between equal gaps the smaller key decides, so that rounding does not change the identity of a contact. */
static bool replaces(const merging *m, const contact *c, const contact *earlier)
{
    return c->gap < earlier->gap - LOWER_GAP * m->segments[c->segment[0]].radius;
}

#define DROPPED (-2)

static bool dropped(const contact *c)
{
    return c->segment[0] == DROPPED;
}

/* The first contact whose first side has at least this number. That of contact i and the one before are next to it. */
static int first_with(const merging *m, int i, uint32_t number)
{
    int low = 0, high = m->count;
    uint32_t own = cord__key_side(m->contacts[i].key, 0);
    if (number == own || number + 1 == own) {
        while (i > 0 && cord__key_side(m->contacts[i - 1].key, 0) >= number) i--;
        return i;
    }
    while (low < high) {
        int middle = low + (high - low) / 2;
        if (cord__key_side(m->contacts[middle].key, 0) < number)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* Compares contact i with the others whose first side is segment `other`, up to contact `end`. */
static void merge_with(const merging *m, int i, int other, int end)
{
    contact *c = m->contacts + i;
    if (other < 0 || dropped(c)) return;
    uint32_t number = cord__segment_number(m->curves, m->segments + other);
    for (int k = first_with(m, i, number); k < end; k++) {
        contact *d = m->contacts + k;
        if (cord__key_side(d->key, 0) != number) break;
        if (dropped(d) || !mergeable(m, c, d)) continue;
        contact *later = c->key > d->key ? c : d, *earlier = c->key > d->key ? d : c;
        contact *loser = replaces(m, later, earlier) ? earlier : later;
        loser->segment[0] = DROPPED;
        if (loser == c) return;
    }
}

static void merge_exchanged(const merging *m, int i)
{
    const contact *c = m->contacts + i;
    if (dropped(c) || c->obstacle[1] >= 0) return;
    const contact_segment *g = m->segments + c->segment[0], *h = m->segments + c->segment[1];
    int second = c->segment[1];
    if (g->block != h->block || !(m->curves[g->block].period > 0)) return;
    merge_with(m, i, h->before, m->count);
    merge_with(m, i, second, m->count);
    merge_with(m, i, h->after, m->count);
}

int cord__merge_contacts(const contact_curve *curves, const contact_segment *segments,
                         contact *contacts, int count)
{
    merging m = {curves, segments, contacts, count};
    for (int i = 0; i < count; i++) {
        int own = contacts[i].segment[0];
        if (own < 0) continue; /* dropped, or a contact of two obstacles */
        merge_with(&m, i, own, i);
        merge_with(&m, i, segments[own].before, count);
        merge_exchanged(&m, i);
    }
    int kept = 0;
    for (int i = 0; i < count; i++)
        if (!dropped(contacts + i)) contacts[kept++] = contacts[i];
    return kept;
}
