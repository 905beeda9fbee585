#include "support/contact_strands.h"
#include "support/detection.h"
#include "support/test.h"

#include <stdlib.h>
#include <string.h>

static const double pi = 3.14159265358979323846;

enum { SEGMENTS = 400 };

typedef struct fixture {
    memory m;
    detection d;
    contact_curve curves[16];
    contact_segment segments[SEGMENTS];
    int count;
} fixture;

static int set_up(void **state)
{
    fixture *f = calloc(1, sizeof *f);
    cord__memory_init(&f->m, NULL);
    assert_int_equal(reserve_detection(&f->m, &f->d, SEGMENTS, 20000, 20000), CORD_OK);
    for (int i = 0; i < 16; i++) f->curves[i] = (contact_curve){.first = 1000 * i, ANY_CURVE};
    *state = f;
    return 0;
}

static int tear_down(void **state)
{
    fixture *f = *state;
    release_detection(&f->m, &f->d);
    free(f);
    return 0;
}

static void add_strand(fixture *f, int block, int n, bool closed, const double (*x)[3],
                       double radius)
{
    set_strand(f->segments, f->count, block, n, closed, x, radius);
    f->count += n;
    if (closed) f->curves[block].period = f->segments[f->count - 1].s[1];
}

static void detect(fixture *f, double margin)
{
    assert_int_equal(find_contacts(f->curves, f->segments, f->count, margin, &f->d), CORD_OK);
}

static void straight_strand(fixture *f, int block, int n, const double from[3], const double to[3],
                            double radius)
{
    double x[SEGMENTS][3];
    for (int i = 0; i <= n; i++) v3_combine(x[i], 1 - i / (double)n, from, i / (double)n, to);
    add_strand(f, block, n, false, (const double(*)[3])x, radius);
}

/* Keys sort by the first side, the second, then which, up to the largest numbers. */
static void keys(void **state)
{
    (void)state;
    const uint32_t number[] = {
        0, 1, 77, OBSTACLE_NUMBERS - 1, OBSTACLE_NUMBERS, 2 * OBSTACLE_NUMBERS - 1};
    uint64_t last = 0;
    for (int i = 0; i < 6; i++)
        for (int j = 0; j < 6; j++)
            for (int w = 0; w < 16; w++) {
                uint64_t key = cord__contact_key(number[i], number[j], w);
                assert_true(i + j + w == 0 || key > last);
                assert_int_equal(cord__key_side(key, 0), number[i]);
                last = key;
            }
}

/* Two strands that cross at a vertex of each: four pairs of segments meet there, and one contact results. */
static void crossing_at_vertices(void **state)
{
    fixture *f = *state;
    straight_strand(f, 0, 4, (double[]){-2, 0, 0}, (double[]){2, 0, 0}, 0.1);
    straight_strand(f, 1, 4, (double[]){0, -2, 0.3}, (double[]){0, 2, 0.3}, 0.1);
    int owned = 0; /* before merging */
    contact all[PAIR_CONTACTS];
    for (int i = 0; i < 4; i++)
        for (int j = 4; j < 8; j++)
            owned +=
                cord__pair_contacts(f->curves, f->segments, (contact_candidate){i, j}, 0.2, all);
    assert_int_equal(owned, 1);
    detect(f, 0.2);
    assert_int_equal(f->d.contact_count, 1);
    const contact *c = f->d.contacts;
    assert_int_equal(c->segment[0], 1); /* the edges before the vertices */
    assert_int_equal(c->segment[1], 4 + 1);
    assert_close(c->s[0], 2, 1e-15);
    assert_close(c->s[1], 2, 1e-15);
    assert_close(c->gap, 0.1, 1e-15);
    assert_close(c->normal[2], -1, 1e-15);
    assert_true(c->key == cord__contact_key(1, 1001, CONTACT_LEAST));
}

/* An end that meets another strand keeps its contact although it is the start of an edge. */
static void first_vertex(void **state)
{
    fixture *f = *state;
    straight_strand(f, 0, 4, (double[]){0.3, 0.3, 0}, (double[]){0.3, 4.3, 0}, 0.1);
    straight_strand(f, 1, 4, (double[]){-2, 0, 0}, (double[]){2, 0, 0}, 0.1);
    detect(f, 0.2);
    assert_int_equal(f->d.contact_count, 1);
    assert_close(f->d.contacts->s[0], 0, 0);
    assert_close(f->d.contacts->s[1], 2.3, 1e-14);
}

/* Parallel strands with vertices side by side or staggered: one contact per vertex of either at most, none nearer than half an
 * edge along both, and every contact is where one was before merging. */
