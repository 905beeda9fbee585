#include "scene/materials.h"

#include "scene/scene_data.h"

#include <stddef.h>

/* docs/materials.md has the sources. A scene that needs particular values specifies them. */
#define MATERIAL(name, density, young, poisson)                                                    \
    {                                                                                              \
        name, &(const material_data)                                                               \
        {                                                                                          \
            NULL, density, young, poisson                                                          \
        }                                                                                          \
    }
static const preset materials[] = {
    MATERIAL("steel", 7800, 207e9, 0.292),           /* carbon steel */
    MATERIAL("stainless-steel", 7750, 190e9, 0.305), /* 18-8 */
    MATERIAL("music-wire", 7800, 200e9, 0.224),      /* ASTM A228, 0.84 to 1.6 mm thick */
    MATERIAL("aluminium", 2710, 71.7e9, 0.333),      /* and its alloys */
    MATERIAL("copper", 8900, 119e9, 0.326),
    MATERIAL("brass", 8540, 106e9, 0.324),
    MATERIAL("phosphor-bronze", 8170, 111e9, 0.349),
    MATERIAL("beryllium-copper", 8220, 124e9, 0.285),
    MATERIAL("titanium", 4420, 114e9, 0.34),        /* its alloys */
    MATERIAL("tungsten", 19300, 411e9, 0.28),       /* drawn wire is up to 5 % less stiff */
    MATERIAL("glass-fibre", 2580, 72.3e9, 0.22),    /* a filament of E glass */
    MATERIAL("carbon-composite", 1560, 135e9, 0.3), /* 60 % fibres of T700S in epoxy, along them */
    MATERIAL("kevlar", 1440, 112e9, 0.36),          /* yarn of Kevlar 49 */
    MATERIAL("polyester", 1390, 14.7e9, 0.4),       /* filament yarn of medium tenacity */
    MATERIAL("polypropylene", 905, 1.4e9, 0.42),    /* moulded */
    MATERIAL("ptfe", 2170, 0.5e9, 0.46),            /* moulded */
    MATERIAL("nylon", 1140, 2.7e9, 0.39),           /* moulded */
    MATERIAL("silicone", 1080, 1.14e6, 0.49),       /* cast, 30 Shore A */
    MATERIAL("rubber", 930, 2.0e6, 0.49),           /* natural rubber, small strains */
    MATERIAL("hair", 1320, 3.9e9, 0.4),             /* human hair, 60 % humidity */
    MATERIAL("wool", 1310, 3e9, 0.4),               /* a fibre, 65 % humidity */
    MATERIAL("cotton", 1520, 7.6e9, 0.4),           /* a fibre, 65 % humidity */
    MATERIAL("silk", 1340, 9.8e9, 0.4),             /* of silkworms, degummed, 65 % humidity */
    MATERIAL("spider-silk", 1300, 10e9, 0.4),       /* dragline, small strains */
    MATERIAL("tendon", 1120, 1.5e9, 0.4),           /* mammalian, beyond the toe region */
    MATERIAL("oak", 760, 12.3e9, 0.37),             /* white oak, along the grain, 12 % moisture */
    MATERIAL("spruce", 450, 10.8e9, 0.37),          /* Sitka spruce, likewise */
    MATERIAL("ash", 670, 12e9, 0.37),               /* white ash, likewise */
    MATERIAL("douglas-fir", 540, 13.4e9, 0.29),     /* coast Douglas-fir, likewise */
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
