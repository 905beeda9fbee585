/* libFuzzer target of the C interface, built and run by `make fuzz`. The input is a sequence of calls: a byte selects
 * the call, the bytes after it its arguments. There are two worlds, and handles of both in one list, so that null,
 * stale and foreign handles occur. Every status must be one of the list, and a failure must have a message. */
#include <cordage/cordage.h>

#include <limits.h>
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum {
    WORLDS = 2,
    HANDLES = 16,
    VERTICES = 9,
    CALLS = 60,
    LARGEST_MEMORY = 64 << 20,
    MOST_POLLS = 30
};

typedef struct session {
    const uint8_t *next, *end;
    cord_world *world[WORLDS];
    cord_strand strand[HANDLES];
    cord_body body[HANDLES];
    cord_path path[HANDLES];
    cord_point point[HANDLES];
    cord_constraint constraint[HANDLES];
    cord_load load[HANDLES];
    cord_obstacle obstacle[HANDLES];
    int polls; /* until the cancel function returns true */
} session;

/* ---- arguments ---------------------------------------------------------------------------------- */

static int byte(session *s)
{
    return s->next < s->end ? *s->next++ : 0;
}

static int below(session *s, int count)
{
    return byte(s) % count;
}

/* Mostly ordinary values. */
static double number(session *s)
{
    static const double extreme[] = {0,      -1,     1e160,  -1e160, 1e50,     1e49,     1e-50,
                                     1e-160, 1e-300, 1e300,  1e20,   1e-20,    1e9,      -1e9,
                                     5e-324, 1e-12,  3.1416, NAN,    INFINITY, -INFINITY};
    int kind = byte(s);
    if (kind >= 236) return extreme[kind - 236];
    if (kind >= 230) {
        double any = 0;
        for (size_t i = 0; i < sizeof any; i++) ((unsigned char *)&any)[i] = (unsigned char)byte(s);
        return any;
    }
    return (kind - 60) / 64.0;
}

static double positive(session *s)
{
    double x = number(s);
    return byte(s) % 16 ? fabs(x) + 1e-3 : x;
}

static int count(session *s)
{
    static const int extreme[] = {-1, INT_MIN, INT_MAX, 30, INT_MAX / 2, 12};
    int kind = byte(s);
    return kind >= 250 ? extreme[kind - 250] : kind % VERTICES;
}

static void numbers(session *s, int n, double *x)
{
    for (int i = 0; i < n; i++) x[i] = number(s);
}

static const char *name(session *s)
{
    return byte(s) % 2 ? "object" : NULL;
}

#define ANY(list) s->list[below(s, HANDLES)]

static cord_keys keys(session *s, int width, double *space)
{
    int n = below(s, 4);
    for (int i = 0; i < n; i++) space[i] = i + number(s) * 0.1;
    numbers(s, n * width, space + 4);
    return (cord_keys){.count = byte(s) % 32 ? n : -n,
                       .times = byte(s) % 32 ? space : NULL,
                       .values = space + 4,
                       .ease = (cord_ease)below(s, 3)};
}

/* ---- callbacks ---------------------------------------------------------------------------------- */

/* As realloc, up to a limit. */
static void *resize(void *user, void *memory, size_t size)
{
    (void)user;
    if (size > LARGEST_MEMORY) return NULL;
    if (size == 0) {
        free(memory);
        return NULL;
    }
    return realloc(memory, size);
}

static bool cancelled(void *user)
{
    session *s = user;
    return s->polls-- == 0;
}

static void expect(bool right)
{
    if (!right) abort();
}

/* A surface whose function calls the library back: the call must be refused. */
static void surface(const double size[3], void *user, const double at[2], double position[3],
                    double jacobian[6], double hessian[9])
{
    session *s = user;
    double x[3 * VERTICES];
    for (int i = 0; i < WORLDS; i++) {
        if (!s->world[i]) continue;
        expect(cord_world_step(s->world[i], 0.01) == CORD_ERROR_BUSY);
        expect(cord_world_remove_strand(s->world[i], s->strand[0]) == CORD_ERROR_BUSY);
        expect(cord_strand_get_positions(s->world[i], s->strand[0], x) == CORD_ERROR_BUSY);
        cord_world_destroy(s->world[i]);
    }
    cord_surface_torus(size, NULL, at, position, jacobian, hessian);
}

