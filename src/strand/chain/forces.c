/* Equations of motion of a chain [SC 2012, eq. 14–19; SSC 2013, eq. 7, 8]: residual, matrix,
 * energy.
 *
 * Inertia, gravity and drag are forces f at the Gauss nodes. Their generalised forces on an element
 * are Σ f, Σ r × f and Σ P·f. Their geometric stiffness (a change of curvature rotates everything
 * beyond it) is that of a rod with the internal force N(u) and moment M(u) of all loads beyond u:
 *
 *     K_g = ∫ (N·t)|φ|² − (N·φ)(t·φ) − M·(φ × φ'),     φ = ω + W κ,  φ' = R F κ.
 *
 * The last term occurs because φ is not additive for finite changes of curvature: φ' = R δκ + ½ φ ×
 * φ' + … */
#include "math/band.h"
#include "math/multiversion.h"
#include "math/vec3.h"
#include "strand/chain/sums.h"

#include <string.h>

/* ---- forces at the Gauss nodes ------------------------------------------------------------- */

static void gauss_inertia(const chain_model *c, const block_eval *in, double weight,
                          const double *acceleration, chain_force *out)
{
    const double mass = weight * c->section.mass, *gravity = in->environment->gravity;
    for (int k = 0; k < 3; k++) out->f[k] = mass * (acceleration[k] - gravity[k]);
    out->inertia = in->c_a * mass;
    out->along = 0;
}

static void gauss_drag(const chain_model *c, const block_eval *in, double weight,
                       const double position[3], const double *rate, chain_force *out)
{
    double air[3];
    cord__wind_at(in->environment->wind, in->environment->time, position, air);
    v3_sub(out->u, rate, air);
    double speed = v3_norm(out->u), drag = weight * (c->drag + c->quadratic_drag * speed);
    v3_axpy(out->f, drag, out->u);
    out->inertia += in->c_v * drag;
    if (speed > 0) out->along = in->c_v * weight * c->quadratic_drag / speed;
}

/* ---- the matrix of one element --------------------------------------------------------------- */

/* Additional stiffness along the velocity: (b·δ)² with b the derivative of the velocity over every
 * dof. */
static void add_along(const chain_model *c, const chain_local *at, const chain_force *f, double *a)
{
    double b[6 + LOCAL_MOST];
    int size = chain_size(c);
    v3_copy(b, f->u);
    v3_cross(b + 3, at->r, f->u);
    for (int j = 0; j < c->local; j++) b[6 + j] = v3_dot(at->P + 3 * j, f->u);
    for (int i = 0; i < size; i++)
        for (int j = 0; j < size; j++) a[i * size + j] += f->along * b[i] * b[j];
}

static void add_drag(const chain_model *c, int e, const double *cache, const chain_force *force,
                     double *a)
{
    for (int panel = 0; panel < chain_panels(c, e); panel++) {
        const chain_gauss *g = chain_gausses(c, cache, e, panel);
        if (!chain_panel_extends(c, e, panel)) continue;
        for (int i = 0; i < chain_rule(c, e)->n; i++, force++)
            if (force->along > 0) add_along(c, &g[i].at, force, a);
    }
}

/* Of all nodes of an element. */
static void gauss_forces(const chain_model *c, const block_eval *in, const double *acceleration,
                         int e, chain_force *force)
{
    const bool drags = c->drag > 0 || c->quadratic_drag > 0;
    const gauss_rule *rule = chain_rule(c, e);
    const double *start = chain_nodes(in->cache)[e].position;
    int p = 3 * chain_heavy_before(c, e);
    for (int panel = 0; panel < chain_panels(c, e); panel++) {
        const chain_gauss *at = chain_gausses(c, in->cache, e, panel);
        const double half = chain_half_extent(c, e, panel);
        if (!chain_panel_extends(c, e, panel)) continue;
        for (int i = 0; i < rule->n; i++, p += 3, force++) {
            double position[3];
            gauss_inertia(c, in, half * rule->w[i], acceleration + p, force);
            if (!drags) continue;
            v3_add(position, start, at[i].at.r);
            gauss_drag(c, in, half * rule->w[i], position, in->inertial_v + p, force);
        }
    }
}

