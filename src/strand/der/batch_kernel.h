/* Rods of equal shape, one in each lane (block/batch.h), over a lane type: parameters, cache, assembly, correction and
 * retraction. Joints are those of joint_kernel.h. */

/* Vectors in batch_lanes.own: the rods', then per vertex (with the edge after it), per joint of a vertex frame, per edge. */
enum {
    NAME(OF_STIFFEST) = 0, /* 12 EI of the stiffer direction */
    NAME(OF_TWISTING),
    NAME(OF_STRETCHING),
    NAME(OF_DAMPING),
    NAME(OF_DRAG),
    NAME(OF_QUADRATIC_DRAG),
    NAME(OF_LINE_DENSITY),
    NAME(OF_LENGTH_RATE),
    NAME(OF_MASS),      /* mean of the vertices */
    NAME(OF_STIFFNESS), /* of bending over a mean edge, 12 EI/l³ */
    NAME(OF_GRAVITY),
    NAME(OF_ROD) = NAME(OF_GRAVITY) + 3
};
enum { NAME(VERTEX_MASS), NAME(INERTIA), NAME(REST), NAME(INVERSE_REST), NAME(OF_VERTEX) };
enum { NAME(WEIGHT), NAME(NATURAL) = 3, NAME(OF_JOINT) = NAME(NATURAL) + STRAINS };
enum { NAME(T), NAME(INVERSE) = NAME(T) + 3, NAME(OF_EDGE) };

#include "strand/der/joint_strip.h"

/* The last joints, each at its vertex modulo their number: as many as a cache block needs. */
enum { NAME(RING) = 8 };
_Static_assert(NAME(RING) >= BATCH_GROUPS + 2, "a cache block needs the joints beside it");

/* Where they are. */
typedef struct NAME(rods) {
    const batch_lanes *b;
    const der *d; /* of the first lane, for the shape */
    double *rod, *vertex, *joint, *edge;
    NAME(strip_joint) * ring;
} NAME(rods);

INLINE NAME(rods) NAME(rods_of)(const batch_lanes *b)
{
    const der *d = b->model[0];
    NAME(rods) r = {.b = b, .d = d, .rod = b->own};
    r.vertex = r.rod + NAME(OF_ROD) * LANES;
    r.joint = r.vertex + (size_t)d->n * NAME(OF_VERTEX) * LANES;
    r.edge = r.joint + (size_t)(d->n + 2 * d->frame_count) * NAME(OF_JOINT) * LANES;
    const uintptr_t end = (uintptr_t)(r.edge + (size_t)d->edges * NAME(OF_EDGE) * LANES);
    const uintptr_t unit = _Alignof(NAME(strip_joint));
    r.ring = (NAME(strip_joint) *)((end + unit - 1) & ~(unit - 1));
    return r;
}

/* The joint at a vertex, −1 and the number of vertices included. */
INLINE NAME(strip_joint) * NAME(at_ring)(const NAME(rods) * r, int i)
{
    return r->ring + (i & (NAME(RING) - 1));
}
INLINE NAME(strip) NAME(strip_at)(const NAME(rods) * r, int i)
{
    return (NAME(strip)){{NAME(at_ring)(r, i - 1), NAME(at_ring)(r, i), NAME(at_ring)(r, i + 1)}};
}

INLINE REAL NAME(of_rod)(const NAME(rods) * r, int what)
{
    return NAME(load)(r->rod + what * LANES);
}
INLINE double *NAME(at_vertex)(const NAME(rods) * r, int i, int what)
{
    return r->vertex + (ptrdiff_t)(i * NAME(OF_VERTEX) * LANES) + what * LANES;
}
/* Joints at vertices; then those of vertex frames, before and after each. */
INLINE double *NAME(at_joint)(const NAME(rods) * r, int i, int what)
{
    return r->joint + (ptrdiff_t)(i * NAME(OF_JOINT) * LANES) + what * LANES;
}
INLINE double *NAME(at_edge)(const NAME(rods) * r, int j, int what)
{
    return r->edge + (ptrdiff_t)(j * NAME(OF_EDGE) * LANES) + what * LANES;
}
INLINE void NAME(load3)(REAL *to, const double *from)
{
    FOR3(k) to[k] = NAME(load)(from + k * LANES);
}
/* Three dofs of the trial's velocity, or one. */
INLINE REAL NAME(velocity)(const batch_lanes *b, int dof)
{
    return b->c_v * NAME(load)(b->d + dof * LANES) + NAME(load)(b->v_predictor + dof * LANES);
}
INLINE void NAME(velocity3)(const batch_lanes *b, int dof, REAL *to)
{
    FOR3(k) to[k] = NAME(velocity)(b, dof + k);
}
INLINE void NAME(store3)(double *to, const REAL *from)
{
    FOR3(k) NAME(store)(to + k * LANES, from[k]);
}

/* The vector of an edge. */
INLINE void NAME(edge_vector)(const NAME(rods) * r, int j, REAL *e)
{
    REAL from[3], to[3];
    NAME(load3)(from, r->b->q + 3 * j * LANES);
    NAME(load3)(to, r->b->q + 3 * (j + 1) * LANES);
    NAME(v3_sub)(e, to, from);
}