/* ---- calls -------------------------------------------------------------------------------------- */

static void check(const cord_world *w, cord_status status)
{
    expect(strcmp(cord_status_text(status), "unknown status") != 0);
    expect(status == CORD_OK || *cord_world_get_error(w) || status == CORD_ERROR_MEMORY);
}

static void create_world(session *s, int i)
{
    cord_world_def def = cord_world_def_default();
    cord_world_destroy(s->world[i]);
    def.integrator = (cord_integrator)(below(s, 5));
    def.scheme = (cord_scheme)below(s, 6);
    def.max_iterations = 5;
    def.max_halvings = below(s, 4);
    def.threads = 1;
    if (byte(s) % 4 == 0) def.max_velocity_change = number(s);
    if (byte(s) % 8 == 0) numbers(s, 3, def.gravity);
    def.allocator = (cord_allocator){resize, s};
    if (cord_world_create(&def, s->world + i) == CORD_OK)
        cord_world_set_cancel(s->world[i], cancelled, s);
}

/* A line of vertices, disturbed in one place. */
static int polyline(session *s, double *x)
{
    int n = 2 + below(s, VERTICES - 1);
    double step[3];
    numbers(s, 3, x);
    numbers(s, 3, step);
    for (int i = 3; i < 3 * n; i++) x[i] = x[i - 3] + step[i % 3] * (1 + 0.1 * (i % 5));
    if (byte(s) % 2) x[below(s, 3 * n)] = number(s);
    return n;
}

static void add_strand(session *s, cord_world *w)
{
    static const char *const models[] = {CORD_MODEL_DER,
                                         CORD_MODEL_SEGMENT,
                                         CORD_MODEL_HELIX,
                                         CORD_MODEL_CLOTHOID,
                                         CORD_MODEL_SPLINE,
                                         "none",
                                         NULL};
    double x[3 * VERTICES + 3], v[3 * VERTICES + 3], twist[VERTICES + 1], k[6 * VERTICES];
    cord_strand_def def = cord_strand_def_default();
    def.model = models[below(s, 7)];
    def.name = name(s);
    def.vertex_count = polyline(s, x);
    def.positions = x;
    int options = byte(s);
    numbers(s, 3, x + 3 * def.vertex_count);
    if (options & 1) def.closed = true;
    if (options & 2) numbers(s, 3 * def.vertex_count, v), def.velocities = v;
    if (options & 4) numbers(s, VERTICES, twist), def.twist = twist;
    if (options & 8) def.stretch = (cord_stretch)below(s, 3);
    if (options & 16) def.twist_mode = (cord_twist)below(s, 3);
    if (options & 32) def.natural_positions = x;
    if (options & 64) {
        def.element_count = count(s);
        if (def.element_count > 0 && def.element_count < VERTICES && byte(s) % 2) {
            numbers(s, 3 * (def.element_count + 1), k);
            def.curvatures = k;
            def.length = positive(s);
            def.planar = byte(s) % 2;
            def.kinematics = (cord_kinematics)below(s, 3);
        }
        def.control_point_count = count(s);
    }
    if (options & 128) {
        def.material.young = positive(s) * 1e6;
        def.material.density = positive(s) * 1e3;
        def.section.radius = positive(s) * 0.01;
        def.damping = positive(s) * 0.01, def.drag = positive(s);
        def.quadratic_drag = positive(s);
        numbers(s, 3, def.load);
        def.section.kind = (cord_section_kind)below(s, 6);
    }
    if (byte(s) % 32 == 0) def.vertex_count = -def.vertex_count;
    if (byte(s) % 32 == 0) def.positions = NULL;
    check(w, cord_world_add_strand(w, byte(s) % 64 ? &def : NULL, &ANY(strand)));
}

