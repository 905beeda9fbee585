/* Contact of a world: its parameters, surfaces, materials, and the set of contacts that the solver has. */
#include "world/contacts.h"
#include "world/overlap.h"

#include "body/body.h"
#include "math/rotation.h"

#include <math.h>
#include <string.h>

cord_contact_def cord_contact_def_default(void)
{
    return (cord_contact_def){.friction = 0.3, .tolerance = 1e-6, .max_sweeps = 1000};
}

cord_contact_surface cord_contact_surface_default(void)
{
    return (cord_contact_surface){.group = 1, .mask = UINT32_MAX, .self = true};
}

cord_status cord__need_contacts(cord_world *w)
{
    if (w->contacts) return CORD_OK;
    w->contacts = NEW(&w->memory, world_contacts, 1);
    if (!w->contacts) return cord__fail(w, CORD_ERROR_MEMORY, "out of memory for contacts");
    w->contacts->set.def = cord_contact_def_default();
    w->contacts->set.farther = w->contacts->set.headroom = 1;
    return CORD_OK;
}

void cord__contacts_free(cord_world *w)
{
    memory *m = &w->memory;
    if (!w->contacts) return;
    cord__contacts_release(&w->contacts->set, m);
    cord__release(m, w->contacts->given);
    cord__release(m, w->contacts->kept);
    cord__release(m, w->contacts);
}

void cord__surfaces_changed(cord_world *w)
{
    if (w->contacts) w->contacts->set.islands = 0;
    w->layout_stale = w->partition_stale = true;
}

int cord__obstacle_owner(int slot)
{
    return FIRST_SOLID_OWNER + 2 * slot;
}

/* Fragments have the owner of the strand that broke. */
/* The length of a closed strand that has broken; else 0. */
static double period_of(const cord_world *w, const object *t)
{
    const breakage *of = t->kind == OBJECT_STRAND ? cord__whole_strand(w, t)->breakage : NULL;
    return of && of->closed && of->count > 0 ? of->length : 0;
}

static int owner_of(const object *t)
{
    if (t->kind == OBJECT_BODY) return FIRST_SOLID_OWNER + 2 * t->slot + 1;
    return t->fragment_of > 0 ? t->fragment_of - 1 : t->slot;
}

void cord__forget_surface(cord_world *w, const object *t)
{
    if (w->contacts) cord__forget_contacts(&w->contacts->set, owner_of(t));
}

/* ---- parameters --------------------------------------------------------------------------------- */

static cord_status check_law(const cord_world *w, double friction, double restitution)
{
    if (!(friction >= 0 && is_admissible(friction)))
        return cord__fail(w, CORD_ERROR_ARGUMENT, "friction is %g; it must be at least 0",
                          friction);
    if (!(restitution >= 0 && restitution <= 1))
        return cord__fail(w, CORD_ERROR_ARGUMENT, "restitution is %g; it must be from 0 to 1",
                          restitution);
    return CORD_OK;
}

cord_status cord_world_set_contact(cord_world *w, const cord_contact_def *def)
{
    if (cord__enter(w) != CORD_OK) return cord__refused(w);
    if (!def) return cord__fail(w, CORD_ERROR_ARGUMENT, "the definition is NULL");
    cord_status status = check_law(w, def->friction, def->restitution);
    if (status != CORD_OK) return status;
    if (!(def->margin >= 0 && is_admissible(def->margin)))
        return cord__fail(w, CORD_ERROR_ARGUMENT, "the margin is %g m; it must be at least 0",
                          def->margin);
    if (!(def->tolerance > 0 && def->tolerance < 1))
        return cord__fail(w, CORD_ERROR_ARGUMENT,
                          "the tolerance of contact is %g; it must be above 0 and below 1",
                          def->tolerance);
    if (def->max_sweeps < 1)
        return cord__fail(w, CORD_ERROR_ARGUMENT, "%d sweeps; at least one is needed",
                          def->max_sweeps);
    status = cord__need_contacts(w);
    if (status != CORD_OK) return status;
    w->contacts->set.def = *def;
    w->layout_stale = true;
    return CORD_OK;
}