/* From the sums to the matrix; `local` is c->local, a constant for clothoids in space. */
INLINE void fill(const int local, const chain_sums *s, double *a)
{
    const int size = 6 + local;
    const double *m1 = s->m1, *m2 = s->m2;
    const double cross[3][3] = {
        {0, m1[2], -m1[1]}, {-m1[2], 0, m1[0]}, {m1[1], -m1[0], 0}}; /* v_k (ω_l × m1)_k */
    const double spin[3][3] = {
        {m2[3] + m2[5] + s->rotation[0], s->rotation[1] - m2[1], s->rotation[2] - m2[2]},
        {s->rotation[1] - m2[1], m2[0] + m2[5] + s->rotation[3], s->rotation[4] - m2[4]},
        {s->rotation[2] - m2[2], s->rotation[4] - m2[4], m2[0] + m2[3] + s->rotation[5]}};
    for (int k = 0; k < 3; k++) {
        a[k * size + k] += s->m0;
        for (int l = 0; l < 3; l++) {
            a[k * size + 3 + l] += cross[k][l];
            a[(3 + l) * size + k] += cross[k][l];
            a[(3 + k) * size + 3 + l] += spin[k][l];
        }
        for (int j = 0; j < local; j++) a[k * size + 6 + j] += s->mP[k * LOCAL_MOST + j];
        for (int j = 0; j < local; j++) a[(3 + k) * size + 6 + j] += s->moment[k * LOCAL_MOST + j];
    }
    for (int j = 0; j < local; j++) {
        double *row = a + (6 + j) * size;
        for (int k = 0; k < 3; k++) row[k] += s->mP[k * LOCAL_MOST + j];
        for (int k = 0; k < 3; k++) row[3 + k] += s->moment[k * LOCAL_MOST + j];
        for (int i = 0; i < j; i++) a[(6 + i) * size + 6 + j] += s->own[j][i];
        for (int i = 0; i <= j; i++) row[6 + i] += s->own[j][i];
    }
}

static void fill_matrix(const chain_model *c, const chain_sums *s, double *a)
{
    if (c->local == LOCAL_MOST)
        fill(LOCAL_MOST, s, a);
    else
        fill(c->local, s, a);
}

/* ---- one element ------------------------------------------------------------------------------ */

/* The elastic energy is quadratic in the element's curvature: ½ ∫ (κ − κ₀)ᵀ K (κ − κ₀) [SC 2012,
 * eq. 15, 16; SSC 2013, eq. 5]. `ahead`: if not NULL, the increment at whose end the semi-implicit
 * step evaluates κ [SC 2012, sec. 3.4]. */
static void elastic_force(const chain_model *c, const block_eval *in, const double *ahead, int e,
                          double *r)
{
    int n = c->numbers;
    const double *natural = c->natural + 6 * e;
    double l = c->kind == ELEMENT_SEGMENT ? cord__chain_joint(c, e) : c->length[e];
    for (int i = 0; i < n; i++) {
        int axis = chain_axis(c, i), first = chain_local_dof(c, e, i), second = first;
        double k = c->stiffness[axis] * l, mean = 0.5 * (natural[axis] + natural[3 + axis]);
        const double *kappa = chain_kappa(c, in->q, e) + i;
        double strain = kappa[0] + c->damping * in->v[first];
        if (ahead) strain += ahead[first];
        if (c->kind != ELEMENT_CLOTHOID) {
            r[first] += k * (strain - mean);
            continue;
        }
        second = chain_local_dof(c, e, n + i);
        double other = chain_kappa(c, in->q, e + 1)[i] + c->damping * in->v[second];
        if (ahead) other += ahead[second];
        strain -= natural[axis], other -= natural[3 + axis];
        k *= 1 / 6.0;
        r[first] += k * (2 * strain + other);
        r[second] += k * (strain + 2 * other);
    }
}

