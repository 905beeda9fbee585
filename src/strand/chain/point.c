/* Points on a chain. At a node a point depends on the dofs of that node only; elsewhere on the dofs
 * of its element, whose Jacobian changes with the curvature of the element [SSC 2013, eq. 15]. */
#include "math/interval.h"
#include "math/rotation.h"
#include "strand/transported_frame.h"
#include "strand/chain/chain.h"

#include <stdint.h>
#include <string.h>

void cord__chain_locate(const chain_model *c, double s, chain_location *at)
{
    int e = 0, beyond = c->bars;
    double close = 1e-9 * c->arc[c->bars];
    memset(at, 0, sizeof *at);
    while (beyond - e > 1) {
        int middle = (e + beyond) / 2;
        if (s >= c->arc[middle] - close)
            e = middle;
        else
            beyond = middle;
    }
    at->s = s;
    at->element = e;
    at->u = fmin(fmax(s - c->arc[e], 0), c->length[e]);
    at->fraction = at->u / c->length[e];
    at->node = at->u <= close ? e : at->u >= c->length[e] - close ? e + 1 : -1;
    int panels = chain_panels(c, e);
    double along = at->u / c->length[e] * panels;
    at->panel = (int)along;
    if (at->panel > panels - 1) at->panel = panels - 1;
    at->part = along - at->panel;
    if (c->kind == ELEMENT_SEGMENT) at->panel = panels - 1, at->part = at->u / c->length[e];
}

enum { FEWEST = 4 };

/* Index in the table of the attachment at s, existing or new. */
static int *attached_at(const chain_model *c, double s)
{
    uint64_t bits, count = ATTACHED_TABLE * (uint64_t)c->attached_capacity;
    s += 0.0; /* minus zero is zero */
    memcpy(&bits, &s, sizeof bits);
    uint64_t i = (bits * 0x9e3779b97f4a7c15u >> 32) % count;
    while (c->attached_at[i] > 0 && c->attachment[c->attached_at[i] - 1].s != s)
        i = (i + 1) % count;
    return c->attached_at + i;
}

void cord__chain_index_attachments(chain_model *c)
{
    if (c->attached == 0) return;
    memset(c->attached_at, 0, ATTACHED_TABLE * (size_t)c->attached_capacity * sizeof(int));
    for (int i = 0; i < c->attached; i++) *attached_at(c, c->attachment[i].s) = i + 1;
}

static cord_status more_attachments(chain_model *c, memory *m)
{
    int capacity = c->attached_capacity > 0 ? 2 * c->attached_capacity : FEWEST;
    chain_location *grown = cord__reallocate(m, c->attachment, (size_t)capacity, sizeof *grown);
    if (grown) c->attachment = grown;
    int *table = grown ? NEW(m, int, ATTACHED_TABLE *capacity) : NULL;
    if (!table) return CORD_ERROR_MEMORY;
    cord__release(m, c->attached_at);
    c->attached_at = table;
    c->attached_capacity = capacity;
    cord__chain_index_attachments(c);
    return CORD_OK;
}

/* The curvature of an end joint is that of the joint before it, in the natural and in the drawn shape. */
static void add_end_joint(chain_model *c)
{
    int n = c->bars, end = chain_dof(c, n);
    c->elements = n + 1;
    c->length[n] = 0;
    c->arc[n + 1] = c->arc[n];
    memcpy(c->natural + 6 * n, c->natural + 6 * (n - 1), 6 * sizeof *c->natural);
    cord__chain_extend(c, c->initial_q, 0);
    memset(c->initial_v + end + 6, 0, (size_t)c->numbers * sizeof *c->initial_v);
    memcpy(c->initial_v + chain_dof(c, n + 1), c->initial_v + end, 6 * sizeof *c->initial_v);
}

void cord__chain_extend(const void *model, double *q, int from)
{
    const chain_model *c = model;
    if (from == chain_q_count(c)) return;
    memcpy(chain_kappa(c, q, c->bars), chain_kappa(c, q, c->bars - 1),
           (size_t)c->numbers * sizeof *q);
}

cord_status cord__chain_attach(void *model, memory *m, measure what, double s, attachment *at)
{
    chain_model *c = model;
    chain_location location;
    cord__chain_locate(c, s, &location);
    *at = (attachment){.index = -1, .unit = -1};
    if (location.node == 0 && what != MEASURE_CURVATURE)
        at->unit = what == MEASURE_POSITION ? 0 : 3;
    cord_status status = c->attached < c->attached_capacity ? CORD_OK : more_attachments(c, m);
    if (status != CORD_OK) return status;
    if (what == MEASURE_FRAME && location.node == c->bars && c->kind == ELEMENT_SEGMENT &&
        c->elements == c->bars)
        add_end_joint(c);
    int *which = attached_at(c, location.s);
    if (*which == 0) {
        c->attachment[c->attached++] = location;
        *which = c->attached;
    }
    at->index = *which - 1;
    return CORD_OK;
}

