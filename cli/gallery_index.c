#include "gallery_index.h"

#include "gallery_html.h"
#include "math/markup.h"

#include <string.h>

static int count_in(const gallery_list *list, const gallery_groups *g, int group)
{
    int count = 0;
    for (int i = 0; i < list->count; i++) count += g->of[i] == group;
    return count;
}

/* The scene that the file names, if it plays; else the first one that does; -1: none. */
static int choose_hero(const gallery_list *list, const gallery_groups *g, const site_card *cards)
{
    if (g->hero < list->count && cards[g->hero].player) return g->hero;
    for (int i = 0; i < list->count; i++)
        if (cards[i].player) return i;
    return -1;
}

static void put_hero(FILE *out, const gallery_list *list, int hero, const site_card *cards)
{
    fputs("<section class=\"hero\">\n", out);
    if (hero >= 0) {
        fprintf(out, "<iframe src=\"runs/%s/index.html#embed\" title=\"", list->entries[hero].file);
        cord__markup_put(out, cards[hero].title);
        fputs("\"></iframe>\n", out);
    }
    fprintf(out,
            "<div class=\"words\">\n<h1>Ropes, rods, cables and hair to take hold of</h1>\n"
            "<p>%d scenes. Each is simulated, checked against its expected results, and goes on "
            "live where you take it over: in this browser, and nowhere else.</p>\n",
            list->count);
    if (hero >= 0) {
        fprintf(out, "<a class=\"open\" href=\"%s.html\">", list->entries[hero].file);
        cord__markup_put(out, cards[hero].title);
        fputs(" →</a>\n", out);
    }
    fputs("</div>\n</section>\n", out);
}

static void put_search(FILE *out, const gallery_list *list, const gallery_groups *g)
{
    fputs("<div class=\"find\">\n<input id=\"search\" type=\"search\" placeholder=\"Search: knot, "
          "pulley, hair … \" aria-label=\"Search the scenes\" autocomplete=\"off\">\n<nav "
          "aria-label=\"Groups\">\n",
          out);
    for (int k = 0; k < g->count; k++) {
        if (count_in(list, g, k) == 0) continue;
        fprintf(out, "<a href=\"#group-%d\">", k + 1);
        cord__markup_put(out, g->titles[k]);
        fputs("</a>\n", out);
    }
    fputs("</nav>\n</div>\n", out);
}

static void put_card(FILE *out, const gallery_entry *e, const site_card *c)
{
    fprintf(out, "<a class=\"card\" href=\"%s.html\" data-words=\"%s ", e->file, e->name);
    cord__markup_put(out, c->about);
    fputs("\">", out);
    char stem[256];
    snprintf(stem, sizeof stem, "%.240s%s", e->file, c->pictures > 1 ? "-1" : "");
    if (c->pictures)
        html_put_image(out, stem, "", "");
    else
        fputs("<span class=\"blank\"></span>", out);
    fputs("<div><h3>", out);
    cord__markup_put(out, c->title);
    fputs("</h3>", out);
    if (*c->paper) fprintf(out, "<span class=\"soft\">%s</span>", c->paper);
    fputs("</div></a>\n", out);
}

void gallery_index_write(FILE *out, const gallery_list *list, const gallery_groups *g,
                         const site_card *cards)
{
    html_begin(out, "Cordage: gallery");
    put_hero(out, list, choose_hero(list, g, cards), cards);
    put_search(out, list, g);
    for (int k = 0; k < g->count; k++) {
        int count = count_in(list, g, k);
        if (count == 0) continue;
        fprintf(out, "<section class=\"group\" id=\"group-%d\">\n<h2>", k + 1);
        cord__markup_put(out, g->titles[k]);
        fprintf(out, " <small>%d</small></h2>\n<div class=\"cards\">\n", count);
        for (int i = 0; i < list->count; i++)
            if (g->of[i] == k && cards[i].title) put_card(out, &list->entries[i], &cards[i]);
        fputs("</div>\n</section>\n", out);
    }
    fputs("<p id=\"nothing\" hidden>No scene has these words.</p>\n<script "
          "src=\"site.js\"></script>\n",
          out);
    html_end(out);
}