/* c_k times the matrix of this energy. */
static void elastic_matrix(const chain_model *c, int e, double c_k, double *a)
{
    int n = c->numbers, size = chain_size(c);
    double l = c->kind == ELEMENT_SEGMENT ? cord__chain_joint(c, e) : c->length[e];
    for (int i = 0; i < n; i++) {
        double k = c->stiffness[chain_axis(c, i)] * l;
        int p = 6 + i, q = 6 + n + i;
        if (c->kind != ELEMENT_CLOTHOID) {
            a[p * size + p] += c_k * k;
            continue;
        }
        const double between = c_k * k * (1 / 6.0);
        a[p * size + p] += 2 * between, a[q * size + q] += 2 * between;
        a[p * size + q] += between, a[q * size + p] += between;
    }
}

/* r −= Bᵀλ of the rows that determine the element's end. */
static void pass_on(const chain_model *c, const block_eval *in, int e, double *r)
{
    const double *lambda = in->lambda + 6 * e;
    const chain_local *end = chain_end(c, in->cache, e);
    double *from = r + chain_dof(c, e), *to = r + chain_dof(c, e + 1), moment[3];
    v3_cross(moment, end->r, lambda);
    for (int k = 0; k < 3; k++) {
        to[k] -= lambda[k], to[3 + k] -= lambda[3 + k];
        from[k] += lambda[k], from[3 + k] += lambda[3 + k] + moment[k];
    }
    for (int j = 0; j < c->local; j++)
        r[chain_local_dof(c, e, j)] +=
            v3_dot(end->P + 3 * j, lambda) + v3_dot(end->W + 3 * j, lambda + 3);
}

/* ---- into the block's matrix ------------------------------------------------------------------ */

static int local_position(const chain_model *c, int e, int i)
{
    if (i < 6 + c->numbers) return chain_position(c, e) + i;
    return chain_position(c, e + 1) + i - c->numbers;
}

/* The lower triangle of a symmetric contribution, by positions. */
static void add_to_band(local_matrix *matrix, int row, int column, double value)
{
    if (row >= column) *matrix_entry(matrix, column, row - column) += value;
}

static void scatter(const chain_model *c, int e, const double *a, local_matrix *matrix)
{
    int size = chain_size(c);
    if (matrix->private_matrix) {
        double *own = ((chain_matrix *)matrix->private_matrix)[e].a;
        for (int i = 0; i < size * size; i++) own[i] += a[i];
        return;
    }
    for (int i = 0; i < size; i++)
        for (int j = 0; j < size; j++)
            add_to_band(matrix, local_position(c, e, i), local_position(c, e, j), a[i * size + j]);
}

/* The rows that determine the end of the element, and ρ BᵀB, which gives the dofs that only rows
 * determine a nonzero pivot. */
static void scatter_rows(const chain_model *c, const block_eval *in, int e, double inertia,
                         local_matrix *matrix)
{
    const chain_local *end = chain_end(c, in->cache, e);
    if (matrix->private_matrix) {
        ((chain_matrix *)matrix->private_matrix)[e].end = *end;
        return;
    }
    int size = chain_size(c), columns = size + 6, at[12 + LOCAL_MOST];
    double B[6][12 + LOCAL_MOST] = {{0}}, l = e < c->bars ? c->length[e] : cord__chain_joint(c, e);
    double stiffest = fmax(c->stiffness[0], fmax(c->stiffness[1], c->stiffness[2]));
    double rho = inertia + 12 * in->c_k * stiffest / (l * l * l);
    const double *r = end->r;
    const double cross[3][3] = {{0, -r[2], r[1]}, {r[2], 0, -r[0]}, {-r[1], r[0], 0}};
    for (int i = 0; i < columns; i++)
        at[i] = i < size ? local_position(c, e, i) : chain_position(c, e + 1) + i - size;
    for (int k = 0; k < 3; k++) {
        B[k][k] = B[3 + k][3 + k] = -1;
        B[k][size + k] = B[3 + k][size + 3 + k] = 1;
        for (int i = 0; i < 3; i++) B[k][3 + i] = cross[k][i];
        for (int j = 0; j < c->local; j++) {
            B[k][6 + j] = -end->P[3 * j + k];
            B[3 + k][6 + j] = -end->W[3 * j + k];
        }
    }
    for (int row = 0; row < 6; row++) {
        double weight = row < 3 ? rho : rho * l * l;
        for (int i = 0; i < columns; i++) {
            add_to_band(matrix, chain_row_position(c, e + 1) + row, at[i], B[row][i]);
            for (int j = 0; j < columns; j++)
                add_to_band(matrix, at[i], at[j], weight * B[row][i] * B[row][j]);
        }
    }
}

