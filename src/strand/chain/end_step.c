/* Velocities of a chain at the end of a step of `midpoint`.
 *
 * The formula of the integrator, ẋ₁ = 2 (x₁ − x₀)/h − ẋ₀, keeps the energy Σ ½ m ẋ², but ẋ₁ is not J v for any v: its part
 * normal to the range of J is O(h²) after one step, changes its sign in every step, and is never damped, with shorter steps
 * neither. Energy that collects there is lost to the motion. The velocities here are those of the same momentum, Jᵀm J v = Jᵀm ẋ₁ (J at the end), multiplied relative to a rigid
 * motion so that they have the same energy: both momenta, the energy and the order of the integrator are kept. */
#include "math/dense.h"
#include "math/vec3.h"
#include "strand/chain/chain.h"

#include <string.h>

typedef struct workspace {
    double *mass, *x, *rate, *u; /* of the inertial coordinates; masses one for each three */
    double *own, *solution, *rigid;
} workspace;

int cord__chain_end_work_count(const chain_model *c)
{
    return 4 * chain_inertial_count(c) + chain_own_count(c) + 2 * chain_dofs(c) + 6 * c->elements;
}

static workspace divide(const chain_model *c, double *at)
{
    int count = chain_inertial_count(c);
    workspace w = {.mass = at, .x = at + count, .rate = at + 2 * count, .u = at + 3 * count};
    w.own = at + 4 * count;
    w.solution = w.own + chain_own_count(c);
    w.rigid = w.solution + chain_dofs(c) + 6 * c->elements;
    return w;
}

static void set_masses(const chain_model *c, double filter, double *m)
{
    for (int e = 0; e < c->bars; e++)
        for (int panel = 0; panel < chain_panels(c, e); panel++) {
            if (!chain_panel_extends(c, e, panel)) continue;
            double half = chain_half_extent(c, e, panel) * c->section.mass;
            const gauss_rule *rule = chain_rule(c, e);
            for (int i = 0; i < rule->n; i++) *m++ = half * rule->w[i];
        }
    for (int n = 0; chain_director_count(c) > 0 && n <= c->elements; n++)
        for (int d = 0; d < 2; d++) *m++ = cord__chain_director_mass(c, n, filter);
}

/* Σ m x·y */
static double product(const chain_model *c, const double *m, const double *x, const double *y)
{
    double sum = 0;
    for (int i = 0; i < chain_inertial_count(c); i += 3) sum += m[i / 3] * v3_dot(x + i, y + i);
    return sum;
}

static void to_unknowns(const chain_model *c, const unsigned char *prescribed, const double *v,
                        double *x)
{
    memset(x, 0, (size_t)(chain_dofs(c) + 6 * c->elements) * sizeof *x);
    for (int n = 0; n <= c->elements; n++)
        for (int k = 0; k < 6 + chain_carried(c, n); k++)
            if (n > 0 || k >= 6 || !prescribed[k])
                x[chain_position(c, n) + k] = v[chain_dof(c, n) + k];
}

static void add_unknowns(const chain_model *c, const double *x, double *v)
{
    for (int n = 0; n <= c->elements; n++)
        for (int k = 0; k < 6 + chain_carried(c, n); k++)
            v[chain_dof(c, n) + k] += x[chain_position(c, n) + k];
}

/* (M + h²K/100) δ = Jᵀm (ẋ − J v), v ← v + δ, with M = JᵀmJ. The elastic term leaves motions that have no inertia (the base of
 * free segments, which only their first joint rotates) as the formula of the integrator gives them. */
static bool add_momentum(const chain_model *c, const midpoint_end *in, const double *rate,
                         const workspace *w, double *v)
{
    int negative;
    double *p = w->rigid, filter = in->environment->spin_filter;
    cord__chain_mass_matrix(c, in->cache, filter, 0.01 * in->step * in->step, w->own);
    if (!cord__chain_factor(c, in->prescribed, w->own, &negative)) return false;
    cord__chain_inertial_rates(c, in->cache, v, w->rate);
    for (int i = 0; i < chain_inertial_count(c); i++) w->rate[i] = rate[i] - w->rate[i];
    memset(p, 0, (size_t)chain_dofs(c) * sizeof *p);
    cord__chain_filtered_momenta(c, in->cache, filter, w->rate, p);
    to_unknowns(c, in->prescribed, p, w->solution);
    cord__chain_solve(c, in->prescribed, w->own, w->solution);
    add_unknowns(c, w->solution, v);
    return true;
}

