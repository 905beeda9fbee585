/* VTK XML for ParaView: a PolyData file per frame with a polyline for each strand and the
 * triangles of each body, and recording.pvd, which says at what time each of them is. Numbers are appended in binary. What is
 * recorded per edge is averaged to the vertices. */
#include "record/export.h"

#include "math/vec3.h"

#include <math.h>
#include <string.h>

typedef enum field {
    TENSION,
    CURVATURE,
    TWIST,
    SPEED,
    DIRECTOR,
    RADIUS,
    STRAND,
    BODY,
    FIELDS
} field;

static const struct {
    const char *name;
    int components;
} fields[FIELDS] = {
    [TENSION] = {"tension", 1}, [CURVATURE] = {"curvature", 1}, [TWIST] = {"twist", 1},
    [SPEED] = {"speed", 1},     [DIRECTOR] = {"director", 3},   [RADIUS] = {"radius", 1},
    [STRAND] = {"strand", 1},   [BODY] = {"body", 1},
};

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

static void set_all(vtk *v, field f, size_t first, int count, double value)
{
    size_t components = (size_t)fields[f].components;
    for (size_t i = 0; i < (size_t)count * components; i++) {
        v->field[f][first * components + i] = (float)value;
    }
}

/* The mean over the one or two edges at a vertex, `width` numbers from `stride` at `from`. */
static void edges_to_vertices(const reading_strand *s, const double *edges, int stride, int from,
                              int width, float *vertices)
{
    for (int k = 0; k < s->vertex_count; k++) {
        int before = k > 0 ? k - 1 : s->closed ? s->edge_count - 1 : 0;
        int after = k < s->edge_count ? k : s->edge_count - 1;
        for (int c = 0; c < width; c++) {
            vertices[k * width + c] =
                (float)((edges[before * stride + from + c] + edges[after * stride + from + c]) / 2);
        }
    }
}

static void normalise(float *directors, int count)
{
    for (int k = 0; k < count; k++) {
        float *d = directors + 3 * (size_t)k;
        float length = sqrtf(d[0] * d[0] + d[1] * d[1] + d[2] * d[2]);
        for (int c = 0; c < 3 && length > 0; c++) d[c] /= length;
    }
}

static void fill_quantity(vtk *v, int strand, quantity what, size_t first)
{
    const reading_strand *s = &v->job->info->strands[strand];
    const double *values = v->values;
    for (int k = 0; k < s->vertex_count; k++) {
        const double *row = values + 3 * (size_t)k;
        size_t at = first + (size_t)k;
        if (what == QUANTITY_VELOCITIES)
            v->field[SPEED][at] = (float)hypot(hypot(row[0], row[1]), row[2]);
        if (what == QUANTITY_CURVATURES) {
            v->field[CURVATURE][at] = (float)hypot(row[0], row[1]);
            v->field[TWIST][at] = (float)row[2];
        }
    }
    if (what == QUANTITY_TENSIONS) edges_to_vertices(s, values, 1, 0, 1, v->field[TENSION] + first);
    if (what == QUANTITY_FRAMES) {
        edges_to_vertices(s, values, 6, 3, 3, v->field[DIRECTOR] + 3 * first);
        normalise(v->field[DIRECTOR] + 3 * first, s->vertex_count);
    }
}

static cord_status fill_strand(vtk *v, int strand, int64_t i, size_t first)
{
    const reading_strand *s = &v->job->info->strands[strand];
    set_all(v, RADIUS, first, s->vertex_count, cord__section_radius(&s->section));
    set_all(v, STRAND, first, s->vertex_count, strand);
    cord_status status =
        cord__export_strand(v->job, strand, QUANTITY_POSITIONS, i, v->x + 3 * first);
    for (int q = QUANTITY_POSITIONS + 1; status == CORD_OK && q < QUANTITY_COUNT; q++) {
        if (!s->has[q]) continue; /* stays NaN */
        status = cord__export_strand(v->job, strand, (quantity)q, i, v->values);
        if (status == CORD_OK) fill_quantity(v, strand, (quantity)q, first);
    }
    return status;
}

