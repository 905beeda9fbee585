/* The groups of the gallery's site, from gallery/groups.txt. */
#ifndef CORDAGE_CLI_GALLERY_GROUPS_H
#define CORDAGE_CLI_GALLERY_GROUPS_H

#include "gallery.h"

enum { MAX_GROUPS = 16 };

typedef struct gallery_groups {
    int count; /* one at least */
    char titles[MAX_GROUPS][64];
    int *of;  /* the group of each scene of the list */
    int hero; /* the scene at the top of the page */
} gallery_groups;

/* Without a file all scenes are in one group. False: memory is out. The caller frees `of`. */
bool gallery_groups_read(gallery_groups *g, const gallery_list *list);

#endif
