#include "scene/scenery.h"

#include "math/rotation.h"
#include "scene/contacts.h"
#include "scene/scenery_shapes.h"

#include <math.h>
#include <string.h>

/* ---- lists -------------------------------------------------------------------------------- */

static int guides_drawn(const cable_data *c)
{
    int count = 0;
    for (int i = 0; i < c->guides.count; i++)
        count += cord__guide_is_drawn(ITEM(c->guides, guide_data, i));
    return count;
}

bool cord__list_scenery(cord_scene *scene)
{
    int pulleys = cord__pulley_count(scene), total = pulleys + scene->data.tubes.count +
                                                     scene->data.obstacles.count +
                                                     scene->data.scenery.count;
    for (int i = 0; i < scene->data.cables.count; i++)
        total += guides_drawn(ITEM(scene->data.cables, cable_data, i));
    scene->scenery = TAKE(&scene->memory, scenery, total);
    if (!scene->scenery) return false;
    for (int i = 0; i < pulleys; i++) {
        const pulley_data *p = cord__pulley(scene, i);
        scene->scenery[scene->scenery_count++] = (scenery){.name = p->name, .pulley = p};
    }
    for (int i = 0; i < scene->data.tubes.count; i++) {
        const tube_data *t = ITEM(scene->data.tubes, tube_data, i);
        scene->scenery[scene->scenery_count++] = (scenery){.name = t->path.name, .tube = t};
    }
    for (int i = 0; i < scene->data.obstacles.count; i++) {
        const obstacle_data *o = ITEM(scene->data.obstacles, obstacle_data, i);
        if (!o->visible || o->at->invalid) continue;
        scene->scenery[scene->scenery_count++] =
            (scenery){.name = o->name ? o->name : "obstacle", .obstacle = o};
    }
    for (int i = 0; i < scene->data.cables.count; i++) {
        const cable_data *c = ITEM(scene->data.cables, cable_data, i);
        for (int k = 0; k < c->guides.count; k++) {
            const guide_data *g = ITEM(c->guides, guide_data, k);
            if (cord__guide_is_drawn(g))
                scene->scenery[scene->scenery_count++] =
                    (scenery){.name = g->name, .cable = c, .guide = k};
        }
    }
    for (int i = 0; i < scene->data.scenery.count; i++) {
        const scenery_data *d = ITEM(scene->data.scenery, scenery_data, i);
        if (d->at->invalid) continue;
        scene->scenery[scene->scenery_count++] =
            (scenery){.name = d->name ? d->name : "scenery", .item = d};
    }
    return true;
}

bool cord__resolve_scenery(cord_scene *scene)
{
    bool good = true;
    for (int i = 0; i < scene->data.scenery.count; i++) {
        const scenery_data *d = ITEM(scene->data.scenery, scenery_data, i);
        if (!d->on) continue;
        mark at = cord__node_get(d->at, "on")->at;
        const symbol *found = cord__require_symbol(scene, d->on, at);
        if (found && (found->kind == SUBJECT_BODY || found->kind == SUBJECT_OBSTACLE)) continue;
        if (found)
            cord__diagnose(&scene->errors, at, "\"%.40s\" is neither a body nor an obstacle",
                           d->on);
        good = cord__valid(d->at, false);
    }
    return good;
}

/* ---- shapes ------------------------------------------------------------------------------- */

/* The largest number of pulleys that are drawn with spokes. */
enum { MOST_SHEAVES = 100 };

static cord_shape plain(double radius, double length)
{
    return (cord_shape){.kind = CORD_SHAPE_CYLINDER, .radius = radius, .length = length};
}

static bool shape_pulley(cord_simulation *sim, const pulley_data *p, cord_shape *shape)
{
    double widest = sim->joints[p->joint].groove, length = cord__pulley_length(p);
    double groove = widest > 0 ? fmin(widest, 0.3 * p->radius) : 0.05 * p->radius;
    *shape = plain(p->radius - groove, isnan(length) ? 0.25 * p->radius : length);
    if (!isnan(length) || cord__pulley_count(sim->scene) > MOST_SHEAVES) return true;
    if (p->teeth > 0) {
        const gear_data sprocket = {
            .radius = p->radius, .width = fmax(0.6 * groove, 0.04 * p->radius), .teeth = p->teeth};
        return cord__shape_gear(&sim->memory, &sprocket, shape);
    }
    return cord__shape_sheave(&sim->memory, p->radius, groove, shape);
}