static void parallel_strands(void **state)
{
    fixture *f = *state;
    const double shift[] = {0, 0.1, 0.5, 0.73};
    for (int k = 0; k < 4; k++) {
        f->count = 0;
        straight_strand(f, 0, 10, (double[]){0, 0, 0}, (double[]){10, 0, 0}, 0.1);
        straight_strand(f, 1, 10, (double[]){shift[k], 0, 0.2}, (double[]){10 + shift[k], 0, 0.2},
                        0.1);
        detect(f, 0.05);
        int count = f->d.contact_count;
        assert_true(count >= 9 && count <= 21);
        if (shift[k] == 0) assert_int_equal(count, 11);
        for (int i = 0; i < count; i++) {
            const contact *c = f->d.contacts + i;
            assert_close(c->gap, 0, 1e-12);
            for (int j = 0; j < i; j++) assert_true(fabs(c->s[0] - f->d.contacts[j].s[0]) > 0.499);
        }
    }
}

/* Ten logs side by side: each pair has as many contacts as vertices. */
static void logs(void **state)
{
    fixture *f = *state;
    for (int i = 0; i < 10; i++)
        straight_strand(f, i, 4, (double[]){0, 0.2 * i, 0}, (double[]){4, 0.2 * i, 0}, 0.1);
    detect(f, 0.05);
    assert_int_equal(f->d.contact_count, 9 * 5);
}

/* ---- self-contact ---------------------------------------------------------------------------- */

/* A loop bent to a radius a little above that of the strand: no point meets another; opposite ones are nearly in contact. */
static void tight_bend(void **state)
{
    fixture *f = *state;
    const double radius = 0.1;
    double x[41][3];
    for (int k = 0; k < 2; k++) {
        double bend = k ? 2.1 * radius : 1.05 * radius;
        for (int i = 0; i <= 40; i++) /* a half circle between straight parts */
            if (i < 10)
                v3_set(x[i], -0.05 * (10 - i), -bend, 0);
            else if (i <= 30)
                v3_set(x[i], bend * sin(pi * (i - 10) / 20), -bend * cos(pi * (i - 10) / 20), 0);
            else
                v3_set(x[i], -0.05 * (i - 30), bend, 0);
        f->count = 0;
        add_strand(f, 0, 40, false, (const double(*)[3])x, radius);
        detect(f, 0.03);
        /* The straight parts are 2.1 radii apart, within the margin, in the first case. */
        assert_true(k ? f->d.contact_count == 0 : f->d.contact_count > 5);
        for (int i = 0; i < f->d.contact_count; i++) {
            const contact *c = f->d.contacts + i;
            assert_true(c->s[1] - c->s[0] >= pi * radius);
            assert_true(c->gap > -1e-3);
        }
    }
    f->curves[0].self = false;
    f->count = 0;
    add_strand(f, 0, 40, false, (const double(*)[3])x, radius);
    detect(f, 1);
    assert_int_equal(f->d.contact_count, 0);
}

/* The figure eight (lemniscate of Gerono, raised at its crossing): one contact, wherever the strand begins, also at the
 * joint of its ends. */
static void figure_eight(void **state)
{
    fixture *f = *state;
    enum { N = 80 };
    for (int shift = 0; shift < N; shift += 5) {
        double x[N][3];
        for (int i = 0; i < N; i++) {
            double u = 2 * pi * (i + shift) / N;
            v3_set(x[i], 2 * sin(u), 2 * sin(u) * cos(u), 0.15 * cos(u));
        }
        f->count = 0;
        add_strand(f, 0, N, true, (const double(*)[3])x, 0.1);
        detect(f, 0.15);
        assert_int_equal(f->d.contact_count, 1);
        const contact *c = f->d.contacts;
        double apart = fabs(c->s[0] - c->s[1]);
        assert_close(apart, 0.5 * f->curves[0].period, 0.1);
        assert_close(c->gap, 0.3 - 0.2, 1e-2);
    }
}

/* A closed ring of straight sides on a parallel one: no contact is doubled where their ends meet. */
static void rings(void **state)
{
    fixture *f = *state;
    enum { N = 40 };
    int expected = 0;
    for (int shift = 0; shift < 3; shift++) {
        double x[2][N][3];
        f->count = 0;
        for (int k = 0; k < 2; k++) {
            for (int i = 0; i < N; i++) {
                double u = 2 * pi * (i + 0.3 * k + 7 * shift) / N;
                v3_set(x[k][i], cos(u), sin(u), 0.1 * k);
            }
            add_strand(f, k, N, true, (const double(*)[3])x[k], 0.05);
        }
        detect(f, 0.02);
        if (shift == 0) expected = f->d.contact_count;
        assert_true(expected >= N && expected <= 2 * N);
        assert_int_equal(f->d.contact_count, expected); /* the joint is a vertex like others */
        double least = INFINITY;
        for (int i = 0; i < expected; i++)
            for (int j = 0; j < i; j++) {
                const contact *c = f->d.contacts + i, *e = f->d.contacts + j;
                least = fmin(least, v3_distance(c->x[0], e->x[0]));
            }
        assert_true(least > 0.45 * 2 * pi / N);
    }
}

