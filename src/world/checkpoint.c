/* The state of a world as bytes: a header that identifies the world, breaks of strands, topologies and quadratures of blocks, constants of
 * schedules, configuration, velocity, acceleration, multipliers, side arrays of blocks, the complete states of
 * constraints and forces, points that the user has moved or that have slid off, loads, the forces of contacts, user
 * state, and a hash of all bytes. */
#include "world/contacts.h"
#include "world/event.h"

#include <string.h>

typedef struct header {
    char magic[8];
    /* flag 1: velocities and accelerations must be made consistent; 2, 8: rows must be met first, of some or all clusters; 4: below; 16: with 1, accelerations alone */
    uint32_t version, flags;
    int64_t counts
        [14]; /* q, v, λ, side, inertial coordinates, constraints, points, loads, user state, bytes of topologies, steps, bytes of schedules, remembered contacts, bytes of breaks */
    double time;
    double gravity[3];
    double spin_filter; /* environment: energies depend on it */
    double energy[5];   /* energy_check, if flag 4 */
} header;

static const char MAGIC[8] = {'c', 'o', 'r', 'd', 's', 't', 'a', 't'};
enum {
    VERSION = 22,
    CHANGING = 5,
    FIXED = 4,
    TOPOLOGIES = 9,
    STEPS = 10,
    SCHEDULES = 11,
    CONTACTS = 12,
    BREAKS = 13
};

/* One walk serves measuring, writing, reading and hashing: transfer() moves `size` bytes between the world
 * and the stream, adds them to the hash, or only counts them. */
typedef struct stream {
    char *out;
    const char *in;
    uint64_t *hash;
    size_t used;
} stream;

static uint64_t hash_bytes(uint64_t hash, const char *bytes, size_t size) /* FNV-1a */
{
    for (size_t i = 0; i < size; i++) hash = (hash ^ (unsigned char)bytes[i]) * 1099511628211u;
    return hash;
}

static void transfer(stream *s, void *data, size_t size)
{
    if (s->out) memcpy(s->out + s->used, data, size);
    if (s->in) memcpy(data, s->in + s->used, size);
    if (s->hash) *s->hash = hash_bytes(*s->hash, data, size);
    s->used += size;
}

static void transfer_constraint(cord_world *w, stream *s, constraint *r)
{
    const bool released = r->state.released, closing = r->state.closing;
    size_t size;
    void *conditions = cord__conditions_state(r, &size);
    transfer(s, &r->state, sizeof r->state);
    if (r->impact) transfer(s, &r->impact->state, sizeof r->impact->state);
    if (conditions) transfer(s, conditions, size);
    if (released != r->state.released || closing != r->state.closing) w->elements_stale = true;
}

static void transfer_force(stream *s, force_term *f)
{
    size_t size = 0;
    void *data = f->ops->state ? f->ops->state(f, &size) : NULL;
    if (size > 0) transfer(s, data, size);
}

static int remembered(const cord_world *w)
{
    return w->contacts ? w->contacts->set.remembered : 0;
}

static void transfer_contacts(const cord_world *w, stream *s)
{
    if (remembered(w) == 0) return;
    contact_set *k = &w->contacts->set;
    transfer(s, k->memory, (size_t)k->remembered * sizeof *k->memory);
}

/* From the expected motion, for which the next detection allows: pairs, and so bits, depend on them. */
static void transfer_deviations(cord_world *w, stream *s)
{
    for (int i = 0; i < w->problem.blocks; i++) {
        contact_surface *surface = &w->problem.block[i]->surface;
        if (surface->exists) transfer(s, &surface->deviation, sizeof surface->deviation);
    }
    if (w->contacts) transfer(s, &w->contacts->set.farther, sizeof w->contacts->set.farther);
}

static void transfer_change(cord_world *w, stream *s, pose_change *x)
{
    unsigned char pending = x->pending;
    transfer(s, &pending, sizeof pending);
    transfer(s, &x->before, sizeof x->before);
    transfer(s, x->shift, sizeof x->shift);
    transfer(s, x->rotation, sizeof x->rotation);
    transfer(s, &x->start, sizeof x->start);
    transfer(s, &x->end, sizeof x->end);
    x->pending = pending != 0;
    w->poses_pending = w->poses_pending || x->pending;
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
    transfer(s, p->now.side, (size_t)p->side_count * sizeof(double));
    for (int i = 0; i < p->constraints; i++) transfer_constraint(w, s, p->constraint[i]);
    for (int i = 0; i < p->forces; i++) transfer_force(s, p->force[i]);
    for (int i = 0; i < w->points.count; i++) {
        point *pt = w->points.item[i];
        if (!pt) continue;
        transfer(s, pt->position, sizeof pt->position);
        transfer(s, pt->orientation, sizeof pt->orientation);
        transfer_change(w, s, &pt->change);
        unsigned char released = pt->released;
        transfer(s, &released, sizeof released);
        cord__set_released(w, pt, released != 0);
    }
    for (int i = 0; i < p->loads; i++) transfer_force(s, p->load[i]);
    transfer_contacts(w, s);
    transfer_deviations(w, s);
    if (w->user_state) transfer(s, w->user_state, (size_t)w->user_state_count * sizeof(double));
}