cord_status cord__build_scenery(cord_simulation *sim)
{
    cord_status status = CORD_OK;
    for (int i = 0; i < sim->scene->scenery_count && status == CORD_OK; i++) {
        const scenery *s = &sim->scene->scenery[i];
        cord_shape *shape = &sim->scenery[i];
        if (s->tube)
            status = cord__tube_shape(sim, s->tube, shape);
        else if (!(s->pulley     ? shape_pulley(sim, s->pulley, shape)
                   : s->item     ? cord__shape_scenery(&sim->memory, s->item, shape)
                   : s->obstacle ? cord__draw_obstacle(sim, s->obstacle, shape)
                                 : cord__draw_guide(
                                       sim, ITEM(s->cable->guides, guide_data, s->guide), shape)))
            status = CORD_ERROR_MEMORY;
    }
    return status;
}

/* The point in whose axes a solid is drawn. */
static cord_point middle_of(const cord_simulation *sim, const scenery *s)
{
    const scene_data *d = &sim->scene->data;
    return s->pulley ? sim->joints[s->pulley->joint].on[0]
           : s->tube ? sim->tubes[INDEX(d->tubes, tube_data, s->tube)]
                     : sim->guides[INDEX(d->cables, cable_data, s->cable)][s->guide];
}

/* ---- solids: bodies, then scenery ---------------------------------------------------------- */

static const scenery *scenery_at(const cord_scene *scene, int i)
{
    i -= scene->data.bodies.count;
    return i >= 0 && i < scene->scenery_count ? &scene->scenery[i] : NULL;
}

const char *cord_scene_get_solid_name(const cord_scene *scene, int i)
{
    if (!scene) return NULL;
    const scenery *s = scenery_at(scene, i);
    return s ? s->name : cord_scene_get_body_name(scene, i);
}

enum { STEEL = 0x8f979e, STONE = 0xc9cdd2 };

int cord_scene_get_solid_colour(const cord_scene *scene, int i)
{
    if (!scene) return -1;
    const scenery *s = scenery_at(scene, i);
    if (!s) return cord_scene_get_body_colour(scene, i);
    const colour_value *c = s->pulley     ? &s->pulley->colour
                            : s->item     ? &s->item->colour
                            : s->obstacle ? &s->obstacle->colour
                            : s->tube     ? &s->tube->colour
                                          : &ITEM(s->cable->guides, guide_data, s->guide)->colour;
    return c->given ? c->rgb : s->obstacle && s->obstacle->plane ? STONE : STEEL;
}

cord_look cord_scene_get_solid_look(const cord_scene *scene, int i)
{
    if (!scene || i < 0 || i >= scene->data.bodies.count + scene->scenery_count)
        return CORD_LOOK_PLAIN;
    const scenery *s = scenery_at(scene, i);
    int look = !s            ? ITEM(scene->data.bodies, body_data, i)->look
               : s->obstacle ? s->obstacle->look
               : s->item     ? s->item->look
                             : LOOK_AUTO;
    if (look != LOOK_AUTO) return (cord_look)look;
    bool painted = !s || s->obstacle || cord_scene_get_solid_colour(scene, i) != STEEL;
    return painted ? CORD_LOOK_PLAIN : CORD_LOOK_STEEL;
}

bool cord_scene_is_scenery(const cord_scene *scene, int i)
{
    const scenery *s = scene ? scenery_at(scene, i) : NULL;
    return s && s->item;
}

cord_status cord_simulation_get_solid(const cord_simulation *sim, int i, cord_body_info *info)
{
    if (!sim || !info) return CORD_ERROR_ARGUMENT;
    const scenery *s = scenery_at(sim->scene, i);
    if (!sim->world) return CORD_ERROR_ARGUMENT;
    if (!s) {
        cord_status status = cord_body_get_info(sim->world, cord_simulation_get_body(sim, i), info);
        if (i >= 0 && i < sim->scene->data.bodies.count &&
            !ITEM(sim->scene->data.bodies, body_data, i)->visible)
            info->shape = (cord_shape){0};
        return status;
    }
    *info =
        (cord_body_info){.name = s->name, .shape = sim->scenery[i - sim->scene->data.bodies.count]};
    if (s->pulley && !isnan(s->pulley->inertia)) info->principal_moments[2] = s->pulley->inertia;
    info->principal_axes[0] = info->principal_axes[4] = info->principal_axes[8] = 1;
    return CORD_OK;
}

