/* Element boundaries of a plane curve by shortest path, after [Baran, Lehtinen and Popović,
 * Sketching Clothoid Splines Using Shortest Paths, 2010].
 *
 * Between every two of about a hundred nodes on the curve, the best line, arc or clothoid is fitted
 * by itself. Consecutive elements must agree in the quantity that is continuous at a node: tangent
 * angles for arcs, curvatures for clothoids (for bars only positions, which the joint fit restores,
 * as it does for arcs and clothoids). So a vertex of the graph is a node with one of a few values
 * of that quantity, and an edge is an element with values a, b at its ends. Its error follows from
 * the normal equations of the best element with all other coefficients eliminated (S: Schur
 * complement),
 *     E²(a, b) = E₀² + qᵀ S q,   q = (a, b) − (a₀, b₀),
 * so that an edge needs no further fit. The path minimises the number of edges, then the error. */
#include "curve/fit_search.h"
#include "math/vec3.h"

#include <float.h>
#include <math.h>
#include <string.h>

enum { MAX_NODES = 100, LEVELS = 15, COEFFICIENTS = 5 };

/* Weight of distances along the curve relative to distances across it: small, but it fixes the
 * position of a straight line. */
static const double along_weight = 0.03;

typedef struct plane_curve {
    int count;
    double *p, *s, *angle; /* 2 × count; count; count − 1 angles of edges, continuous */
} plane_curve;

/* The best element between two nodes. */
typedef struct candidate {
    bool valid;
    double a, b, squares, s[3]; /* end values a₀, b₀; E₀²; S: aa, ab, bb */
    double ratio;               /* largest distance over root mean square */
    int points;
} candidate;

struct planar_graph {
    const fit_task *t;
    plane_curve curve;
    double tolerance;
    int nodes, levels;
    int *at;               /* nodes: indices of points of the curve */
    candidate *candidates; /* nodes² */
    double *level;         /* 2 × nodes: first value, step */
    double *cost;          /* nodes × levels */
    int *predecessor;      /* nodes × levels: predecessor */
    void *storage;
};

/* ---- projection ------------------------------------------------------------------------------- */

static void flatten(const fit_task *t, plane_curve *c)
{
    double e1[3], e2[3];
    v3_any_normal(e1, t->normal);
    v3_cross(e2, t->normal, e1);
    cord__arc_lengths(t->vertices, t->x, c->s);
    for (int i = 0; i < c->count; i++) {
        c->p[2 * i] = v3_dot(e1, t->x + 3 * (size_t)i);
        c->p[2 * i + 1] = v3_dot(e2, t->x + 3 * (size_t)i);
        if (i == 0) continue;
        double angle = atan2(c->p[2 * i + 1] - c->p[2 * i - 1], c->p[2 * i] - c->p[2 * i - 2]);
        if (i > 1) angle = c->angle[i - 2] + remainder(angle - c->angle[i - 2], 2 * M_PI);
        c->angle[i - 1] = angle;
    }
}

/* ---- one element ---------------------------------------------------------------------------- */

/* The tangent angle along an element is Σ c_m f_m(u): line 1; arc from angle a to b; clothoid from
 * a start angle with curvature from a to b. */
static int shape_functions(element_kind kind, double u, double length, double *f)
{
    double x = u / length;
    if (kind == ELEMENT_SEGMENT) {
        f[0] = 1;
        return 1;
    }
    if (kind == ELEMENT_HELIX) {
        f[0] = 1 - x, f[1] = x;
        return 2;
    }
    f[0] = 1, f[1] = u * (1 - 0.5 * x), f[2] = 0.5 * u * x;
    return 3;
}

static double angle_at(element_kind kind, double u, double length, const double *c)
{
    double f[3], sum = 0;
    int n = shape_functions(kind, u, length, f);
    for (int i = 0; i < n; i++) sum += c[i] * f[i];
    return sum;
}

typedef struct equations {
    int n;
    double a[COEFFICIENTS][COEFFICIENTS], b[COEFFICIENTS];
} equations;

