/* The partition of blocks into clusters, which have one matrix each, and the workspace of a step. Computed once
 * after a change of topology; a step only reads it, and forms the islands of joined clusters. */
#include "math/band.h"
#include "solve/batch.h"
#include "solve/contact_columns.h"
#include "solve/contacts.h"
#include "solve/integrator.h"

#include <stdlib.h>
#include <string.h>

/* ---- clusters --------------------------------------------------------------------------------- */

static int find_root(int *parent, int i)
{
    while (parent[i] != i) i = parent[i] = parent[parent[i]];
    return i;
}

/* The smaller index becomes the root: clusters are numbered by their first block, islands by their first cluster. */
static void join(int *parent, int a, int b)
{
    a = find_root(parent, a), b = find_root(parent, b);
    if (a < b)
        parent[b] = a;
    else
        parent[a] = b;
}

void cord__form_islands(partition *p, int count, const cluster_pair *joined)
{
    p->islands = 0;
    for (int i = 0; i < p->clusters; i++) p->root[i] = i;
    for (int i = 0; i < count; i++) join(p->root, joined[i].first, joined[i].second);
    for (int i = 0; i < p->clusters; i++) {
        int root = find_root(p->root, i);
        if (root == i) p->island[p->islands].clusters = 0;
        p->cluster[i].island = root == i ? p->islands++ : p->cluster[root].island;
        p->island[p->cluster[i].island].clusters++;
    }
    cluster **next = p->member;
    for (int i = 0; i < p->islands; i++) {
        p->island[i].cluster = next;
        next += p->island[i].clusters;
        p->island[i].clusters = 0;
    }
    for (int i = 0; i < p->clusters; i++) {
        island *x = p->island + p->cluster[i].island;
        x->cluster[x->clusters++] = p->cluster + i;
    }
}

static int block_of_term(const problem *w, const term *x)
{
    int first = cord__block_of(w, x, 0);
    return first >= 0 ? first : cord__block_of(w, x, 1);
}

/* Whether a point cannot reach this end stop before it slides to another element, after which clusters are rebuilt. */
static bool is_out_of_reach(const problem *w, constraint *r)
{
    const point *p = cord__point_of(w, &r->term, 0);
    if (!r->def.end_stop || !point_slides(p) || p->path || !(p->max_coordinate > 0)) return false;
    int away = r->def.side == CORD_AT_MOST
                   ? cord__element_at(w, p, w->now.q, p->max_coordinate) - p->element
                   : p->element;
    if (away < 2) return false;
    r->state.active[0] = false;
    return true;
}

static void list(int *items, int *count, int item, bool fill)
{
    if (fill) items[*count] = item;
    ++*count;
}

/* Count, then fill, the lists of every cluster. `home[i]` is the cluster of block i. */
static cord_status fill_lists(partition *p, const problem *w, const int *home, memory *m)
{
    for (int pass = 0; pass < 2; pass++) {
        for (int i = 0; i < p->clusters; i++) {
            cluster *s = p->cluster + i;
            if (pass == 1) {
                s->block = NEW(m, int, s->blocks);
                s->offset = NEW(m, int, s->blocks);
                s->term = NEW(m, int, s->terms);
                s->constraint = NEW(m, int, s->constraints);
                s->force = NEW(m, int, s->forces);
                s->load = NEW(m, int, s->loads);
                if (!s->block || !s->offset || !s->term || !s->constraint || !s->force || !s->load)
                    return CORD_ERROR_MEMORY;
            }
            s->blocks = s->terms = s->constraints = s->forces = s->loads = 0;
        }
        for (int i = 0; i < w->blocks; i++) {
            cluster *s = p->cluster + home[i];
            w->block[i]->cluster = home[i];
            list(s->block, &s->blocks, i, pass);
        }
        for (int i = 0, constraints = 0, forces = 0; i < w->terms; i++) {
            constraint *r = cord__as_constraint(w->term[i]);
            int index = r ? constraints++ : forces++;
            w->term[i]->cluster_index = -1;
            if (r && is_out_of_reach(w, r)) continue;
            cluster *s = p->cluster + home[block_of_term(w, w->term[i])];
            list(r ? s->constraint : s->force, r ? &s->constraints : &s->forces, index, pass);
            if (r && r->eliminated) continue;
            w->term[i]->cluster_index = s->terms;
            list(s->term, &s->terms, i, pass);
        }
        for (int i = 0; i < w->loads; i++) {
            int index = w->point[w->load[i]->term.point[0]]->block;
            if (index < 0) continue; /* a load on the world acts on no dof */
            cluster *s = p->cluster + home[index];
            if (pass) s->load[s->loads] = i;
            s->loads++;
        }
    }
    return CORD_OK;
}