/* ---- parameters and cache ------------------------------------------------------------------------ */

INLINE void NAME(set_edge)(const NAME(rods) * r, int j, const REAL *e)
{
    REAL t[3], inverse = 1 / NAME(square_root)(NAME(v3_dot)(e, e));
    NAME(v3_scale)(t, inverse, e);
    NAME(store3)(NAME(at_edge)(r, j, NAME(T)), t);
    NAME(store)(NAME(at_edge)(r, j, NAME(INVERSE)), inverse);
}

INLINE void NAME(set_joint)(const NAME(rods) * r, int index, const NAME(joint_section) * section,
                            REAL bending_cell, REAL cell, const double *const *natural)
{
    double *to = NAME(at_joint)(r, index, NAME(WEIGHT));
    NAME(store)(to, section->bending[0] / bending_cell);
    NAME(store)(to + LANES, section->bending[1] / bending_cell);
    NAME(store)(to + 2 * LANES, 2 * section->twisting / cell);
    to = NAME(at_joint)(r, index, NAME(NATURAL));
    for (int a = r->d->isotropic ? STRAINS - 1 : 0; a < STRAINS; a++)
        NAME(store)(to + a * LANES, NAME(take)(natural, a));
}

INLINE void NAME(set_rod)(const NAME(rods) * r, int l, const der *d)
{
    const double stiffest = 12 * fmax(d->section.bending[0], d->section.bending[1]);
    const double edge = d->arc[d->edges] / d->edges;
    double *rod = r->rod + l;
    rod[NAME(OF_STIFFEST) * LANES] = stiffest;
    rod[NAME(OF_TWISTING) * LANES] = d->section.twisting;
    rod[NAME(OF_STRETCHING) * LANES] = d->section.stretching;
    rod[NAME(OF_DAMPING) * LANES] = d->damping;
    rod[NAME(OF_DRAG) * LANES] = d->drag;
    rod[NAME(OF_QUADRATIC_DRAG) * LANES] = d->quadratic_drag;
    rod[NAME(OF_LINE_DENSITY) * LANES] = d->section.mass;
    rod[NAME(OF_LENGTH_RATE) * LANES] = d->length_rate;
    rod[NAME(OF_MASS) * LANES] = d->section.mass * edge;
    rod[NAME(OF_STIFFNESS) * LANES] = stiffest / (edge * edge * edge);
}

INLINE void NAME(batch_set_environment)(const batch_lanes *b)
{
    const NAME(rods) r = NAME(rods_of)(b);
    for (int k = 0; k < 3; k++) FOR_LANES(l)
    r.rod[(NAME(OF_GRAVITY) + k) * LANES + l] = b->environment[l]->gravity[k];
}

INLINE void NAME(batch_begin)(const batch_lanes *b)
{
    const NAME(rods) r = NAME(rods_of)(b);
    const der *d[LANES];
    const double *mass[LANES], *inertia[LANES], *rest[LANES], *bending_cell[LANES], *cell[LANES],
        *natural[LANES];
    NAME(joint_section) section;
    FOR_LANES(l)
    {
        d[l] = b->model[l];
        mass[l] = d[l]->vertex_mass, inertia[l] = d[l]->edge_inertia, rest[l] = d[l]->rest;
        bending_cell[l] = d[l]->bending_cell, cell[l] = d[l]->cell;
        NAME(set_rod)(&r, l, d[l]);
        *NAME(lane)(section.bending, l) = d[l]->section.bending[0];
        *NAME(lane)(section.bending + 1, l) = d[l]->section.bending[1];
        *NAME(lane)(&section.twisting, l) = d[l]->section.twisting;
    }
    for (int i = 0; i < r.d->n; i++) {
        const int edge = i < r.d->edges ? i : r.d->edges - 1;
        REAL length = NAME(take)(rest, edge);
        NAME(store)(NAME(at_vertex)(&r, i, NAME(VERTEX_MASS)), NAME(take)(mass, i));
        NAME(store)(NAME(at_vertex)(&r, i, NAME(INERTIA)), NAME(take)(inertia, edge));
        NAME(store)(NAME(at_vertex)(&r, i, NAME(REST)), length);
        NAME(store)(NAME(at_vertex)(&r, i, NAME(INVERSE_REST)), 1 / length);
        if (!der_has_joint(r.d, i)) continue;
        FOR_LANES(l) natural[l] = d[l]->natural + STRAINS * i;
        NAME(set_joint)(&r, i, &section, NAME(take)(bending_cell, i), NAME(take)(cell, i), natural);
    }
    for (int p = 0; p < r.d->frame_count; p++)
        for (int side = 0; side < 2; side++) {
            const int i = r.d->frame[p].vertex;
            const int edge = side == 0 ? der_edge_before(r.d, i) : der_edge_after(r.d, i);
            REAL bending, twisting;
            if (edge < 0) continue;
            FOR_LANES(l)
            {
                const joint_cells cells = der_frame_cells(d[l], p, side, edge);
                *NAME(lane)(&bending, l) = cells.bending;
                *NAME(lane)(&twisting, l) = cells.twisting;
                natural[l] = d[l]->frame[p].natural[side];
            }
            NAME(set_joint)(&r, r.d->n + 2 * p + side, &section, bending, twisting, natural);
        }
    for (int j = 0; j < r.d->edges; j++) {
        REAL e[3];
        NAME(edge_vector)(&r, j, e);
        NAME(set_edge)(&r, j, e);
    }
}

