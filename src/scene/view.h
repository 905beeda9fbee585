/* Directions of a camera that shows every object, by the names that scenes and commands have for them. */
#ifndef CORDAGE_SCENE_VIEW_H
#define CORDAGE_SCENE_VIEW_H

enum { VIEW_BEST, VIEW_FRONT, VIEW_SIDE, VIEW_TOP };

/* Where a camera of one of these, other than VIEW_BEST, looks. */
void cord__view_direction(int direction, double along[3]);

#endif
