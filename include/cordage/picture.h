/* Pictures of a scene, drawn in software: tubes with their true cross-section and a stripe along the
 * first director, clamps as blocks, pins as balls, a ground with soft shadows. The same bits for any
 * number of threads. */
#ifndef CORDAGE_PICTURE_H
#define CORDAGE_PICTURE_H

#include <cordage/simulation.h>

typedef enum cord_colour_by {
    CORD_COLOUR_STRAND,    /* a colour for each strand; the default */
    CORD_COLOUR_CURVATURE, /* 1/m */
    CORD_COLOUR_TWIST,     /* rad/m */
    CORD_COLOUR_TENSION,   /* N */
    CORD_COLOUR_SPEED,     /* m/s */
} cord_colour_by;

typedef enum cord_theme {
    CORD_THEME_LIGHT,       /* the default */
    CORD_THEME_DARK,        /* */
    CORD_THEME_TRANSPARENT, /* no background; the ground is seen by its shadows only */
} cord_theme;

typedef struct cord_picture_def {
    int width, height; /* pixels, 16 to 8192; default 1280 × 720 */
    cord_colour_by colour_by;
    double range[2]; /* of the colour scale; NaN (the default): what is found in the pictures */
    cord_theme theme;
    bool view_given;        /* false (the default): the camera is chosen to show everything */
    double from[3], to[3];  /* where the camera is and what it looks at, m */
    bool direction_given;   /* a camera that shows everything, */
    double direction[3];    /* looking along this */
    double ground;          /* its height, m; NaN (the default): a little below everything */
    bool no_ground;         /* no ground, and no shadows on it */
    bool no_stripe;         /* none along the first director */
    bool no_legend;         /* no colour scale, no size of the grid's squares */
    double smallest_radius; /* pixels: thinner strands are drawn this thick; default 0.9 */
    int threads;            /* 0: as many as OpenMP offers */
} cord_picture_def;

CORD_API cord_picture_def cord_picture_def_default(void);

/* The names of what to colour by, NULL-terminated, in the order of cord_colour_by. */
CORD_API const char *const *cord_colour_names(void);
/* Likewise of the themes. */
CORD_API const char *const *cord_theme_names(void);

/* Draw the world as it is now into a PNG file. `def` may be NULL. */
CORD_API cord_status cord_picture_write(cord_simulation *simulation, const char *path,
                                        const cord_picture_def *def);

/* ---- several pictures of one run ------------------------------------------------------------ */

/* A film takes the world's shape now and then and draws afterwards, so that one camera and one colour
 * scale serve all its pictures. What it takes is kept in a temporary file. */
typedef struct cord_film cord_film;

/* *film is NULL only when memory is out; on other failures it holds the message. */
CORD_API cord_status cord_film_create(cord_simulation *simulation, const cord_picture_def *def,
                                      cord_film **film);
CORD_API void cord_film_destroy(cord_film *film);

/* Take the world as it is now. */
CORD_API cord_status cord_film_take(cord_film *film);
CORD_API int cord_film_get_count(const cord_film *film);
CORD_API double cord_film_get_time(const cord_film *film, int i); /* s; NaN when out of range */

/* Draw picture i: 4 × width × height bytes, red, green, blue, opacity, row by row from the top. */
CORD_API cord_status cord_film_draw(cord_film *film, int i, unsigned char *rgba);
/* All of them in one picture, the earlier ones paler. */
CORD_API cord_status cord_film_draw_together(cord_film *film, unsigned char *rgba);

/* Draw picture i, or (CORD_FILM_TOGETHER) all in one, into a PNG file. */
#define CORD_FILM_TOGETHER (-1)
CORD_API cord_status cord_film_write(cord_film *film, int i, const char *path);

/* The message of the last failure, "" when there was none. */
CORD_API const char *cord_film_get_error(const cord_film *film);

#endif