static void clear_tip(const chain_model *c, double *own)
{
    memset((chain_matrix *)own + c->elements, 0, 81 * sizeof *own);
}

/* A symmetric 3 × 3 block over the rotation of one node. */
static void scatter_rotation(const chain_model *c, int node, double a[3][3], local_matrix *matrix)
{
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) {
            if (!matrix->private_matrix) {
                int p = chain_position(c, node) + 3;
                add_to_band(matrix, p + i, p + j, a[i][j]);
            } else if (node < c->elements) {
                int size = chain_size(c);
                ((chain_matrix *)matrix->private_matrix)[node].a[(3 + i) * size + 3 + j] += a[i][j];
            } else {
                double *tip = (double *)((chain_matrix *)matrix->private_matrix + c->elements);
                tip[9 * (3 + i) + 3 + j] += a[i][j];
            }
        }
}

/* ---- nodes: directors and their inertia -------------------------------------------------------- */

/* The filter of `midpoint`. A section that spins about the tangent by φ, with the centreline at rest, has the elastic energy
 * ½ k φ² per length, k ≈ Σ K κ₀², and only the rotary inertia I: frequencies √(k/I) of some 10³ rad/s, which no usual step
 * resolves. The midpoint rule neither resolves nor damps them: they alternate from step to step and take up ever more energy.
 * With steps of H they have the inertia I + H²k/8, and so frequencies of at most 2.8/H. Sections also spin when a coil
 * rotates with its centreline, which costs no energy: so the added inertia is at most a quarter of ρA/κ₀², that of the
 * centreline about the axis of the coil, and motions of the coils hardly change. */
double cord__chain_director_mass(const chain_model *c, int node, double filter)
{
    const double least_period = 0.125; /* squared, over (2π H)² */
    const double most = 0.25;
    double stiffness = 0, square = 0;
    const double *natural = c->natural + 6 * (node < c->elements ? node : node - 1);
    for (int k = 0; c->filtered && filter > 0 && k < 3; k++) {
        double own = fmax(natural[k] * natural[k], natural[3 + k] * natural[3 + k]);
        stiffness += c->stiffness[k] * own;
        square += own;
    }
    double added = least_period * filter * filter * stiffness;
    if (square > 0) added = fmin(added, most * c->section.mass / square);
    return 0.5 * chain_cell(c, node) * (c->rotary + added);
}

static void assemble_directors(const chain_model *c, const block_eval *in, double filter,
                               const double *inertial_a, double *r, bool geometry,
                               local_matrix *matrix)
{
    const chain_node *node = chain_nodes(in->cache);
    for (int n = 0; n <= c->elements; n++) {
        double mass = cord__chain_director_mass(c, n, filter), a[3][3] = {{0}};
        for (int d = 0; d < 2; d++, inertial_a += 3) {
            const double *m = node[n].frame + 3 + 3 * d;
            double f[3], moment[3], u[3];
            v3_scale(f, mass, inertial_a);
            v3_cross(moment, m, f);
            v3_add(r + chain_dof(c, n) + 3, r + chain_dof(c, n) + 3, moment);
            if (!matrix) continue;
            /* c_m (1 − m mᵀ) + c_g (½ (f mᵀ + m fᵀ) − f·m) */
            const double c_g = geometry ? in->c_k : 0, c_m = in->c_a * mass;
            const double diagonal = c_m - c_g * v3_dot(f, m);
            v3_scale(f, 0.5 * c_g, f);
            v3_combine(u, 1, f, -c_m, m);
            for (int i = 0; i < 3; i++) {
                a[i][i] += diagonal;
                for (int j = 0; j < 3; j++) a[i][j] += u[i] * m[j] + m[i] * f[j];
            }
        }
        if (matrix) scatter_rotation(c, n, a, matrix);
    }
}

