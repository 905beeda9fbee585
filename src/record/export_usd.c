/* USD as text: a BasisCurves prim per strand, with a time sample of its points per frame. Time codes
 * are counted so that a recorded frame is one. */
#include "record/export.h"

static double codes_per_second(const export_job *job)
{
    double interval = job->info->frame_interval;
    return interval > 0 ? 1 / interval : 24;
}

static void write_text(FILE *out, const char *text)
{
    for (; *text; text++) {
        if (*text == '"' || *text == '\\') fputc('\\', out);
        fputc(*text == '\n' || *text == '\r' ? ' ' : *text, out);
    }
}

static void write_header(const export_job *job, FILE *out, double first, double last)
{
    double rate = codes_per_second(job);
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
            first * rate, last * rate, rate, rate);
}

static cord_status write_samples(export_job *job, FILE *out, int strand, double *x)
{
    int count = job->info->strands[strand].vertex_count;
    double rate = codes_per_second(job);
    fputs("        point3f[] points.timeSamples = {\n", out);
    for (int64_t i = 0; i < job->count; i++) {
        double time;
        cord_status status = cord__export_time(job, i, &time);
        if (status == CORD_OK) status = cord__export_strand(job, strand, QUANTITY_POSITIONS, i, x);
        if (status != CORD_OK) return status;
        fprintf(out, "            %.9g: [", time * rate);
        for (int k = 0; k < count; k++) {
            fprintf(out, "%s(%.7g, %.7g, %.7g)", k ? ", " : "", x[3 * k], x[3 * k + 1],
                    x[3 * k + 2]);
        }
        fputs("],\n", out);
    }
    fputs("        }\n", out);
    return CORD_OK;
}

static cord_status write_strand(export_job *job, FILE *out, int strand, double *x)
{
    const reading_strand *s = &job->info->strands[strand];
    char name[64];
    cord__export_identifier(job->info, strand, name, sizeof name);
    fprintf(out,
            "    def BasisCurves \"%s\"\n    {\n        uniform token type = \"linear\"\n"
            "        uniform token wrap = \"%s\"\n        int[] curveVertexCounts = [%d]\n"
            "        float[] widths = [%.9g] (\n            interpolation = \"constant\"\n"
            "        )\n",
            name, s->closed ? "periodic" : "nonperiodic", s->vertex_count,
            2 * cord__section_radius(&s->section));
    cord_status status = write_samples(job, out, strand, x);
    fputs("    }\n", out);
    return status;
}

static cord_status usd_run(export_job *job)
{
    double first, last;
    cord_status status = cord__export_time(job, 0, &first);
    if (status == CORD_OK) status = cord__export_time(job, job->count - 1, &last);
    if (status != CORD_OK) return status;
    FILE *out = cord__export_open(job, "");
    if (!out) return CORD_ERROR_FILE;
    double *x = NEW(&job->mem, double, cord__export_largest(job->info));
    if (!x) status = CORD_ERROR_MEMORY;
    if (x) write_header(job, out, first, last);
    for (int s = 0; status == CORD_OK && s < job->info->strand_count; s++) {
        status = write_strand(job, out, s, x);
    }
    fputs("}\n", out);
    cord__release(&job->mem, x);
    cord_status closed = cord__export_close(job, out);
    return status == CORD_OK ? closed : status;
}

const export_ops cord__export_usd = {"usd", "USD curves with time samples (usda)", "recording.usda",
                                     false, usd_run};