static cord_status check_material(const cord_world *w, int material)
{
    if (material >= 0 && material < MATERIALS) return CORD_OK;
    return cord__fail(w, CORD_ERROR_ARGUMENT, "the material is %d; it must be from 0 to %d",
                      material, MATERIALS - 1);
}

static size_t law_index(int material, int other)
{
    size_t low = (size_t)(material < other ? material : other);
    size_t high = (size_t)(material < other ? other : material);
    return high * (high + 1) / 2 + low;
}

/* Room for the laws of this many materials. */
static bool extend_laws(world_contacts *c, int materials, memory *m)
{
    if (materials <= c->materials) return true;
    size_t before = law_index(0, c->materials), count = law_index(0, materials);
    contact_law *more = cord__reallocate(m, c->given, count, sizeof *more);
    if (!more) return false;
    for (size_t i = before; i < count; i++) more[i].friction = -1;
    c->given = more;
    c->materials = materials;
    return true;
}

cord_status cord_world_set_friction(cord_world *w, int material, int other, double friction,
                                    double restitution)
{
    if (cord__enter(w) != CORD_OK) return cord__refused(w);
    cord_status status = check_material(w, material);
    if (status == CORD_OK) status = check_material(w, other);
    if (status == CORD_OK) status = check_law(w, friction, restitution);
    if (status == CORD_OK) status = cord__need_contacts(w);
    if (status != CORD_OK) return status;
    world_contacts *c = w->contacts;
    if (!extend_laws(c, 1 + (material > other ? material : other), &w->memory))
        return cord__fail(w, CORD_ERROR_MEMORY, "out of memory for friction");
    c->given[law_index(material, other)] = (contact_law){friction, restitution};
    w->layout_stale = true;
    return CORD_OK;
}

/* ---- surfaces ----------------------------------------------------------------------------------- */

cord_status cord__check_surface(const cord_world *w, const cord_contact_surface *surface)
{
    if (!(surface->radius >= 0 && is_admissible(surface->radius)))
        return cord__fail(w, CORD_ERROR_ARGUMENT, "the radius is %g m; it must be at least 0",
                          surface->radius);
    return check_material(w, surface->material);
}

static void set_surface(cord_world *w, object *t, const cord_contact_surface *surface)
{
    t->block.surface = surface ? (contact_surface){.exists = true,
                                                   .self = surface->self,
                                                   .radius = surface->radius,
                                                   .material = surface->material,
                                                   .group = surface->group,
                                                   .mask = surface->mask}
                               : (contact_surface){0};
    if (!surface) cord__forget_surface(w, t);
    cord__surfaces_changed(w);
}

static cord_status check_strand(const cord_world *w, const strand *s,
                                const cord_contact_surface *surface)
{
    const char *name = s->name ? s->name : "";
    if (!s->block.ops->contact)
        return cord__fail(w, CORD_ERROR_UNSUPPORTED,
                          "strand '%s': a strand of model '%s' has no contacts", name,
                          s->block.ops->name);
    cord_strand_info info = {0};
    s->ops->info(s->block.model, &info);
    bool by_size =
        info.section.kind == CORD_SECTION_ELLIPSE || info.section.kind == CORD_SECTION_RECTANGLE;
    if (surface->radius > 0 || by_size || info.section.radius > 0) return CORD_OK;
    return cord__fail(w, CORD_ERROR_ARGUMENT,
                      "strand '%s': contact needs a radius, and its cross-section has none; give "
                      "the radius of the surface",
                      name);
}

cord_status cord_strand_set_surface(cord_world *w, cord_strand handle,
                                    const cord_contact_surface *surface)
{
    strand *s = cord__get_strand(w, handle);
    if (!s) return cord__refused(w);
    cord_status status = surface ? cord__check_surface(w, surface) : CORD_OK;
    if (status == CORD_OK && surface) status = check_strand(w, s, surface);
    if (status == CORD_OK && surface) status = cord__need_contacts(w);
    if (status == CORD_OK) set_surface(w, s, surface);
    return status;
}

