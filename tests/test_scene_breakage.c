/* Strands that break, in scenes: keys, probes beside a break, snapshots with room for fragments, refusals. */
#include "math/vec3.h"
#include "record/snapshot.h"
#include "support/played.h"
#include "support/test.h"

#include <math.h>

#define ROPE(model, shape, more)                                                                   \
    "cordage: 1\nstrands:\n  - {name: rope, model: " model ", shape: {" shape "}, section: "       \
    "{explicit: {mass: 100 g/m, bending: 0.01 N m^2, twisting: 0.01 N m^2, radius: 5 mm}}, " more  \
    "}\n"
#define LINE "line: {from: [0, 0, 0], to: [0, 0, -1], vertices: 11}"
#define PROBES                                                                                     \
    "probes:\n  - {name: breaks, of: rope, measure: breaks}\n"                                     \
    "  - {name: above, of: rope@5%, measure: tension}\n"                                           \
    "  - {name: below, of: rope@95%, measure: tension}\n"                                          \
    "  - {name: bent, of: rope@45%, measure: curvature}\n"                                         \
    "  - {name: end, of: rope@end, measure: position}\n"                                           \
    "  - {name: all, of: rope, measure: position}\n"

/* A force of 10 N/s t at the tip, a weak link at the middle. */
#define HANGING(model, elements)                                                                   \
    ROPE(model, LINE, elements "breaks: {at: [{s: 0.49, tension: 1 N}], most: 2}")                 \
    "constraints:\n  - {name: hook, kind: coincide, first: rope@start, second: [0, 0, 0]}\n"       \
    "loads:\n  - {at: rope@end, keys: [{t: 0 s, force: [0, 0, 0]}, {t: 10 s, force: [0, 0, -100 "  \
    "N]}], ease: linear}\n" PROBES

static void check_snapshot(played p, double fallen)
{
    memory m;
    snapshot_layout l;
    char error[SNAPSHOT_ERROR];
    cord__memory_init(&m, NULL);
    assert_int_equal(cord__snapshot_layout_make(&m, p.simulation, &l), CORD_OK);
    assert_int_equal(l.strand_count, 3);
    assert_string_equal(l.strands[1].name, "rope.2");
    assert_string_equal(l.strands[2].name, "rope.3");
    double *numbers = NEW(&m, double, cord__snapshot_size(&l));
    frame_snapshot s = cord__snapshot_in(&l, numbers);
    assert_int_equal(cord__snapshot_take(&s, p.simulation, error), CORD_OK);
    const double *first = cord__snapshot_strand(&s, 0, QUANTITY_POSITIONS);
    const double *second = cord__snapshot_strand(&s, 1, QUANTITY_POSITIONS);
    const double *third = cord__snapshot_strand(&s, 2, QUANTITY_POSITIONS);
    assert_int_equal(l.strands[0].vertex_count, 11);
    assert_close(first[3 * 5 + 2], -0.5, 1e-6);
    for (int i = 6; i < 11; i++) assert_close(first[3 * i + 2], first[3 * 5 + 2], 0);
    assert_true(second[2] < -0.5 - 0.9 * fallen);
    assert_close(second[3 * 5 + 2], second[2] - 0.5, 1e-6);
    assert_close(second[3 * 10 + 2], second[3 * 5 + 2], 0);
    assert_close(third[2], first[3 * 5 + 2], 0);
    const double *frames = cord__snapshot_strand(&s, 1, QUANTITY_FRAMES);
    for (int i = 0; i < 10; i++) assert_close(v3_norm(frames + 6 * i), 1, 1e-9);
    cord__release(&m, numbers);
    cord__snapshot_layout_free(&m, &l);
    assert_int_equal(m.bytes, 0);
}

static void weak_link(void **unused)
{
    (void)unused;
    static const char *const texts[] = {HANGING("der", ""), HANGING("helix", "elements: 10, "),
                                        HANGING("clothoid", "elements: 10, "),
                                        HANGING("segment", "elements: 10, ")};
    for (int i = 0; i < 4; i++) {
        played p = played_text(texts[i]);
        double breaks[4], all[33], end[3], bent[2];
        played_sample(p, "breaks", breaks);
        assert_close(breaks[0], 0, 0);
        assert_true(isnan(breaks[1]));
        played_advance(p, 0.005, 40);
        played_sample(p, "breaks", breaks);
        assert_close(breaks[0], 1, 0);
        assert_close(breaks[1], (1 - 0.1 * 9.81 * (i == 0 ? 0.55 : 0.5)) / 10, 2e-4);
        assert_close(breaks[2], 0.5, 1e-12);
        /* The upper part hangs, and the lower one is drawn by its load: T = F (1 − …) near the tip. */
        played_advance(p, 0.005, 2);
        assert_close(played_number(p, "above"), 0.1 * 9.81 * 0.45, 0.03);
        double force = 10 * 0.21;
        assert_close(played_number(p, "below"), force * 0.9, 0.12 * force);
        played_sample(p, "bent", bent);
        assert_close(bent[0], 0, 1e-6);
        played_sample(p, "all", all);
        assert_close(all[3 * 5 + 2], -0.5, 1e-6);
        assert_true(isnan(all[3 * 6]) && isnan(all[32]));
        played_sample(p, "end", end);
        double t = 0.21 - breaks[1];
        assert_true(end[2] < -1 - 0.5 * 9.81 * t * t);
        check_snapshot(p, 0.5 * 9.81 * t * t);
        played_end(p);
    }
}

