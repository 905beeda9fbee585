#include "scene/scenery.h"

#include "math/rotation.h"
#include "scene/contacts.h"

#include <math.h>
#include <string.h>

#define PI 3.14159265358979323846

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
    int pulleys = cord__pulley_count(scene),
        total = pulleys + scene->data.tubes.count + scene->data.obstacles.count;
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
    return true;
}

/* ---- a sheave ----------------------------------------------------------------------------- */

enum { ROUND = 48, HUB = 24, SPOKES = 5, RIM_CORNERS = 6, HUB_CORNERS = 4 };

typedef struct mesh {
    double *vertices;
    int *triangles;
    int vertex_count, triangle_count;
} mesh;

static void add_triangle(mesh *m, int a, int b, int c)
{
    int *t = m->triangles + 3 * m->triangle_count++;
    t[0] = a, t[1] = b, t[2] = c;
}

static void add_vertex(mesh *m, double x, double y, double z)
{
    v3_set(m->vertices + 3 * m->vertex_count++, x, y, z);
}

/* A solid of revolution: a polygon of (radius, height), anticlockwise with the radius to the right. */
static void add_ring(mesh *m, int sides, int corners, const double (*profile)[2])
{
    int first = m->vertex_count;
    for (int i = 0; i < sides; i++)
        for (int k = 0; k < corners; k++) {
            double angle = 2 * PI * i / sides, r = profile[k][0];
            add_vertex(m, r * cos(angle), r * sin(angle), profile[k][1]);
        }
    for (int i = 0; i < sides; i++)
        for (int k = 0; k < corners; k++) {
            int next = (i + 1) % sides, up = (k + 1) % corners;
            int a = first + corners * i + k, b = first + corners * next + k;
            int c = first + corners * next + up, d = first + corners * i + up;
            add_triangle(m, a, b, c);
            add_triangle(m, a, c, d);
        }
}

static void add_spoke(mesh *m, double angle, double from, double to, double wide, double high)
{
    static const int faces[12][3] = {{0, 2, 1}, {1, 2, 3}, {4, 5, 6}, {5, 7, 6},
                                     {0, 1, 4}, {1, 5, 4}, {2, 6, 3}, {3, 6, 7},
                                     {0, 4, 2}, {2, 4, 6}, {1, 3, 5}, {3, 7, 5}};
    int first = m->vertex_count;
    double c = cos(angle), s = sin(angle);
    for (int k = 0; k < 8; k++) {
        double x = k & 1 ? to : from, y = k & 2 ? wide : -wide, z = k & 4 ? high : -high;
        add_vertex(m, c * x - s * y, s * x + c * y, z);
    }
    for (int k = 0; k < 12; k++)
        add_triangle(m, first + faces[k][0], first + faces[k][1], first + faces[k][2]);
}

/* A rim with a groove for the cable, a hub, and spokes that make the rotation visible. */
static bool sheave(cord_simulation *sim, double radius, double groove, cord_shape *shape)
{
    double half = fmax(1.8 * groove, 0.09 * radius), bottom = radius - groove;
    double inner = bottom - 0.14 * radius, outer = radius + 0.7 * groove;
    double axle = 0.2 * radius;
    const double rim[RIM_CORNERS][2] = {{inner, -half},         {outer, -half},
                                        {bottom, -0.45 * half}, {bottom, 0.45 * half},
                                        {outer, half},          {inner, half}};
    const double hub[HUB_CORNERS][2] = {{0.3 * axle, -1.1 * half},
                                        {axle, -1.1 * half},
                                        {axle, 1.1 * half},
                                        {0.3 * axle, 1.1 * half}};
    mesh m = {0};
    int corners = ROUND * RIM_CORNERS + HUB * HUB_CORNERS;
    m.vertices = TAKE(&sim->memory, double, 3 * (corners + 8 * SPOKES));
    m.triangles = TAKE(&sim->memory, int, 3 * (2 * corners + 12 * SPOKES));
    if (!m.vertices || !m.triangles) return false;
    add_ring(&m, ROUND, RIM_CORNERS, rim);
    add_ring(&m, HUB, HUB_CORNERS, hub);
    for (int i = 0; i < SPOKES; i++)
        add_spoke(&m, 2 * PI * i / SPOKES, 0.9 * axle, inner + 0.03 * radius, 0.07 * radius,
                  0.55 * half);
    *shape = (cord_shape){.kind = CORD_SHAPE_MESH,
                          .vertex_count = m.vertex_count,
                          .triangle_count = m.triangle_count,
                          .vertices = m.vertices,
                          .triangles = m.triangles};
    return true;
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
    return sheave(sim, p->radius, groove, shape);
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

int cord_scene_get_solid_colour(const cord_scene *scene, int i)
{
    if (!scene) return -1;
    static const int steel = 0x8f979e, stone = 0xc9cdd2;
    const scenery *s = scenery_at(scene, i);
    if (!s) return cord_scene_get_body_colour(scene, i);
    const colour_value *c = s->pulley     ? &s->pulley->colour
                            : s->obstacle ? &s->obstacle->colour
                            : s->tube     ? &s->tube->colour
                                          : &ITEM(s->cable->guides, guide_data, s->guide)->colour;
    return c->given ? c->rgb : s->obstacle && s->obstacle->plane ? stone : steel;
}

cord_status cord_simulation_get_solid(const cord_simulation *sim, int i, cord_body_info *info)
{
    if (!sim || !info) return CORD_ERROR_ARGUMENT;
    const scenery *s = scenery_at(sim->scene, i);
    if (!sim->world) return CORD_ERROR_ARGUMENT;
    if (!s) return cord_body_get_info(sim->world, cord_simulation_get_body(sim, i), info);
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