/* ---- joints -------------------------------------------------------------------------------------- */

/* The frame of an edge, or of a vertex, on one side of a joint. */
INLINE void NAME(edge_side)(const NAME(rods) * r, int j, bool isotropic, int side, NAME(joint) * to)
{
    REAL *t = side ? to->f : to->e, *m1 = side ? to->m11 : to->m10, *m2 = side ? to->m21 : to->m20;
    NAME(load3)(t, NAME(at_edge)(r, j, NAME(T)));
    *(side ? &to->inverse_f : &to->inverse_e) = NAME(load)(NAME(at_edge)(r, j, NAME(INVERSE)));
    if (isotropic) return;
    NAME(load3)(m1, r->b->q + (der_m1_offset(r->d) + 3 * j) * LANES);
    NAME(v3_cross)(m2, t, m1);
    if (!(r->d->damping > 0)) return;
    REAL from[3], at[3];
    NAME(velocity3)(r->b, 4 * j, from);
    NAME(velocity3)(r->b, 4 * (j + 1), at);
    NAME(v3_sub)(to->rate[side], at, from);
    to->theta_rate[side] = NAME(velocity)(r->b, 4 * j + 3);
}

INLINE void NAME(frame_side)(const NAME(rods) * r, int p, bool isotropic, int side,
                             NAME(joint) * to)
{
    const double *frame = r->b->q + der_vertex_frame_offset(r->d, p) * LANES;
    REAL *t = side ? to->f : to->e, *m1 = side ? to->m11 : to->m10, *m2 = side ? to->m21 : to->m20;
    NAME(load3)(t, frame);
    *(side ? &to->inverse_f : &to->inverse_e) = NAME(broadcast)(1);
    if (isotropic) return;
    NAME(load3)(m1, frame + 3 * LANES);
    NAME(load3)(m2, frame + 6 * LANES);
    if (!(r->d->damping > 0)) return;
    REAL w[3];
    NAME(velocity3)(r->b, der_vertex_frame_dof(r->d, p), w);
    NAME(v3_cross)(to->rate[side], w, t);
    to->theta_rate[side] = NAME(v3_dot)(w, t);
}

/* A joint whose frames are set; `index`: of its parameters. */
INLINE void NAME(batch_joint)(const NAME(rods) * r, int index, bool isotropic, REAL twist,
                              NAME(joint) * j, NAME(joint_gradient) * g, NAME(joint_hessian) * h)
{
    const double *weight = NAME(at_joint)(r, index, NAME(WEIGHT));
    const double *natural = NAME(at_joint)(r, index, NAME(NATURAL));
    const REAL one = NAME(broadcast)(1);
    NAME(joint_eval)
    in = {.section = {.bending = {NAME(load)(weight), NAME(load)(weight + LANES)},
                      .twisting = 0.5 * NAME(load)(weight + 2 * LANES)},
          .form = &r->d->form,
          .c_k = 1,
          .c_v = r->b->c_v};
    j->bending_cell = j->cell = one; /* the weights have them */
    j->strain[4] = twist;
    j->natural[4] = NAME(load)(natural + 4 * LANES);
    if (isotropic) {
        NAME(joint_isotropic)(&in, j, g, h);
        return;
    }
    REAL k[3], chi = 1 + NAME(v3_dot)(j->e, j->f), x = 1 - 0.5 * chi;
    REAL p = 1 + x * (r->d->form.linear + x * r->d->form.quadratic);
    NAME(v3_cross)(k, j->e, j->f);
    NAME(v3_scale)(k, 2 * NAME(square_root)(p) / chi, k);
    j->strain[0] = NAME(v3_dot)(k, j->m10), j->strain[1] = NAME(v3_dot)(k, j->m20);
    j->strain[2] = NAME(v3_dot)(k, j->m11), j->strain[3] = NAME(v3_dot)(k, j->m21);
    UNROLLED
    for (int a = 0; a < 4; a++) j->natural[a] = NAME(load)(natural + a * LANES);
    in.section.damping = NAME(of_rod)(r, NAME(OF_DAMPING));
    in.section.damped = r->d->damping > 0;
    NAME(joint_general)(&in, j, g, h);
}

INLINE void NAME(clear_derivatives)(NAME(joint_gradient) * g, NAME(joint_hessian) * h)
{
    memset(g, 0, sizeof *g);
    if (h) memset(h, 0, sizeof *h);
}

