#include "support/rigid_contacts.h"

#include "math/vec3.h"
#include "support/numbers.h"
#include "support/test.h"

#include <stdlib.h>
#include <string.h>

rigid_contact rigid_contact_at(int first, int second, const double point[3], const double n[3],
                               double gap)
{
    rigid_contact c = {.body = {first, second}, .gap = gap};
    v3_copy(c.point, point);
    v3_copy(c.axes, n);
    v3_any_normal(c.axes + 3, n);
    v3_cross(c.axes + 6, n, c.axes + 3);
    return c;
}

static int sign(const rigid_contact *c, int body)
{
    return c->body[0] == body ? 1 : c->body[1] == body ? -1 : 0;
}

/* Row k of the Jacobian of a contact point over the velocity of a body. */
static void jacobian(const rigid_scene *s, const rigid_contact *c, int body, int k, double *row)
{
    double arm[3];
    v3_sub(arm, c->point, s->body[body].position);
    v3_scale(row, sign(c, body), c->axes + 3 * k);
    v3_cross(row + 3, arm, row);
}

/* W_cd += h H_c M⁻¹ H_dᵀ over one body. */
static void couple(const rigid_scene *s, const rigid_contact *c, const rigid_contact *d, int body,
                   double *W)
{
    const rigid *r = s->body + body;
    double left[6], right[6];
    for (int i = 0; i < 9; i++) {
        jacobian(s, c, body, i / 3, left);
        jacobian(s, d, body, i % 3, right);
        W[i] += s->h * v3_dot(left, right) / r->mass;
        for (int k = 0; k < 3; k++) W[i] += s->h * left[3 + k] * right[3 + k] / r->inertia[k];
    }
}

static void free_velocity(const rigid_scene *s, int body, double *v)
{
    memcpy(v, s->body[body].velocity, 6 * sizeof *v);
    v3_axpy(v, s->h / s->body[body].mass, s->body[body].force);
}

static void set_b(const rigid_scene *s, const rigid_contact *c, double *b)
{
    double row[6], v[6];
    v3_set(b, c->gap / s->h, 0, 0);
    for (int side = 0; side < 2; side++)
        for (int k = 0; c->body[side] >= 0 && k < 3; k++) {
            jacobian(s, c, c->body[side], k, row);
            free_velocity(s, c->body[side], v);
            b[k] += v3_dot(row, v) + v3_dot(row + 3, v + 3);
        }
}

cone_problem rigid_problem(const rigid_scene *s)
{
    size_t n = (size_t)s->contacts, most = 0;
    int *start = malloc((n + 1) * sizeof *start), *column = NULL;
    double *block = NULL, *b = malloc((3 * n + 1) * sizeof *b), *mu = malloc((n + 1) * sizeof *mu);
    double *previous = malloc((3 * n + 1) * sizeof *previous);
    assert_true(start && b && mu && previous);
    start[0] = 0;
    for (int i = 0; i < s->contacts; i++) {
        const rigid_contact *c = s->contact + i;
        start[i + 1] = start[i];
        for (int j = 0; j < s->contacts; j++) {
            const rigid_contact *d = s->contact + j;
            double W[9] = {0};
            int shared = 0;
            for (int side = 0; side < 2; side++)
                if (c->body[side] >= 0 && sign(d, c->body[side]))
                    couple(s, c, d, c->body[side], W), shared = 1;
            if (!shared) continue;
            size_t k = (size_t)start[i + 1]++;
            if (k >= most) {
                most = 2 * k + 16;
                column = realloc(column, most * sizeof *column);
                block = realloc(block, 9 * most * sizeof *block);
                assert_true(column && block);
            }
            column[k] = j;
            memcpy(block + 9 * k, W, sizeof W);
        }
        set_b(s, c, b + 3 * i);
        v3_copy(previous + 3 * i, c->force);
        mu[i] = s->friction;
    }
    return (cone_problem){.contacts = s->contacts,
                          .row_start = start,
                          .column = column,
                          .block = block,
                          .b = b,
                          .friction = mu,
                          .previous = previous};
}

void rigid_free(cone_problem *problem)
{
    free((void *)problem->row_start);
    free((void *)problem->column);
    free((void *)problem->block);
    free((void *)problem->b);
    free((void *)problem->friction);
    free((void *)problem->previous);
}

static void take_forces(rigid_scene *s, const double *p)
{
    for (int i = 0; i < s->bodies; i++) {
        double v[6];
        free_velocity(s, i, v);
        memcpy(s->body[i].velocity, v, sizeof v);
    }
    for (int i = 0; i < s->contacts; i++) {
        rigid_contact *c = s->contact + i;
        v3_copy(c->force, p + 3 * i);
        for (int side = 0; side < 2; side++)
            for (int k = 0; c->body[side] >= 0 && k < 3; k++) {
                double row[6];
                rigid *r = s->body + c->body[side];
                jacobian(s, c, c->body[side], k, row);
                v3_axpy(r->velocity, s->h * p[3 * i + k] / r->mass, row);
                for (int l = 0; l < 3; l++)
                    r->velocity[3 + l] += s->h * p[3 * i + k] * row[3 + l] / r->inertia[l];
            }
    }
}

