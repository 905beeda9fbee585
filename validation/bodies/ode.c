/* Wilberforce's pendulum of the gallery with its weight in the Open Dynamics Engine. */
#include "validation/bodies/bodies.h"

#ifndef CORDAGE_ODE

void check_ode_wilberforce(validation *v)
{
    validation_skip(v, "ode", "cordage-ode was not built; it needs the Open Dynamics Engine");
}

#else

#include "validation/bodies/parts.h"
#include "validation/files.h"
#include "validation/fit.h"
#include <cordage/ode.h>
#include <cordage/simulation.h>
#include <math.h>
#include <string.h>

enum { STEPS = 3, SAMPLES = 360 };

static const double pi = 3.14159265358979323846;
static const double longest = 5e-3, sample = 0.02; /* step, time between samples, s */
static const double push = 0.12;                   /* m/s, downwards */

typedef struct pendulum {
    cord_scene *scene;
    cord_simulation *simulation;
    cord_world *world; /* of the simulation */
    cord_body weight;
    /* The dBody of the weight. */
    dWorldID ode;
    dBodyID body;
    cord_ode *coupling;
} pendulum;

typedef struct history {
    double t[SAMPLES], height[SAMPLES]; /* s, m */
} history;

static cord_status read_scene(pendulum *p)
{
    static const char *const changes[] = {"let.push=0 m/s",
                                          NULL}; /* the initial velocity is set directly */
    char path[FILE_PATH];
    if (!file_find("gallery/der", "wilberforce.yaml", path)) return CORD_ERROR_FILE;
    cord_status status = cord_scene_read(path, changes, &p->scene);
    if (status == CORD_OK) status = cord_simulation_create(p->scene, &p->simulation);
    if (status != CORD_OK) return status;
    p->world = cord_simulation_get_world(p->simulation);
    p->weight = cord_simulation_get_body(p->simulation, 0);
    return CORD_OK;
}

/* The end of the spring on the weight, as in the scene: free to tilt about the radius and to slide
 * along it. */
static cord_status hang(pendulum *p, const double top[3])
{
    cord_point_def def = cord_point_def_default();
    cord_strand_info spring = {0};
    cord_point end, on;
    def.source = CORD_SOURCE_STRAND;
    def.strand = cord_simulation_get_strand(p->simulation, 0);
    cord_status status = cord_strand_get_info(p->world, def.strand, &spring);
    def.s = spring.length;
    if (status == CORD_OK) status = cord_world_add_point(p->world, &def, &end);
    if (status == CORD_OK) status = part_point(p->world, p->weight, top, &on);
    const double radius[3] = {1, 0, 0};
    if (status == CORD_OK) status = part_constrain(p->world, CORD_AXIS, end, on, radius, NULL);
    if (status == CORD_OK) status = part_constrain(p->world, CORD_PARALLEL, end, on, radius, NULL);
    return status;
}

/* Replaces the weight and its guide of the scene by a dBody and a piston joint of ODE, along which
 * the weight slides and rotates. */
static cord_status move_to_ode(pendulum *p)
{
    cord_body_info info;
    double x[3];
    cord_status status = cord_body_get_info(p->world, p->weight, &info);
    if (status == CORD_OK) status = cord_body_get_pose(p->world, p->weight, x, NULL);
    if (status == CORD_OK) status = cord_world_remove_body(p->world, p->weight);
    if (status != CORD_OK) return status;
    const double top[3] = {0, 0, 0.5 * info.shape.length}, *moment = info.principal_moments;
    dMass mass;
    dMassSetParameters(&mass, (dReal)info.mass, 0, 0, 0, (dReal)moment[0], (dReal)moment[1],
                       (dReal)moment[2], 0, 0, 0);
    p->ode = dWorldCreate();
    dWorldSetGravity(p->ode, 0, 0, (dReal)-9.81);
    p->body = dBodyCreate(p->ode);
    dBodySetMass(p->body, &mass);
    dBodySetPosition(p->body, (dReal)x[0], (dReal)x[1], (dReal)x[2]);
    dJointID guide = dJointCreatePiston(p->ode, NULL);
    dJointAttach(guide, p->body, NULL);
    dJointSetPistonAxis(guide, 0, 0, 1);
    cord_ode_def def = cord_ode_def_default();
    def.world = p->world, def.ode = p->ode;
    status = cord_ode_create(&def, &p->coupling);
    if (status == CORD_OK) status = cord_ode_couple(p->coupling, p->body, NULL, &p->weight);
    return status == CORD_OK ? hang(p, top) : status;
}

