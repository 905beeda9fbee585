/* Chains: their keys, checks of keys that exclude each other, and the arrays of their elements. */
#include "math/vec3.h"
#include "scene/scene_data.h"
#include "strand/traits.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* ---- reading curvatures ----------------------------------------------------------------------- */

/* 1/m and rad/m are the same here, for bending as for twist. */
static bool read_component(reader *r, const field *f, const node *n, double *k)
{
    quantity q;
    char ignored[160];
    bool angle = n->kind == NODE_SCALAR &&
                 cord__evaluate(r->scope, n->text, &q, ignored, sizeof ignored) && q.has_unit &&
                 cord__same_dimension(q.dim, cord__unit_dimension("rad/m"));
    return cord__read_number(r, n, f->key, angle ? "rad/m" : "1/m", LIMIT_NONE, k);
}

static bool read_curvature(reader *r, const field *f, const node *n, void *target)
{
    double *k = target;
    if (n->kind != NODE_LIST || n->count != 3) {
        cord__diagnose(r->errors, n->at,
                       "%s: expected a vector [about the first director, about the second, twist]",
                       f->key);
        return false;
    }
    bool good = true;
    for (int i = 0; i < 3; i++) good = read_component(r, f, n->items[i], &k[i]) && good;
    return good;
}

const special cord__curvature_special = {"vector, 1/m", "{\"$ref\": \"#/$defs/vector\"}",
                                         read_curvature, NULL};

/* One value is bending in the plane of tangent and first director, about the second director. */
static bool read_entry(reader *r, const field *f, const node *n, curvature_list *list, double *k)
{
    if (n->kind != NODE_SCALAR) return read_curvature(r, f, n, k);
    if (!list->number) list->number = n;
    return read_component(r, f, n, &k[1]);
}

static bool read_curvatures(reader *r, const field *f, const node *n, void *target)
{
    curvature_list *list = target;
    bool one = n->kind != NODE_LIST;
    int count = one ? 1 : n->count;
    if (n->kind == NODE_MAP || count < 1 || count > 2 * CHAIN_MAX_ELEMENTS) {
        cord__diagnose(r->errors, n->at,
                       "%s: expected a list of 1 to %d vectors [about the first director, about "
                       "the second, twist]",
                       f->key, 2 * CHAIN_MAX_ELEMENTS);
        return false;
    }
    *list = (curvature_list){n, count, TAKE(r->memory, double, 3 * (size_t)count), NULL};
    bool good = list->values != NULL;
    for (int i = 0; list->values && i < count; i++) {
        const node *item = one ? n : n->items[i];
        good = read_entry(r, f, item, list, list->values + 3 * (size_t)i) && good;
    }
    return good;
}

const special cord__curvatures_special = {
    "vectors, 1/m",
    "{\"anyOf\": [{\"$ref\": \"#/$defs/quantity\"}, {\"type\": \"array\", \"minItems\": 1, "
    "\"maxItems\": 2000, \"items\": {\"anyOf\": [{\"$ref\": \"#/$defs/quantity\"}, {\"$ref\": "
    "\"#/$defs/vector\"}]}}]}",
    read_curvatures, NULL};

const count_range cord__element_range = {1, CHAIN_MAX_ELEMENTS};

/* ---- the base --------------------------------------------------------------------------------- */

/* The component of a director normal to the unit tangent, normalised; false when it is parallel to it. */
static bool normal_part(const double *director, const double *tangent, double *normal)
{
    v3_normalize(normal, director);
    v3_axpy(normal, -v3_dot(normal, tangent), tangent);
    if (v3_norm(normal) < 1e-6) return false;
    v3_normalize(normal, normal);
    return true;
}

