/* Images in a plane, seen by the camera. They have their own colours, without light and shadow. */
#include "record/render.h"

#include "math/vec3.h"

/* ---- preparation ---------------------------------------------------------------------------- */

/* Half the columns or rows: means of two neighbours; of an odd number the last is left as it is. */
static void halve(image_plane *p, int axis)
{
    int columns = p->size[0], rows = p->size[1];
    p->size[axis] = (p->size[axis] + 1) / 2;
    for (int y = 0; y < p->size[1]; y++) {
        for (int x = 0; x < p->size[0]; x++) {
            int x0 = axis == 0 ? 2 * x : x, y0 = axis == 1 ? 2 * y : y;
            int x1 = axis == 0 && x0 + 1 < columns ? x0 + 1 : x0;
            int y1 = axis == 1 && y0 + 1 < rows ? y0 + 1 : y0;
            const float *a = p->colour + 4 * ((size_t)y0 * (size_t)columns + (size_t)x0);
            const float *b = p->colour + 4 * ((size_t)y1 * (size_t)columns + (size_t)x1);
            float *out = p->colour + 4 * ((size_t)y * (size_t)p->size[0] + (size_t)x);
            for (int k = 0; k < 4; k++) out[k] = 0.5F * (a[k] + b[k]);
        }
    }
}

/* A texel becomes at least half a pixel, so that the nine samples of a pixel miss none. */
static void reduce(image_plane *p, double pixel)
{
    for (int axis = 0; axis < 2; axis++) {
        double length = v3_norm(p->edges[axis]);
        while (p->size[axis] > 1 && length / p->size[axis] < 0.5 * pixel) halve(p, axis);
    }
}

cord_status cord__image_plane(memory *mem, const cord_image_info *image, double pixel,
                              image_plane *p)
{
    size_t count = (size_t)image->columns * (size_t)image->rows;
    *p = (image_plane){.size = {image->columns, image->rows}};
    p->colour = NEW(mem, float, 4 * count);
    if (!p->colour) return CORD_ERROR_MEMORY;
    v3_copy(p->corner, image->corner);
    v3_copy(p->edges[0], image->right);
    v3_copy(p->edges[1], image->down);
    v3_cross(p->normal, image->right, image->down);
    float linear[256];
    for (int i = 0; i < 256; i++) linear[i] = cord__to_linear((float)i / 255);
    for (size_t i = 0; i < count; i++) {
        float alpha = (float)image->opacity * image->rgba[4 * i + 3] / 255;
        for (size_t k = 0; k < 3; k++)
            p->colour[4 * i + k] = alpha * linear[image->rgba[4 * i + k]];
        p->colour[4 * i + 3] = alpha;
    }
    reduce(p, pixel);
    return CORD_OK;
}

/* ---- a sample ------------------------------------------------------------------------------- */

/* The colour at (u, v), each from 0 to 1, bilinear between the middles of texels. */
static void texture_at(const image_plane *p, const double at[2], float out[4])
{
    int low[2], high[2];
    float part[2];
    for (int k = 0; k < 2; k++) {
        double t = fmin(fmax(at[k] * p->size[k] - 0.5, 0), p->size[k] - 1.0);
        low[k] = (int)t;
        high[k] = low[k] + 1 < p->size[k] ? low[k] + 1 : low[k];
        part[k] = (float)(t - low[k]);
    }
    for (size_t k = 0; k < 4; k++) out[k] = 0;
    for (int corner = 0; corner < 4; corner++) {
        bool right = corner & 1, below = corner & 2;
        size_t x = (size_t)(right ? high[0] : low[0]), y = (size_t)(below ? high[1] : low[1]);
        float weight = (right ? part[0] : 1 - part[0]) * (below ? part[1] : 1 - part[1]);
        for (size_t k = 0; k < 4; k++)
            out[k] += weight * p->colour[4 * (y * (size_t)p->size[0] + x) + k];
    }
}

/* The camera's ray is eye + depth × ray. */
static bool intersects(const image_plane *p, const camera *c, const double ray[3], float nearest,
                       double at[2])
{
    double from[3], hit[3];
    v3_sub(from, p->corner, c->eye);
    double depth = v3_dot(p->normal, from) / v3_dot(p->normal, ray);
    if (!(depth > 0) || !(1 / depth > nearest)) return false;
    v3_combine(hit, depth, ray, -1, from);
    for (int k = 0; k < 2; k++) {
        at[k] = v3_dot(hit, p->edges[k]) / v3_dot(p->edges[k], p->edges[k]);
        if (!(at[k] >= 0 && at[k] <= 1)) return false;
    }
    return true;
}

void cord__image_over(const image_plane *planes, int count, const camera *c, const double pixel[2],
                      float nearest, float colour[4])
{
    double ray[3], at[2];
    cord__camera_ray(c, pixel, ray);
    for (int i = 0; i < count; i++) {
        float over[4];
        if (!intersects(&planes[i], c, ray, nearest, at)) continue;
        texture_at(&planes[i], at, over);
        for (int k = 0; k < 4; k++) colour[k] = over[k] + (1 - over[3]) * colour[k];
    }
}
