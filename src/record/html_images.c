/* The pixels of a page's images. */
#include "record/html_scene.h"
#include "record/pack.h"

static cord_status write_pixels(memory *mem, const cord_image_info *image, FILE *out)
{
    size_t count = (size_t)image->columns * (size_t)image->rows;
    uint16_t *channel = NEW(mem, uint16_t, count);
    if (!channel) return CORD_ERROR_MEMORY;
    pack p = {.mem = mem};
    for (size_t k = 0; k < 4; k++) {
        for (size_t i = 0; i < count; i++) channel[i] = image->rgba[4 * i + k];
        cord__pack_channel(&p, channel, image->rows, image->columns, 8);
    }
    fputs("<script type=\"text/plain\" class=\"pixels\">", out);
    cord_status status = cord__pack_write(&p, out);
    fputs("</script>\n", out);
    cord__pack_free(&p);
    cord__release(mem, channel);
    return status;
}

cord_status cord__page_images_write(const recording *r, FILE *out)
{
    const cord_scene *scene = cord_simulation_get_scene(r->simulation);
    int count = cord_scene_get_info(scene).image_count, files = 0;
    cord_status status = CORD_OK;
    for (int i = 0; status == CORD_OK && i < count; i++) {
        cord_image_info image = cord_scene_get_image(scene, i);
        if (image.file < files) continue;
        status = write_pixels(r->mem, &image, out);
        files++;
    }
    return status;
}