/* Beyond the element, at u < 0: the curve of the reversed direction, with opposite orientation. A segment has the frame of
 * its end. */
void cord__chain_pose(const chain_model *c, const double *cache, const chain_location *at,
                      double frame[9], double r[3])
{
    const chain_start *start = chain_panel(c, cache, at->element, at->panel);
    const double u = 2 * at->part * chain_half_extent(c, at->element, at->panel);
    curvature k = start->kappa;
    q4_matrix(frame, start->quaternion);
    chain_flatten(c, frame);
    if (c->kind == ELEMENT_SEGMENT) {
        v3_scale(r, at->u, frame);
        return;
    }
    for (int i = 0; u < 0 && i < 3; i++) k.start[i] = -k.start[i];
    cord__darboux_at(&k, fabs(u), frame, frame, r);
    v3_combine(r, 1, start->at.r, u < 0 ? -1 : 1, r);
}

/* At the end of a chain of segments: the frame of the end joint, or the frame that a new one would have. */
void cord__chain_end_frame(const chain_model *c, const double *q, const double *cache,
                           double *frame)
{
    curvature k;
    memcpy(frame, chain_nodes(cache)[c->elements].frame, 9 * sizeof *frame);
    if (c->elements > c->bars) return;
    cord__chain_curvature(c, q, c->bars - 1, &k);
    cord__darboux_at(&k, 0.5 * c->length[c->bars - 1], frame, frame, NULL);
}

static void unit_columns(point_jacobian *j, int first)
{
    j->runs = 1;
    j->run[0].first = first;
    j->run[0].count = j->dofs = 3;
    memcpy(j->J, (const double[9]){1, 0, 0, 0, 1, 0, 0, 0, 1}, 9 * sizeof *j->J);
}

/* The base is known without a cache. */
static void base_value(const chain_model *c, const double *q, measure what, point_jacobian *j)
{
    if (what == MEASURE_POSITION) {
        v3_copy(j->value, q);
    } else {
        q4_matrix(j->value, q + 3);
        chain_flatten(c, j->value);
    }
}

/* The runs of dofs of an element: v, ω and its curvature components. */
static void element_runs(const chain_model *c, int e, point_jacobian *j)
{
    j->runs = c->kind == ELEMENT_CLOTHOID ? 2 : 1;
    j->run[0].first = chain_dof(c, e);
    j->run[0].count = 6 + c->numbers;
    j->run[1].first = chain_dof(c, e + 1) + 6;
    j->run[1].count = c->numbers;
    j->dofs = chain_size(c);
}

static void curvature_jacobian(const chain_model *c, const double *q, const chain_location *at,
                               point_jacobian *j)
{
    double fraction = at->u / c->length[at->element];
    memset(j->value, 0, 3 * sizeof *j->value);
    j->runs = c->kind == ELEMENT_CLOTHOID ? 2 : 1;
    j->dofs = c->local;
    memset(j->J, 0, (size_t)(3 * j->dofs) * sizeof *j->J);
    for (int run = 0; run < j->runs; run++) {
        j->run[run].first = chain_dof(c, at->element + run) + 6;
        j->run[run].count = c->numbers;
        for (int i = 0; i < c->numbers; i++) {
            int local = run * c->numbers + i, axis = chain_axis(c, i);
            double hat = chain_hat(c, local, fraction);
            j->value[axis] += hat * chain_kappa(c, q, at->element + run)[i];
            j->J[3 * local + axis] = hat;
        }
    }
}

void cord__chain_point_jacobian(const void *model, const double *q, const double *cache,
                                const attachment *at, measure what, point_jacobian *j)
{
    const chain_model *c = model;
    cord__chain_jacobian_at(c, q, cache, c->attachment + at->index, what, j);
}

