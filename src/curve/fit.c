/* Levenberg–Marquardt on the dofs of a chain (chain_kinematics.h) [Nocedal and Wright, Numerical
 * Optimization, sec. 10.3].
 *
 * For vertex x with nearest point r(s), t·(r − x) = 0, only the components of δr normal to the
 * tangent change the distance (variable projection of s). So the residuals are the two components
 * along the directors, and convergence is quadratic where the fit is exact. Closed chains: the
 * equality constraints c = 0 join the normal equations with multipliers y,
 *     [ JᵀJ + μD  Cᵀ ] [ δ ]     [ Jᵀρ ]
 *     [ C          0 ] [ y ] = − [ c   ]   [Nocedal and Wright, sec. 18.1]. */
#include "curve/fit.h"
#include "curve/transport.h"
#include "math/callback.h"
#include "math/rotation.h"

#include <float.h>
#include <math.h>
#include <string.h>

enum { MAX_ROWS = 9, MAX_ITERATIONS = 200 };

/* Weight of the frame angle about the tangent: one radian counts as this fraction of an element
 * length. Small, so that positions take precedence. */
static const double frame_weight = 0.02;

double cord__arc_lengths(int vertices, const double *x, double *s)
{
    double before = 0; /* curvature at the previous vertex */
    s[0] = 0;
    for (int i = 0; i + 1 < vertices; i++) {
        const double *p = x + 3 * (size_t)i;
        double e[3], f[3], cross[3], chord, after = 0;
        v3_sub(e, p + 3, p);
        chord = v3_norm(e);
        bool last = i + 2 == vertices;
        if (!last) {
            v3_sub(f, p + 6, p + 3);
            v3_cross(cross, e, f);
            double angle = atan2(v3_norm(cross), v3_dot(e, f));
            after = angle > 1 ? 0 : 2 * sin(angle) / v3_distance(p + 6, p);
        }
        if (i == 0) before = after;
        double half = 0.25 * (before + (last ? before : after)) * chord;
        s[i + 1] = s[i] + (half > 1e-8 && half < 1 ? chord * asin(half) / half : chord);
        before = after;
    }
    return s[vertices - 1];
}

/* ---- workspace ------------------------------------------------------------------------------ */

typedef struct fitter {
    const fit_problem *p;
    memory *m;
    dof_layout layout;
    chain *current, trial;
    int n, rows;         /* dofs; closure constraints */
    bool nearest;        /* distances from the nearest point, or at prescribed arc lengths */
    double scale;        /* length of the chain */
    double *weight;      /* vertices */
    double *frames;      /* 9 × edges: p->frames or twist-free ones */
    double *s, *trial_s; /* vertices: arc lengths on the chain */
    screw *jacobian;
    double *row;        /* n */
    double *h, *factor; /* (n + rows)², lower by rows */
    double *gradient;   /* n + rows; Jᵀρ, then c */
    double *step;       /* n + rows */
    double closure[MAX_ROWS];
    double worst, squares;
    int worst_vertex;
    void *storage;
} fitter;

static cord_status reserve(fitter *f)
{
    size_t v = (size_t)f->p->vertices, all = (size_t)(f->n + f->rows), n = (size_t)f->n;
    size_t e = (size_t)f->current->elements;
    size_t jacobian = n * sizeof(screw) / sizeof(double);
    size_t total = 3 * v + 9 * v + jacobian + n + 2 * all * all + 2 * all + e + 3 * (e + 1);
    double *at = NEW(f->m, double, total);
    f->storage = at;
    if (!at) return CORD_ERROR_MEMORY;
    f->weight = at, at += v;
    f->s = at, at += v;
    f->trial_s = at, at += v;
    f->frames = at, at += 9 * v;
    f->jacobian = (screw *)(void *)at, at += jacobian;
    f->row = at, at += n;
    f->h = at, at += all * all;
    f->factor = at, at += all * all;
    f->gradient = at, at += all;
    f->step = at, at += all;
    f->trial = *f->current;
    f->trial.length = at, at += e;
    f->trial.kappa = at;
    return CORD_OK;
}

