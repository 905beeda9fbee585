/* Construction of a chain from a definition. */
#include "curve/darboux.h"
#include "curve/fit.h"
#include "curve/transport.h"
#include "math/rotation.h"
#include "math/vec3.h"
#include "strand/chain/chain.h"

#include <stdio.h>
#include <string.h>

typedef struct creation {
    const cord_strand_def *def;
    memory *m;
    chain_model *c;
    char *why;
    size_t size;
} creation;

static cord_status refuse(const creation *a, cord_status status, const char *why)
{
    if (a->size) snprintf(a->why, a->size, "%s", why);
    return status;
}

static cord_status check_definition(const creation *a)
{
    const cord_strand_def *d = a->def;
    int n = d->element_count;
    if (d->closed)
        return refuse(a, CORD_ERROR_UNSUPPORTED,
                      "a chain is open; close it by constraints between its ends (coincide, align, "
                      "curvature)");
    if (d->vertex_count < 2)
        return refuse(a, CORD_ERROR_ARGUMENT, "a chain is reported at 2 vertices at least");
    if (n < 0 || n > 100000)
        return refuse(a, CORD_ERROR_ARGUMENT, "a chain has from 1 to 100000 elements");
    if (!d->positions && !d->curvatures)
        return refuse(a, CORD_ERROR_ARGUMENT, "a chain needs positions or curvatures");
    if (d->curvatures && n == 0)
        return refuse(a, CORD_ERROR_ARGUMENT, "curvatures need the number of elements");
    if (d->natural_curvatures && n == 0)
        return refuse(a, CORD_ERROR_ARGUMENT, "natural curvatures need the number of elements");
    if (d->element_lengths && n == 0)
        return refuse(a, CORD_ERROR_ARGUMENT, "element lengths need the number of elements");
    if (d->kinematics != CORD_KINEMATICS_MIDPOINT && d->kinematics != CORD_KINEMATICS_SERIES)
        return refuse(a, CORD_ERROR_ARGUMENT, "kinematics must be one of cord_kinematics");
    if (d->stretch != CORD_STRETCH_NONE)
        return refuse(a, CORD_ERROR_UNSUPPORTED, "a chain is inextensible");
    for (int e = 0; d->element_lengths && e < n; e++)
        if (!(d->element_lengths[e] > 0 && is_admissible(d->element_lengths[e])))
            return refuse(a, CORD_ERROR_ARGUMENT, "an element's length must be above 0");
    if (!(d->length >= 0 && is_admissible(d->length)))
        return refuse(a, CORD_ERROR_ARGUMENT, "the length must be above 0");
    if (!d->positions && !d->element_lengths && !(d->length > 0))
        return refuse(a, CORD_ERROR_ARGUMENT, "curvatures need a length, or lengths of elements");
    if (!cord__in_range(d->positions, 3 * d->vertex_count) ||
        !cord__in_range(d->natural_positions, 3 * d->vertex_count) ||
        !cord__in_range(d->velocities, 3 * d->vertex_count) ||
        !cord__in_range(d->curvatures, 3 * (n + 1 - (a->c->kind != ELEMENT_CLOTHOID))) ||
        !cord__in_range(d->natural_curvatures, 6 * n) || !cord__in_range(d->base_position, 3) ||
        !cord__in_range(d->base_frame, 9) || !cord__in_range(d->twist, d->vertex_count - 1) ||
        !cord__in_range(d->natural_twist, d->vertex_count - 1))
        return refuse(a, CORD_ERROR_ARGUMENT, "a number is not finite or exceeds 1e50");
    if (!(d->damping >= 0 && is_admissible(d->damping)) ||
        !(d->drag >= 0 && is_admissible(d->drag)) ||
        !(d->quadratic_drag >= 0 && is_admissible(d->quadratic_drag)) ||
        !(d->base_damping >= 0 && is_admissible(d->base_damping)))
        return refuse(a, CORD_ERROR_ARGUMENT, "damping and drag must be at least 0");
    return CORD_OK;
}

/* An element that turns farther than its parts reach cannot be integrated. Curvatures at the start and at the end of
 * element e are at `kappa` + e times `stride`, and `next` further on. */
static cord_status check_turning(const creation *a, const double *kappa, int stride, int next)
{
    const chain_model *c = a->c;
    for (int e = 0; kappa && e < c->elements; e++)
        for (int end = 0; end < 2; end++) {
            double angle = c->length[e] * v3_norm(kappa + stride * e + next * end);
            if (!(angle <= MAX_PARTS))
                return refuse(a, CORD_ERROR_ARGUMENT,
                              "an element turns by more than 100000 rad: divide it, or check the "
                              "unit of its curvature");
        }
    return CORD_OK;
}