static void add_equation(equations *q, const double *row, double value, double weight)
{
    for (int i = 0; i < q->n; i++) {
        for (int j = 0; j <= i; j++) q->a[i][j] += weight * row[i] * row[j];
        q->b[i] -= weight * row[i] * value;
    }
}

/* LDLᵀ in place up to column `until`; the rest is then the Schur complement. The diagonal is
 * regularised by 1e-12, since few points do not determine all coefficients. */
static void eliminate(equations *q, int until)
{
    for (int k = 0; k < until; k++) {
        q->a[k][k] += 1e-12 * q->a[k][k] + DBL_MIN;
        for (int i = k + 1; i < q->n; i++) {
            double l = q->a[i][k] / q->a[k][k];
            for (int j = k + 1; j <= i; j++) q->a[i][j] -= l * q->a[j][k];
            q->b[i] -= l * q->b[k];
        }
    }
}

/* After complete elimination: a[i][k] is L_ik D_k. */
static void back_substitute(equations *q, double *x)
{
    for (int i = q->n - 1; i >= 0; i--) {
        double sum = q->b[i];
        for (int k = i + 1; k < q->n; k++) sum -= q->a[k][i] * x[k];
        x[i] = sum / q->a[i][i];
    }
}

/* Initial guess: least squares on the angles of the edges. */
static void initial_coefficients(const planar_graph *g, int i, int j, double *c)
{
    const plane_curve *k = &g->curve;
    equations q = {0};
    double length = k->s[j] - k->s[i];
    for (int e = i; e < j; e++) {
        double f[3];
        q.n = shape_functions(g->t->kind, 0.5 * (k->s[e] + k->s[e + 1]) - k->s[i], length, f);
        add_equation(&q, f, -k->angle[e], k->s[e + 1] - k->s[e]);
    }
    eliminate(&q, q.n);
    back_substitute(&q, c);
}

/* Position along an element and its derivatives by the coefficients, by Simpson's rule between
 * points. */
typedef struct element_point {
    double position[2], by[3][2];
} element_point;

static void advance(element_kind kind, const double *c, double length, double u0, double u1,
                    element_point *t)
{
    static const double weight[3] = {1.0 / 6, 4.0 / 6, 1.0 / 6};
    for (int k = 0; k < 3; k++) {
        double u = u0 + 0.5 * k * (u1 - u0), f[3], angle = 0, w = weight[k] * (u1 - u0);
        int n = shape_functions(kind, u, length, f);
        for (int i = 0; i < n; i++) angle += c[i] * f[i];
        double dx = w * cos(angle), dy = w * sin(angle);
        t->position[0] += dx, t->position[1] += dy;
        for (int i = 0; i < n; i++) t->by[i][0] -= f[i] * dy, t->by[i][1] += f[i] * dx;
    }
}

/* Normal equations of an element with coefficients x = (position, c); sum of squares and largest
 * distance across the curve. */
static void candidate_equations(const planar_graph *g, int i, int j, const double *x, equations *q,
                                double *squares, double *worst)
{
    const plane_curve *k = &g->curve;
    const double *c = x + 2, length = k->s[j] - k->s[i];
    element_point t = {.position = {x[0], x[1]}};
    memset(q, 0, sizeof *q);
    *squares = *worst = 0;
    for (int v = i; v <= j; v++) {
        double u = k->s[v] - k->s[i], f[3], row[2][COEFFICIENTS];
        if (v > i) advance(g->t->kind, c, length, k->s[v - 1] - k->s[i], u, &t);
        int n = shape_functions(g->t->kind, u, length, f);
        double angle = angle_at(g->t->kind, u, length, c);
        double axis[2][2] = {{-sin(angle), cos(angle)}, {cos(angle), sin(angle)}};
        double d[2] = {t.position[0] - k->p[2 * v], t.position[1] - k->p[2 * v + 1]};
        q->n = n + 2;
        for (int r = 0; r < 2; r++) {
            row[r][0] = axis[r][0], row[r][1] = axis[r][1];
            for (int m = 0; m < n; m++)
                row[r][2 + m] = axis[r][0] * t.by[m][0] + axis[r][1] * t.by[m][1];
            add_equation(q, row[r], axis[r][0] * d[0] + axis[r][1] * d[1],
                         r == 0 ? 1 : along_weight * along_weight);
        }
        double across = axis[0][0] * d[0] + axis[0][1] * d[1];
        *squares += across * across;
        *worst = fmax(*worst, fabs(across));
    }
}