/* ---- normal equations ----------------------------------------------------------------------- */

static void clear_equations(fitter *f)
{
    size_t all = (size_t)(f->n + f->rows);
    memset(f->h, 0, all * all * sizeof *f->h);
    memset(f->gradient, 0, all * sizeof *f->gradient);
}

/* The number of leading dofs that can be nonzero: those of later elements are zero. */
static int active_dofs(const fitter *f, const chain_point *w)
{
    if (f->layout.lengths) return f->n;
    int each = f->layout.planar ? 1 : 3, count = f->current->kind == ELEMENT_CLOTHOID ? 2 : 1;
    int reach = base_dofs(&f->layout) + each * (w->element + count);
    return reach < f->n ? reach : f->n;
}

static void add_row(fitter *f, int reach, double value, double weight)
{
    size_t all = (size_t)(f->n + f->rows);
    for (int i = 0; i < reach; i++) {
        double x = weight * weight * f->row[i];
        if (x == 0) continue;
        double *h = f->h + (size_t)i * all;
        for (int j = 0; j <= i; j++) h[j] += x * f->row[j];
        f->gradient[i] += x * value;
    }
}

/* ∂(direction · r)/∂dof. */
static void position_row(const fitter *f, const chain_point *w, const double *direction, int reach,
                         double *row)
{
    double moment[3]; /* d · (b + a × r) = d · b + (r × d) · a */
    v3_cross(moment, w->position, direction);
    for (int i = 0; i < reach; i++) {
        row[i] = v3_dot(direction, f->jacobian[i].b) + v3_dot(moment, f->jacobian[i].a);
    }
}

static void rotation_row(const fitter *f, const double *axis, int reach, double *row)
{
    for (int i = 0; i < reach; i++) row[i] = v3_dot(axis, f->jacobian[i].a);
}

static void vertex_rows(fitter *f, const chain_point *w, int i, bool at_nearest, bool derive)
{
    double d[3], weight = f->weight[i];
    v3_sub(d, w->position, f->p->x + 3 * (size_t)i);
    double distance = v3_norm(d);
    if (distance > f->worst || isnan(distance)) f->worst = distance, f->worst_vertex = i;
    if (f->p->distances) f->p->distances[i] = distance;
    f->squares += weight * weight * v3_dot(d, d);
    if (!derive) return;
    int reach = active_dofs(f, w);
    const double *axes = w->frame;
    for (int k = at_nearest ? 1 : 0; k < 3; k++) {
        const double *axis = axes + 3 * (size_t)k;
        position_row(f, w, axis, reach, f->row);
        add_row(f, reach, v3_dot(axis, d), weight);
    }
}

/* Residual: the angle about the tangent from the chain's first director to the given one. */
static void frame_rows(fitter *f, const chain_point *w, int edge, bool derive)
{
    if (!f->p->frames || f->p->frames_are_guess || f->layout.planar) return;
    const double *given = f->frames + 9 * (size_t)edge + 3, *frame = w->frame;
    double angle = atan2(v3_dot(frame + 6, given), v3_dot(frame + 3, given));
    double weight = frame_weight * f->scale / f->current->elements * f->weight[edge];
    f->squares += weight * weight * angle * angle;
    if (!derive) return;
    int reach = active_dofs(f, w);
    rotation_row(f, frame, reach, f->row);
    add_row(f, reach, -angle, weight);
}

/* Bars: rotations of the base and of the first joint are indistinguishable; this regularisation
 * makes the first two joint curvatures equal. */
