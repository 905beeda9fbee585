/* Failure of any allocation while a scene is read, built or queried is an error without other
 * effects: the k-th allocation fails, for every k. (libyaml has an allocator of its own, which
 * does not fail.) */
#include "scene/simulation_data.h"
#include "support/failing_allocator.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static const char good[] =
    "cordage: 1\n"
    "include: base.yaml\n"
    "let: {n: 2, r: $base * 2 mm}\n"
    "strands:\n"
    "  - name: rope\n"
    "    repeat: {count: $n, offset: [0, 1 cm, 0]}\n"
    "    shape: {spline: {points: [[0, 0, 0], [1, 0, 0], [1, 1, 0]], vertices: 6}}\n"
    "    natural: {arc: {radius: 1.2, angle: 1 rad, vertices: 6}}\n"
    "    stretch: elastic\n"
    "    natural_twist: with-curve\n"
    "    velocity: [0, 0, 1]\n"
    "    material: nylon\n"
    "    section: {circle: {radius: $r}}\n"
    "points: [{name: hook, at: [0, 0, 1], motion: [{t: 0, by: [0, 0, 0]}, {t: 1, by: [0, 0, "
    "1]}]}]\n"
    "clamps: [{name: wall, at: \"rope[$i]@start\", repeat: {count: $n}}]\n"
    "constraints: [{kind: distance, first: \"rope[0]@end\", second: hook, compliance: 1 m/N,\n"
    "  drive: [{t: 0, value: 0}, {t: 1, value: 1 cm}]}]\n"
    "loads: [{at: \"rope[$n - 1]@end\", keys: [{t: 0, force: [0, 0, 1]}]}]\n"
    "wind: {velocity: [1, 0, 0], vortices: [{center: [0, 0, 0], circulation: 1, core: 1}]}\n"
    "probes: [{of: \"rope[0]@end\", measure: position}, {of: \"wall[1]\", measure: force}]\n"
    "expect: [{probe: \"rope[0]-end-position\", component: z, below: 1 m, because: it hangs}]\n";

static const char cables[] =
    "cordage: 1\n"
    "bodies:\n"
    "  - {name: load, shape: {box: {size: [1, 1, 1]}}, position: [3, 0, -5]}\n"
    "pulleys:\n"
    "  - {name: up, at: [1, 0, 0], radius: 0.5, inertia: 1, repeat: {count: 2, offset: [1.5, 0, "
    "0]}}\n"
    "  - {name: post, at: {body: load}, radius: 1, wrap_friction: 0.3, width: 1}\n"
    "drums: [{name: drum, at: [-2, 0, 0], radius: 1, inertia: 1, motor: {torque: 1 N m}}]\n"
    "cables:\n"
    "  - {name: rope, density: 1, parts: 2, twisting: 1,\n"
    "     route: [over drum drum, {pulleys: up, to: 1, side: [over, over]}, load]}\n"
    "  - name: wire\n"
    "    material: steel\n"
    "    section: {circle: {radius: 1 mm}}\n"
    "    route: [[0, 0, 9], {through: load, at: [[0, 0, 1]]}, [1, 0, 0], {free: [9, 0, "
    "0]}]\n"
    "  - name: hand\n"
    "    density: 1\n"
    "    guides: [{name: g, kind: sphere, at: [0, 9, 0], radius: 1}]\n"
    "    nodes: [{guide: g, at: [0, 0], s: 0}, {at: [5, 9, 0], s: 4}]\n"
    "    wraps: []\n"
    "probes:\n"
    "  - {of: \"rope@up[1]\", measure: wrap-angle}\n"
    "  - {of: drum, measure: drive}\n"
    "  - {of: wire@end, measure: position}\n"
    "  - {of: rope@40%, measure: torque}\n"
    "points: [{name: bead, at: rope@50%, sliding: yes}]\n"
    "constraints: [{kind: distance, first: rope@3 m, second: [0, 0, 0]}]\n";

static const char machine[] =
    "cordage: 1\n"
    "bodies:\n"
    "  - {name: wheel, shape: {cylinder: {radius: 1, length: 1}}}\n"
    "  - {name: rack, shape: {box: {size: [1, 1, 1]}}, position: [0, 0, 3]}\n"
    "points:\n"
    "  - {name: spin, revolute: {of: wheel}, friction: 0.1 N m s}\n"
    "joints:\n"
    "  - {name: axle, kind: revolute, first: wheel, motor: {torque: 1 N m}, limits: [-1, 1]}\n"
    "  - {name: rail, kind: prismatic, first: rack, stiffness: 5 N/m}\n"
    "  - {name: mesh, kind: gear, first: rail, second: axle, ratio: 1}\n"
    "  - {kind: screw, first: rack, second: wheel, pitch: 1 mm/turn,\n"
    "     motor: {rate: [{t: 0, value: 1}, {t: 1, value: 2}]}}\n"
    "loads: [{name: push, at: spin, along: 1 N m, along_keys: [{t: 0, along: 1}]}]\n"
    "controllers:\n"
    "  - {measure: turned, target: [{t: 0, value: 1}], p: 1, output: {load: push}}\n"
    "  - {name: servo, measure: rack-position.x, target: 1 m, output: {rate: rail}}\n"
    "probes:\n"
    "  - {name: turned, of: axle, measure: coordinate}\n"
    "  - {of: rack, measure: position}\n"
    "  - {of: servo, measure: output}\n";

