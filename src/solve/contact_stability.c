/* Stability with contacts. A contact with a force p > 0 is a row g = 0 whose second derivative counts. For a material point at s
 * of a strand, with the normal n of an obstacle and the curvature C = ∂n/∂x of its surfaces of equal distance, the gap is
 * the least over s, G_s = 0 at the contact:
 *
 *     −p ∇²g = −p n·∂²x/∂q² − p JᵀC J + (p/G_ss) vvᵀ,     v = n·J_s + r_s·C J,     G_ss = n·r_ss + r_s·C r_s.
 *
 * The first term is part of A (cord__stiffen_contacts). The others are of low rank, D v vᵀ each. With the rows N of the m
 * contacts and V of these terms, the matrix [A Nᵀ Vᵀ; N 0 0; V 0 −1/D] has as many negative eigenvalues as A and
 *
 *     S = −[N; V] A⁻¹ [N; V]ᵀ − diag(0, 1/D)
 *
 * together, and as K on the null space of all rows, one for each row, and one for each D > 0. So the unstable directions are
 * n₋(A) + n₋(S) − rows − m − n₊(D). Where a strand lies along a surface, G_ss = 0, contacts of neighbouring points replace the
 * slide of one, and the curvature along the strand is left out. Where the obstacle is the shape of a free body, C acts on the motion
 * relative to it: of a sphere relative to its centre, since rotations leave it as it is. Of other shapes of free bodies
 * no curvature is taken: a body that contacts let roll or tip counts as neutral there. Of two strands only the first term is. */
#include "math/dense.h"
#include "math/vec3.h"
#include "solve/contact_columns.h"
#include "solve/contacts.h"

#include <math.h>
#include <string.h>

/* Of the curvature of the obstacle along the strand: G_ss below which the strand lies along the surface. Of the length of the
 * tangent: a slope of the gap with which the contact is at the end of a strand. */
static const double ALONG = 0.05, AT_END = 1e-3;
/* Of the radius: the distance at which normals are compared, and a curvature that counts as none, over 1/radius. */
static const double BESIDE = 1e-4, NO_CURVATURE = 1e-9;

/* Of μ p_N: a tangential force below which a contact sticks. */
static const double STICKS = 1 - 1e-9;

/* Of the largest compliance: that of a contact, since there may be more contacts than determine the motion. */
static const double COMPLIANCE = 1e-8;

/* C in the tangent plane: t_i · ∂n/∂t_j. */
static void curvature_of(const contact_set *k, const contact_row *r, double C[2][2])
{
    const contact *c = &r->at;
    const obstacle *o = k->obstacle + c->obstacle[1];
    const double step = BESIDE * k->segment[c->segment[0]].radius;
    for (int j = 0; j < 2; j++) {
        double n[2][3], x[3];
        for (int side = 0; side < 2; side++) {
            v3_copy(x, c->x[0]);
            v3_axpy(x, side ? -step : step, c->tangent[j]);
            cord__obstacle_distance(o, x, n[side]);
        }
        v3_sub(n[0], n[0], n[1]);
        for (int i = 0; i < 2; i++) C[i][j] = v3_dot(c->tangent[i], n[0]) / (2 * step);
    }
    C[0][1] = C[1][0] = 0.5 * (C[0][1] + C[1][0]);
}

/* The principal curvatures c[] with directions e[]. */
static void principal(double C[2][2], double c[2], double e[2][2])
{
    double mean = 0.5 * (C[0][0] + C[1][1]), half = 0.5 * (C[0][0] - C[1][1]);
    double angle = 0.5 * atan2(C[0][1], half), size = hypot(half, C[0][1]);
    c[0] = mean + size, c[1] = mean - size;
    e[0][0] = cos(angle), e[0][1] = sin(angle);
    e[1][0] = -e[0][1], e[1][1] = e[0][0];
}

static int add_row(count_row *to, const contact_row *r, double first, double second, double slope,
                   double D)
{
    *to = (count_row){.of = r, .on = {0, first, second}, .on_slope = slope, .inverse = 1 / D};
    return 1;
}

