#include "validation/page.h"
#include "validation/plot.h"
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static const char page_css[] =
    ":root{color-scheme:light dark;--paper:#fff;--ink:#1c1c1e;--soft:#777;--line:#e2e2e2;"
    "--good:#1a7f37;--bad:#c0271a}\n"
    "@media(prefers-color-scheme:dark){:root{--paper:#16171a;--ink:#e8e8ea;--soft:#9a9aa0;"
    "--line:#34363b;--good:#6cd08a;--bad:#ff8b80}}\n"
    "body{background:var(--paper);color:var(--ink);font:16px/1.5 system-ui,sans-serif;"
    "max-width:60rem;margin:2rem auto;padding:0 1rem}\n"
    "h2{margin-top:3rem;border-top:1px solid var(--line);padding-top:1.5rem}\n"
    "h2 small{font-weight:400;color:var(--soft);font-size:.8rem}\n"
    ".scroll{overflow-x:auto}\n"
    "table{border-collapse:collapse;font-size:.85rem;font-variant-numeric:tabular-nums}\n"
    "th,td{padding:.2rem .8rem .2rem 0;text-align:left;border-bottom:1px solid var(--line);"
    "white-space:nowrap}\n"
    "td.n{text-align:right}\n"
    ".good{color:var(--good)}.bad{color:var(--bad);font-weight:600}\n"
    "details summary{cursor:pointer;color:var(--soft)}\n";

static bool make_directories(const char *path)
{
    char *copy = strdup(path);
    if (copy == NULL) return false;
    bool made = true;
    for (char *c = copy + 1; made && *c; c++) {
        if (*c != '/') continue;
        *c = '\0';
        made = mkdir(copy, 0777) == 0 || errno == EEXIST;
        *c = '/';
    }
    made = made && (mkdir(copy, 0777) == 0 || errno == EEXIST);
    free(copy);
    return made;
}

FILE *page_open(const char *directory, const char *title)
{
    size_t size = strlen(directory) + sizeof "/index.html";
    char *path = malloc(size);
    if (path == NULL) return NULL;
    snprintf(path, size, "%s/index.html", directory);
    FILE *out = make_directories(directory) ? fopen(path, "w") : NULL;
    if (out == NULL) fprintf(stderr, "cordage: cannot write %s: %s\n", path, strerror(errno));
    free(path);
    if (out == NULL) return NULL;
    fprintf(out,
            "<!doctype html>\n<html lang=\"en\">\n<meta charset=\"utf-8\">\n"
            "<meta name=\"viewport\" content=\"width=device-width\">\n"
            "<title>Cordage: %s</title>\n<style>\n",
            title);
    fputs(page_css, out);
    fputs(plot_css, out);
    fputs("</style>\n", out);
    return out;
}
