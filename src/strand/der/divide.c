/* Discrete elastic rods: division at a vertex. The vertex becomes two, each with the mass of the half edge beside it; the
 * bending and twisting energy of its joint is lost. */
#include "math/rotation.h"
#include "math/vec3.h"
#include "strand/der/der.h"
#include "strand/fragment.h"

#include <string.h>

static int joint_count(const void *model)
{
    const der *d = model;
    return d->closed ? d->n : d->n - 2;
}

static int vertex_of(const der *d, int index)
{
    return d->closed ? index : index + 1;
}

static double joint_coordinate(const void *model, int index)
{
    const der *d = model;
    return d->arc[vertex_of(d, index)];
}

static bool is_divisible(const void *model, int index)
{
    const der *d = model;
    return d->frame_at[vertex_of(d, index)] < 0;
}

static void stress_at(const void *model, const block_eval *at, int index, double *tension,
                      double *curvature)
{
    const der *d = model;
    const der_edge *edge = der_edges(at->cache);
    const int i = vertex_of(d, index);
    const double *k = der_strains(d, at->cache) + STRAINS * i;
    *tension = 0;
    for (int side = 0; side < 2; side++) {
        int j = side ? i : der_edge_before(d, i);
        double ratio = edge[j].length / d->rest[j];
        double force =
            d->inextensible ? -at->lambda[j] * ratio : d->section.stretching * (ratio - 1);
        *tension = fmax(*tension, force);
    }
    *curvature = hypot(k[0] + k[2], k[1] + k[3]) / d->cell[i];
}

/* ---- the model of a fragment --------------------------------------------------------------------- */

/* `edges` edges of a rod from vertex `first` on; vertices and edges of a closed rod are counted modulo their number. */
typedef struct range {
    const der *of;
    int first, edges;
} range;

static int edge_of(const range *r, int j)
{
    return (r->first + j) % r->of->edges;
}

static int whole_vertex(const range *r, int i)
{
    return (r->first + i) % r->of->n;
}

/* The natural shape of a closed rod is cut open at its first vertex, and its ends need not meet: the part beyond the cut is
 * moved to the end of the part before it, and rotated by the natural strain of the closing joint. It is read where frames
 * are attached later. */
static void join_natural_shape(const range *r, double *x, double *m1)
{
    const der *d = r->of;
    double end[9], start[9], joint_rotation[9], inverse[9], w[3], rotation[9], e[3];
    const int last = d->edges - 1, before = d->edges - r->first;
    const double *k = d->natural;
    v3_sub(e, d->natural_x + 3 * last + 3, d->natural_x + 3 * last);
    v3_normalize(end, e);
    v3_copy(end + 3, d->natural_m1 + 3 * last);
    v3_cross(end + 6, end, end + 3);
    v3_sub(e, d->natural_x + 3, d->natural_x);
    v3_normalize(start, e);
    v3_copy(start + 3, d->natural_m1);
    v3_cross(start + 6, start, start + 3);
    v3_scale(w, k[4], end);
    v3_axpy(w, 0.5 * (k[0] + k[2]), end + 3);
    v3_axpy(w, 0.5 * (k[1] + k[3]), end + 6);
    cord__rotation_exp(joint_rotation, w);
    m3_multiply(end, joint_rotation, end);
    for (int i = 0; i < 9; i++) inverse[i] = start[3 * (i % 3) + i / 3];
    m3_multiply(rotation, end, inverse);
    for (int j = before; j < r->edges; j++) {
        const double *from = d->natural_x + 3 * (j - before);
        v3_sub(e, from + 3, from);
        m3_apply(e, rotation, e);
        v3_add(x + 3 * j + 3, x + 3 * j, e);
        m3_apply(m1 + 3 * j, rotation, d->natural_m1 + 3 * (j - before));
    }
}

static void copy_natural_shape(const range *r, der *out)
{
    const der *d = r->of;
    const int before = r->first + r->edges > d->edges ? d->edges - r->first : r->edges;
    memcpy(out->natural_x, d->natural_x + 3 * r->first, 3 * (size_t)(before + 1) * sizeof(double));
    memcpy(out->natural_m1, d->natural_m1 + 3 * r->first, 3 * (size_t)before * sizeof(double));
    if (before < r->edges) join_natural_shape(r, out->natural_x, out->natural_m1);
    for (int i = 1; i < r->edges; i++)
        memcpy(out->natural + STRAINS * i, d->natural + STRAINS * whole_vertex(r, i),
               STRAINS * sizeof(double));
}

/* The vertex of the fragment that is vertex `whole` of the rod, -1: it has none. The vertex of the division has no frame. */
static int own_vertex(const range *r, int whole)
{
    int i = (whole - r->first + r->of->n) % r->of->n;
    return i <= r->edges ? i : -1;
}

/* In the order of the rod, so that later ones follow wherever they are attached. */
static void copy_frames(const range *r, der *out)
{
    for (int p = 0; p < r->of->frame_count; p++) {
        int i = own_vertex(r, r->of->frame[p].vertex);
        if (i < 0) continue;
        out->frame[out->frame_count] = r->of->frame[p];
        out->frame[out->frame_count].vertex = i;
        out->frame_at[i] = out->frame_count++;
    }
}