static candidate best_candidate(const planar_graph *g, int i, int j)
{
    double x[COEFFICIENTS] = {g->curve.p[2 * i], g->curve.p[2 * i + 1]}, squares, worst;
    equations q;
    initial_coefficients(g, i, j, x + 2);
    for (int k = 0; k < 3; k++) {
        double step[COEFFICIENTS];
        candidate_equations(g, i, j, x, &q, &squares, &worst);
        eliminate(&q, q.n);
        back_substitute(&q, step);
        for (int m = 0; m < q.n; m++) x[m] += step[m];
    }
    candidate_equations(g, i, j, x, &q, &squares, &worst);
    candidate p = {.valid = true, .squares = squares, .points = j - i + 1};
    double rms = sqrt(squares / p.points);
    p.ratio = rms > 0 ? worst / rms : 1;
    if (g->t->kind == ELEMENT_SEGMENT) return p;
    int n = q.n;
    p.a = x[n - 2], p.b = x[n - 1];
    eliminate(&q, n - 2);
    p.s[0] = q.a[n - 2][n - 2], p.s[1] = q.a[n - 1][n - 2], p.s[2] = q.a[n - 1][n - 1];
    return p;
}

/* Estimated largest distance of an element with these end values. */
static double candidate_error(const candidate *p, double a, double b)
{
    double x = a - p->a, y = b - p->b;
    double increase = p->s[0] * x * x + 2 * p->s[1] * x * y + p->s[2] * y * y;
    return p->ratio * sqrt(fmax(p->squares + increase, 0) / p->points);
}

/* ---- the graph ------------------------------------------------------------------------------ */

static candidate *between(const planar_graph *g, int i, int j)
{
    return &g->candidates[(size_t)i * (size_t)g->nodes + (size_t)j];
}

/* From each node, elements up to the longest one near the tolerance. */
static void make_candidates(planar_graph *g)
{
    for (int i = 0; i < g->nodes; i++) {
        int failures = 0;
        for (int j = i + 1; j < g->nodes && failures < 4; j++) {
            candidate *p = between(g, i, j);
            *p = best_candidate(g, g->at[i], g->at[j]);
            failures = candidate_error(p, p->a, p->b) > 2 * g->tolerance ? failures + 1 : 0;
        }
    }
}

/* The levels of a node span the end values of the long elements that begin or end there. */
static void make_levels(planar_graph *g, int i)
{
    double low = DBL_MAX, high = -DBL_MAX, longest[2] = {0, 0};
    const double *s = g->curve.s;
    for (int pass = 0; pass < 2; pass++) {
        for (int j = 0; j < g->nodes; j++) {
            const candidate *p = j > i ? between(g, i, j) : between(g, j, i);
            if (j == i || !p->valid) continue;
            double length = fabs(s[g->at[j]] - s[g->at[i]]);
            bool near = j == i + 1 || j == i - 1,
                 good = candidate_error(p, p->a, p->b) < g->tolerance;
            if (!good && !near) continue;
            if (pass == 0) longest[j > i] = fmax(longest[j > i], length);
            if (pass == 0 || length < 0.4 * longest[j > i]) continue;
            low = fmin(low, j > i ? p->a : p->b);
            high = fmax(high, j > i ? p->a : p->b);
        }
    }
    g->level[2 * i] = low;
    g->level[2 * i + 1] = g->levels > 1 ? (high - low) / (g->levels - 1) : 0;
}

static double level_value(const planar_graph *g, int i, int l)
{
    return g->level[2 * i] + l * g->level[2 * i + 1];
}

