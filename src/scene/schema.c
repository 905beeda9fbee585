#include "scene/schema.h"

#include "math/json.h"
#include "scene/expand.h"
#include "scene/materials.h"
#include "scene/measure.h"
#include "scene/scene_data.h"
#include "scene/sections.h"
#include "scene/solids.h"

#include <string.h>

/* ---- members ------------------------------------------------------------------------------ */

/* A member whose value is JSON already. */
static void literal(json *j, const char *key, const char *text)
{
    cord__json_literal(j, key, text, strlen(text));
}

/* ---- kinds of values ---------------------------------------------------------------------- */

/* Numbers may be texts with units, which a schema cannot check; only plain numbers are checked. */
static void range_values(json *j, limit range)
{
    static const struct {
        const char *min_key, *min, *max;
    } values[] = {
        [LIMIT_NONE] = {NULL, NULL, NULL},
        [LIMIT_POSITIVE] = {"exclusiveMinimum", "0", NULL},
        [LIMIT_NOT_NEGATIVE] = {"minimum", "0", NULL},
        [LIMIT_POISSON] = {"exclusiveMinimum", "-1", "0.5"},
        [LIMIT_FRACTION] = {"minimum", "0", "1"},
        [LIMIT_VERTICES] = {"minimum", "2", "1000000"},
        [LIMIT_COUNT] = {"minimum", "1", "1000000"},
        [LIMIT_ORBIT] = {"minimum", "1", "1000"},
        [LIMIT_ELEMENTS] = {"minimum", "1", "1000"},
    };
    if (values[range].min) literal(j, values[range].min_key, values[range].min);
    if (values[range].max) literal(j, "maximum", values[range].max);
}

static void map_schema(json *j, const mapping *map, bool in_list);

static void word_list(json *j, const char *name, const char *const *words, int count)
{
    cord__json_inline_array(j, name);
    for (int i = 0; i < count; i++) cord__json_string(j, NULL, words[i]);
    cord__json_end(j, ']');
}

static void choice_schema(json *j, const field *f)
{
    const char *words[64];
    int count = 0;
    for (const choice *c = f->detail; c->name && count < 64; c++) words[count++] = c->name;
    word_list(j, "enum", words, count);
}

static void name_schema(json *j, const field *f)
{
    const char *const *names = ((const name_list *)f->detail)->names();
    int count = 0;
    while (names[count]) count++;
    word_list(j, "enum", names, count);
}

static void number_schema(json *j, const field *f)
{
    literal(j, "type", "[\"number\", \"string\"]");
    range_values(j, f->range);
}

static void integer_schema(json *j, const field *f)
{
    literal(j, "type", "[\"integer\", \"string\"]");
    range_values(j, f->range);
}

static void numbers_schema(json *j, const field *f)
{
    const count_range *range = f->detail;
    cord__json_inline_array(j, "oneOf");
    literal(j, NULL, "{\"$ref\": \"#/$defs/quantity\"}");
    cord__json_inline_object(j, NULL);
    cord__json_string(j, "type", "array");
    literal(j, "items", "{\"$ref\": \"#/$defs/quantity\"}");
    cord__json_integer(j, "minItems", range->min);
    cord__json_integer(j, "maxItems", range->max);
    cord__json_end(j, '}');
    cord__json_end(j, ']');
}

static void vector_schema(json *j, const field *f)
{
    (void)f;
    literal(j, "$ref", "\"#/$defs/vector\"");
}

static void points_schema(json *j, const field *f)
{
    (void)f;
    literal(j, "type", "\"array\"");
    literal(j, "items", "{\"$ref\": \"#/$defs/vector\"}");
}

static void bool_schema(json *j, const field *f)
{
    (void)f;
    literal(j, "enum", "[true, false, \"yes\", \"no\", \"true\", \"false\", \"on\", \"off\"]");
}

static void text_schema(json *j, const field *f)
{
    (void)f;
    literal(j, "type", "[\"string\", \"number\", \"boolean\"]");
}

static void mapping_schema(json *j, const field *f)
{
    map_schema(j, f->detail, false);
}

static void list_schema(json *j, const field *f)
{
    literal(j, "type", "\"array\"");
    cord__json_object(j, "items");
    map_schema(j, f->detail, true);
    cord__json_end(j, '}');
}