static cord_status fill_body(vtk *v, int body, int64_t i, size_t first)
{
    const solid_mesh *solid = &v->solids[body];
    double row[BODY_ROW], arm[3], center[3], *w = row + 10;
    cord_status status = cord__export_body(v->job, body, i, row);
    if (status != CORD_OK) return status;
    set_all(v, BODY, first, solid->vertex_count, body);
    cord__export_placed(row, v->job->info->bodies[body].center, center);
    for (int k = 0; k < solid->vertex_count; k++) {
        double *x = v->x + 3 * (first + (size_t)k), turn[3];
        cord__export_placed(row, solid->vertices + 3 * (size_t)k, x);
        v3_sub(arm, x, center);
        v3_cross(turn, w, arm);
        v3_add(turn, turn, row + 7);
        v->field[SPEED][first + (size_t)k] = (float)v3_norm(turn);
    }
    return CORD_OK;
}

static cord_status fill_frame(vtk *v, int64_t i)
{
    cord_status status = CORD_OK;
    size_t first = 0;
    for (int s = 0; status == CORD_OK && s < v->job->info->strand_count; s++) {
        status = fill_strand(v, s, i, first);
        first += (size_t)v->job->info->strands[s].vertex_count;
    }
    for (int b = 0; status == CORD_OK && b < v->job->info->body_count; b++) {
        status = fill_body(v, b, i, first);
        first += (size_t)v->solids[b].vertex_count;
    }
    return status;
}

static void fill_lines(vtk *v)
{
    int64_t first = 0, used = 0;
    for (int s = 0; s < v->job->info->strand_count; s++) {
        const reading_strand *strand = &v->job->info->strands[s];
        for (int k = 0; k < strand->vertex_count; k++) v->connectivity[used++] = first + k;
        if (strand->closed) v->connectivity[used++] = first;
        v->offsets[s] = used;
        first += strand->vertex_count;
    }
    used = 0;
    for (int b = 0; b < v->job->info->body_count; b++) {
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
    size_t offset = 0, lines = (size_t)v->job->info->strand_count;
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
        size_t numbers = v->points * (size_t)fields[f].components;
        declare(out, "Float32", fields[f].name, fields[f].components, numbers * sizeof(float),
                &offset);
    }
    fputs("</PointData>\n</Piece>\n</PolyData>\n<AppendedData encoding=\"raw\">\n_", out);
}

static void write_data(const vtk *v, FILE *out)
{
    write_block(out, v->x, 3 * v->points * sizeof *v->x);
    write_block(out, v->connectivity, v->ends * sizeof(int64_t));
    write_block(out, v->offsets, (size_t)v->job->info->strand_count * sizeof(int64_t));
    write_block(out, v->corners, 3 * v->triangles * sizeof(int64_t));
    write_block(out, v->corner_offsets, v->triangles * sizeof(int64_t));
    for (int f = 0; f < FIELDS; f++) {
        write_block(out, v->field[f], v->points * (size_t)fields[f].components * sizeof(float));
    }
    fputs("\n</AppendedData>\n</VTKFile>\n", out);
}

static cord_status write_frame(vtk *v, int64_t i, FILE *list)
{
    char name[64];
    double time;
    snprintf(name, sizeof name, "frame_%06lld.vtp", (long long)i);
    cord_status status = cord__export_time(v->job, i, &time);
    if (status == CORD_OK) status = fill_frame(v, i);
    if (status != CORD_OK) return status;
    fprintf(list, "<DataSet timestep=\"%.17g\" part=\"0\" file=\"%s\"/>\n", time, name);
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
    const reading_info *info = v->job->info;
    memory *m = &v->job->mem;
    for (int s = 0; s < info->strand_count; s++) {
        v->points += (size_t)info->strands[s].vertex_count;
        v->ends += (size_t)info->strands[s].vertex_count + info->strands[s].closed;
    }
    v->solids = cord__export_solids(v->job);
    for (int b = 0; v->solids && b < info->body_count; b++) {
        v->points += (size_t)v->solids[b].vertex_count;
        v->triangles += (size_t)v->solids[b].triangle_count;
    }
    v->corners = NEW(m, int64_t, 3 * v->triangles);
    v->corner_offsets = NEW(m, int64_t, v->triangles);
    v->x = NEW(m, double, 3 * v->points);
    v->values = NEW(m, double, cord__export_largest(info));
    v->connectivity = NEW(m, int64_t, v->ends);
    v->offsets = NEW(m, int64_t, info->strand_count);
    bool good = v->x && v->values && v->connectivity && v->offsets && v->solids && v->corners &&
                v->corner_offsets;
    for (int f = 0; f < FIELDS; f++) {
        v->field[f] = NEW(m, float, v->points *(size_t)fields[f].components);
        good = good && v->field[f];
        if (v->field[f]) set_all(v, (field)f, 0, (int)v->points, NAN);
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
