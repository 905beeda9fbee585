/* Every constraint between bodies: rows, and their first and second derivatives, against
 * differences. */
#include "math/band.h"
#include "math/rotation.h"
#include "support/numbers.h"
#include "support/constraint_rows.h"
#include "support/scenes.h"
#include "support/test.h"
#include "world/world.h"

#include <string.h>

static cord_point on(cord_world *w, cord_body body, double x, double y, double z)
{
    cord_point_def def = cord_point_def_default();
    cord_point made;
    def.source = CORD_SOURCE_BODY, def.body = body;
    v3_set(def.position, x, y, z);
    cord__rotation_exp(def.frame, (double[]){0.4, 0.2, -0.7});
    assert_fine(w, cord_world_add_point(w, &def, &made));
    return made;
}

/* dᵀSd of the terms that forces at rotating lever arms add to the bodies' matrices, at
 * multipliers lambda. */
static double turning_arms(problem *p, const constraint *r, const double *lambda, const double *d)
{
    double sum = 0;
    for (int part = 0; part < TERM_PARTS; part++) {
        double force[3] = {0, 0, 0}, band[6 * BAND_STRIDE(5)] = {0};
        if (r->term.part[part].block < 0) continue;
        for (int row = 0; row < r->ops->rows; row++)
            v3_axpy(force, lambda[row], r->work.value.D[row] + 3 * part);
        const point *at = p->point[r->term.point[part / 2]];
        const block *b = p->block[at->block];
        measure what = cord__part_measure(&r->term, part);
        local_matrix local = {.values = band, .stride = BAND_STRIDE(5)};
        b->ops->add_geometric_stiffness(b->model, p->now.q + b->q0, p->cache + b->cache0,
                                        cord__attachment(at, what), what, force, 1, &local);
        for (int i = 0; i < 6; i++)
            for (int j = 0; j <= i; j++)
                sum += (i == j ? 1 : 2) * d[b->v0 + i] * d[b->v0 + j] *
                       band[j * BAND_STRIDE(5) + i - j];
    }
    return sum;
}

/* Rows along a motion: first and second derivatives against differences. */
static void check_rows(cord_world *w, constraint *r, uint64_t *random)
{
    const double lambda[CONSTRAINT_ROWS] = {0.7, -1.3, 0.4};
    double d[12];
    random_vector(random, 12, d);
    double bend = check_rows_along(w, r, d, lambda);
    double form = row_form(r, d) - turning_arms(&w->problem, r, lambda, d);
    if (fabs(form - bend) > 1e-7) print_error("%s\n", r->ops->name);
    assert_close(form, bend, 1e-7);
}

/* With the default length, and with a nonzero one, which makes some of them other constraints. */
static void derivatives(void **with_length)
{
    uint64_t random = 99;
    for (const char *const *kind = cord_constraint_names(); *kind; kind++)
        for (int second = 0; second < 3; second++) { /* the world, a body, the body itself */
            if (strcmp(*kind, CORD_CURVATURE) == 0 || strcmp(*kind, CORD_SLIDE) == 0) continue;
            cord_world *w = scene_world(NULL);
            cord_body body[2];
            for (int k = 0; k < 2; k++) {
                cord_body_def def = cord_body_def_default();
                def.shape = (cord_shape){.kind = CORD_SHAPE_BOX, .size = {1, 2, 3}};
                double turn[3];
                random_vector(&random, 3, turn);
                cord__rotation_exp(def.frame, turn);
                random_vector(&random, 3, def.position);
                assert_fine(w, cord_world_add_body(w, &def, &body[k]));
            }
            cord_constraint_def def = cord_constraint_def_default();
            def.kind = *kind;
            if (*with_length) def.length = 0.3;
            if (*with_length) cord__rotation_exp(def.relative_frame, (double[]){0.4, 0.6, -0.3});
            def.first = on(w, body[0], 0.3, -0.2, 0.9);
            def.second = second == 0   ? scene_place(w, 0.2, 0.3, 0.4)
                         : second == 1 ? on(w, body[1], -1.4, 1.5, 1.1) /* not near the first */
                                       : on(w, body[0], -0.4, 0.5, 0.1);
            v3_set(def.direction, 0.3, -0.5, 0.8);
            v3_set(def.first_direction, -0.6, 0.1, 0.5);
            cord_constraint made;
            /* a constraint of a body with itself may be refused */
            if (second == 2 && cord_world_add_constraint(w, &def, &made) != CORD_OK) {
                cord_world_destroy(w);
                continue;
            }
            if (second < 2) made = scene_relate(w, &def);
            assert_fine(w, cord__world_ready(w));
            constraint *r = cord__constraint_at(w, (int)made.index - 1);
            for (int trial = 0; trial < 5; trial++) check_rows(w, r, &random);
            cord_world_destroy(w);
        }
}

int main(void)
{
    static bool with_length = true;
    const struct CMUnitTest tests[] = {cmocka_unit_test(derivatives),
                                       cmocka_unit_test_prestate(derivatives, &with_length)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