cord_status cord_body_set_surface(cord_world *w, cord_body handle,
                                  const cord_contact_surface *surface)
{
    object *t = cord__get_body(w, handle);
    if (!t) return cord__refused(w);
    cord_status status = surface ? cord__check_surface(w, surface) : CORD_OK;
    if (status == CORD_OK && surface) status = cord__need_contacts(w);
    if (status != CORD_OK) return status;
    const cord_shape *shape = &((const body_model *)t->block.model)->shape;
    if (surface && shape->kind == CORD_SHAPE_NONE)
        return cord__fail(w, CORD_ERROR_UNSUPPORTED,
                          "body '%s': contact needs a shape, and the body has none",
                          t->name ? t->name : "");
    if (surface && shape->kind == CORD_SHAPE_MESH && !t->mesh)
        status = cord__surface_mesh(w, shape, &t->mesh);
    if (status != CORD_OK)
        return cord__fail(w, status, "body '%s': %s", t->name ? t->name : "",
                          status == CORD_ERROR_ARGUMENT
                              ? "contact needs a mesh whose triangles all have an area"
                              : cord_status_text(status));
    set_surface(w, t, surface);
    return CORD_OK;
}

/* ---- the set of contacts ------------------------------------------------------------------------ */

/* The pose in principal axes of axes that are at (x, R) in the axes of a body's definition. */
static void in_principal_axes(const body_model *b, const double x[3], const double R[9],
                              obstacle_carrier *c)
{
    double from[3];
    v3_sub(from, x, b->center);
    m3_apply_transposed(c->x, b->axes, from);
    m3_transposed_multiply(c->R, b->axes, R);
}

static void add_obstacle(const cord_world *w, contact_set *k, const world_obstacle *o)
{
    obstacle *to = k->obstacle + k->obstacles;
    obstacle_carrier *c = k->carrier + k->obstacles++;
    const point *p = o->point >= 0 ? w->points.item[o->point] : NULL;
    *to = (obstacle){.shape = o->shape, .group = o->surface.group, .mask = o->surface.mask};
    *c = (obstacle_carrier){.block = -1,
                            .point = -1,
                            .slot = o->slot,
                            .owner = cord__obstacle_owner(o->slot),
                            .material = o->surface.material};
    v3_copy(c->x, o->x);
    memcpy(c->R, o->R, sizeof c->R);
    if (p && p->parent >= 0) {
        const object *body = w->bodies.item[p->parent];
        pose at;
        cord__compose(p->position, p->orientation, o->x, o->R, at.position, at.frame);
        in_principal_axes(body->block.model, at.position, at.frame, c);
        c->block = body->index;
    } else if (p) {
        c->point = o->point;
    }
}

static void add_body(contact_set *k, const object *t)
{
    static const double origin[3] = {0}, identity[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1};
    const contact_surface *s = &t->block.surface;
    const body_model *b = t->block.model;
    obstacle *to = k->obstacle + k->obstacles;
    obstacle_carrier *c = k->carrier + k->obstacles++;
    *to = (obstacle){.group = s->group, .mask = s->mask};
    cord__shape_of(&b->shape, t->mesh, &to->shape);
    *c = (obstacle_carrier){.block = t->index,
                            .point = -1,
                            .slot = t->slot,
                            .owner = owner_of(t),
                            .material = s->material};
    in_principal_axes(b, origin, identity, c);
}

/* Initial poses: those of obstacles that do not move. */
static void finish_obstacles(contact_set *k)
{
    for (int i = 0; i < k->obstacles; i++) {
        obstacle *o = k->obstacle + i;
        obstacle_carrier *c = k->carrier + i;
        v3_copy(o->x, c->x);
        memcpy(o->R, c->R, sizeof o->R);
        v3_copy(c->start_x, c->x);
        memcpy(c->start_R, c->R, sizeof c->R);
        cord__obstacle_bounds(o);
    }
}

