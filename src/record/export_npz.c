/* NumPy's NPZ: a ZIP archive, not compressed, of arrays over frames: time, energies, and for each
 * strand NAME.positions and so on, for each body NAME.position, NAME.rotation (a quaternion, w first)
 * and so on, for each probe probe.NAME. Where there are contacts: contacts, a row for each, and contacts_start, for each
 * frame where its rows begin, with their number at the end. */
#include "record/export.h"

#include <string.h>
#include <zlib.h>

enum { ENTRY_NAME = 120, NPY_HEADER = 128 };

typedef struct zip_entry {
    char name[ENTRY_NAME];
    uint32_t crc, size, offset;
} zip_entry;

typedef struct npz {
    export_job *job;
    FILE *out;
    int count;
    zip_entry *entries;
    uint64_t position; /* where the file ends; ZIP without extensions stops at 4 GiB */
} npz;

/* ---- ZIP ---------------------------------------------------------------------------------- */

static void put_number(FILE *out, uint32_t value, int bytes)
{
    for (int i = 0; i < bytes; i++) fputc((int)(value >> (8 * i) & 255), out);
}

static void put_bytes(npz *z, const void *bytes, size_t size)
{
    zip_entry *e = &z->entries[z->count];
    e->crc = (uint32_t)crc32_z(e->crc, bytes, size);
    e->size += (uint32_t)size;
    z->position += size;
    fwrite(bytes, 1, size, z->out);
}

/* The fields that the local header and the directory share; 1980-01-01, stored. */
static void put_common(FILE *out, const zip_entry *e)
{
    put_number(out, 20, 2);
    put_number(out, 0, 2);
    put_number(out, 0, 2);
    put_number(out, 0, 2);
    put_number(out, 0x21, 2);
    put_number(out, e->crc, 4);
    put_number(out, e->size, 4);
    put_number(out, e->size, 4);
    put_number(out, (uint32_t)strlen(e->name), 2);
    put_number(out, 0, 2);
}

static void put_local_header(npz *z)
{
    const zip_entry *e = &z->entries[z->count];
    put_number(z->out, 0x04034b50, 4);
    put_common(z->out, e);
    fputs(e->name, z->out);
}

static void begin_entry(npz *z, const char *name)
{
    zip_entry *e = &z->entries[z->count];
    *e = (zip_entry){.offset = (uint32_t)z->position};
    snprintf(e->name, sizeof e->name, "%.100s.npy", name);
    put_local_header(z);
    z->position += 30 + strlen(e->name);
}

/* Checksum and size are known now. */
static void end_entry(npz *z)
{
    fseeko(z->out, (off_t)z->entries[z->count].offset, SEEK_SET);
    put_local_header(z);
    fseeko(z->out, 0, SEEK_END);
    z->count++;
}

static void put_directory(npz *z)
{
    uint32_t start = (uint32_t)z->position, size = 0;
    for (int i = 0; i < z->count; i++) {
        const zip_entry *e = &z->entries[i];
        put_number(z->out, 0x02014b50, 4);
        put_number(z->out, 20, 2);
        put_common(z->out, e);
        put_number(z->out, 0, 2);
        put_number(z->out, 0, 2);
        put_number(z->out, 0, 2);
        put_number(z->out, 0, 4);
        put_number(z->out, e->offset, 4);
        fputs(e->name, z->out);
        size += 46 + (uint32_t)strlen(e->name);
    }
    put_number(z->out, 0x06054b50, 4);
    put_number(z->out, 0, 4);
    put_number(z->out, (uint32_t)z->count, 2);
    put_number(z->out, (uint32_t)z->count, 2);
    put_number(z->out, size, 4);
    put_number(z->out, start, 4);
    put_number(z->out, 0, 2);
}

/* ---- NPY ---------------------------------------------------------------------------------- */

static const char *double_type(void)
{
    const uint16_t one = 1;
    return *(const unsigned char *)&one ? "<f8" : ">f8";
}

