#include "record/scalars.h"

#include "math/vec3.h"

#include <math.h>

void cord__edges_to_vertices(const snapshot_strand *s, const double *edges, int stride, int first,
                             int width, double *vertices)
{
    for (ptrdiff_t i = 0; i < s->vertex_count; i++) {
        ptrdiff_t before = i > 0 ? i - 1 : s->closed ? s->edge_count - 1 : 0;
        ptrdiff_t after = i < s->edge_count ? i : s->edge_count - 1;
        for (int c = 0; c < width; c++) {
            const double *column = edges + first + c;
            vertices[i * width + c] = (column[before * stride] + column[after * stride]) / 2;
        }
    }
}

static double of_row(vertex_scalar which, const double row[3])
{
    if (which == SCALAR_SPEED) return v3_norm(row);
    return which == SCALAR_TWIST ? row[2] : hypot(row[0], row[1]);
}

void cord__vertex_scalar(const frame_snapshot *s, int strand, vertex_scalar which, double *values)
{
    const snapshot_strand *of = &s->layout->strands[strand];
    const double *rows = cord__snapshot_strand(s, strand, cord__scalars[which].from);
    if (which == SCALAR_TENSION) {
        cord__edges_to_vertices(of, rows, 1, 0, 1, values);
        return;
    }
    for (ptrdiff_t i = 0; i < of->vertex_count; i++) values[i] = of_row(which, rows + 3 * i);
}