bool cord__make_frame(reader *r, const node *at, const double *tangent, const double *director,
                      double *frame)
{
    static const double y[3] = {0, 1, 0}, z[3] = {0, 0, 1};
    double *t = frame, *first = frame + 3, *second = frame + 6;
    if (v3_norm(tangent) == 0) {
        cord__diagnose(r->errors, cord__node_key_mark(at, "tangent"),
                       "tangent must not be the zero vector");
        return false;
    }
    v3_normalize(t, tangent);
    if (isnan(director[0])) {
        if (!normal_part(y, t, first)) normal_part(z, t, first);
    } else if (v3_norm(director) == 0 || !normal_part(director, t, first)) {
        cord__diagnose(r->errors, cord__node_key_mark(at, "director"),
                       "director must be a direction across the tangent");
        return false;
    }
    v3_cross(second, t, first);
    return true;
}

/* The frame of the mapping, orthonormalised: scenes specify it with few digits. */
static bool take_frame(reader *r, base_data *b)
{
    const double *v = b->frame.values;
    mark at = cord__node_key_mark(b->at, "frame");
    if (cord__node_get(b->at, "tangent") || cord__node_get(b->at, "director")) {
        cord__diagnose(r->errors, at, "either frame, or tangent and director");
        return false;
    }
    bool good = b->frame.count == 9;
    for (int i = 0; good && i < 3; i++)
        for (int j = 0; good && j <= i; j++)
            good = fabs(v3_dot(v + 3 * (size_t)i, v + 3 * (size_t)j) - (i == j)) < 1e-4;
    if (good && cord__make_frame(r, b->at, v, v + 3, b->axes) && v3_dot(b->axes + 6, v + 6) > 0)
        return true;
    cord__diagnose(r->errors, at,
                   "frame: expected three unit vectors, tangent, first director and second "
                   "director, each across the others and the third the first two's product");
    return false;
}

static bool finish_base(reader *r, void *item)
{
    base_data *b = item;
    if (b->frame.values) return take_frame(r, b);
    return cord__make_frame(r, b->at, b->tangent, b->director, b->axes);
}

static const field base_fields[] = {
    {"position", FIELD_VECTOR, offsetof(base_data, position), false, "[0, 0, 0]", "m", LIMIT_NONE,
     NULL, "the first vertex"},
    {"tangent", FIELD_VECTOR, offsetof(base_data, tangent), false, "[1, 0, 0]", "", LIMIT_NONE,
     NULL, "the tangent there"},
    {"director", FIELD_VECTOR, offsetof(base_data, director), false, NULL, "", LIMIT_NONE, NULL,
     "first director there (its part across the tangent); default: [0, 1, 0], or [0, 0, 1] where "
     "that is the tangent"},
    {"frame", FIELD_POINTS, offsetof(base_data, frame), false, NULL, "", LIMIT_NONE, NULL,
     "instead: tangent, first director, second director"},
};
const mapping cord__base_map = {"base",
                                "where a chain given by its curvatures begins",
                                sizeof(base_data),
                                base_fields,
                                FIELD_COUNT(base_fields),
                                finish_base};

/* ---- keys that exclude each other ------------------------------------------------------------- */

typedef struct refusal {
    const char *key, *why;
} refusal;

#define REFUSALS(list) list, (int)(sizeof(list) / sizeof((list)[0]))

static bool refuse(reader *r, const strand_data *s, const refusal *list, int count)
{
    bool good = true;
    for (int i = 0; i < count; i++) {
        if (!cord__node_get(s->at, list[i].key)) continue;
        cord__diagnose(r->errors, cord__node_key_mark(s->at, list[i].key), "%s %s", list[i].key,
                       list[i].why);
        good = false;
    }
    return good;
}

#define CHAINS "is for chains (segment, helix, clothoid); "

#define SPLINES "is for splines; "

/* Diagnoses keys of splines in other models, and keys of other models in splines. */
static bool check_spline(reader *r, const strand_data *s)
{
    static const refusal others[] = {
        {"control_points", SPLINES "this model has none"},
        {"ends", SPLINES "this model has no basis"},
    };
    static const refusal own[] = {
        {"curvature", "chooses how vertices count as curvature; a spline has its own"},
    };
    if (cord__strand_traits(s->model)->has_control_points) return refuse(r, s, REFUSALS(own));
    return refuse(r, s, REFUSALS(others));
}

