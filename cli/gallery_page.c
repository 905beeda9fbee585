/* `cordage gallery page`: a site of plain files, an index with a card for every scene and a page for
 * each, with its picture, explanation, results and source. It needs no server and no network. */
#include "gallery.h"

#include <cordage/record.h>
#include <cordage/simulation.h>
#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { MAX_PICTURE_WORDS = 24 };

/* Data of one run for its page; texts belong to the scene. */
typedef struct page_context {
    const gallery_entry *entry;
    const char *directory;
    FILE *index;
    int pictures; /* of this scene */
    bool failed;  /* a file could not be written */
} page_context;

/* ---- HTML --------------------------------------------------------------------------------- */

static void put_escaped(FILE *out, const char *text)
{
    for (; text && *text; text++) {
        switch (*text) {
        case '&': fputs("&amp;", out); break;
        case '<': fputs("&lt;", out); break;
        case '>': fputs("&gt;", out); break;
        case '"': fputs("&quot;", out); break;
        default: fputc(*text, out);
        }
    }
}

static const char style[] =
    ":root{color-scheme:light dark;--back:#f6f7f9;--card:#fff;--ink:#1d2329;--soft:#5b6670;"
    "--line:#dfe3e8;--good:#1c7c3c;--bad:#b3261e;--link:#1f5fa8}"
    "@media(prefers-color-scheme:dark){:root{--back:#14171b;--card:#1d2127;--ink:#e6e9ed;"
    "--soft:#9aa5b1;--line:#323943;--good:#6fcf8a;--bad:#ff8a80;--link:#8ab8f0}}"
    "*{box-sizing:border-box}body{margin:0;background:var(--back);color:var(--ink);"
    "font:16px/1.55 system-ui,sans-serif}main{max-width:1080px;margin:0 auto;padding:24px 16px "
    "64px}"
    "a{color:var(--link)}h1{font-size:1.7rem;line-height:1.2;margin:.3em 0}h2{font-size:1.15rem;"
    "margin:2em 0 .6em}.soft{color:var(--soft);font-size:.92rem}"
    ".cards{display:grid;gap:18px;grid-template-columns:repeat(auto-fill,minmax(290px,1fr));"
    "margin-top:24px}.card{background:var(--card);border:1px solid var(--line);border-radius:10px;"
    "overflow:hidden;text-decoration:none;color:inherit;display:block}.card:hover{border-color:"
    "var(--link)}.card img,.shot{display:block;width:100%;height:auto}.shot{border-radius:10px;"
    "border:1px solid var(--line);margin:16px 0}.card div{padding:12px 14px 14px}.card h3{margin:0 "
    "0 4px;font-size:1.02rem}p{max-width:72ch}iframe{width:100%;aspect-ratio:16/10;border:1px "
    "solid "
    "var(--line);border-radius:10px}.scroll{overflow-x:auto}table{border-collapse:collapse;"
    "font-size:.92rem;min-width:100%}th,td{text-align:left;padding:6px 12px 6px "
    "0;border-bottom:1px "
    "solid "
    "var(--line);vertical-align:top}td.n{font-variant-numeric:tabular-nums;white-space:nowrap}"
    ".good{color:var(--good)}.bad{color:var(--bad);font-weight:600}pre{background:var(--card);"
    "border:1px solid var(--line);border-radius:10px;padding:14px;overflow-x:auto;font:13px/1.5 "
    "ui-monospace,monospace}";

static void begin_page(FILE *out, const char *title)
{
    fputs("<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n<meta "
          "name=\"viewport\" content=\"width=device-width,initial-scale=1\">\n<title>",
          out);
    put_escaped(out, title);
    fprintf(out, "</title>\n<style>%s</style>\n</head>\n<body>\n<main>\n", style);
}

static void end_page(FILE *out)
{
    fputs("</main>\n</body>\n</html>\n", out);
}

/* "discrete-elastic-rods-2008" and "5": "Discrete elastic rods 2008, figure 5". */
static void put_paper(FILE *out, const cord_scene_info *info)
{
    for (const char *c = info->paper; c && *c; c++) {
        char text[2] = {*c == '-' ? ' ' : *c, 0};
        if (c == info->paper) text[0] = (char)toupper((unsigned char)*text);
        put_escaped(out, text);
    }
    if (info->figure) fprintf(out, "%s", info->paper ? ", figure " : "Figure ");
    put_escaped(out, info->figure);
}

/* Paragraphs are separated by empty lines. */
static void put_paragraphs(FILE *out, const char *text)
{
    bool open = false;
    for (; text && *text; text++) {
        if (text[0] == '\n' && (text[1] == '\n' || text[1] == 0)) {
            if (open) fputs("</p>\n", out);
            open = false;
            continue;
        }
        if (!open && *text != '\n') {
            fputs("<p>", out);
            open = true;
        }
        char c[2] = {*text, 0};
        put_escaped(out, c);
    }
    if (open) fputs("</p>\n", out);
}

/* ---- a scene's page ----------------------------------------------------------------------- */