/* ---- lengths --------------------------------------------------------------------------------- */

static cord_status make_lengths(creation *a, double *vertex_arc)
{
    const cord_strand_def *d = a->def;
    chain_model *c = a->c;
    double total = d->length, natural = 0;
    int n = d->element_count;
    if (n == 0) n = d->vertex_count - 1 < 8 ? d->vertex_count - 1 : 8;
    c->elements = c->bars = n;
    c->length = NEW(a->m, double, chain_room(c));
    c->arc = NEW(a->m, double, chain_room(c) + 1);
    if (!c->length || !c->arc) return CORD_ERROR_MEMORY;
    if (d->positions) {
        for (int i = 1; i < d->vertex_count; i++)
            if (!(v3_distance(d->positions + 3 * i, d->positions + 3 * (i - 1)) > 0))
                return refuse(a, CORD_ERROR_ARGUMENT, "two neighbouring vertices coincide");
        double own = cord__arc_lengths(d->vertex_count, d->positions, vertex_arc);
        if (total == 0 && !d->element_lengths) total = own;
        for (int i = 0; i < d->vertex_count; i++) vertex_arc[i] /= own;
    } else {
        for (int i = 0; i < d->vertex_count; i++) vertex_arc[i] = (double)i / (d->vertex_count - 1);
    }
    for (int e = 0; e < n; e++) {
        c->length[e] = d->element_lengths ? d->element_lengths[e] : total / n;
        natural += c->length[e];
    }
    for (int e = 0; e < n; e++) {
        if (total > 0) c->length[e] *= total / natural;
        c->arc[e + 1] = c->arc[e] + c->length[e];
        c->shortest = e > 0 ? fmin(c->shortest, c->length[e]) : c->length[e];
    }
    return CORD_OK;
}

/* ---- curvatures ------------------------------------------------------------------------------ */

/* Twist-free frames of the edges from a director, rotated by the defined angles. */
static cord_status edge_frames(const creation *a, const double *x, const double director[3],
                               const double *twist, double *frames)
{
    int edges = a->def->vertex_count - 1;
    double m1[3];
    for (int j = 0; j < edges; j++) {
        double *f = frames + 9 * j, e[3];
        v3_sub(e, x + 3 * (j + 1), x + 3 * j);
        if (!(v3_norm(e) > 0))
            return refuse(a, CORD_ERROR_ARGUMENT, "two neighbouring vertices coincide");
        v3_normalize(f, e);
        if (j == 0) {
            v3_copy(m1, director);
            v3_axpy(m1, -v3_dot(m1, f), f);
            if (!(v3_norm(m1) > 1e-9 * v3_norm(director))) v3_any_normal(m1, f);
            v3_normalize(m1, m1);
        } else {
            if (v3_dot(f, f - 9) < -0.999)
                return refuse(a, CORD_ERROR_ARGUMENT, "an edge turns back on the one before");
            transport(m1, f - 9, f, m1);
        }
        double m2[3], angle = twist ? twist[j] : 0;
        v3_cross(m2, f, m1);
        v3_combine(f + 3, cos(angle), m1, sin(angle), m2);
        v3_cross(f + 6, f, f + 3);
    }
    return CORD_OK;
}

static cord_status fit(const creation *a, const double *x, const double director[3],
                       const double *twist, double base[3], double frame[9], double *kappa)
{
    const chain_model *c = a->c;
    double worst, *frames = NEW(a->m, double, 9 * a->def->vertex_count);
    if (!frames) return CORD_ERROR_MEMORY;
    cord_status status = edge_frames(a, x, director, twist, frames);
    if (status == CORD_OK) {
        status = cord__fit_curvatures(a->m, c->kind, c->planar, c->elements, c->length,
                                      a->def->vertex_count, x, frames, base, frame, kappa, &worst);
        if (status != CORD_OK) refuse(a, status, "no chain fits the positions");
    }
    cord__release(a->m, frames);
    return status;
}

/* The plane of a planar chain's curve: its first director lies in it. */
static void planar_director(const cord_strand_def *d, const double *x, double director[3])
{
    double best = 0, e0[3];
    v3_copy(director, d->director);
    v3_sub(e0, x + 3, x);
    for (int i = 2; i < d->vertex_count; i++) {
        double e[3], n[3], m[3];
        v3_sub(e, x + 3 * i, x);
        v3_cross(n, e0, e);
        if (v3_norm(n) <= best) continue;
        best = v3_norm(n);
        v3_cross(m, n, e0);
        if (best > 1e-9 * v3_dot(e0, e0)) v3_normalize(director, m);
    }
}

