/* USD as text: a BasisCurves prim per strand, with a time sample of its points per frame. Time codes
 * are counted so that a recorded frame is one. */
#include "record/export.h"

typedef struct usd {
    export_job *job;
    FILE *out;
    double rate; /* time codes per second */
    double *x;
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
    double *x = u->x;
    int count = job->info->strands[strand].vertex_count;
    fputs("        point3f[] points.timeSamples = {\n", out);
    for (int64_t i = 0; i < job->count; i++) {
        double time;
        cord_status status = cord__export_time(job, i, &time);
        if (status == CORD_OK) status = cord__export_strand(job, strand, QUANTITY_POSITIONS, i, x);
        if (status != CORD_OK) return status;
        fprintf(out, "            %.9g: [", time * u->rate);
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
    const reading_strand *s = &u->job->info->strands[strand];
    char name[64];
    cord__export_identifier(u->job->info, strand, name, sizeof name);
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

static cord_status write_all(usd *u)
{
    double first, last;
    cord_status status = choose_rate(u);
    if (status == CORD_OK) status = cord__export_time(u->job, 0, &first);
    if (status == CORD_OK) status = cord__export_time(u->job, u->job->count - 1, &last);
    if (status != CORD_OK) return status;
    write_header(u, first, last);
    for (int s = 0; status == CORD_OK && s < u->job->info->strand_count; s++) {
        status = write_strand(u, s);
    }
    fputs("}\n", u->out);
    return status;
}

static cord_status usd_run(export_job *job)
{
    usd u = {.job = job, .x = NEW(&job->mem, double, cord__export_largest(job->info))};
    if (!u.x) return CORD_ERROR_MEMORY;
    u.out = cord__export_open(job, "");
    cord_status status = u.out ? write_all(&u) : CORD_ERROR_FILE;
    cord_status closed = u.out ? cord__export_close(job, u.out) : CORD_OK;
    cord__release(&job->mem, u.x);
    return status == CORD_OK ? closed : status;
}

const export_ops cord__export_usd = {"usd", "USD curves with time samples (usda)", "recording.usda",
                                     false, usd_run};
