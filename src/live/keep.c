/* States that one can go back to. A state goes with the edition, the fixtures, the moved anchors and the changes of its time:
 * a checkpoint fits only a world with the same objects, added in the same order. */
#include "live/session.h"

#include "math/vec3.h"
#include "record/origin.h"
#include "world/world.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double INTERVAL =
    0.25; /* s of simulated time between states that are kept by themselves */
enum { MOST_KEPT = 2000 };

static void free_kept(cord_session *l, live_kept *k)
{
    l->kept_bytes -= k->size + (k->fixtures ? sizeof *k->fixtures : 0);
    cord__live_edition_free(l, k->edition);
    cord__release(&l->mem, k->fixtures);
    cord__release(&l->mem, k->moves);
    cord__release(&l->mem, k->breaks);
    cord__release(&l->mem, k->state);
}

void cord__live_forget(cord_session *l, int from)
{
    while (l->kept_count > from) free_kept(l, &l->kept[--l->kept_count]);
}

/* Every second state of the older half goes. */
static void thin_out(cord_session *l)
{
    int kept = 0;
    for (int i = 0; i < l->kept_count; i++) {
        if (i < l->kept_count / 2 && i % 2 == 1)
            free_kept(l, &l->kept[i]);
        else
            l->kept[kept++] = l->kept[i];
    }
    l->kept_count = kept;
}

/* Fixtures in the order of their slots, in which another world has them when they are added one after the other. */
static int compare_fixtures(const void *a, const void *b)
{
    const live_fixture *x = a, *y = b;
    return x->first.index < y->first.index ? -1 : x->first.index > y->first.index;
}

static bool fill_breaks(cord_session *l, live_kept *k)
{
    int all = 0;
    for (int i = 0; i < l->info.strand_count; i++)
        all += cord__reserved_breaks(l->sim, i, NULL, NULL);
    if (all == 0) return true;
    k->breaks = NEW(&l->mem, int, l->info.strand_count);
    for (int i = 0; k->breaks && i < l->info.strand_count; i++)
        k->breaks[i] = cord__reserved_breaks(l->sim, i, NULL, NULL);
    return k->breaks;
}

static bool fill(cord_session *l, live_kept *k)
{
    cord_status status = cord_world_get_state_size(l->world, &k->size);
    k->state = status == CORD_OK ? cord__allocate(&l->mem, k->size, 1) : NULL;
    if (!k->state || cord_world_get_state(l->world, k->state) != CORD_OK) return false;
    k->time = cord_world_get_time(l->world);
    k->changes = l->changes;
    k->move_count = l->move_count;
    if (l->move_count > 0) {
        k->moves = cord__copy(&l->mem, l->moves, (size_t)l->move_count, sizeof *l->moves);
        if (!k->moves) return false;
    }
    if (!fill_breaks(l, k)) return false;
    if (l->fixtures.count == 0) return true;
    k->fixtures = cord__copy(&l->mem, &l->fixtures, 1, sizeof l->fixtures);
    if (!k->fixtures) return false;
    qsort(k->fixtures->items, (size_t)k->fixtures->count, sizeof *k->fixtures->items,
          compare_fixtures);
    cord__live_save_fixtures(l, k->fixtures);
    return true;
}

static bool has_room(cord_session *l)
{
    if (l->kept_count < l->kept_room) return true;
    int room = 2 * l->kept_room + 16;
    live_kept *more = cord__reallocate(&l->mem, l->kept, (size_t)room, sizeof *more);
    if (!more) return false;
    l->kept = more;
    l->kept_room = room;
    return true;
}