/* Both ends of every element from curvatures at nodes or per element. */
static void spread(const chain_model *c, const double *kappa, double *both)
{
    for (int e = 0; e < c->elements; e++) {
        v3_copy(both + 6 * e, kappa + 3 * e);
        v3_copy(both + 6 * e + 3, kappa + 3 * (c->kind == ELEMENT_CLOTHOID ? e + 1 : e));
    }
}

/* From the order of the interface to (twist, about the directors). */
static void take(double *to, const double *from)
{
    v3_set(to, from[2], from[0], from[1]);
}

static cord_status initial_curve(creation *a, double *kappa, double base[3], double frame[9])
{
    const cord_strand_def *d = a->def;
    double director[3];
    if (d->curvatures) {
        static const double identity[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1};
        double size = 0;
        for (int i = 0; i < chain_knots(a->c); i++) take(kappa + 3 * i, d->curvatures + 3 * i);
        v3_copy(base, d->positions ? d->positions : d->base_position);
        for (int k = 0; k < 9; k++) size += d->base_frame[k] * d->base_frame[k];
        memcpy(frame, size > 0 ? d->base_frame : identity, sizeof identity);
        if (size > 0) cord__rotation_orthonormalise(frame);
        if (!cord__in_range(frame, 9))
            return refuse(a, CORD_ERROR_ARGUMENT, "the base's frame has parallel or zero axes");
        return CORD_OK;
    }
    v3_copy(director, d->director);
    if (a->c->planar) planar_director(d, d->positions, director);
    cord_status status =
        fit(a, d->positions, director, d->twist ? d->twist : d->natural_twist, base, frame, kappa);
    v3_copy(base, d->positions); /* a clamp at the first vertex acts there */
    return status;
}

static cord_status natural_curve(creation *a, const double *initial)
{
    const cord_strand_def *d = a->def;
    chain_model *c = a->c;
    c->natural = NEW(a->m, double, 6 * chain_room(c));
    if (!c->natural) return CORD_ERROR_MEMORY;
    bool twisted = d->twist && d->positions && !d->curvatures;
    if (d->natural_curvatures) {
        for (int i = 0; i < 2 * c->elements; i++)
            take(c->natural + 3 * i, d->natural_curvatures + 3 * i);
    } else if (d->natural_positions || twisted) {
        const double *x = d->natural_positions ? d->natural_positions : d->positions;
        double base[3], frame[9], director[3], *kappa = NEW(a->m, double, 3 * (c->elements + 1));
        if (!kappa) return CORD_ERROR_MEMORY;
        v3_copy(director, v3_norm(d->natural_director) > 0 ? d->natural_director : d->director);
        if (c->planar) planar_director(d, x, director);
        cord_status status = fit(a, x, director, d->natural_twist, base, frame, kappa);
        if (status == CORD_OK) spread(c, kappa, c->natural);
        cord__release(a->m, kappa);
        if (status != CORD_OK) return status;
    } else {
        spread(c, initial, c->natural);
    }
    for (int i = 0; c->planar && i < 2 * c->elements; i++)
        c->natural[3 * i] = c->natural[3 * i + 1] = 0;
    return CORD_OK;
}

/* ---- state ---------------------------------------------------------------------------------- */

static cord_status make_samples(creation *a, const double *fraction)
{
    chain_model *c = a->c;
    int n = a->def->vertex_count;
    double length = c->arc[c->elements];
    c->vertices = n;
    c->vertex = NEW(a->m, chain_location, n);
    c->edge = NEW(a->m, chain_location, n - 1);
    if (!c->vertex || !c->edge) return CORD_ERROR_MEMORY;
    for (int i = 0; i < n; i++) cord__chain_locate(c, length * fraction[i], c->vertex + i);
    for (int i = 0; i + 1 < n; i++)
        cord__chain_locate(c, 0.5 * length * (fraction[i] + fraction[i + 1]), c->edge + i);
    return CORD_OK;
}