/* Relaxes the edges from one state (node i, level l) to all levels of node j. */
static void relax(planar_graph *g, int i, int l, int j, const candidate *p)
{
    double so_far = g->cost[i * g->levels + l];
    for (int k = 0; k < g->levels; k++) {
        double error =
            candidate_error(p, level_value(g, i, l), level_value(g, j, k)) / g->tolerance;
        bool bad = !(error <= 1);
        if (bad && j > i + 1) continue; /* edges between neighbours ensure that a path exists */
        double cost = so_far + 1 + (bad ? 10 : 0.05 * error * error);
        int to = j * g->levels + k;
        if (cost < g->cost[to]) g->cost[to] = cost, g->predecessor[to] = i * g->levels + l;
    }
}

static int shortest_path(planar_graph *g)
{
    for (int i = 0; i < g->nodes * g->levels; i++) g->cost[i] = i < g->levels ? 0 : DBL_MAX;
    for (int i = 0; i < g->nodes; i++) {
        for (int l = 0; l < g->levels; l++) {
            if (g->cost[i * g->levels + l] == DBL_MAX) continue;
            for (int j = i + 1; j < g->nodes && between(g, i, j)->valid; j++)
                relax(g, i, l, j, between(g, i, j));
        }
    }
    int best = (g->nodes - 1) * g->levels;
    for (int l = 1; l < g->levels; l++) {
        int end = (g->nodes - 1) * g->levels + l;
        if (g->cost[end] < g->cost[best]) best = end;
    }
    return best;
}

static cord_status reserve(planar_graph *g)
{
    const fit_task *t = g->t;
    size_t n = (size_t)t->vertices, p = (size_t)g->nodes, states = p * (size_t)g->levels;
    size_t doubles = 4 * n + 2 * p + states;
    size_t bytes =
        doubles * sizeof(double) + p * p * sizeof(candidate) + (p + states) * sizeof(int);
    char *at = cord__allocate(t->m, bytes, 1);
    g->storage = at;
    if (!at) return CORD_ERROR_MEMORY;
    double *d = (double *)(void *)at;
    g->curve = (plane_curve){t->vertices, d, d + 2 * n, d + 3 * n};
    g->level = d + 4 * n;
    g->cost = g->level + 2 * p;
    g->candidates = (candidate *)(void *)(at + doubles * sizeof(double));
    g->at = (int *)(void *)(g->candidates + p * p);
    g->predecessor = g->at + p;
    return CORD_OK;
}

cord_status cord__planar_graph_make(const fit_task *t, double loosest, planar_graph **result)
{
    planar_graph *g = NEW(t->m, planar_graph, 1);
    *result = g;
    if (!g) return CORD_ERROR_MEMORY;
    g->t = t;
    g->tolerance = loosest;
    g->nodes = t->vertices < MAX_NODES ? t->vertices : MAX_NODES;
    g->levels = t->kind == ELEMENT_SEGMENT ? 1 : LEVELS;
    cord_status status = reserve(g);
    if (status != CORD_OK) {
        cord__planar_graph_free(g);
        *result = NULL;
        return status;
    }
    flatten(t, &g->curve);
    for (int i = 0; i < g->nodes; i++) {
        g->at[i] = (int)((double)i * (t->vertices - 1) / (g->nodes - 1) + 0.5);
    }
    make_candidates(g);
    return CORD_OK;
}

void cord__planar_graph_path(planar_graph *g, double tolerance, int *elements, double *length)
{
    const int most = g->t->most;
    g->tolerance = tolerance;
    for (int i = 0; i < g->nodes; i++) make_levels(g, i);
    int state = shortest_path(g), count = 0;
    for (int i = state; i >= g->levels; i = g->predecessor[i]) count++;
    *elements = count < most ? count : most;
    for (int e = count - 1; e >= 0; e--, state = g->predecessor[state]) {
        const double *s = g->curve.s;
        double element_length =
            s[g->at[state / g->levels]] - s[g->at[g->predecessor[state] / g->levels]];
        if (e < most) length[e] = element_length;
    }
}

void cord__planar_graph_free(planar_graph *g)
{
    memory *m = g->t->m;
    cord__release(m, g->storage);
    cord__release(m, g);
}