void cord__chain_mass_matrix(const chain_model *c, const double *cache, double filter, double stiff,
                             double *own)
{
    const chain_node *node = chain_nodes(cache);
    local_matrix matrix = {.private_matrix = own};
    memset(own, 0, (size_t)chain_own_count(c) * sizeof *own);
    for (int e = 0; e < c->elements; e++) {
        double a[(6 + LOCAL_MOST) * (6 + LOCAL_MOST)] = {0};
        chain_sums sums;
        cord__chain_element_sums(c, cache, e, NULL, NULL, 0, &sums);
        fill_matrix(c, &sums, a);
        elastic_matrix(c, e, stiff, a);
        scatter(c, e, a, &matrix);
        ((chain_matrix *)own)[e].end = *chain_end(c, cache, e);
    }
    for (int n = 0; chain_director_count(c) > 0 && n <= c->elements; n++) {
        const double *t = node[n].frame, mass = cord__chain_director_mass(c, n, filter);
        double a[3][3]; /* of two directors: 2 − m₁m₁ᵀ − m₂m₂ᵀ = 1 + t tᵀ */
        for (int i = 0; i < 3; i++)
            for (int j = 0; j < 3; j++) a[i][j] = mass * ((i == j) + t[i] * t[j]);
        scatter_rotation(c, n, a, &matrix);
    }
}

/* ---- workspace ---------------------------------------------------------------------------------- */

/* block_eval.work: vectors over the dofs and over the inertial coordinates, and the forces at all Gauss nodes. */
enum { DOF_VECTORS = 2, INERTIAL_VECTORS = 4 };

static int force_offset(const chain_model *c)
{
    return DOF_VECTORS * chain_dofs(c) + INERTIAL_VECTORS * chain_inertial_count(c);
}

int cord__chain_work_count(const chain_model *c)
{
    int forces =
        force_offset(c) + chain_gauss_count(c) / 3 * (int)(sizeof(chain_force) / sizeof(double));
    int end = cord__chain_end_work_count(c);
    return forces > end ? forces : end;
}

/* ---- the papers' explicit velocity terms -------------------------------------------------------- */

/* M a + velocity terms as accelerations of the inertial coordinates: J a + J̇(v₀) v₀, and to first order in v − v₀
 * on request: the terms are a quadratic form b(v), and b(v) − b(v − v₀) is b(v₀) with its derivative along v − v₀. */
static const double *explicit_accelerations(const chain_model *c, const block_eval *in,
                                            const semi_implicit_step *step)
{
    int dofs = chain_dofs(c), count = chain_inertial_count(c);
    double *a = in->work, *v = a + dofs, *sum = v + dofs, *part = sum + count;
    memcpy(a, in->a, (size_t)dofs * sizeof *a);
    cord__chain_follow(c, in->cache, a);
    cord__chain_inertial_rates(c, in->cache, a, sum);
    memcpy(v, step->v_start, (size_t)dofs * sizeof *v);
    cord__chain_follow(c, in->cache, v);
    if (!step->velocity_terms) {
        cord__chain_inertial_bias(c, in->cache, v, part);
        for (int i = 0; i < count; i++) sum[i] += part[i];
        return sum;
    }
    double *w = a;
    memcpy(w, in->v, (size_t)dofs * sizeof *w);
    cord__chain_follow(c, in->cache, w);
    cord__chain_inertial_bias(c, in->cache, w, part);
    for (int i = 0; i < count; i++) sum[i] += part[i];
    for (int i = 0; i < dofs; i++) w[i] -= v[i];
    cord__chain_inertial_bias(c, in->cache, w, part);
    for (int i = 0; i < count; i++) sum[i] -= part[i];
    return sum;
}

