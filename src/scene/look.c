#include "scene/look.h"

#include <string.h>

const choice cord__look_choices[] = {
    {"auto", LOOK_AUTO, "by the material"},
    {"plain", CORD_LOOK_PLAIN, "smooth and slightly glossy, as of lacquer"},
    {"rope", CORD_LOOK_ROPE, "laid of three strands of yarn, which show its twist"},
    {"steel", CORD_LOOK_STEEL, "metal"},
    {"rubber", CORD_LOOK_RUBBER, "dull"},
    {"wood", CORD_LOOK_WOOD, "with grain along its length"},
    {"hair", CORD_LOOK_HAIR, "fibres, with highlights across them"},
    {NULL, 0, NULL},
};

const char *const *cord_look_names(void)
{
    static const char *const names[] = {"plain", "rope", "steel", "rubber", "wood", "hair", NULL};
    return names;
}

cord_look cord__look_of_material(const node *material, cord_look otherwise)
{
    static const struct {
        const char *part; /* of the name of the material */
        cord_look look;
    } known[] = {
        {"steel", CORD_LOOK_STEEL},        {"brass", CORD_LOOK_STEEL},
        {"copper", CORD_LOOK_STEEL},       {"bronze", CORD_LOOK_STEEL},
        {"alumin", CORD_LOOK_STEEL},       {"titanium", CORD_LOOK_STEEL},
        {"tungsten", CORD_LOOK_STEEL},     {"iron", CORD_LOOK_STEEL},
        {"nylon", CORD_LOOK_ROPE},         {"hemp", CORD_LOOK_ROPE},
        {"cotton", CORD_LOOK_ROPE},        {"polyester", CORD_LOOK_ROPE},
        {"manila", CORD_LOOK_ROPE},        {"sisal", CORD_LOOK_ROPE},
        {"polypropylene", CORD_LOOK_ROPE}, {"aramid", CORD_LOOK_ROPE},
        {"silk", CORD_LOOK_ROPE},          {"rubber", CORD_LOOK_RUBBER},
        {"silicone", CORD_LOOK_RUBBER},    {"latex", CORD_LOOK_RUBBER},
        {"neoprene", CORD_LOOK_RUBBER},    {"oak", CORD_LOOK_WOOD},
        {"pine", CORD_LOOK_WOOD},          {"spruce", CORD_LOOK_WOOD},
        {"ash", CORD_LOOK_WOOD},           {"yew", CORD_LOOK_WOOD},
        {"bamboo", CORD_LOOK_WOOD},        {"wood", CORD_LOOK_WOOD},
        {"hair", CORD_LOOK_HAIR},          {"fir", CORD_LOOK_WOOD},
        {"wool", CORD_LOOK_HAIR},
    };
    if (!material || material->kind != NODE_SCALAR) return otherwise;
    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++)
        if (strstr(material->text, known[i].part)) return known[i].look;
    return otherwise;
}
