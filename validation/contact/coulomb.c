/* Coulomb's conditions contact by contact, and energy that never grows, in motions without drive. */
#include "math/vec3.h"
#include "validation/contact/contact.h"
#include "validation/contact/scenes.h"
#include <math.h>

static const double friction = 0.3, radius = 0.01, h = 0.004;
enum { EDGES = 16, STRANDS = 9 };

typedef struct scene {
    cord_world *world;
    coulomb_audit audit;
    double first, least; /* energies: at the start, the least so far */
    double growth;       /* the largest above the least one, over that at the start */
} scene;

static cord_status begin(scene *s)
{
    cord_world_def def = cord_world_def_default();
    def.threads = 1;
    *s = (scene){.audit = {.friction = friction, .velocity = 1, .radius = radius}};
    cord_status status = cord_world_create(&def, &s->world);
    if (status == CORD_OK) status = contact_set_law(s->world, friction, 1e-6);
    return status == CORD_OK ? contact_add_floor(s->world) : status;
}

static cord_status add_strand(scene *s, const char *model, const double from[3], const double to[3],
                              cord_twist twist)
{
    cord_strand_def def = cord_strand_def_default();
    double x[3 * (EDGES + 1)];
    cord_strand made;
    for (int i = 0; i <= EDGES; i++)
        v3_combine(x + 3 * i, 1 - (double)i / EDGES, from, (double)i / EDGES, to);
    def.model = model;
    def.vertex_count = EDGES + 1;
    def.positions = x;
    def.section.radius = radius;
    def.material = (cord_material){.density = 1000, .young = 1e7, .poisson = 0.5};
    def.twist_mode = twist;
    cord_status status = cord_world_add_strand(s->world, &def, &made);
    return status == CORD_OK ? contact_add_surface(s->world, made, 0, true) : status;
}

static cord_status advance(scene *s, double duration)
{
    cord_energy e = {0};
    cord_status status = cord_world_get_energy(s->world, &e);
    s->least = s->first = e.total;
    for (int i = 0; status == CORD_OK && i < (int)lround(duration / h); i++) {
        status = cord_world_step(s->world, h);
        if (status == CORD_OK) status = cord_world_get_energy(s->world, &e);
        if (status == CORD_OK) status = contact_audit(s->world, &s->audit);
        s->growth = fmax(s->growth, (e.total - s->least) / fabs(s->first));
        s->least = fmin(s->least, e.total);
    }
    return status;
}

static void report(validation *v, scene *s, const char *name, cord_status status)
{
    if (validation_ok(v, s->world, status, name)) {
        validation_row_below(v, name, "growth of the energy", s->growth, 1e-3);
        contact_audit_rows(v, name, &s->audit, 1e-3);
    }
    cord_world_destroy(s->world);
}

/* Strands of every model fall across a cylinder that lies above the floor. */
static void models(validation *v)
{
    for (const char *const *model = cord_model_names(); *model; model++) {
        scene s;
        cord_status status = begin(&s);
        if (status == CORD_OK)
            status = contact_add_cylinder(s.world, (double[3]){0.1, 0, 0.2}, (double[3]){0, 1, 0},
                                          0.05, 1);
        if (status == CORD_OK)
            status = add_strand(&s, *model, (double[3]){-0.4, 0, 0.4}, (double[3]){0.5, 0.1, 0.5},
                                CORD_TWIST_QUASISTATIC);
        if (status == CORD_ERROR_UNSUPPORTED) {
            validation_skip(v, *model, cord_world_get_error(s.world));
            cord_world_destroy(s.world);
            continue;
        }
        if (status == CORD_OK) status = advance(&s, 0.8);
        report(v, &s, *model, status);
    }
}

/* Rods with dynamic twist that fall crosswise. */
static void heap(validation *v)
{
    scene s;
    cord_status status = begin(&s);
    for (int i = 0; status == CORD_OK && i < STRANDS; i++) {
        const double a = 0.7 * i, z = 0.05 + 0.05 * i, c = 0.3 * cos(a), d = 0.3 * sin(a);
        status = add_strand(&s, CORD_MODEL_DER, (double[3]){-c, -d, z},
                            (double[3]){c + 0.02, d, z + 0.03}, CORD_TWIST_DYNAMIC);
    }
    if (status == CORD_OK) status = advance(&s, validation_quick(v) ? 0.5 : 2);
    report(v, &s, "heap of rods", status);
}

void check_coulomb(validation *v)
{
    models(v);
    heap(v);
}
