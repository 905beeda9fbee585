/* Energies and momenta of a chain. */
#include "math/vec3.h"
#include "strand/chain/chain.h"

#include <string.h>

/* Elastic energy ½ ∫ (κ − κ₀)ᵀ K (κ − κ₀) of one element [SC 2012, sec. 3; SSC 2013, eq. 5]: κ − κ₀
 * is affine from a to b, and the integral of its square is l (a² + ab + b²)/3. */
static void elastic_energy(const chain_model *c, const double *q, int e, block_energy *out)
{
    const double *natural = c->natural + 6 * e;
    double l = c->kind == ELEMENT_SEGMENT ? cord__chain_joint(c, e) : c->length[e];
    for (int axis = 0; axis < 3; axis++) {
        bool free_axis = !c->planar || axis == 2;
        int i = c->planar ? 0 : axis;
        double a = free_axis ? chain_kappa(c, q, e)[i] : 0, b = a;
        if (free_axis && c->kind == ELEMENT_CLOTHOID) b = chain_kappa(c, q, e + 1)[i];
        a -= natural[axis], b -= natural[3 + axis];
        double energy = c->stiffness[axis] * l / 6 * (a * a + a * b + b * b);
        if (axis == 0)
            out->twisting += energy;
        else
            out->bending += energy;
    }
}

/* ½ m ẋ², and m x × ẋ */
static void add_motion(double mass, const double x[3], const double rate[3], block_energy *e)
{
    double h[3];
    e->kinetic += 0.5 * mass * v3_dot(rate, rate);
    v3_cross(h, x, rate);
    v3_axpy(e->angular, mass, h);
}

/* The Gauss nodes of one element, and its end's motion. `first`: the motion of its first node; or rates of its Gauss
 * nodes in `inertial_v`. */
static void add_element(const chain_model *c, const environment *env, const double *cache, int e,
                        const double *first, const double *curvature_rate, const double *inertial_v,
                        block_energy *out)
{
    const gauss_rule *rule = chain_rule(c, e);
    for (int panel = 0; panel < chain_panels(c, e); panel++) {
        const chain_gauss *g = chain_gausses(c, cache, e, panel);
        if (!chain_panel_extends(c, e, panel)) continue;
        for (int i = 0; i < rule->n; i++) {
            double mass = c->section.mass * chain_half_extent(c, e, panel) * rule->w[i];
            double x[3], rate[3];
            v3_add(x, chain_nodes(cache)[e].position, g[i].at.r);
            if (inertial_v) {
                v3_copy(rate, inertial_v);
                inertial_v += 3;
            } else {
                cord__chain_gauss_rate(c, g + i, first, curvature_rate, rate);
            }
            out->gravity -= mass * v3_dot(env->gravity, x);
            v3_axpy(out->linear, mass, rate);
            add_motion(mass, x, rate, out);
        }
    }
}

/* The two directors of one node; `inertial_v` as in add_element(). */
static void add_directors(const chain_model *c, double filter, const double *cache, int node,
                          const double *rotation, const double *inertial_v, block_energy *out)
{
    for (int d = 0; d < 2; d++) {
        const double *director = chain_nodes(cache)[node].frame + 3 + 3 * d;
        double rate[3];
        if (inertial_v)
            v3_copy(rate, inertial_v + 3 * d);
        else
            v3_cross(rate, rotation, director);
        add_motion(cord__chain_director_mass(c, node, filter), director, rate, out);
    }
}

void cord__chain_energy(const void *model, const environment *env, const double *q,
                        const double *cache, const double *v, const double *inertial_v,
                        block_energy *e)
{
    const chain_model *c = model;
    int gauss = chain_gauss_count(c);
    memset(e, 0, sizeof *e);
    for (int pass = 0; pass < (chain_director_count(c) > 0 ? 2 : 1); pass++) {
        double motion[6], next[6], rate[LOCAL_MOST];
        memcpy(motion, v, sizeof motion);
        for (int n = 0; n <= c->elements; n++) {
            const double *directors = inertial_v ? inertial_v + gauss + 6 * n : NULL;
            if (pass == 1) add_directors(c, env->spin_filter, cache, n, motion + 3, directors, e);
            if (n == c->elements) break;
            cord__chain_curvature_rates(c, n, v, rate);
            if (pass == 0)
                add_element(c, env, cache, n, motion, rate,
                            inertial_v ? inertial_v + 3 * chain_heavy_before(c, n) : NULL, e);
            cord__chain_end_motion(c, chain_end(c, cache, n), motion, rate, next);
            memcpy(motion, next, sizeof motion);
        }
    }
    for (int i = 0; i < c->elements; i++) elastic_energy(c, q, i, e);
}
