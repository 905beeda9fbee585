/* Solids as fine as the picture shows them: round ones with as many sides as their size needs, meshes with the vertices joined that
 * are less than half a pixel apart. */
#include "record/render_kept.h"

#include "math/vec3.h"

#include <stdlib.h>
#include <string.h>

/* ---- meshes --------------------------------------------------------------------------------- */

/* A vertex: its cell in space, and that of its normal, so that edges stay sharp. */
typedef struct cluster_key {
    int cell[4];
    int vertex;
} cluster_key;

static int by_cell(const void *a, const void *b)
{
    const cluster_key *p = a, *q = b;
    for (int k = 0; k < 4; k++)
        if (p->cell[k] != q->cell[k]) return p->cell[k] < q->cell[k] ? -1 : 1;
    return p->vertex - q->vertex;
}

static bool same_cell(const cluster_key *p, const cluster_key *q)
{
    return memcmp(p->cell, q->cell, 3 * sizeof *p->cell) == 0;
}

/* The side of a cube that a normal meets, and where on it. */
static int normal_cell(const double n[3])
{
    int axis = fabs(n[1]) > fabs(n[0]) ? 1 : 0;
    if (fabs(n[2]) > fabs(n[axis])) axis = 2;
    double u = n[(axis + 1) % 3] / fabs(n[axis]), v = n[(axis + 2) % 3] / fabs(n[axis]);
    return (2 * axis + (n[axis] < 0)) * 16 + 4 * (int)(1.999 * (u + 1)) + (int)(1.999 * (v + 1));
}

static cluster_key *make_keys(memory *mem, const solid_mesh *m, double cell)
{
    cluster_key *keys = NEW(mem, cluster_key, m->vertex_count);
    for (int i = 0; keys && i < m->vertex_count; i++) {
        const double *x = m->vertices + 3 * (size_t)i;
        keys[i].vertex = i;
        for (int k = 0; k < 3; k++)
            keys[i].cell[k] = (int)fmin(fmax(floor(x[k] / cell + 0.5), -1e9), 1e9);
        keys[i].cell[3] = normal_cell(m->normals + 3 * (size_t)i);
    }
    if (keys) qsort(keys, (size_t)m->vertex_count, sizeof *keys, by_cell);
    return keys;
}

/* Adds the vertices of one cell in space, at the mean of their positions, one for each cell of normals.
 * `joined`: the new vertex for each old one. */
static void join_cell(const solid_mesh *m, const cluster_key *keys, int count, solid_mesh *out,
                      int *joined)
{
    double x[3] = {0};
    for (int i = 0; i < count; i++)
        v3_axpy(x, 1.0 / count, m->vertices + 3 * (size_t)keys[i].vertex);
    for (int i = 0; i < count; i++) {
        bool first = i == 0 || keys[i].cell[3] != keys[i - 1].cell[3];
        if (first) v3_copy(out->vertices + 3 * (size_t)out->vertex_count++, x);
        joined[keys[i].vertex] = out->vertex_count - 1;
        double *n = out->normals + 3 * (size_t)(out->vertex_count - 1);
        v3_add(n, n, m->normals + 3 * (size_t)keys[i].vertex);
    }
}

static void join_triangles(const solid_mesh *m, const int *joined, solid_mesh *out)
{
    for (int t = 0; t < m->triangle_count; t++) {
        const double *x[3];
        int *corners = out->triangles + 3 * (size_t)out->triangle_count;
        for (int k = 0; k < 3; k++) {
            corners[k] = joined[m->triangles[3 * (size_t)t + (size_t)k]];
            x[k] = out->vertices + 3 * (size_t)corners[k];
        }
        bool open = true; /* its corners are in three cells */
        for (int k = 0; k < 3; k++) open = open && v3_distance(x[k], x[(k + 1) % 3]) > 0;
        if (open) out->triangle_count++;
    }
}

static cord_status join_vertices(memory *mem, const solid_mesh *m, double cell, solid_mesh *out)
{
    cluster_key *keys = make_keys(mem, m, cell);
    int *joined = NEW(mem, int, m->vertex_count);
    out->vertices = NEW(mem, double, 3 * (size_t)m->vertex_count);
    out->normals = NEW(mem, double, 3 * (size_t)m->vertex_count);
    out->triangles = NEW(mem, int, 3 * (size_t)m->triangle_count);
    bool good = keys && joined && out->vertices && out->normals && out->triangles;
    for (int i = 0, end; good && i < m->vertex_count; i = end) {
        for (end = i + 1; end < m->vertex_count && same_cell(&keys[i], &keys[end]);) end++;
        join_cell(m, keys + i, end - i, out, joined);
    }
    for (int i = 0; good && i < out->vertex_count; i++) {
        double *n = out->normals + 3 * (size_t)i;
        if (v3_norm(n) > 0) v3_normalize(n, n);
    }
    if (good) join_triangles(m, joined, out);
    cord__release(mem, keys);
    cord__release(mem, joined);
    return good ? CORD_OK : CORD_ERROR_MEMORY;
}

/* ---- solids --------------------------------------------------------------------------------- */

/* The size of a pixel where the scene is nearest to the eye. */
static double nearest_pixel(const frame *f)
{
    double focus = v3_distance(f->camera.eye, f->focus),
           near = v3_distance(f->camera.eye, f->centre) - f->reach;
    return fmax(near, 0.25 * focus) / f->camera.scale;
}

/* To details of this size. */
static cord_status refine(memory *mem, const picture_body *b, double detail, solid_mesh *out)
{
    enum { MOST = 72 };
    const cord_shape *s = b->shape;
    bool round = s->kind == CORD_SHAPE_SPHERE || s->kind == CORD_SHAPE_CAPSULE ||
                 s->kind == CORD_SHAPE_CYLINDER;
    if (round) {
        int sides = cord__sides_of(s->radius, detail, 12, MOST);
        return cord__solid_mesh(mem, s, sides, CORD__BEVEL * cord__solid_reach(s), out);
    }
    if (s->kind != CORD_SHAPE_MESH || b->solid->vertex_count == 0) return CORD_OK;
    return join_vertices(mem, b->solid, detail, out);
}

/* Once for all pictures with the same camera and extent. */
cord_status cord__choose_detail(memory *mem, frame *f)
{
    kept_picture *k = f->kept;
    const picture *p = f->p;
    if (k->casters) return CORD_OK;
    k->solids = NEW(mem, solid_mesh, p->body_count);
    k->casters = NEW(mem, solid_mesh, p->body_count);
    k->solid_count = p->body_count;
    cord_status status = k->solids && k->casters ? CORD_OK : CORD_ERROR_MEMORY;
    double detail = 0.5 * nearest_pixel(f), of_casters = fmax(detail, cord__caster_size(f));
    for (int i = 0; status == CORD_OK && i < p->body_count; i++) {
        status = refine(mem, &p->bodies[i], detail, &k->solids[i]);
        if (status == CORD_OK) status = refine(mem, &p->bodies[i], of_casters, &k->casters[i]);
    }
    return status;
}