static bool check_other(reader *r, const strand_data *s)
{
    static const refusal keys[] = {
        {"elements", CHAINS "this model has the edges of its shape"},
        {"lengths", CHAINS "this model has the edges of its shape"},
        {"length", CHAINS "this model is as long as its shape"},
        {"curvatures", CHAINS "this model takes them from its shape"},
        {"natural_curvatures", CHAINS "this model takes them from \"natural\""},
        {"rest", CHAINS "this model has no inverse statics"},
        {"planar", CHAINS "this model moves in space"},
        {"base_damping", CHAINS "this model has no base"},
        {"kinematics", CHAINS "this model integrates no frames"},
        {"base", CHAINS "this model begins where its shape does"},
        {"samples", CHAINS "this model has the vertices of its shape"},
    };
    bool good = refuse(r, s, REFUSALS(keys));
    if (s->shape.kind) return good;
    cord__diagnose(r->errors, s->at->at, "strand needs \"shape\": the initial shape");
    return false;
}

/* A chain has exactly one initial shape and at most one natural one, in any form. */
static bool check_given(reader *r, const strand_data *s)
{
    static const refusal no_shape[] = {
        {"director", "goes with a shape; with curvatures, \"base\" has it"},
        {"initial_twist", "goes with a shape; the third of the curvatures is the twist"},
    };
    static const refusal with_shape[] = {
        {"base", "goes with curvatures; this chain begins where its shape does"},
        {"samples", "goes with curvatures; a shape has \"vertices\""},
    };
    static const refusal with_both[] = {{"curvatures", "or shape: either, not both"}};
    static const refusal no_natural[] = {
        {"natural", "or natural_curvatures: either, not both"},
        {"natural_director", "goes with a natural shape, not with curvatures"},
        {"natural_twist", "goes with a natural shape; the third of the curvatures is the twist"},
    };
    static const refusal with_rest[] = {
        {"natural", "or rest: either, not both; rest finds the natural shape"},
        {"natural_curvatures", "or rest: either, not both; rest finds the natural curvatures"},
        {"natural_director", "or rest: either, not both; rest finds the natural shape"},
        {"natural_twist", "or rest: either, not both; rest finds the natural shape"},
    };
    const chain_data *c = &s->chain;
    bool good = true;
    if (s->rest) good = refuse(r, s, REFUSALS(with_rest));
    if (!s->shape.kind && !c->curvatures.at) {
        cord__diagnose(r->errors, s->at->at, "strand needs \"shape\" or \"curvatures\"");
        good = false;
    } else if (!s->shape.kind) {
        good = refuse(r, s, REFUSALS(no_shape)) && good;
    } else {
        good = refuse(r, s, REFUSALS(with_shape)) && refuse(r, s, REFUSALS(with_both)) && good;
    }
    bool by_curvatures = c->natural_curvatures.at || (!s->shape.kind && !s->natural.kind);
    return (!by_curvatures || refuse(r, s, REFUSALS(no_natural))) && good;
}

bool cord__check_chain(reader *r, const strand_data *s)
{
    static const refusal keys[] = {
        {"curvature", "chooses how vertices count as curvature; a chain's unknowns are curvatures"},
        {"closing_twist", "is for closed strands; a chain is open"},
    };
    bool good = check_spline(r, s);
    if (!cord__strand_traits(s->model)->has_elements) return check_other(r, s) && good;
    good = refuse(r, s, REFUSALS(keys)) && good;
    if (s->stretch != CORD_STRETCH_NONE) {
        cord__diagnose(r->errors, cord__node_key_mark(s->at, "stretch"),
                       "a %s is inextensible; models without elements can stretch", s->model);
        good = false;
    }
    return check_given(r, s) && good;
}

