#include "scene/solids.h"

#include "math/vec3.h"
#include "scene/files.h"
#include "scene/point_list.h"
#include "scene/shapes.h"

#include <math.h>
#include <stddef.h>
#include <string.h>

/* ---- sphere, box, cylinder, capsule --------------------------------------------------------- */

typedef struct plain_solid {
    const node *at;
    double radius, length, size[3];
} plain_solid;

static void fill_plain(const void *data, cord_shape_kind kind, cord_shape *shape)
{
    const plain_solid *s = data;
    shape->kind = kind;
    shape->radius = s->radius;
    shape->length = s->length;
    v3_copy(shape->size, s->size);
}

static void fill_sphere(const void *data, cord_shape *shape)
{
    fill_plain(data, CORD_SHAPE_SPHERE, shape);
}

static void fill_box(const void *data, cord_shape *shape)
{
    fill_plain(data, CORD_SHAPE_BOX, shape);
}

static void fill_cylinder(const void *data, cord_shape *shape)
{
    fill_plain(data, CORD_SHAPE_CYLINDER, shape);
}

static void fill_capsule(const void *data, cord_shape *shape)
{
    fill_plain(data, CORD_SHAPE_CAPSULE, shape);
}

#define RADIUS_FIELD                                                                               \
    {                                                                                              \
        "radius", FIELD_NUMBER, offsetof(plain_solid, radius), true, NULL, "m", LIMIT_POSITIVE,    \
            NULL, "its radius"                                                                     \
    }
#define LENGTH_FIELD(about)                                                                        \
    {                                                                                              \
        "length", FIELD_NUMBER, offsetof(plain_solid, length), true, NULL, "m", LIMIT_POSITIVE,    \
            NULL, about                                                                            \
    }

static bool finish_box(reader *r, void *item)
{
    const plain_solid *s = item;
    for (int k = 0; k < 3; k++) {
        if (isnan(s->size[k]) || s->size[k] > 0) continue;
        cord__diagnose(r->errors, cord__node_key_mark(s->at, "size"),
                       "size: the sides of a box must be above 0");
        return false;
    }
    return true;
}

static const field sphere_fields[] = {RADIUS_FIELD};
static const field box_fields[] = {
    {"size", FIELD_VECTOR, offsetof(plain_solid, size), true, NULL, "m", LIMIT_NONE, NULL,
     "its whole sides along x, y and z"},
};
static const field cylinder_fields[] = {RADIUS_FIELD, LENGTH_FIELD("its length along z")};
static const field capsule_fields[] = {RADIUS_FIELD, LENGTH_FIELD("of the straight part, along z")};

const solid_ops cord__sphere_solid = {{"sphere", "a ball about the origin", sizeof(plain_solid),
                                       sphere_fields, FIELD_COUNT(sphere_fields), NULL},
                                      fill_sphere};
const solid_ops cord__box_solid = {{"box", "a box about the origin", sizeof(plain_solid),
                                    box_fields, FIELD_COUNT(box_fields), finish_box},
                                   fill_box};
const solid_ops cord__cylinder_solid = {{"cylinder", "a cylinder about the origin, along z",
                                         sizeof(plain_solid), cylinder_fields,
                                         FIELD_COUNT(cylinder_fields), NULL},
                                        fill_cylinder};
const solid_ops cord__capsule_solid = {
    {"capsule", "a cylinder along z with half a ball at each end", sizeof(plain_solid),
     capsule_fields, FIELD_COUNT(capsule_fields), NULL},
    fill_capsule};

/* ---- mesh: the faces of an OBJ file --------------------------------------------------------- */

typedef struct mesh_solid {
    const node *at;
    const char *file;
    double scale, translation[3];
    /* computed */
    point_list vertices;
    int triangle_count, room;
    int *triangles;
} mesh_solid;

typedef struct obj_mesh {
    reader *read;
    mesh_solid *mesh;
    const char *path;
    int line;
} obj_mesh;

static bool wrong(obj_mesh *o, const char *what)
{
    cord__diagnose(o->read->errors, (mark){o->path, o->line, 1}, "%s", what);
    return false;
}

static const char *skip_space(const char *p)
{
    while (*p == ' ' || *p == '\t') p++;
    return p;
}

static bool read_vertex(obj_mesh *o, const char *p)
{
    double x[3];
    for (int k = 0; k < 3; k++) {
        p = skip_space(p);
        if (!cord__parse_number(&p, &x[k]) || !isfinite(x[k]))
            return wrong(o, "v needs three numbers");
    }
    v3_scale(x, o->mesh->scale, x);
    v3_add(x, x, o->mesh->translation);
    return cord__point_add(&o->mesh->vertices, x[0], x[1], x[2]) || wrong(o, "too many points");
}

