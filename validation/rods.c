#include "validation/rods.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double pi = 3.14159265358979323846;

static rod_plan plan_along_x(int edges, double length)
{
    rod_plan p = {.edges = edges, .length = length, .direction = {1, 0, 0}};
    p.world = cord_world_def_default();
    p.world.threads = 1;
    p.strand = cord_strand_def_default();
    p.strand.damping = p.strand.drag = p.strand.quadratic_drag = 0;
    p.strand.director[1] = 1;         /* the first director is y, the second z … */
    p.strand.natural_director[1] = 1; /* … so that planes of motion are planes of the section */
    return p;
}

rod_plan rod_plan_unit(int edges, double length)
{
    rod_plan p = plan_along_x(edges, length);
    memset(p.world.gravity, 0, sizeof p.world.gravity);
    cord_section *s = &p.strand.section;
    *s = (cord_section){.kind = CORD_SECTION_EXPLICIT, .mass = 1, .stretching = 1, .twisting = 1};
    s->bending[0] = s->bending[1] = 1;
    s->rotary_inertia = 1e-4;
    s->radius = 0.01; /* for drawing only */
    return p;
}

rod_plan rod_plan_common(int edges)
{
    rod_plan p = plan_along_x(edges, 1.0);
    p.world.gravity[0] = p.world.gravity[1] = 0;
    p.world.gravity[2] = -9.81;
    p.strand.material = (cord_material){.density = 1000, .young = 1e6, .poisson = 0.5};
    p.strand.section = (cord_section){.kind = CORD_SECTION_CIRCLE, .radius = 5e-3};
    return p;
}

static double edge_length(const rod_plan *p, int edge)
{
    return p->edge_lengths ? p->edge_lengths[edge] : p->length / p->edges;
}

static void straight_line(const rod_plan *p, double *x)
{
    for (int k = 0; k < 3; k++) x[k] = p->start[k];
    for (int i = 0; i < p->edges; i++)
        for (int k = 0; k < 3; k++)
            x[3 * (i + 1) + k] = x[3 * i + k] + edge_length(p, i) * p->direction[k];
}

/* A regular polygon in the plane z = 0 whose sides are the rod's edges. */
static void polygon(const rod_plan *p, double *x)
{
    double radius = p->length / p->edges / (2 * sin(pi / p->edges));
    for (int i = 0; i < p->edges; i++) {
        double angle = 2 * pi * i / p->edges;
        x[3 * i] = radius * cos(angle);
        x[3 * i + 1] = radius * sin(angle);
        x[3 * i + 2] = 0;
    }
}

/* The natural shape of a closed strand is given open, with one vertex more than it has: the
 * closing edge is natural[last] … natural[last + 1]. */
static cord_status add_strand(const rod_plan *p, rod *r, double *natural)
{
    cord_strand_def def = p->strand;
    def.vertex_count = r->vertices;
    if (def.curvatures) { /* they say where it is */
        def.length = p->length;
        cord_status status = cord_world_add_strand(r->world, &def, &r->strand);
        return status == CORD_OK ? rod_look(r) : status;
    }
    def.positions = r->x;
    def.closed = p->ring;
    straight_line(p, natural);
    if (p->ring) {
        polygon(p, r->x);
        def.director[0] = def.director[1] = 0, def.director[2] = 1;
        def.natural_positions = natural;
    } else {
        const double *shape = p->shape ? p->shape : natural;
        memcpy(r->x, shape, 3 * (size_t)r->vertices * sizeof *r->x);
    }
    return cord_world_add_strand(r->world, &def, &r->strand);
}

cord_status rod_make(const rod_plan *plan, rod *r)
{
    *r = (rod){.edges = plan->edges, .length = plan->length};
    r->vertices = plan->ring ? plan->edges : plan->edges + 1;
    size_t size = 3 * (size_t)(plan->edges + 1) * sizeof(double);
    r->x = malloc(size);
    double *natural = malloc(size);
    cord_status status = r->x && natural ? CORD_OK : CORD_ERROR_MEMORY;
    if (status == CORD_OK) status = cord_world_create(&plan->world, &r->world);
    if (status == CORD_OK) status = add_strand(plan, r, natural);
    free(natural);
    return status;
}

void rod_free(rod *r)
{
    cord_world_destroy(r->world);
    free(r->x);
    *r = (rod){0};
}

cord_status rod_look(rod *r)
{
    return cord_strand_get_positions(r->world, r->strand, r->x);
}

