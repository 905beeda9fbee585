/* Discrete elastic rods: update of the configuration (retraction), and the edge geometry that all
 * joints use. */
#include "curve/transport.h"
#include "math/rotation.h"
#include "math/vec3.h"
#include "strand/der/der.h"
#include "strand/der/joint.h"

#include <string.h>

static void edge_tangent(const der *d, const double *x, int j, double *t)
{
    double e[3];
    v3_sub(e, x + 3 * der_next(d, j), x + 3 * j);
    v3_normalize(t, e);
}

/* The twist of a joint is continuous in time: of all branches (multiples of 2π) the one nearest to
 * the old twist plus the difference of the rotation angles of the two frames. */
static void update_twist(const der *d, double *q, const double *increment, int i,
                         const double *t_before, const double *t_after)
{
    if (!der_has_joint(d, i)) return;
    const double *m1 = der_m1(d, q);
    double *twist = q + der_twist_offset(d) + i;
    int before = der_edge_before(d, i);
    double offset = i == 0 ? *der_closing(d, q) : 0; /* only a closed rod has a joint there */
    double near = *twist + increment[4 * i + 3] - increment[4 * before + 3] - offset;
    *twist = offset + transport_angle_near(t_before, m1 + 3 * before, t_after, m1 + 3 * i, near);
}

/* A vertex frame rotates by w; the frames of the adjacent edges have rotated by their angles. */
static void rotate_frame(const der *d, double *q, int p, const double *w, double by_before,
                         double by_after)
{
    int i = d->frame[p].vertex, before = der_edge_before(d, i), after = der_edge_after(d, i);
    const double *m1 = der_m1(d, q);
    double *frame = q + der_vertex_frame_offset(d, p), t[3];
    double own = v3_dot(w, frame);
    if (w[0] != 0 || w[1] != 0 || w[2] != 0) {
        double rotation[9];
        cord__rotation_exp(rotation, w);
        for (int c = 0; c < 3; c++) m3_apply(frame + 3 * c, rotation, frame + 3 * c);
        cord__rotation_orthonormalise(frame);
    }
    if (before >= 0) {
        edge_tangent(d, q, before, t);
        frame[9] =
            transport_angle_near(t, m1 + 3 * before, frame, frame + 3, frame[9] + own - by_before);
    }
    if (after >= 0) {
        edge_tangent(d, q, after, t);
        frame[10] =
            transport_angle_near(frame, frame + 3, t, m1 + 3 * after, frame[10] + by_after - own);
    }
}

static void retract_frame(const der *d, double *q, const double *increment, int p)
{
    int i = d->frame[p].vertex, before = der_edge_before(d, i), after = der_edge_after(d, i);
    rotate_frame(d, q, p, increment + der_vertex_frame_dof(d, p),
                 before >= 0 ? increment[4 * before + 3] : 0,
                 after >= 0 ? increment[4 * after + 3] : 0);
}

void cord__der_rotate_frame(const void *model, double *q, int unit, const double w[3])
{
    const der *d = model;
    rotate_frame(d, q, (unit - der_main_dofs(d)) / 3, w, 0, 0);
}

void cord__der_shift(const void *model, const double *from, const double *increment, double *q)
{
    const der *d = model;
    for (int i = 0; i < d->n; i++) v3_add(q + 3 * i, from + 3 * i, increment + 4 * i);
}

#define LANES 4
#define NAME(name) name##_4
#include "math/lane_type.h"
#include "strand/der/frame_kernel.h"
#include "strand/der/refresh.h"
#include "strand/der/retract.h"
#undef LANES
#undef NAME

INLINE void retract(const void *model, double *q, const double *increment)
{
    const der *d = model;
    move_rod_4(d, q, increment);
    if (d->closed) {
        double last[3], first[3];
        edge_tangent(d, q, d->edges - 1, last);
        edge_tangent(d, q, 0, first);
        update_twist(d, q, increment, 0, last, first);
    }
    for (int p = 0; p < d->frame_count; p++) retract_frame(d, q, increment, p);
}

