/* Shapes of obstacles in pictures: planes as large as the scene, height fields and grids of distances as triangles. */
#include "math/rotation.h"
#include "scene/contacts.h"

#include <math.h>
#include <string.h>

/* ---- planes --------------------------------------------------------------------------------- */

/* The distance of the farthest point of the initial strands and bodies. */
static double reach_of(const cord_scene *scene, const double from[3])
{
    const scene_data *d = &scene->data;
    double reach = 0;
    for (int i = 0; i < d->strands.count; i++) {
        const polyline *line = &ITEM(d->strands, strand_data, i)->line;
        for (int k = 0; k < line->count; k++)
            reach = fmax(reach, v3_distance(line->x + 3 * (size_t)k, from));
    }
    for (int i = 0; i < d->bodies.count; i++)
        reach = fmax(reach, v3_distance(ITEM(d->bodies, body_data, i)->position, from));
    for (int i = 0; i < d->obstacles.count; i++) {
        const obstacle_data *o = ITEM(d->obstacles, obstacle_data, i);
        if (!o->on) reach = fmax(reach, v3_distance(o->position, from));
    }
    return reach > 0 ? reach : 1;
}

static void draw_plane(const cord_scene *scene, const obstacle_data *o, cord_shape *shape)
{
    double side = 2.5 * reach_of(scene, o->position);
    *shape = (cord_shape){.kind = CORD_SHAPE_PLANE, .size = {side, side, 0}};
}

/* ---- triangles ------------------------------------------------------------------------------ */

typedef struct surface_mesh {
    double *vertices;
    int *triangles;
    int vertex_count, triangle_count;
} surface_mesh;

static bool finish(const surface_mesh *m, cord_shape *shape)
{
    *shape = (cord_shape){.kind = CORD_SHAPE_MESH,
                          .vertex_count = m->vertex_count,
                          .triangle_count = m->triangle_count,
                          .vertices = m->vertices,
                          .triangles = m->triangles};
    return true;
}

/* Every so many nodes, so that at most `most` intervals remain. */
static int stride_of(int count, int most)
{
    return (count - 2 + most) / most;
}

/* The node at the end of interval i, the last one possibly shorter. */
static int node_at(int i, int stride, int count)
{
    return i * stride < count - 1 ? i * stride : count - 1;
}

static int intervals(int count, int stride)
{
    return (count - 2 + stride) / stride;
}

static bool draw_heights(arena *a, const sampled_field *f, cord_shape *shape)
{
    enum { MOST = 128 };
    int stride[2], n[2];
    for (int k = 0; k < 2; k++) {
        stride[k] = stride_of(f->count[k], MOST);
        n[k] = intervals(f->count[k], stride[k]);
    }
    surface_mesh m = {.vertices = TAKE(a, double, 3 * (n[0] + 1) * (n[1] + 1)),
                      .triangles = TAKE(a, int, 6 * n[0] * n[1])};
    if (!m.vertices || !m.triangles) return false;
    for (int j = 0; j <= n[1]; j++)
        for (int i = 0; i <= n[0]; i++) {
            int x = node_at(i, stride[0], f->count[0]), y = node_at(j, stride[1], f->count[1]);
            v3_set(m.vertices + 3 * m.vertex_count++, f->spacing * x, f->spacing * y,
                   f->nodes[(size_t)y * (size_t)f->count[0] + (size_t)x]);
        }
    for (int j = 0; j < n[1]; j++)
        for (int i = 0; i < n[0]; i++) {
            int at = j * (n[0] + 1) + i, above = at + n[0] + 1;
            const int corner[6] = {at, at + 1, above + 1, at, above + 1, above};
            for (int k = 0; k < 6; k++) m.triangles[3 * m.triangle_count + k] = corner[k];
            m.triangle_count += 2;
        }
    return finish(&m, shape);
}

/* ---- surfaces of distance zero: marching tetrahedra ------------------------------------------- */

typedef struct corner {
    double x[3], distance;
} corner;

static bool before(const corner *a, const corner *b)
{
    for (int k = 2; k > 0; k--)
        if (a->x[k] != b->x[k]) return a->x[k] < b->x[k];
    return a->x[0] < b->x[0];
}

/* The same number for the same edge, whichever cell it is seen from. */
static void add_crossing(surface_mesh *m, const corner *a, const corner *b)
{
    if (before(b, a)) {
        const corner *first = a;
        a = b, b = first;
    }
    double part = a->distance / (a->distance - b->distance);
    double *x = m->vertices + 3 * (size_t)m->vertex_count++;
    v3_combine(x, 1 - part, a->x, part, b->x);
}

/* A triangle of the last three vertices, anticlockwise seen from `outside`. */
static void add_triangle(surface_mesh *m, const corner *inside, const corner *outside)
{
    int first = m->vertex_count - 3, *t = m->triangles + 3 * (size_t)m->triangle_count++;
    const double *x = m->vertices + 3 * (size_t)first;
    double u[3], v[3], normal[3], along[3];
    v3_sub(u, x + 3, x);
    v3_sub(v, x + 6, x);
    v3_cross(normal, u, v);
    v3_sub(along, outside->x, inside->x);
    bool turned = v3_dot(normal, along) < 0;
    t[0] = first, t[1] = first + 1 + turned, t[2] = first + 2 - turned;
}

