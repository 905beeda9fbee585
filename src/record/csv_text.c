#include "record/csv_text.h"

#include "record/quantities.h"

void cord__csv_probe_header(FILE *out, int items, int columns, const char *const *names,
                            const char *const *units)
{
    fputs("time [s]", out);
    for (int i = 0; i < items; i++) {
        for (int c = 0; c < columns; c++) {
            fprintf(out, ",%s", names[c]);
            if (items > 1) fprintf(out, "_%d", i);
            if (*units[c]) fprintf(out, " [%s]", units[c]);
        }
    }
    fputc('\n', out);
}

void cord__csv_row(FILE *out, double time, int count, const double *values)
{
    fprintf(out, "%.17g", time);
    for (int i = 0; i < count; i++) fprintf(out, ",%.17g", values[i]);
    fputc('\n', out);
}

void cord__csv_frames_header(FILE *out)
{
    fputs("time [s],strand,vertex,x [m],y [m],z [m]\n", out);
}

/* A name in quotes, quotes in it doubled. */
static void write_quoted(FILE *out, const char *text)
{
    fputc('"', out);
    for (; *text; text++) {
        if (*text == '"') fputc('"', out);
        fputc(*text, out);
    }
    fputc('"', out);
}

void cord__csv_vertices(FILE *out, double time, const char *strand, int count, const double *x)
{
    for (int i = 0; i < count; i++, x += 3) {
        fprintf(out, "%.17g,", time);
        write_quoted(out, strand);
        fprintf(out, ",%d,%.9g,%.9g,%.9g\n", i, x[0], x[1], x[2]);
    }
}

void cord__csv_bodies_header(FILE *out)
{
    fputs("time [s],body,x [m],y [m],z [m],qw,qx,qy,qz,vx [m/s],vy [m/s],vz [m/s],wx [rad/s],"
          "wy [rad/s],wz [rad/s]\n",
          out);
}

void cord__csv_body(FILE *out, double time, const char *body, const double *row)
{
    fprintf(out, "%.17g,", time);
    write_quoted(out, body);
    for (int i = 0; i < BODY_ROW; i++) fprintf(out, ",%.9g", row[i]);
    fputc('\n', out);
}
