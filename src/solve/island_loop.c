#include "solve/island_loop.h"

#include "math/parallel.h"

typedef struct loop {
    problem *w;
    const island *of;
    cluster_task *task;
    fallible_task *fallible;
    const void *with;
} loop;

static void run(void *context, int index, int thread)
{
    const loop *x = context;
    cluster *s = x->of->cluster[index];
    (void)thread;
    if (x->fallible)
        s->outcome = x->fallible(x->w, s, x->with);
    else
        x->task(x->w, s, x->with);
}

void cord__for_each(problem *w, const island *of, cluster_task *task, const void *with)
{
    cord__parallel_for(w->threads, of->clusters, run, &(loop){w, of, task, NULL, with});
}

cord_status cord__in_each(problem *w, const island *of, fallible_task *task, const void *with)
{
    cord_status status = CORD_OK;
    cord__parallel_for(w->threads, of->clusters, run, &(loop){w, of, NULL, task, with});
    for (int i = 0; status == CORD_OK && i < of->clusters; i++) status = of->cluster[i]->outcome;
    return status;
}
