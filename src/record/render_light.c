/* Light on surfaces: the sun with its shadow, the sky with its occlusion, and the reflection of each look, at eight positions at
 * once. The page has the same looks (web/src/looks.js). */
#include "record/float_lanes.h"
#include "record/render_frame.h"

#include "math/vec3.h"

#include <string.h>

/* ---- positions on surfaces ------------------------------------------------------------------ */

typedef struct surface_points {
    union { /* as in mesh_vertex */
        struct {
            float_lanes x[3], normal[3], tangent[3], own[3], albedo[3];
            float_lanes radius; /* of the object there, pixels */
        };
        float_lanes mixed[MIXED];
    };
    float_lanes smooth[3]; /* the normal without relief */
    float_lanes groove;    /* the part of the light that reaches into the relief */
    float_lanes gloss, fresnel, metal, fibre;
    int_lanes look, striped;
} surface_points;

/* Weights in space rather than on the picture. */
INLINE void find_weights(const frame *f, const shade_batch *b, float_lanes w[3])
{
    float_lanes x[3], y[3], per_depth[3], u[3], v[3], sum = {0};
    float_lanes sx = fl_load(b->x), sy = fl_load(b->y);
    for (int k = 0; k < 3; k++)
        for (int l = 0; l < FLOAT_LANES; l++) {
            const corner *c = corner_of(f, b->triangle[l], k);
            x[k][l] = c->x, y[k][l] = c->y, per_depth[k][l] = c->w;
        }
    for (int k = 0; k < 3; k++) u[k] = x[k] - sx, v[k] = y[k] - sy;
    for (int k = 0; k < 3; k++) {
        int i = (k + 1) % 3, j = (k + 2) % 3;
        w[k] = (u[j] * v[i] - u[i] * v[j]) * per_depth[k];
        sum += w[k];
    }
    for (int k = 0; k < 3; k++) w[k] /= sum;
}

INLINE void interpolate(const frame *f, const shade_batch *b, surface_points *p)
{
    float_lanes w[3];
    float mixed[FLOAT_LANES][MIXED];
    find_weights(f, b, w);
    for (int l = 0; l < FLOAT_LANES; l++) {
        const mesh_vertex *v[3];
        for (int k = 0; k < 3; k++) v[k] = vertex_of(f, b->triangle[l], k);
        for (int j = 0; j < MIXED; j += FLOAT_LANES) {
            unaligned_lanes *to = (unaligned_lanes *)&mixed[l][j];
            *to = w[0][l] * fl_load(v[0]->mixed + j) + w[1][l] * fl_load(v[1]->mixed + j) +
                  w[2][l] * fl_load(v[2]->mixed + j);
        }
        p->look[l] = (int32_t)v[0]->look, p->striped[l] = v[0]->striped ? -1 : 0;
    }
    for (int j = 0; j < MIXED; j++)
        for (int l = 0; l < FLOAT_LANES; l++) p->mixed[j][l] = mixed[l][j];
    p->radius *= (float)(1 / f->style.pixel);
    fl_normalize(p->normal);
    memcpy(p->smooth, p->normal, sizeof p->smooth);
    p->groove = fl_broadcast(1);
}

/* ---- looks ------------------------------------------------------------------------------------ */

/* Noise from 0 to 1 between the corners of a grid. */
INLINE float_lanes corner_noise(uint_lanes x, uint_lanes y, uint_lanes z)
{
    uint_lanes h = x * 374761393U + y * 668265263U + z * 2147483647U;
    h = (h ^ h >> 13) * 1274126177U;
    h = (h ^ h >> 16) & 0xffff;
    return __builtin_convertvector((int_lanes)h, float_lanes) * (1.0F / 65535);
}

INLINE float_lanes noise(float_lanes x, float_lanes y, float_lanes z)
{
    float_lanes fx = fl_floor(x), fy = fl_floor(y), fz = fl_floor(z), sum = {0};
    float_lanes u = fl_smooth_step(0, 1, x - fx), v = fl_smooth_step(0, 1, y - fy),
                w = fl_smooth_step(0, 1, z - fz);
    uint_lanes ix = (uint_lanes) __builtin_convertvector(fx, int_lanes),
               iy = (uint_lanes) __builtin_convertvector(fy, int_lanes),
               iz = (uint_lanes) __builtin_convertvector(fz, int_lanes);
    for (unsigned k = 0; k < 8; k++) {
        float_lanes part = (k & 1 ? u : 1 - u) * (k & 2 ? v : 1 - v) * (k & 4 ? w : 1 - w);
        sum += part * corner_noise(ix + (k & 1), iy + (k >> 1 & 1), iz + (k >> 2));
    }
    return sum;
}

