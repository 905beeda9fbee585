/* The quadrature of a chain: one Gauss rule, and panels whose number follows the curvature.
 *
 * A rule of n nodes is exact to round-off while a panel rotates by no more than some angle (largest_rotation()). The rule
 * is chosen once, when the chain is created, with as many panels in every element as the initial and the natural shape need.
 * From then on the number of panels follows the curvature, as in [SSC 2013, sec. 6.3], and is part of the state:
 *
 * - It is the number at creation times a power of two, never less, so that panels are halved or joined in pairs. Chains
 *   whose elements stay within the angle keep their panels, and their bits.
 * - It changes between steps only, by the committed curvature: doubled until no panel rotates by more than the angle, halved
 *   only when the joined panels rotate by less than JOINED of it. A step whose result rotates panels by more than
 *   TOLERATED times the angle is discarded and made again, from the same committed state with the panels of that result.
 *   All functions of a step therefore use the same nodes: positions, frames, mass, gravity, velocity terms, derivatives.
 * - Gauss nodes are inertial coordinates, whose rates are part of the state. Nodes carry values of a polynomial of degree
 *   n − 1 in each panel. Halving evaluates it at the new nodes; its square has degree 2n − 2, which the rule integrates
 *   exactly, so that momentum and kinetic energy are unchanged. Joining is the orthogonal projection on polynomials of the
 *   joined panel, ∫ ℓ_i v / w_i with the cardinal functions ℓ_i, since ∫ ℓ_i ℓ_j = w_i δ_ij for Gauss's nodes.
 * - Cache, workspace and inertial coordinates have the size of the present panels: the world lays out its arrays again
 *   after a change (quadrature_ops), as after an event. Checkpoints contain the numbers of panels.
 *
 * Curvature without bound (a diverging iterate, an unstable step) has no curve: the cache is then NaN, in bounded time,
 * so that the iteration fails and the step is halved. */
#include "strand/chain/chain.h"

#include "math/vec3.h"

#include <limits.h>
#include <stdint.h>
#include <string.h>

static const double JOINED = 0.7, TOLERATED = 1.2;
/* Of an element, rad; more where it is created with more. */
static const double MOST_ROTATION = 2000;
enum { MOST_CACHE = INT_MAX / 4 }; /* doubles */

/* ---- the rule ---------------------------------------------------------------------------------- */

/* Panels rotate by at most so far in the initial and in the natural shape, rad: the rule of most nodes serves for 1.37 times
 * as far. Nodes per radian are the fewer the further a panel rotates. */
static const double CREATED_ROTATION = 6.5;

/* The rule is exact to round-off for slightly more than the rotation: 5 + 1.3 nodes per radian for inertia, and two more
 * where curvature varies, for velocity terms to 1e-11. */
static int nodes_for(const chain_model *c, double rotation)
{
    int n = c->kind == ELEMENT_CLOTHOID ? (int)fmax(9, ceil(7.1 + 1.5 * rotation))
                                        : (int)ceil(5 + 1.3 * fmax(1.15 * rotation, 2));
    return n < 6 ? 6 : n > RULE_MOST ? RULE_MOST : n;
}

/* The largest rotation of a panel, rad: with it, positions have an error of 2e-14 of their length, the mass matrix of 1e-12,
 * velocity terms of 2e-11. It is half as far again as that for which nodes_for() chooses, 1.15 times as far for constant
 * curvature, so that chains vibrate about their natural shape without a change of panels. */
static double largest_rotation(const chain_model *c)
{
    return c->kind == ELEMENT_CLOTHOID ? c->rule.n - 7.1 : (c->rule.n - 5) / 1.3;
}

static double curved_length(const chain_model *c, int e)
{
    return c->kind == ELEMENT_SEGMENT ? cord__chain_joint(c, e) : c->length[e];
}

/* The last panel of a segment does not rotate. */
static int straight_panels(const chain_model *c)
{
    return c->kind == ELEMENT_SEGMENT ? 1 : 0;
}

void cord__chain_choose_rule(chain_model *c, const double *kappa)
{
    double most = 0;
    for (int e = 0; e < c->elements; e++)
        for (int i = 0; i < 2; i++) {
            int knot = c->kind == ELEMENT_CLOTHOID ? e + i : e;
            most = fmax(most, curved_length(c, e) * v3_norm(kappa + 3 * knot));
            most = fmax(most, curved_length(c, e) * v3_norm(c->natural + 6 * e + 3 * i));
        }
    int rotating = (int)fmax(1, ceil(most / CREATED_ROTATION));
    c->panels = rotating + straight_panels(c);
    cord__gauss_rule(&c->rule, nodes_for(c, most / rotating));
}