/* q ⊕ d: vertices are added to; frames and twists follow. */
MULTIVERSION_AVX2(cord__der_retract, retract,
                  (const void *model, double *q, const double *increment), (model, q, increment))

MULTIVERSION_RETURNING(double, cord__der_nonlinearity, nonlinearity_4,
                       (const void *model, const double *cache, const double *increment),
                       (model, cache, increment))

/* Strains of the joint between the frames (t, m1, m2) 0 and 1: ε = (k·m1⁰, k·m2⁰, k·m1¹, k·m2¹,
 * twist) [DER 2008, eq. 2, with the components of the curvature vector k itself, not rotated by
 * 90°]; see joint.h. */
static void joint_strains(const der *d, const double *t0, const double *m10, const double *m20,
                          const double *t1, const double *m11, const double *m21, double twist,
                          double *strain)
{
    double k[3];
    v3_cross(k, t0, t1);
    v3_scale(k, curvature_scale(&d->form, 1 + v3_dot(t0, t1)), k);
    strain[0] = v3_dot(k, m10), strain[1] = v3_dot(k, m20);
    strain[2] = v3_dot(k, m11), strain[3] = v3_dot(k, m21);
    strain[4] = twist;
}

void cord__der_joint_strains(const der *d, const double *frame0, const double *frame1, double twist,
                             double *strain)
{
    joint_strains(d, frame0, frame0 + 3, frame0 + 6, frame1, frame1 + 3, frame1 + 6, twist, strain);
}

/* Whether all of LANES vertices from i on have a joint, with the edge before and the edge of the same number. */
static bool are_joints(const der *d, int i, int count)
{
    bool all = i > 0 && i + count <= d->edges;
    for (int k = i; all && k < i + count; k++) all = der_has_joint(d, k);
    return all;
}

INLINE void strains_of(const der *d, const double *q, double *cache)
{
    const der_edge *edge = der_edges(cache);
    double *strain = cache + der_strain_offset(d),
           *frame_strain = cache + der_vertex_frame_strain_offset(d);
    const double *twist = der_twist(d, q);
    for (int i = 0; i < d->n;) {
        if (are_joints(d, i, 4)) {
            refresh_strains_4(d, q, i, cache);
            i += 4;
            continue;
        }
        double *own = strain + STRAINS * i;
        if (der_has_joint(d, i)) {
            const der_edge *e = edge + der_edge_before(d, i), *f = edge + i;
            joint_strains(d, e->t, e->m1, e->m2, f->t, f->m1, f->m2, twist[i], own);
        } else {
            memset(own, 0, STRAINS * sizeof *own);
        }
        i++;
    }
    for (int p = 0; p < d->frame_count; p++, frame_strain += 2 * STRAINS) {
        const double *frame = der_vertex_frame_q(d, q, p);
        int i = d->frame[p].vertex, before = der_edge_before(d, i), after = der_edge_after(d, i);
        memset(frame_strain, 0, 2 * STRAINS * sizeof *frame_strain);
        if (before >= 0) {
            const der_edge *e = edge + before;
            joint_strains(d, e->t, e->m1, e->m2, frame, frame + 3, frame + 6, frame[9],
                          frame_strain);
        }
        if (after >= 0) {
            const der_edge *f = edge + after;
            joint_strains(d, frame, frame + 3, frame + 6, f->t, f->m1, f->m2, frame[10],
                          frame_strain + STRAINS);
        }
    }
}

MULTIVERSION_AVX2(cord__der_strains_of, strains_of, (const der *d, const double *q, double *cache),
                  (d, q, cache))

INLINE void refresh_rows(const void *model, const double *q, double *cache)
{
    refresh_rows_4(model, q, cache);
}

MULTIVERSION_AVX2(cord__der_refresh_rows, refresh_rows,
                  (const void *model, const double *q, double *cache), (model, q, cache))

void cord__der_refresh(const void *model, const double *q, double *cache)
{
    cord__der_refresh_rows(model, q, cache);
    cord__der_strains_of(model, q, cache);
}