static void add_body(session *s, cord_world *w)
{
    static const double corners[12] = {0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1};
    static const int faces[12] = {0, 2, 1, 0, 1, 3, 0, 3, 2, 1, 2, 3};
    cord_body_def def = cord_body_def_default();
    def.name = name(s);
    numbers(s, 3, def.position);
    if (byte(s) % 2) numbers(s, 3, def.velocity), numbers(s, 3, def.angular_velocity);
    def.shape = (cord_shape){.kind = (cord_shape_kind)below(s, 7),
                             .radius = positive(s),
                             .length = positive(s),
                             .size = {positive(s), positive(s), positive(s)},
                             .vertex_count = 4,
                             .triangle_count = 4,
                             .vertices = byte(s) % 16 ? corners : NULL,
                             .triangles = byte(s) % 16 ? faces : NULL};
    if (byte(s) % 16 == 0) def.shape.triangle_count = -1;
    if (byte(s) % 4 == 0) numbers(s, 9, def.frame);
    if (byte(s) % 4 == 0) def.density = number(s);
    if (byte(s) % 4 == 0) def.mass = positive(s);
    if (byte(s) % 8 == 0) numbers(s, 9, def.inertia);
    if (byte(s) % 4 == 0) def.drag = number(s), def.angular_drag = number(s);
    check(w, cord_world_add_body(w, byte(s) % 64 ? &def : NULL, &ANY(body)));
}

static void add_path(session *s, cord_world *w)
{
    double x[3 * VERTICES + 3];
    cord_path_def def = cord_path_def_default();
    def.point_count = polyline(s, x);
    def.points = byte(s) % 32 ? x : NULL;
    def.closed = byte(s) % 2;
    if (byte(s) % 2) def.body = ANY(body);
    if (byte(s) % 32 == 0) def.point_count = -1;
    check(w, cord_world_add_path(w, &def, &ANY(path)));
}

static void add_point(session *s, cord_world *w)
{
    double motion[20], rotation[20];
    cord_point_def def = cord_point_def_default();
    def.source = (cord_source)below(s, 9);
    numbers(s, 3, def.position);
    if (byte(s) % 8 == 0) numbers(s, 9, def.frame);
    def.body = ANY(body), def.strand = ANY(strand), def.path = ANY(path);
    def.measured = ANY(point);
    if (byte(s) % 2) def.reference = ANY(point);
    def.s = number(s);
    def.end = (cord_end)below(s, 3);
    if (byte(s) % 4 == 0) numbers(s, 3, def.direction);
    if (byte(s) % 4 == 0) def.friction = number(s), def.restitution = number(s);
    if (byte(s) % 2) def.inertia = positive(s), def.initial_rate = number(s);
    if (byte(s) % 4 == 0) def.motion = keys(s, 3, motion), def.rotation = keys(s, 3, rotation);
    check(w, cord_world_add_point(w, byte(s) % 64 ? &def : NULL, &ANY(point)));
}

static void add_constraint(session *s, cord_world *w)
{
    static const char *const kinds[] = {
        CORD_COINCIDE,      CORD_ALIGN, CORD_PLANE, CORD_AXIS,      CORD_DISTANCE, CORD_PARALLEL,
        CORD_PERPENDICULAR, CORD_ANGLE, CORD_SLIDE, CORD_CURVATURE, "none",        NULL};
    double drive[20];
    cord_constraint_def def = cord_constraint_def_default();
    def.kind = kinds[below(s, 12)];
    def.name = name(s);
    def.first = ANY(point);
    if (byte(s) % 4) def.second = ANY(point);
    int options = byte(s);
    if (options & 1) numbers(s, 3, def.direction);
    if (options & 2) numbers(s, 3, def.first_direction);
    if (options & 4) def.length = number(s), def.ratio = number(s);
    if (options & 8) def.compliance = number(s), def.damping = number(s);
    if (options & 16) def.side = (cord_side)below(s, 4), def.restitution = number(s);
    if (options & 32) def.friction = number(s);
    if (options & 64) {
        def.release_time = number(s), def.release_force = number(s),
        def.release_distance = number(s);
        def.attach_time = number(s), def.attach_distance = number(s), def.attach_speed = number(s);
        def.attach_after = number(s), def.repeat = byte(s) % 2;
    }
    if (options & 128) def.drive = keys(s, 3, drive), numbers(s, 3, def.drive_rate);
    if (byte(s) % 8 == 0) numbers(s, 9, def.relative_frame), numbers(s, 3, def.curvature);
    check(w, cord_world_add_constraint(w, byte(s) % 64 ? &def : NULL, &ANY(constraint)));
}

