/* Triangle meshes: normals of their features, and the signed distance. */
#include "contact/mesh.h"
#include "math/vec3.h"

#define ON_SURFACE 1e-10 /* distance, relative to the size of the mesh */
#define STACK 64 /* more than twice the depth of a tree of 2³¹ triangles in leaves of four */

/* ---- normals --------------------------------------------------------------------------------- */

static bool face_normal(const mesh_triangle *t, double normal[3])
{
    double ab[3], ac[3];
    v3_sub(ab, t->x[1], t->x[0]);
    v3_sub(ac, t->x[2], t->x[0]);
    v3_cross(normal, ab, ac);
    if (!(v3_dot(normal, normal) > 0)) return false;
    v3_normalize(normal, normal);
    return true;
}

static double angle_at(const mesh_triangle *t, int k)
{
    double a[3], b[3], n[3];
    v3_sub(a, t->x[(k + 1) % 3], t->x[k]);
    v3_sub(b, t->x[(k + 2) % 3], t->x[k]);
    v3_cross(n, a, b);
    return atan2(v3_norm(n), v3_dot(a, b));
}

static void vertex_normals(triangle_mesh *mesh, const int *triangles, double (*sum)[3])
{
    for (int i = 0; i < mesh->triangle_count; i++) {
        const mesh_triangle *t = mesh->triangles + i;
        for (int k = 0; k < 3; k++)
            v3_axpy(sum[triangles[3 * i + k]], angle_at(t, k), t->normal[6]);
    }
    for (int i = 0; i < mesh->triangle_count; i++)
        for (int k = 0; k < 3; k++)
            v3_copy(mesh->triangles[i].normal[k], sum[triangles[3 * i + k]]);
}

/* Edges by their vertices, the smaller index first; entry 3 i + k is the edge of triangle i opposite to its vertex k. */
static void edge_keys(int triangle_count, const int *triangles, uint64_t *key, int *order)
{
    for (int e = 0; e < 3 * triangle_count; e++) {
        const int *t = triangles + 3 * (e / 3);
        int a = t[(e + 1) % 3], b = t[(e + 2) % 3];
        key[e] = a < b ? (uint64_t)a << 32 | (uint64_t)b : (uint64_t)b << 32 | (uint64_t)a;
        order[e] = e;
    }
}

/* The normal of an edge is the sum of those of its faces. */
static void edge_normals(triangle_mesh *mesh, const uint64_t *key, const int *order)
{
    int count = 3 * mesh->triangle_count;
    for (int i = 0, end; i < count; i = end) {
        double sum[3] = {0, 0, 0};
        for (end = i; end < count && key[end] == key[i]; end++)
            v3_add(sum, sum, mesh->triangles[order[end] / 3].normal[6]);
        for (int k = i; k < end; k++)
            v3_copy(mesh->triangles[order[k] / 3].normal[3 + order[k] % 3], sum);
    }
}

static cord_status feature_normals(memory *m, triangle_mesh *mesh, int vertex_count,
                                   const int *triangles)
{
    size_t edges = 3 * (size_t)mesh->triangle_count;
    double(*sum)[3] = cord__allocate(m, (size_t)vertex_count, sizeof *sum);
    uint64_t *key = NEW(m, uint64_t, 2 * edges);
    int *order = NEW(m, int, 2 * edges);
    bool failed = !sum || !key || !order;
    if (!failed) {
        vertex_normals(mesh, triangles, sum);
        edge_keys(mesh->triangle_count, triangles, key, order);
        cord__sort_by_key((int)edges, key, order, key + edges, order + edges);
        edge_normals(mesh, key, order);
    }
    cord__release(m, order);
    cord__release(m, key);
    cord__release(m, sum);
    return failed ? CORD_ERROR_MEMORY : CORD_OK;
}

/* ---- creation -------------------------------------------------------------------------------- */

static cord_status set_triangles(triangle_mesh *mesh, const double *vertices, int vertex_count,
                                 const int *triangles)
{
    for (int i = 0; i < mesh->triangle_count; i++) {
        mesh_triangle *t = mesh->triangles + i;
        for (int k = 0; k < 3; k++) {
            int v = triangles[3 * i + k];
            if (v < 0 || v >= vertex_count || !v3_admissible(vertices + 3 * (size_t)v))
                return CORD_ERROR_ARGUMENT;
            v3_copy(t->x[k], vertices + 3 * (size_t)v);
        }
        if (!face_normal(t, t->normal[6])) return CORD_ERROR_ARGUMENT;
    }
    return CORD_OK;
}

