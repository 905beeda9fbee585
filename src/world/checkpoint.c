/* The state of a world as bytes: a header that says what world it is of, then which nodes cables have, configuration,
 * velocity, acceleration, multipliers, which one-sided rows hold, where points that were moved by
 * hand are and which have slipped off, what constraints are driven to, loads, what is kept for others, and
 * a hash of it all. */
#include "world/world.h"

#include <string.h>

typedef struct header {
    char magic[8];
    uint32_t version, flags; /* flag 1: velocities and accelerations are to be made consistent */
    int64_t
        counts[10]; /* q, v, λ, places, constraints, points, loads, kept, bytes of cables, steps */
    double time;
    double gravity[3];
} header;

static const char MAGIC[8] = {'c', 'o', 'r', 'd', 's', 't', 'a', 't'};
enum { VERSION = 11, STEPS = 9, CABLES = 8 };

/* One walk serves measuring, writing and reading: `step` moves `size` bytes between the world and
 * the stream, or only counts them. */
typedef struct stream {
    char *out;
    const char *in;
    size_t used;
} stream;

static void transfer(stream *s, void *data, size_t size)
{
    if (s->out) memcpy(s->out + s->used, data, size);
    if (s->in) memcpy(data, s->in + s->used, size);
    s->used += size;
}

static void walk(cord_world *w, stream *s)
{
    problem *p = &w->problem;
    transfer(s, p->now.q, (size_t)p->q_count * sizeof(double));
    transfer(s, p->now.v, (size_t)p->v_count * sizeof(double));
    transfer(s, p->now.a, (size_t)p->v_count * sizeof(double));
    transfer(s, p->now.lambda, (size_t)p->lambda_count * sizeof(double));
    transfer(s, p->now.inertial_v, (size_t)p->inertial_count * sizeof(double));
    transfer(s, p->now.inertial_a, (size_t)p->inertial_count * sizeof(double));
    for (int i = 0; i < p->constraints; i++) {
        constraint *r = p->constraint[i];
        conditions *when = &r->conditions;
        unsigned char active[CONSTRAINT_ROWS + 1];
        for (int k = 0; k < CONSTRAINT_ROWS; k++) active[k] = r->active[k];
        active[CONSTRAINT_ROWS] =
            (unsigned char)(r->released + 2 * r->closing + 4 * r->manual_drive +
                            8 * r->impact_state.resting + 16 * when->released_by_time +
                            32 * when->attached_by_time + 64 * when->released_once +
                            128 * when->armed);
        transfer(s, active, sizeof active);
        transfer(s, r->drive_value, sizeof r->drive_value);
        transfer(s, r->drive_rate, sizeof r->drive_rate);
        transfer(s, &r->drive_time, sizeof r->drive_time);
        transfer(s, r->gap, sizeof r->gap);
        transfer(s, &r->gap_time, sizeof r->gap_time);
        transfer(s, &r->impact_state.since, sizeof r->impact_state.since);
        transfer(s, &r->impact_state.rate_since, sizeof r->impact_state.rate_since);
        transfer(s, &when->since, sizeof when->since);
        if (r->friction_state) transfer(s, r->friction_state->rate, sizeof r->friction_state->rate);
        if (!s->in) continue;
        for (int k = 0; k < CONSTRAINT_ROWS; k++) r->active[k] = active[k] != 0;
        bool off = active[CONSTRAINT_ROWS] & 1, closing = active[CONSTRAINT_ROWS] & 2;
        w->elements_stale = w->elements_stale || r->released != off || r->closing != closing;
        r->released = off, r->closing = closing;
        r->manual_drive = active[CONSTRAINT_ROWS] & 4;
        if (r->manual_drive) cord__keys_free(&r->drive, &w->memory);
        r->impact_state.resting = active[CONSTRAINT_ROWS] & 8;
        when->released_by_time = active[CONSTRAINT_ROWS] & 16;
        when->attached_by_time = active[CONSTRAINT_ROWS] & 32;
        when->released_once = active[CONSTRAINT_ROWS] & 64;
        when->armed = active[CONSTRAINT_ROWS] & 128;
    }
    for (int i = 0; i < w->points.count; i++) {
        point *pt = w->points.item[i];
        if (!pt) continue;
        transfer(s, pt->position, sizeof pt->position);
        transfer(s, pt->orientation, sizeof pt->orientation);
        unsigned char released = pt->released;
        transfer(s, &released, sizeof released);
        cord__set_released(w, pt, released != 0);
    }
    for (int i = 0; i < p->loads; i++) {
        load *l = p->load[i];
        transfer(s, l->force, sizeof l->force);
        transfer(s, l->torque, sizeof l->torque);
        transfer(s, &l->along, sizeof l->along);
    }
    if (w->user_state) transfer(s, w->user_state, (size_t)w->user_state_count * sizeof(double));
}

static header header_of(const cord_world *w)
{
    const problem *p = &w->problem;
    header h = {.version = VERSION,
                .flags = w->start_stale | w->problem.meet_rows_first << 1,
                .counts = {p->q_count, p->v_count, p->lambda_count, p->inertial_count,
                           p->constraints, w->points.used, p->loads, w->user_state_count,
                           (int64_t)cord__cables_size(w), w->counters.steps},
                .time = p->now.time};
    memcpy(h.magic, MAGIC, sizeof h.magic);
    memcpy(h.gravity, p->environment.gravity, sizeof h.gravity);
    return h;
}

