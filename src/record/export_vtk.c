/* VTK XML for ParaView: a PolyData file per frame with a polyline for each strand and the triangles of
 * each body, and recording.pvd, which gives the time of each. Numbers are appended in binary. Quantities
 * per edge are averaged to the vertices (scalars.h). */
#include "record/export.h"

#include "math/vec3.h"
#include "record/scalars.h"

#include <math.h>
#include <string.h>

/* The scalars per vertex come first, in their order. */
typedef enum field { DIRECTOR = SCALAR_COUNT, RADIUS, STRAND, BODY, FIELDS } field;

static const char *field_name(int f)
{
    static const char *const others[] = {"director", "radius", "strand", "body"};
    return f < SCALAR_COUNT ? cord__scalars[f].name : others[f - SCALAR_COUNT];
}

static int field_components(int f)
{
    return f == DIRECTOR ? 3 : 1;
}

typedef struct vtk {
    export_job *job;
    size_t points, ends; /* ends: entries of the connectivity */
    double *x, *values;
    float *field[FIELDS];
    int64_t *connectivity, *offsets;
    solid_mesh *solids;
    size_t triangles;
    int64_t *corners, *corner_offsets;
} vtk;

/* ---- one frame in memory ------------------------------------------------------------------ */

static void set_all(vtk *v, int f, size_t first, int count, double value)
{
    size_t components = (size_t)field_components(f);
    for (size_t i = 0; i < (size_t)count * components; i++) {
        v->field[f][first * components + i] = (float)value;
    }
}

static void put_field(vtk *v, int f, size_t first, int count)
{
    size_t components = (size_t)field_components(f);
    for (size_t i = 0; i < (size_t)count * components; i++) {
        v->field[f][first * components + i] = (float)v->values[i];
    }
}

/* The mean of the first directors at each vertex, as a unit vector. */
static void fill_directors(vtk *v, int strand)
{
    const frame_snapshot *f = &v->job->frame;
    const snapshot_strand *s = &f->layout->strands[strand];
    cord__edges_to_vertices(s, cord__snapshot_strand(f, strand, QUANTITY_FRAMES), 6, 3, 3,
                            v->values);
    for (int k = 0; k < s->vertex_count; k++) {
        double *d = v->values + 3 * (size_t)k, length = v3_norm(d);
        if (length > 0) v3_scale(d, 1 / length, d);
    }
    put_field(v, DIRECTOR, s->first_vertex, s->vertex_count);
}

/* A field that the strand's model does not give stays NaN. */
static void fill_strand(vtk *v, int strand)
{
    const frame_snapshot *f = &v->job->frame;
    const snapshot_strand *s = &f->layout->strands[strand];
    size_t first = s->first_vertex;
    set_all(v, RADIUS, first, s->vertex_count, cord__section_radius(&s->section));
    set_all(v, STRAND, first, s->vertex_count, strand);
    memcpy(v->x + 3 * first, cord__snapshot_strand(f, strand, QUANTITY_POSITIONS),
           3 * (size_t)s->vertex_count * sizeof *v->x);
    for (int k = 0; k < SCALAR_COUNT; k++) {
        if (!has_scalar(s, (vertex_scalar)k)) continue;
        cord__vertex_scalar(f, strand, (vertex_scalar)k, v->values);
        put_field(v, k, first, s->vertex_count);
    }
    if (s->has[QUANTITY_FRAMES]) fill_directors(v, strand);
}

/* The speed of a vertex of a body is |v + ω × (x − centre of mass)|. */
static void fill_body(vtk *v, int body, size_t first)
{
    const frame_snapshot *f = &v->job->frame;
    const solid_mesh *solid = &v->solids[body];
    const double *w = cord__snapshot_body(f, body, BODY_ANGULAR_VELOCITY);
    double arm[3], center[3];
    set_all(v, BODY, first, solid->vertex_count, body);
    cord__snapshot_body_point(f, body, f->layout->bodies[body].center, center);
    for (int k = 0; k < solid->vertex_count; k++) {
        double *x = v->x + 3 * (first + (size_t)k), velocity[3];
        cord__snapshot_body_point(f, body, solid->vertices + 3 * (size_t)k, x);
        v3_sub(arm, x, center);
        v3_cross(velocity, w, arm);
        v3_add(velocity, velocity, cord__snapshot_body(f, body, BODY_VELOCITY));
        v->field[SCALAR_SPEED][first + (size_t)k] = (float)v3_norm(velocity);
    }
}

