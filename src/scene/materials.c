#include "scene/materials.h"

#include "scene/scene_data.h"

#include <stddef.h>

/* Typical handbook values; a scene that needs particular values specifies them. */
#define MATERIAL(name, density, young, poisson)                                                    \
    {                                                                                              \
        name, &(const material_data)                                                               \
        {                                                                                          \
            NULL, density, young, poisson                                                          \
        }                                                                                          \
    }
static const preset materials[] = {
    MATERIAL("steel", 7850, 200e9, 0.29),    /* carbon steel */
    MATERIAL("nylon", 1140, 2.7e9, 0.39),    /* nylon 6/6, dry */
    MATERIAL("silicone", 1100, 1.3e6, 0.49), /* cast silicone elastomer, about 30 Shore A */
    MATERIAL("rubber", 930, 2.0e6, 0.49),    /* natural rubber, small strains */
    MATERIAL("hair", 1320, 3.9e9, 0.40),     /* human hair, 60 % humidity */
    MATERIAL("oak", 700, 11e9, 0.37),        /* along the grain */
    {NULL, NULL},
};

static const field material_fields[] = {
    {"density", FIELD_NUMBER, offsetof(material_data, density), true, NULL, "kg/m^3",
     LIMIT_POSITIVE, NULL, "mass per volume"},
    {"young", FIELD_NUMBER, offsetof(material_data, young), true, NULL, "Pa", LIMIT_POSITIVE, NULL,
     "Young's modulus"},
    {"poisson", FIELD_NUMBER, offsetof(material_data, poisson), false, "0.5", "", LIMIT_POISSON,
     NULL, "Poisson's ratio; the shear modulus is young / 2(1 + poisson)"},
};
static const mapping material_map = {
    "material",      "the material of a strand",   sizeof(material_data),
    material_fields, FIELD_COUNT(material_fields), NULL};

const preset_set cord__materials = {&material_map, materials};
