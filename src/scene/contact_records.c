#include "scene/contact_records.h"

#include "math/vec3.h"
#include "scene/contacts.h"
#include "scene/scenery.h"

#include <string.h>

/* Numbers of objects by the index of their handle, less one. */
typedef struct number_map {
    int count;
    int *number;
} number_map;

struct contact_numbers {
    number_map strands, bodies, obstacles;
    contact_record *list;
    int room;
};

static bool reserve(arena *a, number_map *m, uint32_t most)
{
    m->count = (int)most;
    m->number = TAKE(a, int, most);
    for (int i = 0; m->number && i < m->count; i++) m->number[i] = -1;
    return m->number != NULL;
}

static void set(number_map *m, uint32_t index, int number)
{
    if (index > 0) m->number[index - 1] = number;
}

static double number_of(const number_map *m, uint32_t index)
{
    return index > 0 && (int)index <= m->count ? m->number[index - 1] : -1;
}

static bool make_numbers(cord_simulation *sim)
{
    const scene_data *d = &sim->scene->data;
    struct contact_numbers *n = TAKE(&sim->memory, struct contact_numbers, 1);
    uint32_t most[3] = {0, 0, 0};
    for (int i = 0; i < d->strands.count; i++)
        if (sim->strands[i].handle.index > most[0]) most[0] = sim->strands[i].handle.index;
    for (int i = 0; i < d->bodies.count; i++)
        if (sim->bodies[i].handle.index > most[1]) most[1] = sim->bodies[i].handle.index;
    for (int i = 0; i < d->obstacles.count; i++)
        if (sim->obstacles[i].index > most[2]) most[2] = sim->obstacles[i].index;
    if (!n || !reserve(&sim->memory, &n->strands, most[0]) ||
        !reserve(&sim->memory, &n->bodies, most[1]) ||
        !reserve(&sim->memory, &n->obstacles, most[2]))
        return false;
    for (int i = 0; i < d->strands.count; i++) set(&n->strands, sim->strands[i].handle.index, i);
    for (int i = 0; i < d->bodies.count; i++)
        set(&n->bodies, sim->bodies[i].handle.index, d->strands.count + i);
    for (int i = 0; i < sim->scene->scenery_count; i++) {
        const obstacle_data *o = sim->scene->scenery[i].obstacle;
        if (o)
            set(&n->obstacles, sim->obstacles[INDEX(d->obstacles, obstacle_data, o)].index,
                d->strands.count + d->bodies.count + i);
    }
    sim->contact_numbers = n;
    return true;
}

static double side_number(const struct contact_numbers *n, const cord_contact_side *s)
{
    return s->strand.index ? number_of(&n->strands, s->strand.index)
           : s->body.index ? number_of(&n->bodies, s->body.index)
                           : number_of(&n->obstacles, s->obstacle.index);
}

static contact_record record_of(const struct contact_numbers *n, const cord_contact *c)
{
    contact_record r = {.first = side_number(n, &c->first),
                        .second = side_number(n, &c->second),
                        .s = {c->first.s, c->second.s},
                        .gap = c->gap,
                        .sticks = c->sticks};
    v3_copy(r.position, c->position);
    v3_copy(r.normal, c->normal);
    v3_copy(r.force, c->force);
    v3_copy(r.slip, c->slip);
    return r;
}

cord_status cord__contact_records(cord_simulation *sim, const contact_record **list, int *count)
{
    const cord_contact *contacts;
    *list = NULL;
    *count = 0;
    if (!cord__has_contacts(sim->scene)) return CORD_OK;
    if (!sim->contact_numbers && !make_numbers(sim)) return CORD_ERROR_MEMORY;
    struct contact_numbers *n = sim->contact_numbers;
    cord_status status = cord__contacts_now(sim, &contacts, count);
    if (status != CORD_OK) return status;
    if (*count > n->room) {
        n->room = sim->contact_room;
        n->list = TAKE(&sim->memory, contact_record, n->room);
        if (!n->list) return CORD_ERROR_MEMORY;
    }
    for (int i = 0; i < *count; i++) n->list[i] = record_of(n, contacts + i);
    *list = n->list;
    return CORD_OK;
}
