/* Contact in scenes: names of surfaces, materials, building. */
#include "scene/contacts.h"

#include "math/vec3.h"

#include <math.h>
#include <string.h>

/* ---- names ---------------------------------------------------------------------------------- */

bool cord__names_surface(const char *name, const char *object, const surface_data *surface)
{
    size_t length = strlen(name);
    bool own = object && strncmp(object, name, length) == 0 &&
               (object[length] == 0 || object[length] == '[');
    return own || (surface->material && strcmp(surface->material, name) == 0);
}

/* One object after another: strands, then bodies, then obstacles. */
typedef struct surface_of {
    const node *at;
    const char *name;
    const surface_data *surface;
} surface_of;

static int object_count(const scene_data *d)
{
    return d->strands.count + d->bodies.count + d->obstacles.count;
}

static surface_of object_at(const scene_data *d, int i)
{
    if (i < d->strands.count) {
        const strand_data *s = ITEM(d->strands, strand_data, i);
        return (surface_of){s->at, s->name, &s->surface};
    }
    i -= d->strands.count;
    if (i < d->bodies.count) {
        const body_data *b = ITEM(d->bodies, body_data, i);
        return (surface_of){b->at, b->name, &b->surface};
    }
    const obstacle_data *o = ITEM(d->obstacles, obstacle_data, i - d->bodies.count);
    return (surface_of){o->at, o->name, &o->surface};
}

bool cord__require_surfaces(cord_scene *scene, const char *name, mark at)
{
    for (int i = 0; i < object_count(&scene->data); i++) {
        surface_of o = object_at(&scene->data, i);
        if (cord__names_surface(name, o.name, o.surface)) return true;
    }
    if (cord__require_symbol(scene, name, at))
        cord__diagnose(&scene->errors, at,
                       "\"%.40s\" is not a strand, a body, an obstacle or a material", name);
    return false;
}

static bool resolve_pair(cord_scene *scene, const contact_pair_data *p)
{
    bool good = cord__require_surfaces(scene, p->names[0], p->between[0]->at);
    return cord__require_surfaces(scene, p->names[1], p->between[1]->at) && good;
}

static bool resolve_carrier(cord_scene *scene, const obstacle_data *o)
{
    if (!o->on) return true;
    mark at = cord__node_get(o->at, "on")->at;
    const symbol *found = cord__require_symbol(scene, o->on, at);
    if (!found || found->kind == SUBJECT_BODY) return found != NULL;
    cord__diagnose(&scene->errors, at, "\"%.40s\" is not a body", o->on);
    return false;
}

bool cord__resolve_contacts(cord_scene *scene)
{
    const scene_data *d = &scene->data;
    bool good = true;
    for (int i = 0; i < d->obstacles.count; i++) {
        const obstacle_data *o = ITEM(d->obstacles, obstacle_data, i);
        good = cord__valid(o->at, resolve_carrier(scene, o)) && good;
    }
    for (int i = 0; d->contact && i < d->contact->pairs.count; i++) {
        const contact_pair_data *p = ITEM(d->contact->pairs, contact_pair_data, i);
        good = cord__valid(p->at, resolve_pair(scene, p)) && good;
    }
    return good;
}

/* A section `contact`, obstacles, or an object with `contact`. */
bool cord__has_contacts(const cord_scene *scene)
{
    const scene_data *d = &scene->data;
    bool any = d->contact || d->obstacles.count > 0;
    for (int i = 0; !any && i < d->strands.count + d->bodies.count; i++) {
        const surface_data *s = object_at(d, i).surface;
        any = s->at && !s->none;
    }
    return any;
}

/* ---- materials ------------------------------------------------------------------------------ */

/* Objects with the same friction that the same names of pairs mean. Each of them is one material of the world. */
typedef struct surface_class {
    double friction, restitution;
    const unsigned char *named; /* per name of the pairs, two each */
    uint32_t group, mask;
} surface_class;

enum { MATERIALS_MAX = 1000 }; /* as cord_world_set_friction() takes */

typedef struct classifier {
    builder *b;
    const item_list *pairs; /* NULL: none */
    int count, room;
    surface_class *list;
    int *of; /* per object */
} classifier;

static bool same(double a, double b)
{
    return a == b || (isnan(a) && isnan(b));
}

static int name_count(const classifier *c)
{
    return c->pairs ? 2 * c->pairs->count : 0;
}

static const contact_pair_data *pair_at(const classifier *c, int i)
{
    return ITEM(*c->pairs, contact_pair_data, i);
}

static int find_class(const classifier *c, const surface_class *k)
{
    size_t names = (size_t)name_count(c);
    for (int i = 0; i < c->count; i++) {
        const surface_class *o = c->list + i;
        if (same(o->friction, k->friction) && same(o->restitution, k->restitution) &&
            memcmp(o->named, k->named, names) == 0)
            return i;
    }
    return -1;
}

