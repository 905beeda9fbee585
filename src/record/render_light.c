/* Light on surfaces: the sun with its shadow, the sky with its occlusion, and the reflection of each look. The page has
 * the same looks (web/src/looks.js). */
#include "record/render_frame.h"

#include "math/vec3.h"

#include <string.h>

/* ---- vectors of floats ---------------------------------------------------------------------- */

static float dot(const float a[3], const float b[3])
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

static void cross(float r[3], const float a[3], const float b[3])
{
    r[0] = a[1] * b[2] - a[2] * b[1];
    r[1] = a[2] * b[0] - a[0] * b[2];
    r[2] = a[0] * b[1] - a[1] * b[0];
}

static void normalize(float a[3])
{
    float n = sqrtf(dot(a, a)), s = n > 0 ? 1 / n : 0;
    for (int k = 0; k < 3; k++) a[k] *= s;
}

static float clamp01(float x)
{
    return x > 0 ? x < 1 ? x : 1 : 0;
}

/* ---- a position on a surface ---------------------------------------------------------------- */

typedef struct surface_point {
    union { /* as in mesh_vertex */
        struct {
            float x[3], normal[3], tangent[3], own[3], albedo[3];
        };
        float mixed[15];
    };
    float smooth[3]; /* the normal without relief */
    float radius;    /* of the object there, pixels */
    float groove;    /* the part of the light that reaches into the relief */
    float gloss, fresnel, metal, fibre;
    const mesh_vertex *any;
} surface_point;

/* Weights in space rather than on the picture. */
static void interpolate(const frame *f, size_t triangle, float sx, float sy, surface_point *p)
{
    const corner *c[3] = {corner_of(f, triangle, 0), corner_of(f, triangle, 1),
                          corner_of(f, triangle, 2)};
    corner here = {sx, sy, 0};
    float w[3] = {facing(&here, c[1], c[2]) * c[0]->w, facing(c[0], &here, c[2]) * c[1]->w,
                  facing(c[0], c[1], &here) * c[2]->w};
    float sum = w[0] + w[1] + w[2];
    const mesh_vertex *v[3];
    for (int k = 0; k < 3; k++) w[k] /= sum, v[k] = vertex_of(f, triangle, k);
    for (int j = 0; j < 15; j++)
        p->mixed[j] = w[0] * v[0]->mixed[j] + w[1] * v[1]->mixed[j] + w[2] * v[2]->mixed[j];
    p->gloss = p->fresnel = p->metal = p->fibre = 0;
    normalize(p->normal);
    memcpy(p->smooth, p->normal, sizeof p->smooth);
    p->any = v[0];
    p->radius = p->any->radius / (float)f->style.pixel;
    p->groove = 1;
}

/* ---- looks ------------------------------------------------------------------------------------ */

/* Noise from 0 to 1 between the corners of a grid. */
static float corner_noise(int x, int y, int z)
{
    uint32_t h = (uint32_t)x * 374761393U + (uint32_t)y * 668265263U + (uint32_t)z * 2147483647U;
    h = (h ^ h >> 13) * 1274126177U;
    return (float)((h ^ h >> 16) & 0xffff) / 65535;
}

static float noise(float x, float y, float z)
{
    float fx = floorf(x), fy = floorf(y), fz = floorf(z), sum = 0;
    float u = smooth_step(0, 1, x - fx), v = smooth_step(0, 1, y - fy),
          w = smooth_step(0, 1, z - fz);
    for (int k = 0; k < 8; k++) {
        float part = (k & 1 ? u : 1 - u) * (k & 2 ? v : 1 - v) * (k & 4 ? w : 1 - w);
        sum += part * corner_noise((int)fx + (k & 1), (int)fy + (k >> 1 & 1), (int)fz + (k >> 2));
    }
    return sum;
}

