/* Closed triangle meshes with a bounding tree. */
#ifndef CORDAGE_CONTACT_MESH_H
#define CORDAGE_CONTACT_MESH_H

#include "contact/shapes.h"

/* A node of the tree bounds the triangles first .. first + count − 1. Its first child follows it. */
typedef struct mesh_node {
    double low[3], high[3];
    int first, count;
    int second; /* child; 0: a leaf */
} mesh_node;

/* Normals of the seven features of a triangle: three vertices (weighted by angle), three edges, opposite to them, the face.
 * The sign of the distance to the nearest feature is that of the product with its normal [Bærentzen, Aanæs 2005]. */
typedef struct mesh_triangle {
    double x[3][3];
    double normal[7][3];
} mesh_triangle;

struct triangle_mesh {
    int triangle_count, node_count;
    mesh_triangle *triangles; /* in the order of the tree */
    mesh_node *nodes;
};

/* A mesh of triangles, three indices each, that name their vertices, three coordinates each, counterclockwise seen from
 * outside. CORD_ERROR_ARGUMENT: an index is out of range or a triangle has no area; CORD_ERROR_MEMORY. */
cord_status cord__mesh_create(memory *m, const double *vertices, int vertex_count,
                              const int *triangles, int triangle_count, triangle_mesh **out);
void cord__mesh_destroy(memory *m, triangle_mesh *mesh);

/* The closest point of a triangle: its features are numbered as in mesh_triangle.normal. */
int cord__closest_on_triangle(const double x[3][3], const double p[3], double closest[3]);

/* The tree over mesh->triangles, which it reorders; the nodes have room for 2 triangle_count. */
cord_status cord__mesh_tree(memory *m, triangle_mesh *mesh);

#endif
