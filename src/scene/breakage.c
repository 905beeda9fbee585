#include "scene/breakage.h"

#include "scene/build.h"
#include "scene/tables.h"

#include <math.h>
#include <stddef.h>

typedef struct location_data {
    const node *at;
    double s, tension, curvature; /* limits: NaN where not given */
} location_data;

static const field location_fields[] = {
    {"s", FIELD_NUMBER, offsetof(location_data, s), true, NULL, "m", LIMIT_POSITIVE, NULL,
     "where along the strand; the nearest vertex, of a chain the nearest node"},
    {"tension", FIELD_NUMBER, offsetof(location_data, tension), false, NULL, "N", LIMIT_POSITIVE,
     NULL, "that breaks it there; default: that of the strand"},
    {"curvature", FIELD_NUMBER, offsetof(location_data, curvature), false, NULL, "1/m",
     LIMIT_POSITIVE, NULL, "likewise, of bending"},
};
static const mapping location_map = {"at",
                                     "a location with limits of its own, such as a weak link",
                                     sizeof(location_data),
                                     location_fields,
                                     FIELD_COUNT(location_fields),
                                     NULL};

static const field breakage_fields[] = {
    {"tension", FIELD_NUMBER, offsetof(breakage_data, tension), false, NULL, "N", LIMIT_POSITIVE,
     NULL, "that breaks it; default: none does"},
    {"curvature", FIELD_NUMBER, offsetof(breakage_data, curvature), false, NULL, "1/m",
     LIMIT_POSITIVE, NULL, "of bending that breaks it; default: none does"},
    {"at", FIELD_LIST, offsetof(breakage_data, locations), false, NULL, NULL, LIMIT_NONE,
     &location_map, "locations with limits of their own, such as a weak link"},
    {"most", FIELD_INTEGER, offsetof(breakage_data, most), false, "3", "", LIMIT_ORBIT, NULL,
     "breaks at most; a recording has room for that many more strands"},
};

static bool finish_breakage(reader *r, void *item)
{
    const breakage_data *b = item;
    if (!isnan(b->tension) || !isnan(b->curvature) || b->locations.count > 0) return true;
    cord__diagnose(r->errors, b->at->at,
                   "breaks: no limit is given; give a \"tension\", a \"curvature\" or locations "
                   "(\"at\")");
    return false;
}

const mapping cord__breakage_map = {"breaks",
                                    "the tension and the curvature at which the strand breaks",
                                    sizeof(breakage_data),
                                    breakage_fields,
                                    FIELD_COUNT(breakage_fields),
                                    finish_breakage};

static double limit_of(double given)
{
    return isnan(given) ? 0 : given;
}

bool cord__build_breakage(builder *b, const strand_data *s, cord_strand strand)
{
    const breakage_data *d = s->breaks;
    if (!d) return true;
    cord_breakage_def def = cord_breakage_def_default();
    cord_break_location *at =
        TAKE(&b->simulation->memory, cord_break_location, d->locations.count + 1);
    if (!at) return cord__check_built(b, CORD_ERROR_MEMORY, d->at, "breaks");
    for (int i = 0; i < d->locations.count; i++) {
        const location_data *l = ITEM(d->locations, location_data, i);
        at[i] = (cord_break_location){l->s, limit_of(l->tension), limit_of(l->curvature)};
    }
    def.tension = limit_of(d->tension), def.curvature = limit_of(d->curvature);
    def.location_count = d->locations.count, def.locations = at;
    def.most = d->most;
    cord_strand_info info;
    cord_status status = cord_strand_set_breakage(b->world, strand, &def);
    if (status == CORD_OK) status = cord_strand_get_info(b->world, strand, &info);
    if (!cord__check_built(b, status, d->at, "breaks")) return false;
    built_strand *built =
        b->simulation->strands + (s - ITEM(b->scene->data.strands, strand_data, 0));
    built->breaks = d->most;
    built->vertex_count = info.vertex_count, built->edge_count = info.edge_count;
    return true;
}