static void add_load(session *s, cord_world *w)
{
    double space[3][20];
    cord_load_def def = cord_load_def_default();
    def.point = ANY(point);
    numbers(s, 3, def.force);
    if (byte(s) % 2) numbers(s, 3, def.torque);
    if (byte(s) % 2) def.coordinate_force = number(s);
    if (byte(s) % 4 == 0) {
        def.force_keys = keys(s, 3, space[0]);
        def.torque_keys = keys(s, 3, space[1]);
        def.coordinate_force_keys = keys(s, 1, space[2]);
    }
    check(w, cord_world_add_load(w, &def, &ANY(load)));
}

static void add_route(session *s, cord_cable_def *def, cord_waypoint *w)
{
    def->waypoint_count = 2 + below(s, 4);
    def->waypoints = w;
    for (int i = 0; i < def->waypoint_count; i++) {
        w[i] = (cord_waypoint){.kind = (cord_waypoint_kind)below(s, 8),
                               .point = ANY(point),
                               .path = ANY(path),
                               .radius = positive(s) * 0.1,
                               .side = byte(s) % 2 ? 1 : -1,
                               .rotation = byte(s) % 2 ? ANY(point) : (cord_point){0},
                               .friction_law = (cord_wrap_friction)below(s, 4)};
        numbers(s, 3, w[i].position);
        if (byte(s) % 4 == 0) w[i].turns = count(s), w[i].friction = number(s);
        if (byte(s) % 4 == 0) w[i].parts = count(s), w[i].loose = true, w[i].reversed = true;
        if (byte(s) % 16 == 0) w[i].side = count(s);
        if (byte(s) % 4 == 0) w[i].pitch = number(s), w[i].height = number(s);
        w[i].cylinder = byte(s) % 4 == 0, w[i].prescribed = byte(s) % 2;
    }
    if (byte(s) % 4 == 0) def->length = number(s);
}

static void add_nodes(session *s, cord_cable_def *def, cord_guide *g, cord_cable_node *n,
                      cord_wrap *wraps)
{
    def->guide_count = 1 + below(s, 4);
    def->node_count = 2 + below(s, 4);
    def->wrap_count = below(s, 2);
    def->guides = g, def->nodes = n, def->wraps = wraps;
    for (int i = 0; i < def->guide_count; i++) {
        g[i] = (cord_guide){.kind = (cord_guide_kind)below(s, 10),
                            .on = ANY(point),
                            .to = ANY(point),
                            .path = ANY(path),
                            .radius = positive(s),
                            .surface = byte(s) % 16 ? surface : NULL,
                            .size = {1, 0.2, 0},
                            .user = s};
    }
    for (int i = 0; i < def->node_count; i++) {
        n[i] = (cord_cable_node){.guide = below(s, def->guide_count + 2) - 1,
                                 .s = i + 0.1 * number(s),
                                 .eulerian = byte(s) % 2,
                                 .tangent = below(s, 4) - 1,
                                 .prescribed = byte(s) % 4 == 0};
        numbers(s, 3, n[i].at);
    }
    wraps[0] = (cord_wrap){.segment = count(s),
                           .friction_law = (cord_wrap_friction)below(s, 4),
                           .friction = number(s),
                           .rotation = ANY(point)};
}