/* ---- elements --------------------------------------------------------------------------------- */

static bool has_nodes(const strand_data *s)
{
    return cord__strand_traits(s->model)->has_nodal_curvature;
}

/* The number of elements in the scene; otherwise that of its lists, or the largest for its vertices. */
static int count_elements(const strand_data *s)
{
    const chain_data *c = &s->chain;
    if (c->elements) return c->elements;
    if (c->lengths.count) return c->lengths.count;
    int entries = c->curvatures.count;
    if (has_nodes(s) && entries > 2) return entries - 1;
    if (!has_nodes(s) && entries > 1) return entries;
    int vertices = s->shape.kind ? ((const shape_base *)s->shape.data)->vertices : 0;
    return vertices && vertices - 1 < CHAIN_ELEMENTS ? vertices - 1 : CHAIN_ELEMENTS;
}

static bool check_lengths(reader *r, const strand_data *s, double sum)
{
    const chain_data *c = &s->chain;
    if (c->lengths.count && c->lengths.count != c->elements) {
        cord__diagnose(r->errors, cord__node_get(s->at, "lengths")->at,
                       "lengths has %d entr%s; the chain has %d element%s", c->lengths.count,
                       c->lengths.count == 1 ? "y" : "ies", c->elements,
                       c->elements == 1 ? "" : "s");
        return false;
    }
    if (c->lengths.count && !(fabs(c->total / sum - 1) <= 1e-9)) {
        cord__diagnose(r->errors, cord__node_key_mark(s->at, "length"),
                       "length is %.9g m, but lengths add up to %.9g m", c->total, sum);
        return false;
    }
    if (!isnan(c->total) || s->shape.kind) return true;
    cord__diagnose(r->errors, s->at->at, "strand needs \"length\" or \"lengths\" with curvatures");
    return false;
}

static bool make_elements(reader *r, strand_data *s)
{
    chain_data *c = &s->chain;
    double sum = 0;
    c->elements = count_elements(s);
    for (int i = 0; i < c->lengths.count; i++) sum += c->lengths.values[i];
    if (c->lengths.count && isnan(c->total)) c->total = sum;
    if (!check_lengths(r, s, sum)) return false;
    c->fractions = TAKE(r->memory, double, c->elements + 1);
    if (!c->fractions) return false;
    for (int i = 0; i < c->elements; i++) {
        double part = c->lengths.count ? c->lengths.values[i] / sum : 1.0 / c->elements;
        c->fractions[i + 1] = i + 1 < c->elements ? c->fractions[i] + part : 1;
    }
    return true;
}

/* ---- curvatures ------------------------------------------------------------------------------- */

static bool check_planar(reader *r, const strand_data *s, const curvature_list *list,
                         const char *key)
{
    if (!s->chain.planar && list->number) {
        cord__diagnose(r->errors, list->number->at,
                       "%s: expected a vector [about the first director, about the second, twist]; "
                       "one number is for a planar chain",
                       key);
        return false;
    }
    for (int i = 0; s->chain.planar && i < list->count; i++) {
        const double *k = list->values + 3 * (size_t)i;
        if (k[0] == 0 && k[2] == 0) continue;
        cord__diagnose(r->errors, list->at->items[i]->at,
                       "%s: a planar chain bends about its second director only: [0, k, 0]", key);
        return false;
    }
    return true;
}

static bool complain_count(reader *r, const strand_data *s, const curvature_list *list,
                           const char *key, bool natural)
{
    int n = s->chain.elements;
    char kind[96], or [64] = "";
    const char *plural = n == 1 ? "" : "s";
    if (has_nodes(s)) {
        snprintf(kind, sizeof kind, "a %s of %d element%s has %d nodes", s->model, n, plural,
                 n + 1);
    } else {
        snprintf(kind, sizeof kind, "a chain of %d %s element%s has %d", n, s->model, plural, n);
    }
    if (natural) snprintf(or, sizeof or, " (or %d, the start and end of each element)", 2 * n);
    cord__diagnose(r->errors, list->at->at, "%s has %d entr%s; %s%s", key, list->count,
                   list->count == 1 ? "y" : "ies", kind, or);
    return false;
}