/* Of a world in which the user has changed none, the definitions have all constants. */
static uint64_t hash_schedules(const cord_world *w, uint64_t hash)
{
    for (int i = 0; i < w->strands.count; i++) {
        const strand *s = w->strands.item[i];
        const schedule *of = s ? s->block.schedule : NULL;
        if (!of) continue;
        hash = hash_bytes(hash, (const char *)s->block.load_acceleration,
                          sizeof s->block.load_acceleration);
        hash = hash_bytes(hash, (const char *)&of->length_factor, sizeof of->length_factor);
        hash = hash_bytes(hash, (const char *)of->stiffness_factor, sizeof of->stiffness_factor);
        hash = hash_bytes(hash, (const char *)of->natural_constant,
                          3 * sizeof(double) * (size_t)of->natural_count);
    }
    return hash;
}

uint64_t cord__hash_terms(const cord_world *w, uint64_t hash)
{
    const problem *p = &w->problem;
    stream s = {.hash = &hash};
    for (int i = 0; i < p->blocks; i++)
        if (p->block[i]->growth) hash = p->block[i]->ops->growth->hash(p->block[i]->model, hash);
    for (int i = 0; i < p->blocks; i++)
        if (p->block[i]->ops->quadrature)
            hash = p->block[i]->ops->quadrature->hash(p->block[i]->model, hash);
    for (int i = 0; i < p->constraints; i++) {
        constraint of = *p->constraint[i];
        /* The active set is where Newton's iteration starts; a failed attempt leaves its own. */
        memset(of.state.active, 0, sizeof of.state.active);
        transfer_constraint(w->self, &s, &of);
    }
    for (int i = 0; i < p->forces; i++) transfer_force(&s, p->force[i]);
    for (int i = 0; i < p->loads; i++) transfer_force(&s, p->load[i]);
    transfer_contacts(w, &s);
    return hash_schedules(w, hash);
}

static header header_of(const cord_world *w)
{
    const problem *p = &w->problem;
    const energy_check *e = &w->energy_check;
    header h = {.version = VERSION,
                .flags = w->start_stale | w->problem.meet_rows_first << 1 | e->known << 2 |
                         w->problem.meet_all_rows << 3 | w->forces_changed << 4,
                .counts = {p->q_count, p->v_count, p->lambda_count, p->side_count,
                           p->inertial_count, p->constraints, w->points.used, p->loads,
                           w->user_state_count, (int64_t)cord__topologies_size(w),
                           w->counters.steps, (int64_t)cord__schedules_size(w), remembered(w),
                           (int64_t)cord__breaks_size(w)},
                .time = p->now.time,
                .spin_filter = p->environment.spin_filter};
    if (e->known)
        memcpy(h.energy,
               (double[]){e->motion_and_strain, e->gravity, e->largest, e->kinetic, e->total},
               sizeof h.energy);
    memcpy(h.magic, MAGIC, sizeof h.magic);
    memcpy(h.gravity, p->gravity.constant, sizeof h.gravity);
    return h;
}

static size_t body_size(const cord_world *w)
{
    stream s = {0};
    walk(w->self, &s);
    return s.used;
}

cord_status cord_world_get_state_size(const cord_world *w, size_t *size)
{
    if (cord__enter(w) != CORD_OK) return cord__refused(w);
    if (!size) return cord__fail(w, CORD_ERROR_ARGUMENT, "the result is NULL");
    cord_status status = cord__world_ready(w);
    if (status == CORD_OK)
        *size = sizeof(header) + cord__breaks_size(w) + cord__topologies_size(w) +
                cord__schedules_size(w) + body_size(w) + sizeof(uint64_t);
    return status;
}

