/* Identities of contacts that last: the objects of both sides, by their owners, and material coordinates. Keys contain numbers of
 * segments and obstacles, which change where objects are added or removed, and strands grow, divide or break: remembered contacts
 * then receive the keys of the same material. */
#include "solve/contacts.h"

#include <math.h>

static const contact_surface *surface_of(const contact_set *k, int curve)
{
    return &k->context[curve].block->surface;
}

/* The coordinate on the whole strand of one on its fragment, and the reverse. */
static double whole_coordinate(const contact_surface *on, double s)
{
    const double whole = s + on->start;
    return on->period > 0 && whole >= on->period ? whole - on->period : whole;
}

static double own_coordinate(const contact_surface *on, double whole_s)
{
    const double own = whole_s - on->start;
    return on->period > 0 && own < 0 ? own + on->period : own;
}

void cord__identify_contact(const contact_set *k, const contact *c, contact_memory *to)
{
    for (int side = 0; side < 2; side++) {
        const int curve = c->segment[side] >= 0 ? k->segment[c->segment[side]].block : -1;
        to->owner[side] =
            curve >= 0 ? surface_of(k, curve)->owner : k->carrier[c->obstacle[side]].owner;
        to->whole_s[side] =
            curve >= 0 ? whole_coordinate(surface_of(k, curve), c->s[side]) : c->s[side];
    }
}

/* Curves, then obstacles, in the order of their owners; the list is nearly in order before. */
static void sort_owners(contact_set *k)
{
    const int count = k->curves + k->obstacles;
    for (int i = 0; i < count; i++) {
        const bool curve = i < k->curves;
        contact_owner next = {curve ? surface_of(k, i)->owner : k->carrier[i - k->curves].owner,
                              curve ? i : i - k->curves};
        int at = i;
        for (; at > 0 && k->owner[at - 1].owner > next.owner; at--) k->owner[at] = k->owner[at - 1];
        k->owner[at] = next;
    }
}

static int first_of(const contact_set *k, int owner)
{
    int low = 0, high = k->curves + k->obstacles;
    while (low < high) {
        int middle = low + (high - low) / 2;
        if (k->owner[middle].owner < owner)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* Of a segment: coordinates beyond its ends that still belong to it. */
static const double BEYOND = 1e-6;

static bool has(const contact_set *k, int segment, double s)
{
    const contact_segment *g = k->segment + segment;
    const double beyond = BEYOND * (g->s[1] - g->s[0]);
    return s >= g->s[0] - beyond && s <= g->s[1] + beyond;
}

/* The segment of a curve that has the coordinate s; −1: none has. */
static int segment_at(const contact_set *k, int curve, double s)
{
    const int nearest = cord__contact_segment_at(k, curve, s);
    return has(k, nearest, s) ? nearest : -1;
}

/* The segment that has a coordinate of a strand; the present one, if it does. */
static int find_segment(const contact_set *k, int owner, double whole_s, uint32_t present)
{
    if (present < (uint32_t)k->segments) {
        const contact_surface *on = surface_of(k, k->segment[present].block);
        if (on->owner == owner && has(k, (int)present, own_coordinate(on, whole_s)))
            return (int)present;
    }
    const int count = k->curves + k->obstacles;
    int found = -1;
    for (int i = first_of(k, owner); found < 0 && i < count && k->owner[i].owner == owner; i++)
        found = segment_at(k, k->owner[i].index,
                           own_coordinate(surface_of(k, k->owner[i].index), whole_s));
    return found;
}

/* The number of a side in keys, and its coordinate. False: the object has gone, or has no such material any more. */
static bool renumber(const contact_set *k, contact_memory *x, int side, uint32_t *number)
{
    if (x->owner[side] >= FIRST_SOLID_OWNER) {
        const int at = first_of(k, x->owner[side]);
        if (at == k->curves + k->obstacles || k->owner[at].owner != x->owner[side]) return false;
        *number = OBSTACLE_NUMBERS + (uint32_t)k->owner[at].index;
        return true;
    }
    const int segment =
        find_segment(k, x->owner[side], x->whole_s[side], cord__key_side(x->key, side));
    if (segment < 0) return false;
    const contact_segment *g = k->segment + segment;
    *number = cord__segment_number(k->curve, g);
    x->s[side] = own_coordinate(surface_of(k, g->block), x->whole_s[side]);
    return true;
}

void cord__renumber_memory(contact_set *k)
{
    int kept = 0;
    if (!k->renumbered) return;
    k->renumbered = false;
    if (k->remembered == 0) return;
    sort_owners(k);
    for (int i = 0; i < k->remembered; i++) {
        contact_memory x = k->memory[i];
        uint32_t number[2];
        if (!renumber(k, &x, 0, number) || !renumber(k, &x, 1, number + 1)) continue;
        /* The side of the lesser number is the first one. Where this changes the axes do too: the contact is forgotten. */
        if (number[0] > number[1]) continue;
        x.key = cord__contact_key(number[0], number[1], cord__key_which(x.key));
        k->unsorted[kept++] = x;
    }
    k->remembered = kept;
    cord__sort_memory(k);
}

void cord__forget_contacts(contact_set *k, int owner)
{
    int kept = 0;
    for (int i = 0; i < k->remembered; i++)
        if (k->memory[i].owner[0] != owner && k->memory[i].owner[1] != owner)
            k->memory[kept++] = k->memory[i];
    k->remembered = kept;
}
