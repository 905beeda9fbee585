#include "matrix_picture.h"

#include "record/png.h"
#include "record/render.h"

#include <stdio.h>
#include <string.h>

enum { PANEL = 640, MARGIN = 20, TEXT = 14, HEAD = 60, FOOT = 44 };

const char *const matrix_order_names[MATRIX_ORDERS] = {"as assembled", "reverse Cuthill-McKee",
                                                       "order of Cordage"};

/* Kinds of entries, in the order in which they cover each other on one dot. */
enum {
    ENTRY_NONE,
    ENTRY_BLOCK, /* blocks cycle through four colours */
    ENTRY_BLOCK_LAST = ENTRY_BLOCK + 3,
    ENTRY_BETWEEN,
    ENTRY_BLOCK_ROW,
    ENTRY_CONSTRAINT_ROW,
    ENTRY_KINDS
};

static const unsigned char colours[ENTRY_KINDS][4] = {
    {255, 255, 255, 255}, {214, 92, 54, 255}, {236, 160, 60, 255}, {176, 58, 84, 255},
    {240, 126, 120, 255}, {120, 84, 70, 255}, {58, 158, 84, 255},  {36, 92, 210, 255},
};
static const unsigned char paper[4] = {238, 238, 234, 255}, ink[4] = {30, 30, 34, 255};

typedef struct canvas {
    int width, height;
    unsigned char *rgba;
} canvas;

static void fill(canvas *c, int x, int y, int width, int height, const unsigned char colour[4])
{
    for (int j = y; j < y + height; j++)
        for (int i = x; i < x + width; i++)
            memcpy(c->rgba + 4 * ((size_t)j * (size_t)c->width + (size_t)i), colour, 4);
}

static int entry_kind(const cluster_matrix *x, int row, int col)
{
    int kind = x->kind[row] > x->kind[col] ? x->kind[row] : x->kind[col];
    if (kind == UNKNOWN_CONSTRAINT_ROW) return ENTRY_CONSTRAINT_ROW;
    if (kind == UNKNOWN_BLOCK_ROW) return ENTRY_BLOCK_ROW;
    if (x->block[row] != x->block[col]) return ENTRY_BETWEEN;
    return ENTRY_BLOCK + x->block[row] % (ENTRY_BLOCK_LAST - ENTRY_BLOCK + 1);
}

static void draw_panel(canvas *c, const cluster_matrix *x, matrix_order order, int left,
                       unsigned char *seen)
{
    const int *inverse = x->inverse[order];
    int n = x->unknowns, dots = n < PANEL ? n : PANEL, size = PANEL / dots, side = dots * size;
    int top = HEAD, gap = (PANEL - side) / 2;
    char text[96];
    cord__draw_text(c->rgba, c->width, c->height, left, MARGIN - 8, TEXT, ink,
                    matrix_order_names[order]);
    snprintf(text, sizeof text, "half-bandwidth %d, %zu in L", x->half_bandwidth[order],
             x->factor_entries[order]);
    cord__draw_text(c->rgba, c->width, c->height, left, MARGIN + 14, TEXT, ink, text);
    memset(seen, 0, (size_t)dots * (size_t)dots);
    for (int e = 0; e < x->entries; e++) {
        int kind = entry_kind(x, x->row[e], x->col[e]);
        int i = (int)((long long)inverse[x->row[e]] * dots / n);
        int j = (int)((long long)inverse[x->col[e]] * dots / n);
        if (seen[i * dots + j] < kind) seen[i * dots + j] = (unsigned char)kind;
        if (seen[j * dots + i] < kind) seen[j * dots + i] = (unsigned char)kind;
    }
    fill(c, left + gap, top + gap, side, side, colours[ENTRY_NONE]);
    for (int i = 0; i < dots; i++)
        for (int j = 0; j < dots; j++) {
            int kind = seen[i * dots + j], inner = size > 4 ? size - 1 : size;
            if (kind)
                fill(c, left + gap + j * size, top + gap + i * size, inner, inner, colours[kind]);
        }
}

static int draw_key(canvas *c, int left, int first, int last, const char *text)
{
    int y = c->height - FOOT + 16, size = 14;
    for (int kind = first; kind <= last; kind++, left += size)
        fill(c, left, y, size, size, colours[kind]);
    cord__draw_text(c->rgba, c->width, c->height, left + 8, y, TEXT, ink, text);
    return left + 8 + (int)cord__text_width(TEXT, text) + 3 * TEXT;
}

cord_status matrix_picture(const cluster_matrix *x, memory *m, const char *path)
{
    canvas c = {.width = MATRIX_ORDERS * (PANEL + MARGIN) + MARGIN, .height = HEAD + PANEL + FOOT};
    unsigned char *seen = NEW(m, unsigned char, PANEL *PANEL);
    c.rgba = NEW(m, unsigned char, 4 * (size_t)c.width * (size_t)c.height);
    cord_status status = CORD_ERROR_MEMORY;
    if (seen && c.rgba) {
        fill(&c, 0, 0, c.width, c.height, paper);
        for (int i = 0; i < MATRIX_ORDERS; i++)
            draw_panel(&c, x, (matrix_order)i, MARGIN + i * (PANEL + MARGIN), seen);
        int left = draw_key(&c, MARGIN, ENTRY_BLOCK, ENTRY_BLOCK_LAST, "dofs, by strand");
        if (x->count[UNKNOWN_CONSTRAINT_ROW])
            left = draw_key(&c, left, ENTRY_BETWEEN, ENTRY_BETWEEN, "dofs of two strands");
        if (x->count[UNKNOWN_BLOCK_ROW])
            left = draw_key(&c, left, ENTRY_BLOCK_ROW, ENTRY_BLOCK_ROW, "multipliers of strands");
        if (x->count[UNKNOWN_CONSTRAINT_ROW])
            draw_key(&c, left, ENTRY_CONSTRAINT_ROW, ENTRY_CONSTRAINT_ROW,
                     "multipliers of constraints");
        status = cord__png_write(m, path, c.width, c.height, c.rgba);
    }
    cord__release(m, seen);
    cord__release(m, c.rgba);
    return status;
}