static void first_joint(fitter *f, const chain *c, bool derive)
{
    if (c->kind != ELEMENT_SEGMENT || !f->layout.base || c->elements < 2) return;
    int each = f->layout.planar ? 1 : 3, base = base_dofs(&f->layout);
    double weight = f->scale * c->length[0];
    for (int k = 0; k < each; k++) {
        int component = f->layout.planar ? 2 : k;
        double d = c->kappa[component] - c->kappa[3 + component];
        f->squares += weight * weight * d * d;
        if (!derive) continue;
        memset(f->row, 0, (size_t)f->n * sizeof *f->row);
        f->row[base + k] = 1;
        f->row[base + each + k] = -1;
        add_row(f, f->n, d, weight);
    }
}

/* ---- closure constraints ---------------------------------------------------------------------- */

static int closure_count(const fit_problem *p, element_kind kind)
{
    if (!p->closed) return 0;
    int position = p->planar ? 2 : 3, frame = p->planar ? 1 : 3;
    if (kind == ELEMENT_SEGMENT) return position;
    return position + frame + (kind == ELEMENT_CLOTHOID ? frame : 0);
}

/* Stores one component of c; returns the row for its derivatives, or NULL. */
static double *store_closure(fitter *f, int r, double value, bool derive)
{
    f->closure[r] = value;
    if (!derive) return NULL;
    f->gradient[f->n + r] = value;
    return f->h + (size_t)(f->n + r) * (size_t)(f->n + f->rows);
}

/* The end relative to the start: base dofs move both alike, so that their derivatives vanish. */
static void finish_row(const fitter *f, double weight, double *row)
{
    int base = base_dofs(&f->layout);
    for (int i = 0; i < f->n; i++) row[i] = i < base ? 0 : weight * row[i];
}

static void close_positions(fitter *f, const chain *c, const chain_point *end, bool derive)
{
    double d[3];
    v3_sub(d, end->position, c->position);
    for (int k = 0; k < (f->layout.planar ? 2 : 3); k++) {
        const double *axis = f->layout.plane + 3 * (size_t)k;
        double *row = store_closure(f, k, v3_dot(axis, d), derive);
        if (!row) continue;
        position_row(f, end, axis, f->n, row);
        finish_row(f, 1, row);
    }
}

static void close_frames(fitter *f, const chain *c, const chain_point *end, bool derive)
{
    double w[3], m[9], transposed[9];
    for (int i = 0; i < 9; i++) transposed[i] = c->frame[3 * (i % 3) + i / 3];
    m3_multiply(m, end->frame, transposed);
    cord__rotation_log(w, m);
    int planar = f->layout.planar, r = planar ? 2 : 3;
    for (int k = planar ? 2 : 0; k < 3; k++) {
        const double *axis = f->layout.plane + 3 * (size_t)k;
        double *row = store_closure(f, r++, f->scale * v3_dot(axis, w), derive);
        if (!row) continue;
        rotation_row(f, axis, f->n, row);
        finish_row(f, f->scale, row);
    }
}

static void close_curvatures(fitter *f, const chain *c, bool derive)
{
    int planar = f->layout.planar, each = planar ? 1 : 3, base = base_dofs(&f->layout);
    double weight = f->scale * f->scale;
    for (int k = 0; k < each; k++) {
        size_t component = planar ? 2 : (size_t)k;
        double jump = c->kappa[3 * (size_t)c->elements + component] - c->kappa[component];
        double *row = store_closure(f, f->rows - each + k, weight * jump, derive);
        if (!row) continue;
        row[base + k] = -weight;
        row[base + each * c->elements + k] = weight;
    }
}

static void close_chain(fitter *f, const chain *c, const chain_point *end, bool derive)
{
    if (f->rows == 0) return;
    close_positions(f, c, end, derive);
    if (c->kind != ELEMENT_SEGMENT) close_frames(f, c, end, derive);
    if (c->kind == ELEMENT_CLOTHOID) close_curvatures(f, c, derive);
}

static double closure_norm(const fitter *f)
{
    double sum = 0;
    for (int r = 0; r < f->rows; r++) sum += fabs(f->closure[r]);
    return sum;
}