static void fill_frame(vtk *v)
{
    const snapshot_layout *l = v->job->frame.layout;
    size_t first = l->vertex_count;
    for (int s = 0; s < l->strand_count; s++) fill_strand(v, s);
    for (int b = 0; b < l->body_count; b++) {
        fill_body(v, b, first);
        first += (size_t)v->solids[b].vertex_count;
    }
}

static void fill_lines(vtk *v)
{
    int64_t first = 0, used = 0;
    for (int s = 0; s < v->job->frame.layout->strand_count; s++) {
        const snapshot_strand *strand = &v->job->frame.layout->strands[s];
        for (int k = 0; k < strand->vertex_count; k++) v->connectivity[used++] = first + k;
        if (strand->closed) v->connectivity[used++] = first;
        v->offsets[s] = used;
        first += strand->vertex_count;
    }
    used = 0;
    for (int b = 0; b < v->job->frame.layout->body_count; b++) {
        const solid_mesh *solid = &v->solids[b];
        for (int c = 0; c < 3 * solid->triangle_count; c++) {
            v->corners[used++] = first + solid->triangles[c];
            if (used % 3 == 0) v->corner_offsets[used / 3 - 1] = used;
        }
        first += solid->vertex_count;
    }
}

/* ---- the file ----------------------------------------------------------------------------- */

static void declare(FILE *out, const char *type, const char *name, int components, size_t bytes,
                    size_t *offset)
{
    fprintf(out,
            "<DataArray type=\"%s\" Name=\"%s\" NumberOfComponents=\"%d\" format=\"appended\" "
            "offset=\"%zu\"/>\n",
            type, name, components, *offset);
    *offset += sizeof(uint64_t) + bytes;
}

static void write_block(FILE *out, const void *data, size_t bytes)
{
    uint64_t size = bytes;
    fwrite(&size, sizeof size, 1, out);
    fwrite(data, 1, bytes, out);
}

static const char *byte_order(void)
{
    const uint16_t one = 1;
    return *(const unsigned char *)&one ? "LittleEndian" : "BigEndian";
}

static void write_declarations(const vtk *v, FILE *out)
{
    size_t offset = 0, lines = (size_t)v->job->frame.layout->strand_count;
    fprintf(out,
            "<?xml version=\"1.0\"?>\n<VTKFile type=\"PolyData\" version=\"1.0\" "
            "byte_order=\"%s\" header_type=\"UInt64\">\n<PolyData>\n<Piece "
            "NumberOfPoints=\"%zu\" NumberOfVerts=\"0\" NumberOfLines=\"%zu\" "
            "NumberOfStrips=\"0\" NumberOfPolys=\"%zu\">\n<Points>\n",
            byte_order(), v->points, lines, v->triangles);
    declare(out, "Float64", "points", 3, 3 * v->points * sizeof *v->x, &offset);
    fputs("</Points>\n<Lines>\n", out);
    declare(out, "Int64", "connectivity", 1, v->ends * sizeof(int64_t), &offset);
    declare(out, "Int64", "offsets", 1, lines * sizeof(int64_t), &offset);
    fputs("</Lines>\n<Polys>\n", out);
    declare(out, "Int64", "connectivity", 1, 3 * v->triangles * sizeof(int64_t), &offset);
    declare(out, "Int64", "offsets", 1, v->triangles * sizeof(int64_t), &offset);
    fputs("</Polys>\n<PointData Scalars=\"tension\">\n", out);
    for (int f = 0; f < FIELDS; f++) {
        size_t numbers = v->points * (size_t)field_components(f);
        declare(out, "Float32", field_name(f), field_components(f), numbers * sizeof(float),
                &offset);
    }
    fputs("</PointData>\n</Piece>\n</PolyData>\n<AppendedData encoding=\"raw\">\n_", out);
}