static bool is_on_free_body(const contact_row *r)
{
    bool any = false;
    for (int i = 0; i < r->side[1].count; i++) any = any || r->side[1].response[i] >= 0;
    return any;
}

/* The rows of the second derivative of a gap; up to three. */
static int curvature_rows(const contact_set *k, const contact_row *r, count_row *to)
{
    const contact *c = &r->at;
    if (c->segment[0] < 0 || c->segment[1] >= 0) return 0;
    if (is_on_free_body(r) && k->obstacle[c->obstacle[1]].shape.ops != &cord__sphere_shape)
        return 0;
    const double p = r->force[0], none = NO_CURVATURE / k->segment[c->segment[0]].radius;
    const contact_segment *g = k->segment + c->segment[0];
    double C[2][2], value[2], e[2][2];
    curve_point at;
    int count = 0;
    curvature_of(k, r, C);
    cord__curve_point(k->curve + g->block, g, c->s[0], &at);
    double t[2] = {v3_dot(c->tangent[0], at.r_s), v3_dot(c->tangent[1], at.r_s)};
    double Ct[2] = {C[0][0] * t[0] + C[0][1] * t[1], C[1][0] * t[0] + C[1][1] * t[1]};
    double along = t[0] * Ct[0] + t[1] * Ct[1], G_ss = v3_dot(c->normal, at.r_ss) + along;
    bool at_end = fabs(v3_dot(c->normal, at.r_s)) > AT_END * v3_norm(at.r_s);
    if (!at_end && G_ss <= ALONG * fabs(along)) { /* only across the strand */
        double size = hypot(t[0], t[1]), a[2] = {-t[1] / size, t[0] / size};
        double across =
            a[0] * (C[0][0] * a[0] + C[0][1] * a[1]) + a[1] * (C[1][0] * a[0] + C[1][1] * a[1]);
        return fabs(across) > none ? add_row(to, r, a[0], a[1], 0, -p * across) : 0;
    }
    principal(C, value, e);
    for (int i = 0; i < 2; i++)
        if (fabs(value[i]) > none)
            count += add_row(to + count, r, e[i][0], e[i][1], 0, -p * value[i]);
    if (!at_end && G_ss > none) count += add_row(to + count, r, Ct[0], Ct[1], 1, p / G_ss);
    return count;
}

/* The coefficients of a curvature term on a sphere, by the motion of its centre. */
static void set_by_centre(problem *w, const count_row *row)
{
    contact_set *k = w->contacts;
    const contact_row *r = row->of;
    const int index = r->at.obstacle[1];
    const block *b = w->block[k->carrier[index].block];
    double axis[3], *J = k->count.jacobian;
    v3_scale(axis, row->on[1], r->at.tangent[0]);
    v3_axpy(axis, row->on[2], r->at.tangent[1]);
    const int count = cord__body_jacobian(b, w->trial.q + b->q0, w->cache + b->cache0,
                                          k->obstacle[index].x, k->count.dof, J);
    for (int i = 0; i < count; i++) row->value[k->columns + i] = -v3_dot(axis, J + 3 * i);
}

/* The coefficients of a row over the columns of both sides. */
static void set_coefficients(problem *w, count_row *row)
{
    contact_set *k = w->contacts;
    const contact_row *r = row->of;
    for (int side = 0; side < 2; side++)
        for (int i = 0; i < r->side[side].count; i++)
            row->value[side * k->columns + i] = v3_dot(row->on, r->side[side].H + 3 * i);
    if (row->inverse != 0 && is_on_free_body(r)) set_by_centre(w, row);
    if (row->on_slope == 0) return;
    const block *b = k->context[k->segment[r->at.segment[0]].block].block;
    double *J_s = k->count.jacobian, *J = J_s + SURFACE_WORK * k->columns;
    cord__surface_jacobian(b, w->trial.q + b->q0, w->cache + b->cache0, r->at.s[0], NULL,
                           k->count.dof, J, NULL, J_s);
    for (int i = 0; i < r->side[0].count; i++)
        row->value[i] += row->on_slope * v3_dot(r->at.normal, J_s + 3 * i);
}

