/* libFuzzer target of the scene reader, built and run by `make fuzz`. The input is a scene text; an
 * input that begins with 0, 1 or 2 is passed without that digit to the reader of CSV, OBJ or SVG.
 * No file is read. */
#include "scene/scene_data.h"
#include "scene/shape_parts.h"

#include <stdint.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void read_shape(file_format format, const char *text, size_t size)
{
    arena all;
    diagnostics errors = {.memory = &all};
    reader r = {.memory = &all, .errors = &errors};
    polyline line;
    cord__arena_init(&all, NULL);
    char *copy = cord__arena_text(&all, text, size);
    if (copy) cord__trace_text(&r, format, copy, &line);
    cord__arena_free(&all);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (size > 0 && *data >= '0' && *data <= '2') {
        read_shape((file_format)(*data - '0'), (const char *)data + 1, size - 1);
        return 0;
    }
    cord_scene *scene;
    cord__scene_read_text((const char *)data, size, &scene);
    cord_scene_free(scene);
    return 0;
}
