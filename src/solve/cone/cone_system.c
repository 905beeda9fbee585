#include "solve/cone/cone_product.h"

#include <string.h>

/* W_ii by rows; zero where the row has none. */
static void diagonal_block(const cone_problem *w, int i, double *W)
{
    memset(W, 0, 9 * sizeof *W);
    for (int k = w->row_start[i]; k < w->row_start[i + 1]; k++)
        if (w->column[k] == i) memcpy(W, w->block + 9 * (size_t)k, 9 * sizeof *W);
}

static void prepare_contact(const cone_system *s, double proximal, int i)
{
    const cone_problem *w = s->problem;
    double *W = s->diagonal + 9 * i, *shift = s->shift + 3 * i, *b = s->b + 3 * i;
    diagonal_block(w, i, W);
    for (int k = 0; k < 3; k++) {
        shift[k] = w->compliance ? w->compliance[3 * i + k] : 0;
        for (int l = 0; l < k; l++)
            W[3 * k + l] = W[3 * l + k] = 0.5 * (W[3 * k + l] + W[3 * l + k]);
    }
    double scale = (W[0] + W[4] + W[8] + shift[0] + shift[1] + shift[2]) / 3;
    s->scale[i] = scale <= 0 ? 0 : scale; /* a NaN stays, for the residual */
    for (int k = 0; k < 3; k++) {
        shift[k] += proximal * s->scale[i];
        W[4 * k] += shift[k];
        b[k] =
            w->b[3 * i + k] - (w->previous ? proximal * s->scale[i] * w->previous[3 * i + k] : 0);
    }
    s->local[i] = cord__coulomb_prepare(W, w->friction[i]);
}

cone_system cord__cone_prepare(const cone_problem *problem, double proximal, double *room)
{
    size_t n = (size_t)problem->contacts;
    cone_system s = {.problem = problem,
                     .scale = room,
                     .shift = room + n,
                     .b = room + 4 * n,
                     .diagonal = room + 7 * n,
                     .local = (coulomb_contact *)(void *)(room + 16 * n)};
    for (int i = 0; i < problem->contacts; i++) prepare_contact(&s, proximal, i);
    return s;
}

MULTIVERSION(cord__cone_product, product,
             (const cone_system *s, const double *p, int contact, double *u), (s, p, contact, u))

void cord__cone_velocity(const cone_system *s, const double *p, int contact, double *u)
{
    cord__cone_product(s, p, contact, u);
    v3_add(u, u, s->b + 3 * contact);
}

void cord__cone_project_all(const cone_system *s, double *p)
{
    for (int i = 0; i < s->problem->contacts; i++)
        if (s->scale[i] > 0)
            cord__cone_project(s->problem->friction[i], p + 3 * i);
        else
            v3_set(p + 3 * i, 0, 0, 0);
}

double cord__cone_residual(const cone_system *s, const double *p, int *worst)
{
    double sum = 0, forces = 0, largest = 0, u[3];
    *worst = -1;
    for (int i = 0; i < s->problem->contacts; i++) {
        if (s->scale[i] == 0) continue;
        cord__cone_velocity(s, p, i, u);
        double square = cord__natural_map(s->scale[i], s->problem->friction[i], u, p + 3 * i);
        if (!(square <= largest) && !isnan(largest)) largest = square, *worst = i;
        sum += square, forces += v3_dot(p + 3 * i, p + 3 * i);
    }
    double residual = sum > 0 ? (forces > 0 ? sqrt(sum / forces) : 1) : sum;
    return isnan(residual) ? INFINITY : residual;
}