/* ---- residuals along the chain ---------------------------------------------------------------- */

/* Residuals of a chain and, with `derive`, the normal equations; s are the arc lengths of the
 * vertices, initial guesses on entry and nearest points on return. */
static void evaluate(fitter *f, const chain *c, double *s, bool derive)
{
    const int last = f->p->vertices - 1;
    const double length = cord__chain_length(c), stretch = length / s[last];
    screw *jacobian = derive ? f->jacobian : NULL;
    chain_point w;
    if (derive) clear_equations(f);
    f->worst = f->squares = 0;
    cord__chain_start(c, &f->layout, &w, jacobian);
    double at = 0, old = 0;
    vertex_rows(f, &w, 0, false, derive);
    for (int i = 1; i <= last; i++) {
        double guess = (s[i] - old) * stretch, edge = guess;
        const double *x = f->p->x + 3 * (size_t)i;
        if (i == last)
            edge = length - at;
        else if (f->nearest)
            edge = cord__chain_nearest(c, &w, x, s[i] * stretch - at, fabs(guess));
        edge = fmax(fmin(edge, length - at), 0);
        old = s[i];
        cord__chain_advance(c, &f->layout, &w, 0.5 * edge, jacobian);
        frame_rows(f, &w, i - 1, derive);
        cord__chain_advance(c, &f->layout, &w, 0.5 * edge, jacobian);
        if (i == last) cord__chain_advance_to_end(c, &f->layout, &w, jacobian);
        at = i == last ? length : at + edge;
        s[i] = at;
        vertex_rows(f, &w, i, f->nearest && i < last, derive);
    }
    first_joint(f, c, derive);
    close_chain(f, c, &w, derive);
}

/* ---- damped steps --------------------------------------------------------------------------- */

/* LDLᵀ of the lower triangle by rows, in place; false where a pivot has the wrong sign: the first n
 * must be positive, those of the constraints negative. */
static bool factor(double *a, int n, int rows)
{
    int all = n + rows;
    size_t stride = (size_t)all;
    for (int i = 0; i < all; i++) {
        double *ri = a + (size_t)i * stride;
        for (int j = 0; j < i; j++) {
            const double *rj = a + (size_t)j * stride;
            double x = ri[j];
            for (int k = 0; k < j; k++) x -= ri[k] * rj[k];
            ri[j] = x; /* L_ij D_j */
        }
        double d = ri[i];
        for (int k = 0; k < i; k++) {
            double l = ri[k] / a[(size_t)k * stride + (size_t)k];
            d -= l * ri[k];
            ri[k] = l;
        }
        ri[i] = d;
        if (!(i < n ? d > 0 : d < 0)) return false;
    }
    return true;
}

static void solve(const double *a, int all, double *b)
{
    size_t stride = (size_t)all;
    for (int i = 0; i < all; i++) {
        for (int k = 0; k < i; k++) b[i] -= a[(size_t)i * stride + (size_t)k] * b[k];
    }
    for (int i = 0; i < all; i++) b[i] /= a[(size_t)i * stride + (size_t)i];
    for (int i = all - 1; i >= 0; i--) {
        for (int k = 0; k < i; k++) b[k] -= a[(size_t)i * stride + (size_t)k] * b[i];
    }
}

static bool damped_step(fitter *f, double damping)
{
    size_t all = (size_t)(f->n + f->rows);
    memcpy(f->factor, f->h, all * all * sizeof *f->h);
    double most = 0;
    for (int i = 0; i < f->n; i++) most = fmax(most, f->h[(size_t)i * (all + 1)]);
    for (int i = 0; i < f->n; i++) {
        double *d = &f->factor[(size_t)i * (all + 1)];
        *d += damping *
              fmax(*d, 1e-9 * most); /* a dof without any effect is determined by the damping */
    }
    if (!factor(f->factor, f->n, f->rows)) return false;
    for (size_t i = 0; i < all; i++) f->step[i] = -f->gradient[i];
    solve(f->factor, (int)all, f->step);
    for (size_t i = 0; i < all; i++) {
        if (!isfinite(f->step[i])) return false;
    }
    for (int i = f->n - (f->layout.lengths ? f->current->elements : 0); i < f->n; i++) {
        if (fabs(f->step[i]) > 0.5)
            return false; /* the logarithm of a length changes too much: damp further */
    }
    return true;
}