/* Random strands: for each pair of segments that is nearest among its neighbours, a contact within an edge along both has no
 * larger gap (but for LOWER_GAP), before which ownership and merging have removed the rest. */
static double pair_gap(const fixture *f, int i, int j)
{
    const contact_segment *a = f->segments + i, *b = f->segments + j;
    double t[2], d = cord__closest_points(a->x[0], a->x[1], b->x[0], b->x[1], t, NULL);
    return d - a->radius - b->radius;
}

static bool nearest_among_neighbours(const fixture *f, int i, int j, double gap)
{
    const int side[2][3] = {{f->segments[i].before, i, f->segments[i].after},
                            {f->segments[j].before, j, f->segments[j].after}};
    for (int a = 0; a < 3; a++)
        for (int b = 0; b < 3; b++)
            if (side[0][a] >= 0 && side[1][b] >= 0 && pair_gap(f, side[0][a], side[1][b]) < gap)
                return false;
    return true;
}

static bool has_contact(const fixture *f, int i, int j, double gap)
{
    const contact_segment *a = f->segments + i, *b = f->segments + j;
    for (int k = 0; k < f->d.contact_count; k++) {
        const contact *c = f->d.contacts + k;
        const contact_segment *first = f->segments + c->segment[0];
        const contact_segment *second = f->segments + c->segment[1];
        if (first->block != a->block || second->block != b->block || c->gap > gap + 1e-3) continue;
        if (fabs(c->s[0] - a->s[0]) < 1.5 && fabs(c->s[1] - b->s[0]) < 1.5) return true;
    }
    return false;
}

static void random_strands(void **state)
{
    fixture *f = *state;
    enum { N = 25, STRANDS = 12 };
    uint64_t seed = 1;
    int found = 0;
    for (int n = 0; n < 40; n++) {
        f->count = 0;
        for (int k = 0; k < STRANDS; k++) {
            double x[N + 1][3], u[3], w[3];
            random_vector(&seed, 3, x[0]);
            v3_scale(x[0], 2, x[0]);
            random_unit(&seed, u);
            for (int i = 1; i <= N; i++) {
                random_vector(&seed, 3, w);
                v3_axpy(u, 0.8, w);
                v3_normalize(u, u);
                v3_add(x[i], x[i - 1], u);
            }
            add_strand(f, k, N, false, (const double(*)[3])x, 0.3);
        }
        detect(f, 0.2);
        for (int i = 0; i < f->count; i++)
            for (int j = (i / N + 1) * N; j < f->count; j++) {
                double gap = pair_gap(f, i, j);
                if (gap > 0.2 || !nearest_among_neighbours(f, i, j, gap)) continue;
                assert_true(has_contact(f, i, j, gap));
                found++;
            }
    }
    assert_true(found > 100);
}

/* ---- merging alone --------------------------------------------------------------------------- */

static contact contact_at(double s, double gap, uint32_t first, contact_which which, double nx,
                          double nz)
{
    contact c = {.key = cord__contact_key(first, OBSTACLE_NUMBERS, which),
                 .segment = {(int)first, -1},
                 .obstacle = {-1, 0},
                 .s = {s, 0},
                 .normal = {nx, 0, nz},
                 .gap = gap};
    return c;
}

static void merging(void **state)
{
    fixture *f = *state;
    straight_strand(f, 0, 4, (double[]){0, 0, 0}, (double[]){4, 0, 0}, 0.1);
    /* The deeper one remains; equal ones keep the smaller key; different normals and distant contacts remain both. */
    contact c[] = {
        contact_at(0.2, 0.01, 0, CONTACT_LEAST, 0, 1),
        contact_at(0.5, 0.00, 0, CONTACT_END, 0, 1),
        contact_at(1.2, 0.01, 1, CONTACT_LEAST, 0, 1),
        contact_at(1.9, 0.01, 1, CONTACT_END, 0, 1),
        contact_at(2.1, 0.01 - 1e-9, 2, CONTACT_LEAST, 0, 1),
        contact_at(2.2, 0.00, 2, CONTACT_END, 1, 0),
    };
    int kept = cord__merge_contacts(f->curves, f->segments, c, 6);
    assert_int_equal(kept, 4);
    const double s[] = {0.5, 1.2, 1.9, 2.2};
    for (int i = 0; i < 4; i++) assert_close(c[i].s[0], s[i], 0);
}

#define with_fixture(test) cmocka_unit_test_setup_teardown(test, set_up, tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(keys),       with_fixture(crossing_at_vertices),
        with_fixture(first_vertex),   with_fixture(parallel_strands),
        with_fixture(logs),           with_fixture(tight_bend),
        with_fixture(figure_eight),   with_fixture(rings),
        with_fixture(random_strands), with_fixture(merging),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