/* ---- how many ---------------------------------------------------------------------------------- */

/* The largest rotation of an element with its curvature at either end, rad. There may be no end joint. */
static double rotation_of(const chain_model *c, const double *q, int e)
{
    double most = 0, sum = 0;
    if (e >= c->elements) return 0;
    for (int end = 0; end < (c->kind == ELEMENT_CLOTHOID ? 2 : 1); end++) {
        const double *kappa = chain_kappa(c, q, e + end);
        double square = 0;
        for (int i = 0; i < c->numbers; i++) square += kappa[i] * kappa[i];
        most = fmax(most, square);
        sum += square;
    }
    return isfinite(sum) ? curved_length(c, e) * sqrt(most) : INFINITY;
}

bool cord__chain_is_unbounded(const chain_model *c, const double *q, int e)
{
    return !(rotation_of(c, q, e) <= fmax(MOST_ROTATION, 8 * c->panels));
}

/* Panels of an element that rotates so far, from the present number. */
static int wanted(const chain_model *c, double rotation, int present, bool may_join)
{
    double each = largest_rotation(c);
    int fewest = c->panels - straight_panels(c), panels = present - straight_panels(c);
    while (rotation > each * panels) panels *= 2;
    while (may_join && panels > fewest && rotation < JOINED * each * (panels / 2)) panels /= 2;
    return panels + straight_panels(c);
}

static quadrature_fit fit(const void *model, const double *q)
{
    const chain_model *c = model;
    quadrature_fit worst = QUADRATURE_FITS;
    double cache = 0;
    for (int e = 0; e < chain_room(c); e++) {
        if (cord__chain_is_unbounded(c, q, e)) return QUADRATURE_UNBOUNDED;
        double rotation = rotation_of(c, q, e);
        int panels = chain_panels(c, e), next = wanted(c, rotation, panels, true);
        cache += (double)next * (START_DOUBLES + c->rule.n * GAUSS_DOUBLES);
        if (rotation > TOLERATED * largest_rotation(c) * (panels - straight_panels(c)))
            worst = QUADRATURE_COARSE;
        else if (next != panels && worst == QUADRATURE_FITS)
            worst = QUADRATURE_DUE;
    }
    return cache > MOST_CACHE ? QUADRATURE_UNBOUNDED : worst;
}

/* ---- changing them ------------------------------------------------------------------------------ */

/* All points that have a panel. */
static void locate_again(chain_model *c)
{
    for (int i = 0; i < c->vertices; i++) cord__chain_locate(c, c->vertex[i].s, c->vertex + i);
    for (int i = 0; i + 1 < c->vertices; i++) cord__chain_locate(c, c->edge[i].s, c->edge + i);
    for (int i = 0; i < c->attached; i++)
        cord__chain_locate(c, c->attachment[i].s, c->attachment + i);
}

static void choose(void *model, const double *q, bool may_join)
{
    chain_model *c = model;
    int before = 0;
    for (int e = 0; e < chain_room(c); e++) {
        int present = c->first_panel[e + 1] - before;
        before = c->first_panel[e + 1];
        c->first_panel[e + 1] =
            c->first_panel[e] + wanted(c, rotation_of(c, q, e), present, may_join);
    }
    locate_again(c);
}

/* Values at the nodes of `ratio` panels, from those of the panel that they divide. */
static void divide(const gauss_rule *rule, int ratio, const double *from, double *to)
{
    for (int i = 0; i < ratio * rule->n; i++, to += 3) {
        double x = (2 * (i / rule->n) + 1 + rule->x[i % rule->n]) / ratio - 1;
        v3_set(to, 0, 0, 0);
        for (int j = 0; j < rule->n; j++)
            v3_axpy(to, cord__gauss_cardinal(rule, j, x), from + 3 * j);
    }
}

/* Values at the nodes of a panel, from those of the `ratio` panels that it joins. */
static void join(const gauss_rule *rule, int ratio, const double *from, double *to)
{
    for (int j = 0; j < rule->n; j++) v3_set(to + 3 * j, 0, 0, 0);
    for (int i = 0; i < ratio * rule->n; i++, from += 3) {
        double x = (2 * (i / rule->n) + 1 + rule->x[i % rule->n]) / ratio - 1;
        for (int j = 0; j < rule->n; j++)
            v3_axpy(to + 3 * j,
                    rule->w[i % rule->n] / (ratio * rule->w[j]) * cord__gauss_cardinal(rule, j, x),
                    from);
    }
}