static cord_status make_state(creation *a, const double *kappa, const double base[3],
                              const double frame[9])
{
    chain_model *c = a->c;
    int more = chain_room(c) - c->elements;
    c->initial_q = NEW(a->m, double, chain_q_count(c) + more * c->numbers);
    c->initial_v = NEW(a->m, double, chain_dofs(c) + more * (6 + c->numbers));
    if (!c->initial_q || !c->initial_v) return CORD_ERROR_MEMORY;
    v3_copy(c->initial_q, base);
    cord__rotation_quaternion(c->initial_q + 3, frame);
    for (int k = 0; c->planar && k < 3; k++) /* the second director is the plane's normal */
        if (fabs(frame[6 + k]) > 1 - 1e-12) c->plane = k;
    for (int knot = 0; knot < chain_knots(c); knot++)
        for (int i = 0; i < c->numbers; i++)
            chain_kappa(c, c->initial_q, knot)[i] = kappa[3 * knot + chain_axis(c, i)];
    return CORD_OK;
}

static cord_status make_section(creation *a)
{
    chain_model *c = a->c;
    const cord_strand_def *d = a->def;
    cord_status status = cord__section(&d->material, &d->section, &c->section, a->why, a->size);
    if (status != CORD_OK) return status;
    c->shape = d->section;
    c->stiffness[0] = c->section.twisting;
    c->stiffness[1] = c->section.bending[0], c->stiffness[2] = c->section.bending[1];
    c->rotary = c->section.rotary_inertia;
    if (c->rotary == 0) { /* else a free straight chain has a singular mass matrix */
        double r = d->section.radius > 0 ? d->section.radius : 1e-3 * c->length[0];
        c->rotary = 0.5 * c->section.mass * r * r;
    }
    c->filtered = !c->planar && d->twist_mode == CORD_TWIST_QUASISTATIC;
    c->damping = d->damping, c->drag = d->drag, c->quadratic_drag = d->quadratic_drag;
    c->base_damping = d->base_damping;
    return CORD_OK;
}

cord_status cord__chain_create(element_kind kind, const cord_strand_def *def, memory *m,
                               void **model, char *why, size_t size)
{
    chain_model *c = NEW(m, chain_model, 1);
    creation a = {def, m, c, why, size};
    double *fraction = NULL, *kappa = NULL, base[3], frame[9];
    if (!c) return CORD_ERROR_MEMORY;
    c->kind = kind;
    c->planar = def->planar;
    c->plane = -1;
    c->kinematics = def->kinematics;
    c->numbers = c->planar ? 1 : 3;
    c->local = kind == ELEMENT_CLOTHOID ? 2 * c->numbers : c->numbers;
    cord_status status = check_definition(&a);
    if (status == CORD_OK) {
        fraction = NEW(m, double, def->vertex_count);
        status = fraction ? make_lengths(&a, fraction) : CORD_ERROR_MEMORY;
        if (status == CORD_OK)
            status = check_turning(&a, def->curvatures, 3, kind == ELEMENT_CLOTHOID ? 3 : 0);
    }
    if (status == CORD_OK) {
        kappa = NEW(m, double, 3 * (c->elements + 1));
        status = kappa ? initial_curve(&a, kappa, base, frame) : CORD_ERROR_MEMORY;
    }
    if (status == CORD_OK) status = make_section(&a);
    if (status == CORD_OK) status = natural_curve(&a, kappa);
    if (status == CORD_OK) status = check_turning(&a, c->natural, 6, 3);
    if (status == CORD_OK) {
        cord__chain_choose_rule(c, kappa);
        status = cord__chain_make_panels(c, m);
    }
    if (status == CORD_OK) status = make_state(&a, kappa, base, frame);
    if (status == CORD_OK) status = make_samples(&a, fraction);
    if (status == CORD_OK) status = cord__chain_make_segments(c, m);
    cord__release(m, fraction);
    cord__release(m, kappa);
    if (status != CORD_OK) {
        cord__chain_destroy(c, m);
        return status;
    }
    *model = c;
    return CORD_OK;
}

void cord__chain_destroy(void *model, memory *m)
{
    chain_model *c = model;
    if (!c) return;
    void *arrays[] = {c->length,
                      c->arc,
                      c->natural,
                      c->level,
                      c->stored_level,
                      c->first_panel,
                      c->first_node,
                      c->initial_q,
                      c->initial_v,
                      c->vertex,
                      c->edge,
                      c->fraction,
                      c->attachment,
                      c->attached_at,
                      c->defined.length,
                      c->defined.natural,
                      c};
    for (int i = 0; i < RULES; i++) cord__release(m, c->segment_weight[i]);
    for (size_t i = 0; i < sizeof arrays / sizeof *arrays; i++) cord__release(m, arrays[i]);
}