static void fill_laws(const world_contacts *c, contact_set *k)
{
    const contact_law fallback = {k->def.friction, k->def.restitution};
    const int n = k->materials;
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            bool known = i < c->materials && j < c->materials;
            const contact_law *given = known ? c->given + law_index(i, j) : NULL;
            k->law[n * i + j] = given && given->friction >= 0 ? *given : fallback;
        }
}

/* The most obstacles and the largest material, and whether an object has a surface. */
static void count_surfaces(const cord_world *w, int *obstacles, int *materials, bool *any)
{
    int most = -1;
    *obstacles = w->obstacles.used;
    *any = false;
    for (int i = 0; i < w->problem.blocks; i++) {
        const contact_surface *s = &w->problem.block[i]->surface;
        if (!s->exists) continue;
        *any = true;
        *obstacles += cord__object_of(w->problem.block[i])->kind == OBJECT_BODY;
        if (s->material > most) most = s->material;
    }
    for (int i = 0; i < w->obstacles.count; i++) {
        const world_obstacle *o = w->obstacles.item[i];
        if (o && o->surface.material > most) most = o->surface.material;
    }
    *materials = most + 1;
}

/* The ends of fragments that were one point of a strand. */
static cord_status list_breaks(const cord_world *w, contact_set *k, memory *m)
{
    int count = 0;
    for (int i = 0; i < w->strands.count; i++) {
        const strand *t = w->strands.item[i];
        if (t && t->breakage) count += t->breakage->count;
    }
    k->breaks = 0;
    if (count == 0) return CORD_OK;
    contact_break *list = cord__reallocate(m, k->broken, (size_t)count, sizeof *list);
    if (!list) return CORD_ERROR_MEMORY;
    k->broken = list;
    for (int i = 0; i < w->strands.count; i++) {
        const strand *whole = w->strands.item[i];
        for (int j = 0; whole && whole->breakage && j < whole->breakage->count; j++) {
            double own;
            const strand *after = w->strands.item[whole->breakage->breaks[j].slot];
            if (!after) continue;
            const strand *before =
                cord__find_fragment(w, whole, whole->breakage->breaks[j].s, &own);
            list[k->breaks++] = (contact_break){before->index, after->index};
        }
    }
    return CORD_OK;
}

cord_status cord__contacts_update(cord_world *w)
{
    w->problem.contacts = NULL;
    if (!w->contacts) return CORD_OK;
    w->contacts->kept_count = 0;
    contact_set *k = &w->contacts->set;
    memory *m = &w->memory;
    int obstacles, materials;
    bool any;
    count_surfaces(w, &obstacles, &materials, &any);
    k->obstacles = 0;
    if (!any) return CORD_OK;
    obstacle *shapes = cord__reallocate(m, k->obstacle, (size_t)obstacles, sizeof *shapes);
    if (shapes) k->obstacle = shapes;
    obstacle_carrier *carriers =
        cord__reallocate(m, k->carrier, (size_t)obstacles, sizeof *carriers);
    if (carriers) k->carrier = carriers;
    contact_law *laws =
        cord__reallocate(m, k->law, (size_t)materials * (size_t)materials, sizeof *laws);
    if (laws) k->law = laws;
    if (!shapes || !carriers || !laws)
        return cord__fail(w, CORD_ERROR_MEMORY, "out of memory for contacts");
    k->materials = materials;
    fill_laws(w->contacts, k);
    for (int i = 0; i < w->obstacles.count; i++)
        if (w->obstacles.item[i]) add_obstacle(w, k, w->obstacles.item[i]);
    for (int i = 0; i < w->problem.blocks; i++) {
        object *t = cord__object_of(w->problem.block[i]);
        t->block.surface.owner = owner_of(t);
        t->block.surface.start = t->fragment_start;
        t->block.surface.period = period_of(w, t);
        if (t->kind == OBJECT_BODY && t->block.surface.exists) add_body(k, t);
    }
    finish_obstacles(k);
    if (list_breaks(w, k, m) != CORD_OK || cord__contacts_layout(&w->problem, k, m) != CORD_OK)
        return cord__fail(w, CORD_ERROR_MEMORY, "out of memory for contacts");
    w->problem.contacts = k;
    return CORD_OK;
}

