/* Scene files: a world described in YAML (or JSON, which is YAML). docs/scene.md describes the
 * format. A scene does not change after it was read: it can be built into any number of
 * simulations (cordage/simulation.h), which it has to outlive. Any number of threads may query it.
 * Queries of a NULL scene or simulation return NULL, zero or CORD_ERROR_ARGUMENT. */
#ifndef CORDAGE_SCENE_H
#define CORDAGE_SCENE_H

#include <cordage/body.h>
#include <cordage/constraint.h>
#include <stdbool.h>

CORD_BEGIN

typedef struct cord_scene cord_scene;

/* A function that gives the contents of files, in place of the file system: for scenes in memory, in an archive, in a
 * page. The scene file itself is read through it too, and so are the scenes that it includes and the CSV, OBJ, SVG and PNG
 * files that it names. A path is relative to that of the scene as the definition has it, without the steps "." and ".."
 * where they can be resolved ("parts/../rope.csv" is "rope.csv"). */
typedef struct cord_file_source {
    /* Returns true and sets *bytes and *size, or returns false: there is no such file. The bytes belong to the source;
     * they remain valid until its next call. NULL (the default): files are those of the file system. */
    bool (*read)(void *user, const char *path, const void **bytes, size_t *size);
    void *user; /* its first argument; the caller owns it */
} cord_file_source;

/* A scene to be read, with the files it includes or names, which are relative to it. */
typedef struct cord_scene_def {
    const char *path; /* required */
    /* Texts "path.to.key=value", NULL-terminated, or NULL; list items in a path are named by their
     * `name` or counted from 0, and the value is YAML. */
    const char *const *overrides;
    /* Whether the scene may include and name files outside its folder and the folders below it:
     * by an absolute path, by "..", or by a symbolic link. Default: false. Files that overrides name
     * are always read. */
    bool allow_outside;
    /* Cancels the reading, cord_simulation_create() of this scene, and the long calls on the worlds that
     * it builds (CORD_ERROR_CANCELLED). Default: nothing does. */
    cord_cancel cancel;
    /* Gives the files. It remains valid until cord_scene_create() returns. With it the file system is not read at all;
     * `allow_outside` and overrides do not change that. */
    cord_file_source files;
} cord_scene_def;

CORD_API cord_scene_def cord_scene_def_default(void);

/* *scene is returned even on failure, holding the errors; it is NULL only when memory is out, or an
 * argument is missing. */
CORD_API cord_status cord_scene_create(const cord_scene_def *def, cord_scene **scene);
/* The same, with the default for all but the path and the overrides. */
CORD_API cord_status cord_scene_read(const char *path, const char *const *overrides,
                                     cord_scene **scene);
/* All its simulations have been destroyed before. NULL is fine. */
CORD_API void cord_scene_free(cord_scene *scene);

/* All errors of the scene (up to 50), found in one reading, as "file:line:column: message". */
CORD_API int cord_scene_get_error_count(const cord_scene *scene);
CORD_API const char *cord_scene_get_error(const cord_scene *scene, int i);

/* The files that were read, in the order of reading, the scene file first: their paths, as they were opened or as the
 * source of files was asked for them. NULL when `i` is out of range. */
CORD_API int cord_scene_get_file_count(const cord_scene *scene);
CORD_API const char *cord_scene_get_file(const cord_scene *scene, int i);

typedef struct cord_scene_info {
    const char *title, *about, *paper, *figure; /* NULL when not given */
    double until, dt;                           /* s */
    double frame_interval;                      /* s, between recorded frames */
    bool equilibrium_first;                     /* statics before the first step */
    bool nearest_equilibrium;                   /* for cord_statics_def */
    double kick;                                /* the same, m */
    const char *outputs;                        /* formats, comma between; NULL: all there are */
    int strand_count, body_count, path_count, point_count, clamp_count, constraint_count,
        probe_count, expectation_count, joint_count, controller_count;
    int pulley_count; /* drums too; as joints they come after the others */
    int obstacle_count;
    int solid_count; /* bodies, then pulleys, obstacles and guides of cables: all that pictures show */
    int image_count;
    /* The camera that pictures and pages begin with, where the scene gives one. */
    bool view_given;
    double view_from[3], view_to[3]; /* position of the camera and of the point at the centre, m */
    bool direction_given;            /* of a camera that shows every object */
    double view_direction[3];
} cord_scene_info;

CORD_API cord_scene_info cord_scene_get_info(const cord_scene *scene);

/* How many frames a run records; a whole number. */
CORD_API double cord_scene_get_frame_count(const cord_scene *scene);

/* ---- names and colours --------------------------------------------------------------------- */

/* In the order of the file. NULL when `i` is out of range; clamps, joints, constraints and obstacles may have no name
 * (NULL). */
