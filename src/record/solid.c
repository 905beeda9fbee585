#include "record/solid.h"

#include "math/vec3.h"

#include <math.h>
#include <string.h>

enum { PROFILE_MOST = 64, BEVEL_STEPS = 4 };

/* ---- growing an array that is large enough --------------------------------------------------- */

static bool reserve(memory *mem, solid_mesh *m, size_t vertices, size_t triangles)
{
    m->vertices = NEW(mem, double, 3 * vertices);
    m->normals = NEW(mem, double, 3 * vertices);
    m->triangles = NEW(mem, int, 3 * triangles);
    return m->vertices && m->normals && m->triangles;
}

void cord__solid_free(memory *mem, solid_mesh *m)
{
    cord__release(mem, m->vertices);
    cord__release(mem, m->normals);
    cord__release(mem, m->triangles);
    *m = (solid_mesh){0};
}

static int add_vertex(solid_mesh *m, double x, double y, double z, double nx, double ny, double nz)
{
    v3_set(m->vertices + 3 * (size_t)m->vertex_count, x, y, z);
    v3_set(m->normals + 3 * (size_t)m->vertex_count, nx, ny, nz);
    return m->vertex_count++;
}

static void add_triangle(solid_mesh *m, int a, int b, int c)
{
    int *corner = m->triangles + 3 * (size_t)m->triangle_count++;
    corner[0] = a, corner[1] = b, corner[2] = c;
}

/* ---- solids of revolution --------------------------------------------------------------------- */

/* A profile from the top to the bottom: radius, height, and the normal's parts. */
typedef struct profile {
    int count;
    double r[PROFILE_MOST], z[PROFILE_MOST], nr[PROFILE_MOST], nz[PROFILE_MOST];
} profile;

static void add_point(profile *p, double r, double z, double nr, double nz)
{
    int k = p->count++;
    p->r[k] = r, p->z[k] = z, p->nr[k] = nr, p->nz[k] = nz;
}

/* From the angle `from` to `to` above the equator, about (r, z). */
static void add_arc(profile *p, double r, double z, double radius, double from, double to,
                    int steps)
{
    for (int i = 0; i <= steps; i++) {
        double angle = from + (to - from) * i / steps, c = cos(angle), s = sin(angle);
        if (fabs(c) < 1e-12) c = 0; /* a pole is one point */
        add_point(p, r + radius * c, z + radius * s, c, s);
    }
}

static void capsule_profile(profile *p, double radius, double length, int sides)
{
    int steps = sides / 4 > 2 ? sides / 4 : 2;
    if (steps > PROFILE_MOST / 2 - 1) steps = PROFILE_MOST / 2 - 1;
    add_arc(p, 0, length / 2, radius, M_PI / 2, 0, steps);
    add_arc(p, 0, -length / 2, radius, 0, -M_PI / 2, steps);
}

static void cylinder_profile(profile *p, double radius, double length, double bevel)
{
    double h = length / 2;
    bevel = fmin(bevel, 0.45 * fmin(radius, h));
    add_point(p, 0, h, 0, 1);
    if (bevel > 0) {
        add_arc(p, radius - bevel, h - bevel, bevel, M_PI / 2, 0, BEVEL_STEPS);
        add_arc(p, radius - bevel, bevel - h, bevel, 0, -M_PI / 2, BEVEL_STEPS);
    } else {
        add_point(p, radius, h, 0, 1);
        add_point(p, radius, h, 1, 0);
        add_point(p, radius, -h, 1, 0);
        add_point(p, radius, -h, 0, -1);
    }
    add_point(p, 0, -h, 0, -1);
}

static bool revolve(memory *mem, const profile *p, int sides, solid_mesh *m)
{
    size_t rings = (size_t)p->count, around = (size_t)sides;
    if (!reserve(mem, m, rings * (around + 1), 2 * rings * around)) return false;
    for (int k = 0; k < p->count; k++)
        for (int i = 0; i <= sides; i++) {
            double angle = 2 * M_PI * (i % sides) / sides, c = cos(angle), s = sin(angle);
            add_vertex(m, p->r[k] * c, p->r[k] * s, p->z[k], p->nr[k] * c, p->nr[k] * s, p->nz[k]);
        }
    for (int k = 0; k + 1 < p->count; k++) {
        if (p->r[k] == p->r[k + 1] && p->z[k] == p->z[k + 1]) continue; /* a sharp edge */
        for (int i = 0; i < sides; i++) {
            int a = k * (sides + 1) + i, b = a + sides + 1;
            if (p->r[k + 1] > 0) add_triangle(m, a, b, b + 1);
            if (p->r[k] > 0) add_triangle(m, a, b + 1, a + 1);
        }
    }
    return true;
}