/* The joints of a vertex frame, each with one edge; the frame is prescribed. */
INLINE void NAME(frame_joints)(const NAME(rods) * r, int i, bool isotropic,
                               NAME(joint_gradient) * g, NAME(joint_hessian) * h)
{
    const int p = r->d->frame_at[i];
    const double *frame = r->b->q + der_vertex_frame_offset(r->d, p) * LANES;
    NAME(joint) j;
    NAME(joint_gradient) of;
    NAME(joint_hessian) k;
    NAME(clear_derivatives)(g, h);
    for (int side = 0; side < 2; side++) {
        const int edge = side == 0 ? i - 1 : i;
        if (edge < 0 || edge >= r->d->edges) continue;
        NAME(edge_side)(r, edge, isotropic, side, &j);
        NAME(frame_side)(r, p, isotropic, 1 - side, &j);
        NAME(batch_joint)
        (r, r->d->n + 2 * p + side, isotropic, NAME(load)(frame + (9 + side) * LANES), &j, &of,
         h ? &k : NULL);
        memcpy(side ? g->f : g->e, side ? of.f : of.e, sizeof of.e);
        g->theta[side] = of.theta[side];
        if (!h) continue;
        memcpy(side ? h->ff : h->ee, side ? k.ff : k.ee, sizeof k.ee);
        if (side == 0)
            memcpy(h->te[0], k.te[0], sizeof *k.te);
        else
            memcpy(h->tf[1], k.tf[1], sizeof *k.tf);
        h->tt[2 * side] = k.tt[2 * side];
    }
}

/* Elastic: E = ½ EA ē (|e|/ē − 1)². */
INLINE void NAME(batch_stretching)(const NAME(rods) * r, int i, NAME(joint_gradient) * to,
                                   NAME(joint_hessian) * h)
{
    REAL e[3], t[3], EA = NAME(of_rod)(r, NAME(OF_STRETCHING)),
                     damping = NAME(of_rod)(r, NAME(OF_DAMPING));
    REAL inverse = NAME(load)(NAME(at_vertex)(r, i, NAME(INVERSE_REST)));
    NAME(edge_vector)(r, i, e);
    NAME(load3)(t, NAME(at_edge)(r, i, NAME(T)));
    REAL tension = EA * (NAME(v3_dot)(e, t) * inverse - 1);
    if (r->d->damping > 0) {
        REAL from[3], at[3], rate[3];
        NAME(velocity3)(r->b, 4 * i, from);
        NAME(velocity3)(r->b, 4 * (i + 1), at);
        NAME(v3_sub)(rate, at, from);
        tension += damping * EA * inverse * NAME(v3_dot)(t, rate);
    }
    NAME(v3_axpy)(to->f, tension, t);
    if (!h) return;
    REAL across = tension * NAME(load)(NAME(at_edge)(r, i, NAME(INVERSE)));
    REAL along = EA * inverse * (1 + damping * r->b->c_v) - across;
    FOR3(c) FOR3(s) h->ff[3 * c + s] += along * t[s] * t[c];
    FOR3(c) h->ff[4 * c] += across;
}

/* ---- vertices ------------------------------------------------------------------------------------ */

/* Drag of a vertex, as in elastic.c: f = −c w, w relative to the air; ∂(c w)/∂v = c + rotation w wᵀ. */
typedef struct NAME(drag) {
    REAL w[3], c, rotation;
} NAME(drag);

INLINE void NAME(subtract_wind)(const batch_lanes *b, int i, REAL *w)
{
    for (int l = 0; b->environment[0]->wind && l < LANES; l++) {
        const double *q = b->q + 3 * i * LANES + l, x[3] = {q[0], q[LANES], q[2 * LANES]};
        double air[3];
        cord__wind_at(b->environment[l]->wind, b->environment[l]->time, x, air);
        for (int k = 0; k < 3; k++) *NAME(lane)(w + k, l) -= air[k];
    }
}

INLINE NAME(drag) NAME(drag_of)(const NAME(rods) * r, int i)
{
    NAME(drag) d;
    REAL mass = NAME(load)(NAME(at_vertex)(r, i, NAME(VERTEX_MASS)));
    REAL length = mass / NAME(of_rod)(r, NAME(OF_LINE_DENSITY));
    REAL quadratic = length * NAME(of_rod)(r, NAME(OF_QUADRATIC_DRAG));
    NAME(velocity3)(r->b, 4 * i, d.w);
    NAME(subtract_wind)(r->b, i, d.w);
    REAL speed = NAME(square_root)(NAME(v3_dot)(d.w, d.w));
    d.c = length * NAME(of_rod)(r, NAME(OF_DRAG)) + quadratic * speed;
    d.rotation = NAME(select)(speed > 0, quadratic / speed, NAME(broadcast)(0));
    return d;
}

/* The gyroscopic force of an edge with rotary inertia, as assemble_spin() of elastic.c. */
INLINE void NAME(add_spin)(const NAME(rods) * r, int j, NAME(joint_gradient) * to)
{
    REAL from[3], at[3], t[3], force[3];
    REAL inverse = NAME(load)(NAME(at_edge)(r, j, NAME(INVERSE)));
    REAL inertia = NAME(load)(NAME(at_vertex)(r, j, NAME(INERTIA)));
    REAL size = inertia * NAME(velocity)(r->b, 4 * j + 3) * inverse * inverse;
    NAME(velocity3)(r->b, 4 * j, from);
    NAME(velocity3)(r->b, 4 * (j + 1), at);
    NAME(v3_sub)(at, at, from);
    NAME(load3)(t, NAME(at_edge)(r, j, NAME(T)));
    NAME(v3_cross)(force, t, at);
    NAME(v3_axpy)(to->f, -size, force);
}