/* The snapshot of a ring has one vertex more, the first one again. */
static void ring(void **unused)
{
    (void)unused;
    played p = played_text(ROPE("der", "ring: {radius: 0.1, vertices: 12}",
                                "breaks: {curvature: 100 1/m, most: 1}") PROBES);
    memory m;
    snapshot_layout l;
    char error[SNAPSHOT_ERROR];
    cord__memory_init(&m, NULL);
    assert_int_equal(cord__snapshot_layout_make(&m, p.simulation, &l), CORD_OK);
    assert_int_equal(l.strands[0].vertex_count, 13);
    assert_int_equal(l.strands[0].edge_count, 12);
    assert_false(l.strands[0].closed);
    double *numbers = NEW(&m, double, cord__snapshot_size(&l)), all[39];
    frame_snapshot s = cord__snapshot_in(&l, numbers);
    assert_int_equal(cord__snapshot_take(&s, p.simulation, error), CORD_OK);
    const double *x = cord__snapshot_strand(&s, 0, QUANTITY_POSITIONS);
    assert_all_close(x + 36, x, 3, 0);
    played_sample(p, "all", all);
    assert_true(isnan(all[36]));
    assert_int_equal(cord_strand_cut(p.world, cord_simulation_get_strand(p.simulation, 0), 0.2),
                     CORD_OK);
    played_advance(p, 0.005, 5);
    assert_int_equal(cord__snapshot_take(&s, p.simulation, error), CORD_OK);
    played_sample(p, "all", all);
    assert_all_close(x, all, 39, 1e-12);
    played_number(p, "above");
    cord__release(&m, numbers);
    cord__snapshot_layout_free(&m, &l);
    played_end(p);
}

/* A ring whose scene says nothing of breaks is cut by hand: its probes have as many values as before, and none is written beyond. */
static void ring_cut_by_hand(void **unused)
{
    (void)unused;
    played p = played_text(ROPE("der", "ring: {radius: 0.1, vertices: 12}", "drag: 0") PROBES
                           "  - {name: twist, of: rope, measure: twist}\n");
    double all[37], twist[13];
    for (int cut = 0; cut < 2; cut++) {
        assert_int_equal(cord_simulation_get_probe_item_count(p.simulation, played_probe(p, "all")),
                         12);
        all[36] = twist[12] = 77;
        played_sample(p, "all", all);
        played_sample(p, "twist", twist);
        for (int k = 0; k < 36; k++) assert_true(isfinite(all[k]));
        for (int k = 0; k < 12; k++) assert_true(isfinite(twist[k]));
        assert_close(all[36], 77, 0);
        assert_close(twist[12], 77, 0);
        if (cut == 0)
            assert_int_equal(
                cord_strand_cut(p.world, cord_simulation_get_strand(p.simulation, 0), 0.2),
                CORD_OK);
        played_advance(p, 0.005, 2);
    }
    played_end(p);
}

static void refusals(void **unused)
{
    (void)unused;
    played_refused(ROPE("der", LINE, "breaks: {}"), "breaks: no limit is given");
    played_refused(ROPE("der", LINE, "breaks: {tension: -1 N}"), "tension");
    played_refused(ROPE("der", LINE, "breaks: {tension: 1 m}"), "tension");
    played_refused(ROPE("der", LINE, "breaks: {at: [{s: 2 m, tension: 1 N}]}"),
                   "s must be between its ends, 0 and 1 m");
    played_refused(ROPE("spline", LINE, "breaks: {tension: 1 N}"), "its model does not break");
    played_refused(ROPE("der", LINE,
                        "schedule: {length: [{t: 0 s, value: 1}, {t: 1 s, value: 2}]}, breaks: "
                        "{tension: 1 N}"),
                   "such a strand does not break");
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(weak_link), cmocka_unit_test(ring),
                                       cmocka_unit_test(ring_cut_by_hand),
                                       cmocka_unit_test(refusals)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
