#include "record/hdf5_page.h"

#include "record/hdf5_values.h"
#include "record/html_scene.h"

#include <stdlib.h>

static bool store_description(const recording *r, hid_t page)
{
    char *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);
    if (!out) return false;
    json j;
    cord__json_begin(&j, out, JSON_SCRIPT);
    cord__json_object(&j, NULL);
    cord__page_scene_members(&j, r->simulation, r->frame.layout);
    cord__json_end(&j, '}');
    bool good = fclose(out) == 0 && cord__hdf5_put_bytes(page, "description", text, size);
    free(text);
    return good;
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

bool cord__hdf5_store_page(const recording *r, hid_t file)
{
    const snapshot_layout *l = r->frame.layout;
    hid_t page = H5Gcreate2(file, "page", H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
    bool good = page >= 0 && store_description(r, page) &&
                store_images(cord_simulation_get_scene(r->simulation), page) &&
                cord__hdf5_put_number(page, "points", l->point_count) &&
                cord__hdf5_put_number(page, "constraints", l->constraint_count);
    if (page >= 0) H5Gclose(page);
    return good;
}