static void copy_chain(chain *to, const chain *from)
{
    memcpy(to->length, from->length, (size_t)from->elements * sizeof *to->length);
    memcpy(to->kappa, from->kappa,
           3 * (size_t)curvature_count(from->kind, from->elements) * sizeof *to->kappa);
    v3_copy(to->position, from->position);
    memcpy(to->frame, from->frame, sizeof to->frame);
}

/* Exact penalty function: squares plus a penalty on constraint residuals larger than their multipliers, so that a
 * step that closes the chain at some cost in distance is accepted [Nocedal and Wright, sec. 18.3]. */
static double merit(const fitter *f, double penalty)
{
    return f->squares + penalty * closure_norm(f);
}

static double largest_multiplier(const fitter *f)
{
    double most = 0;
    for (int r = 0; r < f->rows; r++) most = fmax(most, fabs(f->step[f->n + r]));
    return most;
}

/* Rejects diverged iterates: elements rotated by hundreds of radians or of extreme length. */
static bool is_reasonable(const fitter *f, const chain *c)
{
    int last = curvature_count(c->kind, c->elements) - 1;
    for (int i = 0; i <= last; i++) {
        double length = c->length[i < c->elements ? i : c->elements - 1];
        double angle = v3_norm(c->kappa + 3 * (size_t)i) * length;
        if (!(angle < 300) || !(length < 10 * f->scale)) return false;
    }
    return true;
}

/* Evaluates the step and keeps it when the merit decreases. */
static bool take_step(fitter *f, double before, double penalty, double *after)
{
    const size_t v = (size_t)f->p->vertices;
    double squares = f->squares, closure[MAX_ROWS];
    memcpy(closure, f->closure, sizeof closure);
    cord__chain_update(f->current, &f->layout, f->step, &f->trial);
    *after = INFINITY;
    if (!is_reasonable(f, &f->trial)) return false;
    memcpy(f->trial_s, f->s, v * sizeof *f->s);
    evaluate(f, &f->trial, f->trial_s, false);
    *after = merit(f, penalty);
    if (*after < before) {
        copy_chain(f->current, &f->trial);
        memcpy(f->s, f->trial_s, v * sizeof *f->s);
        return true;
    }
    f->squares = squares;
    memcpy(f->closure, closure, sizeof closure);
    return false;
}

/* Residuals at the round-off of coordinates. */
static bool at_rounding(const fitter *f)
{
    double floor = 1e-15 * f->scale;
    return f->squares < f->p->vertices * floor * floor && closure_norm(f) < floor;
}

/* Iterates until the merit stops decreasing, or to the limit. */
static int descend(fitter *f, int most)
{
    double damping = 1e-3, penalty = 0, after;
    int iteration = 0, idle = 0;
    evaluate(f, f->current, f->s, true);
    for (; iteration < most && idle < 3 && damping < 1e12 && !at_rounding(f); iteration++) {
        if (cord__cancelled()) break;
        if (!damped_step(f, damping)) {
            damping *= 8;
            continue;
        }
        penalty = fmax(penalty, 4 * largest_multiplier(f));
        double before = merit(f, penalty);
        bool better = take_step(f, before, penalty, &after);
        damping = better ? fmax(damping / 10, 1e-14) : damping * (damping < 1e-8 ? 100 : 4);
        bool gained = better && before - after > 1e-8 * before;
        bool flat = !better && after < before * (1 + 1e-9);
        idle = gained ? 0 : idle + (better || flat);
        if (better) evaluate(f, f->current, f->s, true);
    }
    return iteration;
}

