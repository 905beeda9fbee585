/* Pictures and films of a run: --png, --mp4, --gif and the options that go with them. */
#ifndef CORDAGE_CLI_PICTURES_H
#define CORDAGE_CLI_PICTURES_H

#include "cli.h"

#include <cordage/picture.h>

enum { MAX_PICTURES = 64 };

typedef struct picture_options {
    const char *png, *mp4, *gif; /* files; NULL: none */
    double at[MAX_PICTURES];     /* times of the pictures, s */
    int at_count;                /* 0: at the end */
    bool together;               /* all times in one picture */
    bool constraints;            /* drawn, not only dots at anchors */
    bool by_night;               /* each picture in the dark theme, too: a-dark.png */
    double fps;                  /* 0: 30 */
    double aperture;             /* of the lens; 0: everything is sharp */
    const char *size, *colour_by, *theme, *view; /* as on the command line; NULL: default */
} picture_options;

/* Options are parsed into run_options; returns its picture_options. */
picture_options *picture_options_of(void *target);

/* For a command's list of options. */
bool take_png(void *target, const char *text);
bool take_mp4(void *target, const char *text);
bool take_gif(void *target, const char *text);
bool take_at(void *target, const char *text);
bool take_together(void *target, const char *text);
bool take_constraints(void *target, const char *text);
bool take_fps(void *target, const char *text);
bool take_aperture(void *target, const char *text);
bool take_size(void *target, const char *text);
bool take_colour_by(void *target, const char *text);
bool take_theme(void *target, const char *text);
bool take_view(void *target, const char *text);

#define PICTURE_OPTIONS                                                                            \
    {"--png", "FILE", "a picture of the end, or of every --at (then numbered)", take_png},         \
        {"--at", "T", "time of a picture: seconds, or as in 20ms; may be repeated", take_at},      \
        {"--together", NULL, "all times in one picture, earlier ones paler", take_together},       \
        {"--constraints", NULL, "draw constraints too, not only dots at anchors",                  \
         take_constraints},                                                                        \
        {"--mp4", "FILE", "a film in real time, encoded by ffmpeg", take_mp4},                     \
        {"--gif", "FILE", "the film as a GIF", take_gif},                                          \
        {"--fps", "N", "pictures per second of the film; default 30", take_fps},                   \
        {"--size", "WxH", "size of pictures and films; default 1280x720", take_size},              \
        {"--colour-by", "WHAT", "strand, curvature, twist, tension or speed", take_colour_by},     \
        {"--theme", "NAME", "light, dark or transparent", take_theme},                             \
        {"--aperture", "A", "depth of field: width of the lens over its distance, as 0.05",        \
         take_aperture},                                                                           \
    {                                                                                              \
        "--view", "VIEW", "front, side, top, or FROM,TO as x,y,z,x,y,z in metres", take_view       \
    }

typedef struct pictures pictures;

/* *p is NULL when no pictures are requested; the other calls accept NULL. Each prints a message on
 * failure and returns an exit code. */
int pictures_open(const picture_options *o, cord_simulation *simulation, pictures **p);
int pictures_step(pictures *p, double dt, bool last); /* after every step of dt; 0: the start */
int pictures_close(pictures *p, bool draw);           /* draw and write, or discard */

#endif
