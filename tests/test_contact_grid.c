#include "support/contact_strands.h"
#include "support/detection.h"
#include "support/test.h"

#include <stdlib.h>
#include <string.h>

enum { N = 1200 };

typedef struct fixture {
    memory m;
    detection d;
    contact_curve curves[N];
    contact_segment segments[N];
} fixture;

static int set_up(void **state)
{
    fixture *f = calloc(1, sizeof *f);
    cord__memory_init(&f->m, NULL);
    for (int i = 0; i < N; i++) f->curves[i] = (contact_curve){.first = i, ANY_CURVE};
    *state = f;
    return 0;
}

static int tear_down(void **state)
{
    fixture *f = *state;
    release_detection(&f->m, &f->d);
    assert_int_equal(f->m.bytes, 0);
    free(f);
    return 0;
}

/* Segments at random in a cube of side `size`, with lengths from `shortest` to 1. */
static void scatter(fixture *f, uint64_t seed, double size, double shortest)
{
    for (int i = 0; i < N; i++) {
        double a[3], b[3], u[3];
        random_vector(&seed, 3, a);
        v3_scale(a, size / 2, a);
        random_unit(&seed, u);
        v3_copy(b, a);
        double length = pow(shortest, 0.5 * (random_number(&seed) + 1));
        v3_axpy(b, length, u);
        f->segments[i] = single_segment(a, b, 0.1 * length, i);
    }
}

static double gap_between(const contact_segment *a, const contact_segment *b)
{
    double t[2];
    return cord__closest_points(a->x[0], a->x[1], b->x[0], b->x[1], t, NULL) - a->radius -
           b->radius;
}

/* Every pair within the margin is a candidate, and none is listed twice. */
static void assert_complete(const fixture *f, double margin)
{
    const broad_phase *b = &f->d.broad;
    static unsigned char listed[N][N];
    memset(listed, 0, sizeof listed);
    for (int i = 0; i < b->candidate_count; i++) {
        contact_candidate c = b->candidates[i];
        assert_true(c.first < c.second);
        assert_false(listed[c.first][c.second]);
        listed[c.first][c.second] = 1;
    }
    int near = 0;
    for (int i = 0; i < N; i++)
        for (int j = i + 1; j < N; j++) {
            if (gap_between(f->segments + i, f->segments + j) > margin) continue;
            assert_true(listed[i][j]);
            near++;
        }
    assert_true(near > 100);
}

static void search(fixture *f, double margin)
{
    assert_int_equal(cord__broad_phase_reserve(&f->m, &f->d.broad, N, N * N / 2), CORD_OK);
    assert_int_equal(find_candidates(f->curves, f->segments, N, margin, &f->d.broad), CORD_OK);
}

static void all_pairs_of_equal_lengths(void **state)
{
    fixture *f = *state;
    for (uint64_t seed = 1; seed < 5; seed++) {
        scatter(f, seed, 8, 1);
        search(f, 0.1);
        assert_complete(f, 0.1);
        assert_true(f->d.broad.candidate_count < 12 * N);
    }
}

static void all_pairs_of_mixed_lengths(void **state)
{
    fixture *f = *state;
    const double shortest[] = {0.2, 0.1, 1e-2, 1e-4};
    for (int k = 0; k < 4; k++) {
        scatter(f, 10 + (uint64_t)k, 3, shortest[k]);
        search(f, 0.001);
        assert_complete(f, 0.001);
    }
}

/* Two groups a million lengths apart: empty space has no cost and cells of the key suffice. */
static void distant_groups(void **state)
{
    fixture *f = *state;
    scatter(f, 20, 5, 0.5);
    for (int i = 0; i < N / 2; i++)
        for (int e = 0; e < 2; e++) f->segments[i].x[e][i % 3] += 3e6;
    search(f, 0.1);
    assert_complete(f, 0.1);
    assert_true(f->d.broad.candidate_count < 30 * N);
}

/* All on a line or in one point: no axis has an extent. */
static void degenerate_sets(void **state)
{
    fixture *f = *state;
    for (int i = 0; i < N; i++)
        f->segments[i] = single_segment((double[]){i, 0, 0}, (double[]){i + 1, 0, 0}, 0, i);
    search(f, 0);
    assert_complete(f, 0);
    for (int i = 0; i < N; i++)
        f->segments[i] = single_segment((double[]){2, 3, 4}, (double[]){2, 3, 4}, 0, i);
    search(f, 0);
    assert_int_equal(f->d.broad.candidate_count, N * (N - 1) / 2);
}

/* Overflow is reported with the number that is needed; a second call has no heap calls and the same result. */
static void capacities(void **state)
{
    fixture *f = *state;
    scatter(f, 30, 8, 1);
    broad_phase *b = &f->d.broad;
    assert_int_equal(find_candidates(f->curves, f->segments, N, 0.1, b), CORD_ERROR_MEMORY);
    assert_int_equal(cord__broad_phase_reserve(&f->m, b, N, 10), CORD_OK);
    assert_int_equal(find_candidates(f->curves, f->segments, N, 0.1, b), CORD_ERROR_MEMORY);
    int needed = b->candidate_count;
    assert_true(needed > 10);
    assert_int_equal(cord__broad_phase_reserve(&f->m, b, N, needed), CORD_OK);
    int64_t calls = f->m.calls;
    for (int i = 0; i < 2; i++) {
        assert_int_equal(find_candidates(f->curves, f->segments, N, 0.1, b), CORD_OK);
        assert_int_equal(b->candidate_count, needed);
    }
    assert_int_equal(f->m.calls, calls);
}