const double *rod_tip(const rod *r)
{
    return r->x + 3 * (r->vertices - 1);
}

cord_status rod_clamp_first(rod *r, cord_point *clamp, cord_constraint *hold)
{
    return cord_world_clamp_strand(r->world, r->strand, 0, NULL, clamp, hold, NULL);
}

cord_status rod_clamp_last(rod *r, cord_point *clamp, cord_constraint *hold)
{
    return cord_world_clamp_strand(r->world, r->strand, r->length, NULL, clamp, hold, NULL);
}

/* The strand's point at s, and a world point: `place`, or (NULL) where the former is now. */
static cord_status points_at(rod *r, double s, const double *place, cord_point *on,
                             cord_point *world)
{
    cord_point_def def = cord_point_def_default();
    def.source = CORD_SOURCE_STRAND;
    def.strand = r->strand;
    def.s = s;
    cord_status status = cord_world_add_point(r->world, &def, on);
    if (status != CORD_OK) return status;
    cord_point_def prescribed = cord_point_def_default();
    prescribed.source = CORD_SOURCE_WORLD;
    if (place != NULL)
        memcpy(prescribed.position, place, sizeof prescribed.position);
    else
        status = cord_point_get_pose(r->world, *on, prescribed.position, NULL);
    if (status != CORD_OK) return status;
    return cord_world_add_point(r->world, &prescribed, world);
}

static cord_status relate(rod *r, double s, const char *kind, const double *place,
                          const double *direction, cord_point *point, cord_constraint *hold)
{
    cord_constraint_def def = cord_constraint_def_default();
    cord_status status = points_at(r, s, place, &def.first, &def.second);
    if (status != CORD_OK) return status;
    def.kind = kind;
    if (direction) memcpy(def.direction, direction, sizeof def.direction);
    if (point) *point = def.second;
    cord_constraint constraint;
    status = cord_world_add_constraint(r->world, &def, &constraint);
    if (status == CORD_OK && hold) *hold = constraint;
    return status;
}

cord_status rod_pin(rod *r, double s, cord_point *pin, cord_constraint *hold)
{
    return relate(r, s, CORD_COINCIDE, NULL, NULL, pin, hold);
}

cord_status rod_hold_plane(rod *r, double s, const double through[3], const double normal[3],
                           cord_constraint *hold)
{
    return relate(r, s, CORD_PLANE, through, normal, NULL, hold);
}

cord_status rod_hold_axis(rod *r, double s, const double direction[3])
{
    return relate(r, s, CORD_AXIS, NULL, direction, NULL, NULL);
}

void rod_trace(int edges, double length, const double *edge_lengths, rod_tangent tangent,
               const void *user, double *x)
{
    double s = 0;
    for (int i = 0; i < edges; i++) {
        double size = edge_lengths ? edge_lengths[i] : length / edges, t[3];
        tangent(user, s + size / 2, t);
        for (int k = 0; k < 3; k++) x[3 * (i + 1) + k] = x[3 * i + k] + size * t[k];
        s += size;
    }
}

cord_status rod_set_gravity(rod *r, double x, double y, double z)
{
    const double gravity[3] = {x, y, z};
    return cord_world_set_gravity(r->world, gravity);
}

cord_status rod_hold_ring(rod *r)
{
    static const double origin[3] = {0, 0, 0}, along[3] = {1, 0, 0}, normal[3] = {0, 0, 1};
    cord_status status = rod_pin(r, 0, NULL, NULL);
    if (status == CORD_OK) status = rod_hold_axis(r, r->length / 2, along);
    if (status == CORD_OK) status = rod_hold_plane(r, r->length / 4, origin, normal, NULL);
    return status;
}

cord_status rod_load_tip(rod *r, cord_load *load)
{
    cord_point_def point = cord_point_def_default();
    point.source = CORD_SOURCE_STRAND;
    point.strand = r->strand;
    point.s = r->length;
    cord_load_def def = cord_load_def_default();
    cord_status status = cord_world_add_point(r->world, &point, &def.point);
    if (status == CORD_OK) status = cord_world_add_load(r->world, &def, load);
    return status;
}

int rod_distinct(int count, const double *omega, double neutral, double same, int most,
                 double *mode)
{
    int found = 0;
    for (int i = 0; i < count && found < most; i++) {
        if (omega[i] < neutral) continue;
        if (found > 0 && omega[i] < (1 + same) * mode[found - 1]) continue;
        mode[found++] = omega[i];
    }
    return found;
}