static bool classify(classifier *c, int object, unsigned char *named)
{
    surface_of o = object_at(&c->b->scene->data, object);
    bool own = o.surface->at != NULL; /* of an object without `contact` nothing is set */
    surface_class k = {own ? o.surface->friction : NAN, own ? o.surface->restitution : NAN, named,
                       1, UINT32_MAX};
    for (int i = 0; i < name_count(c); i++)
        named[i] = cord__names_surface(pair_at(c, i / 2)->names[i % 2], o.name, o.surface);
    c->of[object] = find_class(c, &k);
    if (c->of[object] >= 0) return true;
    if (c->count == c->room) {
        cord__diagnose(&c->b->simulation->errors, o.at->at,
                       "there are more than %d objects with a friction of their own; give them "
                       "materials instead",
                       c->room);
        c->b->status = CORD_ERROR_INPUT;
        return false;
    }
    unsigned char *kept = TAKE(&c->b->simulation->memory, unsigned char, name_count(c));
    if (!kept) return false;
    memcpy(kept, named, (size_t)name_count(c));
    k.named = kept;
    c->list[c->of[object] = c->count++] = k;
    return true;
}

static bool means(const classifier *c, int pair, int a, int b)
{
    const unsigned char *x = c->list[a].named + 2 * pair, *y = c->list[b].named + 2 * pair;
    return (x[0] && y[1]) || (x[1] && y[0]);
}

/* Of both sides, or of the one that has a value. */
static double combined(double a, double b, double fallback)
{
    if (isnan(a) || isnan(b)) return !isnan(a) ? a : !isnan(b) ? b : fallback;
    return sqrt(a * b);
}

static cord_status set_law(const classifier *c, const cord_contact_def *def, int a, int b)
{
    const surface_class *x = c->list + a, *y = c->list + b;
    double friction = combined(x->friction, y->friction, def->friction);
    double restitution = combined(x->restitution, y->restitution, def->restitution);
    for (int i = 0; 2 * i < name_count(c); i++) {
        const contact_pair_data *p = pair_at(c, i);
        if (!means(c, i, a, b)) continue;
        if (!isnan(p->friction)) friction = p->friction;
        if (!isnan(p->restitution)) restitution = p->restitution;
    }
    if (friction == def->friction && restitution == def->restitution) return CORD_OK;
    return cord_world_set_friction(c->b->world, a, b, friction, restitution);
}

/* Classes that pass through others have groups of their own; all others are in the first. */
static bool exclude(classifier *c, int pair)
{
    const contact_pair_data *p = pair_at(c, pair);
    for (int a = 0; a < c->count; a++)
        for (int b = 0; b <= a; b++) {
            if (p->contact || !means(c, pair, a, b)) continue;
            for (int k = 0; k < 2; k++) {
                surface_class *of = c->list + (k ? b : a);
                uint32_t used = 1;
                for (int i = 0; i < c->count; i++) used |= c->list[i].group;
                if (of->group == 1) of->group = used + 1;
                if (of->group != 0) continue;
                cord__diagnose(&c->b->simulation->errors, p->at->at,
                               "at most 31 kinds of objects can pass through others");
                c->b->status = CORD_ERROR_INPUT;
                return false;
            }
            c->list[a].mask &= ~c->list[b].group;
            c->list[b].mask &= ~c->list[a].group;
        }
    return true;
}

static bool make_classes(classifier *c)
{
    const scene_data *d = &c->b->scene->data;
    arena *memory_of = &c->b->simulation->memory;
    int objects = object_count(d);
    c->pairs = d->contact ? &d->contact->pairs : NULL;
    c->room = objects < MATERIALS_MAX ? objects : MATERIALS_MAX;
    c->list = TAKE(memory_of, surface_class, c->room);
    c->of = TAKE(memory_of, int, objects);
    unsigned char *named = TAKE(memory_of, unsigned char, name_count(c));
    bool good = c->list && c->of && named;
    for (int i = 0; good && i < objects; i++) good = classify(c, i, named);
    for (int i = 0; good && 2 * i < name_count(c); i++) good = exclude(c, i);
    return good;
}

/* ---- building ------------------------------------------------------------------------------- */

static cord_contact_surface surface_at(const classifier *c, int object)
{
    const surface_data *given = object_at(&c->b->scene->data, object).surface;
    const surface_class *of = c->list + c->of[object];
    cord_contact_surface s = cord_contact_surface_default();
    if (given->at && !isnan(given->radius)) s.radius = given->radius;
    if (given->at) s.self = given->self;
    s.material = c->of[object];
    s.group = of->group;
    s.mask = of->mask;
    return s;
}

