#include "support/poison.h"

#include "support/test.h"
#include "world/world.h"

#include <stdlib.h>
#include <string.h>

static void *resize(void *user, void *p, size_t size)
{
    poison_memory *of = user;
    int i = 0;
    while (i < of->count && of->block[i].begin != p) i++;
    assert_true(p == NULL || i < of->count);
    char *q = size ? realloc(p, size) : NULL;
    if (size == 0) free(p);
    if (!p) i = of->count++;
    assert_true(i < POISON_BLOCKS);
    of->block[i].begin = q, of->block[i].size = size;
    if (!q) of->block[i] = of->block[--of->count];
    return q;
}

cord_allocator poison_allocator(poison_memory *of)
{
    return (cord_allocator){resize, of};
}

static size_t fill(void *from, size_t bytes)
{
    memset(from, 0xff, bytes); /* NaNs */
    return bytes;
}

/* From here to the end of the allocation. */
static size_t poison(const poison_memory *of, void *array)
{
    char *p = array;
    if (!p) return 0;
    for (int i = 0; i < of->count; i++) {
        char *end = of->block[i].begin + of->block[i].size;
        if (p >= of->block[i].begin && p <= end) return fill(p, (size_t)(end - p));
    }
    fail_msg("a workspace that is in no allocation");
    return 0;
}

static size_t poison_factor(const poison_memory *of, const sparse_ldl *f)
{
    return poison(of, f->memory) + poison(of, f->inverse_pivot) + poison(of, f->x) +
           poison(of, f->panel_work) + poison(of, f->scaled);
}

static size_t poison_rows(const poison_memory *of, const row_system *x)
{
    void *arrays[] = {x->entry, x->compliance, x->mobility, x->y, x->imbalance};
    size_t bytes = poison_factor(of, &x->factor);
    for (size_t i = 0; i < sizeof arrays / sizeof *arrays; i++) bytes += poison(of, arrays[i]);
    for (int i = 0; i < x->body_rows; i++) {
        body_row *row = x->body_row + i;
        bytes += fill(row->B, sizeof row->B) + fill(row->moved, sizeof row->moved);
    }
    return bytes;
}

/* Of the trial's multipliers only those of the cluster: end stops without contact are in no
 * cluster, and theirs are committed unchanged. */
static size_t poison_cluster(const poison_memory *of, const cluster *s, double *lambda)
{
    const anderson *a = &s->anderson;
    void *arrays[] = {s->band,
                      s->rhs,
                      s->x,
                      s->diagonal,
                      s->work,
                      s->derivatives,
                      s->low_rank.value,
                      s->low_rank.z,
                      s->low_rank.m,
                      s->low_rank.t,
                      a->last,
                      a->step,
                      a->difference,
                      a->correction,
                      s->responses.memory,
                      s->responses.column};
    size_t bytes = poison_factor(of, &s->factor) + poison_rows(of, &s->row_system);
    for (size_t i = 0; i < sizeof arrays / sizeof *arrays; i++) bytes += poison(of, arrays[i]);
    for (int i = 0; i < s->multipliers.count; i++) {
        const index_range *at = s->multipliers.range + i;
        bytes += fill(lambda + at->first, (size_t)(at->end - at->first) * sizeof *lambda);
    }
    return bytes;
}

static size_t poison_constraint(constraint *r)
{
    return fill(&r->work, sizeof r->work);
}

size_t poison_workspace(const poison_memory *of, cord_world *world)
{
    problem *p = &world->problem;
    state *trial = &p->trial;
    workspace list[WORKSPACES];
    void *of_trial[] = {trial->q,          trial->v,          trial->a,
                        trial->inertial_v, trial->inertial_a, trial->side};
    size_t bytes = poison(of, world->partition.numbers);
    cord__list_workspaces(p, list);
    for (int i = 0; i < WORKSPACES; i++) {
        bool constant = list[i].array == &p->zero || list[i].array == &p->inverse_mass;
        if (!constant) bytes += poison(of, *list[i].array);
    }
    for (size_t i = 0; i < sizeof of_trial / sizeof *of_trial; i++)
        bytes += poison(of, of_trial[i]);
    for (int i = 0; i < world->partition.clusters; i++)
        bytes += poison_cluster(of, world->partition.cluster + i, trial->lambda);
    for (int i = 0; i < p->blocks; i++) /* the last of a block's storage */
        bytes += poison(of, p->block[i]->private_matrix);
    for (int i = 0; i < p->constraints; i++) bytes += poison_constraint(p->constraint[i]);
    return bytes;
}
