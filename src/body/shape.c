#include "body/shape.h"
#include "math/vec3.h"

#include <limits.h>
#include <stdio.h>
#include <string.h>

static const double pi = 3.14159265358979323846;

const char *cord_shape_name(cord_shape_kind kind)
{
    switch (kind) {
    case CORD_SHAPE_NONE: return "none";
    case CORD_SHAPE_SPHERE: return "sphere";
    case CORD_SHAPE_BOX: return "box";
    case CORD_SHAPE_CYLINDER: return "cylinder";
    case CORD_SHAPE_CAPSULE: return "capsule";
    case CORD_SHAPE_MESH: return "mesh";
    case CORD_SHAPE_PLANE: return "plane";
    }
    return "unknown";
}

static void diagonal(mass_properties *p, double x, double y, double z)
{
    p->inertia[0] = x, p->inertia[4] = y, p->inertia[8] = z;
}

static void box(const cord_shape *s, mass_properties *p)
{
    double a = s->size[0] * s->size[0], b = s->size[1] * s->size[1], c = s->size[2] * s->size[2];
    p->mass = s->size[0] * s->size[1] * s->size[2];
    diagonal(p, p->mass * (b + c) / 12, p->mass * (a + c) / 12, p->mass * (a + b) / 12);
}

/* A cylinder with half a sphere at both ends (length zero: a sphere; no ends: a cylinder). */
static void round_shape(double radius, double length, bool ends, mass_properties *p)
{
    double r2 = radius * radius, tube = pi * r2 * length,
           ball = ends ? 4 * pi / 3 * r2 * radius : 0;
    double h = 0.5 * length;
    /* half spheres: centre 3/8 r beyond the flat face, 83/320 m r² about it */
    double across =
        tube * (3 * r2 + length * length) / 12 + ball * (0.4 * r2 + h * h + 0.75 * h * radius);
    p->mass = tube + ball;
    diagonal(p, across, across, 0.5 * tube * r2 + 0.4 * ball * r2);
}

/* Sums over the tetrahedra between each triangle and the first vertex, at any position of the mesh. */
static void mesh(const cord_shape *s, mass_properties *p)
{
    double first[3] = {0, 0, 0}, second[9] = {0};
    for (int t = 0; t < s->triangle_count; t++) {
        double v[3][3], cross[3], sum[3];
        for (int k = 0; k < 3; k++)
            v3_sub(v[k], s->vertices + 3 * (size_t)s->triangles[3 * t + k], s->vertices);
        v3_cross(cross, v[1], v[2]);
        double volume = v3_dot(v[0], cross) / 6;
        p->mass += volume;
        for (int k = 0; k < 3; k++) sum[k] = v[0][k] + v[1][k] + v[2][k];
        v3_axpy(first, volume / 4, sum);
        for (int i = 0; i < 3; i++)
            for (int j = 0; j < 3; j++) {
                double product = sum[i] * sum[j];
                for (int k = 0; k < 3; k++) product += v[k][i] * v[k][j];
                second[3 * i + j] += volume / 20 * product;
            }
    }
    if (!(p->mass > 0)) return;
    v3_scale(p->center, 1 / p->mass, first);
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) second[3 * i + j] -= p->mass * p->center[i] * p->center[j];
    double trace = second[0] + second[4] + second[8];
    for (int i = 0; i < 9; i++) p->inertia[i] = (i % 4 == 0) * trace - second[i];
    v3_add(p->center, p->center, s->vertices);
}

/* A pseudo-random value of an edge; it is antisymmetric under reversal of the edge. */
static uint64_t edge_number(uint64_t from, uint64_t to)
{
    uint64_t low = from < to ? from : to, high = from < to ? to : from;
    uint64_t x = (low << 32 | high) + UINT64_C(0x9e3779b97f4a7c15);
    x = (x ^ x >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    x = (x ^ x >> 27) * UINT64_C(0x94d049bb133111eb);
    x ^= x >> 31;
    return from < to ? x : from > to ? 0 - x : 0;
}

/* In a closed, consistently oriented surface each edge is traversed equally often in both
 * directions: the sum vanishes. For any other surface it vanishes with probability 2⁻⁶⁴. */
static bool closed(const cord_shape *s)
{
    uint64_t sum = 0;
    for (int t = 0; t < s->triangle_count; t++) {
        const int *v = s->triangles + 3 * (size_t)t;
        for (int k = 0; k < 3; k++) sum += edge_number((uint64_t)v[k], (uint64_t)v[(k + 1) % 3]);
    }
    return sum == 0;
}

static bool valid_mesh(const cord_shape *s)
{
    if (s->vertex_count < 4 || s->triangle_count < 4 || !s->vertices || !s->triangles) return false;
    if (s->vertex_count > INT_MAX / 3 || s->triangle_count > INT_MAX / 3) return false;
    for (int i = 0; i < 3 * s->vertex_count; i++)
        if (!is_admissible(s->vertices[i])) return false;
    for (int i = 0; i < 3 * s->triangle_count; i++)
        if (s->triangles[i] < 0 || s->triangles[i] >= s->vertex_count) return false;
    return true;
}

cord_status cord__shape_mass(const cord_shape *s, mass_properties *out, char *why, size_t size)
{
    const char *wrong = NULL;
    bool radius = s->radius > 0 && is_admissible(s->radius),
         length = s->length > 0 && is_admissible(s->length);
    memset(out, 0, sizeof *out);
    switch (s->kind) {
    case CORD_SHAPE_SPHERE:
        if (!radius) wrong = "a sphere's radius must be above 0";
        round_shape(s->radius, 0, true, out);
        break;
    case CORD_SHAPE_BOX:
        for (int k = 0; k < 3; k++)
            if (!(s->size[k] > 0 && is_admissible(s->size[k])))
                wrong = "a box's sides must be above 0";
        box(s, out);
        break;
    case CORD_SHAPE_CYLINDER:
        if (!radius || !length) wrong = "a cylinder's radius and length must be above 0";
        round_shape(s->radius, s->length, false, out);
        break;
    case CORD_SHAPE_CAPSULE:
        if (!radius || !length) wrong = "a capsule's radius and length must be above 0";
        round_shape(s->radius, s->length, true, out);
        break;
    case CORD_SHAPE_MESH:
        if (!valid_mesh(s)) {
            wrong = "a mesh needs finite vertices and triangles that name them";
        } else {
            mesh(s, out);
            if (!closed(s))
                wrong = "the mesh is not closed, or its triangles are not all anticlockwise seen "
                        "from outside";
            else if (!(out->mass > 0))
                wrong = "the mesh is inside out: its triangles must be anticlockwise seen from "
                        "outside";
        }
        break;
    default: wrong = "a shape of that kind does not exist"; break;
    }
    if (!wrong) return CORD_OK;
    if (size) snprintf(why, size, "%s", wrong);
    return CORD_ERROR_ARGUMENT;
}