/* ---- `midpoint` ----------------------------------------------------------------------------------- */

/* A force w_k d_k W/Σ w d² on every curvature, W the defect of work, with weights w from stiffness
 * and inertia. None where W is not small against Σ w d²: the increment is then at round-off level. */
void cord__chain_correct_energy(const void *model, const double *d, double c_a, double work,
                                double *r)
{
    const chain_model *c = model;
    double square = 0;
    for (int pass = 0; pass < 2; pass++) {
        for (int knot = 0; knot < chain_knots(c); knot++) {
            double l = chain_cell(c, knot), inertia = c_a * c->section.mass * l * l * l * l * l;
            for (int k = 0; k < c->numbers; k++) {
                int column = chain_dof(c, knot) + 6 + k;
                double weight = c->stiffness[chain_axis(c, k)] * l + inertia;
                if (pass == 0)
                    square += weight * d[column] * d[column];
                else
                    r[column] += work / square * weight * d[column];
            }
        }
        if (!(fabs(work) < square)) return;
    }
}

/* Discrete gradient: the work of forces f at inertial coordinates over the step is f · (x₁ − x₀),
 * which differs at third order from f · (∂x/∂q) d at the midpoint. The mean of the two ends
 * replaces the lever arm of the base's rotation, which conserves linear and angular momentum; the
 * remaining defect of work is corrected in the curvatures. */
static void correct_work(const chain_model *c, const block_eval *in, const midpoint_step *step,
                         const chain_force *force, const double *directors, double *r)
{
    const chain_node *mid = chain_nodes(in->cache), *start = chain_nodes(step->start),
                     *end = chain_nodes(step->end);
    int count = chain_inertial_count(c);
    double *rate = in->work, *x0 = rate + count, *x1 = x0 + count, *x = x1 + count;
    double missing = 0, torque[3] = {0, 0, 0}, arm[3], base[3];
    cord__chain_inertial_rates(c, in->cache, step->d, rate);
    cord__chain_inertial_x(c, NULL, step->start, x0);
    cord__chain_inertial_x(c, NULL, step->end, x1);
    cord__chain_inertial_x(c, NULL, in->cache, x);
    int gauss = chain_gauss_count(c);
    for (int k = 0; k < 3; k++)
        base[k] = 0.5 * (start[0].position[k] + end[0].position[k]) - mid[0].position[k];
    for (int i = 0; i < count; i += 3) {
        double f[3], swing[3], moment[3];
        if (i < gauss) {
            v3_copy(f, force[i / 3].f);
        } else {
            int node = (i - gauss) / 6;
            v3_scale(f, cord__chain_director_mass(c, node, in->environment->spin_filter),
                     directors + i - gauss);
        }
        for (int k = 0; k < 3; k++)
            arm[k] = 0.5 * (x0[i + k] + x1[i + k]) - x[i + k] - (i < gauss ? base[k] : 0);
        v3_cross(swing, step->d + 3, arm);
        for (int k = 0; k < 3; k++)
            missing += f[k] * (x1[i + k] - x0[i + k] - rate[i + k] - swing[k]);
        v3_cross(moment, arm, f);
        v3_add(torque, torque, moment);
    }
    v3_add(r + 3, r + 3, torque);
    cord__chain_correct_energy(c, step->d, in->c_a, missing, r);
}

/* ---- assemble --------------------------------------------------------------------------------------- */

/* Adds the generalised forces of the nodes of an element to r. */
static void distribute(const chain_model *c, int e, const double *sum, double *r)
{
    for (int k = 0; k < 6; k++) r[chain_dof(c, e) + k] += sum[k];
    for (int j = 0; j < c->local; j++) r[chain_local_dof(c, e, j)] += sum[6 + j];
}