/* The joint at vertex i and the edge after it. */
INLINE void NAME(evaluate_joint)(const NAME(rods) * r, int i, bool isotropic, bool matrix)
{
    NAME(strip_joint) *to = NAME(at_ring)(r, i);
    NAME(joint_gradient) *g = &to->gradient;
    NAME(joint_hessian) *h = matrix ? &to->hessian : NULL;
    REAL length = NAME(broadcast)(0), *row = to->length_row;
    FOR3(k) row[k] = length;
    if (i >= 0 && i < r->d->n && r->d->frame_at[i] >= 0) {
        NAME(frame_joints)(r, i, isotropic, g, h);
    } else if (i > 0 && i < r->d->edges) {
        NAME(joint) j;
        NAME(edge_side)(r, i - 1, isotropic, 0, &j);
        NAME(edge_side)(r, i, isotropic, 1, &j);
        NAME(batch_joint)
        (r, i, isotropic, NAME(load)(r->b->q + (der_twist_offset(r->d) + i) * LANES), &j, g, h);
    } else {
        NAME(clear_derivatives)(g, h);
    }
    if (i >= 0 && i < r->d->edges && r->d->inextensible) {
        const NAME(length_eval) with = {r->b->c_a, 1, NAME(of_rod)(r, NAME(OF_STIFFEST))};
        const double *vertex = NAME(at_vertex)(r, i, 0);
        REAL e[3], lambda = NAME(load)(r->b->lambda + i * LANES);
        NAME(edge_vector)(r, i, e);
        length = NAME(length_row)(
            &with, e, NAME(v3_dot)(e, e), NAME(load)(vertex + NAME(INVERSE_REST) * LANES),
            NAME(load)(vertex + NAME(REST) * LANES), NAME(load)(vertex + NAME(VERTEX_MASS) * LANES),
            lambda, g, h, row);
    } else if (i >= 0 && i < r->d->edges) {
        NAME(batch_stretching)(r, i, g, h);
    }
    if (i >= 0 && i < r->d->edges && r->d->dynamic_twist) NAME(add_spin)(r, i, g);
    to->length = length;
}

/* ---- assembly ------------------------------------------------------------------------------------ */

/* Columns of vertex i: all rows of the front. */
INLINE void NAME(batch_columns)(const NAME(rods) * r, const NAME(strip) * with, int pitch, int i,
                                double *to)
{
    const int front = 2 * pitch + 3, theta = pitch - 1;
    const double *vertex = NAME(at_vertex)(r, i, 0);
    const REAL zero = NAME(broadcast)(0);
    REAL mass = r->b->c_a * NAME(load)(vertex + NAME(VERTEX_MASS) * LANES), column[13];
    FOR3(c)
    {
        NAME(gather_x_column)(with, pitch, 0, c, mass, column);
        UNROLLED
        for (int s = c; s < front; s++) NAME(store)(to + (c * front + s) * LANES, column[s - c]);
    }
    if (has_drag(r->d)) {
        const NAME(drag) drag = NAME(drag_of)(r, i);
        FOR3(c)
        UNROLLED
        for (int s = c; s < 3; s++) {
            double *entry = to + (c * front + s) * LANES;
            REAL rate = drag.rotation * drag.w[c] * drag.w[s];
            if (s == c) rate += drag.c;
            NAME(store)(entry, NAME(load)(entry) + r->b->c_v * rate);
        }
    }
    if (pitch == 5) { /* the proximal term of rows, over a typical diagonal entry */
        REAL typical =
            r->b->c_a * NAME(of_rod)(r, NAME(OF_MASS)) + NAME(of_rod)(r, NAME(OF_STIFFNESS));
        NAME(store)(to + (3 * front + 3) * LANES, -ROW_PROXIMAL / typical);
        UNROLLED
        for (int s = 4; s < front; s++) NAME(store)(to + (3 * front + s) * LANES, zero);
    }
    UNROLLED
    for (int s = 0; s < 9; s++) column[s] = zero;
    if (i < r->d->edges) {
        /* as in gather_columns() of assembly.h */
        REAL stiffness =
            NAME(of_rod)(r, NAME(OF_TWISTING)) * NAME(load)(vertex + NAME(INVERSE_REST) * LANES);
        REAL inertia = r->b->c_a * NAME(load)(vertex + NAME(INERTIA) * LANES);
        NAME(gather_theta_column)(with, pitch, 0, inertia, 1e-10 * stiffness, column);
    } else {
        column[0] = NAME(broadcast)(1); /* the last vertex has no angle */
    }
    UNROLLED
    for (int s = theta; s < front; s++)
        NAME(store)(to + (theta * front + s) * LANES, column[s - theta]);
}

