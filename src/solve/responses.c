/* Responses of a cluster to forces on its degrees of freedom, with the present factor:
 *
 *     [A Bᵀ; B −C] (x, y) = (h, 0),
 *
 * for RESPONSES right-hand sides h at once. A row of responses.x has one value of each: rows of a band are in the order
 * of the unknowns, those of a sparse matrix in the order of elimination. */
#include "math/band.h"
#include "solve/problem.h"

#include <string.h>

_Static_assert(RESPONSES == BAND_LANES && (int)RESPONSES == (int)SPARSE_COLUMNS, "RESPONSES");

static size_t row_count(const problem *w, const cluster *s)
{
    const block_shape *first = &w->block[s->block[0]]->shape;
    return s->banded ? band_vector_size(first->band_count, first->band_width) : (size_t)s->unknowns;
}

cord_status cord__responses_create(const problem *w, cluster *s, memory *m)
{
    size_t rows = row_count(w, s), line = 64 / sizeof(double);
    responses *of = &s->responses;
    of->memory = NEW(m, double, rows *RESPONSES + line);
    of->column = NEW(m, double, rows);
    if (!of->memory || !of->column) return CORD_ERROR_MEMORY;
    of->x = of->memory + (line - (uintptr_t)of->memory / sizeof(double) % line) % line;
    return CORD_OK;
}

void cord__responses_free(responses *of, memory *m)
{
    cord__release(m, of->memory);
    cord__release(m, of->column);
}

int cord__response_index(const cluster *s, int unknown)
{
    return s->banded ? unknown : s->factor.p_inverse[unknown];
}

static size_t position(const cluster *s, int unknown, int k)
{
    return (size_t)cord__response_index(s, unknown) * RESPONSES + (size_t)k;
}

void cord__clear_responses(const problem *w, cluster *s)
{
    memset(s->responses.x, 0, row_count(w, s) * RESPONSES * sizeof(double));
}

/* Prescribed dofs beyond the band are no unknowns of it. */
static bool is_free(const cluster *s, int unknown)
{
    return unknown < s->map.count && !s->map.is_prescribed[unknown];
}

int cord__free_response(const cluster *s, int unknown)
{
    return is_free(s, unknown) ? cord__response_index(s, unknown) : -1;
}

void cord__add_to_force(cluster *s, int k, int unknown, double force)
{
    if (is_free(s, unknown)) s->responses.x[position(s, unknown, k)] += force;
}

double cord__response(const cluster *s, int k, int unknown)
{
    return is_free(s, unknown) ? s->responses.x[position(s, unknown, k)] : 0;
}

const double *cord__response_row(const cluster *s, int unknown)
{
    static const double none[RESPONSES];
    return is_free(s, unknown) ? s->responses.x + position(s, unknown, 0) : none;
}

static void gather(const problem *w, cluster *s, int k)
{
    double *column = s->responses.column;
    for (int u = 0; u < s->map.count; u++) column[u] = s->responses.x[position(s, u, k)];
    for (size_t u = (size_t)s->map.count; u < row_count(w, s); u++)
        column[u] = 0; /* the band's kernels read it */
}

static void scatter(cluster *s, int k)
{
    for (int u = 0; u < s->map.count; u++)
        s->responses.x[position(s, u, k)] = s->responses.column[u];
}

static void solve_one_by_one(const problem *w, cluster *s, int count)
{
    for (int k = 0; k < count; k++) {
        gather(w, s, k);
        cord__solve_vector(w, s, s->responses.column);
        scatter(s, k);
    }
}

static void correct_all(const problem *w, cluster *s, int count)
{
    for (int k = 0; s->low_rank.count > 0 && k < count; k++) {
        gather(w, s, k);
        cord__correct(s, s->responses.column);
        scatter(s, k);
    }
}

/* The kernels for one right-hand side are faster for one force. */
void cord__solve_responses(const problem *w, cluster *s, int count)
{
    const block_shape *first = &w->block[s->block[0]]->shape;
    double began = cord__seconds();
    if (s->private_solve || count == 1) {
        solve_one_by_one(w, s, count);
    } else if (s->banded) {
        /* whole groups of columns */
        const int group = first->band_group > 1 ? first->band_group : 1;
        const int from = s->responses.from - s->responses.from % group;
        cord__band_solve_many(first->band_count - from, first->band_width, first->band_group,
                              s->band + (size_t)from * (size_t)BAND_STRIDE(first->band_width),
                              s->responses.x + (size_t)from * RESPONSES);
    } else {
        cord__sparse_solve_many(&s->factor, s->responses.x);
        correct_all(w, s, count);
    }
    s->report.seconds_solve += cord__seconds() - began;
}