static cord_status carrier_angular_velocity(const cord_simulation *sim, const scenery *s,
                                            double angular[3])
{
    location on = {.kind = LOCATION_NONE};
    if (s->tube && s->tube->path.body)
        on = (location){.kind = LOCATION_NAME, .name = s->tube->path.body};
    else if (!s->tube)
        on = s->pulley ? s->pulley->where : ITEM(s->cable->guides, guide_data, s->guide)->where;
    const body_data *body = cord__body_of(sim->scene, cord__location_meant(sim->scene, &on));
    v3_set(angular, 0, 0, 0);
    if (!body) return CORD_OK;
    return cord_body_get_velocity(sim->world, cord__body_handle(sim, body), NULL, angular);
}

/* A frame rotated about its third axis. */
static void rotate_frame(double frame[9], double angle)
{
    double first[3], c = cos(angle), s = sin(angle);
    v3_combine(first, c, frame, s, frame + 3);
    v3_combine(frame + 3, -s, frame, c, frame + 3);
    v3_copy(frame, first);
}

/* Of the body or obstacle that carries scenery. */
static cord_status carrier_motion(cord_simulation *sim, const symbol *carrier, double position[3],
                                  double frame[9], double velocity[3], double angular[3])
{
    cord_world *world = sim->world;
    if (carrier->kind == SUBJECT_OBSTACLE) {
        cord_obstacle o = sim->obstacles[carrier->index];
        cord_status status = cord_obstacle_get_pose(world, o, position, frame);
        return status == CORD_OK ? cord_obstacle_get_velocity(world, o, velocity, angular) : status;
    }
    cord_body body = sim->bodies[carrier->index].handle;
    cord_status status = cord_body_get_pose(world, body, position, frame);
    return status == CORD_OK ? cord_body_get_velocity(world, body, velocity, angular) : status;
}

/* Scenery stays where it is, or moves with the body or obstacle that it is on. */
static cord_status item_motion(cord_simulation *sim, const scenery_data *d, double position[3],
                               double frame[9], double velocity[3], double angular[3])
{
    cord__scenery_pose(d, position, frame);
    v3_set(velocity, 0, 0, 0);
    v3_set(angular, 0, 0, 0);
    if (!d->on) return CORD_OK;
    double origin[3], axes[9], own[9], offset[3], about[3];
    cord_status status =
        carrier_motion(sim, cord__find_symbol(sim->scene, d->on), origin, axes, velocity, angular);
    if (status != CORD_OK) return status;
    memcpy(own, frame, sizeof own);
    for (int k = 0; k < 3; k++) m3_apply(frame + 3 * k, axes, own + 3 * k);
    m3_apply(offset, axes, position);
    v3_add(position, origin, offset);
    v3_cross(about, angular, offset);
    v3_add(velocity, velocity, about);
    return CORD_OK;
}

cord_status cord_simulation_get_solid_motion(cord_simulation *sim, int i, double position[3],
                                             double frame[9], double velocity[3], double angular[3])
{
    if (!sim || !position || !frame || !velocity || !angular) return CORD_ERROR_ARGUMENT;
    const scenery *s = scenery_at(sim->scene, i);
    cord_world *world = sim->world;
    if (!world) return CORD_ERROR_ARGUMENT;
    if (!s) {
        cord_body body = cord_simulation_get_body(sim, i);
        cord_status status = cord_body_get_pose(world, body, position, frame);
        return status == CORD_OK ? cord_body_get_velocity(world, body, velocity, angular) : status;
    }
    if (s->obstacle) {
        cord_obstacle o =
            sim->obstacles[INDEX(sim->scene->data.obstacles, obstacle_data, s->obstacle)];
        cord_status status = cord_obstacle_get_pose(world, o, position, frame);
        return status == CORD_OK ? cord_obstacle_get_velocity(world, o, velocity, angular) : status;
    }
    if (s->item) return item_motion(sim, s->item, position, frame, velocity, angular);
    cord_point on = middle_of(sim, s);
    cord_point rotation = s->pulley ? sim->joints[s->pulley->joint].revolute : (cord_point){0, 0};
    double angle = 0, rate = 0;
    cord_status status = cord_point_get_pose(world, on, position, frame);
    if (status == CORD_OK) status = cord_point_get_velocity(world, on, velocity);
    if (status == CORD_OK) status = carrier_angular_velocity(sim, s, angular);
    if (status == CORD_OK && rotation.index)
        status = cord_point_get_coordinate(world, rotation, &angle, &rate);
    if (status != CORD_OK) return status;
    v3_axpy(angular, rate, frame + 6);
    rotate_frame(frame, angle);
    return CORD_OK;
}
