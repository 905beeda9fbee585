/* Paths of a scene: through points or along a shape, in the world or on a body; and points on them. */
#include "math/vec3.h"
#include "scene/expand.h"
#include "scene/simulation_data.h"

#include <string.h>

enum { PARTS = 128 }; /* of shapes that do not specify a number */

static bool trace_path(reader *r, path_data *p)
{
    if (!p->shape.kind) {
        p->line = (polyline){p->through.count / 3, p->closed, p->through.values};
        return cord__count_vertices(r, p->at, p->line.count);
    }
    const shape_ops *ops = (const shape_ops *)p->shape.kind;
    shape_base *base = p->shape.data;
    if (base->vertices == 0 && !ops->points) base->vertices = PARTS + 1;
    return cord__trace_shape(r, &p->shape, &p->line);
}

static bool finish_path(reader *r, void *item)
{
    return cord__finish_path(r, item);
}

bool cord__finish_path(reader *r, path_data *p)
{
    bool through = p->through.count > 0, shape = p->shape.kind != NULL;
    if (through == shape) {
        cord__diagnose(r->errors, p->at->at, "it needs either \"through\" or \"shape\"");
        return false;
    }
    if (shape && cord__node_get(p->at, "closed")) {
        cord__diagnose(r->errors, cord__node_key_mark(p->at, "closed"),
                       "closed is for paths with \"through\"; a shape is closed by itself");
        return false;
    }
    if (!trace_path(r, p)) return false;
    for (int i = 0; i < p->line.count; i++)
        v3_add(p->line.x + 3 * (size_t)i, p->line.x + 3 * (size_t)i, p->offset);
    return true;
}

static const field path_fields[] = {
    {"name", FIELD_TEXT, offsetof(path_data, name), true, NULL, NULL, LIMIT_NONE, NULL,
     "what others call it, as in rail@30%"},
    {"through", FIELD_POINTS, offsetof(path_data, through), false, NULL, "m", LIMIT_NONE, NULL,
     "the points it goes through, smoothly"},
    {"closed", FIELD_BOOL, offsetof(path_data, closed), false, "no", NULL, LIMIT_NONE, NULL,
     "with through: whether it goes on from the last point to the first"},
    {"shape", FIELD_VARIANT, offsetof(path_data, shape), false, NULL, NULL, LIMIT_NONE,
     &cord__shapes,
     "instead of through; the path goes through its vertices, or through 129 points of it"},
    {"offset", FIELD_VECTOR, offsetof(path_data, offset), false, "[0, 0, 0]", "m", LIMIT_NONE, NULL,
     "added to it"},
    {"body", FIELD_SPECIAL, offsetof(path_data, body), false, NULL, NULL, LIMIT_NONE,
     &cord__reference_special,
     "the body that carries it, in whose own axes it is given; default: it is in the world"},
};
const mapping cord__path_map = {"path",
                                "a smooth curve that points run along",
                                sizeof(path_data),
                                path_fields,
                                FIELD_COUNT(path_fields),
                                finish_path};

const path_data *cord__path_of(const cord_scene *scene, const location *p)
{
    if (p->kind != LOCATION_STRAND_FRACTION && p->kind != LOCATION_STRAND_LENGTH) return NULL;
    const symbol *s = cord__find_symbol(scene, p->name);
    return s && s->kind == SUBJECT_PATH ? ITEM(scene->data.paths, path_data, s->index) : NULL;
}

bool cord__resolve_paths(cord_scene *scene)
{
    bool good = true;
    for (int i = 0; i < scene->data.paths.count; i++) {
        const path_data *p = ITEM(scene->data.paths, path_data, i);
        if (!p->body) continue;
        mark at = cord__node_get(p->at, "body")->at;
        const symbol *s = cord__require_symbol(scene, p->body, at);
        bool valid = s && s->kind == SUBJECT_BODY;
        if (s && !valid) cord__diagnose(&scene->errors, at, "\"%.40s\" is not a body", p->body);
        good = cord__valid(p->at, valid) && good;
    }
    return good;
}

bool cord__resolve_on_path(cord_scene *scene, const location *p)
{
    if (p->kind == LOCATION_STRAND_LENGTH || (p->along >= 0 && p->along <= 1)) return true;
    cord__diagnose(&scene->errors, p->at->at, "\"%.60s\" is off the path", p->at->text);
    return false;
}

cord_status cord__build_path(cord_simulation *sim, const path_data *p)
{
    const cord_scene *scene = sim->scene;
    cord_path_def def = cord_path_def_default();
    def.name = p->name;
    def.point_count = p->line.count;
    def.points = p->line.x;
    def.closed = p->line.closed;
    if (p->body) def.body = sim->bodies[cord__find_symbol(scene, p->body)->index].handle;
    return cord_world_add_path(sim->world, &def,
                               &sim->paths[INDEX(scene->data.paths, path_data, p)]);
}

/* The length of a path is known when it is built. A point that does not slide is a point in the world or on the
 * body, with the tangent as the first axis of its frame. */
cord_status cord__path_point_def(const cord_simulation *sim, const location *p, bool sliding,
                                 cord_point_def *def)
{
    const path_data *path = cord__path_of(sim->scene, p);
    cord_path handle = cord__path_handle(sim, path);
    cord_path_info info;
    cord_status status = cord_path_get_info(sim->world, handle, &info);
    if (status != CORD_OK) return status;
    def->s = p->kind == LOCATION_STRAND_FRACTION ? p->along * info.length : p->along;
    def->path = handle;
    def->source = CORD_SOURCE_PATH;
    if (sliding) return CORD_OK;
    def->body = info.body;
    def->source = path->body ? CORD_SOURCE_BODY : CORD_SOURCE_WORLD;
    status = cord_path_get_position(sim->world, handle, fmin(fmax(def->s, 0), info.length), true,
                                    def->position, def->frame);
    v3_any_normal(def->frame + 3, def->frame);
    v3_cross(def->frame + 6, def->frame, def->frame + 3);
    return status;
}
