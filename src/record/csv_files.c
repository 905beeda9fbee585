#include "record/csv_files.h"

#include <errno.h>
#include <string.h>

/* ---- the text ------------------------------------------------------------------------------- */

static void write_probe_header(FILE *out, const snapshot_probe *p)
{
    fputs("time [s]", out);
    for (int i = 0; i < p->items; i++) {
        for (int c = 0; c < p->columns; c++) {
            fprintf(out, ",%s", p->column_names[c]);
            if (p->items > 1) fprintf(out, "_%d", i);
            if (*p->column_units[c]) fprintf(out, " [%s]", p->column_units[c]);
        }
    }
    fputc('\n', out);
}

static void write_probe(FILE *out, double time, int count, const double *values)
{
    fprintf(out, "%.17g", time);
    for (int i = 0; i < count; i++) fprintf(out, ",%.17g", values[i]);
    fputc('\n', out);
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

static void write_vertices(FILE *out, double time, const snapshot_strand *s, const double *x)
{
    for (int i = 0; i < s->vertex_count; i++, x += 3) {
        fprintf(out, "%.17g,", time);
        write_quoted(out, s->name);
        fprintf(out, ",%d,%.9g,%.9g,%.9g\n", i, x[0], x[1], x[2]);
    }
}

static void write_body(FILE *out, const frame_snapshot *s, int body)
{
    fprintf(out, "%.17g,", *s->time);
    write_quoted(out, s->layout->bodies[body].name);
    for (int q = 0; q < BODY_QUANTITY_COUNT; q++) {
        const double *values = cord__snapshot_body(s, body, (body_quantity)q);
        for (int k = 0; k < cord__body_quantities[q].columns; k++) fprintf(out, ",%.9g", values[k]);
    }
    fputc('\n', out);
}

static void write_contact(FILE *out, const frame_snapshot *s, const contact_record *c)
{
    const snapshot_layout *l = s->layout;
    const double numbers[2] = {c->first, c->second};
    fprintf(out, "%.17g", *s->time);
    for (int k = 0; k < 2; k++) {
        int i = (int)numbers[k], body = i - l->strand_count;
        fputc(',', out);
        write_quoted(out, i < 0 ? "" : body < 0 ? l->strands[i].name : l->bodies[body].name);
    }
    const double *values = (const double *)c + 2;
    for (int k = 0; k < CONTACT_NUMBERS - 3; k++) fprintf(out, ",%.9g", values[k]);
    fprintf(out, ",%s\n", c->sticks != 0 ? "sticks" : "slips");
}

static const char *const contact_header =
    "time [s],first,second,s first [m],s second [m],x [m],y [m],z [m],nx,ny,nz,gap [m],fx [N],fy "
    "[N],fz [N],slip x [m/s],slip y [m/s],slip z [m/s],state\n";

/* ---- the files ------------------------------------------------------------------------------ */

static FILE *open_file(const char *directory, const char *name, bool append, char *error,
                       size_t error_size)
{
    char path[1536];
    snprintf(path, sizeof path, "%s/%.250s.csv", directory, name);
    FILE *out = fopen(path, append ? "a" : "w");
    if (!out) snprintf(error, error_size, "cannot write %.150s: %s", path, strerror(errno));
    return out;
}

cord_status cord__csv_open(csv_files *c, memory *mem, const snapshot_layout *layout,
                           const char *directory, bool append, char *error, size_t error_size)
{
    *c = (csv_files){.mem = mem, .layout = layout, .probes = NEW(mem, FILE *, layout->probe_count)};
    if (!c->probes) return CORD_ERROR_MEMORY;
    for (int i = 0; i < layout->probe_count; i++) {
        const snapshot_probe *p = &layout->probes[i];
        c->probes[i] = open_file(directory, p->name, append, error, error_size);
        if (!c->probes[i]) return CORD_ERROR_FILE;
        if (!append) write_probe_header(c->probes[i], p);
    }
    c->frames = open_file(directory, "frames", append, error, error_size);
    if (!c->frames) return CORD_ERROR_FILE;
    if (!append) fputs("time [s],strand,vertex,x [m],y [m],z [m]\n", c->frames);
    if (layout->has_contacts) {
        c->contacts = open_file(directory, "contacts", append, error, error_size);
        if (!c->contacts) return CORD_ERROR_FILE;
        if (!append) fputs(contact_header, c->contacts);
    }
    if (layout->body_count == 0) return CORD_OK;
    c->bodies = open_file(directory, "bodies", append, error, error_size);
    if (!c->bodies) return CORD_ERROR_FILE;
    if (!append)
        fputs("time [s],body,x [m],y [m],z [m],qw,qx,qy,qz,vx [m/s],vy [m/s],vz [m/s],wx [rad/s],"
              "wy [rad/s],wz [rad/s]\n",
              c->bodies);
    return CORD_OK;
}

bool cord__csv_frame(const csv_files *c, const frame_snapshot *s)
{
    for (int i = 0; i < c->layout->probe_count; i++) {
        const snapshot_probe *p = &c->layout->probes[i];
        write_probe(c->probes[i], *s->time, p->items * p->columns, cord__snapshot_probe(s, i));
    }
    for (int i = 0; i < c->layout->strand_count; i++)
        write_vertices(c->frames, *s->time, &c->layout->strands[i],
                       cord__snapshot_strand(s, i, QUANTITY_POSITIONS));
    for (int i = 0; i < c->layout->body_count; i++) write_body(c->bodies, s, i);
    for (int i = 0; i < s->contact_count; i++) write_contact(c->contacts, s, s->contacts + i);
    bool failed = ferror(c->frames) || (c->bodies && ferror(c->bodies)) ||
                  (c->contacts && ferror(c->contacts));
    for (int i = 0; i < c->layout->probe_count; i++) failed = failed || ferror(c->probes[i]);
    return !failed;
}

static bool close_file(FILE *out)
{
    if (!out) return true;
    bool good = !ferror(out);
    return fclose(out) == 0 && good;
}

cord_status cord__csv_close(csv_files *c, char *error, size_t error_size)
{
    errno = 0;
    bool good = close_file(c->frames);
    good = close_file(c->bodies) && good;
    good = close_file(c->contacts) && good;
    for (int i = 0; c->probes && i < c->layout->probe_count; i++)
        good = close_file(c->probes[i]) && good;
    cord__release(c->mem, c->probes);
    if (good) return CORD_OK;
    if (!*error) /* an earlier message names the cause */
        snprintf(error, error_size, "cannot write a CSV file: %s",
                 errno ? strerror(errno) : "is the disk full?");
    return CORD_ERROR_FILE;
}