static void put_expectation(FILE *out, const cord_expectation *e)
{
    fputs("<tr><td>", out);
    put_escaped(out, e->probe);
    if (e->component) {
        fputs(", ", out);
        put_escaped(out, e->component);
    }
    if (isfinite(e->time)) {
        fprintf(out, "<br><span class=\"soft\">at %g s</span>", e->time);
    }
    fputs("</td><td class=\"n\">", out);
    if (!isnan(e->value)) fprintf(out, "%.6g &plusmn; %.2g", e->value, e->tolerance);
    if (!isnan(e->above)) fprintf(out, "&gt; %.6g ", e->above);
    if (!isnan(e->below)) fprintf(out, "&lt; %.6g", e->below);
    fprintf(out, "</td><td class=\"n %s\">%.6g%s</td><td>", e->passed ? "good" : "bad", e->measured,
            e->passed ? "" : " (not met)");
    if (e->regression) fputs("regression: ", out);
    put_escaped(out, e->regression ? e->regression : e->because);
    fputs("</td></tr>\n", out);
}

static void put_expectations(FILE *out, const cord_simulation *simulation, int count)
{
    if (count == 0) return;
    fputs("<h2>Checked results</h2>\n<div class=\"scroll\"><table>\n<tr><th>quantity</th>"
          "<th>expected</th><th>measured</th><th>because</th></tr>\n",
          out);
    for (int i = 0; i < count; i++) {
        cord_expectation e = cord_simulation_get_expectation(simulation, i);
        put_expectation(out, &e);
    }
    fputs("</table></div>\n", out);
}

static void put_source(FILE *out, const char *path)
{
    FILE *in = fopen(path, "r");
    char line[1024];
    if (!in) return;
    fputs("<h2>Source</h2>\n<pre>", out);
    while (fgets(line, sizeof line, in)) put_escaped(out, line);
    fputs("</pre>\n", out);
    fclose(in);
}

/* The first page that the run has written next to the site, as "runs/NAME/FILE". */
static bool find_player(const page_context *c, char *link, size_t size)
{
    char path[MAX_PATH];
    snprintf(path, sizeof path, "%s/runs/%s", c->directory, c->entry->file);
    DIR *dir = opendir(path);
    if (!dir) return false;
    bool found = false;
    for (struct dirent *item; !found && (item = readdir(dir));) {
        size_t length = strlen(item->d_name);
        found = length > 5 && strcmp(item->d_name + length - 5, ".html") == 0;
        if (found) snprintf(link, size, "runs/%s/%s", c->entry->file, item->d_name);
    }
    closedir(dir);
    return found;
}

static void put_pictures(FILE *out, const page_context *c, const char *title)
{
    for (int i = 0; i < c->pictures; i++) {
        fprintf(out, "<img class=\"shot\" width=\"960\" height=\"540\" src=\"%s", c->entry->file);
        if (c->pictures > 1) fprintf(out, "-%d", i + 1);
        fputs(".png\" alt=\"", out);
        put_escaped(out, title);
        fputs("\">\n", out);
    }
}

static void put_player(FILE *out, const page_context *c)
{
    char link[MAX_PATH];
    if (!find_player(c, link, sizeof link)) return;
    fprintf(out,
            "<h2>Interactive view</h2>\n<iframe src=\"%s\" title=\"player\" "
            "loading=\"lazy\"></iframe>\n"
            "<p><a href=\"%s\">On a separate page</a></p>\n",
            link, link);
}

static FILE *open_page(page_context *c, const char *name)
{
    char path[MAX_PATH];
    int length = snprintf(path, sizeof path, "%s/%s.html", c->directory, name);
    FILE *out = length < MAX_PATH ? fopen(path, "w") : NULL;
    if (!out) fprintf(stderr, "cordage gallery: cannot write %s\n", path);
    if (!out) c->failed = true;
    return out;
}

static void close_page(page_context *c, FILE *out)
{
    bool bad = ferror(out) != 0;
    bad = fclose(out) != 0 || bad;
    if (bad)
        fprintf(stderr,
                "cordage gallery: a page could not be written completely; is the disk full?\n");
    c->failed = c->failed || bad;
}

static void put_card(const page_context *c, const cord_scene_info *info, const char *title)
{
    fprintf(c->index, "<a class=\"card\" href=\"%s.html\">", c->entry->file);
    if (c->pictures) {
        fprintf(c->index,
                "<img width=\"960\" height=\"540\" loading=\"lazy\" src=\"%s%s.png\" alt=\"\">",
                c->entry->file, c->pictures > 1 ? "-1" : "");
    }
    fputs("<div><h3>", c->index);
    put_escaped(c->index, title);
    fputs("</h3><span class=\"soft\">", c->index);
    put_paper(c->index, info);
    fputs("</span></div></a>\n", c->index);
}

/* A failed run has no pictures. */
static bool has_pictures(const page_context *c)
{
    char path[MAX_PATH];
    snprintf(path, sizeof path, "%.800s/%s%s.png", c->directory, c->entry->file,
             c->pictures > 1 ? "-1" : "");
    return access(path, R_OK) == 0;
}

