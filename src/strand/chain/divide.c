/* Chains: division at a node between two elements. The second fragment has its base there. Elements, their curvatures and
 * their Gauss nodes are those of the chain; of a chain of segments the joint between the two bars is lost. */
#include "math/rotation.h"
#include "strand/chain/chain.h"
#include "strand/fragment.h"

#include <string.h>

static int joint_count(const void *model)
{
    return ((const chain_model *)model)->bars - 1;
}

static double joint_coordinate(const void *model, int joint)
{
    return ((const chain_model *)model)->arc[joint + 1];
}

/* The frame of a node belongs to the element before it, and remains there. */
static bool is_divisible(const void *model, int joint)
{
    (void)model, (void)joint;
    return true;
}

/* The tangential component of the internal force at the node, which is minus the multiplier of its rows; the larger
 * curvature of both elements there, of segments that of their joint. */
static void stress_at(const void *model, const block_eval *at, int joint, double *tension,
                      double *curvature_out)
{
    const chain_model *c = model;
    const int node = joint + 1;
    *tension = -v3_dot(at->lambda + 6 * joint, chain_nodes(at->cache)[node].frame);
    *curvature_out = 0;
    for (int side = c->kind == ELEMENT_HELIX ? 0 : 1; side < 2; side++) {
        curvature k;
        cord__chain_curvature(c, at->q, node - 1 + side, &k);
        *curvature_out = fmax(*curvature_out, hypot(k.start[1], k.start[2]));
    }
}

/* ---- the model of a fragment --------------------------------------------------------------------- */

/* Elements from `first` on. */
typedef struct range {
    const chain_model *of;
    int first, bars, elements;
} range;

static void copy_panels(const range *r, chain_model *out)
{
    const size_t bytes = (size_t)chain_room(out) * sizeof *out->level;
    memcpy(out->level, r->of->level + r->first, bytes);
    memcpy(out->stored_level, out->level, bytes);
    cord__chain_set_panels(out);
}

/* Vertices at which the chain is reported, within the range, and its ends. */
static cord_status copy_vertices(const range *r, memory *m, chain_model *out)
{
    const chain_model *c = r->of;
    const double start = c->arc[r->first], length = out->arc[out->bars], close = 1e-6 * length;
    out->vertex = NEW(m, chain_location, c->vertices + 2);
    out->edge = NEW(m, chain_location, c->vertices + 1);
    if (!out->vertex || !out->edge) return CORD_ERROR_MEMORY;
    cord__chain_locate(out, 0, out->vertex);
    out->vertices = 1;
    for (int i = 0; i < c->vertices; i++) {
        double s = c->vertex[i].s - start;
        if (s > close && s < length - close)
            cord__chain_locate(out, s, out->vertex + out->vertices++);
    }
    cord__chain_locate(out, length, out->vertex + out->vertices++);
    for (int i = 0; i + 1 < out->vertices; i++)
        cord__chain_locate(out, 0.5 * (out->vertex[i].s + out->vertex[i + 1].s), out->edge + i);
    return CORD_OK;
}

static cord_status make_model(const range *r, memory *m, chain_model **made)
{
    const chain_model *c = r->of;
    chain_model *out = *made = NEW(m, chain_model, 1);
    if (!out) return CORD_ERROR_MEMORY;
    *out = (chain_model){.kind = c->kind,
                         .planar = c->planar,
                         .plane = c->plane,
                         .kinematics = c->kinematics,
                         .elements = r->elements,
                         .bars = r->bars,
                         .numbers = c->numbers,
                         .local = c->local,
                         .panels = c->panels,
                         .panel_segments = c->panel_segments,
                         .rules = c->rules,
                         .section = c->section,
                         .shape = c->shape,
                         .rotary = c->rotary,
                         .filtered = c->filtered,
                         .damping = c->damping,
                         .drag = c->drag,
                         .quadratic_drag = c->quadratic_drag,
                         .base_damping = r->first == 0 ? c->base_damping : 0};
    memcpy(out->rule, c->rule, sizeof out->rule);
    memcpy(out->stiffness, c->stiffness, sizeof out->stiffness);
    const int room = chain_room(out);
    out->length = NEW(m, double, room);
    out->arc = NEW(m, double, room + 1);
    out->natural = NEW(m, double, 6 * room);
    if (!out->length || !out->arc || !out->natural) return CORD_ERROR_MEMORY;
    cord_status status = cord__chain_weigh_segments(out, m);
    if (status == CORD_OK) status = cord__chain_make_panels(out, m);
    if (status != CORD_OK) return status;
    out->shortest = INFINITY;
    for (int e = 0; e < r->elements; e++) {
        out->length[e] = c->length[r->first + e];
        out->arc[e + 1] = out->arc[e] + out->length[e];
        if (e < r->bars) out->shortest = fmin(out->shortest, out->length[e]);
    }
    memcpy(out->natural, c->natural + 6 * r->first, 6 * (size_t)r->elements * sizeof(double));
    copy_panels(r, out);
    return copy_vertices(r, m, out);
}