/* Version 1: magic, length, a Python dictionary padded so that the numbers are aligned. */
static void put_npy_header(npz *z, int rank, const int64_t *shape)
{
    char text[NPY_HEADER + 1], dims[64] = "";
    int used = 0;
    for (int i = 0; i < rank; i++) {
        used += snprintf(dims + used, sizeof dims - (size_t)used, "%lld,%s", (long long)shape[i],
                         i + 1 < rank ? " " : "");
    }
    memcpy(text, "\x93NUMPY\x01\x00\x76\x00", 10); /* 118 = 128 - 10 */
    used = 10 + snprintf(text + 10, sizeof text - 10,
                         "{'descr': '%s', 'fortran_order': False, 'shape': (%s), }", double_type(),
                         dims);
    memset(text + used, ' ', (size_t)(NPY_HEADER - used));
    text[NPY_HEADER - 1] = '\n';
    put_bytes(z, text, NPY_HEADER);
}

/* ---- arrays over frames ------------------------------------------------------------------- */

/* Reads a part of the i-th wanted frame into the job's snapshot. */
typedef cord_status row_reader(export_job *job, int subject, int what, int64_t i);

static cord_status read_time(export_job *job, int subject, int what, int64_t i)
{
    (void)subject, (void)what;
    return cord__export_time(job, i);
}

static cord_status read_energies(export_job *job, int subject, int what, int64_t i)
{
    (void)subject, (void)what;
    return cord__export_energies(job, i);
}

static cord_status read_strand(export_job *job, int subject, int what, int64_t i)
{
    return cord__export_strand(job, subject, (quantity)what, i);
}

static cord_status read_body(export_job *job, int subject, int what, int64_t i)
{
    return cord__export_body(job, subject, (body_quantity)what, i);
}

static cord_status read_probe(export_job *job, int subject, int what, int64_t i)
{
    (void)what;
    return cord__export_probe(job, subject, i);
}

static bool fits(npz *z, uint64_t bytes)
{
    if (z->position + bytes < 0xF0000000u) return true;
    snprintf(z->job->error, sizeof z->job->error,
             "an NPZ archive holds at most 4 GiB; choose fewer frames by --every, --from, --until");
    return false;
}

/* `values` is where the reader puts a row. */
static cord_status put_array(npz *z, const char *name, int rank, const int64_t *row,
                             const double *values, row_reader *read, int subject, int what)
{
    int64_t shape[3] = {z->job->count, row[0], row[1]};
    size_t numbers = 1;
    for (int k = 1; k < rank; k++) numbers *= (size_t)shape[k];
    if (!fits(z, (uint64_t)shape[0] * numbers * sizeof(double))) return CORD_ERROR_UNSUPPORTED;
    begin_entry(z, name);
    put_npy_header(z, rank, shape);
    for (int64_t i = 0; i < z->job->count; i++) {
        cord_status status = read(z->job, subject, what, i);
        if (status != CORD_OK) return status;
        put_bytes(z, values, numbers * sizeof(double));
    }
    end_entry(z);
    return CORD_OK;
}

static cord_status put_strand(npz *z, int s)
{
    const frame_snapshot *f = &z->job->frame;
    const snapshot_strand *strand = &f->layout->strands[s];
    cord_status status = CORD_OK;
    for (int q = 0; status == CORD_OK && q < QUANTITY_COUNT; q++) {
        const quantity_info *info = &cord__quantities[q];
        if (!strand->has[q]) continue;
        char name[128];
        int64_t row[2] = {info->per_edge ? strand->edge_count : strand->vertex_count,
                          info->columns};
        snprintf(name, sizeof name, "%.80s.%s", strand->name, info->name);
        status = put_array(z, name, info->columns > 1 ? 3 : 2, row,
                           cord__snapshot_strand(f, s, (quantity)q), read_strand, s, q);
    }
    return status;
}