/* One corner on one side cuts off a triangle, two corners a quadrilateral. */
static void add_tetrahedron(surface_mesh *m, const corner *const c[4])
{
    const corner *in[4], *out[4];
    int inside = 0, outside = 0;
    for (int k = 0; k < 4; k++)
        if (c[k]->distance < 0)
            in[inside++] = c[k];
        else
            out[outside++] = c[k];
    if (inside == 0 || outside == 0) return;
    if (inside == 2) {
        const corner *const cut[6][2] = {{in[0], out[0]}, {in[0], out[1]}, {in[1], out[1]},
                                         {in[0], out[0]}, {in[1], out[1]}, {in[1], out[0]}};
        for (int k = 0; k < 6; k++) {
            add_crossing(m, cut[k][0], cut[k][1]);
            if (k % 3 == 2) add_triangle(m, in[0], out[0]);
        }
        return;
    }
    for (int k = 0; k < 3; k++)
        add_crossing(m, inside == 1 ? in[0] : in[k], inside == 1 ? out[k] : out[0]);
    add_triangle(m, in[0], out[0]);
}

typedef struct grid_walk {
    const sampled_field *f;
    int stride[3], n[3];
} grid_walk;

static void cell_corners(const grid_walk *w, const int at[3], corner out[8])
{
    for (int k = 0; k < 8; k++) {
        int at_node[3];
        for (int d = 0; d < 3; d++) {
            at_node[d] = node_at(at[d] + (k >> d & 1), w->stride[d], w->f->count[d]);
            out[k].x[d] = w->f->spacing * at_node[d];
        }
        size_t row = (size_t)at_node[2] * (size_t)w->f->count[1] + (size_t)at_node[1];
        out[k].distance = w->f->nodes[row * (size_t)w->f->count[0] + (size_t)at_node[0]];
    }
}

/* Six tetrahedra around a diagonal of each cell. `m` without arrays: only counts, 12 triangles at most in a cell. */
static int walk_cells(const grid_walk *w, surface_mesh *m)
{
    static const int tetrahedra[6][4] = {{0, 1, 3, 7}, {0, 3, 2, 7}, {0, 2, 6, 7},
                                         {0, 6, 4, 7}, {0, 4, 5, 7}, {0, 5, 1, 7}};
    int cut = 0;
    for (int i = 0; i < w->n[0] * w->n[1] * w->n[2]; i++) {
        corner c[8];
        int in = 0;
        cell_corners(w, (int[3]){i % w->n[0], i / w->n[0] % w->n[1], i / w->n[0] / w->n[1]}, c);
        for (int k = 0; k < 8; k++) in += c[k].distance < 0;
        if (in == 0 || in == 8) continue;
        cut++;
        for (int t = 0; m->vertices && t < 6; t++) {
            const int *k = tetrahedra[t];
            add_tetrahedron(m, (const corner *const[4]){c + k[0], c + k[1], c + k[2], c + k[3]});
        }
    }
    return cut;
}

/* Vertices that are equal become one, so that the surface is smooth: an open hash table of their bits. */
static bool merge_vertices(arena *a, surface_mesh *m)
{
    size_t slots = 1;
    while (slots < 2 * (size_t)m->vertex_count) slots *= 2;
    int *table = TAKE(a, int, slots), *merged = TAKE(a, int, m->vertex_count + 1), kept = 0;
    if (!table || !merged) return false;
    for (int i = 0; i < m->vertex_count; i++) {
        const double *x = m->vertices + 3 * (size_t)i;
        uint64_t hash = 14695981039346656037u;
        for (size_t k = 0; k < 3 * sizeof *x; k++)
            hash = (hash ^ ((const unsigned char *)x)[k]) * 1099511628211u;
        size_t at = (size_t)hash & (slots - 1);
        while (table[at] && memcmp(m->vertices + 3 * (size_t)(table[at] - 1), x, 3 * sizeof *x))
            at = (at + 1) & (slots - 1);
        if (!table[at]) {
            memmove(m->vertices + 3 * (size_t)kept, x, 3 * sizeof *x);
            table[at] = ++kept;
        }
        merged[i] = table[at] - 1;
    }
    for (int i = 0; i < 3 * m->triangle_count; i++) m->triangles[i] = merged[m->triangles[i]];
    m->vertex_count = kept;
    return true;
}

static bool draw_distances(arena *a, const sampled_field *f, cord_shape *shape)
{
    enum { MOST = 40 };
    grid_walk w = {.f = f};
    for (int k = 0; k < 3; k++) {
        w.stride[k] = stride_of(f->count[k], MOST);
        w.n[k] = intervals(f->count[k], w.stride[k]);
    }
    surface_mesh m = {0};
    size_t most = 12 * (size_t)walk_cells(&w, &m);
    m.vertices = TAKE(a, double, 9 * most + 1);
    m.triangles = TAKE(a, int, 3 * most + 1);
    if (!m.vertices || !m.triangles) return false;
    walk_cells(&w, &m);
    return merge_vertices(a, &m) && finish(&m, shape);
}

bool cord__draw_obstacle(cord_simulation *sim, const obstacle_data *o, cord_shape *shape)
{
    cord_obstacle_def def = cord_obstacle_def_default();
    if (o->heights) return draw_heights(&sim->memory, o->heights, shape);
    if (o->distances) return draw_distances(&sim->memory, o->distances, shape);
    cord__fill_obstacle(o, &def);
    *shape = def.shape;
    if (o->plane) draw_plane(sim->scene, o, shape);
    return true;
}