static void variant_schema(json *j, const field *f)
{
    const variant_set *set = f->detail;
    char reference[64];
    snprintf(reference, sizeof reference, "#/$defs/%s", set->what);
    cord__json_string(j, "$ref", reference);
}

static void preset_schema(json *j, const field *f)
{
    const preset_set *set = f->detail;
    cord__json_inline_array(j, "oneOf");
    cord__json_inline_object(j, NULL);
    cord__json_inline_array(j, "enum");
    for (const preset *p = set->presets; p->name; p++) cord__json_string(j, NULL, p->name);
    cord__json_end(j, ']');
    cord__json_end(j, '}');
    cord__json_object(j, NULL);
    map_schema(j, set->map, false);
    cord__json_end(j, '}');
    cord__json_end(j, ']');
}

/* The schema of a special is the content of an object: written without braces. */
static void special_schema(json *j, const field *f)
{
    const char *schema = ((const special *)f->detail)->schema;
    const mapping *map = ((const special *)f->detail)->map;
    if (map) {
        cord__json_inline_array(j, "anyOf");
        literal(j, NULL, schema);
        cord__json_object(j, NULL);
        map_schema(j, map, false);
        cord__json_end(j, '}');
        cord__json_end(j, ']');
        return;
    }
    cord__json_literal(j, NULL, schema + 1, strlen(schema) - 2);
}

typedef void (*kind_writer)(json *j, const field *f);

static const kind_writer kinds[] = {
    [FIELD_NUMBER] = number_schema,   [FIELD_NUMBERS] = numbers_schema,
    [FIELD_VECTOR] = vector_schema,   [FIELD_POINTS] = points_schema,
    [FIELD_INTEGER] = integer_schema, [FIELD_BOOL] = bool_schema,
    [FIELD_TEXT] = text_schema,       [FIELD_CHOICE] = choice_schema,
    [FIELD_NAME] = name_schema,       [FIELD_MAP] = mapping_schema,
    [FIELD_LIST] = list_schema,       [FIELD_VARIANT] = variant_schema,
    [FIELD_PRESET] = preset_schema,   [FIELD_SPECIAL] = special_schema,
};

/* ---- mappings ----------------------------------------------------------------------------- */

static void describe(json *j, const field *f)
{
    char text[512];
    bool unit = f->unit && *f->unit, fallback = f->fallback && strcmp(f->fallback, "{}") != 0;
    snprintf(text, sizeof text, "%s%s%s%s%s%s", f->about, unit ? " [" : "", unit ? f->unit : "",
             unit ? "]" : "", fallback ? "; default " : "", fallback ? f->fallback : "");
    cord__json_string(j, "description", text);
}

static void field_schema(json *j, const field *f)
{
    cord__json_object(j, f->key);
    describe(j, f);
    kinds[f->kind](j, f);
    cord__json_end(j, '}');
}

static void array_schema(json *j, const mapping *map)
{
    cord__json_object(j, map->name);
    cord__json_string(j, "description", map->about);
    map_schema(j, map, false);
    cord__json_end(j, '}');
}

static void map_schema(json *j, const mapping *map, bool in_list)
{
    const char *required[65];
    int count = 0;
    literal(j, "type", "\"object\"");
    literal(j, "additionalProperties", "false");
    cord__json_object(j, "properties");
    for (int i = 0; i < map->field_count; i++) {
        field_schema(j, &map->fields[i]);
        if (map->fields[i].required && count < 64) required[count++] = map->fields[i].key;
    }
    if (in_list) {
        array_schema(j, &cord__repeat_map);
        array_schema(j, &cord__grid_map);
    }
    cord__json_end(j, '}');
    if (count && map == &cord__scene_map) { /* included files may contain them */
        cord__json_inline_array(j, "anyOf");
        literal(j, NULL, "{\"required\": [\"include\"]}");
        static const char *const either[] = {"strands", "bodies", "cables"};
        for (int i = 0; i < 3; i++) {
            required[count] = either[i];
            cord__json_object(j, NULL);
            word_list(j, "required", required, count + 1);
            cord__json_end(j, '}');
        }
        cord__json_end(j, ']');
    } else if (count) {
        word_list(j, "required", required, count);
    }
}

