/* The page's description of the scene: strands, bodies, paths, anchors, constraints, plotted series, images. */
#ifndef CORDAGE_RECORD_HTML_SCENE_H
#define CORDAGE_RECORD_HTML_SCENE_H

#include "math/json.h"
#include "record/html_chunk.h"
#include "record/recorder.h"

#include <stdio.h>

/* Plotted over time: probes of one item. The world's energy is plotted anyway. */
bool cord__page_plots(const snapshot_probe *probe);

/* Whether the object with this number in a record of a contact moves freely: solids without mass do not. */
bool cord__page_moves_freely(const snapshot_layout *l, double number);

/* The members of the description, into an open object: recorded pages and live sessions share them. */
void cord__page_scene_members(json *j, const cord_simulation *sim, const snapshot_layout *layout);
void cord__page_scene_write(const recording *r, FILE *out);
/* The pixels of the images, each file once: four channels of 8 bits (pack.h), rows × columns. */
cord_status cord__page_images_write(const recording *r, FILE *out);
/* By which a page can be taken over: the scene's files, where all of them are in its folder (*written), the state of the world at a frame, the engine. */
cord_status cord__page_files_write(const recording *r, FILE *out, bool *written);
cord_status cord__page_state_write(const recording *r, int64_t frame, FILE *out);
void cord__page_engine_write(const recording *r, FILE *out);
void cord__page_engine_embed(memory *mem, const char *path, FILE *out);
/* The path of a file from the folder of the scene; NULL: it is elsewhere. */
const char *cord__page_file_name(const char *scene, const char *path);
/* The first r->keep frames, from the recording in the folder, and their states from the page that was there, if any. The last
 * frames stay in the chunk. r->error is set on failure. */
cord_status cord__page_frames_resume(recording *r, page_chunk *chunk, const char *old_page,
                                     FILE *out);
/* The message of a run that has failed, and the objects that the page marks, by their index; -1: none. */
void cord__page_failure_write(const recording *r, FILE *out);

#endif