cord_status cord__contacts_reserve(cord_world *w, int remembered)
{
    if (!w->contacts) return CORD_OK;
    contact_set *k = &w->contacts->set;
    if (remembered <= k->memory_room) return CORD_OK;
    if (cord__reserve_memory(k, &w->memory, remembered) == CORD_OK) return CORD_OK;
    return cord__fail(w, CORD_ERROR_MEMORY, "out of memory for contacts");
}

/* ---- searches for an equilibrium ----------------------------------------------------------------- */

bool cord__left_margin(const cord_world *w)
{
    const contact_set *k = w->problem.contacts;
    bool any = false;
    for (int i = 0; k && i < k->islands; i++) any = any || k->island[i].far;
    return any;
}

cord_status cord__report_far(cord_world *w)
{
    return cord__fail(w, CORD_ERROR_NOT_CONVERGED,
                      "at t = %.9g s no equilibrium was found: objects moved %d times by more than "
                      "half the margin within which contacts are detected; do they fall without "
                      "end, or slide off their support? Give a larger margin of contact if not",
                      w->problem.now.time, DETECTIONS);
}

cord_status cord__join_touching(cord_world *w, joined_pairs which, bool *again)
{
    contact_set *k = w->problem.contacts;
    *again = false;
    if (!k || !k->statics || k->between == 0) return CORD_OK;
    cord_status status = cord__join_clusters(&w->problem, k, which, &w->memory, again);
    if (status != CORD_OK) return cord__fail(w, status, "out of memory for contacts");
    if (!*again) return CORD_OK;
    w->partition_stale = w->joining = true;
    status = cord__world_ready(w);
    w->joining = false;
    return status;
}

void cord__separate_clusters(cord_world *w)
{
    if (w->contacts && w->contacts->set.joins > 0) w->partition_stale = true;
}

/* ---- contacts of the last step ------------------------------------------------------------------ */

static cord_contact_side side_of(const cord_world *w, const contact *c, int side)
{
    const contact_set *k = &w->contacts->set;
    cord_contact_side out = {.s = c->s[side]};
    if (c->segment[side] >= 0) {
        block *b = k->context[k->segment[c->segment[side]].block].block;
        int slot = cord__object_of(b)->slot;
        out.strand = (cord_strand){(uint32_t)slot + 1, w->strands.generation[slot]};
        return out;
    }
    int slot = k->carrier[c->obstacle[side]].slot;
    if (c->obstacle[side] < w->obstacles.used)
        out.obstacle = (cord_obstacle){(uint32_t)slot + 1, w->obstacles.generation[slot]};
    else
        out.body = (cord_body){(uint32_t)slot + 1, w->bodies.generation[slot]};
    return out;
}

/* A contact sticks while its slip is small beside the motion that the tolerance of the forces leaves. */
static const double STICKS = 1e-3;

static void describe(const cord_world *w, const contact_row *r, cord_contact *out)
{
    const contact *c = &r->at;
    const contact_set *k = &w->contacts->set;
    double tangential = hypot(r->force[1], r->force[2]), limit = r->friction * r->force[0];
    *out = (cord_contact){.first = side_of(w, c, 0),
                          .second = side_of(w, c, 1),
                          .gap = c->gap,
                          .friction = r->friction};
    v3_copy(out->position, c->x[0]);
    if (c->segment[0] >= 0) v3_axpy(out->position, -k->segment[c->segment[0]].radius, c->normal);
    v3_copy(out->normal, r->axis[0]);
    for (int i = 0; i < 3; i++) v3_axpy(out->force, r->force[i], r->axis[i]);
    for (int i = 1; i < 3; i++) v3_axpy(out->slip, r->u[i], r->axis[i]);
    out->sticks = tangential < (1 - STICKS) * limit;
}