/* Three strands in a right-handed lay of 9 radii, each a round bulge across its direction, and yarns in them. */
INLINE void rope_relief(int_lanes rope, surface_points *p)
{
    float_lanes shown = fl_masked(rope, fl_smooth_step(1.3F, 3, p->radius)), angle = {0},
                yarn = {0}, along[3];
    p->gloss = fl_select(rope, fl_broadcast(0), p->gloss);
    p->fresnel = fl_select(rope, fl_broadcast(0.15F), p->fresnel);
    if (!fl_any(shown > 0)) return;
    for (int l = 0; l < FLOAT_LANES; l++)
        if (rope[l]) angle[l] = atan2f(p->own[1][l], p->own[0][l]);
    float_lanes phase = 3 * (angle * (1 / 6.2831853F) - p->own[2] * (1.0F / 9)),
                u = phase - fl_floor(phase + 0.5F);
    memcpy(along, p->tangent, sizeof along);
    fl_normalize(along);
    for (int l = 0; l < FLOAT_LANES; l++)
        if (rope[l]) yarn[l] = sinf(6.2831853F * (5 * u[l] + 1.1F * p->own[2][l]));
    float_lanes fine = 0.16F * fl_smooth_step(5, 14, p->radius) * yarn,
                tilt = shown * (2.0F * u + fine), over[3];
    for (int k = 0; k < 3; k++) {
        int i = (k + 1) % 3, j = (k + 2) % 3;
        float_lanes around = along[i] * p->normal[j] - along[j] * p->normal[i];
        over[k] = -0.82F * around - 0.57F * along[k];
    }
    for (int k = 0; k < 3; k++) p->normal[k] += tilt * over[k];
    fl_normalize(p->normal);
    float_lanes edge = fl_smooth_step(0.30F, 0.5F, fl_abs(u));
    p->groove = 1 - shown * 0.6F * edge;
    fine = fl_masked(shown > 0, fine);
    for (int k = 0; k < 3; k++) p->albedo[k] *= 1 + 0.35F * fine;
}

/* Early wood and late wood across the grain, which `own[2]` runs along. */
INLINE void wood_grain(int_lanes wood, surface_points *p)
{
    float_lanes x = p->own[0], y = p->own[1], z = p->own[2];
    float_lanes waves = 0.9F * noise(1.3F * x, 1.3F * y, 0.35F * z);
    float_lanes rings = 5.5F * fl_sqrt((x + 0.7F) * (x + 0.7F) + 0.35F * y * y) + 2.2F * waves;
    float_lanes late = rings - fl_floor(rings), pores = noise(26 * x, 26 * y, 1.6F * z);
    float_lanes dark = 0.34F * late * late + 0.16F * pores;
    float_lanes shown = fl_smooth_step(1.5F, 4, p->radius);
    for (int k = 0; k < 3; k++) {
        float_lanes part = 1.1F - shown * dark * (0.8F + 0.25F * (float)k);
        p->albedo[k] *= fl_select(wood, part, fl_broadcast(1));
    }
}

/* A light stripe along the first director and a darker, thinner one opposite: one of them is to be seen from most
 * sides, and they cannot be mistaken for each other. */
INLINE void add_stripes(const frame *f, surface_points *p)
{
    float_lanes side = fl_abs(p->own[1]);
    int_lanes light = p->striped & (p->own[0] > 0) & (side < 0.30F),
              dark = p->striped & (p->own[0] < 0) & (side < 0.18F);
    for (int j = 0; j < 3; j++) {
        p->albedo[j] += fl_masked(light, 0.62F * (f->theme.stripe[j] - p->albedo[j]));
        p->albedo[j] *= fl_select(dark, fl_broadcast(0.42F), fl_broadcast(1));
    }
}

