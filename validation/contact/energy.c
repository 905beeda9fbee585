/* Energy that never grows without drive, in scenes at random: strands of all models, stiffnesses and sizes that fall on a cylinder and the floor. */
#include "math/vec3.h"
#include "validation/contact/contact.h"
#include "validation/contact/scenes.h"
#include <math.h>
#include <stdint.h>

enum { STRANDS = 3, MOST_EDGES = 24 };

typedef struct random_scene {
    uint64_t state;
    cord_world *world;
    double step, friction;
} random_scene;

/* Uniform from low to high, by SplitMix64 (Steele, Lea and Flood 2014). */
static double uniform(random_scene *s, double low, double high)
{
    s->state += 0x9e3779b97f4a7c15u;
    uint64_t z = s->state;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return low + (high - low) * (double)((z ^ (z >> 31)) >> 11) * 0x1p-53;
}

static cord_status add_strand(random_scene *s, int layer)
{
    const char *const *models = cord_model_names();
    int model_count = 0;
    while (models[model_count]) model_count++;
    cord_strand_def def = cord_strand_def_default();
    cord_strand made;
    double x[3 * (MOST_EDGES + 1)];
    const int edges = (int)uniform(s, 8, MOST_EDGES + 1);
    const double length = uniform(s, 0.3, 0.8), angle = uniform(s, 0, 6.28), c = cos(angle),
                 d = sin(angle), z = 0.3 + 0.08 * layer;
    for (int i = 0; i <= edges; i++) {
        const double along = length * ((double)i / edges - 0.5);
        v3_set(x + 3 * i, c * along, d * along, z + 0.05 * along);
    }
    def.model = models[(int)uniform(s, 0, model_count)];
    def.vertex_count = edges + 1;
    def.positions = x;
    def.section.radius = uniform(s, 0.004, 0.012);
    def.material = (cord_material){
        .density = uniform(s, 300, 3000), .young = pow(10, uniform(s, 5, 8)), .poisson = 0.5};
    def.twist_mode = uniform(s, 0, 1) < 0.5 ? CORD_TWIST_DYNAMIC : CORD_TWIST_QUASISTATIC;
    cord_status status = cord_world_add_strand(s->world, &def, &made);
    if (status == CORD_ERROR_UNSUPPORTED) { /* a model without dynamic twist, say */
        def.model = CORD_MODEL_DER;
        status = cord_world_add_strand(s->world, &def, &made);
    }
    return status == CORD_OK ? contact_add_surface(s->world, made, 0, true) : status;
}

static cord_status make(random_scene *s)
{
    cord_world_def def = cord_world_def_default();
    const double angle = uniform(s, 0, 6.28), axis[3] = {cos(angle), sin(angle), 0};
    def.threads = 1;
    s->step = pow(10, uniform(s, -3, -2));
    s->friction = uniform(s, 0, 1);
    cord_status status = cord_world_create(&def, &s->world);
    if (status == CORD_OK) status = contact_set_law(s->world, s->friction, 1e-6);
    if (status == CORD_OK) status = contact_add_floor(s->world);
    if (status == CORD_OK)
        status = contact_add_cylinder(s->world, (double[3]){uniform(s, -0.1, 0.1), 0, 0.15}, axis,
                                      uniform(s, 0.02, 0.08), 1);
    for (int i = 0; status == CORD_OK && i < STRANDS; i++) status = add_strand(s, i);
    return status;
}

/* The most above the least energy before, over that at the start. */
static cord_status advance(random_scene *s, double duration, double *growth, int *contacts)
{
    cord_energy e = {0};
    cord_status status = cord_world_get_energy(s->world, &e);
    const double first = e.total;
    double least = first;
    for (double t = 0; status == CORD_OK && t < duration; t += s->step) {
        int count = 0;
        status = cord_world_step(s->world, s->step);
        if (status == CORD_OK) status = cord_world_get_energy(s->world, &e);
        if (status == CORD_OK) status = cord_world_get_contacts(s->world, 0, NULL, &count);
        *growth = fmax(*growth, (e.total - least) / first);
        least = fmin(least, e.total);
        *contacts += count;
    }
    return status;
}

/* Seeds with which the energy grew, for the causes in docs/contact.md. */
enum { GROWN = 4 };
static const int once_grown[GROWN] = {30, 39, 84, 283};

void check_contact_energy(validation *v)
{
    const int drawn = validation_quick(v) ? 2 : 24;
    const int scenes = drawn + (validation_quick(v) ? 0 : GROWN);
    int contacts = 0;
    for (int k = 0; k < scenes; k++) {
        const int i = k < drawn ? k : once_grown[k - drawn];
        random_scene s = {.state = (uint64_t)i};
        double growth = 0;
        cord_status status = make(&s);
        if (status == CORD_OK)
            status = advance(&s, validation_quick(v) ? 0.4 : 1, &growth, &contacts);
        const char *name =
            validation_text(v, "scene %d, μ = %.2f, %.1f ms", i, s.friction, 1e3 * s.step);
        if (validation_ok(v, s.world, status, name))
            validation_row_below(v, name, "growth of the energy, of that at the start", growth,
                                 1e-3);
        cord_world_destroy(s.world);
    }
    validation_row_above(v, "all", "contacts in a scene, summed over steps",
                         (double)contacts / scenes, 100);
}
