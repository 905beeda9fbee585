#include "gallery_groups.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- the file ----------------------------------------------------------------------------- */

/* Beside the folders of the scenes: as far above a scene as the path of the scene reaches. */
static FILE *open_groups(const gallery_list *list)
{
    char path[MAX_PATH + 16];
    snprintf(path, sizeof path, "%s", list->count > 0 ? list->entries[0].path : "");
    for (char *slash; (slash = strrchr(path, '/'));) {
        *slash = 0;
        size_t length = strlen(path);
        snprintf(path + length, sizeof path - length, "/groups.txt");
        FILE *in = fopen(path, "r");
        if (in) return in;
        path[length] = 0;
        bool root = length >= 8 && strcmp(path + length - 8, "/gallery") == 0;
        if (root) return NULL;
    }
    return NULL;
}

static char *trim(char *line)
{
    line[strcspn(line, "#\n")] = 0;
    for (size_t n = strlen(line); n > 0 && line[n - 1] == ' ';) line[--n] = 0;
    return line + strspn(line, " ");
}

/* ---- scenes ------------------------------------------------------------------------------- */

static bool is_folder(const char *word)
{
    size_t length = strlen(word);
    return length > 0 && word[length - 1] == '/';
}

/* "der/" of .../gallery/der/rope.yaml */
static bool is_in(const gallery_entry *e, const char *folder)
{
    char part[200];
    snprintf(part, sizeof part, "/gallery/%.150s", folder);
    return strstr(e->path, part) != NULL;
}

static bool is_named(const gallery_entry *e, const char *name)
{
    size_t length = strlen(e->path) - strlen(".yaml"), n = strlen(name);
    return length > n && strncmp(e->path + length - n, name, n) == 0 &&
           e->path[length - n - 1] == '/';
}

/* A name counts for more than a folder, whichever comes first. */
static void assign(gallery_groups *g, const gallery_list *list, const char *word, bool *named)
{
    for (int i = 0; i < list->count; i++) {
        const gallery_entry *e = &list->entries[i];
        bool by_name = !is_folder(word) && is_named(e, word);
        if (!by_name && (named[i] || !is_folder(word) || !is_in(e, word))) continue;
        g->of[i] = g->count - 1;
        named[i] = by_name;
    }
}

static void find_hero(gallery_groups *g, const gallery_list *list, const char *name)
{
    for (int i = 0; i < list->count; i++)
        if (is_named(&list->entries[i], name)) g->hero = i;
}

static void read_line(gallery_groups *g, const gallery_list *list, char *line, bool *named)
{
    static const char hero[] = "hero: ";
    char *end = strchr(line, ']');
    if (strncmp(line, hero, sizeof hero - 1) == 0) {
        find_hero(g, list, line + sizeof hero - 1);
    } else if (*line == '[' && end && g->count < MAX_GROUPS) {
        snprintf(g->titles[g->count++], sizeof g->titles[0], "%.*s", (int)(end - line - 1),
                 line + 1);
    } else if (*line && g->count > 0) {
        assign(g, list, line, named);
    }
}

bool gallery_groups_read(gallery_groups *g, const gallery_list *list)
{
    char line[256];
    *g = (gallery_groups){.of = calloc((size_t)list->count + 1, sizeof *g->of)};
    bool *named = calloc((size_t)list->count + 1, sizeof *named);
    FILE *in = g->of && named ? open_groups(list) : NULL;
    for (int i = 0; g->of && i < list->count; i++) g->of[i] = -1;
    while (in && fgets(line, sizeof line, in)) read_line(g, list, trim(line), named);
    if (in) fclose(in);
    if (g->count == 0) snprintf(g->titles[g->count++], sizeof g->titles[0], "Scenes");
    for (int i = 0; g->of && i < list->count; i++)
        if (g->of[i] < 0) g->of[i] = g->count - 1;
    bool good = g->of && named;
    free(named);
    return good;
}
