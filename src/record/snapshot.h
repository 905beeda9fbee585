/* One recorded frame. Recorders, exporters, pictures and pages all read a frame_snapshot: of a live world
 * it is taken once per frame (cord__snapshot_take()), of a recording it is read (reading.h). The objects of
 * a frame are described once, by a snapshot_layout. */
#ifndef CORDAGE_RECORD_SNAPSHOT_H
#define CORDAGE_RECORD_SNAPSHOT_H

#include "math/memory.h"
#include "record/quantities.h"
#include "scene/contact_records.h"

#include <cordage/cordage.h>
#include <cordage/simulation.h>

/* ---- the objects ---------------------------------------------------------------------------- */

typedef struct snapshot_strand {
    const char *name, *model;
    int vertex_count, edge_count;
    size_t first_vertex, first_edge; /* among those of all strands */
    bool closed;
    cord_section section;
    double length, mass; /* m, kg */
    int colour;          /* 0xrrggbb, sRGB; -1: none given */
    cord_look look;
    bool has[QUANTITY_COUNT]; /* false: its model does not give it, NaN in every frame */
    /* Of a live world: the strand of the scene, and which of its fragments, 0: that which keeps the handle. Room for
     * fragments is reserved: unused vertices are where the last one is. */
    int scene_strand, fragment;
    bool opens; /* a closed strand that may break: the last vertex repeats the first */
} snapshot_strand;

/* Bodies, and solids that are fixed. */
typedef struct snapshot_body {
    const char *name;
    cord_shape shape; /* a mesh's arrays belong to the world or to the recording */
    double mass, center[3], moments[3], axes[9];
    int colour;
    cord_look look;
    bool scenery; /* drawn, but without effect */
} snapshot_body;

typedef struct snapshot_probe {
    const char *name, *measure, *of; /* `of` may be NULL */
    int items, columns;
    size_t first; /* its first value among those of all probes */
    const char *const *column_names, *const *column_units; /* `columns` each */
} snapshot_probe;

/* ---- of a live world only: recordings do not have them */

typedef enum anchor_kind { ANCHOR_CLAMP, ANCHOR_PIN, ANCHOR_POINT } anchor_kind;

/* A clamp or a named point of the scene. Anchor i is point i of the snapshot. */
typedef struct snapshot_anchor {
    anchor_kind kind;
    const char *name;
} snapshot_anchor;

typedef struct snapshot_constraint {
    const char *kind, *name;
    cord_constraint handle;
    int first, second; /* points of the snapshot; second -1: the world's origin */
    double direction[3];
    cord_bar_info bar; /* that it is drawn as; width 0: none */
} snapshot_constraint;

enum { PATH_PARTS = 200 };
typedef struct snapshot_path {
    const char *name;
    int body;                            /* that carries it; -1: the world */
    double points[3 * (PATH_PARTS + 1)]; /* equally spaced along it, in the carrier's axes */
} snapshot_path;

typedef struct snapshot_layout {
    int strand_count, body_count, probe_count;
    bool has_contacts;
    snapshot_strand *strands;
    snapshot_body *bodies;
    snapshot_probe *probes;
    size_t vertex_count, edge_count, longest; /* of all strands; edges of the longest strand */
    size_t probe_size;                        /* values of all probes */
    const char **column_texts;                /* names and units of the probes' columns */
    char *fragment_names;
    int anchor_count, constraint_count, path_count, point_count;
    snapshot_anchor *anchors;
    snapshot_constraint *constraints;
    snapshot_path *paths;
    cord_point *points;
} snapshot_layout;

/* Describes the objects of a simulation. Whether a model gives a quantity is found by asking for
 * it. Free it also after a failure. */
cord_status cord__snapshot_layout_make(memory *m, const cord_simulation *sim, snapshot_layout *l);
void cord__snapshot_layout_free(memory *m, snapshot_layout *l);

/* ---- the frame ------------------------------------------------------------------------------ */

enum { POINT_SIZE = 9 }; /* position, tangent, first director */

/* The values of one frame, in one block of numbers. */
typedef struct frame_snapshot {
    const snapshot_layout *layout;
    double *numbers;
    double *time;                        /* s, one number */
    double *energies;                    /* J, ENERGY_COUNT */
    double *strands[QUANTITY_COUNT];     /* of all strands, one after the other */
    double *bodies[BODY_QUANTITY_COUNT]; /* of all bodies, one after the other */
    double *probes;                      /* of all probes, one after the other */
    double *points;                      /* POINT_SIZE × point_count */
    double *attached;                    /* per constraint: 1, or 0 while it is released */
    /* Not in the block; they belong to the simulation or to the reading, until the next frame. */
    int contact_count;
    const contact_record *contacts;
} frame_snapshot;

/* How many numbers a block has. */
size_t cord__snapshot_size(const snapshot_layout *l);
/* The snapshot whose values are in this block. */
frame_snapshot cord__snapshot_in(const snapshot_layout *l, double *numbers);

enum { SNAPSHOT_ERROR = 512 };
/* Fills it from the world as it is now. Values that cannot be measured are NaN; the status is that of the first of
 * them, and `error` names its object. */
cord_status cord__snapshot_take(frame_snapshot *s, cord_simulation *sim,
                                char error[SNAPSHOT_ERROR]);

/* The message of a failure: that of the world, or the text of the status. */
const char *cord__failure_text(const cord_simulation *sim, cord_status status);

/* One quantity of one strand, from the library's query. Frames have nine columns there. */
cord_status cord__query_strand(const cord_world *world, cord_strand strand, quantity what,
                               double *values);

/* The strand of the world; null: a fragment that does not exist yet. */
cord_strand cord__snapshot_handle(const cord_simulation *sim, const snapshot_strand *s);

/* Where the values of one strand, one body, one probe begin. */
double *cord__snapshot_strand(const frame_snapshot *s, int strand, quantity what);
double *cord__snapshot_body(const frame_snapshot *s, int body, body_quantity what);
double *cord__snapshot_probe(const frame_snapshot *s, int probe);

/* Whether every constraint on anchor i, of which there is at least one, is released. */
bool cord__snapshot_anchor_released(const frame_snapshot *s, int i);

/* The axes of a body in the world, one after the other. */
void cord__snapshot_body_frame(const frame_snapshot *s, int body, double frame[9]);
/* The world position of a point given in a body's own axes; body -1: in the world's. */
void cord__snapshot_body_point(const frame_snapshot *s, int body, const double own[3],
                               double out[3]);

#endif
