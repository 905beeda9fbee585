#include "validation/contact/scenes.h"
#include "math/vec3.h"
#include <math.h>
#include <stdlib.h>

cord_status contact_set_law(cord_world *w, double friction, double tolerance)
{
    cord_contact_def def = cord_contact_def_default();
    def.friction = friction;
    def.tolerance = tolerance;
    return cord_world_set_contact(w, &def);
}

cord_status contact_add_surface(cord_world *w, cord_strand strand, double radius, bool self)
{
    cord_contact_surface surface = cord_contact_surface_default();
    surface.radius = radius;
    surface.self = self;
    return cord_strand_set_surface(w, strand, &surface);
}

cord_status contact_add_floor(cord_world *w)
{
    cord_obstacle_def def = cord_obstacle_def_default();
    cord_obstacle floor;
    def.name = "floor";
    return cord_world_add_obstacle(w, &def, &floor);
}

cord_status contact_add_cylinder(cord_world *w, const double center[3], const double axis[3],
                                 double radius, double length)
{
    cord_obstacle_def def = cord_obstacle_def_default();
    cord_obstacle cylinder;
    def.name = "cylinder";
    def.kind = CORD_OBSTACLE_SHAPE;
    def.shape = (cord_shape){.kind = CORD_SHAPE_CYLINDER, .radius = radius, .length = length};
    v3_copy(def.position, center);
    v3_copy(def.frame + 6, axis);
    v3_any_normal(def.frame, axis);
    v3_cross(def.frame + 3, axis, def.frame);
    return cord_world_add_obstacle(w, &def, &cylinder);
}

/* The contacts of the last step, on the heap. */
static cord_status list_contacts(const cord_world *w, cord_contact **list, int *count)
{
    *list = NULL;
    cord_status status = cord_world_get_contacts(w, 0, NULL, count);
    if (status != CORD_OK) return status;
    *list = malloc((size_t)(*count + 1) * sizeof **list);
    if (!*list) return CORD_ERROR_MEMORY;
    return cord_world_get_contacts(w, *count, *list, count);
}

static bool is_same(cord_strand a, cord_strand b)
{
    return a.index == b.index && a.generation == b.generation;
}

cord_status contact_force_on(const cord_world *w, cord_strand strand, double force[3], int *count)
{
    cord_contact *list;
    cord_status status = list_contacts(w, &list, count);
    if (force) v3_set(force, 0, 0, 0);
    for (int i = 0; status == CORD_OK && force && i < *count; i++) {
        if (is_same(list[i].first.strand, strand)) v3_axpy(force, 1, list[i].force);
        if (is_same(list[i].second.strand, strand)) v3_axpy(force, -1, list[i].force);
    }
    free(list);
    return status;
}

static void audit_contact(coulomb_audit *a, const cord_contact *c, double largest, double velocity)
{
    const double friction = a->friction < 0 ? c->friction : a->friction;
    double normal = v3_dot(c->force, c->normal), tangential[3], slip = v3_norm(c->slip);
    v3_copy(tangential, c->force);
    v3_axpy(tangential, -normal, c->normal);
    a->outside = fmax(a->outside, (v3_norm(tangential) - friction * normal) / largest);
    a->tension = fmax(a->tension, -normal / largest);
    a->overlap = fmax(a->overlap, -c->gap / a->radius);
    if (c->sticks && normal > a->least * largest) a->creep = fmax(a->creep, slip / velocity);
    if (friction > 0)
        a->defect = fmax(a->defect, (friction * normal * slip + v3_dot(tangential, c->slip)) /
                                        (friction * largest * velocity));
}

cord_status contact_audit(const cord_world *w, coulomb_audit *a)
{
    cord_contact *list;
    int count;
    double largest = 0, velocity = a->velocity;
    cord_status status = list_contacts(w, &list, &count);
    for (int i = 0; status == CORD_OK && i < count; i++) {
        largest = fmax(largest, v3_norm(list[i].force));
        velocity = fmax(velocity, v3_norm(list[i].slip));
    }
    for (int i = 0; status == CORD_OK && i < count; i++)
        audit_contact(a, list + i, largest, velocity);
    if (status == CORD_OK) a->contacts += count;
    if (status == CORD_OK && count > a->most) a->most = count;
    free(list);
    return status;
}

void contact_audit_rows(validation *v, const char *name, const coulomb_audit *a, double tolerance)
{
    validation_row_above(v, name, "contacts, over all steps", a->contacts, 1);
    validation_row_below(v, name, "force outside of the cone", fmax(a->outside, a->tension), 1e-9);
    validation_row_below(v, name, "slip of contacts that stick", a->creep, tolerance);
    validation_row_below(v, name, "friction that is not against the slip", a->defect, tolerance);
    validation_row_below(v, name, "overlap, radii", a->overlap, 1e-3);
}
