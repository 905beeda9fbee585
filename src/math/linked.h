/* What is on something, in a list: none of it is searched, and nothing is allocated, to put one in or to take it out.
 * All zero is an empty list, and one that is in none. */
#ifndef CORDAGE_MATH_LINKED_H
#define CORDAGE_MATH_LINKED_H

#include <stddef.h>

typedef struct linked {
    struct linked *next, **from; /* what leads here; NULL: it is in no list */
    void *of;                    /* what is in the list */
} linked;

static inline void linked_add(linked **list, linked *l, void *of)
{
    *l = (linked){.next = *list, .from = list, .of = of};
    if (l->next) l->next->from = &l->next;
    *list = l;
}

static inline void linked_remove(linked *l)
{
    if (!l->from) return;
    *l->from = l->next;
    if (l->next) l->next->from = l->from;
    *l = (linked){0};
}

#endif