static cord_status put_body(npz *z, int b)
{
    const frame_snapshot *f = &z->job->frame;
    cord_status status = CORD_OK;
    for (int q = 0; status == CORD_OK && q < BODY_QUANTITY_COUNT; q++) {
        char name[128];
        const int64_t row[2] = {cord__body_quantities[q].columns, 0};
        snprintf(name, sizeof name, "%.80s.%s", f->layout->bodies[b].name,
                 cord__body_quantities[q].name);
        status = put_array(z, name, 2, row, cord__snapshot_body(f, b, (body_quantity)q), read_body,
                           b, q);
    }
    return status;
}

static cord_status put_probe(npz *z, int p)
{
    const snapshot_probe *probe = &z->job->frame.layout->probes[p];
    int64_t row[2] = {probe->items, probe->columns};
    char name[128];
    snprintf(name, sizeof name, "probe.%.90s", probe->name);
    return put_array(z, name, 3, row, cord__snapshot_probe(&z->job->frame, p), read_probe, p, 0);
}

/* Two passes over the frames: where their rows begin, then the rows. */
static cord_status put_contacts(npz *z)
{
    frame_snapshot *f = &z->job->frame;
    int64_t total = 0;
    const int64_t frames = z->job->count + 1;
    begin_entry(z, "contacts_start");
    put_npy_header(z, 1, &frames);
    for (int64_t i = 0; i <= z->job->count; i++) {
        double start = (double)total;
        put_bytes(z, &start, sizeof start);
        if (i == z->job->count) break;
        cord_status status = cord__export_contacts(z->job, i);
        if (status != CORD_OK) return status;
        total += f->contact_count;
    }
    end_entry(z);
    const int64_t shape[2] = {total, CONTACT_NUMBERS};
    if (!fits(z, (uint64_t)total * sizeof(contact_record))) return CORD_ERROR_UNSUPPORTED;
    begin_entry(z, "contacts");
    put_npy_header(z, 2, shape);
    for (int64_t i = 0; i < z->job->count; i++) {
        cord_status status = cord__export_contacts(z->job, i);
        if (status != CORD_OK) return status;
        if (f->contact_count > 0)
            put_bytes(z, f->contacts, (size_t)f->contact_count * sizeof *f->contacts);
    }
    end_entry(z);
    return CORD_OK;
}

static cord_status put_all(npz *z)
{
    const int64_t none[2] = {0, 0}, energies[2] = {ENERGY_COUNT, 0};
    const frame_snapshot *f = &z->job->frame;
    cord_status status = put_array(z, "time", 1, none, f->time, read_time, 0, 0);
    if (status == CORD_OK)
        status = put_array(z, "energies", 2, energies, f->energies, read_energies, 0, 0);
    for (int s = 0; status == CORD_OK && s < f->layout->strand_count; s++) {
        status = put_strand(z, s);
    }
    for (int b = 0; status == CORD_OK && b < f->layout->body_count; b++) {
        status = put_body(z, b);
    }
    for (int p = 0; status == CORD_OK && p < f->layout->probe_count; p++) {
        status = put_probe(z, p);
    }
    if (status == CORD_OK && f->layout->has_contacts) status = put_contacts(z);
    if (status == CORD_OK) put_directory(z);
    return status;
}

static cord_status npz_run(export_job *job)
{
    const snapshot_layout *l = job->frame.layout;
    npz z = {.job = job};
    size_t most = 4 + QUANTITY_COUNT * (size_t)l->strand_count +
                  BODY_QUANTITY_COUNT * (size_t)l->body_count + (size_t)l->probe_count;
    if (most > 65535) {
        snprintf(job->error, sizeof job->error, "too many strands for an NPZ archive");
        return CORD_ERROR_UNSUPPORTED;
    }
    z.entries = NEW(&job->mem, zip_entry, most);
    cord_status status = z.entries ? CORD_OK : CORD_ERROR_MEMORY;
    if (status == CORD_OK) {
        z.out = cord__export_open(job, "");
        status = z.out ? put_all(&z) : CORD_ERROR_FILE;
    }
    cord_status closed = z.out ? cord__export_close(job, z.out) : CORD_OK;
    cord__release(&job->mem, z.entries);
    return status == CORD_OK ? closed : status;
}

const export_ops cord__export_npz = {"npz", "NumPy arrays", "recording.npz", false, npz_run};
