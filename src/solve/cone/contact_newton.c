/* Semismooth Newton's method on the equations of Alart and Curnier. The matrix of a step is
 *
 *     J = ∂F/∂p + ∂F/∂u (W + 1e-10 D),
 *
 * where the last term keeps redundant contacts solvable. Few contacts with z_N > 0: their rows are factored, since an open
 * contact gives its step −p at once. Otherwise GMRES, preconditioned with the inverses of the 3×3 blocks J_ii. */
#include "solve/cone/cone_system.h"

#include "math/gmres.h"
#include "math/lu.h"
#include "math/vec3.h"

#include <string.h>

enum { HALVINGS = 8 };

typedef struct newton {
    const cone_system *system;
    double *velocity, *residual, *trial, *step, *right_hand; /* 3 per contact */
    double *by_force, *by_velocity, *inverse;                /* 9 per contact */
    int *active;                                             /* contacts with z_N > 0, ascending */
    int *position; /* of each contact among them; −1: open */
    int count;
    double *matrix; /* dense, or the basis of GMRES */
} newton;

size_t cord__contact_newton_room(int contacts)
{
    size_t n = (size_t)contacts, side = 3 * (n < CONE_DENSE ? n : CONE_DENSE);
    size_t basis = contacts > CONE_DENSE ? GMRES_WORK(3 * n) : 0;
    return 44 * n + (side * side > basis ? side * side : basis);
}

static newton divide(const cone_system *s, double *room)
{
    size_t n = (size_t)s->problem->contacts;
    return (newton){.system = s,
                    .velocity = room,
                    .residual = room + 3 * n,
                    .trial = room + 6 * n,
                    .step = room + 9 * n,
                    .right_hand = room + 12 * n,
                    .by_force = room + 15 * n,
                    .by_velocity = room + 24 * n,
                    .inverse = room + 33 * n,
                    .active = (int *)(void *)(room + 42 * n),
                    .position = (int *)(void *)(room + 43 * n),
                    .matrix = room + 44 * n};
}

/* Sets u and F. Returns |F|². */
static double evaluate(const newton *w, const double *p)
{
    double sum = 0;
    for (int i = 0; i < w->system->problem->contacts; i++) {
        double *u = w->velocity + 3 * i, *F = w->residual + 3 * i;
        cord__cone_velocity(w->system, p, i, u);
        cord__alart_curnier(w->system, i, p + 3 * i, u, F);
        sum += v3_dot(F, F);
    }
    return sum;
}

static void differentiate(newton *w, const double *p)
{
    w->count = 0;
    for (int i = 0; i < w->system->problem->contacts; i++) {
        bool active = cord__alart_curnier_derivatives(w->system, i, p + 3 * i, w->velocity + 3 * i,
                                                      w->by_force + 9 * i, w->by_velocity + 9 * i);
        w->position[i] = active ? w->count : -1;
        if (active) w->active[w->count++] = i;
    }
}

/* r = A x and R = A B, by rows. */
static void apply(const double *A, const double *x, double *r)
{
    v3_set(r, v3_dot(A, x), v3_dot(A + 3, x), v3_dot(A + 6, x));
}

static void multiply(const double *A, const double *B, double *R)
{
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            R[3 * i + j] = A[3 * i] * B[j] + A[3 * i + 1] * B[3 + j] + A[3 * i + 2] * B[6 + j];
}

static double regularisation(const newton *w, int i)
{
    return 1e-10 * w->system->scale[i];
}

/* ∂F/∂p + ∂F/∂u times the diagonal that is not in the blocks of W. */
static void private_block(const newton *w, int i, double *J)
{
    const double *shift = w->system->shift + 3 * i;
    for (int k = 0; k < 9; k++)
        J[k] = w->by_force[9 * i + k] +
               w->by_velocity[9 * i + k] * (shift[k % 3] + regularisation(w, i));
}

/* ---- dense ---------------------------------------------------------------------------------- */

static void add_block(const newton *w, int row, int column, const double *J)
{
    double *to = w->matrix + 9 * row * w->count + 3 * column;
    for (int k = 0; k < 3; k++, to += 3 * w->count) v3_add(to, to, J + 3 * k);
}

static void assemble_row(const newton *w, int row)
{
    const cone_problem *problem = w->system->problem;
    int i = w->active[row];
    double J[9];
    private_block(w, i, J);
    add_block(w, row, row, J);
    for (int k = problem->row_start[i]; k < problem->row_start[i + 1]; k++) {
        int column = w->position[problem->column[k]];
        if (column < 0) continue;
        multiply(w->by_velocity + 9 * i, problem->block + 9 * (size_t)k, J);
        add_block(w, row, column, J);
    }
}