static void add_cable(session *s, cord_world *w)
{
    cord_waypoint waypoints[6];
    cord_guide guides[6];
    cord_cable_node nodes[6];
    cord_wrap wraps[2];
    cord_cable_def def = cord_cable_def_default();
    def.name = name(s);
    if (byte(s) % 2) def.stretching = positive(s) * 100;
    if (byte(s) % 4 == 0) def.bending = number(s), def.damping = number(s), def.drag = number(s);
    if (byte(s) % 4 == 0) def.twisting = number(s), def.tension = number(s);
    if (byte(s) % 8 == 0) def.density = number(s), def.lumped = true;
    if (byte(s) % 4 == 0) def.closed = true, def.length = number(s);
    if (byte(s) % 8 == 0) def.vertex_count = count(s);
    if (byte(s) % 3)
        add_route(s, &def, waypoints);
    else
        add_nodes(s, &def, guides, nodes, wraps);
    if (byte(s) % 32 == 0) def.waypoint_count = -1;
    if (byte(s) % 32 == 0) def.guides = NULL, def.waypoints = NULL;
    check(w, cord_world_add_cable(w, byte(s) % 64 ? &def : NULL, &ANY(strand)));
}

static void clamp(session *s, cord_world *w)
{
    double motion[20], rotation[20];
    cord_point_def script = cord_point_def_default();
    script.motion = keys(s, 3, motion), script.rotation = keys(s, 3, rotation);
    const cord_point_def *moved = byte(s) % 4 == 0 ? &script : NULL;
    if (byte(s) % 2)
        check(w, cord_world_clamp_strand(w, ANY(strand), number(s), moved, &ANY(point),
                                         &ANY(constraint), &ANY(constraint)));
    else
        check(w, cord_world_clamp_body(w, ANY(body), moved, &ANY(point), NULL, &ANY(constraint)));
}

static void run(session *s, cord_world *w)
{
    double omega[4];
    int n;
    cord_statics_def statics = cord_statics_def_default();
    switch (below(s, 8)) {
    case 0:
        statics.max_iterations = 10;
        statics.kick = byte(s) % 4 ? 0 : number(s);
        check(w, cord_world_find_equilibrium(w, &statics, NULL));
        break;
    case 1: check(w, cord_world_find_frequencies(w, 1 + below(s, 4), omega)); break;
    case 2: check(w, cord_world_count_unstable_directions(w, &n, NULL)); break;
    case 3: check(w, cord_world_step(w, number(s))); break;
    case 4:
        s->polls = below(s, 30);
        check(w, cord_world_step(w, 0.02));
        break;
    default:
        for (int i = below(s, 4); i >= 0; i--) check(w, cord_world_step(w, 0.005));
    }
}

static void checkpoint(session *s, cord_world *w)
{
    size_t size = 0;
    uint64_t before = 0, after = 1;
    if (cord_world_get_state_size(w, &size) != CORD_OK || size > LARGEST_MEMORY) return;
    char *bytes = malloc(size);
    if (!bytes) return;
    check(w, cord_world_get_state(w, bytes));
    cord_world_hash(w, &before);
    bool damaged = byte(s) % 2;
    if (damaged)
        bytes[((size_t)byte(s) << 8 | (size_t)byte(s)) % size] ^= (char)(1 + below(s, 255));
    cord_world *to = s->world[below(s, WORLDS)];
    cord_status status =
        cord_world_set_state(to, bytes, damaged && byte(s) % 4 == 0 ? size / 2 : size);
    if (to) check(to, status);
    if (to == w && status == CORD_OK && cord_world_hash(w, &after) == CORD_OK)
        expect(before == after);
    free(bytes);
}

