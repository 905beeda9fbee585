/* Cordage: simulation of ropes, cables, rods, ribbons, tendons, threads, hair and plants.
 * SPDX-License-Identifier: MIT
 *
 * This header includes the simulation library. Scene files are in <cordage/scene.h>, recordings in
 * <cordage/record.h>, pictures in <cordage/picture.h>, and the coupling with the Open Dynamics Engine
 * in <cordage/ode.h>. */
#ifndef CORDAGE_CORDAGE_H
#define CORDAGE_CORDAGE_H

#include <cordage/body.h>
#include <cordage/cable.h>
#include <cordage/field.h>
#include <cordage/fit.h>
#include <cordage/inverse.h>
#include <cordage/path.h>
#include <cordage/point.h>
#include <cordage/constraint.h>
#include <cordage/contact.h>
#include <cordage/status.h>
#include <cordage/strand.h>
#include <cordage/world.h>

CORD_BEGIN

/* The version of the headers. */
#define CORD_VERSION_MAJOR 0
#define CORD_VERSION_MINOR 1
#define CORD_VERSION_PATCH 0
#define CORD_VERSION "0.1.0"

/* Returns the version of the linked library as a static string, for example "0.1.0". */
CORD_API const char *cord_version(void);

CORD_END

#endif
