/* Discrete elastic rods: from a definition to natural and initial shape. */
#include "curve/transport.h"
#include "math/vec3.h"
#include "strand/definition.h"
#include "strand/der/der.h"

/* |k| = 2 tan(φ/2) √P; see joint.h. */
static const curvature_form curvature_forms[] = {
    [CORD_CURVATURE_CORRECTED] = {-5.0 / 6, 11.0 / 6},
    [CORD_CURVATURE_TANGENT] = {0, 0},
    [CORD_CURVATURE_SINE] = {-1, 0},
};

/* The curvature of a fold is infinite. */
static cord_status check_folds(const double *x, int n, bool closed, const char *which, char *why,
                               size_t size)
{
    for (int i = closed ? 0 : 1; i < n - !closed; i++) {
        const double *p = x + 3 * ((i + n - 1) % n), *c = x + 3 * i, *f = x + 3 * ((i + 1) % n);
        double e0[3], e1[3];
        v3_sub(e0, c, p);
        v3_sub(e1, f, c);
        v3_normalize(e0, e0);
        v3_normalize(e1, e1);
        if (1 + v3_dot(e0, e1) < 1e-12)
            return SAY("the %s shape folds back on itself at vertex %d", which, i);
    }
    return CORD_OK;
}

static cord_status check(const cord_strand_def *def, section_stiffness *section, char *why,
                         size_t size)
{
    int n = def->vertex_count;
    cord_status status = cord__check_definition(def, section, why, size);
    if (status == CORD_OK)
        status = check_folds(def->positions, n, def->closed, "initial", why, size);
    if (status == CORD_OK && def->natural_positions)
        status = check_folds(def->natural_positions, n + def->closed, false, "natural", why, size);
    return status;
}

/* Frames along a polyline of edges + 1 points: twist-free from `director` (zero: any normal), then
 * rotated by `angle` (NULL: no rotation). */
static void frames_along(int edges, const double *x, const double *director, const double *angle,
                         double *m1)
{
    double before[3] = {0, 0, 0};
    for (int j = 0; j < edges; j++) {
        double e[3], t[3], *u = m1 + 3 * j;
        v3_sub(e, x + 3 * j + 3, x + 3 * j);
        v3_normalize(t, e);
        if (j == 0) {
            cord__first_director(director, t, u);
        } else {
            transport(u, before, t, u - 3);
        }
        v3_copy(before, t);
    }
    if (!angle) return;
    for (int j = 0; j < edges; j++) {
        double e[3], t[3], m2[3], *u = m1 + 3 * j;
        v3_sub(e, x + 3 * j + 3, x + 3 * j);
        v3_normalize(t, e);
        v3_cross(m2, t, u);
        v3_combine(u, cos(angle[j]), u, sin(angle[j]), m2);
    }
}

/* The frames (9 values each) of the edges adjacent to vertex i, from edges + 1 points. */
static void frames_at(const der *d, const double *x, const double *m1, int i, double frame[2][9])
{
    for (int side = 0; side < 2; side++) {
        int j = side ? i : der_edge_before(d, i);
        double e[3];
        v3_sub(e, x + 3 * j + 3, x + 3 * j);
        v3_normalize(frame[side], e);
        v3_copy(frame[side] + 3, m1 + 3 * j);
        v3_cross(frame[side] + 6, frame[side], frame[side] + 3);
    }
}

/* Twist of the joint at vertex i for frames made by frames_along() with these angles. */
static double twist_at(const der *d, const double *x, const double *m1, const double *angle,
                       double closing, int i)
{
    double frame[2][9], offset = i == 0 ? closing : 0;
    double near = angle ? angle[i] - angle[der_edge_before(d, i)] : 0;
    frames_at(d, x, m1, i, frame);
    return offset + transport_angle_near(frame[0], frame[0] + 3, frame[1], frame[1] + 3, near);
}

void cord__der_set_cells(der *d)
{
    for (int j = 0; j < d->edges; j++) {
        d->shortest = j > 0 ? fmin(d->shortest, d->rest[j]) : d->rest[j];
        d->arc[j + 1] = d->arc[j] + d->rest[j];
        d->edge_inertia[j] = d->dynamic_twist ? d->section.rotary_inertia * d->rest[j] : 0;
    }
    for (int i = 0; i < d->n; i++) {
        int before = der_edge_before(d, i), after = der_edge_after(d, i);
        d->cell[i] = (before >= 0 ? d->rest[before] : 0) + (after >= 0 ? d->rest[after] : 0);
        d->vertex_mass[i] = 0.5 * d->section.mass * d->cell[i];
    }
    cord__der_set_bending_cells(d);
}

/* Natural strains of all joints; returns the largest natural curvature. Where the natural shape of
 * a closed rod is open, its ends do not determine the strain of the closing joint: it is the mean
 * of its neighbours. */
static double set_natural_strains(der *d, const double *angle)
{
    double largest = 0;
    const double *x = d->natural_x, *end = x + 3 * d->edges;
    bool open = d->closed && v3_distance(x, end) > 1e-6 * d->arc[d->edges];
    for (int i = open ? 1 : 0; i < d->n; i++) {
        if (!der_has_joint(d, i)) continue;
        double frame[2][9], *strain = d->natural + STRAINS * i;
        frames_at(d, x, d->natural_m1, i, frame);
        double twist = twist_at(d, x, d->natural_m1, angle, 0, i);
        cord__der_joint_strains(d, frame[0], frame[1], twist, strain);
        for (int a = 0; a < 4; a++) largest = fmax(largest, fabs(strain[a]));
    }
    for (int a = 0; open && a < STRAINS; a++) {
        const double *next = d->natural + STRAINS, *last = d->natural + STRAINS * (d->n - 1);
        d->natural[a] = 0.5 * d->cell[0] * (next[a] / d->cell[1] + last[a] / d->cell[d->n - 1]);
    }
    return largest;
}