/* The entries and weights that give the curvature at node i; `end`: of the element before it, not of the one after. */
static void curvature_at(const strand_data *s, const curvature_list *list, int i, bool end,
                         double *k)
{
    int n = s->chain.elements, element = end ? i - 1 : i;
    const double *v = list->values;
    if (list->count == 1) {
        v3_copy(k, v);
    } else if (has_nodes(s) && list->count == 2) {
        v3_combine(k, 1 - s->chain.fractions[i], v, s->chain.fractions[i], v + 3);
    } else if (has_nodes(s) && list->count == n + 1) {
        v3_copy(k, v + 3 * (size_t)i);
    } else if (list->count == 2 * n) {
        v3_copy(k, v + 3 * (2 * (size_t)element + end));
    } else {
        v3_copy(k, v + 3 * (size_t)element);
    }
}

/* The curvature at the start and at the end of each element; *ends NULL when none is specified. */
static bool make_ends(reader *r, const strand_data *s, const curvature_list *list, bool natural,
                      double **ends)
{
    const char *key = natural ? "natural_curvatures" : "curvatures";
    int n = s->chain.elements, count = list->count;
    *ends = NULL;
    if (!list->at) return true;
    if (!check_planar(r, s, list, key)) return false;
    bool fits = count == 1 || (has_nodes(s) ? count == 2 || count == n + 1 : count == n);
    if (!fits && !(natural && count == 2 * n)) return complain_count(r, s, list, key, natural);
    *ends = TAKE(r->memory, double, 6 * (size_t)n);
    for (int i = 0; *ends && i < n; i++) {
        curvature_at(s, list, i, false, *ends + 6 * (size_t)i);
        curvature_at(s, list, i + 1, true, *ends + 6 * (size_t)i + 3);
    }
    return *ends != NULL;
}

/* Curvatures of nodes, or of elements, from those at the ends of elements. */
static bool make_initial(reader *r, strand_data *s)
{
    chain_data *c = &s->chain;
    if (!c->ends) return true;
    c->initial = TAKE(r->memory, double, 3 * (size_t)(c->elements + 1));
    if (!c->initial) return false;
    for (int i = 0; i < c->elements; i++)
        v3_copy(c->initial + 3 * (size_t)i, c->ends + 6 * (size_t)i);
    if (has_nodes(s))
        v3_copy(c->initial + 3 * (size_t)c->elements, c->ends + 6 * (size_t)c->elements - 3);
    if (!s->perturb) return true;
    cord__perturb_curvatures(s);
    if (!c->natural && !s->natural.kind) c->natural = c->ends;
    return true;
}

static void set_base(strand_data *s)
{
    static const double identity[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1};
    chain_data *c = &s->chain;
    memcpy(c->frame, c->base ? c->base->axes : identity, sizeof c->frame);
    v3_copy(c->position, s->offset);
    if (c->base) v3_add(c->position, c->position, c->base->position);
}

bool cord__prepare_chain(reader *r, strand_data *s)
{
    chain_data *c = &s->chain;
    if (!make_elements(r, s)) return false;
    set_base(s);
    bool good = make_ends(r, s, &c->curvatures, false, &c->ends);
    good = make_ends(r, s, &c->natural_curvatures, true, &c->natural) && good;
    if (!good || !make_initial(r, s)) return false;
    if (c->samples == 0) c->samples = CHAIN_SAMPLES_PER_ELEMENT * c->elements + 1;
    shape_base *base = s->shape.data;
    if (base && base->vertices == 0) base->vertices = CHAIN_VERTICES_PER_ELEMENT * c->elements + 1;
    return true;
}