static void note_repeats(term *x)
{
    x->has_repeated_dofs = false;
    for (int i = 1; i < x->dofs; i++)
        for (int k = 0; k < i; k++)
            x->has_repeated_dofs = x->has_repeated_dofs || x->unknown[i] == x->unknown[k];
}

static void note_inertia(const problem *w, term *x)
{
    x->all_inertial = true;
    for (int part = 0; part < TERM_PARTS; part++) {
        const term_part *p = x->part + part;
        for (int c = p->first; p->block >= 0 && c < p->first + p->count; c++) {
            const block *b = cord__dof_block(w, p, c);
            bool prescribed = b->prescribed[x->dof[c] - b->v0];
            x->all_inertial = x->all_inertial && (prescribed || w->inverse_mass[x->dof[c]] > 0);
        }
    }
}

static void count_unknowns(const problem *w, cluster *s)
{
    s->unknowns = s->rows = 0;
    int beyond_band = 0;
    for (int k = 0; k < s->blocks; k++) {
        block *b = w->block[s->block[k]];
        s->offset[k] = b->unknown0 = s->unknowns;
        s->unknowns += b->shape.dofs + b->shape.rows + (b->shape.unused_position >= 0);
        s->rows += b->shape.rows;
        for (int u = 0; u < b->shape.dofs; u++)
            beyond_band += b->order[u] >= b->shape.band_count && !b->prescribed[u];
    }
    for (int k = 0; k < s->terms; k++) {
        term *x = w->term[s->term[k]];
        x->row0 = s->unknowns;
        s->unknowns += x->rows;
        s->rows += x->rows;
        for (int part = 0; part < TERM_PARTS; part++) {
            const term_part *p = x->part + part;
            for (int c = p->first; p->block >= 0 && c < p->first + p->count; c++) {
                const block *b = cord__dof_block(w, p, c);
                x->unknown[c] = cord__unknown(w, b, x->dof[c] - b->v0);
            }
        }
        note_repeats(x);
        note_inertia(w, x);
    }
    const block *first = w->block[s->block[0]];
    s->low_rank.max = 0;
    for (int k = 0; k < s->blocks; k++)
        s->low_rank.max += w->block[s->block[k]]->shape.unsymmetric_rows;
    s->banded = s->low_rank.max == 0 && s->blocks == 1 && s->terms == 0 && beyond_band == 0 &&
                !first->shape.cyclic && first->shape.band_width >= 0;
    s->private_solve = s->banded && first->ops->private_solver;
}

int cord__unknown(const problem *w, const block *b, int dof)
{
    if (dof >= b->shape.dofs || b->alias_block[dof] < 0) return b->unknown0 + b->order[dof];
    const block *to = w->block[b->alias_block[dof]];
    return to->unknown0 + to->order[b->alias_dof[dof]];
}

/* ---- workspace of a step ---------------------------------------------------------------------- */

/* Eliminated and one-sided constraints: listed, since every iteration visits them and they are few. */
static bool list_kinds(const problem *w, cluster *s, memory *m)
{
    s->eliminated = NEW(m, int, s->constraints);
    s->one_sided = NEW(m, int, s->constraints);
    if (!s->eliminated || !s->one_sided) return false;
    for (int k = 0; k < s->constraints; k++) {
        const constraint *r = w->constraint[s->constraint[k]];
        if (r->eliminated) s->eliminated[s->eliminated_count++] = s->constraint[k];
        if (r->def.side != CORD_EQUAL) s->one_sided[s->one_sided_count++] = s->constraint[k];
    }
    return true;
}

static void extend_ranges(index_ranges *r, int first, int count)
{
    if (count == 0) return;
    if (r->count > 0 && r->range[r->count - 1].end == first) {
        r->range[r->count - 1].end += count;
        return;
    }
    r->range[r->count++] = (index_range){first, first + count};
}