cord_status cord_world_get_state(const cord_world *w, void *bytes)
{
    if (cord__enter(w) != CORD_OK) return cord__refused(w);
    if (!bytes) return cord__fail(w, CORD_ERROR_ARGUMENT, "the result is NULL");
    cord_status status = cord__world_ready(w);
    if (status != CORD_OK) return status;
    header h = header_of(w);
    stream s = {.out = bytes};
    transfer(&s, &h, sizeof h);
    cord__breaks_write(w, s.out + s.used);
    s.used += cord__breaks_size(w);
    cord__topologies_write(w, s.out + s.used);
    s.used += cord__topologies_size(w);
    cord__schedules_write(w, s.out + s.used);
    s.used += cord__schedules_size(w);
    walk(w->self, &s);
    uint64_t hash = hash_bytes(14695981039346656037u, bytes, s.used);
    transfer(&s, &hash, sizeof hash);
    return CORD_OK;
}

/* A block has other unknowns after an event; the counts of doubles are small enough for their sum not to overflow. */
static bool same_objects(const header *h, const header *own)
{
    const int64_t most = INT32_MAX;
    bool fine =
        memcmp(h->counts + CHANGING, own->counts + CHANGING, FIXED * sizeof *h->counts) == 0;
    for (int i = 0; i < CHANGING; i++) {
        bool may_change = own->counts[TOPOLOGIES] > 0 && h->counts[i] >= 0 && h->counts[i] <= most;
        fine = fine && (may_change || h->counts[i] == own->counts[i]);
    }
    for (int i = 0; i < 2; i++) {
        int64_t bytes = h->counts[i ? SCHEDULES : TOPOLOGIES];
        fine = fine && bytes >= 0 && bytes / 1000 <= most;
    }
    return fine && h->counts[CONTACTS] >= 0 && h->counts[CONTACTS] <= most;
}

/* Whether the bytes are a complete state of this version. */
static cord_status check_bytes(const cord_world *w, const void *bytes, size_t size, header *h)
{
    uint64_t hash;
    if (size < sizeof *h + sizeof hash)
        return cord__fail(w, CORD_ERROR_ARGUMENT, "the state is cut short");
    memcpy(h, bytes, sizeof *h);
    if (memcmp(h->magic, MAGIC, sizeof MAGIC) != 0 || h->version != VERSION)
        return cord__fail(w, CORD_ERROR_ARGUMENT, "this is not a state of this version of Cordage");
    memcpy(&hash, (const char *)bytes + size - sizeof hash, sizeof hash);
    if (hash != hash_bytes(14695981039346656037u, bytes, size - sizeof hash))
        return cord__fail(w, CORD_ERROR_ARGUMENT, "the state is damaged or cut short");
    return CORD_OK;
}

/* The present state; NULL: out of memory. */
static char *keep_state(cord_world *w, size_t *size)
{
    if (cord_world_get_state_size(w, size) != CORD_OK) return NULL;
    char *kept = NEW(&w->memory, char, *size);
    if (kept && cord_world_get_state(w, kept) == CORD_OK) return kept;
    cord__release(&w->memory, kept);
    return NULL;
}

/* Joins and divides strands so that the breaks are those of the state. `kept`: the state before, or NULL where the breaks
 * are the same. */
static cord_status set_breaks(cord_world *w, const char *from, size_t size, char **kept,
                              size_t *kept_size)
{
    const size_t own = cord__breaks_size(w);
    if (own == 0 && size == 0) return CORD_OK;
    *kept = keep_state(w, kept_size);
    if (!*kept) return cord__fail(w, CORD_ERROR_MEMORY, "out of memory for a state");
    if (size == own && memcmp(*kept + sizeof(header), from, own) == 0) return CORD_OK;
    cord_status status = cord__breaks_read(w, from, size);
    if (status == CORD_ERROR_ARGUMENT)
        return cord__fail(w, status, "the state is of a world with other strands in it");
    return status == CORD_OK ? cord__world_ready(w) : status;
}

