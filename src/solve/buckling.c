/* Leaving an unstable equilibrium along its mode, and the straight shape of a strand that is compressed along its buckling
 * mode.
 *
 * The rows of a straight inextensible strand whose ends approach each other contradict each other to first order: no motion
 * meets them, and Newton's multipliers become enormous along y with Bᵀy = 0, the thrust. To second order a deflection meets
 * them. The strand buckles where K − P K_y, with the geometric stiffness K_y of y, is no longer positive on the null space
 * of B: the thrust P is found by counting negative pivots, the mode by inverse iteration, and its amplitude a from the
 * rows, y·(g + Bδ) + ½ a² y·g'' = 0. */
#include "solve/contacts.h"
#include "solve/equilibrium.h"

#include <math.h>

static bool factor_at(problem *w, cluster *s, double mu)
{
    cord__static_evaluate(w, s, true, mu);
    return cord__factor(w, s);
}

/* Factors K + μG with the least μ for which it is positive, to 5 %. */
static bool factor_least(problem *w, cluster *s)
{
    double low = 0, high = 0;
    bool right = factor_at(w, s, high) && s->negative == s->rows;
    while (!right && high < MOST_MU) {
        low = high, high = fmax(4 * high, LEAST_MU);
        right = factor_at(w, s, high) && s->negative == s->rows;
    }
    while (right && low > 0 && high > 1.05 * low) {
        double middle = sqrt(low * high);
        bool enough = factor_at(w, s, middle) && s->negative == s->rows;
        *(enough ? &high : &low) = middle;
    }
    return right && factor_at(w, s, high);
}

/* ---- modes ---------------------------------------------------------------------------------------- */

static void add_to_rhs(const problem *w, cluster *s, const double *force)
{
    for (int k = 0; k < s->blocks; k++) {
        const block *b = w->block[s->block[k]];
        for (int c = 0; c < b->shape.dofs; c++)
            if (!b->prescribed[c] && b->order[c] < s->map.count)
                s->rhs[cord__unknown(w, b, c)] += force[b->v0 + c];
    }
}

/* M times a motion; NULL: times a pseudo-random one that depends on the number of the dof only, so that runs are
 * reproducible. */
static void metric_force(const problem *w, const cluster *s, const double *mode, double *force)
{
    for (int k = 0; k < s->blocks; k++) {
        const block *b = w->block[s->block[k]];
        for (int c = b->v0; c < b->v0 + b->shape.dofs; c++) {
            unsigned hash = (unsigned)(c + 1) * 2654435761u;
            hash ^= hash >> 15;
            hash *= 2246822519u;
            double unit = (double)(hash >> 8) / 8388608.0 - 1;
            force[c] = b->metric[c - b->v0] * (mode ? mode[c] : unit);
        }
    }
}

static void set_thrust(problem *w, const cluster *s, const double *y, double thrust)
{
    for (int i = 0; i < s->map.multipliers; i++) {
        int row = ~s->map.source[s->map.multiplier[i].unknown];
        w->trial.lambda[row] = w->saved_lambda[row] + thrust * y[row];
    }
}

/* From the configuration in w->q_half. */
static void move_along(problem *w, const cluster *s, const double *mode, double amplitude)
{
    cord__copy_configuration(w, s, w->q_half, w->trial.q);
    EACH_DOF(c) w->delta[c] = amplitude * mode[c];
    cord__move_trial(w, s, 1);
}

/* K_y times a motion, by differences of −Bᵀy about the configuration in w->q_half. */
static void geometric_force(problem *w, cluster *s, const double *y, const double *mode,
                            double *force)
{
    const double step = 1e-5;
    EACH_DOF(c) force[c] = 0;
    for (int k = 0; k < 4; k++) {
        double side = k < 2 ? 1 : -1, thrust = k % 2;
        move_along(w, s, mode, side * step);
        set_thrust(w, s, y, thrust);
        cord__static_evaluate(w, s, false, 0);
        EACH_DOF(c) force[c] += (thrust > 0 ? side : -side) / (2 * step) * w->r[c];
    }
    cord__copy_configuration(w, s, w->q_half, w->trial.q);
}

enum { PASSES = 6 };

/* Inverse iteration with the present factor: the motion under the rows whose eigenvalue is nearest to zero, with a largest
 * component of 1 in small changes, of K v = λ M v, or with multipliers y of K v = λ K_y v, in which neutral directions do
 * not take part. False: there is none. */