static void remove_any(session *s, cord_world *w)
{
    switch (below(s, 6)) {
    case 0: check(w, cord_world_remove_strand(w, ANY(strand))); break;
    case 1: check(w, cord_world_remove_body(w, ANY(body))); break;
    case 2: check(w, cord_world_remove_path(w, ANY(path))); break;
    case 3: check(w, cord_world_remove_point(w, ANY(point))); break;
    case 4: check(w, cord_world_remove_constraint(w, ANY(constraint))); break;
    default: check(w, cord_world_remove_load(w, ANY(load))); break;
    }
}

static void query_strand(session *s, cord_world *w)
{
    cord_strand a = ANY(strand);
    cord_strand_info info;
    cord_energy energy;
    if (cord_strand_get_info(w, a, &info) != CORD_OK) return;
    size_t room = 9 * (size_t)(info.vertex_count + info.edge_count + 6 * info.element_count + 16);
    if (room > LARGEST_MEMORY / sizeof(double)) return;
    double *x = malloc(room * sizeof *x), *y = malloc(room * sizeof *y);
    if (!x || !y) abort();
    check(w, cord_strand_get_positions(w, a, x));
    check(w, cord_strand_set_positions(w, a, x));
    check(w, cord_strand_get_velocities(w, a, x));
    x[0] = number(s);
    check(w, cord_strand_set_velocities(w, a, x));
    check(w, cord_strand_get_frames(w, a, x));
    check(w, cord_strand_get_curvatures(w, a, x));
    check(w, cord_strand_get_element_curvatures(w, a, x, y));
    check(w, cord_strand_get_angles(w, a, x));
    check(w, cord_strand_get_tensions(w, a, x));
    check(w, cord_strand_get_energy(w, a, &energy));
    check(w, cord_strand_set_closing_twist(w, a, number(s)));
    numbers(s, 3, x);
    check(w, cord_strand_set_load(w, a, x));
    cord_breakage_def limits = cord_breakage_def_default();
    cord_break last;
    limits.tension = number(s), limits.curvature = number(s);
    if (count(s) % 4 == 0) check(w, cord_strand_set_breakage(w, a, &limits));
    if (count(s) % 8 == 0) check(w, cord_strand_cut(w, a, number(s)));
    check(w, cord_strand_get_break(w, a, 0, &last));
    free(x);
    free(y);
}

static void query_cable(session *s, cord_world *w)
{
    cord_strand a = ANY(strand);
    cord_node_state node;
    cord_cable_events events;
    int n = 0;
    bool contact;
    double x[3];
    check(w, cord_cable_get_node_count(w, a, &n));
    check(w, cord_cable_get_node(w, a, count(s), &node));
    check(w, cord_cable_get_wrap(w, a, count(s), &contact, x, x + 1, x + 2));
    check(w, cord_cable_get_events(w, a, &events));
    check(w, cord_cable_get_twist(w, a, x, x + 1));
    check(w, cord_cable_get_tension(w, a, count(s), 0.5, x));
}

static void query_others(session *s, cord_world *w)
{
    double x[9], y[9], z[3];
    bool is;
    int n;
    cord_body_info body;
    cord_path_info path;
    cord_constraint_info constraint;
    cord_energy energy;
    cord_momentum momentum;
    cord_counters counters;
    cord_body b = ANY(body);
    cord_path p = ANY(path);
    cord_point at = ANY(point);
    cord_constraint r = ANY(constraint);
    check(w, cord_body_get_info(w, b, &body));
    check(w, cord_body_get_pose(w, b, x, y));
    check(w, cord_body_get_velocity(w, b, x, y));
    check(w, cord_body_get_energy(w, b, &energy));
    check(w, cord_path_get_info(w, p, &path));
    check(w, cord_path_get_position(w, p, number(s), byte(s) % 2, x, y));
    check(w, cord_point_get_pose(w, at, x, y));
    check(w, cord_point_get_velocity(w, at, x));
    check(w, cord_point_get_coordinate(w, at, x, y));
    check(w, cord_point_get_released(w, at, &is));
    check(w, cord_constraint_get_info(w, r, &constraint));
    check(w, cord_constraint_get_force(w, r, x, y));
    check(w, cord_constraint_get_friction(w, r, x, y, z));
    check(w, cord_constraint_get_residual(w, r, &n, x));
    check(w, cord_constraint_get_drive(w, r, x, y));
    check(w, cord_constraint_get_attached(w, r, &is));
    check(w, cord_world_get_energy(w, &energy));
    check(w, cord_world_get_momentum(w, &momentum));
    check(w, cord_world_get_counters(w, &counters));
}

