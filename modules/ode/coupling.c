/* The coupling: its bodies, its messages, and the step of both worlds. */
#include "modules/ode/pair.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MESSAGE_SIZE = 512 };

struct cord_ode {
    cord_ode_def def;
    pair *pairs;
    int count, capacity;
    bool begun;
    bool has_gravity; /* Cordage's world has that of ODE, which was: */
    double gravity[3];
    char *error; /* MESSAGE_SIZE bytes behind this struct: a query of a const coupling sets it */
};

cord_ode_def cord_ode_def_default(void)
{
    return (cord_ode_def){0};
}

static cord_status fail(const cord_ode *c, cord_status status, const char *text)
{
    snprintf(c->error, MESSAGE_SIZE, "%s", text);
    return status;
}

/* "body 'anvil': …"; without a name its number, from 0 in the order of coupling. */
static cord_status fail_body(cord_ode *c, cord_status status, int index, const char *text)
{
    cord_body_info info;
    bool known = cord_body_get_info(c->def.world, c->pairs[index].body, &info) == CORD_OK;
    if (known && info.name)
        snprintf(c->error, MESSAGE_SIZE, "body '%s': %s", info.name, text);
    else
        snprintf(c->error, MESSAGE_SIZE, "body %d: %s", index, text);
    return status;
}

/* Hands Cordage's message on. */
static cord_status pass(cord_ode *c, cord_status status)
{
    return status == CORD_OK ? CORD_OK : fail(c, status, cord_world_get_error(c->def.world));
}

const char *cord_ode_get_error(const cord_ode *c)
{
    return c ? c->error : "no coupling";
}

/* ---- making and ending ------------------------------------------------------------------------- */

/* Code compiled for doubles cannot call an ODE of floats. */
static bool same_precision(void)
{
    return dCheckConfiguration(sizeof(dReal) == sizeof(float) ? "ODE_single_precision"
                                                              : "ODE_double_precision") != 0;
}

cord_status cord_ode_create(const cord_ode_def *def, cord_ode **coupling)
{
    if (!coupling) return CORD_ERROR_ARGUMENT;
    *coupling = NULL;
    if (!def || !def->world || !def->ode || (def->near && !def->space)) return CORD_ERROR_ARGUMENT;
    if (!same_precision()) return CORD_ERROR_UNSUPPORTED;
    cord_ode *c = calloc(1, sizeof *c + MESSAGE_SIZE);
    if (!c) return CORD_ERROR_MEMORY;
    c->error = (char *)(c + 1);
    c->def = *def;
    *coupling = c;
    return CORD_OK;
}

void cord_ode_destroy(cord_ode *c)
{
    if (!c) return;
    for (int i = 0; i < c->count; i++) pair_end(c->pairs + i, c->def.world);
    free(c->pairs);
    free(c);
}

/* ---- coupling bodies --------------------------------------------------------------------------- */

static bool make_room(cord_ode *c)
{
    if (c->count < c->capacity) return true;
    int capacity = c->capacity ? 2 * c->capacity : 8;
    pair *pairs = realloc(c->pairs, (size_t)capacity * sizeof *pairs);
    if (!pairs) return false;
    c->pairs = pairs;
    c->capacity = capacity;
    return true;
}

cord_status cord_ode_couple(cord_ode *c, dBodyID ode, const cord_body_def *def, cord_body *body)
{
    if (!c) return CORD_ERROR_ARGUMENT;
    if (!ode || !body) return fail(c, CORD_ERROR_ARGUMENT, "the dBody or the result is NULL");
    *body = (cord_body){0};
    if (c->begun) return fail(c, CORD_ERROR_ARGUMENT, "a step has begun; finish it first");
    if (dBodyGetWorld(ode) != c->def.ode)
        return fail(c, CORD_ERROR_ARGUMENT, "the dBody is of another ODE world");
    if (pair_exists(ode)) return fail(c, CORD_ERROR_ARGUMENT, "the dBody is coupled already");
    if (!make_room(c)) return fail(c, CORD_ERROR_MEMORY, "out of memory for a coupled body");
    const char *why = NULL;
    cord_status status = pair_make(c->pairs + c->count, c->def.world, ode, def, &why);
    if (status != CORD_OK) {
        if (!why) return pass(c, status);
        snprintf(c->error, MESSAGE_SIZE, "the dBody cannot be coupled: %s", why);
        return status;
    }
    *body = c->pairs[c->count++].body;
    return CORD_OK;
}

static int find(const cord_ode *c, cord_body body)
{
    for (int i = 0; i < c->count; i++) {
        cord_body own = c->pairs[i].body;
        if (own.index == body.index && own.generation == body.generation) return i;
    }
    return -1;
}

