#include "scene/materials.h"

#include "scene/scene_data.h"

#include <stddef.h>

/* Typical values; docs/materials.md has their sources. A scene that needs particular values specifies them. */
#define MATERIAL(name, density, young, poisson)                                                    \
    {                                                                                              \
        name, &(const material_data)                                                               \
        {                                                                                          \
            NULL, density, young, poisson                                                          \
        }                                                                                          \
    }
static const preset materials[] = {
    MATERIAL("steel", 7850, 200e9, 0.29),           /* carbon steel */
    MATERIAL("stainless-steel", 8000, 193e9, 0.29), /* AISI 304 */
    MATERIAL("music-wire", 7850, 207e9, 0.3),    /* ASTM A228, for springs; shear modulus 80 GPa */
    MATERIAL("aluminium", 2700, 68.9e9, 0.33),   /* 6061-T6 */
    MATERIAL("copper", 8940, 117e9, 0.34),       /* annealed */
    MATERIAL("brass", 8530, 110e9, 0.375),       /* cartridge brass, C26000 */
    MATERIAL("titanium", 4430, 113.8e9, 0.342),  /* Ti-6Al-4V */
    MATERIAL("nitinol", 6450, 75e9, 0.33),       /* austenite, below the stress of transformation */
    MATERIAL("tungsten", 19300, 411e9, 0.28),    /* drawn wire */
    MATERIAL("glass-fibre", 2540, 72.4e9, 0.21), /* a filament of E glass */
    MATERIAL("carbon-composite", 1600, 135e9, 0.3), /* pultruded rod, 60 % fibres, along them */
    MATERIAL("kevlar", 1440, 112e9, 0.36),          /* a filament of aramid 49 */
    MATERIAL("dyneema", 975, 110e9, 0.38),          /* a filament of drawn polyethylene */
    MATERIAL("polyester", 1380, 10e9, 0.4),         /* a filament of drawn PET */
    MATERIAL("polypropylene", 905, 1.4e9, 0.42),    /* moulded */
    MATERIAL("ptfe", 2170, 0.5e9, 0.46),            /* moulded */
    MATERIAL("nylon", 1140, 2.7e9, 0.39),           /* nylon 6/6, dry */
    MATERIAL("silicone", 1100, 1.3e6, 0.49),        /* cast elastomer, about 30 Shore A */
    MATERIAL("rubber", 930, 2.0e6, 0.49),           /* natural rubber, small strains */
    MATERIAL("hair", 1320, 3.9e9, 0.4),             /* human hair, 60 % humidity */
    MATERIAL("wool", 1310, 3e9, 0.4),               /* a fibre, 65 % humidity */
    MATERIAL("cotton", 1520, 8e9, 0.4),             /* a fibre, 65 % humidity */
    MATERIAL("spider-silk", 1300, 10e9, 0.4),       /* dragline, small strains */
    MATERIAL("tendon", 1120, 1.2e9, 0.4),           /* mammalian, beyond the toe region */
    MATERIAL("oak", 760, 12.3e9, 0.37),             /* white oak, along the grain, 12 % moisture */
    MATERIAL("spruce", 450, 10.8e9, 0.37),          /* Sitka spruce, likewise */
    MATERIAL("ash", 670, 12e9, 0.37),               /* white ash, likewise */
    MATERIAL("bamboo", 700, 15e9, 0.3),             /* culm, along the fibres */
    MATERIAL("spaghetti", 1500, 3.8e9, 0.3),        /* dry */
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
