/* The matrices of clusters in queries: their unknowns, and their orders. */
#include "bench/baselines/cluster_matrix.h"
#include "support/failing_allocator.h"
#include "support/test.h"
#include "world/world.h"

enum { VERTICES = 12, ROPES = 3, RUNGS = 4 };

static cord_strand add_rope(cord_world *w, double y)
{
    double x[3 * VERTICES] = {0};
    for (int i = 0; i < VERTICES; i++) x[3 * i] = 0.1 * i, x[3 * i + 1] = y;
    cord_strand_def def = cord_strand_def_default();
    def.vertex_count = VERTICES;
    def.positions = x;
    def.material = (cord_material){.density = 1000, .young = 1e7, .poisson = 0.5};
    def.section = (cord_section){.kind = CORD_SECTION_CIRCLE, .radius = 5e-3};
    cord_strand rope;
    assert_int_equal(cord_world_add_strand(w, &def, &rope), CORD_OK);
    return rope;
}

static void tie(cord_world *w, cord_strand a, cord_strand b, double s)
{
    cord_constraint_def def = cord_constraint_def_default();
    cord_constraint tied;
    cord_point_def on = cord_point_def_default();
    on.source = CORD_SOURCE_STRAND;
    on.s = s;
    on.strand = a;
    assert_int_equal(cord_world_add_point(w, &on, &def.first), CORD_OK);
    on.strand = b;
    assert_int_equal(cord_world_add_point(w, &on, &def.second), CORD_OK);
    def.kind = CORD_DISTANCE;
    assert_int_equal(cord_world_add_constraint(w, &def, &tied), CORD_OK);
}

/* A ladder of three ropes, and a rope by itself. */
static cord_world *make_world(void)
{
    cord_world_def def = cord_world_def_default();
    cord_world *w;
    assert_int_equal(cord_world_create(&def, &w), CORD_OK);
    cord_strand rope[ROPES];
    for (int i = 0; i < ROPES; i++) rope[i] = add_rope(w, 0.2 * i);
    add_rope(w, 5);
    for (int i = 0; i + 1 < ROPES; i++)
        for (int k = 0; k < RUNGS; k++) tie(w, rope[i], rope[i + 1], 0.2 + 0.2 * k);
    assert_int_equal(cord__world_ready(w), CORD_OK);
    assert_int_equal(w->partition.clusters, 2);
    return w;
}

static void check_orders(const cluster_matrix *x)
{
    assert_int_equal(x->count[0] + x->count[1] + x->count[2], x->unknowns);
    for (int i = 0; i < MATRIX_ORDERS; i++)
        for (int u = 0; u < x->unknowns; u++) {
            assert_in_range(x->inverse[i][u], 0, x->unknowns - 1);
            assert_int_equal(x->order[i][x->inverse[i][u]], u);
        }
    for (int e = 0; e < x->entries; e++) {
        assert_true(x->row[e] >= x->col[e]);
        /* Multipliers are not coupled with each other. */
        assert_true(x->row[e] == x->col[e] || x->kind[x->row[e]] != UNKNOWN_CONSTRAINT_ROW ||
                    x->kind[x->col[e]] == UNKNOWN_DOF);
    }
}

static void tied_ropes(void **unused)
{
    (void)unused;
    cord_world *w = make_world();
    const cluster *s = w->partition.cluster;
    cluster_matrix x;
    assert_int_equal(cord__matrix_read(&x, &w->memory, &w->problem, s), CORD_OK);
    check_orders(&x);
    assert_int_equal(x.unknowns, s->unknowns);
    assert_int_equal(x.count[UNKNOWN_BLOCK_ROW], ROPES * (VERTICES - 1));
    assert_int_equal(x.count[UNKNOWN_CONSTRAINT_ROW], (ROPES - 1) * RUNGS);
    assert_int_equal(x.entries, s->factor.entries);
    assert_int_equal(x.factor_entries[ORDER_CHOSEN], s->factor.nonzeros);
    assert_true(2 * x.half_bandwidth[ORDER_CUTHILL_MCKEE] < x.half_bandwidth[ORDER_ASSEMBLED]);
    /* Every multiplier comes after the unknowns it couples. */
    for (int e = 0; e < x.entries; e++) {
        bool row = x.kind[x.row[e]] == UNKNOWN_CONSTRAINT_ROW && x.row[e] != x.col[e];
        if (row) assert_true(x.inverse[ORDER_CHOSEN][x.row[e]] > x.inverse[ORDER_CHOSEN][x.col[e]]);
    }
    cord__matrix_free(&x, &w->memory);
    cord_world_destroy(w);
}

static void rope_alone(void **unused)
{
    (void)unused;
    cord_world *w = make_world();
    const cluster *s = w->partition.cluster + 1;
    const block *b = w->problem.block[s->block[0]];
    cluster_matrix x;
    assert_true(s->banded);
    assert_int_equal(cord__matrix_read(&x, &w->memory, &w->problem, s), CORD_OK);
    check_orders(&x);
    assert_int_equal(x.count[UNKNOWN_CONSTRAINT_ROW], 0);
    assert_int_equal(x.half_bandwidth[ORDER_CHOSEN], b->shape.band_width);
    assert_int_equal(x.factor_entries[ORDER_CHOSEN], x.entries - x.unknowns); /* no fill */
    cord__matrix_free(&x, &w->memory);
    cord_world_destroy(w);
}

static void no_memory(void **unused)
{
    (void)unused;
    cord_world *w = make_world();
    for (int k = 0;; k++) {
        failing_allocator heap = {.fail_at = k};
        cord_allocator ops = failing_allocator_ops(&heap);
        memory m;
        cluster_matrix x;
        cord__memory_init(&m, &ops);
        cord_status status = cord__matrix_read(&x, &m, &w->problem, w->partition.cluster);
        cord__matrix_free(&x, &m);
        assert_int_equal(heap.live, 0);
        assert_int_equal(status, heap.failed ? CORD_ERROR_MEMORY : CORD_OK);
        if (!heap.failed) break;
    }
    cord_world_destroy(w);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(tied_ropes),
        cmocka_unit_test(rope_alone),
        cmocka_unit_test(no_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