/* Closure to round-off: Newton's method on the constraints with the smallest change in the metric
 * of the normal equations. */
static void close_fully(fitter *f)
{
    for (int k = 0; k < 12 && closure_norm(f) > 1e-15 * f->scale; k++) {
        double damping = 1e-3, residual = closure_norm(f);
        memset(f->gradient, 0, (size_t)f->n * sizeof *f->gradient);
        while (!damped_step(f, damping) && damping < 1e6) damping *= 10;
        cord__chain_update(f->current, &f->layout, f->step, &f->trial);
        if (!is_reasonable(f, &f->trial)) break;
        memcpy(f->trial_s, f->s, (size_t)f->p->vertices * sizeof *f->s);
        evaluate(f, &f->trial, f->trial_s, false);
        if (!(closure_norm(f) < residual)) break;
        copy_chain(f->current, &f->trial);
        evaluate(f, f->current, f->s, true);
    }
}

/* ---- initial guess ---------------------------------------------------------------------------- */

static cord_status check_vertices(const fit_problem *p)
{
    if (p->vertices < 2) return CORD_ERROR_ARGUMENT;
    for (int i = 0; i < p->vertices; i++) {
        const double *x = p->x + 3 * (size_t)i;
        if (!v3_admissible(x)) return CORD_ERROR_NOT_FINITE;
        if (i > 0 && v3_distance(x, x - 3) == 0) return CORD_ERROR_ARGUMENT;
    }
    return CORD_OK;
}

static void edge_tangent(const fit_problem *p, int e, double t[3])
{
    const double *x = p->x + 3 * (size_t)e;
    v3_sub(t, x + 3, x);
    v3_normalize(t, t);
}

/* Twist-free (Bishop) frames by parallel transport from edge to edge. */
static cord_status twist_free_frames(fitter *f)
{
    for (int e = 0; e < f->p->vertices - 1; e++) {
        double t[3], *r = f->frames + 9 * (size_t)e;
        edge_tangent(f->p, e, t);
        if (e == 0 && f->p->has_guess) {
            v3_copy(r + 3, f->current->frame + 3);
            v3_axpy(r + 3, -v3_dot(r + 3, t), t);
            if (v3_norm(r + 3) < 1e-3) v3_any_normal(r + 3, t);
        } else if (e == 0) {
            v3_any_normal(r + 3, t);
        } else if (!transport(r + 3, r - 9, t, r - 6)) {
            return CORD_ERROR_ARGUMENT;
        }
        v3_copy(r, t);
        cord__rotation_orthonormalise(r);
        v3_cross(r + 6, r, r + 3);
    }
    return CORD_OK;
}

static cord_status initial_frames(fitter *f)
{
    size_t edges = (size_t)f->p->vertices - 1;
    if (!f->p->frames) return twist_free_frames(f);
    memcpy(f->frames, f->p->frames, 9 * edges * sizeof *f->frames);
    return CORD_OK;
}

/* Discrete curvature of the polyline at a vertex: log of the rotation between the frames of its
 * edges, over half of both edges. */
static void vertex_curvature(const fitter *f, int i, double kappa[3])
{
    int last = f->p->vertices - 1;
    if (last < 2) {
        v3_set(kappa, 0, 0, 0);
        return;
    }
    int j = i < 1          ? 1
            : i > last - 1 ? last - 1
                           : i; /* end vertices take the value of their neighbours */
    double rotation[9];
    m3_transposed_multiply(rotation, f->frames + 9 * (size_t)(j - 1), f->frames + 9 * (size_t)j);
    cord__rotation_log(kappa, rotation);
    v3_scale(kappa, 2 / (f->s[j + 1] - f->s[j - 1]), kappa);
    if (f->layout.planar) kappa[0] = kappa[1] = 0;
}