static bool find_mode(problem *w, cluster *s, const double *y, double *mode)
{
    double *force = w->v_predictor, bound;
    metric_force(w, s, NULL, force);
    for (int pass = 0; pass < PASSES; pass++) {
        cord__clear_rhs(w, s);
        add_to_rhs(w, s, force);
        EACH_DOF(c) w->delta[c] = 0;
        cord__solve(w, s);
        double size = cord__largest_correction(w, s, &bound);
        if (!(size > 0) || !isfinite(size)) return false;
        EACH_DOF(c) mode[c] = w->delta[c] / size;
        if (y)
            geometric_force(w, s, y, mode, force);
        else
            metric_force(w, s, mode, force);
    }
    return true;
}

/* Chooses the sign along which the energy decreases, by the forces in w->r_end; without any force along the mode (false) the
 * largest component is positive. */
static bool choose_sign(const problem *w, const cluster *s, double *mode)
{
    double slope = 0, scale = 0, largest = 0;
    for (int k = 0; k < s->blocks; k++) {
        const block *b = w->block[s->block[k]];
        for (int c = 0; c < b->shape.dofs; c++) {
            double move = mode[b->v0 + c], work = w->r_end[b->v0 + c] * move;
            if (b->prescribed[c]) continue;
            slope += work, scale += fabs(work);
            if (fabs(move) / b->scale[c] > (1 + 1e-6) * fabs(largest)) largest = move / b->scale[c];
        }
    }
    bool force = fabs(slope) > 1e-6 * scale, against = force ? slope > 0 : largest < 0;
    for (int k = 0; against && k < s->blocks; k++) {
        const block *b = w->block[s->block[k]];
        for (int c = b->v0; c < b->v0 + b->shape.dofs; c++) mode[c] = -mode[c];
    }
    return force;
}

/* The admissible fraction of a motion. */
static double bound_of(problem *w, const cluster *s, const double *mode, double amplitude)
{
    double bound;
    EACH_DOF(c) w->delta[c] = amplitude * mode[c];
    cord__largest_correction(w, s, &bound);
    return bound;
}

/* ---- leaving an equilibrium ------------------------------------------------------------------------ */

/* The first amplitude, in small changes, without a given size. */
static const double FIRST = 1e-2;

departure cord__leave_along_mode(problem *w, cluster *s, double size)
{
    double *mode = w->a_predictor, length = 0, best = INFINITY, last = 0;
    cord__copy_configuration(w, s, w->trial.q, w->q_half);
    cord__static_evaluate(w, s, false, 0);
    cord__copy_dofs(w, s, w->r, w->r_end);
    double weight = 2 * cord__largest_multiplier(w, s);
    if (!factor_least(w, s) || !find_mode(w, s, NULL, mode)) return NO_MODE;
    if (!choose_sign(w, s, mode) && size == 0) return NO_FORCE;
    for (int k = 0; k < s->blocks; k++) length = fmax(length, w->block[s->block[k]]->scale[0]);
    double first = size > 0 ? size / length : FIRST;
    for (double amplitude = first; amplitude < 1e6; amplitude *= 2) {
        if (last > 0 && bound_of(w, s, mode, amplitude) < 1) break;
        move_along(w, s, mode, amplitude);
        cord__static_evaluate(w, s, false, 0);
        cord__return_to_rows(w, s);
        cord__static_evaluate(w, s, false, 0);
        merit m = cord__merit(w, s);
        double now = m.energy + weight * m.violation;
        if (last > 0 && (!(now < best) || cord__moved_over_margin(w, s) > 1)) break;
        best = now, last = amplitude;
    }
    move_along(w, s, mode, last);
    cord__static_evaluate(w, s, false, 0);
    cord__return_to_rows(w, s);
    return LEFT;
}

/* ---- buckling -------------------------------------------------------------------------------------- */

/* y·g at the trial, and the sum of the absolute values. */
static double along_rows(const problem *w, const cluster *s, const double *y, double *size)
{
    double sum = 0;
    *size = 0;
    for (int i = 0; i < s->map.multipliers; i++) {
        int row = ~s->map.source[s->map.multiplier[i].unknown];
        sum += y[row] * w->g[row], *size += fabs(y[row] * w->g[row]);
    }
    return sum;
}

/* The direction of the multipliers of a Newton step, with a largest component of 1, and their size. */
static double read_thrust(const cluster *s, double *y)
{
    double largest = 0;
    for (int i = 0; i < s->map.multipliers; i++)
        largest = fmax(largest, fabs(s->x[s->map.multiplier[i].unknown]));
    for (int i = 0; largest > 0 && i < s->map.multipliers; i++) {
        int u = s->map.multiplier[i].unknown;
        y[~s->map.source[u]] = -s->x[u] / largest;
    }
    return largest;
}