static void write_data(const vtk *v, FILE *out)
{
    write_block(out, v->x, 3 * v->points * sizeof *v->x);
    write_block(out, v->connectivity, v->ends * sizeof(int64_t));
    write_block(out, v->offsets, (size_t)v->job->frame.layout->strand_count * sizeof(int64_t));
    write_block(out, v->corners, 3 * v->triangles * sizeof(int64_t));
    write_block(out, v->corner_offsets, v->triangles * sizeof(int64_t));
    for (int f = 0; f < FIELDS; f++) {
        write_block(out, v->field[f], v->points * (size_t)field_components(f) * sizeof(float));
    }
    fputs("\n</AppendedData>\n</VTKFile>\n", out);
}

static cord_status write_frame(vtk *v, int64_t i, FILE *list)
{
    char name[64];
    snprintf(name, sizeof name, "frame_%06lld.vtp", (long long)i);
    cord_status status = cord__export_frame(v->job, i, ALL_QUANTITIES);
    if (status != CORD_OK) return status;
    fill_frame(v);
    fprintf(list, "<DataSet timestep=\"%.17g\" part=\"0\" file=\"%s\"/>\n", *v->job->frame.time,
            name);
    FILE *out = cord__export_open(v->job, name);
    if (!out) return CORD_ERROR_FILE;
    write_declarations(v, out);
    write_data(v, out);
    return cord__export_close(v->job, out);
}

static cord_status write_all(vtk *v)
{
    FILE *list = cord__export_open(v->job, "recording.pvd");
    if (!list) return CORD_ERROR_FILE;
    fprintf(list,
            "<?xml version=\"1.0\"?>\n<VTKFile type=\"Collection\" version=\"0.1\" "
            "byte_order=\"%s\">\n<Collection>\n",
            byte_order());
    cord_status status = CORD_OK;
    for (int64_t i = 0; status == CORD_OK && i < v->job->count; i++) {
        status = write_frame(v, i, list);
    }
    fputs("</Collection>\n</VTKFile>\n", list);
    cord_status closed = cord__export_close(v->job, list);
    return status == CORD_OK ? closed : status;
}

/* ---- memory ------------------------------------------------------------------------------- */

static bool reserve(vtk *v)
{
    const snapshot_layout *l = v->job->frame.layout;
    memory *m = &v->job->mem;
    v->points = v->ends = l->vertex_count;
    for (int s = 0; s < l->strand_count; s++) v->ends += l->strands[s].closed;
    v->solids = cord__export_solids(v->job);
    for (int b = 0; v->solids && b < l->body_count; b++) {
        v->points += (size_t)v->solids[b].vertex_count;
        v->triangles += (size_t)v->solids[b].triangle_count;
    }
    v->corners = NEW(m, int64_t, 3 * v->triangles);
    v->corner_offsets = NEW(m, int64_t, v->triangles);
    v->x = NEW(m, double, 3 * v->points);
    v->values = NEW(m, double, 3 * (l->longest + 1));
    v->connectivity = NEW(m, int64_t, v->ends);
    v->offsets = NEW(m, int64_t, l->strand_count);
    bool good = v->x && v->values && v->connectivity && v->offsets && v->solids && v->corners &&
                v->corner_offsets;
    for (int f = 0; f < FIELDS; f++) {
        v->field[f] = NEW(m, float, v->points *(size_t)field_components(f));
        good = good && v->field[f];
        if (v->field[f]) set_all(v, f, 0, (int)v->points, NAN);
    }
    return good;
}

static cord_status vtk_run(export_job *job)
{
    vtk v = {.job = job};
    bool good = reserve(&v);
    if (good) fill_lines(&v);
    cord_status status = good ? write_all(&v) : CORD_ERROR_MEMORY;
    cord__release(&job->mem, v.x);
    cord__release(&job->mem, v.values);
    cord__release(&job->mem, v.connectivity);
    cord__release(&job->mem, v.offsets);
    cord__release(&job->mem, v.corners);
    cord__release(&job->mem, v.corner_offsets);
    cord__export_solids_free(job, v.solids);
    for (int f = 0; f < FIELDS; f++) cord__release(&job->mem, v.field[f]);
    return status;
}

const export_ops cord__export_vtk = {"vtk", "VTK PolyData for ParaView (vtp and pvd)", "vtk", true,
                                     vtk_run};