/* Called after the run of a scene. */
static void write_scene(void *user, const cord_simulation *simulation)
{
    page_context *c = user;
    cord_scene_info info = cord_scene_get_info(cord_simulation_get_scene(simulation));
    const char *title = info.title ? info.title : c->entry->name;
    if (!has_pictures(c)) c->pictures = 0;
    put_card(c, &info, title);
    FILE *out = open_page(c, c->entry->file);
    if (!out) return;
    begin_page(out, title);
    fputs("<p class=\"soft\"><a href=\"index.html\">Gallery</a></p>\n<h1>", out);
    put_escaped(out, title);
    fputs("</h1>\n<p class=\"soft\">", out);
    put_paper(out, &info);
    fputs("</p>\n", out);
    put_pictures(out, c, title);
    put_paragraphs(out, info.about);
    put_player(out, c);
    put_expectations(out, simulation, info.expectation_count);
    put_source(out, c->entry->path);
    end_page(out);
    close_page(c, out);
}

/* ---- site --------------------------------------------------------------------------------- */

/* A scene gives its picture options in a comment, "# picture: --at 0.4". */
typedef struct picture_line {
    char text[512];
    char *words[MAX_PICTURE_WORDS];
    int count;
} picture_line;

static void read_picture_line(const char *path, picture_line *l)
{
    static const char mark[] = "# picture:";
    static char name[] = "# picture:"; /* stands for the name of a command */
    char line[sizeof l->text];
    FILE *in = fopen(path, "r");
    l->count = 0;
    l->words[l->count++] = name;
    while (in && l->count == 1 && fgets(line, sizeof line, in)) {
        if (strncmp(line, mark, strlen(mark)) != 0) continue;
        memcpy(l->text, line, sizeof line);
        char *rest = NULL;
        for (char *w = strtok_r(l->text + strlen(mark), " \n", &rest);
             w && l->count < MAX_PICTURE_WORDS; w = strtok_r(NULL, " \n", &rest)) {
            l->words[l->count++] = w;
        }
    }
    if (in) fclose(in);
}

static bool has_format(const char *name)
{
    const char *const *names = cord_format_names();
    while (*names && strcmp(*names, name) != 0) names++;
    return *names != NULL;
}

static int page_scene(page_context *c, const run_options *options)
{
    static const option list[] = {PICTURE_OPTIONS, {NULL, NULL, NULL, NULL}};
    static const command reader = {"gallery page", "", "", NULL, list, NULL};
    char png[MAX_PATH], runs[MAX_PATH];
    run_options o = *options;
    picture_line line;
    int words;
    read_picture_line(c->entry->path, &line);
    if (!parse_options(&reader, line.count, line.words, &o, NULL, 0, &words)) {
        fprintf(stderr, "%s: the error is in the line \"# picture:\"\n", c->entry->path);
        return EXIT_SCENE;
    }
    snprintf(png, sizeof png, "%.800s/%s.png", c->directory, c->entry->file);
    snprintf(runs, sizeof runs, "%.800s/runs/%s", c->directory, c->entry->file);
    o.pictures.png = png;
    if (!o.pictures.size) o.pictures.size = "960x540";
    o.out = runs, o.no_files = !has_format("html");
    if (!o.format_count && !o.no_files) o.formats[o.format_count++] = "html";
    o.quiet = o.check = true, o.json = false;
    o.finished = write_scene, o.user = c;
    bool several = o.pictures.at_count > 1 && !o.pictures.together;
    c->pictures = several ? o.pictures.at_count : 1;
    return run_scene(c->entry->path, &o, NULL);
}

static void begin_index(FILE *out, int count)
{
    begin_page(out, "Cordage: gallery");
    fprintf(
        out,
        "<h1>Gallery</h1>\n<p class=\"soft\">%d scenes. Each is run, drawn, and checked against "
        "its expected results.</p>\n<div class=\"cards\">\n",
        count);
}

int gallery_page(const gallery_list *list, const run_options *o)
{
    page_context c = {.directory = o->out ? o->out : "gallery-page"};
    if (strlen(c.directory) > 800 || (mkdir(c.directory, 0777) != 0 && errno != EEXIST)) {
        fprintf(stderr, "cordage gallery: the directory %s cannot be created\n", c.directory);
        return EXIT_ENGINE;
    }
    int worst = EXIT_GOOD;
    c.index = open_page(&c, "index");
    if (!c.index) return EXIT_ENGINE;
    begin_index(c.index, list->count);
    for (int i = 0; i < list->count && worst < EXIT_SIGNAL; i++) {
        c.entry = &list->entries[i];
        int code = page_scene(&c, o);
        if (code > worst) worst = code;
        if (!o->quiet) printf("%s: %s\n", c.entry->name, code ? "FAILED" : "passed");
    }
    fputs("</div>\n", c.index);
    end_page(c.index);
    close_page(&c, c.index);
    if (!o->quiet) printf("The gallery is %s/index.html\n", c.directory);
    return c.failed && worst < EXIT_ENGINE ? EXIT_ENGINE : worst;
}