static cord_status make_model(const range *r, memory *m, der **made)
{
    const der *d = r->of;
    der *out = *made = NEW(m, der, 1);
    if (!out) return CORD_ERROR_MEMORY;
    *out = (der){.n = r->edges + 1,
                 .edges = r->edges,
                 .drawn_edges = r->edges,
                 .inextensible = d->inextensible,
                 .dynamic_twist = d->dynamic_twist,
                 .straight = d->straight,
                 .isotropic = d->isotropic,
                 .form = d->form,
                 .section = d->section,
                 .shape = d->shape,
                 .damping = d->damping,
                 .drag = d->drag,
                 .quadratic_drag = d->quadratic_drag,
                 .frame_capacity = d->frame_count};
    cord_status status = cord__der_allocate(out, m);
    if (status != CORD_OK) return status;
    out->frame = NEW(m, der_vertex_frame, d->frame_count);
    if (!out->frame) return CORD_ERROR_MEMORY;
    for (int j = 0; j < out->edges; j++) out->rest[j] = d->rest[edge_of(r, j)];
    copy_natural_shape(r, out);
    copy_frames(r, out);
    cord__der_set_cells(out);
    return CORD_OK;
}

/* ---- its motion ----------------------------------------------------------------------------------- */

/* The vertex frame of the rod that is frame p of the fragment. */
static int whole_frame(const range *r, const der *out, int p)
{
    return r->of->frame_at[whole_vertex(r, out->frame[p].vertex)];
}

static void copy_configuration(const range *r, der *out, const double *q, double *to)
{
    const der *d = r->of;
    for (int i = 0; i < out->n; i++) {
        v3_copy(to + 3 * i, q + 3 * whole_vertex(r, i));
        bool inner = i > 0 && i < out->edges;
        to[der_twist_offset(out) + i] = inner ? der_twist(d, q)[whole_vertex(r, i)] : 0;
    }
    for (int j = 0; j < out->edges; j++)
        v3_copy(to + der_m1_offset(out) + 3 * j, der_m1(d, q) + 3 * edge_of(r, j));
    to[der_closing_offset(out)] = 0;
    for (int p = 0; p < out->frame_count; p++)
        memcpy(to + der_vertex_frame_offset(out, p),
               der_vertex_frame_q(d, q, whole_frame(r, out, p)), CARRIER_Q * sizeof *to);
    memcpy(out->initial_x, to, 3 * (size_t)out->n * sizeof *to);
    memcpy(out->initial_m1, to + der_m1_offset(out), 3 * (size_t)out->edges * sizeof *to);
    memcpy(out->initial_twist, to + der_twist_offset(out), (size_t)out->n * sizeof *to);
}

static void copy_velocities(const range *r, der *out, const double *v, double *to)
{
    for (int i = 0; i < out->n; i++) {
        v3_copy(to + 4 * i, v + 4 * whole_vertex(r, i));
        if (i < out->edges) to[4 * i + 3] = v[4 * edge_of(r, i) + 3];
        v3_copy(out->initial_v + 3 * i, to + 4 * i);
    }
    for (int p = 0; p < out->frame_count; p++)
        v3_copy(to + der_vertex_frame_dof(out, p),
                v + der_vertex_frame_dof(r->of, whole_frame(r, out, p)));
}

static cord_status make_fragment(const range *r, memory *m, const strand_motion *now,
                                 strand_fragment *out)
{
    der *made;
    cord_status status = make_model(r, m, &made);
    out->model = made;
    if (status == CORD_OK)
        status = cord__fragment_allocate(out, m, der_q_count(made),
                                         der_main_dofs(made) + 3 * made->frame_count,
                                         made->inextensible ? made->edges : 0, 0);
    if (status != CORD_OK) return status;
    copy_configuration(r, made, now->q, out->q);
    copy_velocities(r, made, now->v, out->v);
    for (int j = 0; made->inextensible && j < made->edges; j++)
        out->lambda[j] = now->lambda[edge_of(r, j)];
    return CORD_OK;
}

static cord_status divide(const void *model, memory *m, int index, const strand_motion *now,
                          strand_fragment out[2])
{
    const der *d = model;
    const int at = vertex_of(d, index);
    const range parts[2] = {{d, d->closed ? at : 0, d->closed ? d->edges : at},
                            {d, at, d->edges - at}};
    cord_status status = CORD_OK;
    out[0] = out[1] = (strand_fragment){0};
    for (int i = 0; status == CORD_OK && i < (d->closed ? 1 : 2); i++)
        status = make_fragment(parts + i, m, now, out + i);
    for (int i = 0; status != CORD_OK && i < 2; i++)
        cord__fragment_free(out + i, cord__der_destroy, m);
    return status;
}

const division_ops cord__der_division = {.joint_count = joint_count,
                                         .joint_coordinate = joint_coordinate,
                                         .is_divisible = is_divisible,
                                         .stress_at = stress_at,
                                         .divide = divide};
