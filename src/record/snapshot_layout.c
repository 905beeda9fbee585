/* The objects of a frame, described from a simulation. */
#include "record/snapshot.h"

#include "record/origin.h"

#include <stdio.h>
#include <string.h>

/* ---- strands -------------------------------------------------------------------------------- */

static cord_status describe_strand(const cord_simulation *sim, int i, snapshot_layout *l)
{
    const cord_scene *scene = cord_simulation_get_scene(sim);
    cord_strand_info info;
    cord_status status = cord_strand_get_info(cord_simulation_get_world(sim),
                                              cord_simulation_get_strand(sim, i), &info);
    if (status != CORD_OK) return status;
    int vertices, edges;
    const bool breaks = cord__reserved_breaks(sim, i, &vertices, &edges) > 0;
    if (breaks) {
        info.closed = vertices == edges;
        info.vertex_count = vertices + info.closed;
        info.edge_count = edges;
    }
    l->strands[i] = (snapshot_strand){.name = cord_scene_get_strand_name(scene, i),
                                      .model = info.model,
                                      .vertex_count = info.vertex_count,
                                      .edge_count = info.edge_count,
                                      .first_vertex = l->vertex_count,
                                      .first_edge = l->edge_count,
                                      .closed = info.closed && !breaks,
                                      .opens = info.closed && breaks,
                                      .scene_strand = i,
                                      .section = info.section,
                                      .length = info.length,
                                      .mass = info.mass,
                                      .colour = cord_scene_get_strand_colour(scene, i),
                                      .look = cord_scene_get_strand_look(scene, i)};
    l->vertex_count += (size_t)info.vertex_count;
    l->edge_count += (size_t)info.edge_count;
    if ((size_t)info.edge_count > l->longest) l->longest = (size_t)info.edge_count;
    return status;
}

enum { NUMBER_SIZE = 16 };

/* Room for the fragments of the strands that may break, after all strands of the scene: "rope.2", "rope.3", … */
static cord_status describe_fragments(memory *m, const cord_simulation *sim, int scene_strands,
                                      snapshot_layout *l)
{
    size_t size = 1;
    for (int i = 0; i < scene_strands; i++)
        size += (size_t)cord__reserved_breaks(sim, i, NULL, NULL) *
                (strlen(l->strands[i].name) + NUMBER_SIZE);
    char *name = l->fragment_names = NEW(m, char, size);
    if (!name) return CORD_ERROR_MEMORY;
    for (int i = 0, next = scene_strands; i < scene_strands; i++)
        for (int k = 1; k <= cord__reserved_breaks(sim, i, NULL, NULL); k++, next++) {
            snapshot_strand *s = &l->strands[next];
            *s = l->strands[i];
            s->opens = false;
            s->length = s->mass = 0; /* not known before the break */
            s->fragment = k;
            s->first_vertex = l->vertex_count, s->first_edge = l->edge_count;
            l->vertex_count += (size_t)s->vertex_count;
            l->edge_count += (size_t)s->edge_count;
            s->name = name;
            name += sprintf(name, "%s.%d", l->strands[i].name, k + 1) + 1;
        }
    return CORD_OK;
}

static cord_status find_capabilities(memory *m, const cord_simulation *sim, snapshot_layout *l)
{
    double *values = NEW(m, double, 9 * (l->longest + 1));
    cord_status status = values ? CORD_OK : CORD_ERROR_MEMORY;
    for (int i = 0; status == CORD_OK && i < QUANTITY_COUNT * l->strand_count; i++) {
        int strand = i / QUANTITY_COUNT, what = i % QUANTITY_COUNT;
        const int of = l->strands[strand].scene_strand;
        status = cord__query_strand(cord_simulation_get_world(sim),
                                    cord_simulation_get_strand(sim, of), (quantity)what, values);
        l->strands[strand].has[what] = status == CORD_OK;
        if (status == CORD_ERROR_UNSUPPORTED) status = CORD_OK;
    }
    cord__release(m, values);
    return status;
}