static void end(pendulum *p)
{
    cord_ode_destroy(p->coupling);
    if (p->ode) dWorldDestroy(p->ode);
    cord_simulation_destroy(p->simulation);
    cord_scene_free(p->scene);
}

static cord_status swing(pendulum *p, double h, history *out)
{
    const double down[3] = {0, 0, -push}, still[3] = {0, 0, 0};
    double x[3];
    int per = (int)lround(sample / h);
    cord_status status = cord_body_set_velocity(p->world, p->weight, down, still);
    for (int i = 0; i < SAMPLES; i++) {
        for (int k = 0; status == CORD_OK && k < per; k++)
            status = p->coupling ? cord_ode_step(p->coupling, h) : cord_world_step(p->world, h);
        if (status == CORD_OK) status = cord_body_get_pose(p->world, p->weight, x, NULL);
        if (status != CORD_OK) return status;
        out->t[i] = sample * (i + 1), out->height[i] = x[2];
    }
    return status;
}

/* Both frequencies of a run, Hz; `omega` are those of small motions. */
static bool measure(validation *v, bool by_ode, double h, const double omega[2], history *out,
                    double f[2])
{
    pendulum p = {0};
    double fitted[2] = {omega[0], omega[1]};
    cord_status status = read_scene(&p);
    if (status == CORD_OK && by_ode) status = move_to_ode(&p);
    if (status == CORD_OK) status = swing(&p, h, out);
    bool ok = validation_ok(v, p.world, status, by_ode ? "ODE's weight" : "Cordage's weight");
    end(&p);
    if (ok) fit_frequencies(SAMPLES, out->t, out->height, fitted);
    for (int k = 0; k < 2; k++) f[k] = fitted[k] / (2 * pi);
    return ok;
}

/* Frequencies of small motions about the start of the scene, rad/s. */
static bool small_motions(validation *v, double omega[2])
{
    pendulum p = {0};
    cord_status status = read_scene(&p);
    if (status == CORD_OK) status = cord_world_find_frequencies(p.world, 2, omega);
    bool ok = validation_ok(v, p.world, status, "the gallery's pendulum");
    end(&p);
    return ok;
}

static void compare(validation *v)
{
    static history e[2]; /* weight in Cordage, in ODE */
    double omega[2], count[STEPS], off[STEPS];
    int steps = validation_quick(v) ? STEPS - 1 : STEPS;
    if (!small_motions(v, omega)) return;
    for (int i = 0; i < steps; i++) {
        double h = longest / (1 << i), f[2][2];
        if (!measure(v, false, h, omega, &e[0], f[0]) || !measure(v, true, h, omega, &e[1], f[1]))
            return;
        const char *name = validation_text(v, "steps of %g ms", 1e3 * h);
        double apart = 0;
        count[i] = 1 << i, off[i] = 0;
        for (int k = 0; k < 2; k++) {
            validation_row(v, name, validation_text(v, "frequency %d, Hz; Cordage's body", k + 1),
                           f[1][k], f[0][k], 1e-3 * f[0][k]);
            off[i] = fmax(off[i], fabs(2 * pi * f[1][k] / omega[k] - 1));
        }
        for (int k = 0; k < SAMPLES; k++)
            apart = fmax(apart, fabs(e[1].height[k] - e[0].height[k]));
        validation_row_below(v, name, "difference of heights, of 30 mm, m", apart, 1e-4);
    }
    validation_row_below(v, "shortest step", "error of the frequencies of small motions, relative",
                         off[steps - 1], 1e-4);
    validation_row_above(v, "all steps", "observed order of that error",
                         fit_order(steps, count, off), 1);
    plot_series s[] = {{"height, Cordage's body", SAMPLES, e[0].t, e[0].height, PLOT_LINE},
                       {"height, ODE's body", SAMPLES, e[1].t, e[1].height, PLOT_DASHED}};
    validation_plot(v, &(plot){"Wilberforce's pendulum, the weight in either engine", "time, s",
                               "height, m", false, false, 2, s});
}

void check_ode_wilberforce(validation *v)
{
    dInitODE2(0);
    compare(v);
    dCloseODE();
}

#endif
