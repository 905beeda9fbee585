/* Contacts of two obstacles. */
#include "contact/solids.h"
#include "contact/convex.h"
#include "math/vec3.h"

static void fill(const obstacle *obstacles, int first, int second, const solid_point *p, contact *c)
{
    *c = (contact){.segment = {-1, -1}, .obstacle = {first, second}, .gap = p->gap};
    c->key = cord__contact_key(OBSTACLE_NUMBERS + (uint32_t)first,
                               OBSTACLE_NUMBERS + (uint32_t)second, p->number);
    for (int i = 0; i < 2; i++) v3_copy(c->x[i], p->x[i]);
    v3_copy(c->normal, p->normal);
    cord__contact_tangents(c, cord__solid_direction(obstacles + first, c->normal));
}

int cord__solid_contacts(const obstacle *obstacles, int first, int second, double margin,
                         contact *out)
{
    const obstacle *a = obstacles + first, *b = obstacles + second;
    solid_point points[SOLID_CONTACTS];
    bool convex = a->shape.ops->solid && b->shape.ops->solid;
    int count = convex ? cord__convex_contacts(a, b, margin, points)
                       : cord__sampled_contacts(a, b, margin, points);
    for (int i = 1; i < count; i++) /* by number */
        for (int k = i; k > 0 && points[k].number < points[k - 1].number; k--) {
            solid_point p = points[k];
            points[k] = points[k - 1], points[k - 1] = p;
        }
    for (int i = 0; i < count; i++) fill(obstacles, first, second, points + i, out + i);
    return count;
}
