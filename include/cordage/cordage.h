/* Cordage: simulation of ropes, cables, rods, ribbons, tendons, threads, hair and plants.
 * SPDX-License-Identifier: MIT */
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
#include <cordage/status.h>
#include <cordage/strand.h>
#include <cordage/world.h>

CORD_BEGIN

#define CORD_VERSION_MAJOR 0
#define CORD_VERSION_MINOR 1
#define CORD_VERSION_PATCH 0
#define CORD_VERSION "0.1.0"

/* The version of the library in use, as "0.1.0". */
CORD_API const char *cord_version(void);

CORD_END

#endif