static void collect_forces(const chain_model *c, const double *cache, int e,
                           const chain_force *force, double *r)
{
    for (int panel = 0; panel < chain_panels(c, e); panel++) {
        double sum[6 + LOCAL_MOST];
        if (!chain_panel_extends(c, e, panel)) continue;
        cord__chain_panel_forces(c, e, chain_gausses(c, cache, e, panel), force, sum);
        distribute(c, e, sum, r);
        force += chain_rule(c, e)->n;
    }
}

static void damp_base(const chain_model *c, const block_eval *in, double *r, local_matrix *matrix)
{
    double a[3][3] = {{0}};
    if (c->base_damping == 0) return;
    for (int k = 0; k < 3; k++) {
        r[3 + k] += c->base_damping * in->v[3 + k];
        a[k][k] = in->c_v * c->base_damping;
    }
    if (matrix) scatter_rotation(c, 0, a, matrix);
}

/* `midpoint` and `explicit_step`: data of that integrator, or NULL. */
static void assemble(const chain_model *c, const block_eval *in, const midpoint_step *midpoint,
                     const semi_implicit_step *explicit_step, double *r, double *g,
                     local_matrix *matrix)
{
    int gauss = chain_gauss_count(c);
    bool geometry = matrix && in->c_k > 0 && !explicit_step && !in->rows_only;
    const double *inertial_a =
        explicit_step ? explicit_accelerations(c, in, explicit_step) : in->inertial_a;
    const double *ahead = explicit_step ? explicit_step->d : NULL;
    chain_force *force = (chain_force *)(in->work + force_offset(c));
    block_eval of_forces =
        *in; /* drag is explicit, and no part of the matrix, in the papers' step */
    if (explicit_step) of_forces.c_v = 0;
    memset(r, 0, (size_t)chain_dofs(c) * sizeof *r);
    memset(g, 0, (size_t)(6 * c->elements) * sizeof *g);
    for (int e = 0; e < c->elements; e++) {
        chain_force *own = force + chain_heavy_before(c, e);
        double band[(6 + LOCAL_MOST) * (6 + LOCAL_MOST)];
        double *a =
            matrix && matrix->private_matrix ? ((chain_matrix *)matrix->private_matrix)[e].a : band;
        chain_sums sums;
        gauss_forces(c, &of_forces, inertial_a, e, own);
        if (matrix)
            cord__chain_element_sums(c, in->cache, e, own, geometry ? in->lambda + 6 * e : NULL,
                                     in->c_k, &sums);
        if (!in->rows_only) {
            if (matrix)
                distribute(c, e, sums.force, r);
            else
                collect_forces(c, in->cache, e, own, r);
            pass_on(c, in, e, r);
            elastic_force(c, in, ahead, e, r);
        }
        if (!matrix) continue;
        memset(a, 0, (size_t)(chain_size(c) * chain_size(c)) * sizeof *a);
        if (!in->rows_only) elastic_matrix(c, e, in->c_k + in->proximal + in->c_v * c->damping, a);
        if (c->quadratic_drag > 0) add_drag(c, e, in->cache, own, a);
        fill_matrix(c, &sums, a);
        if (a == band) scatter(c, e, a, matrix);
        scatter_rows(c, in, e, sums.m0, matrix);
    }
    if (matrix && matrix->private_matrix) clear_tip(c, matrix->private_matrix);
    if (chain_director_count(c) > 0)
        assemble_directors(c, in, midpoint ? in->environment->spin_filter : 0, inertial_a + gauss,
                           r, geometry, matrix);
    if (in->rows_only) {
        memset(r, 0, (size_t)chain_dofs(c) * sizeof *r);
        return;
    }
    damp_base(c, in, r, matrix);
    if (midpoint) correct_work(c, in, midpoint, force, inertial_a + gauss, r);
}

void cord__chain_assemble(const void *model, const block_eval *in, double *r, double *g,
                          local_matrix *matrix)
{
    assemble(model, in, NULL, NULL, r, g, matrix);
}

void cord__chain_assemble_midpoint(const void *model, const block_eval *in,
                                   const midpoint_step *step, double *r, double *g,
                                   local_matrix *matrix)
{
    assemble(model, in, step, NULL, r, g, matrix);
}