/* Those that have a force, as many as there is room for. Returns their number. */
static int list_contacts(const cord_world *w, int room, cord_contact *list)
{
    const contact_set *k = w->problem.contacts;
    int count = 0;
    for (int i = 0; k && i < k->islands; i++)
        for (int j = 0; j < k->island[i].rows; j++) {
            const contact_row *r = k->row + k->island[i].first_row + j;
            if (!(r->force[0] > 0)) continue;
            if (count < room) describe(w, r, list + count);
            count++;
        }
    return count;
}

static bool are_kept(const cord_world *w)
{
    const world_contacts *c = w->contacts;
    return c && c->set.islands == 0 && c->kept_count > 0 && c->kept_time == w->problem.now.time &&
           !w->layout_stale && !w->partition_stale;
}

cord_status cord__keep_contacts(cord_world *w, cord_status (*lay_out)(cord_world *w))
{
    world_contacts *c = w->contacts;
    if (!c) return lay_out(w);
    int count = are_kept(w) ? c->kept_count : list_contacts(w, c->kept_room, c->kept);
    if (count > c->kept_room) {
        const int room = count + count / 2;
        cord_contact *more = cord__reallocate(&w->memory, c->kept, (size_t)room, sizeof *c->kept);
        if (!more) return cord__fail(w, CORD_ERROR_MEMORY, "out of memory for contacts");
        c->kept = more;
        c->kept_room = room;
        list_contacts(w, room, c->kept);
    }
    cord_status status = lay_out(w);
    c->kept_count = status == CORD_OK ? count : 0;
    c->kept_time = w->problem.now.time;
    return status;
}

cord_status cord_world_get_contacts(const cord_world *w, int capacity, cord_contact *contacts,
                                    int *count)
{
    if (cord__enter(w) != CORD_OK) return cord__refused(w);
    if (!count || capacity < 0 || (capacity > 0 && !contacts))
        return cord__fail(w, CORD_ERROR_ARGUMENT, "an argument is NULL or out of range");
    if (!are_kept(w)) {
        *count = list_contacts(w, capacity, contacts);
        return CORD_OK;
    }
    *count = w->contacts->kept_count;
    const int copied = *count < capacity ? *count : capacity;
    if (copied > 0) memcpy(contacts, w->contacts->kept, (size_t)copied * sizeof *contacts);
    return CORD_OK;
}

/* ---- overlaps ----------------------------------------------------------------------------------- */

static void compare_overlap(const cord_world *w, const contact *c, cord_contact *worst, int *count)
{
    const contact_set *k = &w->contacts->set;
    double radius = c->segment[0] >= 0 ? k->segment[c->segment[0]].radius : 0;
    if (!(c->gap < -fmax(1e-6, 0.01 * radius))) return;
    if (c->gap < worst->gap) describe(w, &(contact_row){.at = *c}, worst);
    ++*count;
}

cord_status cord__find_overlaps(cord_world *w, cord_contact *worst, int *count)
{
    cord_status status = cord__world_ready(w);
    contact_set *k = status == CORD_OK ? w->problem.contacts : NULL;
    *count = 0;
    *worst = (cord_contact){0};
    if (!k) return status;
    k->statics = false; /* pairs of all clusters */
    status = cord__contacts_detect(&w->problem, k, 0, &w->memory);
    for (int i = 0; status == CORD_OK && i < k->pairs; i++) {
        contact found[SOLID_CONTACTS];
        for (int j = cord__contacts_of_pair(k, k->unordered + i, 0, found) - 1; j >= 0; j--)
            compare_overlap(w, found + j, worst, count);
    }
    k->pairs = k->islands = 0; /* they are of an attempt */
    return status == CORD_OK ? status : cord__fail(w, status, "out of memory for contacts");
}
