#include "scene/images.h"

#include "math/vec3.h"
#include "scene/scene_data.h"
#include "scene/tables.h"

#include <math.h>
#include <stddef.h>
#include <string.h>

/* Reads the file, unless another image shows it too. */
static const image_pixels *find_pixels(reader *r, const image_data *image)
{
    mark at = cord__node_get(image->at, "file")->at;
    const char *path = cord__file_beside(r->memory, &r->files, at.file, image->file);
    for (const image_pixels *p = path ? r->images : NULL; p; p = p->next)
        if (strcmp(p->path, path) == 0) return p;
    size_t size;
    char *text =
        cord__file_read_named(r->memory, r->errors, &r->files, at, image->file, &path, &size);
    if (!text) return NULL;
    image_pixels *p = TAKE(r->memory, image_pixels, 1);
    if (p) *p = (image_pixels){path, r->images ? r->images->number + 1 : 0, 0, 0, NULL, r->images};
    int64_t left = SCENE_MAX_PIXELS - r->pixels, before = left;
    bool good = p && cord__image_decode(r->memory, r->errors, at, (const unsigned char *)text, size,
                                        &left, p);
    cord__release(&r->memory->mem, text);
    if (!good) return NULL;
    r->pixels += before - left;
    return r->images = p;
}

/* `right` and `up` become orthogonal unit vectors. */
static bool set_plane(reader *r, image_data *image)
{
    double across[3];
    v3_cross(across, image->right, image->up);
    if (!(v3_norm(across) > 0) || !isfinite(v3_norm(across))) {
        cord__diagnose(r->errors, image->at->at,
                       "\"right\" and \"up\" must be two different directions");
        return false;
    }
    v3_normalize(image->right, image->right);
    v3_axpy(image->up, -v3_dot(image->up, image->right), image->right);
    v3_normalize(image->up, image->up);
    return true;
}

static bool finish_image(reader *r, void *item)
{
    image_data *image = item;
    bool good = set_plane(r, image);
    if (isnan(image->width) && isnan(image->height)) {
        cord__diagnose(r->errors, image->at->at,
                       "an image needs a \"width\", a \"height\" or both");
        good = false;
    }
    image->pixels = find_pixels(r, image);
    if (!image->pixels || !good) return false;
    double aspect = (double)image->pixels->columns / image->pixels->rows;
    if (isnan(image->width)) image->width = image->height * aspect;
    if (isnan(image->height)) image->height = image->width / aspect;
    v3_add(image->position, image->position, image->offset);
    return true;
}

static const field image_fields[] = {
    {"name", FIELD_TEXT, offsetof(image_data, name), false, NULL, NULL, LIMIT_NONE, NULL,
     "a name, for --set"},
    {"file", FIELD_TEXT, offsetof(image_data, file), true, NULL, NULL, LIMIT_NONE, NULL,
     "a PNG file, relative to this one; at most 4096 pixels along a side"},
    {"position", FIELD_VECTOR, offsetof(image_data, position), false, "[0, 0, 0]", "m", LIMIT_NONE,
     NULL, "its upper left corner"},
    {"offset", FIELD_VECTOR, offsetof(image_data, offset), false, "[0, 0, 0]", "m", LIMIT_NONE,
     NULL, "added to it"},
    {"width", FIELD_NUMBER, offsetof(image_data, width), false, NULL, "m", LIMIT_POSITIVE, NULL,
     "default: from the height, without distortion"},
    {"height", FIELD_NUMBER, offsetof(image_data, height), false, NULL, "m", LIMIT_POSITIVE, NULL,
     "default: from the width, without distortion"},
    {"right", FIELD_VECTOR, offsetof(image_data, right), false, "[1, 0, 0]", "", LIMIT_NONE, NULL,
     "the direction of its rows"},
    {"up", FIELD_VECTOR, offsetof(image_data, up), false, "[0, 0, 1]", "", LIMIT_NONE, NULL,
     "the direction of its top (its part across \"right\")"},
    {"opacity", FIELD_NUMBER, offsetof(image_data, opacity), false, "1", "", LIMIT_FRACTION, NULL,
     "from 0, invisible, to 1; multiplies the opacity of the file"},
};
const mapping cord__image_map = {
    "image",
    "a PNG file that pages and pictures show in a plane; it has no mechanics",
    sizeof(image_data),
    image_fields,
    FIELD_COUNT(image_fields),
    finish_image};

cord_image_info cord_scene_get_image(const cord_scene *scene, int i)
{
    cord_image_info info = {0};
    if (!scene || i < 0 || i >= scene->data.images.count) return info;
    const image_data *image = ITEM(scene->data.images, image_data, i);
    info.name = image->name;
    info.path = image->pixels->path;
    info.file = image->pixels->number;
    info.opacity = image->opacity;
    info.columns = image->pixels->columns, info.rows = image->pixels->rows;
    info.rgba = image->pixels->rgba;
    v3_copy(info.corner, image->position);
    v3_scale(info.right, image->width, image->right);
    v3_scale(info.down, -image->height, image->up);
    return info;
}