/* Three strands in a right-handed lay of 9 radii, each a round bulge across its direction, and yarns in them. */
static void rope_relief(surface_point *p)
{
    float shown = smooth_step(1.3F, 3, p->radius);
    p->gloss = 0, p->fresnel = 0.15F;
    if (shown <= 0) return;
    float angle = atan2f(p->own[1], p->own[0]), along[3], around[3], over[3];
    float phase = 3 * (angle / 6.2831853F - p->own[2] / 9), u = phase - rintf(phase);
    memcpy(along, p->tangent, sizeof along);
    normalize(along);
    cross(around, along, p->normal);
    for (int k = 0; k < 3; k++) over[k] = -0.82F * around[k] - 0.57F * along[k];
    float yarn = sinf(6.2831853F * (5 * u + 1.1F * p->own[2]));
    float fine = 0.16F * smooth_step(5, 14, p->radius) * yarn, tilt = shown * (2.0F * u + fine);
    for (int k = 0; k < 3; k++) p->normal[k] += tilt * over[k];
    normalize(p->normal);
    float edge = smooth_step(0.30F, 0.5F, fabsf(u));
    p->groove = 1 - shown * 0.6F * edge;
    for (int k = 0; k < 3; k++) p->albedo[k] *= 1 + 0.35F * fine;
}

/* Early wood and late wood across the grain, which `own[2]` runs along. */
static void wood_grain(surface_point *p)
{
    float x = p->own[0], y = p->own[1], z = p->own[2];
    float waves = 0.9F * noise(1.3F * x, 1.3F * y, 0.35F * z);
    float rings = 5.5F * sqrtf((x + 0.7F) * (x + 0.7F) + 0.35F * y * y) + 2.2F * waves;
    float late = rings - floorf(rings), pores = noise(26 * x, 26 * y, 1.6F * z);
    float dark = 0.34F * late * late + 0.16F * pores;
    float shown = smooth_step(1.5F, 4, p->radius);
    for (int k = 0; k < 3; k++) p->albedo[k] *= 1.1F - shown * dark * (0.8F + 0.25F * (float)k);
    p->gloss = 0.10F, p->fresnel = 0.5F;
}

/* A light stripe along the first director and a darker, thinner one opposite: one of them is to be seen from most
 * sides, and they cannot be mistaken for each other. */
static void add_stripes(const frame *f, surface_point *p)
{
    float side = fabsf(p->own[1]);
    for (int j = 0; j < 3; j++) {
        if (p->own[0] > 0 && side < 0.30F)
            p->albedo[j] += 0.62F * (f->theme.stripe[j] - p->albedo[j]);
        if (p->own[0] < 0 && side < 0.18F) p->albedo[j] *= 0.42F;
    }
}

static void apply_look(const frame *f, surface_point *p)
{
    if (p->any->striped) add_stripes(f, p);
    switch (p->any->look) {
    case CORD_LOOK_PLAIN: p->gloss = 0.16F, p->fresnel = 1; break;
    case CORD_LOOK_RUBBER: p->gloss = 0.035F, p->fresnel = 0.35F; break;
    case CORD_LOOK_STEEL: p->gloss = 0.5F, p->metal = 1; break;
    case CORD_LOOK_ROPE: rope_relief(p); break;
    case CORD_LOOK_WOOD: wood_grain(p); break;
    case CORD_LOOK_HAIR: p->fibre = 1, p->fresnel = 0.4F; break;
    }
}

/* ---- light ---------------------------------------------------------------------------------- */

/* The part of the light that reaches x: eight looks at the light's map around it, rotated a little
 * from sample to sample so that a pixel's nine together look at 72 positions. */
static float light_reaching(const frame *f, const surface_point *p, int sample)
{
    const light_map *m = &f->light_map;
    const float(*taps)[2] = f->light_taps[sample];
    double x[3];
    for (int k = 0; k < 3; k++) x[k] = p->x[k] + 2.5 * m->texel * p->smooth[k];
    float u = (float)((v3_dot(x, m->axes[0]) - m->origin[0]) / m->texel) + 0.5F;
    float v = (float)((v3_dot(x, m->axes[1]) - m->origin[1]) / m->texel) + 0.5F;
    float depth = (float)(v3_dot(x, m->light) + 2.0 * m->texel), end = (float)m->size - 3;
    if (!(u > 3 && v > 3 && u < end && v < end)) return 1; /* taps are less than 3 texels away */
    int lit = 0;
    for (int i = 0; i < LIGHT_TAPS; i++) {
        int a = (int)(u + taps[i][0]), b = (int)(v + taps[i][1]);
        lit += m->depth[(size_t)b * (size_t)m->size + (size_t)a] <= depth;
    }
    return (float)lit / LIGHT_TAPS;
}

