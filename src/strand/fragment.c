#include "strand/fragment.h"

cord_status cord__fragment_allocate(strand_fragment *f, memory *m, int q, int dofs, int rows,
                                    int inertial)
{
    f->q_count = q, f->dofs = dofs, f->rows = rows, f->inertial_count = inertial;
    f->q = NEW(m, double, q);
    f->v = NEW(m, double, dofs);
    f->lambda = NEW(m, double, rows);
    f->inertial_v = NEW(m, double, inertial);
    return f->q && f->v && f->lambda && f->inertial_v ? CORD_OK : CORD_ERROR_MEMORY;
}

void cord__fragment_free(strand_fragment *f, void (*destroy)(void *model, memory *m), memory *m)
{
    if (f->model) destroy(f->model, m);
    double *arrays[] = {f->q, f->v, f->lambda, f->inertial_v};
    for (size_t i = 0; i < sizeof arrays / sizeof *arrays; i++) cord__release(m, arrays[i]);
    *f = (strand_fragment){0};
}
