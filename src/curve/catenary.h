/* The curve in which a line of given length hangs between two points. */
#ifndef CORDAGE_CURVE_CATENARY_H
#define CORDAGE_CURVE_CATENARY_H

#include <stdbool.h>

/* In arc lengths σ from the lowest point of the catenary the height above its directrix is √(a² + σ²), and the horizontal
 * coordinate a asinh(σ/a). */
typedef struct catenary {
    double from[3], across[3],
        up[3];           /* its first end, the horizontal direction towards the second, up */
    double a;            /* m; 0: two vertical lines */
    double start, angle; /* σ of the first end, and asinh(σ/a) */
} catenary;

/* A catenary; and where its ends are above each other, a half circle over the lower one, which opens the loop. */
typedef struct hanging_line {
    catenary curve;
    double length;
    double radius, end[3],
        direction
            [3]; /* of the half circle: where it ends, and the direction from there to its centre */
    bool arch_first; /* it comes before the catenary */
} hanging_line;

/* `length` exceeds the distance of the ends by more than rounding; `opening` is the least horizontal width of a loop that is long enough for
 * it. Without gravity the line lies in a plane that contains the chord. */
hanging_line cord__hanging_line(const double from[3], const double to[3], double length,
                                const double gravity[3], double opening);
/* The position at a fraction of the length. */
void cord__hanging_line_at(const hanging_line *h, double fraction, double x[3]);

#endif
