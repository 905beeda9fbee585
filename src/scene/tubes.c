/* Tubes in scenes, through which cables run: keys, the paths that represent them, and their walls in pictures. */
#include "scene/cables.h"

#include "curve/transport.h"
#include "math/vec3.h"
#include "scene/expand.h"
#include "scene/tables.h"

#include <math.h>
#include <stddef.h>
#include <string.h>

#define PI 3.14159265358979323846

static bool finish_tube(reader *r, void *item)
{
    tube_data *t = item;
    static const char *const own[] = {"through", "shape", "offset", "body"};
    t->path.at = t->at;
    if (!t->along) return cord__finish_path(r, &t->path);
    for (size_t i = 0; i < sizeof own / sizeof *own; i++) {
        if (!cord__node_get(t->at, own[i])) continue;
        cord__diagnose(r->errors, cord__node_key_mark(t->at, own[i]),
                       "%s: the tube is along a path, which says where it is", own[i]);
        return false;
    }
    return true;
}

static const field tube_fields[] = {
    {"name", FIELD_TEXT, offsetof(tube_data, path.name), true, NULL, NULL, LIMIT_NONE, NULL,
     "what routes call it; also the name of its path, as in liner@30%"},
    {"through", FIELD_POINTS, offsetof(tube_data, path.through), false, NULL, "m", LIMIT_NONE, NULL,
     "the points its middle line goes through, smoothly"},
    {"shape", FIELD_VARIANT, offsetof(tube_data, path.shape), false, NULL, NULL, LIMIT_NONE,
     &cord__shapes, "instead of through"},
    {"path", FIELD_SPECIAL, offsetof(tube_data, along), false, NULL, NULL, LIMIT_NONE,
     &cord__reference_special, "instead: a path of the scene"},
    {"offset", FIELD_VECTOR, offsetof(tube_data, path.offset), false, "[0, 0, 0]", "m", LIMIT_NONE,
     NULL, "added to it"},
    {"body", FIELD_SPECIAL, offsetof(tube_data, path.body), false, NULL, NULL, LIMIT_NONE,
     &cord__reference_special,
     "the body that carries it, in whose own axes it is given; default: it is in the world"},
    {"friction", FIELD_NUMBER, offsetof(tube_data, friction), false, "0", "", LIMIT_NOT_NEGATIVE,
     NULL, "coefficient: the ratio of the tensions at its ends is up to exp(friction × turning)"},
    {"radius", FIELD_NUMBER, offsetof(tube_data, radius), false, "6 mm", "m", LIMIT_POSITIVE, NULL,
     "outer one, in pictures"},
    {"colour", FIELD_SPECIAL, offsetof(tube_data, colour), false, NULL, NULL, LIMIT_NONE,
     &cord__colour_special, "in pictures; default: steel"},
};
const mapping cord__tube_map = {"tube",
                                "a guide tube, or the housing of a Bowden cable",
                                sizeof(tube_data),
                                tube_fields,
                                FIELD_COUNT(tube_fields),
                                finish_tube};

/* ---- paths that represent tubes ----------------------------------------------------------- */

static const path_data *path_called(const cord_scene *scene, const char *name)
{
    for (int i = 0; i < scene->data.paths.count; i++) {
        const path_data *p = ITEM(scene->data.paths, path_data, i);
        if (strcmp(p->name, name) == 0) return p;
    }
    return NULL;
}

/* A tube along a path has a copy of it. */
static bool take_path(cord_scene *scene, tube_data *t)
{
    const path_data *p = t->along ? path_called(scene, t->along) : NULL;
    const char *name = t->path.name;
    if (p) t->path = *p;
    t->path.name = name;
    t->path.at = t->at;
    if (t->along && !p)
        cord__diagnose(&scene->errors, cord__node_get(t->at, "path")->at,
                       "there is no path called \"%.40s\"", t->along);
    else if (t->path.line.closed)
        cord__diagnose(&scene->errors, t->at->at, "a tube has two ends: it cannot be closed");
    else
        return true;
    return false;
}

bool cord__add_tube_paths(cord_scene *scene)
{
    item_list *list = &scene->data.paths, *tubes = &scene->data.tubes;
    bool good = true;
    if (tubes->count == 0) return true;
    for (int i = 0; i < tubes->count; i++)
        good = take_path(scene, ITEM(*tubes, tube_data, i)) && good;
    path_data *paths = TAKE(&scene->memory, path_data, (size_t)list->count + (size_t)tubes->count);
    if (!good || !paths) return false;
    if (list->count) memcpy(paths, list->items, (size_t)list->count * sizeof *paths);
    list->items = paths;
    for (int i = 0; i < tubes->count; i++) {
        tube_data *t = ITEM(*tubes, tube_data, i);
        t->index = list->count;
        paths[list->count++] = t->path;
    }
    return true;
}

tube_data *cord__tube_of(const cord_scene *scene, const char *name)
{
    for (int i = 0; i < scene->data.tubes.count; i++) {
        tube_data *t = ITEM(scene->data.tubes, tube_data, i);
        if (strcmp(t->path.name, name) == 0) return t;
    }
    return NULL;
}

cord_path cord__tube_path(const cord_simulation *sim, const tube_data *t)
{
    return sim->paths[t->index];
}

/* ---- walls -------------------------------------------------------------------------------- */

enum { SIDES = 12 };

/* Rings about the centre line, in the axes of its definition. */
cord_status cord__tube_shape(cord_simulation *sim, const tube_data *t, cord_shape *shape)
{
    cord_path path = cord__tube_path(sim, t);
    cord_path_info info;
    cord_status status = cord_path_get_info(sim->world, path, &info);
    int rings = (int)fmin(fmax(4 * t->path.line.count, 24), 400), count = 0;
    double *x = TAKE(&sim->memory, double, 3 * (size_t)(rings * SIDES));
    int *triangles = TAKE(&sim->memory, int, 6 * (size_t)((rings - 1) * SIDES));
    if (!x || !triangles) return CORD_ERROR_MEMORY;
    double across[3], before[3] = {0}, tangent[3], middle[3];
    for (int i = 0; i < rings && status == CORD_OK; i++) {
        status = cord_path_get_position(sim->world, path, info.length * i / (rings - 1), true,
                                        middle, tangent);
        double next[3], third[3];
        if (i == 0 || !transport(next, before, tangent, across)) v3_any_normal(next, tangent);
        v3_copy(across, next);
        v3_copy(before, tangent);
        v3_cross(third, tangent, across);
        for (int k = 0; k < SIDES; k++) {
            double *to = x + 3 * (i * SIDES + k), angle = 2 * PI * k / SIDES;
            v3_copy(to, middle);
            v3_axpy(to, t->radius * cos(angle), across);
            v3_axpy(to, t->radius * sin(angle), third);
            if (i == 0) continue;
            int a = i * SIDES + k, b = i * SIDES + (k + 1) % SIDES, c = a - SIDES, d = b - SIDES;
            const int two[6] = {c, d, b, c, b, a};
            memcpy(triangles + 3 * count, two, sizeof two);
            count += 2;
        }
    }
    *shape = (cord_shape){.kind = CORD_SHAPE_MESH,
                          .vertex_count = rings * SIDES,
                          .triangle_count = count,
                          .vertices = x,
                          .triangles = triangles};
    return status;
}
