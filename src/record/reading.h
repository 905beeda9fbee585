/* Reading a recording, for exporters, `info` and `--resume`. A recording that is
 * still being written, or whose writer was killed, reads as it was at its last flush. */
#ifndef CORDAGE_RECORD_READING_H
#define CORDAGE_RECORD_READING_H

#include "record/snapshot.h"

typedef struct reading_file {
    char *name, *text;
    size_t size;
} reading_file;

typedef struct reading_info {
    char path[1100];     /* of the file */
    char *title, *maker; /* may be NULL; version of Cordage */
    double until, dt, frame_interval;
    int64_t frames;
    double first_time, last_time; /* 0 without frames */
    uint64_t bytes;               /* of the file */
    bool resumable;
    snapshot_layout layout; /* names and meshes belong to the reading */
    int file_count, override_count, expectation_count;
    reading_file *files; /* the scene's; the first is the scene itself */
    char **overrides;
} reading_info;

typedef struct reading reading;

/* For a program that uses HDF5 through Cordage only, to be called first: HDF5 then does nothing when
 * the process ends. Every handle is closed here, and its clean-up after a damaged file prints false errors. */
void cord__reading_no_exit_handler(void);

/* `path` is a recording or a directory with one. *result is NULL only when memory is out; on other
 * failures it holds the message and is to be closed. */
cord_status cord__reading_open(const char *path, reading **result);
void cord__reading_close(reading *r); /* NULL is fine */
const char *cord__reading_error(const reading *r);
const reading_info *cord__reading_info(const reading *r);

/* A whole frame, of the quantities whose bits (1 << quantity) are set; those that no strand has are NaN. */
enum { ALL_QUANTITIES = (1 << QUANTITY_COUNT) - 1 };
cord_status cord__reading_frame(reading *r, int64_t frame, unsigned quantities, frame_snapshot *s);

/* Parts of a frame. Arrays are items × columns, as in quantities.h. */
cord_status cord__reading_time(reading *r, int64_t frame, double *time);
cord_status cord__reading_energies(reading *r, int64_t frame, double values[ENERGY_COUNT]);
cord_status cord__reading_strand(reading *r, int strand, quantity what, int64_t frame,
                                 double *values);
cord_status cord__reading_body(reading *r, int body, body_quantity what, int64_t frame,
                               double *values);
cord_status cord__reading_probe(reading *r, int probe, int64_t frame, double *values);
/* The contacts of a frame, until the next call; none where the scene has no contacts. */
cord_status cord__reading_contacts(reading *r, int64_t frame, const contact_record **list,
                                   int *count);

/* The description of the scene as pages have it (html_scene.h), with the pixels of its images, red, green, blue and opacity;
 * they belong to the reading. Recordings of earlier versions have none: CORD_ERROR_UNSUPPORTED. */
typedef struct reading_image {
    int columns, rows;
    char *rgba;
} reading_image;
typedef struct reading_page {
    char *description; /* JSON */
    size_t size;
    int point_count, constraint_count, image_count;
    reading_image *images;
} reading_page;
cord_status cord__reading_page(reading *r, const reading_page **page);
/* Of a frame: points, POINT_SIZE each, and for each constraint 1, or 0 while it is released. Without a description:
 * NaN, and 1. */
cord_status cord__reading_page_frame(reading *r, int64_t frame, double *points, int point_count,
                                     double *attached, int constraint_count);

/* The first frame at or after a time; the number of frames when there is none. */
cord_status cord__reading_find(reading *r, double time, int64_t *frame);

/* Reads every dataset whole, so that every checksum is compared, and reports the damaged ones: the frames from
 * `first` to `last`, or -1 for a dataset that is not over frames. `found` may be NULL. It also reads a file that
 * cord__reading_open() has refused as damaged. Returns CORD_ERROR_FILE when anything is damaged. */
typedef void reading_damage(void *user, const char *dataset, int64_t first, int64_t last);
cord_status cord__reading_verify(reading *r, reading_damage *found, void *user);

/* Put a world built from the same scene into the last recorded state. Frames cannot be read afterwards. Refuses when the scene is
 * another; cord__reading_error() names the difference. */
cord_status cord__reading_resume(reading *r, cord_simulation *sim);

/* The half-width for drawing where one number must do, m. */
double cord__section_radius(const cord_section *section);

#endif
