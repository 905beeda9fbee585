#include "scene/materials.h"

#include "scene/scene_data.h"

#include <stddef.h>
#include <string.h>

/* Typical handbook values; a scene that needs a particular one writes it out. */
static const struct {
    const char *name;
    double density, young, poisson;
} materials[] = {
    {"steel", 7850, 200e9, 0.29},    /* carbon steel */
    {"nylon", 1140, 2.7e9, 0.39},    /* nylon 6/6, dry */
    {"silicone", 1100, 1.3e6, 0.49}, /* cast silicone elastomer, about 30 Shore A */
    {"rubber", 930, 2.0e6, 0.49},    /* natural rubber, small strains */
    {"hair", 1320, 3.9e9, 0.40},     /* human hair, 60 % humidity */
    {"oak", 700, 11e9, 0.37},        /* along the grain */
};

enum { MATERIAL_COUNT = sizeof materials / sizeof materials[0] };

static const char *const *material_names(void)
{
    static const char *const names[MATERIAL_COUNT + 1] = {"steel",  "nylon", "silicone",
                                                          "rubber", "hair",  "oak"};
    return names;
}

static bool fill_material(const char *name, void *item)
{
    material_data *m = item;
    for (int i = 0; i < MATERIAL_COUNT; i++) {
        if (strcmp(materials[i].name, name) != 0) continue;
        m->density = materials[i].density;
        m->young = materials[i].young;
        m->poisson = materials[i].poisson;
        return true;
    }
    return false;
}

static const field material_fields[] = {
    {"density", FIELD_NUMBER, offsetof(material_data, density), true, NULL, "kg/m^3",
     LIMIT_POSITIVE, NULL, "mass per volume"},
    {"young", FIELD_NUMBER, offsetof(material_data, young), true, NULL, "Pa", LIMIT_POSITIVE, NULL,
     "Young's modulus"},
    {"poisson", FIELD_NUMBER, offsetof(material_data, poisson), false, "0.5", "", LIMIT_POISSON,
     NULL, "Poisson's ratio; the shear modulus is young / 2(1 + poisson)"},
};
static const mapping material_map = {
    "material",      "what a strand is made of",   sizeof(material_data),
    material_fields, FIELD_COUNT(material_fields), NULL};

const preset_set cord__materials = {&material_map, material_names, fill_material};