static cord_status describe_strands(memory *m, const cord_simulation *sim, snapshot_layout *l)
{
    const int scene_strands = l->strand_count;
    for (int i = 0; i < scene_strands; i++)
        l->strand_count += cord__reserved_breaks(sim, i, NULL, NULL);
    l->strands = NEW(m, snapshot_strand, l->strand_count);
    cord_status status = l->strands ? CORD_OK : CORD_ERROR_MEMORY;
    for (int i = 0; status == CORD_OK && i < scene_strands; i++)
        status = describe_strand(sim, i, l);
    if (status == CORD_OK) status = describe_fragments(m, sim, scene_strands, l);
    return status == CORD_OK ? find_capabilities(m, sim, l) : status;
}

/* ---- bodies and probes ---------------------------------------------------------------------- */

static cord_status describe_bodies(memory *m, const cord_simulation *sim, snapshot_layout *l)
{
    const cord_scene *scene = cord_simulation_get_scene(sim);
    l->bodies = NEW(m, snapshot_body, l->body_count);
    if (!l->bodies) return CORD_ERROR_MEMORY;
    for (int i = 0; i < l->body_count; i++) {
        cord_body_info info;
        cord_status status = cord_simulation_get_solid(sim, i, &info);
        if (status != CORD_OK) return status;
        snapshot_body *b = &l->bodies[i];
        *b = (snapshot_body){.name = cord_scene_get_solid_name(scene, i),
                             .shape = info.shape,
                             .mass = info.mass,
                             .colour = cord_scene_get_solid_colour(scene, i),
                             .look = cord_scene_get_solid_look(scene, i),
                             .scenery = cord_scene_is_scenery(scene, i)};
        memcpy(b->center, info.center, sizeof b->center);
        memcpy(b->moments, info.principal_moments, sizeof b->moments);
        memcpy(b->axes, info.principal_axes, sizeof b->axes);
    }
    return CORD_OK;
}

static cord_status describe_probes(memory *m, const cord_simulation *sim, snapshot_layout *l)
{
    const cord_scene *scene = cord_simulation_get_scene(sim);
    size_t columns = 0;
    for (int i = 0; i < l->probe_count; i++)
        columns += (size_t)cord_scene_get_probe(scene, i).columns;
    l->probes = NEW(m, snapshot_probe, l->probe_count);
    const char **texts = l->column_texts = NEW(m, const char *, 2 * columns);
    if (!l->probes || !texts) return CORD_ERROR_MEMORY;
    for (int i = 0; i < l->probe_count; i++) {
        cord_probe_info info = cord_scene_get_probe(scene, i);
        int items = cord_simulation_get_probe_item_count(sim, i);
        const char **names = texts, **units = texts + info.columns;
        for (int c = 0; c < info.columns; c++)
            names[c] = cord_scene_get_probe_column(scene, i, c, &units[c]);
        l->probes[i] = (snapshot_probe){info.name,    info.measure,  info.of, items,
                                        info.columns, l->probe_size, names,   units};
        l->probe_size += (size_t)items * (size_t)info.columns;
        texts += 2 * (size_t)info.columns;
    }
    return CORD_OK;
}

/* ---- anchors, constraints, paths ------------------------------------------------------------ */

static void describe_anchors(const cord_simulation *sim, const cord_scene_info *info,
                             snapshot_layout *l)
{
    const cord_scene *scene = cord_simulation_get_scene(sim);
    for (int i = 0; i < info->clamp_count; i++) {
        cord_clamp_handles clamp = cord_simulation_get_clamp(sim, i);
        l->points[l->point_count++] = clamp.point;
        l->anchors[l->anchor_count++] = (snapshot_anchor){
            clamp.align.index ? ANCHOR_CLAMP : ANCHOR_PIN, cord_scene_get_clamp_name(scene, i)};
    }
    for (int i = 0; i < info->point_count; i++) {
        l->points[l->point_count++] = cord_simulation_get_point(sim, i);
        l->anchors[l->anchor_count++] =
            (snapshot_anchor){ANCHOR_POINT, cord_scene_get_point_name(scene, i)};
    }
}