/* −r of vertex i, and −g of the edge before it. */
INLINE void NAME(batch_residual)(const NAME(rods) * r, const NAME(strip) * with, int pitch, int i)
{
    const double *vertex = NAME(at_vertex)(r, i, 0);
    const double *d = r->b->d + 4 * i * LANES, *a = r->b->a_predictor + 4 * i * LANES;
    double *to = r->b->rhs + i * pitch * LANES;
    REAL sum[4], mass = NAME(load)(vertex + NAME(VERTEX_MASS) * LANES);
    NAME(gather_force)(with, 0, sum);
    FOR3(c)
    {
        REAL field = NAME(of_rod)(r, NAME(OF_GRAVITY) + c);
        REAL own = r->b->c_a * NAME(load)(d + c * LANES) + NAME(load)(a + c * LANES);
        NAME(store)(to + c * LANES, -(sum[c] + mass * (own - field)));
    }
    if (pitch == 5) NAME(store)(to + 3 * LANES, -with->joint[0]->length);
    if (has_drag(r->d)) {
        const NAME(drag) drag = NAME(drag_of)(r, i);
        FOR3(c)
        NAME(store)(to + c * LANES, NAME(load)(to + c * LANES) - drag.c * drag.w[c]);
    }
    REAL spin = NAME(broadcast)(0);
    if (i < r->d->edges) {
        REAL own = r->b->c_a * NAME(load)(d + 3 * LANES) + NAME(load)(a + 3 * LANES);
        spin = -(sum[3] + NAME(load)(vertex + NAME(INERTIA) * LANES) * own);
    }
    NAME(store)(to + (pitch - 1) * LANES, spin);
}

INLINE void NAME(assemble_rods)(const NAME(rods) * r, bool isotropic, int first, int count,
                                double *columns)
{
    const int pitch = der_pitch(r->d);
    for (int i = first == 0 ? -1 : first + 1; i <= first + count; i++)
        NAME(evaluate_joint)(r, i, isotropic, columns != NULL);
    for (int k = 0; k < count; k++) {
        const NAME(strip) s = NAME(strip_at)(r, first + k);
        if (pitch == 5)
            NAME(batch_residual)(r, &s, 5, first + k);
        else
            NAME(batch_residual)(r, &s, 4, first + k);
        if (!columns) continue;
        if (pitch == 5)
            NAME(batch_columns)(r, &s, 5, first + k, columns + k * 5 * 13 * LANES);
        else
            NAME(batch_columns)(r, &s, 4, first + k, columns + k * 4 * 11 * LANES);
    }
}

INLINE void NAME(batch_assemble)(const batch_lanes *b, int first, int count, double *columns)
{
    const NAME(rods) r = NAME(rods_of)(b);
    if (r.d->isotropic) {
        if (columns)
            NAME(assemble_rods)(&r, true, first, count, columns);
        else
            NAME(assemble_rods)(&r, true, first, count, NULL);
    } else {
        if (columns)
            NAME(assemble_rods)(&r, false, first, count, columns);
        else
            NAME(assemble_rods)(&r, false, first, count, NULL);
    }
}

/* ---- the correction ------------------------------------------------------------------------------ */

INLINE void NAME(batch_measure)(const batch_lanes *b, batch_size *size)
{
    const NAME(rods) r = NAME(rods_of)(b);
    const int pitch = der_pitch(r.d);
    REAL zero = NAME(broadcast)(0), largest = zero, angle = zero, spin = zero, row = zero;
    NAME(bits) finite = zero == zero;
    for (int i = 0; i < r.d->n; i++) {
        const double *x = b->x + i * pitch * LANES, *vertex = NAME(at_vertex)(&r, i, 0);
        REAL at[3], w[3], own = zero, inverse = NAME(load)(vertex + NAME(INVERSE_REST) * LANES);
        NAME(load3)(at, x);
        FOR3(c) own = NAME(largest)(own, NAME(absolute)(at[c]));
        REAL sum = at[0] + at[1] + at[2];
        largest = NAME(largest)(largest, own * inverse);
        if (i < r.d->edges) {
            REAL next[3], theta = NAME(load)(x + (pitch - 1) * LANES), e;
            REAL by = NAME(absolute)(theta);
            sum += theta;
            NAME(load3)(next, x + pitch * LANES);
            NAME(v3_sub)(w, next, at);
            e = NAME(load)(NAME(at_edge)(&r, i, NAME(INVERSE)));
            angle = NAME(largest)(angle, NAME(v3_dot)(w, w) * (e * e));
            spin = NAME(largest)(spin, by);
            if (!r.d->dynamic_twist) { /* a dof without inertia counts by its residual, newton.c */
                REAL residual =
                    NAME(absolute)(NAME(load)(b->rhs + (i * pitch + pitch - 1) * LANES));
                REAL stiffness = NAME(of_rod)(&r, NAME(OF_TWISTING)) * inverse;
                by = NAME(smallest)(by, residual / stiffness);
            }
            largest = NAME(largest)(largest, by);
        }
        if (pitch == 5 && i > 0) {
            REAL g = NAME(load)(b->rhs + (i * pitch + 3) * LANES);
            REAL before = NAME(load)(NAME(at_vertex)(&r, i - 1, NAME(INVERSE_REST)));
            row = NAME(largest)(row, NAME(absolute)(2 * g * before));
        }
        finite &= NAME(absolute)(sum) < INFINITY;
    }
    for (int l = 0; l < LANES; l++) {
        size->largest[l] = finite[l] ? largest[l] : NAN;
        size->nonlinearity[l] = fmax(sqrt(angle[l]) / 0.7, spin[l]);
        size->row_error[l] = row[l];
    }
}