/* ---- boxes ------------------------------------------------------------------------------------ */

/* Each face: a vertex for each of its corners, anticlockwise. */
static bool sharp_box(memory *mem, const double half[3], solid_mesh *m)
{
    if (!reserve(mem, m, 24, 12)) return false;
    for (int face = 0; face < 6; face++) {
        int axis = face / 2, u = (axis + 1) % 3, v = (axis + 2) % 3, first = m->vertex_count;
        double side = face % 2 ? 1 : -1;
        for (int k = 0; k < 4; k++) {
            double x[3], n[3] = {0, 0, 0};
            n[axis] = side;
            x[axis] = side * half[axis];
            x[u] = (k == 1 || k == 2 ? 1 : -1) * half[u];
            x[v] = (k >= 2 ? 1 : -1) * side * half[v];
            add_vertex(m, x[0], x[1], x[2], n[0], n[1], n[2]);
        }
        add_triangle(m, first, first + 1, first + 2);
        add_triangle(m, first, first + 2, first + 3);
    }
    return true;
}

/* A ball cut into eight and drawn apart to the corners: edges and faces lie between. */
static bool round_box(memory *mem, const double half[3], double bevel, solid_mesh *m)
{
    enum { STEPS = BEVEL_STEPS, AROUND = 4 * (STEPS + 1), DOWN = 2 * (STEPS + 1) };
    if (!reserve(mem, m, AROUND * DOWN, 2 * AROUND * DOWN + 4)) return false;
    for (int j = 0; j < DOWN; j++) {
        int lower = j > STEPS;
        double latitude = M_PI / 2 * (1 - (j - lower) / (double)STEPS);
        for (int i = 0; i < AROUND; i++) {
            int quarter = i / (STEPS + 1);
            double angle = M_PI / 2 * (i - quarter) / STEPS;
            double n[3] = {cos(latitude) * cos(angle), cos(latitude) * sin(angle), sin(latitude)};
            const double sign[3] = {quarter == 0 || quarter == 3 ? 1 : -1, quarter < 2 ? 1 : -1,
                                    lower ? -1 : 1};
            double x[3];
            for (int k = 0; k < 3; k++) x[k] = sign[k] * (half[k] - bevel) + bevel * n[k];
            add_vertex(m, x[0], x[1], x[2], n[0], n[1], n[2]);
        }
    }
    for (int j = 0; j + 1 < DOWN; j++)
        for (int i = 0; i < AROUND; i++) {
            int a = j * AROUND + i, b = j * AROUND + (i + 1) % AROUND;
            add_triangle(m, a, a + AROUND, b + AROUND);
            add_triangle(m, a, b + AROUND, b);
        }
    int q = STEPS + 1, bottom = (DOWN - 1) * AROUND;
    add_triangle(m, 0, q, 2 * q);
    add_triangle(m, 0, 2 * q, 3 * q);
    add_triangle(m, bottom, bottom + 2 * q, bottom + q);
    add_triangle(m, bottom, bottom + 3 * q, bottom + 2 * q);
    return true;
}

static bool box(memory *mem, const cord_shape *s, double bevel, solid_mesh *m)
{
    const double half[3] = {s->size[0] / 2, s->size[1] / 2, s->size[2] / 2};
    bevel = fmin(bevel, 0.45 * fmin(half[0], fmin(half[1], half[2])));
    return bevel > 0 ? round_box(mem, half, bevel, m) : sharp_box(mem, half, m);
}

/* ---- meshes ----------------------------------------------------------------------------------- */

/* Twice the area, along the normal. */
static void area(const cord_shape *s, int t, double out[3])
{
    double a[3], b[3];
    const double *x = s->vertices + 3 * (size_t)s->triangles[3 * (size_t)t];
    v3_sub(a, s->vertices + 3 * (size_t)s->triangles[3 * (size_t)t + 1], x);
    v3_sub(b, s->vertices + 3 * (size_t)s->triangles[3 * (size_t)t + 2], x);
    v3_cross(out, a, b);
}

/* A corner's normal is the mean over the triangles at its vertex that are rotated by less than 40°
 * against its own: smooth where the surface is, and sharp at edges. `next` chains the corners of each
 * vertex from `first` on; of very many, the first will do. */