cone_report rigid_solve(rigid_scene *s, const cone_options *options)
{
    cone_problem problem = rigid_problem(s);
    double *work = malloc((cord__cone_room(s->contacts) + 1) * sizeof *work);
    double *p = malloc((3 * (size_t)s->contacts + 1) * sizeof *p);
    assert_true(work && p);
    memcpy(p, problem.previous, 3 * (size_t)s->contacts * sizeof *p);
    cone_report report = cord__cone_solve(&problem, options, work, p);
    take_forces(s, p);
    free(p);
    free(work);
    rigid_free(&problem);
    return report;
}

/* ---- spheres -------------------------------------------------------------------------------- */

rigid_scene sphere_pile(int side, int layers, double ratio, unsigned seed)
{
    uint64_t random = seed;
    rigid_scene s = {
        .bodies = side * side * layers, .friction = 0.4, .h = 1e-2, .width = 0.2 * side};
    s.body = calloc((size_t)s.bodies, sizeof *s.body);
    assert_non_null(s.body);
    for (int i = 0; i < s.bodies; i++) {
        rigid *r = s.body + i;
        int layer = i / (side * side), at = i % (side * side);
        double jitter[3];
        random_vector(&random, 3, jitter);
        r->radius = 0.1 * (1 + 0.1 * random_number(&random));
        double density = pow(ratio, 0.5 * (random_number(&random) + 1));
        r->mass = density * pow(r->radius / 0.1, 3);
        for (int k = 0; k < 3; k++) r->inertia[k] = 0.4 * r->mass * r->radius * r->radius;
        v3_set(r->position, 0.2 * (at % side) + 0.1 * (layer % 2),
               0.2 * (at / side) + 0.1 * (layer % 2), 0.11 + 0.15 * layer);
        v3_axpy(r->position, 0.01, jitter);
        r->force[2] = -9.81 * r->mass;
    }
    return s;
}

static void add_contact(rigid_scene *s, int first, int second, const double *point, const double *n,
                        double gap)
{
    s->contact = realloc(s->contact, ((size_t)s->contacts + 1) * sizeof *s->contact);
    assert_non_null(s->contact);
    s->contact[s->contacts++] = rigid_contact_at(first, second, point, n, gap);
}

static void sphere_pair(rigid_scene *s, int i, int j)
{
    const rigid *a = s->body + i, *b = s->body + j;
    double n[3], point[3];
    v3_sub(n, a->position, b->position);
    double distance = v3_norm(n), gap = distance - a->radius - b->radius;
    if (gap > 0.02) return;
    v3_scale(n, 1 / distance, n);
    v3_copy(point, b->position);
    v3_axpy(point, b->radius + 0.5 * gap, n);
    add_contact(s, i, j, point, n, fmax(gap, -1e-4)); /* overlaps of the start vanish slowly */
}

/* The floor, and four planes that lean outwards at 45 degrees. */
static void sphere_pit(rigid_scene *s, int i)
{
    static const double side[5][2] = {{0, 0}, {1, 0}, {-1, 0}, {0, 1}, {0, -1}};
    const rigid *r = s->body + i;
    for (int k = 0; k < 5; k++) {
        double n[3] = {side[k][0], side[k][1], 1}, point[3];
        double offset = side[k][0] + side[k][1] < 0 ? s->width : k > 0 ? 0.2 : 0;
        v3_normalize(n, n);
        double gap = v3_dot(n, r->position) - r->radius + offset * (k > 0 ? sqrt(0.5) : 0);
        if (gap > 0.02) continue;
        v3_copy(point, r->position);
        v3_axpy(point, -r->radius, n);
        add_contact(s, i, -1 - k, point, n, fmax(gap, -1e-4));
    }
}

void sphere_contacts(rigid_scene *s)
{
    rigid_contact *before = s->contact;
    int count = s->contacts;
    s->contact = NULL, s->contacts = 0;
    for (int i = 0; i < s->bodies; i++) {
        sphere_pit(s, i);
        for (int j = i + 1; j < s->bodies; j++) sphere_pair(s, i, j);
    }
    for (int i = 0; i < s->contacts; i++)
        for (int k = 0; k < count; k++)
            if (before[k].body[0] == s->contact[i].body[0] &&
                before[k].body[1] == s->contact[i].body[1])
                v3_copy(s->contact[i].force, before[k].force);
    free(before);
}

cone_report sphere_step(rigid_scene *s, const cone_options *options)
{
    sphere_contacts(s);
    cone_report report = rigid_solve(s, options);
    for (int i = 0; i < s->bodies; i++) v3_axpy(s->body[i].position, s->h, s->body[i].velocity);
    return report;
}

void rigid_scene_free(rigid_scene *s)
{
    free(s->body);
    free(s->contact);
}