/* y·(g + Bδ) of a Newton step, which is not zero where the rows contradict each other to first order; 0 if they do not. By a
 * difference: the step may include prescribed motions. */
static double contradiction(problem *w, cluster *s, double *y, double *most)
{
    double size, unused, bound, moved = 0;
    if (!factor_least(w, s)) return 0;
    cord__solve(w, s);
    *most = read_thrust(s, y);
    if (!(*most > 0) || !isfinite(*most)) return 0;
    double before = along_rows(w, s, y, &size);
    double little = 1e-6 / fmax(1, cord__largest_correction(w, s, &bound));
    for (int k = 0; k < s->blocks; k++) {
        const block *b = w->block[s->block[k]];
        for (int c = 0; c < b->shape.dofs; c++)
            if (b->prescribed[c] == PRESCRIBED) moved += fabs(w->delta[b->v0 + c]);
    }
    cord__move_trial(w, s, little);
    cord__static_evaluate(w, s, false, 0);
    double remains = before + (along_rows(w, s, y, &unused) - before) / little;
    cord__copy_configuration(w, s, w->q_half, w->trial.q);
    return fabs(remains) > 0.01 * (size + moved) ? remains : 0;
}

/* Finds the thrust along y, above *thrust, at which the number of negative pivots first exceeds *count, to 2 %. *count
 * becomes that number, and the matrix is factored there. */
static bool critical_thrust(problem *w, cluster *s, const double *y, double most, double *thrust,
                            int *count)
{
    double low = *thrust, high = *thrust;
    for (bool found = false; !found; high *= found ? 1 : 8) {
        if (!(high < most)) return false;
        set_thrust(w, s, y, high);
        found = factor_at(w, s, LEAST_MU) && s->negative > *count;
        if (!found) low = high;
    }
    while (high > 1.02 * low) {
        double middle = sqrt(low * high);
        set_thrust(w, s, y, middle);
        bool less = factor_at(w, s, LEAST_MU) && s->negative <= *count;
        *(less ? &low : &high) = middle;
    }
    set_thrust(w, s, y, high);
    bool factored = factor_at(w, s, LEAST_MU);
    *count = s->negative, *thrust = high;
    return factored;
}

/* The amplitude of a mode at which the rows are met to second order; NAN: at none. */
static double amplitude_of(problem *w, cluster *s, const double *y, const double *mode,
                           double remains)
{
    double unused, little = 1e-3 * bound_of(w, s, mode, 1);
    cord__static_evaluate(w, s, false, 0);
    double before = along_rows(w, s, y, &unused);
    move_along(w, s, mode, little);
    cord__static_evaluate(w, s, false, 0);
    double second = (along_rows(w, s, y, &unused) - before) / (little * little);
    cord__copy_configuration(w, s, w->q_half, w->trial.q);
    return sqrt(-remains / second);
}

/* Rotations of a mode, in admissible ones, above which it does not shorten the strand. Neutral directions may count as
 * negative at any thrust. */
static const double TOO_LARGE = 100;
enum { MODES = 4 };

static bool buckle(problem *w, cluster *s)
{
    double *y = w->g_end, *mode = w->a_predictor, most;
    double remains = contradiction(w, s, y, &most), thrust = 1e-24 * most;
    if (remains == 0) return false;
    for (int k = 0, count = s->rows; k < MODES; k++) {
        if (!critical_thrust(w, s, y, most, &thrust, &count) || !find_mode(w, s, y, mode))
            return false;
        choose_sign(w, s, mode);
        set_thrust(w, s, y, thrust);
        double amplitude = amplitude_of(w, s, y, mode, remains);
        double bound = isfinite(amplitude) ? bound_of(w, s, mode, amplitude) : 0;
        if (bound * TOO_LARGE < 1) continue;
        move_along(w, s, mode, bound * amplitude);
        return true;
    }
    return false;
}

bool cord__buckle(problem *w, cluster *s)
{
    if (s->private_solve) return false; /* no rows that could contradict each other */
    cord__copy_configuration(w, s, w->trial.q, w->q_half);
    cord__copy_multipliers(w, s, w->trial.lambda, w->saved_lambda);
    cord__static_evaluate(w, s, false, 0);
    cord__copy_dofs(w, s, w->r, w->r_end);
    if (buckle(w, s)) return true;
    cord__copy_configuration(w, s, w->q_half, w->trial.q);
    cord__copy_multipliers(w, s, w->saved_lambda, w->trial.lambda);
    return false;
}