/* Without memory nothing is kept: one can then go back less far. */
void cord__live_keep(cord_session *l)
{
    if (!l->world || !has_room(l)) return;
    live_kept k = {0};
    bool good = fill(l, &k);
    l->kept_bytes += k.size + (k.fixtures ? sizeof *k.fixtures : 0);
    if (good) {
        k.edition = l->edition;
        k.edition->uses++;
        l->kept[l->kept_count++] = k;
    } else {
        free_kept(l, &k);
    }
    l->last_kept = cord_world_get_time(l->world);
    size_t most = l->def.kept_bytes;
    while ((l->kept_bytes > most || l->kept_count > MOST_KEPT) && l->kept_count > 2) thin_out(l);
}

void cord__live_keep_due(cord_session *l)
{
    double time = cord_world_get_time(l->world);
    if (l->last_kept < 0 || time >= l->last_kept + INTERVAL) cord__live_keep(l);
}

static bool same_fixtures(const cord_session *l, const live_kept *k)
{
    int count = k->fixtures ? k->fixtures->count : 0;
    if (count != l->fixtures.count) return false;
    for (int i = 0; i < count; i++)
        if (memcmp(&k->fixtures->items[i].first, &l->fixtures.items[i].first, sizeof(cord_point)) !=
            0)
            return false;
    return true;
}

/* Frames have rows for as many fragments as then: a strand that was cut since is whole again. */
static bool same_breaks(const cord_session *l, const live_kept *k)
{
    for (int i = 0; i < l->info.strand_count; i++)
        if (cord__reserved_breaks(l->sim, i, NULL, NULL) != (k->breaks ? k->breaks[i] : 0))
            return false;
    return true;
}

/* Builds the world of a kept state. It stays in the list. */
static bool rebuild(cord_session *l, const live_kept *k)
{
    k->edition->uses++;
    if (!cord__live_open(l, k->edition, &(live_opening){.quiet = true})) return false;
    if (k->fixtures) cord__live_add_fixtures(l, k->fixtures);
    for (int i = 0; k->breaks && i < l->info.strand_count; i++)
        if (cord__reserve_breaks(l->sim, i, k->breaks[i]) != CORD_OK) return false;
    return true;
}

bool cord__live_back(cord_session *l, double time)
{
    int at = l->kept_count - 1;
    while (at > 0 && l->kept[at].time > time + 0.5 * l->info.dt) at--;
    if (at < 0) {
        cord__live_fail(l, "no state was kept");
        return false;
    }
    live_kept k = l->kept[at];
    bool rebuilt = l->edition != k.edition || !same_fixtures(l, &k) || !same_breaks(l, &k);
    if (rebuilt && !rebuild(l, &k)) return false;
    cord_status status = cord_world_set_state(l->world, k.state, k.size);
    if (status != CORD_OK && !rebuilt) {
        if (!rebuild(l, &k)) return false;
        status = cord_world_set_state(l->world, k.state, k.size);
    }
    if (status != CORD_OK) {
        cord__live_fail(l, "%s", cord__live_why(l, status));
        return false;
    }
    l->changes = k.changes;
    if (k.changes.has_wind) cord_world_set_wind_velocity(l->world, k.changes.wind);
    if (k.move_count == l->move_count && k.moves)
        memcpy(l->moves, k.moves, (size_t)k.move_count * sizeof *k.moves);
    cord__live_release(l, 0);
    cord__live_forget(l, at + 1);
    l->last_kept = k.time;
    l->failed = false;
    if ((!rebuilt || k.breaks) && cord__live_describe(l) != CORD_OK) return false;
    cord__live_changed(l);
    return true;
}

/* The bytes fit a scene without pins and weights only. */
void cord__live_send_kept(cord_session *l, bool bytes)
{
    const live_kept *k = l->kept_count > 0 ? &l->kept[l->kept_count - 1] : NULL;
    bool sends = bytes && k && !k->fixtures;
    size_t start = cord__live_begin(l, LIVE_KEPT, false);
    cord__live_put_f64(&l->out, cord_world_get_time(l->world));
    cord__live_put_bytes(&l->out, sends ? k->state : NULL, sends ? k->size : 0);
    cord__live_end(l, start);
}
