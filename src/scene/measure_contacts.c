/* Measures of contacts, over those that bear a force. */
#include "math/vec3.h"
#include "scene/contacts.h"
#include "scene/measure.h"

#include <math.h>

bool cord__is_of_contacts(int measure)
{
    return measure == MEASURE_CONTACT_FORCE || measure == MEASURE_CONTACT_COUNT ||
           measure == MEASURE_LEAST_GAP;
}

/* ---- the objects of a probe ----------------------------------------------------------------- */

/* Sets the flag of a handle, for which there is room. */
static void include(contact_partners *p, uint32_t index, const char *with, const char *name,
                    const surface_data *surface)
{
    if (index > 0) p->is[index - 1] = !with || cord__names_surface(with, name, surface);
}

static bool reserve(cord_simulation *sim, contact_partners *p, uint32_t most)
{
    p->count = (int)most;
    p->is = TAKE(&sim->memory, bool, most);
    return p->is != NULL;
}

cord_status cord__bind_contacts(cord_simulation *sim, built_probe *p)
{
    const scene_data *d = &sim->scene->data;
    const char *with = p->data->with;
    uint32_t most[3] = {0, 0, 0};
    for (int i = 0; i < d->strands.count; i++)
        if (sim->strands[i].handle.index > most[0]) most[0] = sim->strands[i].handle.index;
    for (int i = 0; i < d->bodies.count; i++)
        if (sim->bodies[i].handle.index > most[1]) most[1] = sim->bodies[i].handle.index;
    for (int i = 0; i < d->obstacles.count; i++)
        if (sim->obstacles[i].index > most[2]) most[2] = sim->obstacles[i].index;
    for (int k = 0; k < 3; k++)
        if (!reserve(sim, p->with + k, most[k])) return CORD_ERROR_MEMORY;
    for (int i = 0; i < d->strands.count; i++) {
        const strand_data *s = ITEM(d->strands, strand_data, i);
        include(p->with, sim->strands[i].handle.index, with, s->name, &s->surface);
    }
    for (int i = 0; i < d->bodies.count; i++) {
        const body_data *b = ITEM(d->bodies, body_data, i);
        include(p->with + 1, sim->bodies[i].handle.index, with, b->name, &b->surface);
    }
    for (int i = 0; i < d->obstacles.count; i++) {
        const obstacle_data *o = ITEM(d->obstacles, obstacle_data, i);
        include(p->with + 2, sim->obstacles[i].index, with, o->name, &o->surface);
    }
    return CORD_OK;
}

static bool has(const contact_partners *p, uint32_t index)
{
    return index > 0 && (int)index <= p->count && p->is[index - 1];
}

static bool is_partner(const built_probe *p, const cord_contact_side *s)
{
    return has(p->with, s->strand.index) || has(p->with + 1, s->body.index) ||
           has(p->with + 2, s->obstacle.index);
}

static bool is_subject(const cord_simulation *sim, const built_probe *p, const cord_contact_side *s)
{
    const probe_data *d = p->data;
    switch (d->subject) {
    case SUBJECT_WORLD: return true;
    case SUBJECT_STRAND: return s->strand.index == sim->strands[d->strand].handle.index;
    case SUBJECT_BODY: return s->body.index == sim->bodies[d->body].handle.index;
    default: return s->obstacle.index == sim->obstacles[d->object].index;
    }
}

/* ---- sums over contacts --------------------------------------------------------------------- */

typedef struct contact_sum {
    int count;
    double force[3]; /* on the subject */
    double least;    /* gap */
} contact_sum;

/* Contacts of the subject with itself exert no force on it. */
static cord_status sum_contacts(cord_simulation *sim, const built_probe *p, contact_sum *sum)
{
    const cord_contact *list;
    int count;
    *sum = (contact_sum){.least = INFINITY};
    cord_status status = cord__contacts_now(sim, &list, &count);
    for (int i = 0; status == CORD_OK && i < count; i++) {
        const cord_contact *c = list + i;
        bool first = is_subject(sim, p, &c->first) && is_partner(p, &c->second);
        bool second = is_subject(sim, p, &c->second) && is_partner(p, &c->first);
        if (!first && !second) continue;
        sum->count++;
        sum->least = fmin(sum->least, c->gap);
        v3_axpy(sum->force, first - second, c->force);
    }
    return status;
}

cord_status cord__measure_contact_force(cord_simulation *sim, const built_probe *p, double *values)
{
    contact_sum sum;
    cord_status status = sum_contacts(sim, p, &sum);
    v3_copy(values, sum.force);
    return status;
}

cord_status cord__measure_contact_count(cord_simulation *sim, const built_probe *p, double *values)
{
    contact_sum sum;
    cord_status status = sum_contacts(sim, p, &sum);
    values[0] = sum.count;
    return status;
}

cord_status cord__measure_least_gap(cord_simulation *sim, const built_probe *p, double *values)
{
    contact_sum sum;
    cord_status status = sum_contacts(sim, p, &sum);
    values[0] = sum.count > 0 ? sum.least : 0;
    return status;
}

cord_status cord__measure_obstacle_position(cord_simulation *sim, const built_probe *p,
                                            double *values)
{
    return cord_obstacle_get_pose(sim->world, sim->obstacles[p->data->object], values, NULL);
}