static bool add_triangle(obj_mesh *o, const int corner[3])
{
    mesh_solid *m = o->mesh;
    if (m->triangle_count == POINT_LIST_MAX) return wrong(o, "too many triangles");
    if (m->triangle_count == m->room) {
        int room = m->room ? 2 * m->room : 256;
        int *larger = TAKE(o->read->memory, int, 3 * (size_t)room);
        if (!larger) return false;
        if (m->room) memcpy(larger, m->triangles, 3 * (size_t)m->room * sizeof *larger);
        m->triangles = larger;
        m->room = room;
    }
    memcpy(m->triangles + 3 * (size_t)m->triangle_count++, corner, 3 * sizeof *corner);
    return true;
}

/* "f 1 2 3 4", "f 1/1/1 2//2 -1": a fan of triangles. */
static bool read_face(obj_mesh *o, const char *p, const char *end)
{
    int corner[3], corners = 0;
    for (p = skip_space(p); p < end; p = skip_space(p)) {
        double number;
        if (!cord__parse_number(&p, &number) || number != floor(number) ||
            fabs(number) > POINT_LIST_MAX)
            return wrong(o, "f needs numbers of vertices");
        while (p < end && *p != ' ' && *p != '\t') p++;
        int count = o->mesh->vertices.count;
        int index = number < 0 ? count + (int)number : (int)number - 1;
        if (index < 0 || index >= count) return wrong(o, "f names a vertex that is not there");
        corner[corners < 2 ? corners : 2] = index;
        if (++corners < 3) continue;
        if (!add_triangle(o, corner)) return false;
        corner[1] = corner[2];
    }
    return corners >= 3 || wrong(o, "f needs at least three vertices");
}

static bool read_obj(obj_mesh *o, const char *text)
{
    for (const char *p = text; *p;) {
        const char *end = p + strcspn(p, "\r\n");
        bool spaced = p[0] && (p[1] == ' ' || p[1] == '\t');
        o->line++;
        if (spaced && *p == 'v' && !read_vertex(o, p + 1)) return false;
        if (spaced && *p == 'f' && !read_face(o, p + 1, end)) return false;
        p = end;
        if (*p == '\r') p++;
        if (*p == '\n') p++;
    }
    if (o->mesh->triangle_count > 0) return true;
    cord__diagnose(o->read->errors, (mark){o->path, 0, 0}, "has no faces (f)");
    return false;
}

static bool finish_mesh(reader *r, void *item)
{
    mesh_solid *m = item;
    const node *name = cord__node_get(m->at, "file");
    if (r->vertices > SCENE_MAX_VERTICES) return false; /* diagnosed before */
    m->vertices.memory = r->memory;
    obj_mesh o = {r, m, NULL, 0};
    size_t size = 0;
    char *text =
        cord__file_read_named(r->memory, r->errors, &r->files, name->at, m->file, &o.path, &size);
    if (!text) return false;
    bool good = read_obj(&o, text);
    cord__release(&r->memory->mem, text);
    /* a small scene cannot cause large allocations: corners count, too */
    int64_t count = m->vertices.count + 3 * (int64_t)m->triangle_count;
    return good && cord__count_vertices(r, m->at, count);
}

static void fill_mesh(const void *data, cord_shape *shape)
{
    const mesh_solid *m = data;
    shape->kind = CORD_SHAPE_MESH;
    shape->vertex_count = m->vertices.count;
    shape->vertices = m->vertices.x;
    shape->triangle_count = m->triangle_count;
    shape->triangles = m->triangles;
}

static const field mesh_fields[] = {
    {"file", FIELD_TEXT, offsetof(mesh_solid, file), true, NULL, NULL, LIMIT_NONE, NULL,
     "a Wavefront OBJ file whose faces (f) are a closed surface, anticlockwise seen from outside"},
    {"scale", FIELD_NUMBER, offsetof(mesh_solid, scale), false, "1 m", "m", LIMIT_POSITIVE, NULL,
     "how long 1 in the file is"},
    {"translation", FIELD_VECTOR, offsetof(mesh_solid, translation), false, "[0, 0, 0]", "m",
     LIMIT_NONE, NULL, "where the origin of the file goes, in its axes"},
};
const solid_ops cord__mesh_solid = {{"mesh", "the solid enclosed by the faces of an OBJ file",
                                     sizeof(mesh_solid), mesh_fields, FIELD_COUNT(mesh_fields),
                                     finish_mesh},
                                    fill_mesh};

/* ---- the list ------------------------------------------------------------------------------- */

static const mapping *const *list_solids(void)
{
    static const mapping *const list[] = {&cord__sphere_solid.map,   &cord__box_solid.map,
                                          &cord__cylinder_solid.map, &cord__capsule_solid.map,
                                          &cord__mesh_solid.map,     NULL};
    return list;
}

const variant_set cord__solids = {"solid", list_solids};
