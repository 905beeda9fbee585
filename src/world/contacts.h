/* Surfaces and obstacles of a world. */
#ifndef CORDAGE_WORLD_CONTACTS_H
#define CORDAGE_WORLD_CONTACTS_H

#include "contact/mesh.h"
#include "solve/contacts.h"
#include "world/world.h"

enum { MATERIALS = 1000 };

struct world_contacts {
    contact_set set;
    /* Laws that the user has set: of the materials i ≤ j at j (j + 1)/2 + i. A friction below 0: none is set. */
    int materials;
    contact_law *given;
    /* Contacts of the step that ended at `kept_time`, after which quadratures have changed. */
    cord_contact *kept;
    int kept_count, kept_room;
    double kept_time;
};

typedef struct world_obstacle {
    int slot;
    char *name;
    obstacle_shape shape;
    triangle_mesh *mesh; /* owned; NULL: its shape is no mesh */
    double *values;      /* owned, of a height field or a grid of distances */
    int point;           /* slot of the point that carries it; −1: none */
    double x[3], R[9];   /* its pose relative to that, or in the world */
    cord_contact_surface surface;
} world_obstacle;

/* ---- contacts.c --------------------------------------------------------------------------------- */

/* Creates the contacts of a world that has none yet. */
cord_status cord__need_contacts(cord_world *w);
cord_status cord__check_surface(const cord_world *w, const cord_contact_surface *surface);
/* After surfaces or obstacles were added or removed, and before the slot of an object with a surface is free. */
void cord__surfaces_changed(cord_world *w);
void cord__forget_surface(cord_world *w, const object *t);
int cord__obstacle_owner(int slot);
/* Fills the set of contacts from the objects of the problem's list, which is laid out. */
cord_status cord__contacts_update(cord_world *w);
void cord__contacts_free(cord_world *w);
/* Keeps the contacts of the last step for queries while `lay_out` lays out the problem again, with the same objects. */
cord_status cord__keep_contacts(cord_world *w, cord_status (*lay_out)(cord_world *w));
/* Room for this many remembered contacts. */
cord_status cord__contacts_reserve(cord_world *w, int remembered);

/* Joins clusters between which contact acts to one, for searches. Whether any were: the search is to be made again. */
cord_status cord__join_touching(cord_world *w, joined_pairs which, bool *again);
/* Undoes it. */
void cord__separate_clusters(cord_world *w);

/* ---- obstacles.c -------------------------------------------------------------------------------- */

/* Sets a shape from its definition, with its mesh. */
void cord__shape_of(const cord_shape *from, const triangle_mesh *mesh, obstacle_shape *to);
/* The mesh of a definition that has been checked; CORD_ERROR_ARGUMENT: a triangle has no area. */
cord_status cord__surface_mesh(cord_world *w, const cord_shape *shape, triangle_mesh **mesh);
/* The pose (x, R) relative to the pose (x₀, R₀). */
void cord__compose(const double x0[3], const double R0[9], const double x[3], const double R[9],
                   double position[3], double frame[9]);
void cord__remove_obstacle(cord_world *w, world_obstacle *o);
/* Removes the obstacles that a point carries. */
void cord__remove_carried(cord_world *w, const point *carrier);
void cord__obstacle_free(cord_world *w, world_obstacle *o);

#endif