static bool note_ranges(const problem *w, cluster *s, memory *m)
{
    s->q.range = NEW(m, index_range, s->blocks);
    s->dofs.range = NEW(m, index_range, s->blocks);
    s->inertial.range = NEW(m, index_range, s->blocks);
    s->side.range = NEW(m, index_range, s->blocks);
    s->multipliers.range = NEW(m, index_range, s->blocks + s->constraints);
    if (!s->q.range || !s->dofs.range || !s->inertial.range || !s->side.range ||
        !s->multipliers.range)
        return false;
    for (int k = 0; k < s->blocks; k++) {
        const block *b = w->block[s->block[k]];
        extend_ranges(&s->q, b->q0, b->shape.q_count);
        extend_ranges(&s->dofs, b->v0, b->shape.dofs);
        extend_ranges(&s->inertial, b->inertial0, b->shape.inertial_count);
        extend_ranges(&s->multipliers, b->l0, b->shape.rows);
        extend_ranges(&s->side, b->side0, b->shape.side_count);
        s->has_shared_dofs = s->has_shared_dofs || b->shared_count > 0;
        s->has_kinks = s->has_kinks || b->ops->memory;
        s->has_dependent_dofs = s->has_dependent_dofs || b->ops->set_dependent_dofs;
    }
    for (int k = 0; k < s->constraints; k++) {
        const constraint *r = w->constraint[s->constraint[k]];
        extend_ranges(&s->multipliers, r->l0, r->ops->rows);
    }
    return true;
}

static void share_with(cluster *s, term *x, size_t square, size_t most)
{
    x->K = s->derivatives;
    if (x->keeps_jacobians) return;
    x->jacobians = s->derivatives + square;
    x->sliding_rates = x->jacobians + 3 * most;
}

/* K and Jacobians of terms: one buffer for all, since those of a term are used before the next is computed. */
static bool share_derivatives(const problem *w, cluster *s, memory *m)
{
    int dofs = 0;
    for (int k = 0; k < s->constraints; k++) {
        const term *x = &w->constraint[s->constraint[k]]->term;
        if (x->dofs > dofs) dofs = x->dofs;
    }
    for (int k = 0; k < s->forces; k++) {
        const term *x = &w->force[s->force[k]]->term;
        if (x->dofs > dofs) dofs = x->dofs;
    }
    size_t most = (size_t)dofs, across = most > 3 * TERM_PARTS ? most : 3 * TERM_PARTS;
    size_t square = most * across + HESSIAN_PADDING;
    s->derivatives = NEW(m, double, square + (3 + SLIDING_RATES) * most);
    if (!s->derivatives) return false;
    for (int k = 0; k < s->constraints; k++)
        share_with(s, &w->constraint[s->constraint[k]]->term, square, most);
    for (int k = 0; k < s->forces; k++) share_with(s, &w->force[s->force[k]]->term, square, most);
    return true;
}

/* Anderson acceleration of `midpoint`: dofs in units of a small change; multipliers follow linearly. */
enum { ANDERSON_DEPTH = 8 };

static void set_anderson_weights(const anderson *a, const problem *w, const cluster *s)
{
    for (int k = 0; k < s->blocks; k++) {
        const block *b = w->block[s->block[k]];
        for (int c = 0; c < b->shape.dofs; c++) {
            int u = cord__unknown(w, b, c);
            if (b->alias_block[c] < 0 && u < s->unknowns)
                a->weight[u] = 1 / (b->scale[c] * b->scale[c]);
        }
    }
}

void cord__update_weights(problem *w, const cluster *s)
{
    for (int k = 0; k < s->blocks; k++) {
        const block *b = w->block[s->block[k]];
        double *inverse = w->inverse_mass + b->v0;
        for (int c = 0; c < b->shape.dofs; c++)
            if (inverse[c] > 0) inverse[c] = 1 / b->metric[c];
    }
    if (s->anderson.weight) set_anderson_weights(&s->anderson, w, s);
}

static bool create_anderson(anderson *a, const problem *w, const cluster *s, memory *m)
{
    size_t n = (size_t)s->unknowns;
    *a = (anderson){.depth = ANDERSON_DEPTH,
                    .weight = NEW(m, double, n),
                    .difference = NEW(m, double, ANDERSON_DEPTH *n),
                    .correction = NEW(m, double, ANDERSON_DEPTH *n),
                    .last = NEW(m, double, n),
                    .step = NEW(m, double, n)};
    if (!a->weight || !a->difference || !a->correction || !a->last || !a->step) return false;
    set_anderson_weights(a, w, s);
    return true;
}