static const char contact[] =
    "cordage: 1\n"
    "contact: {friction: 0.4, pairs: [{between: [rope, floor], friction: 0.2}, {between: [wood, "
    "ball], contact: no}]}\n"
    "obstacles:\n"
    "  - {name: floor, plane: {}, material: wood}\n"
    "  - {name: pole, capsule: {radius: 5 cm, length: 1}, moves: {motion: [{t: 0, by: [0, 0, "
    "0]}]}}\n"
    "  - {heightfield: {spacing: 1, counts: [2, 2], values: [0, 0, 0.1, 0]}, at: [3, 0, -1]}\n"
    "  - {distance_grid: {spacing: 1, counts: [2, 2, 2], values: [1, 1, 1, 1, -1, -1, -1, -1]}, "
    "at: "
    "[0, 0, 9]}\n"
    "  - {name: fin, box: {size: [1 cm, 1 cm, 1 cm]}, on: ball}\n"
    "strands:\n"
    "  - {name: rope, shape: {line: {from: [0, 0, 1 cm], to: [1, 0, 1 cm], vertices: 5}},\n"
    "     material: nylon, section: {circle: {radius: 5 mm}}, contact: {self: no}}\n"
    "bodies: [{name: ball, shape: {sphere: {radius: 10 cm}}, position: [0, 0, 1]}]\n"
    "probes: [{measure: contact-force, of: rope, with: floor}, {measure: contact-count}]\n"
    "expect: [{probe: contact-count, value: 0, tolerance: 0, because: there was no step}]\n";

static const char bad[] = "cordage: 1\n"
                          "titel: x\n"
                          "include: base.yaml\n"
                          "let: {a: $b, b: $a}\n"
                          "strands: [{name: a, shape: {line: {from: 1}}}, {repeat: 1}]\n"
                          "probes: [{of: \"rope[$x]\", measure: positio}]\n";

typedef struct case_data {
    const char *text;
    cord_status expected;
    int at_least; /* allocations */
} case_data;

static const case_data cases[] = {{good, CORD_OK, 300},
                                  {bad, CORD_ERROR_INPUT, 80},
                                  {machine, CORD_OK, 200},
                                  {cables, CORD_OK, 200},
                                  {contact, CORD_OK, 150}};

static void write_file(const char *folder, const char *name, const char *text)
{
    char path[96];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *out = fopen(path, "w");
    assert_non_null(out);
    fputs(text, out);
    fclose(out);
}

static cord_status use(const char *path, failing_allocator *heap)
{
    cord_allocator ops = failing_allocator_ops(heap);
    scene_source source = {.path = path, .allocator = &ops, .piecewise = true};
    cord_scene *scene;
    cord_simulation *simulation = NULL;
    static const char *const sets[] = {"run.dt=2 ms", NULL};
    cord_status status = cord__scene_read_source(&source, sets, &scene);
    if (!scene) return status;
    if (status == CORD_OK) status = cord_simulation_create(scene, &simulation);
    if (status == CORD_OK) status = cord_simulation_advise(simulation);
    if (status == CORD_OK) status = cord_simulation_observe(simulation, true);
    cord_simulation_destroy(simulation);
    cord_scene_free(scene);
    return status;
}

static void every_piece_fails_once(void **state)
{
    const case_data *c = *state;
    char folder[] = "/tmp/cordage-test-XXXXXX", path[64];
    assert_non_null(mkdtemp(folder));
    write_file(folder, "base.yaml", "let: {base: 1}\nworld: {gravity: [0, 0, -1]}\n");
    write_file(folder, "a.yaml", c->text);
    snprintf(path, sizeof path, "%s/a.yaml", folder);
    int k = 0;
    for (;; k++) {
        failing_allocator heap = {.fail_at = k};
        cord_status status = use(path, &heap);
        if (heap.live) fail_msg("piece %d: %d pieces are left", k, heap.live);
        if (!heap.failed) {
            assert_int_equal(status, c->expected);
            break;
        }
        if (status != CORD_ERROR_MEMORY) fail_msg("piece %d: %s", k, cord_status_text(status));
    }
    if (k < c->at_least) fail_msg("only %d pieces", k);
    unlink(path);
    snprintf(path, sizeof path, "%s/base.yaml", folder);
    unlink(path);
    rmdir(folder);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        {"good", every_piece_fails_once, NULL, NULL, (void *)(cases + 0)},
        {"bad", every_piece_fails_once, NULL, NULL, (void *)(cases + 1)},
        {"machine", every_piece_fails_once, NULL, NULL, (void *)(cases + 2)},
        {"cables", every_piece_fails_once, NULL, NULL, (void *)(cases + 3)},
        {"contact", every_piece_fails_once, NULL, NULL, (void *)(cases + 4)},
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