cord_status cord__mesh_create(memory *m, const double *vertices, int vertex_count,
                              const int *triangles, int triangle_count, triangle_mesh **out)
{
    *out = NULL;
    if (triangle_count < 1 || triangle_count > INT32_MAX / 8) return CORD_ERROR_ARGUMENT;
    triangle_mesh *mesh = NEW(m, triangle_mesh, 1);
    if (!mesh) return CORD_ERROR_MEMORY;
    mesh->triangle_count = triangle_count;
    mesh->triangles = NEW(m, mesh_triangle, triangle_count);
    mesh->nodes = NEW(m, mesh_node, 2 * (size_t)triangle_count);
    cord_status status = mesh->triangles && mesh->nodes ? CORD_OK : CORD_ERROR_MEMORY;
    if (status == CORD_OK) status = set_triangles(mesh, vertices, vertex_count, triangles);
    if (status == CORD_OK) status = feature_normals(m, mesh, vertex_count, triangles);
    if (status == CORD_OK) status = cord__mesh_tree(m, mesh);
    if (status == CORD_OK)
        *out = mesh;
    else
        cord__mesh_destroy(m, mesh);
    return status;
}

void cord__mesh_destroy(memory *m, triangle_mesh *mesh)
{
    if (!mesh) return;
    cord__release(m, mesh->triangles);
    cord__release(m, mesh->nodes);
    cord__release(m, mesh);
}

/* ---- distance -------------------------------------------------------------------------------- */

typedef struct nearest_feature {
    double distance2, closest[3];
    int feature;
    const double *normal;
} nearest_feature;

static double box_distance2(const mesh_node *n, const double x[3])
{
    double sum = 0;
    for (int k = 0; k < 3; k++) {
        double below = n->low[k] - x[k], above = x[k] - n->high[k];
        double d = below > above ? below : above;
        sum += d > 0 ? d * d : 0;
    }
    return sum;
}

static void search_leaf(const triangle_mesh *mesh, const mesh_node *n, const double x[3],
                        nearest_feature *best)
{
    for (int i = n->first; i < n->first + n->count; i++) {
        const mesh_triangle *t = mesh->triangles + i;
        double closest[3], v[3];
        int feature = cord__closest_on_triangle(t->x, x, closest);
        v3_sub(v, x, closest);
        if (v3_dot(v, v) >= best->distance2) continue;
        best->distance2 = v3_dot(v, v);
        best->feature = feature;
        best->normal = t->normal[feature];
        v3_copy(best->closest, closest);
    }
}

typedef struct waiting_node {
    const mesh_node *node;
    double distance2;
} waiting_node;

/* Depth first, the nearer child before the other. */
static void search_tree(const triangle_mesh *mesh, const double x[3], nearest_feature *best)
{
    waiting_node stack[STACK];
    int depth = 0;
    stack[depth++] = (waiting_node){mesh->nodes, 0};
    while (depth > 0) {
        waiting_node at = stack[--depth];
        if (at.distance2 >= best->distance2) continue;
        if (!at.node->second) {
            search_leaf(mesh, at.node, x, best);
            continue;
        }
        const mesh_node *child[2] = {at.node + 1, mesh->nodes + at.node->second};
        double d[2] = {box_distance2(child[0], x), box_distance2(child[1], x)};
        int nearer = d[1] < d[0];
        stack[depth++] = (waiting_node){child[!nearer], d[!nearer]};
        stack[depth++] = (waiting_node){child[nearer], d[nearer]};
    }
}

static double distance(const obstacle_shape *shape, const double x[3], double normal[3])
{
    nearest_feature best = {.distance2 = INFINITY};
    search_tree(shape->mesh, x, &best);
    double v[3], d = sqrt(best.distance2);
    v3_sub(v, x, best.closest);
    double side = v3_dot(v, best.normal) < 0 ? -1 : 1;
    /* Next to the surface the direction of v is lost to rounding. */
    const mesh_node *root = shape->mesh->nodes;
    if (best.feature < 6 && d > ON_SURFACE * v3_distance(root->low, root->high))
        v3_scale(normal, side / d, v);
    else
        v3_normalize(normal, best.normal);
    return side * d;
}

static void bounds(const obstacle_shape *shape, double low[3], double high[3])
{
    v3_copy(low, shape->mesh->nodes->low);
    v3_copy(high, shape->mesh->nodes->high);
}

const shape_ops cord__mesh_shape = {"mesh", false, distance, bounds, NULL};