cord_status cord__der_allocate(der *d, memory *m)
{
    int n = d->n, edges = d->edges;
    d->rest = NEW(m, double, edges);
    d->arc = NEW(m, double, edges + 1);
    d->vertex_mass = NEW(m, double, n);
    d->edge_inertia = NEW(m, double, edges);
    d->cell = NEW(m, double, n);
    d->bending_cell = NEW(m, double, n);
    d->natural = NEW(m, double, STRAINS *n);
    d->natural_x = NEW(m, double, 3 * edges + 3);
    d->natural_m1 = NEW(m, double, 3 * edges);
    d->initial_x = NEW(m, double, 3 * edges + 3);
    d->initial_v = NEW(m, double, 3 * n);
    d->initial_m1 = NEW(m, double, 3 * edges);
    d->initial_twist = NEW(m, double, n);
    d->frame_at = NEW(m, int, n);
    bool all = d->rest && d->arc && d->vertex_mass && d->edge_inertia && d->cell &&
               d->bending_cell && d->natural && d->natural_x && d->natural_m1 && d->initial_x &&
               d->initial_v && d->initial_m1 && d->initial_twist && d->frame_at;
    for (int i = 0; all && i < n; i++) d->frame_at[i] = -1;
    return all ? CORD_OK : CORD_ERROR_MEMORY;
}

void cord__der_destroy(void *model, memory *m)
{
    der *d = model;
    if (!d) return;
    void *arrays[] = {d->rest,         d->arc,          d->vertex_mass,     d->edge_inertia,
                      d->cell,         d->bending_cell, d->natural,         d->natural_x,
                      d->natural_m1,   d->initial_x,    d->initial_v,       d->initial_m1,
                      d->frame_at,     d->frame,        d->initial_twist,   d->initial_q,
                      d->initial_dofs, d->defined.rest, d->defined.natural, d};
    for (size_t i = 0; i < sizeof arrays / sizeof *arrays; i++) cord__release(m, arrays[i]);
}

/* The initial angle of each edge: the angle of the definition, and for a closed rod the closing
 * twist distributed uniformly. */
static void initial_angles(const der *d, const cord_strand_def *def, double *angle)
{
    const double *given = def->twist ? def->twist : def->natural_twist;
    double length = d->arc[d->edges];
    for (int j = 0; j < d->edges; j++) {
        double middle = d->arc[j] + 0.5 * d->rest[j] - 0.5 * d->rest[0];
        angle[j] = (given ? given[j] : 0) + (d->closed ? d->closing_twist * middle / length : 0);
    }
}

static cord_status make_shapes(der *d, const cord_strand_def *def, memory *m)
{
    for (int i = 0; i <= d->edges; i++) {
        const double *x = def->positions + 3 * (i % d->n);
        v3_copy(d->initial_x + 3 * i, x);
        v3_copy(d->natural_x + 3 * i, def->natural_positions ? def->natural_positions + 3 * i : x);
    }
    for (int i = 0; i < 3 * d->n; i++) d->initial_v[i] = def->velocities ? def->velocities[i] : 0;
    double *angle = NEW(m, double, d->edges);
    if (!angle) return CORD_ERROR_MEMORY;
    for (int j = 0; j < d->edges; j++)
        d->rest[j] = v3_distance(d->natural_x + 3 * j + 3, d->natural_x + 3 * j);
    cord__der_set_cells(d);
    frames_along(d->edges, d->natural_x, cord__natural_director(def), def->natural_twist,
                 d->natural_m1);
    double curvature = set_natural_strains(d, def->natural_twist);
    /* Curvatures that result from round-off in the points of a straight line are far below this
     * limit. */
    d->straight = curvature < 1e-10;
    d->isotropic = d->straight && d->section.bending[0] == d->section.bending[1] && d->damping == 0;
    initial_angles(d, def, angle);
    frames_along(d->edges, d->initial_x, def->director, angle, d->initial_m1);
    for (int i = 0; i < d->n; i++)
        if (der_has_joint(d, i))
            d->initial_twist[i] =
                twist_at(d, d->initial_x, d->initial_m1, angle, d->closing_twist, i);
    cord__release(m, angle);
    return CORD_OK;
}

cord_status cord__der_create(const cord_strand_def *def, memory *m, void **model, char *why,
                             size_t size)
{
    *model = NULL;
    section_stiffness section;
    cord_status status = check(def, &section, why, size);
    if (status != CORD_OK) return status;
    der *d = NEW(m, der, 1);
    if (!d) return CORD_ERROR_MEMORY;
    d->n = def->vertex_count;
    d->closed = def->closed;
    d->edges = d->drawn_edges = d->closed ? d->n : d->n - 1;
    d->inextensible = def->stretch == CORD_STRETCH_NONE;
    d->dynamic_twist = def->twist_mode == CORD_TWIST_DYNAMIC;
    d->form = curvature_forms[def->curvature];
    d->section = section;
    d->shape = def->section;
    d->damping = def->damping;
    d->drag = def->drag;
    d->quadratic_drag = def->quadratic_drag;
    d->closing_twist = d->closed ? def->closing_twist : 0;
    status = cord__der_allocate(d, m);
    if (status == CORD_OK) status = make_shapes(d, def, m);
    if (status != CORD_OK) {
        cord__der_destroy(d, m);
        return status;
    }
    *model = d;
    return CORD_OK;
}