/* The tangential rows of a contact that sticks. */
static int sticking_rows(const contact_row *r, count_row *to)
{
    if (!(hypot(r->force[1], r->force[2]) < STICKS * r->friction * r->force[0])) return 0;
    to[0] = (count_row){.of = r, .on = {0, 1, 0}};
    to[1] = (count_row){.of = r, .on = {0, 0, 1}};
    return 2;
}

/* Also the number of rows of contacts, and of terms D > 0. */
static int list_rows(problem *w, const cluster *s, bool curved, int *contacts, int *positive)
{
    contact_set *k = w->contacts;
    const island_contacts *x = s->search.contacts;
    int count = 0;
    *contacts = *positive = 0;
    for (int i = 0; i < x->rows; i++) {
        const contact_row *r = k->row + x->first_row + i;
        if (!(r->force[0] > 0)) continue;
        if (count + 6 > k->count.room) return -1;
        k->count.row[count++] = (count_row){.of = r, .on = {1}};
        int sticks = sticking_rows(r, k->count.row + count);
        count += sticks;
        *contacts += 1 + sticks;
        int more = curved ? curvature_rows(k, r, k->count.row + count) : 0;
        for (int j = 0; j < more; j++) *positive += k->count.row[count + j].inverse > 0;
        count += more;
    }
    for (int i = 0; i < count; i++) {
        k->count.row[i].value = k->count.values + 2 * (size_t)i * (size_t)k->columns;
        set_coefficients(w, k->count.row + i);
    }
    return count;
}

static double apply(const contact_set *k, const count_row *row, int c)
{
    double sum = 0;
    for (int side = 0; side < 2; side++) {
        const contact_columns *on = row->of->side + side;
        for (int i = 0; i < on->count; i++)
            sum += row->value[side * k->columns + i] *
                   cord__response_row(on->cluster, on->unknown[i])[c];
    }
    return sum;
}

/* −S, whose positive pivots are counted. */
static void fill(problem *w, cluster *s, int count)
{
    contact_set *k = w->contacts;
    double *S = k->count.matrix;
    for (int first = 0; first < count; first += RESPONSES) {
        int columns = count - first < RESPONSES ? count - first : RESPONSES;
        cord__clear_responses(w, s);
        for (int c = 0; c < columns; c++) {
            const count_row *row = k->count.row + first + c;
            for (int side = 0; side < 2; side++)
                for (int i = 0; i < row->of->side[side].count; i++)
                    cord__add_to_force(s, c, row->of->side[side].unknown[i],
                                       row->value[side * k->columns + i]);
        }
        cord__solve_responses(w, s, columns);
        for (int c = 0; c < columns; c++)
            for (int i = first + c; i < count; i++)
                S[(size_t)(first + c) * (size_t)count + (size_t)i] = apply(k, k->count.row + i, c);
    }
    double largest = 0;
    for (int i = 0; i < count; i++)
        if (k->count.row[i].inverse == 0)
            largest = fmax(largest, fabs(S[(size_t)i * (size_t)count + (size_t)i]));
    for (int i = 0; i < count; i++) {
        double inverse = k->count.row[i].inverse;
        S[(size_t)i * (size_t)count + (size_t)i] += inverse != 0 ? inverse : COMPLIANCE * largest;
    }
}

cord_status cord__contact_directions(problem *w, cluster *s, bool curved, int *count)
{
    int contacts, positive, negative;
    int rows = list_rows(w, s, curved, &contacts, &positive);
    if (rows < 0)
        return cord__set_failure(s, CORD_ERROR_UNSUPPORTED,
                                 "it has too many contacts for a count of unstable directions",
                                 s->block[0], -1);
    fill(w, s, rows);
    if (cord__dense_factor(rows, rows, w->contacts->count.matrix, &negative) >= 0)
        return cord__set_failure(s, CORD_ERROR_SINGULAR,
                                 "its contacts do not determine their forces", s->block[0], -1);
    *count += rows - negative - contacts - positive;
    return CORD_OK;
}