/* M κ = b with the mass matrix M of the shape functions; b in place. Clothoids: hat functions, tridiagonal. */
static void project(const chain *c, double *b, double *diagonal)
{
    const double *l = c->length;
    int count = curvature_count(c->kind, c->elements);
    if (c->kind != ELEMENT_CLOTHOID) {
        for (int e = 0; e < count; e++) v3_scale(b + 3 * (size_t)e, 1 / l[e], b + 3 * (size_t)e);
        return;
    }
    for (int i = 0; i < count; i++) {
        double before = i > 0 ? l[i - 1] : 0, after = i < c->elements ? l[i] : 0;
        diagonal[i] = (before + after) / 3;
        if (i == 0) continue;
        double factor_of = before / 6 / diagonal[i - 1];
        diagonal[i] -= factor_of * before / 6;
        v3_axpy(b + 3 * (size_t)i, -factor_of, b + 3 * (size_t)(i - 1));
    }
    for (int i = count - 1; i >= 0; i--) {
        if (i < count - 1) v3_axpy(b + 3 * (size_t)i, -l[i] / 6, b + 3 * (size_t)(i + 1));
        v3_scale(b + 3 * (size_t)i, 1 / diagonal[i], b + 3 * (size_t)i);
    }
}

/* L2 projection of the polyline's curvature, linear between vertices, onto the shape functions of
 * the chain, by the midpoint rule on each element. diagonal: workspace. */
static void initial_curvatures(fitter *f, double *diagonal)
{
    chain *c = f->current;
    int vertex = 1, samples = 8 + 4 * f->p->vertices / c->elements, last = f->p->vertices - 1;
    double from = 0;
    memset(c->kappa, 0, 3 * (size_t)curvature_count(c->kind, c->elements) * sizeof *c->kappa);
    for (int e = 0; e < c->elements; e++) {
        double h = c->length[e] / samples;
        for (int q = 0; q < samples; q++) {
            double u = (q + 0.5) * h, k0[3], k1[3], k[3];
            while (vertex < last && f->s[vertex] < from + u) vertex++;
            double part = (from + u - f->s[vertex - 1]) / (f->s[vertex] - f->s[vertex - 1]);
            vertex_curvature(f, vertex - 1, k0);
            vertex_curvature(f, vertex, k1);
            v3_combine(k, 1 - part, k0, part, k1);
            double *b = c->kappa + 3 * (size_t)e;
            bool affine = c->kind == ELEMENT_CLOTHOID;
            v3_axpy(b, h * (affine ? 1 - u / c->length[e] : 1), k);
            if (affine) v3_axpy(b + 3, h * u / c->length[e], k);
        }
        from += c->length[e];
    }
    project(c, c->kappa, diagonal);
}

/* The frame of the first edge rotated back by half the edge. */
static void initial_base(fitter *f)
{
    double back[3], m[9];
    v3_copy(f->current->position, f->p->x);
    memcpy(f->current->frame, f->frames, sizeof f->current->frame);
    v3_scale(back, -0.5 * f->s[1], f->current->kappa);
    cord__rotation_exp(m, back);
    m3_multiply(f->current->frame, f->current->frame, m);
}

static void initial_weights(fitter *f)
{
    int last = f->p->vertices - 1;
    if (f->p->weights) {
        memcpy(f->weight, f->p->weights, (size_t)(last + 1) * sizeof *f->weight);
        return;
    }
    double mean = f->s[last] / last;
    for (int i = 0; i <= last; i++) { /* by the share of the length of each vertex */
        double share = 0.5 * ((i < last ? f->s[i + 1] : f->s[i]) - (i > 0 ? f->s[i - 1] : 0));
        f->weight[i] = sqrt(fmax(share / mean, 0.5));
    }
}

