/* The scene format described from its own tables: for editors and for people. */
#ifndef CORDAGE_SCENE_SCHEMA_H
#define CORDAGE_SCENE_SCHEMA_H

#include <stdio.h>

void cord__schema_json(FILE *out);      /* JSON Schema, draft 2020-12 */
void cord__schema_reference(FILE *out); /* tables of Markdown */

#endif