INLINE void apply_looks(const frame *f, surface_points *p)
{
    static const struct reflectance {
        float gloss, fresnel, metal, fibre;
    } looks[] = {
        [CORD_LOOK_PLAIN] = {0.16F, 1, 0, 0},   [CORD_LOOK_RUBBER] = {0.035F, 0.35F, 0, 0},
        [CORD_LOOK_STEEL] = {0.5F, 0, 1, 0},    [CORD_LOOK_ROPE] = {0, 0.15F, 0, 0},
        [CORD_LOOK_WOOD] = {0.10F, 0.5F, 0, 0}, [CORD_LOOK_HAIR] = {0, 0.4F, 0, 1},
    };
    for (int l = 0; l < FLOAT_LANES; l++) {
        const struct reflectance *r = &looks[p->look[l]];
        p->gloss[l] = r->gloss, p->fresnel[l] = r->fresnel;
        p->metal[l] = r->metal, p->fibre[l] = r->fibre;
    }
    int_lanes rope = p->look == CORD_LOOK_ROPE, wood = p->look == CORD_LOOK_WOOD;
    if (fl_any(p->striped)) add_stripes(f, p);
    if (fl_any(rope)) rope_relief(rope, p);
    if (fl_any(wood)) wood_grain(wood, p);
}

/* ---- light ---------------------------------------------------------------------------------- */

/* By a position and those of its taps. */
INLINE void extend(texel_bounds *b, float u, float v)
{
    b->low[0] = lesser(b->low[0], u - 3), b->high[0] = larger(b->high[0], u + 3);
    b->low[1] = lesser(b->low[1], v - 3), b->high[1] = larger(b->high[1], v + 3);
}

/* Positions on the light's map, and depths. */
INLINE void find_texels(const light_map *m, const float_lanes x[3], float_lanes uv[2],
                        float_lanes *depth)
{
    float_lanes along = {0};
    for (int a = 0; a < 2; a++) {
        float_lanes sum = fl_broadcast((float)(0.5 - m->origin[a] / m->texel));
        for (int k = 0; k < 3; k++) sum += x[k] * (float)(m->axes[a][k] / m->texel);
        uv[a] = sum;
    }
    for (int k = 0; k < 3; k++) along += x[k] * (float)m->light[k];
    *depth = along + (float)(2.0 * m->texel);
}

/* The part of the light that reaches a position: eight looks at the light's map around it, rotated a little
 * from sample to sample so that a pixel's nine together look at 72 positions. */
INLINE float_lanes light_reaching(const frame *f, const shade_batch *b, const surface_points *p,
                                  int_lanes towards, texel_bounds *read)
{
    const light_map *m = f->light_map;
    float_lanes x[3], uv[2], depth, part = fl_broadcast(1);
    float end = (float)m->size - 3; /* taps are less than 3 texels away */
    for (int k = 0; k < 3; k++) x[k] = p->x[k] + (float)(2.5 * m->texel) * p->smooth[k];
    find_texels(m, x, uv, &depth);
    int_lanes inside = towards & (uv[0] > 3) & (uv[1] > 3) & (uv[0] < end) & (uv[1] < end);
    for (int l = 0; l < b->count; l++) {
        if (!inside[l]) continue;
        const float(*taps)[LIGHT_TAPS] = f->light_taps[b->sample[l]]; /* as many as lanes */
        int_lanes column = __builtin_convertvector(uv[0][l] + fl_load(taps[0]), int_lanes),
                  row = __builtin_convertvector(uv[1][l] + fl_load(taps[1]), int_lanes),
                  at = row * m->size + column;
        float_lanes there = {0};
        extend(read, uv[0][l], uv[1][l]);
        for (int i = 0; i < LIGHT_TAPS; i++) there[i] = m->depth[at[i]];
        int_lanes lit = there <= depth[l]; /* -1 each */
        part[l] = (float)-((lit[0] + lit[1]) + (lit[2] + lit[3]) + (lit[4] + lit[5]) +
                           (lit[6] + lit[7])) *
                  (1.0F / LIGHT_TAPS);
    }
    return part;
}

/* How much of the sky the ground hides from something near it: 0.3 exp(−t), t = (z/h)², by (1 − t/256)²⁵⁶. */
INLINE float_lanes above_ground(const frame *f, float_lanes z)
{
    if (!f->has_ground) return fl_broadcast(1);
    float_lanes above =
                    fl_max(z - (float)f->ground, fl_broadcast(0)) * (float)(1 / (0.12 * f->reach)),
                part = 1 - fl_min(above * above, fl_broadcast(64)) * (1.0F / 256);
    for (int i = 0; i < 8; i++) part *= part;
    return 1 - 0.30F * part;
}