static void transfer_values(const chain_model *c, int count, const double *from, double *to)
{
    const double *end = from + count;
    int n = 3 * c->rule.n;
    for (int e = 0; e < c->bars; e++) {
        int old = c->kind == ELEMENT_SEGMENT ? 1 : c->stored_panel[e + 1] - c->stored_panel[e];
        int new = c->kind == ELEMENT_SEGMENT ? 1 : chain_panels(c, e);
        int steps = old < new ? old : new, each_from = old / steps *n, each_to = new / steps *n;
        for (int p = 0; p < steps; p++, from += each_from, to += each_to) {
            if (old == new)
                memcpy(to, from, (size_t)n * sizeof *to);
            else if (old < new)
                divide(&c->rule, new / old, from, to);
            else
                join(&c->rule, old / new, from, to);
        }
    }
    memcpy(to, from, (size_t)(end - from) * sizeof *to);
}

static void transfer(void *model, int count, const double *const from[2], double *const to[2])
{
    chain_model *c = model;
    for (int i = 0; count > 0 && i < 2; i++) transfer_values(c, count, from[i], to[i]);
    memcpy(c->stored_panel, c->first_panel, (size_t)(chain_room(c) + 1) * sizeof *c->stored_panel);
}

static void restore(void *model)
{
    chain_model *c = model;
    memcpy(c->first_panel, c->stored_panel, (size_t)(chain_room(c) + 1) * sizeof *c->first_panel);
    locate_again(c);
}

cord_status cord__chain_make_panels(chain_model *c, memory *m)
{
    c->first_panel = NEW(m, int, chain_room(c) + 1);
    c->stored_panel = NEW(m, int, chain_room(c) + 1);
    if (!c->first_panel || !c->stored_panel) return CORD_ERROR_MEMORY;
    for (int e = 0; e <= chain_room(c); e++) c->first_panel[e] = c->stored_panel[e] = e * c->panels;
    return CORD_OK;
}

/* ---- checkpoints: the number of panels of each element ------------------------------------------- */

static size_t size(const void *model)
{
    return (size_t)chain_room(model) * sizeof(int32_t);
}

static void write(const void *model, void *bytes)
{
    const chain_model *c = model;
    for (int e = 0; e < chain_room(c); e++) {
        int32_t panels = chain_panels(c, e);
        memcpy((char *)bytes + (size_t)e * sizeof panels, &panels, sizeof panels);
    }
}

static int32_t panels_in(const void *bytes, int e)
{
    int32_t panels;
    memcpy(&panels, (const char *)bytes + (size_t)e * sizeof panels, sizeof panels);
    return panels;
}

static int inertial_count(const void *model, const void *bytes, size_t given)
{
    const chain_model *c = model;
    const int fewest = c->panels - straight_panels(c);
    int64_t sum = 0, most = MOST_CACHE / (START_DOUBLES + c->rule.n * GAUSS_DOUBLES);
    if (given != size(model)) return -1;
    for (int e = 0; e < chain_room(c); e++) {
        int64_t panels = (int64_t)panels_in(bytes, e) - straight_panels(c), allowed = fewest;
        while (allowed < panels) allowed *= 2;
        sum += panels + straight_panels(c);
        if (allowed != panels || sum > most) return -1;
    }
    if (c->kind == ELEMENT_SEGMENT) sum = c->bars;
    return 3 * (int)sum * c->rule.n + chain_director_count(c);
}

static bool read(void *model, const void *bytes)
{
    chain_model *c = model;
    bool differs = false;
    for (int e = 0; e < chain_room(c); e++) {
        int end = c->first_panel[e] + panels_in(bytes, e);
        differs = differs || end != c->first_panel[e + 1];
        c->first_panel[e + 1] = end;
    }
    if (differs) locate_again(c);
    return differs;
}

static uint64_t add_to_hash(const void *model, uint64_t hash)
{
    const chain_model *c = model;
    for (int e = 0; e < chain_room(c); e++)
        if (chain_panels(c, e) != c->panels)
            hash = (hash ^ ((uint64_t)e << 32 | (uint64_t)chain_panels(c, e))) * 1099511628211u;
    return hash;
}

const quadrature_ops cord__chain_quadrature = {.fit = fit,
                                               .choose = choose,
                                               .transfer = transfer,
                                               .restore = restore,
                                               .size = size,
                                               .inertial_count = inertial_count,
                                               .write = write,
                                               .read = read,
                                               .hash = add_to_hash};