/* ---- motion -------------------------------------------------------------------------------------- */

/* The twists of a prescribed vertex frame that has not moved, against the edge before (side 0) or after it. */
INLINE void NAME(follow_frame)(const NAME(rods) * r, int p, int side, const REAL *t, const REAL *m,
                               REAL by, NAME(bits) moving)
{
    double *frame = r->b->q + der_vertex_frame_offset(r->d, p) * LANES;
    double *twist = frame + (9 + side) * LANES;
    REAL t_frame[3], m_frame[3], old = NAME(load)(twist), angle;
    NAME(load3)(t_frame, frame);
    NAME(load3)(m_frame, frame + 3 * LANES);
    if (side == 0)
        angle = NAME(twist_near)(t, m, t_frame, m_frame, old - by);
    else
        angle = NAME(twist_near)(t_frame, m_frame, t, m, old + by);
    NAME(store)(twist, NAME(select)(moving, angle, old));
}

/* Edges that are moved together: pass by pass, so that the operations of several overlap. */
enum { NAME(EDGES) = 8 };

/* Edges at index 1 and on, and the one before them. */
typedef struct NAME(moved_edges) {
    REAL t_old[NAME(EDGES) + 1][3], t[NAME(EDGES) + 1][3], m[NAME(EDGES) + 1][3];
    REAL by[NAME(EDGES) + 1]; /* rotation about the tangent */
} NAME(moved_edges);

/* What moves: x scaled by a fraction, in some lanes; x is finite there and in lanes that have settled. */
typedef struct NAME(motion) {
    NAME(bits) moving;
    bool all;             /* lanes move */
    REAL fraction, whole; /* 0 in other lanes; whole: 1 */
} NAME(motion);

INLINE NAME(motion) NAME(motion_of)(unsigned set, const double *fraction)
{
    NAME(motion) m = {.all = true, .fraction = NAME(broadcast)(0), .whole = NAME(broadcast)(0)};
    FOR_LANES(l)
    {
        m.moving[l] = set & 1u << l ? -1 : 0;
        m.all = m.all && set & 1u << l;
        if (!(set & 1u << l)) continue;
        *NAME(lane)(&m.fraction, l) = fraction[l];
        *NAME(lane)(&m.whole, l) = 1;
    }
    return m;
}

INLINE REAL NAME(increment)(const NAME(motion) * m, const double *x)
{
    return m->fraction * NAME(load)(x);
}

INLINE void NAME(move_vertex)(const NAME(rods) * r, const NAME(motion) * m, int pitch, int i,
                              REAL *to)
{
    const double *x = r->b->x + i * pitch * LANES;
    double *q = r->b->q + 3 * i * LANES, *d = r->b->d + 4 * i * LANES;
    FOR3(c)
    {
        REAL by = NAME(increment)(m, x + c * LANES);
        to[c] = NAME(load)(q + c * LANES) + by;
        NAME(store)(q + c * LANES, to[c]);
        NAME(store)(d + c * LANES, NAME(load)(d + c * LANES) + by);
    }
}

/* Vertex j + 1, the multiplier and the angle of edge j, and its tangent; `at`: vertex j, and then the next. */
INLINE void NAME(move_edge)(const NAME(rods) * r, const NAME(motion) * m, int pitch, int j,
                            REAL at[3], int k, NAME(moved_edges) * to)
{
    const double *x = r->b->x + j * pitch * LANES;
    double *spin = r->b->d + (4 * j + 3) * LANES, *lambda = r->b->lambda + j * LANES;
    REAL next[3], e[3];
    NAME(move_vertex)(r, m, pitch, j + 1, next);
    to->by[k] = NAME(increment)(m, x + (pitch - 1) * LANES);
    NAME(store)(spin, NAME(load)(spin) + to->by[k]);
    if (pitch == 5) {
        NAME(store)(lambda, NAME(load)(lambda) - m->whole * NAME(load)(x + (5 + 3) * LANES));
    }
    NAME(load3)(to->t_old[k], NAME(at_edge)(r, j, NAME(T)));
    NAME(v3_sub)(e, next, at);
    NAME(set_edge)(r, j, e);
    NAME(load3)(to->t[k], NAME(at_edge)(r, j, NAME(T)));
    FOR3(c) at[c] = next[c];
}

/* The directors of `count` edges from `first` on, from `own` there. */
INLINE void NAME(move_directors)(const NAME(motion) * m, double *own, int count,
                                 NAME(moved_edges) * of)
{
    const REAL zero = NAME(broadcast)(0);
    NAME(bits) small = zero == zero;
    for (int k = 1; k <= count; k++) {
        NAME(load3)(of->m[k], own + 3 * (k - 1) * LANES);
        small &= NAME(rotate_with_little)(of->m[k], of->t_old[k], of->t[k], of->by[k]);
    }
    for (int k = 1; k <= count && !NAME(all)(small); k++) {
        NAME(load3)(of->m[k], own + 3 * (k - 1) * LANES);
        NAME(rotate_with)(of->m[k], of->t_old[k], of->t[k], of->by[k]);
    }
    for (int k = 1; k <= count; k++) {
        REAL old[3];
        NAME(load3)(old, own + 3 * (k - 1) * LANES);
        if (!m->all) FOR3(c) of->m[k][c] = NAME(select)(m->moving, of->m[k][c], old[c]);
        NAME(store3)(own + 3 * (k - 1) * LANES, of->m[k]);
    }
}