/* One of several mappings, selected by its only key. */
static void set_schema(json *j, const variant_set *set)
{
    cord__json_object(j, set->what);
    literal(j, "type", "\"object\"");
    literal(j, "minProperties", "1");
    literal(j, "maxProperties", "1");
    literal(j, "additionalProperties", "false");
    cord__json_object(j, "properties");
    for (const mapping *const *m = set->list(); *m; m++) array_schema(j, *m);
    cord__json_end(j, '}');
    cord__json_end(j, '}');
}

void cord__schema_json(FILE *out)
{
    json j;
    cord__json_begin(&j, out, JSON_LINES);
    cord__json_object(&j, NULL);
    cord__json_string(&j, "$schema", "https://json-schema.org/draft/2020-12/schema");
    cord__json_string(&j, "title", "Cordage scene, version 1");
    cord__json_string(&j, "description", cord__scene_map.about);
    map_schema(&j, &cord__scene_map, false);
    cord__json_object(&j, "$defs");
    literal(&j, "quantity",
            "{\"description\": \"a number with an optional unit, or an expression: 4 mm, $n * 2 "
            "cm\", \"type\": [\"number\", \"string\"]}");
    literal(&j, "vector",
            "{\"type\": \"array\", \"items\": {\"$ref\": \"#/$defs/quantity\"}, \"minItems\": 3, "
            "\"maxItems\": 3}");
    set_schema(&j, &cord__shapes);
    set_schema(&j, &cord__sections);
    set_schema(&j, &cord__solids);
    cord__json_end(&j, '}');
    cord__json_end(&j, '}');
}

/* ---- the reference ------------------------------------------------------------------------ */

/* A short description of the form of a value. */
static void value_text(FILE *out, const field *f)
{
    static const char *const words[] = {
        [FIELD_NUMBER] = "number",
        [FIELD_NUMBERS] = "numbers",
        [FIELD_VECTOR] = "vector",
        [FIELD_POINTS] = "vectors",
        [FIELD_INTEGER] = "whole number",
        [FIELD_BOOL] = "yes or no",
        [FIELD_TEXT] = "text",
        [FIELD_MAP] = "mapping, below",
        [FIELD_LIST] = "list, below",
        [FIELD_CHOICE] = "word, below",
    };
    bool unit = f->unit && *f->unit;
    if (f->kind == FIELD_NAME) {
        const char *const *names = ((const name_list *)f->detail)->names();
        for (int i = 0; names[i]; i++) fprintf(out, "%s`%s`", i ? ", " : "", names[i]);
    } else if (f->kind == FIELD_VARIANT) {
        fprintf(out, "a [%s](#%ss)", ((const variant_set *)f->detail)->what,
                ((const variant_set *)f->detail)->what);
    } else if (f->kind == FIELD_PRESET) {
        const preset_set *set = f->detail;
        fprintf(out, "a [%s](#%ss)", set->map->name, set->map->name);
    } else if (f->kind == FIELD_SPECIAL) {
        fputs(((const special *)f->detail)->what, out);
    } else {
        fprintf(out, "%s%s%s", words[f->kind], unit ? ", " : "", unit ? f->unit : "");
    }
}

/* The choices of a key, below its table. */
static void choice_lists(FILE *out, const mapping *map)
{
    for (int i = 0; i < map->field_count; i++) {
        const field *f = &map->fields[i];
        if (f->kind != FIELD_CHOICE) continue;
        fprintf(out, "\n`%s` is one of\n\n", f->key);
        for (const choice *c = f->detail; c->name; c++) {
            fprintf(out, "- `%s`: %s\n", c->name, c->about);
        }
    }
}

static void map_table(FILE *out, const mapping *map)
{
    fputs("\n| key | value | default | |\n|---|---|---|---|\n", out);
    for (int i = 0; i < map->field_count; i++) {
        const field *f = &map->fields[i];
        fprintf(out, "| `%s` | ", f->key);
        value_text(out, f);
        fputs(" | ", out);
        if (f->required) {
            fputs("required", out);
        } else if (f->fallback && strcmp(f->fallback, "{}") != 0) {
            fprintf(out, "`%s`", f->fallback);
        }
        fprintf(out, " | %s |\n", f->about);
    }
    choice_lists(out, map);
}

