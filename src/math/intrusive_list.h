/* Intrusive doubly linked list: the link is a member of the item, so that adding and removing take
 * constant time and allocate nothing. A zeroed head is an empty list, a zeroed link is in no list. */
#ifndef CORDAGE_MATH_INTRUSIVE_LIST_H
#define CORDAGE_MATH_INTRUSIVE_LIST_H

#include <stddef.h>

typedef struct list_link {
    struct list_link *next, **previous_next; /* the pointer to this link; NULL: in no list */
    void *item;                              /* the object that the link is a member of */
} list_link;

static inline void list_add(list_link **list, list_link *link, void *item)
{
    *link = (list_link){.next = *list, .previous_next = list, .item = item};
    if (link->next) link->next->previous_next = &link->next;
    *list = link;
}

static inline void list_remove(list_link *link)
{
    if (!link->previous_next) return;
    *link->previous_next = link->next;
    if (link->next) link->next->previous_next = link->previous_next;
    *link = (list_link){0};
}

#endif