static void not_a_number(void **state)
{
    fixture *f = *state;
    scatter(f, 40, 8, 1);
    f->segments[77].x[1][2] = NAN;
    assert_int_equal(cord__broad_phase_reserve(&f->m, &f->d.broad, N, N), CORD_OK);
    assert_int_equal(find_candidates(f->curves, f->segments, N, 0.1, &f->d.broad),
                     CORD_ERROR_NOT_FINITE);
    assert_int_equal(find_candidates(f->curves, f->segments, 0, 0.1, &f->d.broad), CORD_OK);
    assert_int_equal(f->d.broad.candidate_count, 0);
}

/* Contacts, bit for bit and in their order, do not depend on the order of the segments. */
static void order_of_segments(void **state)
{
    fixture *f = *state;
    scatter(f, 50, 8, 1);
    assert_int_equal(reserve_detection(&f->m, &f->d, N, 20 * N, 20 * N), CORD_OK);
    assert_int_equal(find_contacts(f->curves, f->segments, N, 0.1, &f->d), CORD_OK);
    int count = f->d.contact_count;
    assert_true(count > 500);
    contact *before = calloc((size_t)count, sizeof *before);
    memcpy(before, f->d.contacts, (size_t)count * sizeof *before);
    for (int i = 0; i < N / 2; i++) {
        contact_segment g = f->segments[i];
        f->segments[i] = f->segments[N - 1 - i];
        f->segments[N - 1 - i] = g;
    }
    assert_int_equal(find_contacts(f->curves, f->segments, N, 0.1, &f->d), CORD_OK);
    assert_int_equal(f->d.contact_count, count);
    for (int i = 0; i < count; i++) {
        const contact *c = f->d.contacts + i;
        assert_true(i == 0 || c->key > c[-1].key);
        assert_true(c->key == before[i].key && c->gap == before[i].gap);
        assert_memory_equal(c->normal, before[i].normal, sizeof c->normal);
        assert_memory_equal(c->s, before[i].s, sizeof c->s);
    }
    free(before);
    /* The grid alone gives candidates in a reproducible order too. */
    contact_candidate *first = calloc((size_t)f->d.broad.candidate_count, sizeof *first);
    int candidates = f->d.broad.candidate_count;
    memcpy(first, f->d.broad.candidates, (size_t)candidates * sizeof *first);
    assert_int_equal(find_contacts(f->curves, f->segments, N, 0.1, &f->d), CORD_OK);
    assert_memory_equal(first, f->d.broad.candidates, (size_t)candidates * sizeof *first);
    free(first);
}

/* Masks and self-contact. */
static void admitted_pairs(void **state)
{
    fixture *f = *state;
    scatter(f, 60, 8, 1);
    for (int i = 0; i < N; i++) f->curves[i].group = 1, f->curves[i].mask = 2;
    search(f, 0.1);
    assert_int_equal(f->d.broad.candidate_count, 0);
    for (int i = 0; i < N; i++) f->curves[i].mask = 3;
    search(f, 0.1);
    assert_complete(f, 0.1);
    f->curves[0].self = false;
    for (int i = 0; i < N; i++) f->segments[i].block = 0;
    search(f, 0.1);
    assert_int_equal(f->d.broad.candidate_count, 0);
}

static void sorting(void **state)
{
    (void)state;
    enum { COUNT = 5000 };
    static uint64_t key[COUNT], spare_key[COUNT], original[COUNT];
    static int order[COUNT], spare_order[COUNT];
    uint64_t seed = 70;
    for (int bits = 1; bits <= 64; bits += 7) {
        for (int i = 0; i < COUNT; i++) {
            (void)random_number(&seed);
            key[i] = original[i] = seed >> (64 - bits);
            order[i] = i;
        }
        cord__sort_by_key(COUNT, key, order, spare_key, spare_order);
        for (int i = 0; i < COUNT; i++) {
            assert_true(key[i] == original[order[i]]);
            if (i == 0) continue;
            assert_true(key[i - 1] < key[i] || (key[i - 1] == key[i] && order[i - 1] < order[i]));
        }
    }
    cord__sort_by_key(0, key, order, spare_key, spare_order);
}

#define with_fixture(test) cmocka_unit_test_setup_teardown(test, set_up, tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        with_fixture(all_pairs_of_equal_lengths),
        with_fixture(all_pairs_of_mixed_lengths),
        with_fixture(distant_groups),
        with_fixture(degenerate_sets),
        with_fixture(capacities),
        with_fixture(not_a_number),
        with_fixture(order_of_segments),
        with_fixture(admitted_pairs),
        cmocka_unit_test(sorting),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