void cord__chain_jacobian_at(const chain_model *c, const double *q, const double *cache,
                             const chain_location *location, measure what, point_jacobian *j)
{
    const chain_node *node = chain_nodes(cache);
    int offset = what == MEASURE_POSITION ? 0 : 3;
    if (what == MEASURE_CURVATURE) {
        curvature_jacobian(c, q, location, j);
        return;
    }
    if (location->node >= 0) {
        int at_node = location->node;
        if (at_node == c->bars && what == MEASURE_FRAME) at_node = c->elements;
        unit_columns(j, chain_dof(c, at_node) + offset);
        if (at_node == 0)
            base_value(c, q, what, j);
        else
            memcpy(j->value,
                   what == MEASURE_POSITION ? node[at_node].position : node[at_node].frame,
                   (what == MEASURE_POSITION ? 3 : 9) * sizeof(double));
        return;
    }
    chain_local local;
    double frame[9];
    cord__chain_local_at(c, cache, location, NULL, &local);
    cord__chain_pose(c, cache, location, frame, local.r);
    element_runs(c, location->element, j);
    memset(j->J, 0, 18 * sizeof *j->J);
    for (int k = 0; k < 3; k++) j->J[3 * (offset + k) + k] = 1;
    if (what == MEASURE_FRAME) {
        memcpy(j->value, frame, sizeof frame);
        memcpy(j->J + 18, local.W, (size_t)(3 * c->local) * sizeof *j->J);
        return;
    }
    v3_add(j->value, node[location->element].position, local.r);
    const double *r = local.r;
    double *rotation = j->J + 9; /* e_k × r */
    rotation[1] = -r[2], rotation[2] = r[1];
    rotation[3] = r[2], rotation[5] = -r[0];
    rotation[6] = -r[1], rotation[7] = r[0];
    memcpy(j->J + 18, local.P, (size_t)(3 * c->local) * sizeof *j->J);
}

/* ---- sliding ---------------------------------------------------------------------------------- */

int cord__chain_element_at(const void *model, const double *q, double s)
{
    const chain_model *c = model;
    (void)q;
    return interval_at(c->arc, sizeof *c->arc, 0, c->bars, s);
}

/* The frame between those of the segments, each that of its end; twists are those of the joints. */
static void frame_on_bars(const chain_model *c, const double *q, const double *cache,
                          const smooth_curve *curve, int bar, double along, const double weight[4],
                          const double *const x[4], const double tangent[3], transported_frame *f)
{
    polygon_frames of = {.has = {bar > 0, true, bar + 1 < c->bars}};
    for (int k = 0; k < 3; k++) {
        if (!of.has[k]) continue;
        const chain_node *node = chain_nodes(cache) + bar + k;
        v3_scale(of.e[k], c->length[bar - 1 + k], node->frame);
        of.m1[k] = node->frame + 3;
    }
    for (int k = 0; k < 2; k++)
        if (of.has[2 * k] && !c->planar)
            of.twist[k] = chain_kappa(c, q, bar + k)[0] * cord__chain_joint(c, bar + k);
    cord__polygon_frame(curve, bar, along, tangent, weight, x, &of, f);
}

/* One run of dofs per node, with its rotation where frames are required. */
static void runs_on_bars(const chain_model *c, const int vertex[4], sliding_jacobian *j,
                         int point[4], int rotation[3])
{
    j->runs = j->dofs = 0;
    for (int i = 0; i < 4; i++) {
        bool turns = j->with_frame && i > 0 && vertex[i] > 0; /* of a segment that ends there */
        point[i] = vertex[i] < 0 ? -1 : j->dofs;
        if (i > 0) rotation[i - 1] = turns ? j->dofs + 3 : -1;
        if (vertex[i] < 0) continue;
        j->run[j->runs].first = chain_dof(c, vertex[i]);
        j->run[j->runs].count = turns ? 6 : 3;
        j->dofs += j->run[j->runs++].count;
    }
}

/* Segments have kinks at the nodes: a sliding point moves on the smooth curve through the nodes. */
static void slide_on_bars(const chain_model *c, const double *q, const double *cache, int element,
                          double s, sliding_jacobian *j)
{
    const smooth_curve curve = {c->bars + 1, c->bars, false, c->length};
    const double *x[4], along = s - c->arc[element];
    double weight[4][4];
    int vertex[4], point[4], rotation[3];
    transported_frame f;
    cord__smooth_weights(&curve, element, along, vertex, weight);
    for (int i = 0; i < 4; i++)
        x[i] = vertex[i] < 0 ? NULL : chain_nodes(cache)[vertex[i]].position;
    runs_on_bars(c, vertex, j, point, rotation);
    cord__smooth_jacobian(weight, x, point, j);
    if (!j->with_frame) return;
    frame_on_bars(c, q, cache, &curve, element, along, weight[1], x, j->r_s, &f);
    for (int i = 0; i < 4; i++) f.point[i] = point[i];
    for (int k = 0; k < 3; k++) f.rotation[k].column = rotation[k], f.rotation[k].about = 1 + k;
    cord__transported_jacobian(&f, j);
}

void cord__chain_slide_location(const chain_model *c, int element, double s, chain_location *at)
{
    *at = (chain_location){.s = s, .u = s - c->arc[element], .element = element, .node = -1};
    int panels = chain_panels(c, element);
    double along = at->u / c->length[element] * panels;
    at->panel = (int)fmin(fmax(along, 0), panels - 1);
    at->part = along - at->panel;
}