/* The motion of least energy with the prescribed velocities of the base. */
static void driven_motion(const chain_model *c, const midpoint_end *in, const double *v,
                          const workspace *w)
{
    bool driven = false;
    memset(w->rigid, 0, (size_t)chain_dofs(c) * sizeof *w->rigid);
    to_unknowns(c, in->prescribed, w->rigid, w->solution);
    for (int k = 0; k < 6; k++)
        if (in->prescribed[k] && v[k] != 0) w->solution[k] = v[k], driven = true;
    if (!driven) return;
    cord__chain_solve(c, in->prescribed, w->own, w->solution);
    add_unknowns(c, w->solution, w->rigid);
}

/* Linear momentum, and angular momentum about the base. */
static void add_base_momentum(double m, bool director, const double x[3], const double rate[3],
                              double p[6])
{
    double h[3];
    v3_cross(h, x, rate);
    v3_axpy(p + 3, m, h);
    if (!director) v3_axpy(p, m, rate);
}

/* Adds the rigid motion that has the momentum of the remaining motion: M_FF b = p_F over the free dofs F of the base. */
static bool add_rigid_motion(const chain_model *c, const midpoint_end *in, const double *v,
                             const workspace *w)
{
    double a[36] = {0}, b[6] = {0};
    int negative, gauss = chain_gauss_count(c);
    cord__chain_inertial_x(c, NULL, in->cache, w->x);
    cord__chain_inertial_rates(c, in->cache, v, w->u);
    cord__chain_inertial_rates(c, in->cache, w->rigid, w->rate);
    for (int i = 0; i < chain_inertial_count(c); i += 3) {
        double m = w->mass[i / 3], x[3], rate[3];
        bool director = i >= gauss;
        v3_copy(x, w->x + i);
        if (!director) v3_sub(x, x, chain_nodes(in->cache)[0].position);
        v3_sub(rate, w->u + i, w->rate + i);
        add_base_momentum(m, director, x, rate, b);
        for (int j = director ? 3 : 0; j < 6; j++) {
            const double unit[3] = {j % 3 == 0, j % 3 == 1, j % 3 == 2};
            v3_copy(rate, unit);
            if (j >= 3) v3_cross(rate, unit, x);
            add_base_momentum(m, director, x, rate, a + 6 * j);
        }
    }
    for (int j = 0; j < 6; j++)
        for (int i = 0; i < 6; i++)
            if (in->prescribed[i] || in->prescribed[j]) a[6 * j + i] = i == j;
    for (int j = 0; j < 6; j++)
        if (in->prescribed[j]) b[j] = 0;
    if (cord__dense_factor(6, 6, a, &negative) >= 0) return false;
    cord__dense_solve(6, 6, a, b);
    for (int k = 0; k < 6; k++) w->rigid[k] += b[k];
    cord__chain_follow(c, in->cache, w->rigid);
    return true;
}

/* v ← v_r + s (v − v_r) with ½ Σ m |J v|² = `kinetic`; the root s that is continuous at 1. The factor is limited: where the
 * chain hardly moves relative to the rigid motion there is no motion that could take up the energy. */
static void set_energy(const chain_model *c, const midpoint_end *in, double kinetic,
                       const workspace *w, double *v)
{
    const double most = 2;
    for (int i = 0; i < chain_dofs(c); i++) v[i] -= w->rigid[i];
    cord__chain_inertial_rates(c, in->cache, v, w->u);
    cord__chain_inertial_rates(c, in->cache, w->rigid, w->rate);
    double of_u = 0.5 * product(c, w->mass, w->u, w->u), both = product(c, w->mass, w->rate, w->u);
    double missing = kinetic - 0.5 * product(c, w->mass, w->rate, w->rate);
    double root = 0.25 * both * both + of_u * missing;
    double s = root > 0 && of_u > 0 ? (sqrt(root) - 0.5 * both) / of_u : 1;
    s = fmin(fmax(s, 1 / most), most);
    for (int i = 0; i < chain_dofs(c); i++) v[i] = w->rigid[i] + s * v[i];
}

void cord__chain_end_velocities(const void *model, const midpoint_end *in, double *v, double *rate)
{
    const chain_model *c = model;
    workspace w = divide(c, in->work);
    set_masses(c, in->environment->spin_filter, w.mass);
    double kinetic = 0.5 * product(c, w.mass, rate, rate);
    if (!add_momentum(c, in, rate, &w, v)) return;
    driven_motion(c, in, v, &w);
    if (add_rigid_motion(c, in, v, &w)) set_energy(c, in, kinetic, &w, v);
    cord__chain_follow(c, in->cache, v);
    cord__chain_inertial_rates(c, in->cache, v, rate);
}
