/* USD as text: a BasisCurves prim per strand, with a time sample of its points per frame, and an Xform per
 * body, with its shape inside. Time codes
 * are counted so that a recorded frame is one. */
#include "record/export.h"

#include <math.h>

typedef struct usd {
    export_job *job;
    FILE *out;
    double rate; /* time codes per second */
} usd;

/* The first two frames of the recording tell; without a second one any will do. */
static cord_status choose_rate(usd *u)
{
    double first, second;
    u->rate = 24;
    if (u->job->info->frames < 2) return CORD_OK;
    cord_status status = cord__reading_time(u->job->from, 0, &first);
    if (status == CORD_OK) status = cord__reading_time(u->job->from, 1, &second);
    if (status != CORD_OK) return cord__export_failed(u->job, status);
    if (second > first) u->rate = 1 / (second - first);
    return CORD_OK;
}

static void write_text(FILE *out, const char *text)
{
    for (; *text; text++) {
        if (*text == '"' || *text == '\\') fputc('\\', out);
        fputc(*text == '\n' || *text == '\r' ? ' ' : *text, out);
    }
}

static void write_header(const usd *u, double first, double last)
{
    const export_job *job = u->job;
    FILE *out = u->out;
    fputs("#usda 1.0\n(\n    defaultPrim = \"Recording\"\n", out);
    if (job->info->title) {
        fputs("    doc = \"", out);
        write_text(out, job->info->title);
        fputs("\"\n", out);
    }
    fprintf(out,
            "    startTimeCode = %.9g\n    endTimeCode = %.9g\n    timeCodesPerSecond = %.9g\n"
            "    framesPerSecond = %.9g\n    metersPerUnit = 1\n    upAxis = \"Z\"\n)\n\n"
            "def Xform \"Recording\"\n{\n",
            first * u->rate, last * u->rate, u->rate, u->rate);
}

static cord_status write_samples(const usd *u, int strand)
{
    export_job *job = u->job;
    FILE *out = u->out;
    const double *x = cord__snapshot_strand(&job->frame, strand, QUANTITY_POSITIONS);
    int count = job->frame.layout->strands[strand].vertex_count;
    fputs("        point3f[] points.timeSamples = {\n", out);
    for (int64_t i = 0; i < job->count; i++) {
        cord_status status = cord__export_time(job, i);
        if (status == CORD_OK) status = cord__export_strand(job, strand, QUANTITY_POSITIONS, i);
        if (status != CORD_OK) return status;
        fprintf(out, "            %.9g: [", *job->frame.time * u->rate);
        for (int k = 0; k < count; k++) {
            fprintf(out, "%s(%.7g, %.7g, %.7g)", k ? ", " : "", x[3 * k], x[3 * k + 1],
                    x[3 * k + 2]);
        }
        fputs("],\n", out);
    }
    fputs("        }\n", out);
    return CORD_OK;
}

static cord_status write_strand(const usd *u, int strand)
{
    const snapshot_layout *l = u->job->frame.layout;
    const snapshot_strand *s = &l->strands[strand];
    char name[64];
    cord__export_identifier(l, strand, name, sizeof name);
    fprintf(u->out,
            "    def BasisCurves \"%s\"\n    {\n        uniform token type = \"linear\"\n"
            "        uniform token wrap = \"%s\"\n        int[] curveVertexCounts = [%d]\n"
            "        float[] widths = [%.9g] (\n            interpolation = \"constant\"\n"
            "        )\n",
            name, s->closed ? "periodic" : "nonperiodic", s->vertex_count,
            2 * cord__section_radius(&s->section));
    cord_status status = write_samples(u, strand);
    fputs("    }\n", u->out);
    return status;
}