/* Of the base by its rotation, of a curvature component by W. */
static void slide_spin(const chain_model *c, const chain_local *local, sliding_jacobian *j)
{
    memset(j->tangent_spin, 0, 3 * sizeof *j->tangent_spin);
    v3_copy(j->tangent_spin + 3, j->r_s);
    for (int i = 0; i < c->local; i++) j->tangent_spin[6 + i] = v3_dot(local->W + 3 * i, j->r_s);
}

/* Derivatives of higher order along s: t'' = R (κ' × e₁ + κ × (κ × e₁)); for a dof with rotation W,
 * where W' = F R e, (W × t)' = W' × t + W × t'. */
static void slide_turns(const chain_model *c, const chain_location *at, const curvature *k,
                        const double kappa[3], const double frame[9], const chain_local *local,
                        sliding_jacobian *j)
{
    double square = kappa[1] * kappa[1] + kappa[2] * kappa[2];
    for (int i = 0; i < 3; i++)
        j->r_sss[i] = -square * frame[i] + (k->slope[2] + kappa[0] * kappa[1]) * frame[3 + i] +
                      (-k->slope[1] + kappa[0] * kappa[2]) * frame[6 + i];
    j->has_frame = true;
    memcpy(j->frame, frame, sizeof j->frame);
    m3_apply(j->frame_rate, frame, kappa);
    m3_apply(j->frame_rate_s, frame, k->slope);
    if (j->tangent_spin) slide_spin(c, local, j);
    if (!j->J_ss) return;
    memset(j->J_ss, 0, 9 * sizeof *j->J_ss);
    if (j->rotation_J_s) memset(j->rotation_J_s, 0, 18 * sizeof *j->rotation_J_s);
    for (int i = 0; i < 3; i++) {
        double axis[3] = {i == 0, i == 1, i == 2};
        v3_cross(j->J_ss + 9 + 3 * i, axis, j->r_ss);
    }
    for (int i = 0; i < c->local; i++) {
        const double *W = local->W + 3 * i;
        double turning[3], more[3], *J_ss = j->J_ss + 18 + 3 * i;
        v3_scale(turning, chain_hat(c, i, at->u / c->length[at->element]),
                 frame + 3 * chain_axis(c, i));
        v3_cross(J_ss, W, j->r_ss);
        v3_cross(more, turning, frame);
        v3_add(J_ss, J_ss, more);
        if (j->rotation_J_s) v3_copy(j->rotation_J_s + 18 + 3 * i, turning);
    }
}

/* The extension of an element beyond its ends. */
void cord__chain_slide(const void *model, const double *q, const double *cache, int element,
                       double s, sliding_jacobian *j)
{
    const chain_model *c = model;
    const chain_node *node = chain_nodes(cache) + element;
    if (c->kind == ELEMENT_SEGMENT) {
        slide_on_bars(c, q, cache, element, s, j);
        return;
    }
    chain_location at;
    chain_local local;
    double frame[9];
    curvature k;
    cord__chain_slide_location(c, element, s, &at);
    cord__chain_local_at(c, cache, &at, NULL, &local);
    cord__chain_pose(c, cache, &at, frame, local.r);
    cord__chain_curvature(c, q, element, &k);
    double kappa[3];
    v3_combine(kappa, 1, k.start, at.u, k.slope);
    v3_combine(j->r_ss, kappa[2], frame + 3, -kappa[1], frame + 6); /* t' = R (κ × e₁) */
    v3_add(j->value, node->position, local.r);
    v3_copy(j->r_s, frame);
    point_jacobian runs = {.J = j->J};
    element_runs(c, element, &runs);
    j->runs = runs.runs, j->dofs = runs.dofs;
    for (int r = 0; r < runs.runs; r++)
        j->run[r].first = runs.run[r].first, j->run[r].count = runs.run[r].count;
    memset(j->J, 0, 18 * sizeof *j->J);
    memset(j->J_s, 0, 18 * sizeof *j->J_s);
    for (int i = 0; i < 3; i++) {
        double axis[3] = {i == 0, i == 1, i == 2};
        j->J[3 * i + i] = 1;
        v3_cross(j->J + 9 + 3 * i, axis, local.r);
        v3_cross(j->J_s + 9 + 3 * i, axis, frame);
    }
    for (int i = 0; i < c->local; i++) {
        v3_copy(j->J + 18 + 3 * i, local.P + 3 * i);
        v3_cross(j->J_s + 18 + 3 * i, local.W + 3 * i, frame);
    }
    slide_turns(c, &at, &k, kappa, frame, &local, j);
}