/* The world's origin is no point: there the constraint's first point is listed again. */
static void describe_constraints(const cord_simulation *sim, int count, snapshot_layout *l)
{
    const cord_scene *scene = cord_simulation_get_scene(sim);
    for (int i = 0; i < count; i++) {
        cord_constraint_info info;
        if (cord_constraint_get_info(cord_simulation_get_world(sim),
                                     cord_simulation_get_constraint(sim, i), &info) != CORD_OK)
            continue;
        bool two = info.second.index != 0;
        snapshot_constraint *c = &l->constraints[l->constraint_count++];
        *c = (snapshot_constraint){.kind = info.kind,
                                   .name = info.name,
                                   .handle = cord_simulation_get_constraint(sim, i),
                                   .first = l->point_count,
                                   .second = two ? l->point_count + 1 : -1,
                                   .bar = cord_scene_get_constraint_bar(scene, i)};
        memcpy(c->direction, info.direction, sizeof c->direction);
        l->points[l->point_count++] = info.first;
        l->points[l->point_count++] = two ? info.second : info.first;
    }
}

static void describe_path(const cord_simulation *sim, int i, int bodies, snapshot_path *p)
{
    const cord_world *world = cord_simulation_get_world(sim);
    const cord_scene *scene = cord_simulation_get_scene(sim);
    cord_path path = cord_simulation_get_path(sim, i);
    cord_path_info info = {0};
    cord_path_get_info(world, path, &info);
    p->name = cord_scene_get_path_name(scene, i);
    p->body = -1;
    for (int k = 0; k <= PATH_PARTS; k++)
        cord_path_get_position(world, path, info.length * k / PATH_PARTS, true, p->points + 3 * k,
                               NULL);
    for (int k = 0; info.body.index && k < bodies; k++)
        if (cord_simulation_get_body(sim, k).index == info.body.index) p->body = k;
}

static cord_status describe_points(memory *m, const cord_simulation *sim,
                                   const cord_scene_info *info, snapshot_layout *l)
{
    size_t anchors = (size_t)info->clamp_count + (size_t)info->point_count;
    l->anchors = NEW(m, snapshot_anchor, anchors);
    l->constraints = NEW(m, snapshot_constraint, info->constraint_count);
    l->points = NEW(m, cord_point, anchors + 2 * (size_t)info->constraint_count);
    l->paths = NEW(m, snapshot_path, info->path_count);
    if (!l->anchors || !l->constraints || !l->points || !l->paths) return CORD_ERROR_MEMORY;
    describe_anchors(sim, info, l);
    describe_constraints(sim, info->constraint_count, l);
    l->path_count = info->path_count;
    for (int i = 0; i < l->path_count; i++) describe_path(sim, i, info->body_count, &l->paths[i]);
    return CORD_OK;
}

/* ---- all of them ---------------------------------------------------------------------------- */

cord_status cord__snapshot_layout_make(memory *m, const cord_simulation *sim, snapshot_layout *l)
{
    cord_scene_info info = cord_scene_get_info(cord_simulation_get_scene(sim));
    *l = (snapshot_layout){.strand_count = info.strand_count,
                           .body_count = info.solid_count,
                           .probe_count = info.probe_count,
                           .has_contacts = cord__has_contacts(cord_simulation_get_scene(sim))};
    cord_status status = describe_strands(m, sim, l);
    if (status == CORD_OK) status = describe_bodies(m, sim, l);
    if (status == CORD_OK) status = describe_probes(m, sim, l);
    if (status == CORD_OK) status = describe_points(m, sim, &info, l);
    return status;
}

void cord__snapshot_layout_free(memory *m, snapshot_layout *l)
{
    cord__release(m, l->strands);
    cord__release(m, l->bodies);
    cord__release(m, l->probes);
    cord__release(m, l->column_texts);
    cord__release(m, l->fragment_names);
    cord__release(m, l->anchors);
    cord__release(m, l->constraints);
    cord__release(m, l->points);
    cord__release(m, l->paths);
}