static void free_anderson(anderson *a, memory *m)
{
    double *arrays[] = {a->weight, a->difference, a->correction, a->last, a->step};
    for (int i = 0; i < 5; i++) cord__release(m, arrays[i]);
    *a = (anderson){0};
}

static cord_status cluster_storage(const problem *w, cluster *s, memory *m)
{
    if (!share_derivatives(w, s, m) || !list_kinds(w, s, m) || !note_ranges(w, s, m))
        return CORD_ERROR_MEMORY;
    size_t work = 1, vector = (size_t)s->unknowns;
    for (int k = 0; k < s->blocks; k++) {
        const block *b = w->block[s->block[k]];
        if ((size_t)b->shape.work_count > work) work = (size_t)b->shape.work_count;
        size_t band = band_vector_size(b->shape.band_count, b->shape.band_width);
        if (s->banded && band > vector) vector = band;
    }
    for (int k = 0; k < s->loads; k++) {
        const block *b = w->block[w->point[w->load[s->load[k]]->term.point[0]]->block];
        size_t jacobians = (size_t)(6 * (b->shape.jacobian_dofs + 1));
        if (jacobians > work) work = jacobians;
    }
    bool contacts = false;
    for (int k = 0; w->contacts && k < s->blocks; k++) {
        const block *b = w->block[s->block[k]];
        size_t jacobians = (SURFACE_WORK + CENTRE_WORK) * (size_t)b->shape.contact_dofs;
        if (b->curve < 0 && b->first_obstacle < 0) continue;
        contacts = true;
        if (jacobians > work) work = jacobians;
    }
    int most = s->low_rank.max;
    s->unsymmetric = NEW(m, unsymmetric_row, most);
    s->low_rank.size = NEW(m, int, most);
    s->low_rank.pivot = NEW(m, int, most);
    s->low_rank.unknown = NEW(m, int, most *UNSYMMETRIC_UNKNOWNS);
    s->low_rank.value = NEW(m, double, most *UNSYMMETRIC_UNKNOWNS);
    s->low_rank.z = NEW(m, double, (size_t)most *(size_t)s->unknowns);
    s->low_rank.m = NEW(m, double, most *most);
    s->low_rank.t = NEW(m, double, most);
    if (!s->unsymmetric || !s->low_rank.size || !s->low_rank.pivot || !s->low_rank.unknown ||
        !s->low_rank.value || !s->low_rank.z || !s->low_rank.m || !s->low_rank.t)
        return CORD_ERROR_MEMORY;
    if (w->integrator->halfway && !create_anderson(&s->anderson, w, s, m)) return CORD_ERROR_MEMORY;
    if ((contacts || s->one_sided_count > 0) && cord__responses_create(w, s, m) != CORD_OK)
        return CORD_ERROR_MEMORY;
    s->rhs = NEW(m, double, vector);
    s->x = NEW(m, double, vector);
    s->diagonal = NEW(m, double, s->unknowns);
    s->work = NEW(m, double, work);
    return s->rhs && s->x && s->diagonal && s->work ? CORD_OK : CORD_ERROR_MEMORY;
}

void cord__partition_free(partition *p, memory *m)
{
    for (int i = 0; i < p->clusters; i++) {
        cluster *s = p->cluster + i;
        void *elements[] = {s->q.range,
                            s->dofs.range,
                            s->inertial.range,
                            s->multipliers.range,
                            s->side.range,
                            s->block,
                            s->term,
                            s->constraint,
                            s->force,
                            s->load,
                            s->offset,
                            s->slot,
                            s->band,
                            s->low,
                            s->rhs,
                            s->x,
                            s->work,
                            s->unsymmetric,
                            s->low_rank.size,
                            s->low_rank.pivot,
                            s->low_rank.unknown,
                            s->low_rank.value,
                            s->low_rank.z,
                            s->low_rank.m,
                            s->low_rank.t,
                            s->derivatives,
                            s->eliminated,
                            s->one_sided,
                            s->diagonal};
        for (size_t k = 0; k < sizeof elements / sizeof *elements; k++)
            cord__release(m, elements[k]);
        cord__responses_free(&s->responses, m);
        free_anderson(&s->anderson, m);
        cord__cache_blocking_free(&s->cache_blocking, m);
        cord__unknown_map_free(&s->map, m);
        cord__sparse_free(&s->factor, m);
        cord__row_system_free(&s->row_system, m);
    }
    cord__release(m, p->cluster);
    cord__release(m, p->island);
    cord__release(m, p->member);
    cord__release(m, p->root);
    cord__release(m, p->batch);
    cord__release(m, p->open_batch);
    cord__release(m, p->indices);
    cord__release(m, p->numbers);
    cord__release(m, p->kinks);
    memset(p, 0, sizeof *p);
}

