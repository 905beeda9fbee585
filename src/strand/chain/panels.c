/* The quadrature of a chain: panels with the nodes of a Gauss rule, whose number follows the curvature.
 *
 * A rule of n nodes is exact to round-off while a panel rotates by no more than some angle (rule_rotation()). When the chain
 * is created it has one rule, and as many panels in every element as the initial and the natural shape need: level 0.
 * From then on the quadrature of an element follows its curvature, as in [SSC 2013, sec. 6.3], and is part of the state:
 *
 * - In the next levels its panels have rules of more nodes, since nodes per radian are the fewer the further a panel rotates. In every
 *   level beyond that of most nodes, panels are halved. Chains whose elements stay within the angle of level 0 keep their
 *   panels, and their bits.
 * - It changes between steps only, by the committed curvature: to the level that suffices for the rotation, and to a lower one
 *   only when the rotation is less than JOINED of the one that this suffices for. A step whose result rotates an element by more than
 *   TOLERATED times the angle is discarded and made again, from the same committed state with the panels of that result.
 *   All functions of a step therefore use the same nodes: positions, frames, mass, gravity, velocity terms, derivatives.
 * - Gauss nodes are inertial coordinates, whose rates are part of the state. Nodes carry values of a polynomial of degree
 *   n − 1 in each panel. A higher level evaluates it at the new nodes; its square has degree 2n − 2, which both rules integrate
 *   exactly, so that momentum and kinetic energy are unchanged. A lower one is the orthogonal projection on polynomials of the
 *   joined panel, ∫ ℓ_i v / w_i with the cardinal functions ℓ_i, since ∫ ℓ_i ℓ_j = w_i δ_ij for Gauss's nodes.
 * - Cache, workspace and inertial coordinates have the size of the present panels: the world lays out its arrays again
 *   after a change (quadrature_ops), as after an event. Checkpoints contain the levels.
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
enum { MOST_CACHE = INT_MAX / 4 /* doubles */, MOST_LEVEL = 16 };

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
static double rule_rotation(const chain_model *c, const gauss_rule *rule)
{
    return c->kind == ELEMENT_CLOTHOID ? rule->n - 7.1 : (rule->n - 5) / 1.3;
}

/* The rules after the first: whole vectors of nodes, and few, since chains in a batch have the same ones. The last panel of a
 * segment does not rotate. */
static void add_rules(chain_model *c)
{
    static const int nodes[] = {12, RULE_MOST};
    c->rules = 1;
    for (int i = 0; c->kind != ELEMENT_SEGMENT && i < 2; i++)
        if (nodes[i] > c->rule->n + 1) cord__gauss_rule(c->rule + c->rules++, nodes[i]);
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
    cord__gauss_rule(c->rule, nodes_for(c, most / rotating));
    add_rules(c);
}

/* How often the panels of level 0 are halved. */
static int halvings(const chain_model *c, int level)
{
    return level < c->rules ? 0 : level - c->rules + 1;
}

static int rotating_panels(const chain_model *c, int level)
{
    return (c->panels - straight_panels(c)) << halvings(c, level);
}

static int panels_at(const chain_model *c, int level)
{
    return rotating_panels(c, level) + straight_panels(c);
}

/* The largest rotation of an element, rad. */
static double largest_rotation(const chain_model *c, int level)
{
    return rotating_panels(c, level) * rule_rotation(c, c->rule + chain_rule_of(c, level));
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
        if (square > most) most = square;
        sum += square; /* not finite where a square is not */
    }
    return isfinite(sum) ? curved_length(c, e) * sqrt(most) : INFINITY;
}

bool cord__chain_is_unbounded(const chain_model *c, const double *q, int e)
{
    return !(rotation_of(c, q, e) <= fmax(MOST_ROTATION, 8 * c->panels));
}

/* The level of an element that rotates so far, from the present one. */
static int wanted(const chain_model *c, double rotation, int level, bool may_join)
{
    while (rotation > largest_rotation(c, level)) level++;
    while (may_join && level > 0 && rotation < JOINED * largest_rotation(c, level - 1)) level--;
    return level;
}