static void set_any(session *s, cord_world *w)
{
    double x[9], y[9];
    numbers(s, 3, x);
    numbers(s, 9, y);
    switch (below(s, 11)) {
    case 0: check(w, cord_body_set_pose(w, ANY(body), x, y)); break;
    case 1: check(w, cord_body_set_velocity(w, ANY(body), x, y)); break;
    case 2: check(w, cord_point_set_pose(w, ANY(point), x, byte(s) % 2 ? y : NULL)); break;
    case 3: check(w, cord_constraint_set_drive(w, ANY(constraint), x, y)); break;
    case 4: check(w, cord_constraint_set_attached(w, ANY(constraint), byte(s) % 2)); break;
    case 5: check(w, cord_load_set_force(w, ANY(load), x)); break;
    case 6: check(w, cord_load_set_torque(w, ANY(load), x)); break;
    case 7: check(w, cord_load_set_coordinate_force(w, ANY(load), x[0])); break;
    case 8: check(w, cord_world_set_gravity(w, x)); break;
    case 9: check(w, cord_world_reserve_user_state(w, count(s))); break;
    default: {
        cord_vortex vortex = {.axis = {0, 0, 1}, .circulation = x[0], .core = y[1]};
        cord_wind_def wind = {.vortex_count = byte(s) % 2, .vortices = &vortex};
        memcpy(wind.velocity, x, sizeof wind.velocity);
        check(w, cord_world_set_wind(w, byte(s) % 8 ? &wind : NULL));
    }
    }
}

static void find_shape(session *s, cord_world *w)
{
    cord_inverse_def def = cord_inverse_def_default();
    def.rotate = byte(s) % 2, def.stiffen = byte(s) % 2;
    if (byte(s) % 8 == 0) def.margin = number(s);
    check(w, cord_strand_find_natural_shape(w, ANY(strand), &def, NULL));
}

static void fit(session *s)
{
    static const char *const models[] = {CORD_MODEL_SEGMENT, CORD_MODEL_HELIX, CORD_MODEL_CLOTHOID,
                                         "none"};
    double x[3 * VERTICES + 3], out[3 * 8];
    cord_fit_def def = cord_fit_def_default();
    cord_fit found;
    def.vertex_count = polyline(s, x);
    def.positions = x;
    def.model = models[below(s, 4)];
    def.tolerance = positive(s);
    def.closed = byte(s) % 2;
    def.plane = (cord_fit_plane)below(s, 4);
    def.allocator = (cord_allocator){resize, s};
    def.cancel = (cord_cancel){cancelled, s};
    def.max_elements = 12; /* more take minutes under the sanitizers */
    if (byte(s) % 8 == 0) def.corner_angle = number(s);
    if (byte(s) % 8 == 0) def.max_elements = -below(s, 3);
    cord_status status = cord_fit_curve(&def, &found);
    expect(status == CORD_OK || *found.error);
    for (int i = 0; status == CORD_OK && i < found.strand_count; i++)
        cord_fit_sample(found.strands + i, 8, out, NULL);
    cord_fit_free(&found);
}

/* ---- contact ------------------------------------------------------------------------------------ */