void cord__chain_assemble_semi_implicit(const void *model, const block_eval *in,
                                        const semi_implicit_step *step, double *r, double *g,
                                        local_matrix *matrix)
{
    assemble(model, in, NULL, step, r, g, matrix);
}

/* As the inertia in cord__chain_assemble(), with velocities of the inertial coordinates instead of
 * accelerations. */
void cord__chain_filtered_momenta(const chain_model *c, const double *cache, double filter,
                                  const double *rate, double *momentum)
{
    const chain_node *node = chain_nodes(cache);
    for (int e = 0; e < c->elements; e++)
        for (int panel = 0; panel < chain_panels(c, e); panel++) {
            const gauss_rule *rule = chain_rule(c, e);
            chain_force own[RULE_MOST];
            double sum[6 + LOCAL_MOST];
            if (!chain_panel_extends(c, e, panel)) continue;
            double half = chain_half_extent(c, e, panel) * c->section.mass;
            for (int k = 0; k < rule->n; k++, rate += 3)
                v3_scale(own[k].f, half * rule->w[k], rate);
            cord__chain_panel_forces(c, e, chain_gausses(c, cache, e, panel), own, sum);
            distribute(c, e, sum, momentum);
        }
    for (int n = 0; chain_director_count(c) > 0 && n <= c->elements; n++)
        for (int d = 0; d < 2; d++, rate += 3) {
            double moment[3], *rotation = momentum + chain_dof(c, n) + 3;
            v3_cross(moment, node[n].frame + 3 + 3 * d, rate);
            v3_axpy(rotation, cord__chain_director_mass(c, n, filter), moment);
        }
}

void cord__chain_momenta(const void *model, const double *cache, const double *rate,
                         double *momentum)
{
    cord__chain_filtered_momenta(model, cache, 0, rate, momentum);
}

/* ---- geometric stiffness of a force at a point
 * ---------------------------------------------------- */

/* The internal force up to the point is w, with its moment; for a torque, the moment is w. */
static void stiffen_at(const chain_model *c, const double *cache, const chain_location *location,
                       measure what, const double w[3], double c_k, local_matrix *matrix)
{
    double a[(6 + LOCAL_MOST) * (6 + LOCAL_MOST)] = {0};
    const int e = location->element;
    chain_gauss last[RULE_MOST];
    chain_load load[RULE_MOST];
    chain_local local;
    cord__chain_local_at(c, cache, location, last, &local);
    for (int i = 0; i < chain_rule(c, e)->n; i++) {
        v3_set(load[i].force, 0, 0, 0);
        v3_copy(load[i].moment, w);
        if (what != MEASURE_POSITION) continue;
        v3_copy(load[i].force, w);
        v3_cross(load[i].moment, local.r, w);
    }
    for (int panel = 0; panel <= location->panel; panel++) {
        const bool whole = panel < location->panel;
        chain_sums sums;
        cord__chain_part_sums(c, e, panel, whole ? 1 : location->part,
                              whole ? chain_gausses(c, cache, e, panel) : last, load, c_k, &sums);
        fill_matrix(c, &sums, a);
    }
    scatter(c, e, a, matrix);
}

void cord__chain_stiffen(const void *model, const double *q, const double *cache,
                         const attachment *at, measure what, const double w[3], double c_k,
                         local_matrix *matrix)
{
    const chain_model *c = model;
    const chain_location *location = c->attachment + at->index;
    (void)q;
    if (location->node >= 0 || what == MEASURE_CURVATURE) return;
    stiffen_at(c, cache, location, what, w, c_k, matrix);
}

/* The smooth curve through a chain of segments is linear in its nodes. */
void cord__chain_stiffen_slide(const void *model, const double *cache, int element, double s,
                               measure what, const double w[3], double c_k, local_matrix *matrix)
{
    const chain_model *c = model;
    chain_location location;
    if (c->kind == ELEMENT_SEGMENT) return;
    cord__chain_slide_location(c, element, s, &location);
    stiffen_at(c, cache, &location, what, w, c_k, matrix);
}
