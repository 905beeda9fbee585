/* `cordage gallery page`: a site of plain files, a front page with a card for every scene (gallery_index.c) and a page for
 * each, which plays it and has its explanation, results and source. It needs no server and no network; the pages
 * share one engine. */
#include "gallery_html.h"
#include "gallery_index.h"
#include "math/markup.h"

#include <cordage/record.h>
#include <cordage/simulation.h>
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { MAX_PICTURE_WORDS = 24 };

/* Data of one run for its page. */
typedef struct page_context {
    const gallery_list *list;
    const gallery_groups *groups;
    int number; /* of the scene in the list */
    const gallery_entry *entry;
    site_card *card;
    const char *directory;
    bool has_engine; /* engine.js is in the folder */
    bool failed;     /* a file could not be written */
} page_context;

/* ---- a scene's page ----------------------------------------------------------------------- */

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
        cord__markup_put(out, c);
    }
    if (open) fputs("</p>\n", out);
}

static void put_expectation(FILE *out, const cord_expectation *e)
{
    fputs("<tr><td>", out);
    cord__markup_put(out, e->probe);
    if (e->component) {
        fputs(", ", out);
        cord__markup_put(out, e->component);
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
    cord__markup_put(out, e->regression ? e->regression : e->because);
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
    while (fgets(line, sizeof line, in)) cord__markup_put(out, line);
    fputs("</pre>\n", out);
    fclose(in);
}

static bool has_file(const page_context *c, const char *name)
{
    char path[MAX_PATH];
    snprintf(path, sizeof path, "%.600s/%.400s", c->directory, name);
    return access(path, R_OK) == 0;
}

static bool has_player(const page_context *c)
{
    char name[256];
    snprintf(name, sizeof name, "runs/%s/index.html", c->entry->file);
    return has_file(c, name);
}

static void put_pictures(FILE *out, const page_context *c, const char *title)
{
    int count = c->card->pictures;
    if (count > 0) fputs("<div class=\"shots\">\n", out);
    for (int i = 0; i < count; i++) {
        char stem[256];
        if (count > 1)
            snprintf(stem, sizeof stem, "%.200s-%d", c->entry->file, i + 1);
        else
            snprintf(stem, sizeof stem, "%.200s", c->entry->file);
        html_put_image(out, stem, "class=\"shot\"", title);
        fputs("\n", out);
    }
    if (count > 0) fputs("</div>\n", out);
}

static void put_player(FILE *out, const page_context *c)
{
    if (!c->card->player) return;
    fprintf(out,
            "<iframe class=\"player\" src=\"runs/%s/index.html\" title=\"The scene, playing\" "
            "allow=\"clipboard-write; fullscreen\"></iframe>\n"
            "<p class=\"soft\"><a href=\"runs/%s/index.html\">On a page of its own</a></p>\n",
            c->entry->file, c->entry->file);
}

/* The next scene of the same group in this direction; NULL: it is the last one. */
static const gallery_entry *neighbour(const page_context *c, int by)
{
    for (int i = c->number + by; i >= 0 && i < c->list->count; i += by)
        if (c->groups->of[i] == c->groups->of[c->number]) return &c->list->entries[i];
    return NULL;
}

static void put_navigation(FILE *out, const page_context *c)
{
    const gallery_entry *before = neighbour(c, -1), *after = neighbour(c, 1);
    int group = c->groups->of[c->number];
    fprintf(out,
            "<nav class=\"top\"><a href=\"index.html\">Gallery</a><a href=\"index.html#group-%d\">",
            group + 1);
    cord__markup_put(out, c->groups->titles[group]);
    fputs("</a><span class=\"space\"></span>", out);
    if (before) fprintf(out, "<a href=\"%s.html\" rel=\"prev\">← Previous</a>", before->file);
    if (after) fprintf(out, "<a href=\"%s.html\" rel=\"next\">Next →</a>", after->file);
    fputs("</nav>\n", out);
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

/* A failed run has no pictures. */
static bool has_pictures(const page_context *c)
{
    char name[256];
    snprintf(name, sizeof name, "%s%s.png", c->entry->file, c->card->pictures > 1 ? "-1" : "");
    return has_file(c, name);
}

static char *paper_text(const cord_scene_info *info)
{
    char *text = NULL;
    size_t size;
    FILE *out = open_memstream(&text, &size);
    if (!out) return NULL;
    html_put_paper(out, info);
    fclose(out);
    return text;
}

static void fill_card(page_context *c, const cord_scene_info *info, const char *title)
{
    if (!has_pictures(c)) c->card->pictures = 0;
    c->card->player = has_player(c);
    c->card->title = strdup(title);
    c->card->paper = paper_text(info);
    c->card->about = strdup(info->about ? info->about : "");
    if (c->card->title && c->card->paper && c->card->about) return;
    free(c->card->title); /* the card is left out */
    c->card->title = NULL;
    c->failed = true;
}

/* Called after the run of a scene. */
static void write_scene(void *user, const cord_simulation *simulation)
{
    page_context *c = user;
    cord_scene_info info = cord_scene_get_info(cord_simulation_get_scene(simulation));
    const char *title = info.title ? info.title : c->entry->name;
    fill_card(c, &info, title);
    FILE *out = open_page(c, c->entry->file);
    if (!out) return;
    html_begin(out, title);
    put_navigation(out, c);
    fputs("<h1>", out);
    cord__markup_put(out, title);
    fputs("</h1>\n<p class=\"soft\">", out);
    html_put_paper(out, &info);
    fputs("</p>\n", out);
    put_player(out, c);
    put_paragraphs(out, info.about);
    put_pictures(out, c, title);
    put_expectations(out, simulation, info.expectation_count);
    put_source(out, c->entry->path);
    html_end(out);
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
    o.pictures.png = png, o.pictures.by_night = true;
    if (!o.pictures.size) o.pictures.size = "960x540";
    o.out = runs, o.no_files = !has_format("html");
    if (!o.format_count && !o.no_files) o.formats[o.format_count++] = "html";
    o.quiet = o.check = true, o.json = false;
    o.shared_engine = c->has_engine ? "../../engine.js" : NULL;
    o.finished = write_scene, o.user = c;
    bool several = o.pictures.at_count > 1 && !o.pictures.together;
    c->card->pictures = several ? o.pictures.at_count : 1;
    return run_scene(c->entry->path, &o, NULL);
}

static bool write_file(const page_context *c, const char *name, const void *bytes, size_t size)
{
    char path[MAX_PATH];
    snprintf(path, sizeof path, "%.800s/%s", c->directory, name);
    FILE *out = fopen(path, "wb");
    bool good = out && fwrite(bytes, 1, size, out) == size;
    if (out) good = fclose(out) == 0 && good;
    if (!good) fprintf(stderr, "cordage gallery: cannot write %s\n", path);
    return good;
}

/* One engine for all pages; where there is none, they play only. */
static bool copy_engine(const page_context *c)
{
    char path[MAX_PATH];
    char *bytes = NULL;
    size_t size = 0;
    FILE *in = find_engine(path, sizeof path) ? fopen(path, "rb") : NULL;
    if (!in) return false;
    FILE *memory = open_memstream(&bytes, &size);
    for (int byte; memory && (byte = getc(in)) != EOF;) putc(byte, memory);
    bool good =
        memory && fclose(memory) == 0 && !ferror(in) && write_file(c, "engine.js", bytes, size);
    fclose(in);
    free(bytes);
    return good;
}

static void write_index(page_context *c, const site_card *cards)
{
    FILE *out = open_page(c, "index");
    if (!out) return;
    gallery_index_write(out, c->list, c->groups, cards);
    close_page(c, out);
}

static int write_site(page_context *c, const run_options *o, site_card *cards)
{
    int worst = EXIT_GOOD;
    for (int i = 0; i < c->list->count && worst < EXIT_SIGNAL; i++) {
        c->number = i;
        c->entry = &c->list->entries[i];
        c->card = &cards[i];
        int code = page_scene(c, o);
        if (code > worst) worst = code;
        if (!o->quiet) printf("%s: %s\n", c->entry->name, code ? "FAILED" : "passed");
    }
    write_index(c, cards);
    return worst;
}

int gallery_page(const gallery_list *list, const run_options *o)
{
    gallery_groups groups;
    page_context c = {
        .list = list, .groups = &groups, .directory = o->out ? o->out : "gallery-page"};
    if (strlen(c.directory) > 600 || (mkdir(c.directory, 0777) != 0 && errno != EEXIST)) {
        fprintf(stderr, "cordage gallery: the directory %s cannot be created\n", c.directory);
        return EXIT_ENGINE;
    }
    site_card *cards = calloc((size_t)list->count + 1, sizeof *cards);
    int worst = EXIT_ENGINE;
    if (gallery_groups_read(&groups, list) && cards &&
        write_file(&c, "site.css", cli_site_css, cli_site_css_size) &&
        write_file(&c, "site.js", cli_site_js, cli_site_js_size)) {
        c.has_engine = copy_engine(&c);
        worst = write_site(&c, o, cards);
        if (!o->quiet) printf("The gallery is %s/index.html\n", c.directory);
    }
    for (int i = 0; cards && i < list->count; i++) {
        free(cards[i].title);
        free(cards[i].paper);
        free(cards[i].about);
    }
    free(cards);
    free(groups.of);
    return c.failed && worst < EXIT_ENGINE ? EXIT_ENGINE : worst;
}