cord_status cord__partition_make(partition *p, problem *w, memory *m)
{
    cord_status status;
    memset(p, 0, sizeof *p);
    cord__clear_term_dofs(w);
    w->kink = p->kinks = NEW(m, kink_equilibrium, w->blocks);
    status = p->kinks ? cord__term_dofs(p, w, m) : CORD_ERROR_MEMORY;
    if (status == CORD_OK) status = cord__prescribe_dofs(w, m);
    if (status != CORD_OK) {
        cord__clear_term_dofs(w);
        cord__partition_free(p, m);
        return status;
    }

    int *parent = NEW(m, int, w->blocks), *home = NEW(m, int, w->blocks);
    status = CORD_ERROR_MEMORY;
    if (!parent || !home) goto done;
    for (int i = 0; i < w->blocks; i++) parent[i] = i;
    for (int i = 0; i < w->terms; i++) {
        int a = cord__block_of(w, w->term[i], 0), b = cord__block_of(w, w->term[i], 1);
        if (a >= 0 && b >= 0) join(parent, a, b);
        for (int side = 0; side < 2; side++) {
            const point *at = cord__point_of(w, w->term[i], side);
            if (at && at->slider_block >= 0) join(parent, at->block, at->slider_block);
        }
    }
    for (int i = 0; i < w->loads; i++) {
        const point *at = w->point[w->load[i]->term.point[0]];
        if (at->slider_block >= 0) join(parent, at->block, at->slider_block);
    }
    for (int i = 0; i < w->blocks; i++)
        for (int k = 0; k < w->block[i]->shared_count; k++)
            join(parent, i, w->block[i]->shared[k].parent_block);
    for (int i = 0; w->contacts && i < w->contacts->joins; i++)
        join(parent, w->contacts->join[i][0], w->contacts->join[i][1]);
    int count = 0;
    for (int i = 0; i < w->blocks; i++) home[i] = find_root(parent, i) == i ? count++ : -1;
    for (int i = 0; i < w->blocks; i++) home[i] = home[find_root(parent, i)];
    p->cluster = NEW(m, cluster, count);
    p->island = NEW(m, island, count);
    p->member = NEW(m, cluster *, count);
    p->root = NEW(m, int, count);
    p->batch = NEW(m, island_batch, count);
    p->open_batch = NEW(m, int, count);
    if (!p->cluster || !p->island || !p->member || !p->root || !p->batch || !p->open_batch)
        goto done;
    p->clusters = count;
    cord__form_islands(p, 0, NULL);
    status = fill_lists(p, w, home, m);
    for (int i = 0; i < count && status == CORD_OK; i++) {
        cluster *s = p->cluster + i;
        count_unknowns(w, s);
        status = cluster_storage(w, s, m);
        if (status == CORD_OK) status = cord__make_pattern(w, s, m);
        bool coordinate = w->block[s->block[0]]->shape.coordinate.is_one;
        bool contacts = w->contacts && s->responses.x;
        if (!w->integrator->explicit_forces) continue;
        if (status == CORD_OK && (!s->banded || coordinate || contacts))
            status = cord__row_system_make(&s->row_system, w, s, m);
        if (status == CORD_OK && contacts)
            status = cord__row_system_reserve(&s->row_system, w, s, m);
    }
    if (status == CORD_OK) {
        cord__find_batch_shapes(p, w);
        cord__form_batches(p, w, 0);
    }
done:
    cord__release(m, parent);
    cord__release(m, home);
    if (status == CORD_OK) return status;
    cord__clear_term_dofs(w);
    cord__partition_free(p, m);
    return status;
}