static uint64_t hash_bytes(const char *bytes, size_t size)
{
    uint64_t hash = 14695981039346656037u; /* FNV-1a */
    for (size_t i = 0; i < size; i++) hash = (hash ^ (unsigned char)bytes[i]) * 1099511628211u;
    return hash;
}

static size_t body_size(const cord_world *w)
{
    stream s = {0};
    walk(w->self, &s);
    return s.used;
}

cord_status cord_world_get_state_size(const cord_world *w, size_t *size)
{
    if (!w) return CORD_ERROR_ARGUMENT;
    if (!size) return cord__fail(w, CORD_ERROR_ARGUMENT, "the result is NULL");
    cord_status status = cord__world_ready(w);
    if (status == CORD_OK)
        *size = sizeof(header) + cord__cables_size(w) + body_size(w) + sizeof(uint64_t);
    return status;
}

cord_status cord_world_get_state(const cord_world *w, void *bytes)
{
    if (!w) return CORD_ERROR_ARGUMENT;
    if (!bytes) return cord__fail(w, CORD_ERROR_ARGUMENT, "the result is NULL");
    cord_status status = cord__world_ready(w);
    if (status != CORD_OK) return status;
    header h = header_of(w);
    stream s = {.out = bytes};
    transfer(&s, &h, sizeof h);
    cord__cables_write(w, s.out + s.used);
    s.used += cord__cables_size(w);
    walk(w->self, &s);
    uint64_t hash = hash_bytes(bytes, s.used);
    transfer(&s, &hash, sizeof hash);
    return CORD_OK;
}

/* A cable has other nodes, and so other numbers, when it has left a wheel; each number takes 8 bytes, and there are
 * fewer of them than could not be added up. */
static bool same_things(const header *h, const header *own)
{
    const int64_t most = INT32_MAX;
    bool fine = memcmp(h->counts + 3, own->counts + 3, 5 * sizeof *h->counts) == 0;
    for (int i = 0; i < 3; i++) {
        bool may_change = own->counts[CABLES] > 0 && h->counts[i] >= 0 && h->counts[i] <= most;
        fine = fine && (may_change || h->counts[i] == own->counts[i]);
    }
    return fine && h->counts[CABLES] >= 0 && h->counts[CABLES] / 1000 <= most;
}

cord_status cord_world_set_state(cord_world *w, const void *bytes, size_t size)
{
    if (!w) return CORD_ERROR_ARGUMENT;
    if (!bytes) return cord__fail(w, CORD_ERROR_ARGUMENT, "the state is NULL");
    cord_status status = cord__world_ready(w);
    if (status != CORD_OK) return status;
    header h, own = header_of(w);
    uint64_t hash;
    if (size < sizeof h) return cord__fail(w, CORD_ERROR_ARGUMENT, "the state is cut short");
    memcpy(&h, bytes, sizeof h);
    if (memcmp(h.magic, MAGIC, sizeof MAGIC) != 0 || h.version != VERSION)
        return cord__fail(w, CORD_ERROR_ARGUMENT, "this is not a state of this version of Cordage");
    if (!same_things(&h, &own))
        return cord__fail(w, CORD_ERROR_ARGUMENT,
                          "the state is of a world with other things in it");
    const int64_t more[3] = {h.counts[0] - own.counts[0], h.counts[1] - own.counts[1],
                             h.counts[2] - own.counts[2]};
    int64_t numbers = more[0] + 2 * more[1] + more[2];
    int64_t expected = (int64_t)(sizeof h + body_size(w) + sizeof hash) + h.counts[CABLES] +
                       numbers * (int64_t)sizeof(double);
    if ((int64_t)size != expected)
        return cord__fail(w, CORD_ERROR_ARGUMENT, "the state is cut short");
    memcpy(&hash, (const char *)bytes + size - sizeof hash, sizeof hash);
    if (hash != hash_bytes(bytes, size - sizeof hash))
        return cord__fail(w, CORD_ERROR_ARGUMENT, "the state is damaged");
    stream s = {.in = bytes, .used = sizeof h};
    status = cord__cables_read(w, s.in + s.used, (size_t)h.counts[CABLES], more);
    if (status == CORD_ERROR_ARGUMENT)
        return cord__fail(w, status, "the state is of a world with other cables in it");
    if (status == CORD_OK) status = cord__world_ready(w);
    if (status != CORD_OK) return status;
    s.used += (size_t)h.counts[CABLES];
    walk(w, &s);
    w->problem.now.time = h.time;
    memcpy(w->problem.environment.gravity, h.gravity, sizeof h.gravity);
    w->counters.steps = h.counts[STEPS];
    w->revision++;
    cord__update_elements(w, false);
    w->start_stale = h.flags & 1;
    w->problem.meet_rows_first = h.flags >> 1 & 1;
    if (w->sliders.used > 0)
        w->elements_stale = true; /* points may be on their strands again, or off them */
    return CORD_OK;
}

cord_status cord_world_reserve_user_state(cord_world *w, int count)
{
    if (!w) return CORD_ERROR_ARGUMENT;
    if (count < 0) return cord__fail(w, CORD_ERROR_ARGUMENT, "%d numbers to keep", count);
    double *kept = count > 0 ? NEW(&w->memory, double, count) : NULL;
    if (count > 0 && !kept)
        return cord__fail(w, CORD_ERROR_MEMORY, "out of memory for what is kept");
    cord__release(&w->memory, w->user_state);
    w->user_state = kept;
    w->user_state_count = count;
    return CORD_OK;
}

double *cord_world_get_user_state(cord_world *w, int *count)
{
    if (count) *count = w ? w->user_state_count : 0;
    return w ? w->user_state : NULL;
}