/* Arc lengths of the vertices (bars: of the polyline), scaled to the length of the chain. */
static void initial_arc_lengths(fitter *f)
{
    int last = f->p->vertices - 1;
    if (f->current->kind == ELEMENT_SEGMENT) {
        for (int i = 1; i <= last; i++) {
            const double *x = f->p->x + 3 * (size_t)i;
            f->s[i] = f->s[i - 1] + v3_distance(x, x - 3);
        }
    } else {
        cord__arc_lengths(f->p->vertices, f->p->x, f->s);
    }
    f->scale = cord__chain_length(f->current);
    double ratio = f->scale / f->s[last];
    for (int i = 1; i <= last; i++) f->s[i] *= ratio;
}

static cord_status initialise(fitter *f)
{
    initial_arc_lengths(f);
    initial_weights(f);
    cord_status status = initial_frames(f);
    if (status != CORD_OK) return status;
    if (!f->p->has_guess) {
        initial_curvatures(f, f->step);
        initial_base(f);
    }
    memcpy(f->layout.plane, f->layout.planar && f->p->has_guess ? f->current->frame : f->frames,
           sizeof f->layout.plane);
    return CORD_OK;
}

/* ---- the fit -------------------------------------------------------------------------------- */

static int fit(fitter *f)
{
    int count = 0;
    /* Bars of prescribed lengths: vertices correspond to joints one by one. */
    bool bars = f->current->kind == ELEMENT_SEGMENT && !f->p->free_lengths;
    /* First with prescribed arc lengths: more robust far from the solution. */
    const int most = f->p->iterations > 0 ? f->p->iterations : MAX_ITERATIONS;
    if (!f->p->has_guess || bars) count += descend(f, bars ? most : (most + 2) / 3);
    f->nearest = !bars;
    if (f->nearest) count += descend(f, most);
    if (f->rows > 0) close_fully(f);
    return count;
}

cord_status cord__fit_chain(memory *m, const fit_problem *p, chain *c, fit_quality *quality)
{
    cord_status status = check_vertices(p);
    if (status != CORD_OK) return status;
    fitter f = {.p = p, .m = m, .current = c};
    f.layout.planar = p->planar;
    f.layout.base = true;
    f.layout.lengths = p->free_lengths;
    f.n = dof_count(&f.layout, c);
    f.rows = closure_count(p, c->kind);
    status = reserve(&f);
    if (status == CORD_OK) status = initialise(&f);
    if (status == CORD_OK) {
        quality->iterations = fit(&f);
        evaluate(&f, c, f.s, false); /* the last evaluation may have been of a rejected trial */
        quality->worst = f.worst;
        quality->worst_at = f.s[f.worst_vertex];
        quality->rms = sqrt(f.squares / p->vertices);
        quality->closure_residual = closure_norm(&f);
        if (!isfinite(f.worst)) status = CORD_ERROR_NOT_CONVERGED;
        if (cord__cancelled()) status = CORD_ERROR_CANCELLED;
    }
    cord__release(m, f.storage);
    return status;
}

cord_status cord__fit_curvatures(memory *m, element_kind kind, bool planar, int element_count,
                                 const double *length, int vertices, const double *x,
                                 const double *frames, double base_position[3],
                                 double base_frame[9], double *kappa, double *worst_distance)
{
    fit_problem p = {.vertices = vertices, .x = x, .frames = frames, .planar = planar};
    fit_quality quality = {0};
    double *copy = cord__copy(m, length, (size_t)element_count, sizeof *length);
    if (!copy) return CORD_ERROR_MEMORY;
    chain c = {.kind = kind, .elements = element_count, .length = copy, .kappa = kappa};
    cord_status status = cord__fit_chain(m, &p, &c, &quality);
    v3_copy(base_position, c.position);
    memcpy(base_frame, c.frame, sizeof c.frame);
    if (worst_distance) *worst_distance = quality.worst;
    cord__release(m, copy);
    return status;
}