/* An object that does not name contact, and cannot have any, has none. */
static bool check_surface(builder *b, cord_status status, surface_of o, const char *kind)
{
    bool cannot = status == CORD_ERROR_UNSUPPORTED || status == CORD_ERROR_ARGUMENT;
    if (cannot && !o.surface->at) return true;
    return cord__check_built(b, status, o.surface->at ? o.surface->at : o.at, kind);
}

static bool build_surfaces(const classifier *c)
{
    builder *b = c->b;
    const scene_data *d = &b->scene->data;
    bool good = true;
    for (int i = 0; i < d->strands.count + d->bodies.count; i++) {
        surface_of o = object_at(d, i);
        bool strand = i < d->strands.count;
        if (o.surface->none || !cord__is_built_next(b, o.at)) continue;
        cord_contact_surface s = surface_at(c, i);
        cord_status status =
            strand ? cord_strand_set_surface(b->world, b->simulation->strands[i].handle, &s)
                   : cord_body_set_surface(b->world,
                                           b->simulation->bodies[i - d->strands.count].handle, &s);
        if (strand) b->simulation->strands[i].surface = status;
        good = check_surface(b, status, o, strand ? "strand" : "body") && good;
    }
    return good;
}

/* The point that carries an obstacle: on its body, or along its script. */
static bool build_carrier(builder *b, const obstacle_data *o, cord_point_def *on, cord_point *point)
{
    if (o->on) {
        const symbol *s = cord__find_symbol(b->scene, o->on);
        on->source = CORD_SOURCE_BODY;
        on->body = b->simulation->bodies[s->index].handle;
    } else if (!cord__build_script(b, &o->moves->script, on)) {
        return false;
    }
    return cord__check_built(b, cord_world_add_point(b->world, on, point), o->at, "obstacle");
}

static bool build_obstacle(const classifier *c, int i, cord_obstacle *out)
{
    const scene_data *d = &c->b->scene->data;
    const obstacle_data *o = ITEM(d->obstacles, obstacle_data, i);
    cord_obstacle_def def = cord_obstacle_def_default();
    cord_point_def on = cord_point_def_default();
    def.name = o->name;
    def.surface = surface_at(c, d->strands.count + d->bodies.count + i);
    cord__fill_obstacle(o, &def);
    if (o->on || o->moves) {
        cord__obstacle_pose(o, on.position, on.frame);
        if (!build_carrier(c->b, o, &on, &def.point)) return false;
    } else {
        cord__obstacle_pose(o, def.position, def.frame);
    }
    return cord__check_built(c->b, cord_world_add_obstacle(c->b->world, &def, out), o->at,
                             "obstacle");
}

static cord_contact_def contact_def(const contact_data *d)
{
    cord_contact_def def = cord_contact_def_default();
    if (!d || d->at->invalid) return def;
    def.friction = d->friction;
    def.restitution = d->restitution;
    def.margin = d->margin;
    def.tolerance = d->tolerance;
    def.max_sweeps = d->max_sweeps;
    def.guarantee = d->guarantee;
    return def;
}

bool cord__build_contacts(builder *b)
{
    const scene_data *d = &b->scene->data;
    if (!cord__has_contacts(b->scene)) return true;
    const node *at = d->contact ? d->contact->at : d->world->at;
    cord_contact_def def = contact_def(d->contact);
    if (!cord__check_built(b, cord_world_set_contact(b->world, &def), at, "contact")) return false;
    classifier c = {.b = b};
    if (!make_classes(&c)) {
        if (b->simulation->memory.failed) b->status = CORD_ERROR_MEMORY;
        return false;
    }
    bool good = true;
    for (int i = 0; i < c.count; i++)
        for (int k = 0; k <= i; k++)
            good = cord__check_built(b, set_law(&c, &def, i, k), at, "contact") && good;
    for (int i = 0; i < d->obstacles.count; i++) {
        const node *item = ITEM(d->obstacles, obstacle_data, i)->at;
        if (cord__is_built_next(b, item))
            good = build_obstacle(&c, i, &b->simulation->obstacles[i]) && good;
    }
    return build_surfaces(&c) && good;
}

/* ---- the contacts of a step ----------------------------------------------------------------- */

cord_status cord__contacts_now(cord_simulation *sim, const cord_contact **list, int *count)
{
    cord_status status =
        cord_world_get_contacts(sim->world, sim->contact_room, sim->contacts, count);
    if (status == CORD_OK && *count > sim->contact_room) {
        int room = 2 * *count;
        cord_contact *more = TAKE(&sim->memory, cord_contact, room);
        if (!more) return CORD_ERROR_MEMORY;
        sim->contacts = more;
        sim->contact_room = room;
        status = cord_world_get_contacts(sim->world, room, more, count);
    }
    *list = sim->contacts;
    return status;
}