static void map_section(FILE *out, const mapping *map, const char *title, int level, bool list)
{
    fprintf(out, "\n%.*s %s\n\n%s.\n", level, "######", title, map->about);
    if (list) fputs("Each item may also have `repeat` or `grid`.\n", out);
    map_table(out, map);
    for (int i = 0; i < map->field_count;
         i++) { /* mappings that are used only here follow directly */
        const field *f = &map->fields[i];
        const mapping *inner = f->detail;
        if (f->kind == FIELD_SPECIAL) inner = ((const special *)f->detail)->map;
        bool nested = f->kind == FIELD_MAP || f->kind == FIELD_LIST || f->kind == FIELD_SPECIAL;
        if (!nested || !inner || strcmp(f->key, "refine") == 0) continue;
        char below[128];
        snprintf(below, sizeof below, "`%s` of %s", f->key, title);
        if (map == &cord__scene_map) snprintf(below, sizeof below, "%s", f->key);
        map_section(out, inner, below, map == &cord__scene_map ? level : level + 1,
                    f->kind == FIELD_LIST);
    }
}

static void set_section(FILE *out, const variant_set *set)
{
    fprintf(out, "\n### %ss\n\nA %s is a mapping with one key, which says which kind it is.\n",
            set->what, set->what);
    for (const mapping *const *m = set->list(); *m; m++) {
        fprintf(out, "\n#### %s\n\n%s.\n", (*m)->name, (*m)->about);
        map_table(out, *m);
    }
}

static void material_section(FILE *out)
{
    const preset_set *set = &cord__materials;
    fprintf(out, "\n### materials\n\n%s: a name, or a mapping.\n", set->map->about);
    map_table(out, set->map);
    fputs("\n| name | density, kg/m^3 | young, Pa | poisson |\n|---|---|---|---|\n", out);
    for (const preset *p = set->presets; p->name; p++) {
        const material_data *m = p->item;
        fprintf(out, "| `%s` | %g | %g | %g |\n", p->name, m->density, m->young, m->poisson);
    }
}

static void measure_section(FILE *out)
{
    static const char *const items[] = {[PER_SUBJECT] = "",
                                        [PER_VERTEX] = "each vertex",
                                        [PER_EDGE] = "each edge",
                                        [PER_ROW] = "each row"};
    int count;
    const measure_ops *list = cord__measure_list(&count);
    fputs("\n### measures\n\nWhat a probe can measure, of what, and the columns it gives.\n\n"
          "| of | measure | for | columns | unit |\n|---|---|---|---|---|\n",
          out);
    for (int i = 0; i < count; i++) {
        const measure_ops *m = &list[i];
        const char *name = "";
        for (const choice *c = cord__measures; c->name; c++) {
            if (c->value == (int)m->kind) name = c->name;
        }
        fprintf(out, "| %s | `%s` | %s | ", cord__subject_text(m->subject), name, items[m->items]);
        for (int c = 0; c < m->columns; c++) {
            fprintf(out, "%s`%s`", c ? " " : "", m->column_names[c]);
        }
        const char *angle = cord__angle_unit((int)m->kind);
        fprintf(out, " | %s%s%s |\n",
                m->unit                            ? m->unit
                : m->subject == SUBJECT_CONTROLLER ? "of its output"
                                                   : "the constraint's",
                angle ? ", or " : "", angle ? angle : "");
    }
}

void cord__schema_reference(FILE *out)
{
    map_section(out, &cord__scene_map, "the scene", 3, false);
    set_section(out, &cord__shapes);
    fputs("\n#### `refine` of shapes\n", out);
    for (int i = 0; i < (*cord__shapes.list())->field_count; i++) {
        const field *f = &(*cord__shapes.list())->fields[i];
        if (strcmp(f->key, "refine") == 0) map_table(out, f->detail);
    }
    set_section(out, &cord__sections);
    set_section(out, &cord__solids);
    material_section(out);
    measure_section(out);
    fputs("\n### arrays\n", out);
    fprintf(out, "\n#### repeat\n\n%s.\n", cord__repeat_map.about);
    map_table(out, &cord__repeat_map);
    fprintf(out, "\n#### grid\n\n%s.\n", cord__grid_map.about);
    map_table(out, &cord__grid_map);
}
