/* Feeds the scene reader whatever libFuzzer thinks of: built and run by `make fuzz`. Nothing is
 * read from files. The first byte of a text that does not begin with a letter chooses another
 * reader: '<' a path of SVG. */
#include "scene/point_list.h"
#include "scene/scene_data.h"

#include <stdint.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void read_path(const char *text, size_t size)
{
    arena all;
    cord__arena_init(&all, NULL);
    point_list list = {.memory = &all};
    char error[128], *copy = cord__arena_text(&all, text, size);
    bool closed;
    if (copy) cord__svg_path(copy, size, &list, &closed, error, sizeof error);
    cord__arena_free(&all);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (size > 0 && *data == '<') {
        read_path((const char *)data + 1, size - 1);
        return 0;
    }
    cord_scene *scene;
    cord__scene_read_text((const char *)data, size, &scene);
    cord_scene_free(scene);
    return 0;
}