/* The twists at the first vertices of the edges at index `from` and on, from `own` there. */
INLINE void NAME(move_twists)(const NAME(motion) * m, double *own, int from, int count,
                              const NAME(moved_edges) * of)
{
    const REAL zero = NAME(broadcast)(0);
    REAL angle[NAME(EDGES) + 1];
    NAME(bits) small = zero == zero;
    for (int k = from; k <= count; k++) {
        REAL near = NAME(load)(own + (k - 1) * LANES) + of->by[k] - of->by[k - 1];
        small &=
            NAME(twist_little)(of->t[k - 1], of->m[k - 1], of->t[k], of->m[k], near, angle + k);
    }
    for (int k = from; k <= count && !NAME(all)(small); k++) {
        REAL near = NAME(load)(own + (k - 1) * LANES) + of->by[k] - of->by[k - 1];
        angle[k] = NAME(twist_near)(of->t[k - 1], of->m[k - 1], of->t[k], of->m[k], near);
    }
    for (int k = from; k <= count; k++) {
        double *twist = own + (k - 1) * LANES;
        if (!m->all) angle[k] = NAME(select)(m->moving, angle[k], NAME(load)(twist));
        NAME(store)(twist, angle[k]);
    }
}

/* The twists at the vertex frames, after the edges beside them have moved. */
INLINE void NAME(follow_frames)(const NAME(rods) * r, const NAME(motion) * m, int pitch)
{
    for (int p = 0; p < r->d->frame_count; p++)
        for (int side = 0; side < 2; side++) {
            const int j = r->d->frame[p].vertex - 1 + side;
            REAL t[3], m1[3];
            if (j < 0 || j >= r->d->edges) continue;
            NAME(load3)(t, NAME(at_edge)(r, j, NAME(T)));
            NAME(load3)(m1, r->b->q + (der_m1_offset(r->d) + 3 * j) * LANES);
            const double *x = r->b->x + (j * pitch + pitch - 1) * LANES;
            NAME(follow_frame)(r, p, side, t, m1, NAME(increment)(m, x), m->moving);
        }
}

INLINE void NAME(move_rods)(const batch_lanes *b, int pitch, unsigned set, const double *fraction)
{
    const NAME(rods) r = NAME(rods_of)(b);
    const NAME(motion) m = NAME(motion_of)(set, fraction);
    double *m1 = b->q + der_m1_offset(r.d) * LANES, *twist = b->q + der_twist_offset(r.d) * LANES;
    NAME(moved_edges) of;
    REAL at[3];
    NAME(move_vertex)(&r, &m, pitch, 0, at);
    for (int first = 0; first < r.d->edges; first += NAME(EDGES)) {
        const int left = r.d->edges - first, count = left < NAME(EDGES) ? left : NAME(EDGES);
        for (int k = 1; k <= count; k++) NAME(move_edge)(&r, &m, pitch, first + k - 1, at, k, &of);
        NAME(move_directors)(&m, m1 + 3 * first * LANES, count, &of);
        NAME(move_twists)(&m, twist + first * LANES, first == 0 ? 2 : 1, count, &of);
        FOR3(c) of.t[0][c] = of.t[count][c], of.m[0][c] = of.m[count][c];
        of.by[0] = of.by[count];
    }
    NAME(follow_frames)(&r, &m, pitch);
}

INLINE void NAME(batch_move)(const batch_lanes *b, unsigned set, const double *fraction)
{
    if (der_pitch(b->model[0]) == 5)
        NAME(move_rods)(b, 5, set, fraction);
    else
        NAME(move_rods)(b, 4, set, fraction);
}

INLINE void NAME(batch_row_rates)(const batch_lanes *b)
{
    const NAME(rods) r = NAME(rods_of)(b);
    const REAL half_rate = 0.5 * NAME(of_rod)(&r, NAME(OF_LENGTH_RATE));
    const int pitch = der_pitch(r.d);
    memset(b->rhs, 0, (size_t)(r.d->n * pitch * LANES) * sizeof(double));
    for (int j = 0; pitch == 5 && j < r.d->edges; j++) {
        const REAL rest = NAME(load)(NAME(at_vertex)(&r, j, NAME(REST)));
        const REAL inverse = NAME(load)(NAME(at_vertex)(&r, j, NAME(INVERSE_REST)));
        REAL from[3], to[3], e[3];
        NAME(load3)(from, b->v + 4 * j * LANES);
        NAME(load3)(to, b->v + 4 * (j + 1) * LANES);
        NAME(edge_vector)(&r, j, e);
        NAME(v3_sub)(to, to, from);
        /* and the drift of the rows, as cord__der_row_drift() */
        const REAL drift = half_rate * (NAME(v3_dot)(e, e) * inverse + rest);
        NAME(store)
        (b->rhs + (5 * (j + 1) + 3) * LANES, drift - NAME(v3_dot)(e, to) * inverse);
    }
}
#undef JOINT
