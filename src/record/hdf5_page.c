#include "record/hdf5_page.h"

#include "record/hdf5_values.h"
#include "record/html_scene.h"

#include <stdio.h>

/* All that was written to a file, through the allocator of the recorder. */
static cord_status read_back(memory *mem, FILE *file, char **text, size_t *size)
{
    long end = fflush(file) == 0 && !ferror(file) ? ftell(file) : -1;
    if (end < 0) return CORD_ERROR_FILE;
    *size = (size_t)end;
    *text = NEW(mem, char, *size);
    if (!*text) return CORD_ERROR_MEMORY;
    rewind(file);
    return fread(*text, 1, *size, file) == *size ? CORD_OK : CORD_ERROR_FILE;
}

static cord_status store_description(const recording *r, hid_t page)
{
    FILE *file = tmpfile();
    if (!file) return CORD_ERROR_FILE;
    json j;
    cord__json_begin(&j, file, JSON_SCRIPT);
    cord__json_object(&j, NULL);
    cord__page_scene_members(&j, r->simulation, r->frame.layout);
    cord__json_end(&j, '}');
    char *text = NULL;
    size_t size;
    cord_status status = read_back(r->mem, file, &text, &size);
    if (status == CORD_OK && !cord__hdf5_put_bytes(page, "description", text, size))
        status = CORD_ERROR_FILE;
    cord__release(r->mem, text);
    fclose(file);
    return status;
}

static bool store_image(hid_t page, const cord_image_info *image)
{
    hid_t group = cord__hdf5_make_numbered(page, image->file);
    bool good = group >= 0 && cord__hdf5_put_number(group, "columns", image->columns) &&
                cord__hdf5_put_number(group, "rows", image->rows) &&
                cord__hdf5_put_bytes(group, "rgba", image->rgba,
                                     4 * (size_t)image->columns * (size_t)image->rows);
    if (group >= 0) H5Gclose(group);
    return good;
}

/* Each file once, in their order. */
static bool store_images(const cord_scene *scene, hid_t page)
{
    int count = cord_scene_get_info(scene).image_count, files = 0;
    bool good = true;
    for (int i = 0; good && i < count; i++) {
        cord_image_info image = cord_scene_get_image(scene, i);
        if (image.file < files || !image.rgba) continue;
        good = store_image(page, &image);
        files++;
    }
    return good && cord__hdf5_put_number(page, "images", files);
}

cord_status cord__hdf5_store_page(const recording *r, hid_t file)
{
    const snapshot_layout *l = r->frame.layout;
    hid_t page = H5Gcreate2(file, "page", H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
    if (page < 0) return CORD_ERROR_FILE;
    cord_status status = store_description(r, page);
    bool good = status == CORD_OK && store_images(cord_simulation_get_scene(r->simulation), page) &&
                cord__hdf5_put_number(page, "points", l->point_count) &&
                cord__hdf5_put_number(page, "constraints", l->constraint_count);
    H5Gclose(page);
    return status == CORD_OK && !good ? CORD_ERROR_FILE : status;
}
