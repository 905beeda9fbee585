/* Simulations: building them from a scene, and querying the handles of its objects. */
#include "scene/build.h"

#include "scene/cables.h"

#include <math.h>

/* ---- creation and destruction ---------------------------------------------------------------- */

/* Allocates an entry per object of the scene. */
static bool reserve(cord_simulation *sim)
{
    const scene_data *d = &sim->scene->data;
    arena *a = &sim->memory;
    sim->strands = TAKE(a, built_strand, d->strands.count);
    sim->bodies = TAKE(a, built_body, d->bodies.count);
    sim->paths = TAKE(a, cord_path, d->paths.count);
    sim->points = TAKE(a, cord_point, d->points.count);
    sim->clamps = TAKE(a, cord_clamp_handles, d->clamps.count);
    sim->joints = TAKE(a, built_joint, d->joints.count);
    sim->constraints = TAKE(a, cord_constraint, d->constraints.count);
    sim->loads = TAKE(a, cord_load, d->loads.count);
    sim->controllers = TAKE(a, built_controller, d->controllers.count);
    sim->probes = TAKE(a, built_probe, d->probes.count);
    sim->observations = TAKE(a, observation, d->expectations.count);
    sim->obstacles = TAKE(a, cord_obstacle, d->obstacles.count);
    sim->tubes = TAKE(a, cord_point, d->tubes.count);
    sim->guides = TAKE(a, cord_point *, d->cables.count);
    sim->scenery = TAKE(a, cord_shape, sim->scene->scenery_count);
    if (a->failed) return false;
    for (int i = 0; i < d->joints.count; i++) sim->joints[i].data = ITEM(d->joints, joint_data, i);
    for (int i = 0; i < d->probes.count; i++) sim->probes[i].data = ITEM(d->probes, probe_data, i);
    for (int i = 0; i < d->expectations.count; i++) sim->observations[i].measured = NAN;
    return true;
}

static cord_simulation *new_simulation(const cord_scene *scene)
{
    arena first;
    cord__arena_init(&first, &scene->memory.mem.allocator);
    first.piecewise = scene->memory.piecewise;
    cord_simulation *sim = cord__allocate(&first.mem, 1, sizeof *sim);
    if (!sim) return NULL;
    sim->scene = scene;
    sim->memory = first;
    sim->errors.memory = sim->warnings.memory = &sim->memory;
    return sim;
}

void cord__find_build_errors(cord_scene *scene)
{
    cord_simulation *sim = new_simulation(scene);
    cord_status status = sim && reserve(sim) ? cord__build(sim) : CORD_ERROR_MEMORY;
    if (sim) cord__diagnostics_append(&scene->errors, &sim->errors);
    if (status == CORD_ERROR_MEMORY) scene->memory.failed = true;
    cord_simulation_destroy(sim);
}

cord_status cord_simulation_create(const cord_scene *scene, cord_simulation **simulation)
{
    if (!simulation) return CORD_ERROR_ARGUMENT;
    *simulation = NULL;
    if (!scene) return CORD_ERROR_ARGUMENT;
    cord_simulation *sim = *simulation = new_simulation(scene);
    if (!sim) return CORD_ERROR_MEMORY;
    if (!scene->good) {
        cord__diagnose(&sim->errors, (mark){"scene", 0, 0},
                       "it was read with errors, and cannot be built");
        return CORD_ERROR_INPUT;
    }
    cancellation own, *before = cord__cancel_begin(&own, &scene->cancel);
    cord_status status = reserve(sim) ? cord__build(sim) : CORD_ERROR_MEMORY;
    bool cancelled = cord__cancel_end(&own, before);
    if (status == CORD_OK) return CORD_OK;
    cord_world_destroy(sim->world);
    sim->world = NULL;
    if (cancelled) return CORD_ERROR_CANCELLED;
    return sim->memory.failed ? CORD_ERROR_MEMORY : status;
}