cord_status cord_ode_uncouple(cord_ode *c, cord_body body)
{
    if (!c) return CORD_ERROR_ARGUMENT;
    int i = find(c, body);
    if (i < 0) return fail(c, CORD_ERROR_HANDLE, "the body is not one of this coupling");
    if (c->begun) return fail(c, CORD_ERROR_ARGUMENT, "a step has begun; finish it first");
    pair_end(c->pairs + i, c->def.world);
    c->count--;
    memmove(c->pairs + i, c->pairs + i + 1, (size_t)(c->count - i) * sizeof *c->pairs);
    return CORD_OK;
}

cord_status cord_ode_get_force(const cord_ode *c, cord_body body, double force[3], double torque[3])
{
    if (!c) return CORD_ERROR_ARGUMENT;
    int i = find(c, body);
    if (i < 0) return fail(c, CORD_ERROR_HANDLE, "the body is not one of this coupling");
    const wrench *w = &c->pairs[i].strands;
    if (force) memcpy(force, w->force, sizeof w->force);
    if (torque) memcpy(torque, w->torque, sizeof w->torque);
    return CORD_OK;
}

/* ---- the step ---------------------------------------------------------------------------------- */

/* A destroyed body may mean a destroyed world, so this comes before any other call to ODE. */
static cord_status check_bodies(cord_ode *c)
{
    for (int i = 0; i < c->count; i++) {
        const char *trouble = pair_trouble(c->pairs + i);
        if (trouble) return fail_body(c, CORD_ERROR_HANDLE, i, trouble);
    }
    return CORD_OK;
}

static cord_status share_gravity(cord_ode *c)
{
    dVector3 g;
    double gravity[3];
    dWorldGetGravity(c->def.ode, g);
    for (int k = 0; k < 3; k++) gravity[k] = g[k];
    if (c->has_gravity && memcmp(gravity, c->gravity, sizeof gravity) == 0) return CORD_OK;
    memcpy(c->gravity, gravity, sizeof gravity);
    cord_status status = cord_world_set_gravity(c->def.world, gravity);
    c->has_gravity = status == CORD_OK;
    return pass(c, status);
}

cord_status cord_ode_begin(cord_ode *c)
{
    if (!c) return CORD_ERROR_ARGUMENT;
    if (c->begun) return fail(c, CORD_ERROR_ARGUMENT, "a step has begun; finish it first");
    cord_status status = check_bodies(c);
    if (status == CORD_OK) status = share_gravity(c);
    for (int i = 0; status == CORD_OK && i < c->count; i++)
        status = pass(c, pair_agree(c->pairs + i, c->def.world));
    if (status != CORD_OK) return status;
    for (int i = 0; i < c->count; i++) pair_begin(c->pairs + i);
    c->begun = true;
    return CORD_OK;
}

static cord_status load_bodies(cord_ode *c, double duration)
{
    for (int i = 0; i < c->count; i++) {
        cord_status status = pair_load(c->pairs + i, c->def.world, duration, c->gravity);
        if (status == CORD_ERROR_NOT_FINITE)
            return fail_body(c, status, i, "ODE gave it a velocity that is not finite");
        if (status != CORD_OK) return pass(c, status);
    }
    return CORD_OK;
}

/* Coupled bodies to where Cordage has got, whatever has happened to others. */
static cord_status finish_bodies(cord_ode *c, double duration, cord_status so_far)
{
    c->begun = false;
    for (int i = 0; i < c->count; i++) {
        pair *p = c->pairs + i;
        if (!pair_lives(p)) continue;
        cord_status status = pair_finish(p, c->def.world, duration, c->gravity, so_far == CORD_OK);
        if (so_far == CORD_OK) so_far = pass(c, status);
    }
    return so_far;
}

static bool is_duration(double duration)
{
    return duration > 0 && isfinite(duration);
}

cord_status cord_ode_finish(cord_ode *c, double duration)
{
    if (!c) return CORD_ERROR_ARGUMENT;
    if (!c->begun) return fail(c, CORD_ERROR_ARGUMENT, "no step has begun");
    if (!is_duration(duration)) return fail(c, CORD_ERROR_ARGUMENT, "a step must be above 0 s");
    cord_status status = check_bodies(c);
    if (status == CORD_OK) status = load_bodies(c, duration);
    if (status == CORD_OK) status = pass(c, cord_world_step(c->def.world, duration));
    return finish_bodies(c, duration, status);
}

cord_status cord_ode_step(cord_ode *c, double duration)
{
    if (!c) return CORD_ERROR_ARGUMENT;
    if (!is_duration(duration)) return fail(c, CORD_ERROR_ARGUMENT, "a step must be above 0 s");
    cord_status status = cord_ode_begin(c);
    if (status != CORD_OK) return status;
    const cord_ode_def *d = &c->def;
    if (d->near) dSpaceCollide(d->space, d->near_data, d->near);
    int stepped =
        d->quick ? dWorldQuickStep(d->ode, (dReal)duration) : dWorldStep(d->ode, (dReal)duration);
    if (d->contacts) dJointGroupEmpty(d->contacts);
    if (!stepped)
        return finish_bodies(c, duration, fail(c, CORD_ERROR_MEMORY, "ODE is out of memory"));
    return cord_ode_finish(c, duration);
}
