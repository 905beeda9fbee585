/* The bounding tree of a mesh: triangles sorted along a Morton curve, and boxes over halves of that order. */
#include "contact/mesh.h"
#include "math/vec3.h"

#define LEAF_TRIANGLES 4
#define MORTON_BITS 21

/* Bits of the cell along three axes, interleaved. */
static uint64_t morton(const double x[3], const double low[3], double side)
{
    uint64_t key = 0;
    for (int k = 0; k < 3; k++) {
        uint64_t cell = (uint64_t)((x[k] - low[k]) / side * ((1 << MORTON_BITS) - 1));
        for (int b = 0; b < MORTON_BITS; b++) key |= (cell >> b & 1) << (3 * b + k);
    }
    return key;
}

static void include_triangle(const mesh_triangle *t, double low[3], double high[3])
{
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < 3; k++) {
            low[k] = fmin(low[k], t->x[i][k]);
            high[k] = fmax(high[k], t->x[i][k]);
        }
}

static void bounds_of(const triangle_mesh *mesh, int first, int count, double low[3],
                      double high[3])
{
    v3_set(low, INFINITY, INFINITY, INFINITY);
    v3_set(high, -INFINITY, -INFINITY, -INFINITY);
    for (int i = first; i < first + count; i++) include_triangle(mesh->triangles + i, low, high);
}

/* Triangles by the Morton keys of their centres. */
static void keys_of(const triangle_mesh *mesh, uint64_t *key, int *order)
{
    double low[3], high[3], centre[3];
    bounds_of(mesh, 0, mesh->triangle_count, low, high);
    double side = fmax(fmax(high[0] - low[0], high[1] - low[1]), high[2] - low[2]);
    for (int i = 0; i < mesh->triangle_count; i++) {
        const mesh_triangle *t = mesh->triangles + i;
        for (int k = 0; k < 3; k++)
            centre[k] = fmin(fmax((t->x[0][k] + t->x[1][k] + t->x[2][k]) / 3, low[k]), high[k]);
        key[i] = morton(centre, low, side);
        order[i] = i;
    }
}

static cord_status reorder(memory *m, triangle_mesh *mesh)
{
    int n = mesh->triangle_count;
    uint64_t *key = NEW(m, uint64_t, 2 * (size_t)n);
    int *order = NEW(m, int, 2 * (size_t)n);
    mesh_triangle *sorted = NEW(m, mesh_triangle, n);
    bool failed = !key || !order || !sorted;
    if (!failed) {
        keys_of(mesh, key, order);
        cord__sort_by_key(n, key, order, key + n, order + n);
        for (int i = 0; i < n; i++) sorted[i] = mesh->triangles[order[i]];
        mesh_triangle *unsorted = mesh->triangles;
        mesh->triangles = sorted;
        sorted = unsorted;
    }
    cord__release(m, sorted);
    cord__release(m, order);
    cord__release(m, key);
    return failed ? CORD_ERROR_MEMORY : CORD_OK;
}

/* Depth log₂ of the number of triangles. */
static void add_node(triangle_mesh *mesh, int first, int count)
{
    mesh_node *n = mesh->nodes + mesh->node_count++;
    n->first = first, n->count = count, n->second = 0;
    bounds_of(mesh, first, count, n->low, n->high);
    if (count <= LEAF_TRIANGLES) return;
    add_node(mesh, first, count / 2);
    n->second = mesh->node_count;
    add_node(mesh, first + count / 2, count - count / 2);
}

cord_status cord__mesh_tree(memory *m, triangle_mesh *mesh)
{
    cord_status status = reorder(m, mesh);
    if (status == CORD_OK) add_node(mesh, 0, mesh->triangle_count);
    return status;
}