void cord_simulation_destroy(cord_simulation *sim)
{
    if (!sim) return;
    cord_world_destroy(sim->world);
    arena all = sim->memory; /* it also counts the simulation itself */
    cord__arena_free(&all);
    cord__release(&all.mem, sim);
}

int cord_simulation_get_error_count(const cord_simulation *sim)
{
    if (!sim) return 0;
    return sim->errors.count;
}

const char *cord_simulation_get_error(const cord_simulation *sim, int i)
{
    if (!sim) return NULL;
    return i >= 0 && i < sim->errors.count ? sim->errors.list[i].text : NULL;
}

const cord_scene *cord_simulation_get_scene(const cord_simulation *sim)
{
    return sim ? sim->scene : NULL;
}

cord_world *cord_simulation_get_world(const cord_simulation *sim)
{
    return sim ? sim->world : NULL;
}

/* ---- handles ------------------------------------------------------------------------------- */

cord_strand cord__strand_handle(const cord_simulation *sim, const strand_data *s)
{
    return sim->strands[INDEX(sim->scene->data.strands, strand_data, s)].handle;
}

cord_body cord__body_handle(const cord_simulation *sim, const body_data *b)
{
    return sim->bodies[INDEX(sim->scene->data.bodies, body_data, b)].handle;
}

cord_path cord__path_handle(const cord_simulation *sim, const path_data *p)
{
    return sim->paths[INDEX(sim->scene->data.paths, path_data, p)];
}

built_joint *cord__built_joint(const cord_simulation *sim, const joint_data *j)
{
    return &sim->joints[INDEX(sim->scene->data.joints, joint_data, j)];
}

/* `list`: offset in the scene's data. */
static bool has(const cord_simulation *sim, size_t list, int i)
{
    if (!sim || !sim->world || i < 0) return false;
    return i < ((const item_list *)((const char *)&sim->scene->data + list))->count;
}

cord_strand cord_simulation_get_strand(const cord_simulation *sim, int i)
{
    return has(sim, offsetof(scene_data, strands), i) ? sim->strands[i].handle
                                                      : (cord_strand){0, 0};
}

cord_body cord_simulation_get_body(const cord_simulation *sim, int i)
{
    return has(sim, offsetof(scene_data, bodies), i) ? sim->bodies[i].handle : (cord_body){0, 0};
}

cord_path cord_simulation_get_path(const cord_simulation *sim, int i)
{
    return has(sim, offsetof(scene_data, paths), i) ? sim->paths[i] : (cord_path){0, 0};
}

cord_point cord_simulation_get_point(const cord_simulation *sim, int i)
{
    return has(sim, offsetof(scene_data, points), i) ? sim->points[i] : (cord_point){0, 0};
}

cord_constraint cord_simulation_get_constraint(const cord_simulation *sim, int i)
{
    bool there = has(sim, offsetof(scene_data, constraints), i);
    return there ? sim->constraints[i] : (cord_constraint){0, 0};
}

cord_obstacle cord_simulation_get_obstacle(const cord_simulation *sim, int i)
{
    bool there = has(sim, offsetof(scene_data, obstacles), i);
    return there ? sim->obstacles[i] : (cord_obstacle){0, 0};
}

cord_clamp_handles cord_simulation_get_clamp(const cord_simulation *sim, int i)
{
    return has(sim, offsetof(scene_data, clamps), i) ? sim->clamps[i] : (cord_clamp_handles){0};
}

cord_joint_handles cord_simulation_get_joint(const cord_simulation *sim, int i)
{
    if (!has(sim, offsetof(scene_data, joints), i)) return (cord_joint_handles){0};
    const built_joint *j = &sim->joints[i];
    return (cord_joint_handles){
        .first = j->on[0],
        .second = j->on[1],
        .coordinate = cord__joint_rotates(j->data) ? j->revolute : j->prismatic,
        .constraints = {j->constraints[0], j->constraints[1]},
        .motor = j->motor,
    };
}
