/* Pictures of a scene, rendered in software: strands with their true cross-section and the look of their
 * material, dots at anchors, and a ground with soft shadows. The pixels do not
 * depend on the number of threads. One thread at a time uses a film, its scene and its world. */
#ifndef CORDAGE_PICTURE_H
#define CORDAGE_PICTURE_H

#include <cordage/simulation.h>

CORD_BEGIN

/* The quantity that determines the colour of a strand. */
typedef enum cord_colour_by {
    CORD_COLOUR_STRAND,    /* one colour per strand; the default */
    CORD_COLOUR_CURVATURE, /* 1/m */
    CORD_COLOUR_TWIST,     /* rad/m */
    CORD_COLOUR_TENSION,   /* N */
    CORD_COLOUR_SPEED,     /* m/s */
} cord_colour_by;

/* The colours of a picture. */
typedef enum cord_theme {
    CORD_THEME_LIGHT,       /* a light background; the default */
    CORD_THEME_DARK,        /* a dark background */
    CORD_THEME_TRANSPARENT, /* no background; the ground shows its shadows only */
} cord_theme;

/* The definition of a picture. */
typedef struct cord_picture_def {
    int width, height;        /* pixels, 16 to 8192; default 1280 × 720 */
    cord_colour_by colour_by; /* default CORD_COLOUR_STRAND */
    /* Ends of the colour scale, in the unit of the quantity; NaN (the default): the range of the
     * values in the pictures. */
    double range[2];
    cord_theme theme; /* default CORD_THEME_LIGHT */
    /* Use `from` and `to`; default false. Without a view or a direction the camera is the scene's; where it has none, all objects
     * are shown. */
    bool view_given;
    double from[3], to[3]; /* position of the camera and of the point at the centre, m */
    bool direction_given;  /* use `direction`; default false */
    double direction[3];   /* viewing direction of a camera that shows every object */
    double ground;         /* height of the ground, m; NaN (the default): just below every object */
    bool no_ground;        /* omit the ground and its shadows; default false */
    bool no_stripe;        /* omit the stripes along the first director; default false */
    bool no_legend;        /* omit the axes, the scale and the colour scale; default false */
    bool constraints;      /* draw constraints, not only dots at anchors; default false */
    double smallest_radius; /* pixels: smallest radius with which a strand is drawn; default 0.9 */
    /* Depth of field: the diameter of the lens over the distance of the point in focus, which is `to`, or the middle of all objects.
     * 0 (the default): everything is sharp; up to 0.5. */
    double aperture;
    int threads; /* number of threads; default 0: as many as OpenMP offers */
} cord_picture_def;

/* Returns the default definition. */
CORD_API cord_picture_def cord_picture_def_default(void);

/* Returns the names of the quantities of cord_colour_by in their order, a static array that ends with
 * NULL. */
CORD_API const char *const *cord_colour_names(void);

/* Returns the names of the themes of cord_theme in their order, a static array that ends with NULL. */
CORD_API const char *const *cord_theme_names(void);

/* Draws the present state of the world to a PNG file. `def` may be NULL: the defaults. Returns
 * CORD_ERROR_ARGUMENT, CORD_ERROR_MEMORY, CORD_ERROR_FILE when the file cannot be written, and
 * CORD_ERROR_NOT_FINITE when a position is not finite. */
CORD_API cord_status cord_picture_write(cord_simulation *simulation, const char *path,
                                        const cord_picture_def *def);

/* ---- several pictures of one run ------------------------------------------------------------ */

/* A film records states of a world and draws them afterwards, with one camera and one colour scale for
 * all pictures. It stores the states in a temporary file. */
typedef struct cord_film cord_film;

/* Creates a film of a simulation, which must outlive it. `def` may be NULL: the defaults.
 * The caller destroys the film, also after a failure; *film is NULL only when memory is exhausted.
 * Returns CORD_ERROR_ARGUMENT, CORD_ERROR_MEMORY, and CORD_ERROR_FILE when there is no temporary
 * file. */
CORD_API cord_status cord_film_create(cord_simulation *simulation, const cord_picture_def *def,
                                      cord_film **film);

/* Destroys a film and its temporary file. `film` may be NULL. */
CORD_API void cord_film_destroy(cord_film *film);

/* Records the present state of the world as the next picture. Returns CORD_ERROR_FILE when the temporary
 * file cannot be written. */
CORD_API cord_status cord_film_take(cord_film *film);

/* Returns the number of pictures. */
CORD_API int cord_film_get_count(const cord_film *film);

/* Returns the time of picture i, s; NaN when there is no such picture. */
CORD_API double cord_film_get_time(const cord_film *film, int i);

/* Draws picture i to `rgba`, 4 × width × height bytes: red, green, blue and opacity, row by row from the
 * top. Returns CORD_ERROR_ARGUMENT when there is no such picture, CORD_ERROR_MEMORY, CORD_ERROR_FILE when
 * the temporary file cannot be read, and CORD_ERROR_NOT_FINITE. */
CORD_API cord_status cord_film_draw(cord_film *film, int i, unsigned char *rgba);

/* Receives picture i, as cord_film_draw() gives it; false ends the film. */
typedef bool cord_film_receiver(void *user, int i, const unsigned char *rgba);

/* Draws all pictures, as many at a time as cord_picture_def.threads says, and gives them to `receive` in order, one at a time; from
 * any thread. Returns the errors of cord_film_draw(), and CORD_ERROR_CANCELLED when `receive` ends it. */
CORD_API cord_status cord_film_draw_all(cord_film *film, cord_film_receiver *receive, void *user);

/* Draws all pictures into one, earlier ones paler; see cord_film_draw(). */
CORD_API cord_status cord_film_draw_together(cord_film *film, unsigned char *rgba);

/* The index of the picture that cord_film_draw_together() draws, for cord_film_write(). */
#define CORD_FILM_TOGETHER (-1)

/* Draws picture i to a PNG file. Returns the errors of cord_film_draw(), and CORD_ERROR_FILE when the file
 * cannot be written. */
CORD_API cord_status cord_film_write(cord_film *film, int i, const char *path);

/* Returns the message of the last failure, "" when there was none. The string belongs to the film. */
CORD_API const char *cord_film_get_error(const cord_film *film);

CORD_END

#endif