/* The sky, the horizon and the ground in a direction, and a wide soft light where the sun is. */
INLINE void reflected(const frame *f, const float_lanes r[3], const float_lanes light[3],
                      float_lanes out[3])
{
    const theme_colours *t = &f->theme;
    float_lanes up = fl_smooth_step(0.0F, 0.75F, r[2]), down = fl_smooth_step(0.05F, -0.35F, r[2]);
    float_lanes soft = 0.55F * fl_smooth_step(0.72F, 0.97F, fl_dot(r, light));
    for (int k = 0; k < 3; k++) {
        float_lanes c = t->horizon[k] + up * (t->zenith[k] - t->horizon[k]);
        out[k] = c + down * (t->low[k] - c) + soft;
    }
}

/* Kajiya and Kay's highlight of a fibre, twice: from its surface, and a wider one of its colour. */
INLINE void add_fibre(const surface_points *p, const float_lanes half[3], float_lanes lit,
                      float_lanes out[3])
{
    float_lanes t[3];
    memcpy(t, p->tangent, sizeof t);
    fl_normalize(t);
    float_lanes along = fl_dot(t, half), wide = fl_max(1 - along * along, fl_broadcast(0)), narrow;
    wide *= wide, wide *= wide, wide *= wide; /* 16th power of the sine */
    narrow = wide * wide, narrow *= narrow, narrow *= narrow;
    for (int k = 0; k < 3; k++)
        out[k] += p->fibre * lit * (0.16F * narrow + 0.55F * wide * p->albedo[k]);
}

INLINE float_lanes clamped(float_lanes x)
{
    return fl_min(fl_max(x, fl_broadcast(0)), fl_broadcast(1));
}

INLINE void shade(const frame *f, shade_batch *b, texel_bounds *read)
{
    surface_points p;
    float_lanes view[3], half[3], light[3], mirror[3], seen[3], out[3];
    for (int l = 1; l < FLOAT_LANES; l++) { /* the last one again */
        if (l < b->count) continue;
        b->triangle[l] = b->triangle[l - 1], b->x[l] = b->x[l - 1], b->y[l] = b->y[l - 1];
    }
    interpolate(f, b, &p);
    apply_looks(f, &p);
    for (int k = 0; k < 3; k++) {
        light[k] = fl_broadcast((float)f->light[k]);
        view[k] = (float)f->camera.eye[k] - p.x[k];
    }
    fl_normalize(view);
    for (int k = 0; k < 3; k++) half[k] = view[k] + light[k];
    fl_normalize(half);
    float_lanes towards = fl_dot(p.normal, light), gloss = clamped(fl_dot(p.normal, half));
    float_lanes reaching = light_reaching(f, b, &p, towards > 0, read) * (0.4F + 0.6F * p.groove);
    reaching = fl_masked(towards > 0, reaching);
    gloss *= gloss, gloss *= gloss, gloss *= gloss, gloss *= gloss; /* to the 16th */
    float_lanes lit = towards * reaching, glint = p.gloss * gloss * gloss * reaching; /* 32nd */
    float_lanes facing_eye = clamped(fl_dot(p.normal, view)), edge = 1 - facing_eye;
    float_lanes up = 0.5F + 0.5F * p.normal[2],
                near = fl_load(b->open) * p.groove * above_ground(f, p.x[2]);
    float_lanes rim = p.fresnel * 0.10F * edge * edge * edge * up * near;
    const theme_colours *t = &f->theme;
    float_lanes diffuse = 1 - 0.8F * p.metal;
    for (int k = 0; k < 3; k++) {
        float_lanes c = t->key[k] * lit + near * (t->sky[k] * up + t->below[k] * (1 - up));
        out[k] = diffuse * p.albedo[k] * c + glint + rim * t->sky[k];
    }
    if (fl_any(p.fibre > 0)) add_fibre(&p, half, fl_max(lit, 0.25F * near), out);
    if (fl_any(p.metal > 0)) {
        for (int k = 0; k < 3; k++) mirror[k] = 2 * facing_eye * p.normal[k] - view[k];
        reflected(f, mirror, light, seen);
        float_lanes schlick = edge * edge * edge * edge * edge;
        for (int k = 0; k < 3; k++) {
            float_lanes tint = p.albedo[k] + schlick * (1 - p.albedo[k]);
            out[k] += p.metal * 0.85F * tint * seen[k] * near * (0.35F + 0.65F * fl_max(lit, up));
        }
    }
    for (int k = 0; k < 3; k++) *(unaligned_lanes *)b->colour[k] = out[k];
}
MULTIVERSION_AVX2(cord__shade, shade, (const frame *f, shade_batch *b, texel_bounds *read),
                  (f, b, read))