static void add_obstacle(session *s, cord_world *w)
{
    const double values[27] = {0.1, -0.1, 0.2};
    cord_obstacle_def def = cord_obstacle_def_default();
    def.name = name(s);
    def.kind = (cord_obstacle_kind)below(s, 5);
    def.shape.kind = (cord_shape_kind)below(s, 8);
    def.shape.radius = positive(s), def.shape.length = positive(s);
    numbers(s, 3, def.shape.size);
    for (int k = 0; k < 3; k++) def.count[k] = byte(s) % 8 ? 2 + below(s, 2) : 1;
    def.spacing = positive(s), def.values = byte(s) % 16 ? values : NULL;
    numbers(s, 3, def.position);
    if (byte(s) % 4 == 0) numbers(s, 9, def.frame);
    if (byte(s) % 2) def.point = ANY(point);
    def.surface.material = byte(s) % 8 ? below(s, 3) : count(s);
    check(w, cord_world_add_obstacle(w, byte(s) % 64 ? &def : NULL, &ANY(obstacle)));
}

static void set_surface(session *s, cord_world *w)
{
    cord_contact_surface surface_def = cord_contact_surface_default();
    surface_def.self = byte(s) % 2, surface_def.material = below(s, 3);
    if (byte(s) % 4 == 0) surface_def.radius = number(s), surface_def.mask = (uint32_t)byte(s);
    const cord_contact_surface *given = byte(s) % 8 ? &surface_def : NULL;
    if (byte(s) % 2)
        check(w, cord_strand_set_surface(w, ANY(strand), given));
    else
        check(w, cord_body_set_surface(w, ANY(body), given));
}

static void contact(session *s, cord_world *w)
{
    double x[3], y[9];
    cord_contact list[4];
    int n;
    cord_contact_def def = cord_contact_def_default();
    switch (below(s, 8)) {
    case 0:
        def.friction = number(s), def.restitution = byte(s) % 4 ? 0 : number(s);
        def.guarantee = byte(s) % 4 == 0, def.max_sweeps = 50;
        if (byte(s) % 4 == 0) def.margin = number(s), def.tolerance = number(s);
        check(w, cord_world_set_contact(w, &def));
        break;
    case 1: check(w, cord_world_set_friction(w, below(s, 3), count(s), number(s), 0)); break;
    case 2:
    case 3: set_surface(s, w); break;
    case 4:
    case 5: add_obstacle(s, w); break;
    case 6: check(w, cord_world_remove_obstacle(w, ANY(obstacle))); break;
    default:
        check(w, cord_world_get_contacts(w, below(s, 5), list, &n));
        check(w, cord_obstacle_get_pose(w, ANY(obstacle), x, y));
        check(w, cord_obstacle_get_velocity(w, ANY(obstacle), x, y));
    }
}

static void call(session *s)
{
    int first = byte(s), which = first % 24, i = byte(s) % 8 == 0;
    if (which == 0 || !s->world[i]) {
        create_world(s, i);
        return;
    }
    cord_world *w = s->world[i];
    if (first >= 248) {
        contact(s, w);
        return;
    }
    switch (which) {
    case 1:
    case 2:
    case 3: add_strand(s, w); break;
    case 4: add_body(s, w); break;
    case 5: add_path(s, w); break;
    case 6:
    case 7:
    case 8: add_point(s, w); break;
    case 9:
    case 10: add_constraint(s, w); break;
    case 11: add_load(s, w); break;
    case 12:
    case 13: add_cable(s, w); break;
    case 14: clamp(s, w); break;
    case 15: checkpoint(s, w); break;
    case 16: remove_any(s, w); break;
    case 17: query_strand(s, w); break;
    case 18: query_cable(s, w); break;
    case 19: query_others(s, w); break;
    case 20: set_any(s, w); break;
    case 21: find_shape(s, w); break;
    case 22: fit(s); break;
    default: run(s, w);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    session s = {.next = data, .end = data + size};
    for (int i = 0; i < CALLS && s.next < s.end; i++) {
        s.polls = MOST_POLLS;
        call(&s);
    }
    for (int i = 0; i < WORLDS; i++)
        if (s.world[i]) {
            s.polls = MOST_POLLS;
            cord_world_step(s.world[i], 0.001);
            cord_world_destroy(s.world[i]);
        }
    return 0;
}