CORD_API const char *cord_scene_get_strand_name(const cord_scene *scene, int i);
CORD_API const char *cord_scene_get_body_name(const cord_scene *scene, int i);
CORD_API const char *cord_scene_get_path_name(const cord_scene *scene, int i);
CORD_API const char *cord_scene_get_point_name(const cord_scene *scene, int i);
CORD_API const char *cord_scene_get_clamp_name(const cord_scene *scene, int i);
CORD_API const char *cord_scene_get_constraint_name(const cord_scene *scene, int i);
CORD_API const char *cord_scene_get_joint_name(const cord_scene *scene, int i);
CORD_API const char *cord_scene_get_joint_kind(const cord_scene *scene, int i); /* "revolute" */
CORD_API const char *cord_scene_get_obstacle_name(const cord_scene *scene, int i);
CORD_API const char *cord_scene_get_solid_name(const cord_scene *scene, int i);

/* How a surface looks in pictures and pages. */
typedef enum cord_look {
    CORD_LOOK_PLAIN,
    CORD_LOOK_ROPE,
    CORD_LOOK_STEEL,
    CORD_LOOK_RUBBER,
    CORD_LOOK_WOOD,
    CORD_LOOK_HAIR,
} cord_look;

/* The names of the looks in the order of cord_look, a static array that ends with NULL. */
CORD_API const char *const *cord_look_names(void);

/* The look that the scene gives, or that of the material. Of solids see cord_simulation_get_solid(). */
CORD_API cord_look cord_scene_get_strand_look(const cord_scene *scene, int i);
CORD_API cord_look cord_scene_get_solid_look(const cord_scene *scene, int i);

/* The bar that a constraint of kind distance is drawn as. */
typedef struct cord_bar_info {
    double width, thickness; /* m; 0: it is drawn as none */
    int colour;              /* 0xrrggbb */
    cord_look look;
} cord_bar_info;
CORD_API cord_bar_info cord_scene_get_constraint_bar(const cord_scene *scene, int i);

/* Whether a solid is part of the scenery: drawn, but without effect. */
CORD_API bool cord_scene_is_scenery(const cord_scene *scene, int i);

/* 0xrrggbb (sRGB), or -1 when the scene does not say. */
CORD_API int cord_scene_get_strand_colour(const cord_scene *scene, int i);
CORD_API int cord_scene_get_body_colour(const cord_scene *scene, int i);
CORD_API int cord_scene_get_solid_colour(const cord_scene *scene, int i);

/* ---- images -------------------------------------------------------------------------------- */

/* An image that pages and pictures show in a plane. The strings and pixels belong to the scene. */
typedef struct cord_image_info {
    const char *name;         /* NULL: none */
    const char *path;         /* of its file */
    double corner[3];         /* its upper left corner, m */
    double right[3], down[3]; /* its upper and its left edge from there, orthogonal, m */
    double opacity;           /* of the whole image, 0 to 1; multiplies that of its pixels */
    int file;                 /* images of one file have the same number; in order, from 0 */
    int columns, rows;        /* pixels */
    const unsigned char *
        rgba; /* 4 × columns × rows: sRGB and opacity, row by row from the top; NULL in WebAssembly */
} cord_image_info;

/* All zero when `i` is out of range. */
CORD_API cord_image_info cord_scene_get_image(const cord_scene *scene, int i);

/* ---- controls ------------------------------------------------------------------------------ */

/* A number of the scene that one may change while it runs: an item of `live`, or a variable of `let` that is a plain
 * number. An override "path=VALUE UNIT" changes it. The strings belong to the scene. */
typedef struct cord_control {
    const char *path;  /* "let.mass" */
    const char *label; /* for a person */
    const char *unit;  /* of the numbers below, "" without one */
    double value, min, max;
    bool whole;    /* whole numbers only */
    bool declared; /* an item of `live` */
} cord_control;

CORD_API int cord_scene_get_control_count(const cord_scene *scene);
/* All zero when `i` is out of range. */
CORD_API cord_control cord_scene_get_control(const cord_scene *scene, int i);

/* ---- probes -------------------------------------------------------------------------------- */

/* A probe measures `columns` values for each of its items; a simulation knows how many items there are
 * (cord_simulation_get_probe_item_count). */
typedef struct cord_probe_info {
    const char *name, *measure;
    const char *of; /* the object it measures, as written; NULL: the world */
    int columns;
} cord_probe_info;

CORD_API cord_probe_info cord_scene_get_probe(const cord_scene *scene, int i);
/* Name and unit of a column, "z" and "m"; NULL when out of range. */
CORD_API const char *cord_scene_get_probe_column(const cord_scene *scene, int i, int column,
                                                 const char **unit);

CORD_END

#endif
