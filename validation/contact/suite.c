/* The checks of contact, in the order of the report. */
#include "validation/contact/contact.h"

static const validation_check checks[] = {
    {"contact-capstan",
     "A rope wound round a fixed cylinder as a helix is pulled at one end and has a constant load "
     "at "
     "the other: the ratio of tensions is e^(μφ) with contact at the centreline. With contact at "
     "the surface friction acts at the radius R of the cylinder, tension at R + ρ, and it is "
     "e^(μφR/(R + ρ)), up to μ²ρ/R of the exponent. The polygon of the discrete rod adds "
     "π²/3n² of the exponent, n being the edges of a turn.",
     check_contact_capstan},
    {0},
};

const validation_suite validation_contact = {
    "contact", "contact with Coulomb friction: obstacles, strands and knots", checks};
