/* The scene format, generated from its tables: for editors and as a reference. */
#ifndef CORDAGE_SCENE_SCHEMA_H
#define CORDAGE_SCENE_SCHEMA_H

#include <stdio.h>

void cord__schema_json(FILE *out);      /* JSON Schema, draft 2020-12 */
void cord__schema_reference(FILE *out); /* tables of Markdown */

#endif
