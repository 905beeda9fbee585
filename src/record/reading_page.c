/* What a recording has for pages: the description of its scene, points and constraints. */
#include "record/reading_data.h"

#include <math.h>
#include <stdio.h>

static bool read_image(reading *r, hid_t group, int i)
{
    double size[2];
    size_t bytes = 0;
    reading_image *image = &r->page.images[i];
    hid_t one = cord__hdf5_open_numbered(group, i);
    bool good = one >= 0 && cord__hdf5_get_numbers(one, "columns", 1, size) &&
                cord__hdf5_get_numbers(one, "rows", 1, size + 1) &&
                cord__reading_count(size[0], &image->columns) &&
                cord__reading_count(size[1], &image->rows) &&
                cord__hdf5_get_bytes(&r->mem, one, "rgba", MOST_BYTES, &image->rgba, &bytes) &&
                bytes == 4 * (size_t)image->columns * (size_t)image->rows;
    if (one >= 0) H5Gclose(one);
    return good;
}

static bool get_count(hid_t group, const char *name, int *count)
{
    double value = -1;
    return cord__hdf5_get_numbers(group, name, 1, &value) && cord__reading_count(value, count);
}

static bool read_page(reading *r, hid_t group)
{
    reading_page *p = &r->page;
    bool good = cord__hdf5_get_bytes(&r->mem, group, "description", MOST_BYTES, &p->description,
                                     &p->size) &&
                get_count(group, "points", &p->point_count) &&
                get_count(group, "constraints", &p->constraint_count) &&
                get_count(group, "images", &p->image_count);
    p->images = good ? NEW(&r->mem, reading_image, p->image_count) : NULL;
    good = good && p->images;
    for (int i = 0; good && i < p->image_count; i++) good = read_image(r, group, i);
    if (good && p->point_count > 0) {
        r->page_points = cord__reading_open_series(r, "page/points", p->point_count, POINT_SIZE);
        good = r->page_points >= 0;
    }
    if (good && p->constraint_count > 0) {
        r->page_attached = cord__reading_open_series(r, "page/attached", p->constraint_count, 0);
        good = r->page_attached >= 0;
    }
    return good;
}

cord_status cord__reading_page(reading *r, const reading_page **page)
{
    hdf5_quiet before = cord__hdf5_hush();
    bool there = r->page.description || H5Lexists(r->file, "page", H5P_DEFAULT) > 0, good = true;
    if (there && !r->page_sought) {
        hid_t group = H5Gopen2(r->file, "page", H5P_DEFAULT);
        good = group >= 0 && read_page(r, group);
        if (group >= 0) H5Gclose(group);
    }
    r->page_sought = true;
    cord__hdf5_unhush(before);
    if (!there)
        return cord__reading_fail(
            r, CORD_ERROR_UNSUPPORTED,
            "%s was recorded by %s, which left no description for pages in recordings: "
            "run its scene again",
            r->info.path, r->info.maker ? r->info.maker : "an earlier version of Cordage");
    if (!good) return cord__reading_damaged(r, "its description for pages, /page,");
    *page = &r->page;
    return CORD_OK;
}

cord_status cord__reading_page_frame(reading *r, int64_t frame, double *points, int point_count,
                                     double *attached, int constraint_count)
{
    const reading_page *page;
    cord_status status = r->page_sought ? CORD_OK : cord__reading_page(r, &page);
    if (status == CORD_ERROR_UNSUPPORTED) status = CORD_OK;
    for (int i = 0; i < POINT_SIZE * point_count; i++) points[i] = NAN;
    for (int i = 0; i < constraint_count; i++) attached[i] = 1;
    if (status == CORD_OK && r->page_points >= 0 && r->page.point_count == point_count)
        status = cord__reading_series(r, r->page_points, frame, 0, point_count, points);
    if (status == CORD_OK && r->page_attached >= 0 && r->page.constraint_count == constraint_count)
        status = cord__reading_series(r, r->page_attached, frame, 0, constraint_count, attached);
    return status;
}

void cord__reading_page_free(reading *r)
{
    for (int i = 0; r->page.images && i < r->page.image_count; i++)
        cord__release(&r->mem, r->page.images[i].rgba);
    cord__release(&r->mem, r->page.images);
    cord__release(&r->mem, r->page.description);
}
