/* Discrete elastic rods: moving the configuration, and what every joint needs of its edges. */
#include "curve/transport.h"
#include "math/rotation.h"
#include "math/vec3.h"
#include "strand/der.h"
#include "strand/der_joint.h"

#include <string.h>

static void edge_tangent(const der *d, const double *x, int j, double *t)
{
    double e[3];
    v3_sub(e, x + 3 * der_next(d, j), x + 3 * j);
    v3_normalize(t, e);
}

/* The twist of a joint follows its frames continuously: the branch is the one nearest to the old
 * twist plus the difference of the angles by which the two frames were turned. */
static void update_twist(const der *d, double *q, const double *increment, int i,
                         const double *t_before, const double *t_after)
{
    if (!der_has_joint(d, i)) return;
    const double *m1 = der_m1(d, q);
    double *twist = der_twist(d, q) + i;
    int before = der_edge_before(d, i);
    double offset = i == 0 ? *der_closing(d, q) : 0; /* only a closed rod has a joint there */
    double near = *twist + increment[4 * i + 3] - increment[4 * before + 3] - offset;
    *twist = offset + transport_angle_near(t_before, m1 + 3 * before, t_after, m1 + 3 * i, near);
}

static void retract_port(const der *d, double *q, const double *increment, int p)
{
    int i = d->port[p].vertex, before = der_edge_before(d, i), after = der_edge_after(d, i);
    const double *m1 = der_m1(d, q), *w = increment + der_port_column(d, p);
    double *frame = der_port_q(d, q, p), t[3];
    double own = v3_dot(w, frame);
    if (w[0] != 0 || w[1] != 0 || w[2] != 0) {
        double rotation[9];
        cord__rotation_exp(rotation, w);
        for (int c = 0; c < 3; c++) m3_apply(frame + 3 * c, rotation, frame + 3 * c);
        cord__rotation_orthonormalise(frame);
    }
    if (before >= 0) {
        edge_tangent(d, q, before, t);
        frame[9] = transport_angle_near(t, m1 + 3 * before, frame, frame + 3,
                                        frame[9] + own - increment[4 * before + 3]);
    }
    if (after >= 0) {
        edge_tangent(d, q, after, t);
        frame[10] = transport_angle_near(frame, frame + 3, t, m1 + 3 * after,
                                         frame[10] + increment[4 * after + 3] - own);
    }
}

/* q ⊕ d: vertices are added to; frames are carried along by parallel transport in time
 * [DER 2008, 4.2.2 "Bishop frame update"] and turned by their angle. One pass: the old place of
 * the vertex ahead is kept until the edge that needs it is done. */
void cord__der_retract(const void *model, double *q, const double *increment)
{
    const der *d = model;
    double *x = q, *m1 = der_m1(d, q);
    double first[3], first_tangent[3] = {0, 0, 0}, behind[3], t_before[3] = {0, 0, 0};
    v3_copy(first, x);
    v3_copy(behind, x);
    v3_add(x, x, increment);
    for (int j = 0; j < d->edges; j++) {
        double e[3], ahead[3], t_old[3], t[3];
        int next = der_next(d, j);
        v3_copy(ahead, next ? x + 3 * next : first);
        if (next) v3_add(x + 3 * next, x + 3 * next, increment + 4 * next);
        v3_sub(e, ahead, behind);
        v3_normalize(t_old, e);
        edge_tangent(d, x, j, t);
        transport(m1 + 3 * j, t_old, t, m1 + 3 * j);
        turn_about(m1 + 3 * j, t, increment[4 * j + 3]);
        if (j > 0) {
            update_twist(d, q, increment, j, t_before, t);
        } else {
            v3_copy(first_tangent, t);
        }
        v3_copy(behind, ahead);
        v3_copy(t_before, t);
    }
    if (d->closed) update_twist(d, q, increment, 0, t_before, first_tangent);
    for (int p = 0; p < d->port_count; p++) retract_port(d, q, increment, p);
}

static void edge_refresh(der_edge *edge, const double *x0, const double *x1, const double *m1)
{
    v3_sub(edge->e, x1, x0);
    edge->length = v3_norm(edge->e);
    edge->inverse = 1 / edge->length;
    v3_scale(edge->t, edge->inverse, edge->e);
    v3_copy(edge->m1, m1);
    v3_cross(edge->m2, edge->t, m1);
}

/* Strains of the joint between frames (t, m1, m2) 0 and 1 [DER 2008, eq. 2, with the curvature
 * vector itself rather than its quarter turn]; see der_joint.h. */
static void joint_strains(const der *d, const double *t0, const double *m10, const double *m20,
                          const double *t1, const double *m11, const double *m21, double twist,
                          double *strain)
{
    double k[3];
    v3_cross(k, t0, t1);
    v3_scale(k, curvature_scale(d->sine, 1 + v3_dot(t0, t1)), k);
    strain[0] = v3_dot(k, m10), strain[1] = v3_dot(k, m20);
    strain[2] = v3_dot(k, m11), strain[3] = v3_dot(k, m21);
    strain[4] = twist;
}

void cord__der_joint_strains(const der *d, const double *frame0, const double *frame1, double twist,
                             double *strain)
{
    joint_strains(d, frame0, frame0 + 3, frame0 + 6, frame1, frame1 + 3, frame1 + 6, twist, strain);
}

void cord__der_strains_of(const der *d, const double *q, double *cache)
{
    const der_edge *edge = der_edges(cache);
    double *strain = der_strains(d, cache), *port_strain = der_port_strains(d, cache);
    const double *twist = der_twist(d, (double *)q);
    for (int i = 0; i < d->n; i++, strain += STRAINS) {
        if (!der_has_joint(d, i)) {
            memset(strain, 0, STRAINS * sizeof *strain);
            continue;
        }
        const der_edge *e = edge + der_edge_before(d, i), *f = edge + i;
        joint_strains(d, e->t, e->m1, e->m2, f->t, f->m1, f->m2, twist[i], strain);
    }
    for (int p = 0; p < d->port_count; p++, port_strain += 2 * STRAINS) {
        const double *port = der_port_q(d, (double *)q, p);
        int i = d->port[p].vertex, before = der_edge_before(d, i), after = der_edge_after(d, i);
        memset(port_strain, 0, 2 * STRAINS * sizeof *port_strain);
        if (before >= 0) {
            const der_edge *e = edge + before;
            joint_strains(d, e->t, e->m1, e->m2, port, port + 3, port + 6, port[9], port_strain);
        }
        if (after >= 0) {
            const der_edge *f = edge + after;
            joint_strains(d, port, port + 3, port + 6, f->t, f->m1, f->m2, port[10],
                          port_strain + STRAINS);
        }
    }
}

void cord__der_refresh(const void *model, const double *q, double *cache)
{
    const der *d = model;
    const double *m1 = der_m1(d, (double *)q);
    der_edge *edge = der_edges(cache);
    for (int j = 0; j < d->edges; j++)
        edge_refresh(edge + j, q + 3 * j, q + 3 * der_next(d, j), m1 + 3 * j);
    cord__der_strains_of(d, q, cache);
}
