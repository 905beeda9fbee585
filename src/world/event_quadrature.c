/* Blocks whose quadrature follows their configuration (quadrature_ops): it is chosen after a commit, and for a result
 * that needs a finer one, before the step is made again. The state stays, with rates of other inertial coordinates. */
#include "world/contacts.h"
#include "world/event.h"

cord_status cord__lay_out_again(cord_world *w)
{
    const bool incomplete = w->layout_stale || w->partition_stale;
    const bool stale = w->start_stale || incomplete;
    cord__collect_counters(w);
    w->layout_stale = w->partition_stale = true;
    cord_status status = incomplete ? cord__world_layout(w) : cord__world_ready(w);
    w->start_stale = stale;
    return status;
}

static bool choose(const block *b, const double *q, quadrature_fit least, bool may_coarsen)
{
    const quadrature_ops *ops = b->ops->quadrature;
    if (!ops) return false;
    quadrature_fit fit = ops->fit(b->model, q + b->q0);
    if (fit < least || fit == QUADRATURE_UNBOUNDED) return false;
    ops->choose(b->model, q + b->q0, may_coarsen);
    return true;
}

cord_status cord__choose_quadratures(cord_world *w, bool *changed)
{
    *changed = false;
    for (int i = 0; i < w->problem.blocks; i++)
        if (choose(w->problem.block[i], w->problem.now.q, QUADRATURE_DUE, true)) *changed = true;
    return *changed ? cord__keep_contacts(w, cord__lay_out_again) : CORD_OK;
}

/* A failed step leaves the committed state as it was, to the last bit: it is kept before the first refinement. Without
 * memory for it the state remains the same up to rounding. */
static void keep_state(cord_world *w)
{
    size_t size;
    if (w->unrefined || cord_world_get_state_size(w, &size) != CORD_OK) return;
    w->unrefined = cord__allocate(&w->memory, size, 1);
    w->unrefined_size = size;
    if (w->unrefined) (void)cord_world_get_state(w, w->unrefined);
}

void cord__end_refinement(cord_world *w, bool failed)
{
    if (failed && w->unrefined) (void)cord_world_set_state(w, w->unrefined, w->unrefined_size);
    cord__release(&w->memory, w->unrefined);
    w->unrefined = NULL;
}

static bool is_coarse(const cord_world *w)
{
    for (int i = 0; i < w->problem.blocks; i++) {
        const block *b = w->problem.block[i];
        const quadrature_ops *ops = b->ops->quadrature;
        if (ops && ops->fit(b->model, w->problem.trial.q + b->q0) == QUADRATURE_COARSE) return true;
    }
    return false;
}

cord_status cord__refine_quadratures(cord_world *w, bool *refined)
{
    *refined = false;
    if (!is_coarse(w)) return CORD_OK;
    keep_state(w);
    for (int i = 0; i < w->problem.blocks; i++)
        if (choose(w->problem.block[i], w->problem.trial.q, QUADRATURE_COARSE, false))
            *refined = true;
    return *refined ? cord__lay_out_again(w) : CORD_OK;
}

static cord_status apply(cord_world *w, bool statics, bool *changed)
{
    (void)statics;
    return cord__choose_quadratures(w, changed);
}

const event_ops cord__event_quadrature = {.name = "quadrature", .apply = apply};