/* Inside an Xform: one of the shapes that USD has, or a mesh. */
static void write_shape(FILE *out, const snapshot_body *b)
{
    const cord_shape *s = &b->shape;
    const char *in = "            ";
    switch (s->kind) {
    case CORD_SHAPE_NONE: return;
    case CORD_SHAPE_SPHERE:
        fprintf(out, "        def Sphere \"shape\"\n        {\n%sdouble radius = %.9g\n", in,
                s->radius);
        break;
    case CORD_SHAPE_BOX:
        fprintf(out,
                "        def Cube \"shape\"\n        {\n%sdouble size = 1\n"
                "%sdouble3 xformOp:scale = (%.9g, %.9g, %.9g)\n"
                "%suniform token[] xformOpOrder = [\"xformOp:scale\"]\n",
                in, in, s->size[0], s->size[1], s->size[2], in);
        break;
    case CORD_SHAPE_CYLINDER:
    case CORD_SHAPE_CAPSULE:
        fprintf(out,
                "        def %s \"shape\"\n        {\n%suniform token axis = \"Z\"\n"
                "%sdouble radius = %.9g\n%sdouble height = %.9g\n",
                s->kind == CORD_SHAPE_CAPSULE ? "Capsule" : "Cylinder", in, in, s->radius, in,
                s->length);
        break;
    case CORD_SHAPE_PLANE: {
        double x = s->size[0] / 2, y = s->size[1] / 2;
        fprintf(out,
                "        def Mesh \"shape\"\n        {\n"
                "%suniform token subdivisionScheme = \"none\"\n%sint[] faceVertexCounts = [4]\n"
                "%sint[] faceVertexIndices = [0, 1, 2, 3]\n%spoint3f[] points = [(%.7g, %.7g, 0), "
                "(%.7g, %.7g, 0), (%.7g, %.7g, 0), (%.7g, %.7g, 0)]\n",
                in, in, in, in, -x, -y, x, -y, x, y, -x, y);
        break;
    }
    case CORD_SHAPE_MESH:
        fprintf(out,
                "        def Mesh \"shape\"\n        {\n"
                "%suniform token subdivisionScheme = \"none\"\n%sint[] faceVertexCounts = [",
                in, in);
        for (int t = 0; t < s->triangle_count; t++) fputs(t ? ", 3" : "3", out);
        fprintf(out, "]\n%sint[] faceVertexIndices = [", in);
        for (int c = 0; c < 3 * s->triangle_count; c++)
            fprintf(out, "%s%d", c ? ", " : "", s->triangles[c]);
        fprintf(out, "]\n%spoint3f[] points = [", in);
        for (int k = 0; k < s->vertex_count; k++) {
            const double *x = s->vertices + 3 * (size_t)k;
            fprintf(out, "%s(%.7g, %.7g, %.7g)", k ? ", " : "", x[0], x[1], x[2]);
        }
        fputs("]\n", out);
        break;
    }
    if (b->colour >= 0) { /* linear, as displayColor is */
        double c[3];
        for (int k = 0; k < 3; k++) c[k] = pow((b->colour >> (16 - 8 * k) & 255) / 255.0, 2.2);
        fprintf(out, "%scolor3f[] primvars:displayColor = [(%.4g, %.4g, %.4g)]\n", in, c[0], c[1],
                c[2]);
    }
    fputs("        }\n", out);
}

/* Of the two quaternions of a rotation, the one nearer to the last: programs interpolate between them. */
static void continue_rotation(double last[4], const double q[4])
{
    double dot = 0;
    for (int k = 0; k < 4; k++) dot += q[k] * last[k];
    for (int k = 0; k < 4; k++) last[k] = dot < 0 ? -q[k] : q[k];
}

/* Time samples of the position, or of the rotation. */
static cord_status write_motion(const usd *u, int body, body_quantity what)
{
    const double *value = cord__snapshot_body(&u->job->frame, body, what);
    double q[4] = {1, 0, 0, 0};
    bool rotation = what == BODY_ROTATION;
    fputs(rotation ? "        quatf xformOp:orient.timeSamples = {\n"
                   : "        double3 xformOp:translate.timeSamples = {\n",
          u->out);
    for (int64_t i = 0; i < u->job->count; i++) {
        cord_status status = cord__export_time(u->job, i);
        if (status == CORD_OK) status = cord__export_body(u->job, body, what, i);
        if (status != CORD_OK) return status;
        fprintf(u->out, "            %.9g: (", *u->job->frame.time * u->rate);
        if (rotation) {
            continue_rotation(q, value);
            fprintf(u->out, "%.9g, %.9g, %.9g, %.9g),\n", q[0], q[1], q[2], q[3]);
        } else {
            fprintf(u->out, "%.9g, %.9g, %.9g),\n", value[0], value[1], value[2]);
        }
    }
    fputs("        }\n", u->out);
    return CORD_OK;
}

static cord_status write_body(const usd *u, int body)
{
    const snapshot_layout *l = u->job->frame.layout;
    char name[64];
    cord__export_identifier(l, l->strand_count + body, name, sizeof name);
    fprintf(u->out, "    def Xform \"%s\"\n    {\n", name);
    cord_status status = write_motion(u, body, BODY_POSITION);
    if (status == CORD_OK) status = write_motion(u, body, BODY_ROTATION);
    fputs("        uniform token[] xformOpOrder = [\"xformOp:translate\", \"xformOp:orient\"]\n",
          u->out);
    write_shape(u->out, &l->bodies[body]);
    fputs("    }\n", u->out);
    return status;
}

static cord_status write_all(usd *u)
{
    cord_status status = choose_rate(u);
    if (status == CORD_OK) status = cord__export_time(u->job, 0);
    double first = *u->job->frame.time;
    if (status == CORD_OK) status = cord__export_time(u->job, u->job->count - 1);
    if (status != CORD_OK) return status;
    write_header(u, first, *u->job->frame.time);
    for (int s = 0; status == CORD_OK && s < u->job->frame.layout->strand_count; s++) {
        status = write_strand(u, s);
    }
    for (int b = 0; status == CORD_OK && b < u->job->frame.layout->body_count; b++) {
        status = write_body(u, b);
    }
    fputs("}\n", u->out);
    return status;
}

static cord_status usd_run(export_job *job)
{
    usd u = {.job = job, .out = cord__export_open(job, "")};
    cord_status status = u.out ? write_all(&u) : CORD_ERROR_FILE;
    cord_status closed = u.out ? cord__export_close(job, u.out) : CORD_OK;
    return status == CORD_OK ? closed : status;
}

const export_ops cord__export_usd = {"usd", "USD curves and bodies with time samples (usda)",
                                     "recording.usda", false, usd_run};