/* The rest of the state, from `s` on, into a world with its breaks. */
static cord_status set_values(cord_world *w, stream *s, const header *h, size_t size)
{
    const header own = header_of(w);
    if (!same_objects(h, &own) || (h->counts[CONTACTS] > 0 && !w->contacts))
        return cord__fail(w, CORD_ERROR_ARGUMENT, "the state is of a world with other objects");
    int64_t more[CHANGING];
    for (int i = 0; i < CHANGING; i++) more[i] = h->counts[i] - own.counts[i];
    int64_t numbers = more[0] + 2 * more[1] + more[2] + more[3] + 2 * more[4];
    int64_t expected =
        (int64_t)(s->used + body_size(w) + sizeof(uint64_t)) + h->counts[TOPOLOGIES] +
        h->counts[SCHEDULES] + numbers * (int64_t)sizeof(double) +
        (h->counts[CONTACTS] - own.counts[CONTACTS]) * (int64_t)sizeof(contact_memory);
    if ((int64_t)size != expected)
        return cord__fail(w, CORD_ERROR_ARGUMENT, "the state is cut short");
    const char *schedules = s->in + s->used + h->counts[TOPOLOGIES];
    cord_status status = cord__schedules_reserve(w, schedules, (size_t)h->counts[SCHEDULES]);
    if (status == CORD_ERROR_ARGUMENT)
        return cord__fail(w, status, "the state is of a world with other strands in it");
    if (status == CORD_OK) status = cord__contacts_reserve(w, (int)h->counts[CONTACTS]);
    if (status != CORD_OK) return status;
    status = cord__topologies_read(w, s->in + s->used, (size_t)h->counts[TOPOLOGIES], more);
    if (status == CORD_ERROR_ARGUMENT)
        return cord__fail(w, status, "the state is of a world with other strands in it");
    if (status == CORD_ERROR_MEMORY) return cord__fail(w, status, "out of memory for the state");
    if (status == CORD_OK) status = cord__world_ready(w);
    if (status != CORD_OK) return status;
    s->used += (size_t)(h->counts[TOPOLOGIES] + h->counts[SCHEDULES]);
    if (w->contacts) {
        w->contacts->set.remembered = (int)h->counts[CONTACTS];
        w->contacts->set.renumbered = true;
    }
    walk(w, s);
    cord__schedules_read(w, schedules, (size_t)h->counts[SCHEDULES]);
    return CORD_OK;
}

static void set_clock(cord_world *w, const header *h)
{
    w->problem.now.time = h->time;
    w->problem.environment.spin_filter = h->spin_filter;
    memcpy(w->problem.gravity.constant, h->gravity, sizeof h->gravity);
    cord__update_schedules(w);
    cord__set_growth_time(w);
    w->counters.steps = h->counts[STEPS];
    w->revision++;
    cord__update_elements(w, false);
    w->start_stale = h->flags & 1;
    w->forces_changed = h->flags >> 4 & 1;
    w->problem.meet_rows_first = h->flags >> 1 & 1;
    w->problem.meet_all_rows = h->flags >> 3 & 1;
    w->energy_check = (energy_check){.known = h->flags >> 2 & 1,
                                     .motion_and_strain = h->energy[0],
                                     .gravity = h->energy[1],
                                     .largest = h->energy[2],
                                     .kinetic = h->energy[3],
                                     .total = h->energy[4]};
    if (w->sliders.used > 0)
        w->elements_stale = true; /* points may have returned to their strands, or slid off them */
}

/* The message stays that of the failure. */
static void return_to(cord_world *w, const char *kept, size_t size)
{
    char why[sizeof w->error];
    memcpy(why, w->error, sizeof why);
    cord_world_set_state(w, kept, size);
    memcpy(w->error, why, sizeof why);
}

cord_status cord_world_set_state(cord_world *w, const void *bytes, size_t size)
{
    if (cord__enter(w) != CORD_OK) return cord__refused(w);
    if (!bytes) return cord__fail(w, CORD_ERROR_ARGUMENT, "the state is NULL");
    cord_status status = cord__world_ready(w);
    if (status != CORD_OK) return status;
    header h;
    status = check_bytes(w, bytes, size, &h);
    if (status != CORD_OK) return status;
    stream s = {.in = bytes, .used = sizeof h};
    const int64_t breaks = h.counts[BREAKS];
    if (breaks < 0 || breaks > (int64_t)(size - sizeof h - sizeof(uint64_t)))
        return cord__fail(w, CORD_ERROR_ARGUMENT, "the state is cut short");
    char *kept = NULL;
    size_t kept_size;
    status = set_breaks(w, s.in + s.used, (size_t)breaks, &kept, &kept_size);
    s.used += (size_t)breaks;
    if (status == CORD_OK) status = set_values(w, &s, &h, size);
    if (status == CORD_OK) set_clock(w, &h);
    if (status == CORD_ERROR_ARGUMENT && kept) return_to(w, kept, kept_size);
    cord__release(&w->memory, kept);
    return status;
}

cord_status cord_world_reserve_user_state(cord_world *w, int count)
{
    if (cord__enter(w) != CORD_OK) return cord__refused(w);
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