static void corner_normal(const cord_shape *s, const int *first, const int *next, int corner,
                          double out[3])
{
    double own[3], other[3];
    area(s, corner / 3, own);
    v3_copy(out, own);
    int left = 64;
    for (int c = first[s->triangles[corner]]; c >= 0 && left > 0; c = next[c], left--) {
        if (c == corner) continue;
        area(s, c / 3, other);
        if (v3_dot(own, other) > 0.766 * v3_norm(own) * v3_norm(other)) v3_add(out, out, other);
    }
    if (v3_norm(out) > 0)
        v3_normalize(out, out);
    else
        v3_set(out, 0, 0, 1); /* a triangle without area is not seen */
}

static bool copy_mesh(memory *mem, const cord_shape *s, solid_mesh *m)
{
    int corners = 3 * s->triangle_count;
    int *first = NEW(mem, int, s->vertex_count), *next = NEW(mem, int, corners);
    bool good = reserve(mem, m, (size_t)corners, (size_t)s->triangle_count) && first && next;
    for (int v = 0; good && v < s->vertex_count; v++) first[v] = -1;
    for (int c = 0; good && c < corners; c++) {
        next[c] = first[s->triangles[c]];
        first[s->triangles[c]] = c;
    }
    for (int c = 0; good && c < corners; c++) {
        double n[3];
        const double *x = s->vertices + 3 * (size_t)s->triangles[c];
        corner_normal(s, first, next, c, n);
        add_vertex(m, x[0], x[1], x[2], n[0], n[1], n[2]);
        if (c % 3 == 2) add_triangle(m, c - 2, c - 1, c);
    }
    cord__release(mem, first);
    cord__release(mem, next);
    return good;
}

/* ---- planes ----------------------------------------------------------------------------------- */

/* Squares of a checker, each with its own vertices. */
static bool plane(memory *mem, const cord_shape *s, solid_mesh *m)
{
    enum { N = PLANE_SQUARES };
    if (!reserve(mem, m, 4 * N * N, 2 * N * N)) return false;
    for (int j = 0; j < N; j++)
        for (int i = 0; i < N; i++) {
            int first = m->vertex_count;
            for (int k = 0; k < 4; k++) {
                double x = (i + (k == 1 || k == 2)) / (double)N - 0.5;
                double y = (j + (k >= 2)) / (double)N - 0.5;
                add_vertex(m, s->size[0] * x, s->size[1] * y, 0, 0, 0, 1);
            }
            add_triangle(m, first, first + 1, first + 2);
            add_triangle(m, first, first + 2, first + 3);
        }
    return true;
}

/* ---- any -------------------------------------------------------------------------------------- */

cord_status cord__solid_mesh(memory *mem, const cord_shape *s, int sides, double bevel,
                             solid_mesh *out)
{
    profile p = {0};
    bool good = true;
    *out = (solid_mesh){0};
    switch (s->kind) {
    case CORD_SHAPE_NONE: return CORD_OK;
    case CORD_SHAPE_SPHERE: capsule_profile(&p, s->radius, 0, sides); break;
    case CORD_SHAPE_CAPSULE: capsule_profile(&p, s->radius, s->length, sides); break;
    case CORD_SHAPE_CYLINDER: cylinder_profile(&p, s->radius, s->length, bevel); break;
    case CORD_SHAPE_BOX: good = box(mem, s, bevel, out); break;
    case CORD_SHAPE_MESH: good = copy_mesh(mem, s, out); break;
    case CORD_SHAPE_PLANE: good = plane(mem, s, out); break;
    }
    if (p.count > 0) good = revolve(mem, &p, sides, out);
    return good ? CORD_OK : CORD_ERROR_MEMORY;
}

double cord__solid_reach(const cord_shape *s)
{
    double reach = 0;
    switch (s->kind) {
    case CORD_SHAPE_NONE: break;
    case CORD_SHAPE_SPHERE: return s->radius;
    case CORD_SHAPE_CAPSULE: return s->length / 2 + s->radius;
    case CORD_SHAPE_CYLINDER: return hypot(s->radius, s->length / 2);
    case CORD_SHAPE_BOX: return 0.5 * v3_norm(s->size);
    case CORD_SHAPE_MESH:
        for (int i = 0; i < s->vertex_count; i++)
            reach = fmax(reach, v3_norm(s->vertices + 3 * (size_t)i));
        break;
    case CORD_SHAPE_PLANE: return 0.5 * hypot(s->size[0], s->size[1]);
    }
    return reach;
}
