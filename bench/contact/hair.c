/* 662 strands of four clothoids on a head that moves to and fro, smooth and curly [SSC 2013, figure 11]. */
#include "bench/contact/contact.h"

#include <math.h>
#include <string.h>

enum { STRANDS = 662, ELEMENTS = 4, PARTS = 3 /* steps of a frame */ };
static const double HEAD = 0.09, RADIUS = 0.0005, LENGTH = 0.25, FRAME = 0.033, WANTED = 10;
/* Curvature of curls, 1/m, and their twist over it: 18 rad along a strand in helices of 3.4 mm radius, which do not cross those of
 * their neighbours, 8 mm away. */
static const double CURL = 18, TWIST = 3.9;

static const double times[5] = {0, 0.5, 1, 1.5, 2};
static const double path[15] = {0, 0, 0, 0.05, 0, 0, 0, 0, 0, -0.05, 0, 0, 0, 0, 0};

/* A lattice on the upper part of the head; a frame whose first axis is the outward normal n, and whose others are those of the
 * world rotated about e_z × n, so that the curls of neighbours are parallel. */
static void root_of(int i, double position[3], double frame[9])
{
    const double z = 1 - 0.9 * (i + 0.5) / STRANDS, angle = 2.399963229728653 * i;
    const double across = sqrt(1 - z * z), x = across * cos(angle), y = across * sin(angle);
    const double axes[9] = {
        x, y, z, 1 - x * x / (1 + z), -x * y / (1 + z), -x, -x * y / (1 + z), 1 - y * y / (1 + z),
        -y};
    memcpy(frame, axes, sizeof axes);
    for (int k = 0; k < 3; k++) position[k] = (HEAD + 2 * RADIUS) * axes[k];
}

static cord_status add_hair(cord_world *w, int index, double curl)
{
    double curvatures[3 * (ELEMENTS + 1)];
    cord_strand_def def = cord_strand_def_default();
    cord_contact_surface surface = cord_contact_surface_default();
    cord_point_def script = cord_point_def_default();
    cord_strand made;
    for (int i = 0; i <= ELEMENTS; i++) {
        curvatures[3 * i] = 0;
        curvatures[3 * i + 1] = curl;
        curvatures[3 * i + 2] = TWIST * curl;
    }
    def.model = CORD_MODEL_CLOTHOID;
    def.vertex_count = 2 * ELEMENTS + 1;
    def.element_count = ELEMENTS;
    def.length = LENGTH;
    def.curvatures = curvatures;
    def.section.radius = RADIUS;
    def.material.young = 2e7;
    def.material.density = 1300;
    def.damping = 0.01;
    def.drag = 0.01;
    root_of(index, def.base_position, def.base_frame);
    surface.self = false;
    script.motion = (cord_keys){5, times, path, CORD_EASE_SMOOTH};
    cord_status status = cord_world_add_strand(w, &def, &made);
    if (status == CORD_OK) status = cord_strand_set_surface(w, made, &surface);
    return status == CORD_OK ? cord_world_clamp_strand(w, made, 0, &script, NULL, NULL, NULL)
                             : status;
}

static cord_status add_head(cord_world *w)
{
    cord_point_def script = cord_point_def_default();
    cord_obstacle_def def = cord_obstacle_def_default();
    cord_obstacle made;
    script.motion = (cord_keys){5, times, path, CORD_EASE_SMOOTH};
    def.shape.kind = CORD_SHAPE_SPHERE;
    def.shape.radius = HEAD;
    def.kind = CORD_OBSTACLE_SHAPE;
    cord_status status = cord_world_add_point(w, &script, &def.point);
    return status == CORD_OK ? cord_world_add_obstacle(w, &def, &made) : status;
}

static void hair(bench *b, const char *kind, double curl, cord_scheme scheme, double wanted)
{
    /* After 0.66 s hair lies on the head and on itself. */
    const int warm = bench_quick(b) ? 3 : 20, frames = bench_quick(b) ? 1 : 5;
    cord_world_def world = cord_world_def_default();
    cord_contact_def contact = cord_contact_def_default();
    cord_world *w;
    world.threads = 2;
    world.scheme = scheme;
    contact.friction = 0.2;
    if (cord_world_create(&world, &w) != CORD_OK) return;
    cord_status status = cord_world_set_contact(w, &contact);
    if (status == CORD_OK) status = add_head(w);
    for (int i = 0; status == CORD_OK && i < STRANDS; i++) status = add_hair(w, i, curl);
    const char *name = bench_text(b, "%s hair, %d x %d%s", kind, STRANDS, ELEMENTS,
                                  scheme == CORD_LINEARISED ? ", linearised" : "");
    double began = 0;
    for (int i = 0; status == CORD_OK && i < PARTS * (warm + frames); i++) {
        if (i == PARTS * warm) began = bench_now();
        status = cord_world_step(w, FRAME / PARTS);
    }
    const double rate = frames / (bench_now() - began);
    if (bench_ok(b, w, status, name)) {
        if (wanted > 0)
            bench_least(b, name, "frames of 33 ms on two threads", rate, "1/s", wanted);
        else
            bench_row(b, name, "frames of 33 ms on two threads", rate, "1/s");
        bench_contact_steps(b, w, name, FRAME / PARTS, 0, bench_quick(b) ? 1 : 3, 0);
    }
    cord_world_destroy(w);
}

void bench_contact_hair(bench *b)
{
    hair(b, "smooth", 0, CORD_LINEARISED, WANTED);
    hair(b, "smooth", 0, CORD_TR_BDF2, 0);
    hair(b, "curly", CURL, CORD_TR_BDF2, 0);
}