/* ---- its motion ----------------------------------------------------------------------------------- */

/* A bar is rigid: its first half joint takes the natural curvature, and the base the frame from which that leads to the
 * frame of the bar, and its motion. */
static void rest_first_joint(const range *r, const chain_model *out, const strand_motion *now,
                             strand_fragment *to)
{
    double *q = to->q, *v = to->v;
    double frame[9], start[9], zero[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1};
    curvature k = {{0}, {0}};
    for (int i = 0; i < out->numbers; i++) {
        int axis = chain_axis(out, i);
        double mean = 0.5 * (out->natural[axis] + out->natural[3 + axis]);
        chain_kappa(out, q, 0)[i] = k.start[axis] = mean;
        v[6 + i] = 0;
    }
    cord__darboux_at(&k, cord__chain_joint(out, 0), zero, start, NULL);
    const double *bar = chain_nodes(now->cache)[r->first + 1].frame;
    for (int c = 0; c < 3; c++) /* frame = bar startᵀ */
        for (int i = 0; i < 3; i++)
            frame[3 * c + i] =
                bar[i] * start[c] + bar[3 + i] * start[3 + c] + bar[6 + i] * start[6 + c];
    cord__rotation_quaternion(q + 3, frame);
    v3_copy(v + 3, now->v + chain_dof(r->of, r->first + 1) + 3);
    for (int i = 0; chain_director_count(out) > 0 && i < 2; i++)
        v3_cross(to->inertial_v + chain_gauss_count(out) + 3 * i, v + 3, frame + 3 + 3 * i);
}

static void copy_motion(const range *r, const chain_model *out, const strand_motion *now,
                        strand_fragment *to)
{
    const chain_model *c = r->of;
    const chain_node *base = chain_nodes(now->cache) + r->first;
    v3_copy(to->q, r->first == 0 ? now->q : base->position);
    memcpy(to->q + 3, r->first == 0 ? now->q + 3 : base->quaternion, 4 * sizeof(double));
    memcpy(to->q + 7, chain_kappa(c, now->q, r->first),
           (size_t)(out->numbers * chain_knots(out)) * sizeof(double));
    memcpy(to->v, now->v + chain_dof(c, r->first), (size_t)chain_dofs(out) * sizeof(double));
    memcpy(to->lambda, now->lambda + 6 * r->first, 6 * (size_t)r->elements * sizeof(double));
    memcpy(to->inertial_v, now->inertial_v + 3 * chain_heavy_before(c, r->first),
           (size_t)chain_gauss_count(out) * sizeof(double));
    memcpy(to->inertial_v + chain_gauss_count(out),
           now->inertial_v + chain_gauss_count(c) + (chain_director_count(c) ? 6 * r->first : 0),
           (size_t)chain_director_count(out) * sizeof(double));
    if (c->kind == ELEMENT_SEGMENT && r->first > 0) rest_first_joint(r, out, now, to);
}

static cord_status make_fragment(const range *r, memory *m, const strand_motion *now,
                                 strand_fragment *out)
{
    chain_model *made;
    cord_status status = make_model(r, m, &made);
    out->model = made;
    if (status == CORD_OK)
        status = cord__fragment_allocate(out, m, chain_q_count(made), chain_dofs(made),
                                         6 * made->elements, chain_inertial_count(made));
    if (status != CORD_OK) return status;
    copy_motion(r, made, now, out);
    const int more = chain_room(made) - made->elements;
    made->initial_q = NEW(m, double, chain_q_count(made) + more * made->numbers);
    made->initial_v = NEW(m, double, chain_dofs(made) + more * (6 + made->numbers));
    if (!made->initial_q || !made->initial_v) return CORD_ERROR_MEMORY;
    memcpy(made->initial_q, out->q, (size_t)chain_q_count(made) * sizeof(double));
    memcpy(made->initial_v, out->v, (size_t)chain_dofs(made) * sizeof(double));
    return CORD_OK;
}

static cord_status divide(const void *model, memory *m, int joint, const strand_motion *now,
                          strand_fragment out[2])
{
    const chain_model *c = model;
    const int at = joint + 1;
    const range parts[2] = {{c, 0, at, at}, {c, at, c->bars - at, c->elements - at}};
    cord_status status = CORD_OK;
    out[0] = out[1] = (strand_fragment){0};
    for (int i = 0; status == CORD_OK && i < 2; i++)
        status = make_fragment(parts + i, m, now, out + i);
    for (int i = 0; status != CORD_OK && i < 2; i++)
        cord__fragment_free(out + i, cord__chain_destroy, m);
    return status;
}

const division_ops cord__chain_division = {.joint_count = joint_count,
                                           .joint_coordinate = joint_coordinate,
                                           .is_divisible = is_divisible,
                                           .stress_at = stress_at,
                                           .divide = divide};