/* −F less the effect of the known steps −p of open contacts. */
static void assemble_right_hand(const newton *w, const double *p)
{
    for (int i = 0; i < w->system->problem->contacts; i++)
        for (int k = 3 * i; k < 3 * i + 3; k++) w->step[k] = w->position[i] < 0 ? -p[k] : 0;
    for (int a = 0; a < w->count; a++) {
        int i = w->active[a];
        double u[3], known[3];
        cord__cone_product(w->system, w->step, i, u);
        apply(w->by_velocity + 9 * i, u, known);
        v3_combine(w->right_hand + 3 * a, -1, w->residual + 3 * i, -1, known);
    }
}

static bool dense_step(const newton *w, const double *p)
{
    int pivot[3 * CONE_DENSE], n = 3 * w->count;
    memset(w->matrix, 0, (size_t)(n * n) * sizeof *w->matrix);
    for (int a = 0; a < w->count; a++) assemble_row(w, a);
    assemble_right_hand(w, p);
    if (!cord__lu_factor(n, w->matrix, pivot)) return false;
    cord__lu_solve(n, w->matrix, pivot, w->right_hand);
    for (int a = 0; a < w->count; a++) v3_copy(w->step + 3 * w->active[a], w->right_hand + 3 * a);
    return true;
}

/* ---- GMRES ---------------------------------------------------------------------------------- */

/* The inverse by cofactors; the identity where the matrix is singular. */
static void invert(const double *A, double *R)
{
    double columns[9];
    v3_cross(columns, A + 3, A + 6);
    v3_cross(columns + 3, A + 6, A);
    v3_cross(columns + 6, A, A + 3);
    double inverse = 1 / v3_dot(A, columns);
    for (int k = 0; k < 9; k++)
        R[k] = isfinite(inverse) ? inverse * columns[3 * (k % 3) + k / 3] : (k % 4 == 0);
}

static void precondition(const newton *w, int i)
{
    double J[9], W[9], own[9];
    const cone_problem *problem = w->system->problem;
    private_block(w, i, J);
    for (int k = problem->row_start[i]; k < problem->row_start[i + 1]; k++) {
        if (problem->column[k] != i) continue;
        memcpy(W, problem->block + 9 * (size_t)k, sizeof W);
        multiply(w->by_velocity + 9 * i, W, own);
        for (int l = 0; l < 9; l++) J[l] += own[l];
    }
    invert(J, w->inverse + 9 * i);
}

static void preconditioned_product(void *context, const double *x, double *y)
{
    const newton *w = context;
    for (int i = 0; i < w->system->problem->contacts; i++) {
        double u[3] = {0}, by_velocity[3], sum[3];
        if (w->position[i] >= 0) cord__cone_product(w->system, x, i, u);
        v3_axpy(u, regularisation(w, i), x + 3 * i);
        apply(w->by_velocity + 9 * i, u, by_velocity);
        apply(w->by_force + 9 * i, x + 3 * i, sum);
        v3_add(sum, sum, by_velocity);
        apply(w->inverse + 9 * i, sum, y + 3 * i);
    }
}

static int krylov_step(newton *w)
{
    int contacts = w->system->problem->contacts;
    for (int i = 0; i < contacts; i++) {
        double *b = w->right_hand + 3 * i;
        precondition(w, i);
        apply(w->inverse + 9 * i, w->residual + 3 * i, b);
        v3_scale(b, -1, b);
    }
    return cord__gmres(3 * contacts, preconditioned_product, w, 1e-3, w->right_hand, w->step,
                       w->matrix);
}

/* ---- the step ------------------------------------------------------------------------------- */

static double square_of(const newton *w, const double *x)
{
    double sum = 0;
    for (int i = 0; i < w->system->problem->contacts; i++) sum += v3_dot(x + 3 * i, x + 3 * i);
    return sum;
}

/* Without a solution J is singular up to the regularisation, and the step 1e10 times as large as F. Such forces would make the
 * relative residual small. */
static bool step_exists(const newton *w, double square, const double *p)
{
    return square_of(w, w->step) <= 1e14 * (square_of(w, p) + square);
}

/* Halves the step while |F| does not fall. */
static bool search_line(const newton *w, double square, double *p)
{
    size_t n = 3 * (size_t)w->system->problem->contacts;
    double fraction = 1;
    for (int k = 0; k <= HALVINGS; k++, fraction *= 0.5) {
        for (size_t i = 0; i < n; i++) w->trial[i] = p[i] + fraction * w->step[i];
        if (!(evaluate(w, w->trial) < (1 - 1e-4 * fraction) * square)) continue;
        memcpy(p, w->trial, n * sizeof *p);
        return true;
    }
    return false;
}

bool cord__contact_newton_step(const cone_system *s, double *room, double *p, int *products)
{
    newton w = divide(s, room);
    double square = evaluate(&w, p);
    differentiate(&w, p);
    if (w.count > CONE_DENSE)
        *products += krylov_step(&w);
    else if (!dense_step(&w, p))
        return false;
    return step_exists(&w, square, p) && search_line(&w, square, p);
}
