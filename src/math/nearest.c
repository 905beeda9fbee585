#include "math/nearest.h"

#include <cordage/scene.h>
#include <ctype.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>

enum { LONGEST = 48 }; /* longer words are compared by their first letters */

static int smallest(int a, int b, int c)
{
    int least = a < b ? a : b;
    return least < c ? least : c;
}

static size_t bounded_length(const char *s)
{
    size_t n = 0;
    while (n < LONGEST && s[n]) n++;
    return n;
}

static bool same_letter(char a, char b)
{
    return tolower((unsigned char)a) == tolower((unsigned char)b);
}

/* Optimal string alignment distance (restricted Damerau–Levenshtein): insertions, deletions,
 * replacements and exchanges of adjacent letters. */
static int edit_distance(const char *a, const char *b)
{
    int rows[3][LONGEST + 1];
    size_t na = bounded_length(a), nb = bounded_length(b);
    for (size_t j = 0; j <= nb; j++) rows[0][j] = (int)j;
    for (size_t i = 1; i <= na; i++) {
        int *row = rows[i % 3], *row_before = rows[(i + 2) % 3],
            *row_before_last = rows[(i + 1) % 3];
        row[0] = (int)i;
        for (size_t j = 1; j <= nb; j++) {
            int replace = row_before[j - 1] + !same_letter(a[i - 1], b[j - 1]);
            row[j] = smallest(row_before[j] + 1, row[j - 1] + 1, replace);
            bool swapped = i > 1 && j > 1 && same_letter(a[i - 1], b[j - 2]) &&
                           same_letter(a[i - 2], b[j - 1]);
            if (swapped && row_before_last[j - 2] + 1 < row[j]) row[j] = row_before_last[j - 2] + 1;
        }
    }
    return rows[na % 3][nb];
}

nearest cord__nearest_begin(const char *word)
{
    return (nearest){word, NULL, INT_MAX};
}

/* A candidate is close if at most a third of the letters differ (short words: 1 below three
 * letters, 2 below six), or if the word is its beginning ("vert" for "vertices"). */
void cord__nearest_offer(nearest *n, const char *candidate)
{
    size_t length = bounded_length(n->word);
    int allowed = length < 6 ? (length < 3 ? 1 : 2) : (int)(length / 3);
    int distance = edit_distance(n->word, candidate);
    bool begins = length >= 3 && strncmp(n->word, candidate, length) == 0;
    if (begins && distance > allowed) distance = allowed;
    if (distance <= allowed && distance < n->distance) {
        n->best = candidate;
        n->distance = distance;
    }
}

const char *cord__nearest_hint(const nearest *n, char *buffer, size_t size)
{
    if (!n->best) return "";
    snprintf(buffer, size, " (did you mean \"%s\"?)", n->best);
    return buffer;
}

nearest cord__nearest_of(const char *word, const char *const *names)
{
    nearest n = cord__nearest_begin(word);
    for (; *names; names++) cord__nearest_offer(&n, *names);
    return n;
}

const char *cord__nearest_name(const char *word, const char *const *names)
{
    return cord__nearest_of(word, names).best;
}