static quadrature_fit fit(const void *model, const double *q)
{
    const chain_model *c = model;
    quadrature_fit worst = QUADRATURE_FITS;
    double cache = 0;
    for (int e = 0; e < chain_room(c); e++) {
        if (cord__chain_is_unbounded(c, q, e)) return QUADRATURE_UNBOUNDED;
        double rotation = rotation_of(c, q, e);
        int level = c->level[e], next = wanted(c, rotation, level, true);
        cache += (double)panels_at(c, next) *
                 (START_DOUBLES + (double)c->rule[chain_rule_of(c, next)].n * GAUSS_DOUBLES);
        if (rotation > TOLERATED * largest_rotation(c, level))
            worst = QUADRATURE_COARSE;
        else if (next != level && worst == QUADRATURE_FITS)
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

void cord__chain_set_panels(chain_model *c)
{
    for (int e = 0; e < chain_room(c); e++) {
        const int panels = panels_at(c, c->level[e]);
        c->first_panel[e + 1] = c->first_panel[e] + panels;
        c->first_node[e + 1] = c->first_node[e] + panels * chain_rule(c, e)->n;
    }
}

static void choose(void *model, const double *q, bool may_join)
{
    chain_model *c = model;
    for (int e = 0; e < chain_room(c); e++)
        c->level[e] = wanted(c, rotation_of(c, q, e), c->level[e], may_join);
    cord__chain_set_panels(c);
    locate_again(c);
}

/* Values at the nodes of `ratio` panels, from those of the panel that they divide. */
static void divide(const gauss_rule *old, const gauss_rule *new, int ratio, const double *from,
                   double *to)
{
    for (int i = 0; i < ratio * new->n; i++, to += 3) {
        double x = (2 * (i / new->n) + 1 + new->x[i % new->n]) / ratio - 1;
        v3_set(to, 0, 0, 0);
        for (int j = 0; j < old->n; j++) v3_axpy(to, cord__gauss_cardinal(old, j, x), from + 3 * j);
    }
}

/* Values at the nodes of a panel, from those of the `ratio` panels that it joins. */
static void join(const gauss_rule *old, const gauss_rule *new, int ratio, const double *from,
                 double *to)
{
    for (int j = 0; j < new->n; j++) v3_set(to + 3 * j, 0, 0, 0);
    for (int i = 0; i < ratio * old->n; i++, from += 3) {
        double x = (2 * (i / old->n) + 1 + old->x[i % old->n]) / ratio - 1;
        for (int j = 0; j < new->n; j++)
            v3_axpy(to + 3 * j,
                    old->w[i % old->n] / (ratio * new->w[j]) * cord__gauss_cardinal(new, j, x),
                    from);
    }
}

/* Panels with inertial coordinates. */
static int extended_panels(const chain_model *c, int level)
{
    return c->kind == ELEMENT_SEGMENT ? 1 : panels_at(c, level);
}

static void transfer_values(const chain_model *c, int count, const double *from, double *to)
{
    const double *end = from + count;
    for (int e = 0; e < c->bars; e++) {
        const int before = c->stored_level[e], now = c->level[e];
        const gauss_rule *old = c->rule + chain_rule_of(c, before);
        const gauss_rule *new = c->rule + chain_rule_of(c, now);
        const int panels[2] = {extended_panels(c, before), extended_panels(c, now)};
        const int steps = panels[0] < panels[1] ? panels[0] : panels[1];
        const int of_old = panels[0] / steps, of_new = panels[1] / steps;
        for (int p = 0; p < steps; p++) {
            if (before == now)
                memcpy(to, from, 3 * (size_t) new->n * sizeof *to);
            else if (before < now)
                divide(old, new, of_new, from, to);
            else
                join(old, new, of_old, from, to);
            from += 3 * of_old * old->n, to += 3 * of_new * new->n;
        }
    }
    memcpy(to, from, (size_t)(end - from) * sizeof *to);
}

static void transfer(void *model, int count, const double *const from[2], double *const to[2])
{
    chain_model *c = model;
    for (int i = 0; count > 0 && i < 2; i++) transfer_values(c, count, from[i], to[i]);
    memcpy(c->stored_level, c->level, (size_t)chain_room(c) * sizeof *c->stored_level);
}

static void restore(void *model)
{
    chain_model *c = model;
    memcpy(c->level, c->stored_level, (size_t)chain_room(c) * sizeof *c->level);
    cord__chain_set_panels(c);
    locate_again(c);
}

cord_status cord__chain_make_panels(chain_model *c, memory *m)
{
    c->level = NEW(m, int, chain_room(c));
    c->stored_level = NEW(m, int, chain_room(c));
    c->first_panel = NEW(m, int, chain_room(c) + 1);
    c->first_node = NEW(m, int, chain_room(c) + 1);
    if (!c->level || !c->stored_level || !c->first_panel || !c->first_node)
        return CORD_ERROR_MEMORY;
    cord__chain_set_panels(c);
    return CORD_OK;
}

/* ---- checkpoints: the level of each element ------------------------------------------------------ */

static size_t size(const void *model)
{
    return (size_t)chain_room(model) * sizeof(int32_t);
}

static void write(const void *model, void *bytes)
{
    const chain_model *c = model;
    for (int e = 0; e < chain_room(c); e++) {
        int32_t level = c->level[e];
        memcpy((char *)bytes + (size_t)e * sizeof level, &level, sizeof level);
    }
}

static int32_t level_in(const void *bytes, int e)
{
    int32_t level;
    memcpy(&level, (const char *)bytes + (size_t)e * sizeof level, sizeof level);
    return level;
}

static int inertial_count(const void *model, const void *bytes, size_t given)
{
    const chain_model *c = model;
    int64_t nodes = 0, most = MOST_CACHE / (START_DOUBLES + GAUSS_DOUBLES);
    if (given != size(model)) return -1;
    for (int e = 0; e < chain_room(c); e++) {
        const int32_t level = level_in(bytes, e);
        if (level < 0 || level > MOST_LEVEL) return -1;
        nodes += (int64_t)panels_at(c, level) * c->rule[chain_rule_of(c, level)].n;
        if (nodes > most) return -1;
    }
    if (c->kind == ELEMENT_SEGMENT) nodes = (int64_t)c->bars * c->rule->n;
    return 3 * (int)nodes + chain_director_count(c);
}

static bool read(void *model, const void *bytes)
{
    chain_model *c = model;
    bool differs = false;
    for (int e = 0; e < chain_room(c); e++) {
        const int level = level_in(bytes, e);
        differs = differs || level != c->level[e];
        c->level[e] = level;
    }
    cord__chain_set_panels(c);
    if (differs) locate_again(c);
    return differs;
}

static uint64_t add_to_hash(const void *model, uint64_t hash)
{
    const chain_model *c = model;
    for (int e = 0; e < chain_room(c); e++)
        if (c->level[e] > 0)
            hash = (hash ^ ((uint64_t)e << 32 | (uint64_t)c->level[e])) * 1099511628211u;
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