/* How much of the sky the ground hides from something near it. */
static float above_ground(const frame *f, float z)
{
    if (!f->has_ground) return 1;
    float above = fmaxf(z - (float)f->ground, 0) / (float)(0.12 * f->reach);
    return 1 - 0.30F * expf(-above * above);
}

/* The sky, the horizon and the ground in a direction, and a wide soft light where the sun is. */
static void reflected(const frame *f, const float r[3], const float light[3], float out[3])
{
    const theme_colours *t = &f->theme;
    float up = smooth_step(0.0F, 0.75F, r[2]), down = smooth_step(0.05F, -0.35F, r[2]);
    float soft = 0.55F * smooth_step(0.72F, 0.97F, dot(r, light));
    for (int k = 0; k < 3; k++) {
        float c = t->horizon[k] + up * (t->zenith[k] - t->horizon[k]);
        out[k] = c + down * (t->low[k] - c) + soft;
    }
}

/* Kajiya and Kay's highlight of a fibre, twice: from its surface, and a wider one of its colour. */
static void add_fibre(const surface_point *p, const float half[3], float lit, float out[3])
{
    float t[3];
    memcpy(t, p->tangent, sizeof t);
    normalize(t);
    float along = dot(t, half), across = sqrtf(fmaxf(1 - along * along, 0));
    float wide = across * across, narrow;
    wide *= wide, wide *= wide, wide *= wide; /* 16th */
    narrow = wide * wide, narrow *= narrow, narrow *= narrow;
    for (int k = 0; k < 3; k++) out[k] += lit * (0.16F * narrow + 0.55F * wide * p->albedo[k]);
}

void cord__shade(const frame *f, size_t triangle, float sx, float sy, int sample, float open,
                 float out[3])
{
    surface_point p;
    float view[3], half[3], light[3], mirror[3], seen[3];
    interpolate(f, triangle, sx, sy, &p);
    apply_look(f, &p);
    for (int k = 0; k < 3; k++) {
        light[k] = (float)f->light[k];
        view[k] = (float)f->camera.eye[k] - p.x[k];
    }
    normalize(view);
    for (int k = 0; k < 3; k++) half[k] = view[k] + light[k];
    normalize(half);
    float towards = dot(p.normal, light), lit = 0, glint = 0;
    if (towards > 0) {
        float reaching = light_reaching(f, &p, sample) * (0.4F + 0.6F * p.groove);
        float gloss = clamp01(dot(p.normal, half));
        gloss *= gloss, gloss *= gloss, gloss *= gloss, gloss *= gloss; /* to the 16th */
        lit = towards * reaching;
        glint = p.gloss * gloss * gloss * reaching; /* 32nd */
    }
    float facing_eye = clamp01(dot(p.normal, view)), edge = 1 - facing_eye;
    float up = 0.5F + 0.5F * p.normal[2], near = open * p.groove * above_ground(f, p.x[2]);
    float rim = p.fresnel * 0.10F * edge * edge * edge * up * near;
    const theme_colours *t = &f->theme;
    float diffuse = 1 - 0.8F * p.metal;
    for (int k = 0; k < 3; k++) {
        float l = t->key[k] * lit + near * (t->sky[k] * up + t->below[k] * (1 - up));
        out[k] = diffuse * p.albedo[k] * l + glint + rim * t->sky[k];
    }
    if (p.fibre > 0) add_fibre(&p, half, fmaxf(lit, 0.25F * near), out);
    if (p.metal <= 0) return;
    for (int k = 0; k < 3; k++) mirror[k] = 2 * facing_eye * p.normal[k] - view[k];
    reflected(f, mirror, light, seen);
    float schlick = edge * edge * edge * edge * edge;
    for (int k = 0; k < 3; k++) {
        float tint = p.albedo[k] + schlick * (1 - p.albedo[k]);
        out[k] += 0.85F * tint * seen[k] * near * (0.35F + 0.65F * fmaxf(lit, up));
    }
}
