/* Mutated recordings, built and run by `make fuzz` and, for a few cases, by the tests:
 *
 *     recording_fuzzer CASES SECONDS SEED RECORDING...
 *
 * ends after so many cases or seconds, whichever comes first. Each case changes a recording (single bits, bytes,
 * blocks that are overwritten, copied elsewhere or removed, the end cut off) and exports it as the command does, in
 * a child process. The result must be the export of the recording as it was, or a message that speaks of damage;
 * the process must not be ended by a signal, nor by a sanitizer. A case that does otherwise is written to a file.
 *
 * HDF5 is not compiled with the sanitizers and may crash by itself, which the command survives, so that the
 * mutations are not guided by coverage. */
#include "cli/cli.h"
#include "cli/recording.h"
#include "record/export.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { CASE_LIMIT = 120 }; /* s; only ends a case that hangs */

typedef struct bytes {
    unsigned char *at;
    size_t size;
} bytes;

static char folder[] = "/tmp/cordage-fuzz-XXXXXX";
static uint64_t random_state;

/* splitmix64 */
static uint64_t any(uint64_t below)
{
    uint64_t z = random_state += 0x9e3779b97f4a7c15;
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9;
    z = (z ^ z >> 27) * 0x94d049bb133111eb;
    return (z ^ z >> 31) % below;
}

/* ---- files ---------------------------------------------------------------------------------- */

/* The files of a case. */
static char said[256], seed_export[256], case_path[256], case_export[256];

static bool make_folder(void)
{
    if (!mkdtemp(folder)) return false;
    snprintf(said, sizeof said, "%s/said", folder);
    snprintf(seed_export, sizeof seed_export, "%s/seed.npz", folder);
    snprintf(case_path, sizeof case_path, "%s/case.h5", folder);
    snprintf(case_export, sizeof case_export, "%s/case.npz", folder);
    return true;
}

static void remove_folder(void)
{
    unlink(said), unlink(seed_export), unlink(case_path), unlink(case_export);
    rmdir(folder);
}

static bytes read_bytes(const char *path)
{
    bytes b = {NULL, 0};
    struct stat info;
    FILE *in = fopen(path, "rb");
    if (!in) return b;
    if (fstat(fileno(in), &info) == 0) b.at = malloc((size_t)info.st_size + 1);
    if (b.at) b.size = fread(b.at, 1, (size_t)info.st_size, in);
    fclose(in);
    return b;
}

static bool write_bytes(const char *path, bytes b)
{
    FILE *out = fopen(path, "wb");
    if (!out) return false;
    bool good = fwrite(b.at, 1, b.size, out) == b.size;
    return fclose(out) == 0 && good;
}

/* ---- mutations ------------------------------------------------------------------------------ */

static void flip_bits(bytes *b)
{
    for (uint64_t i = 0, count = 1 + any(3); i < count; i++)
        b->at[any(b->size)] ^= (unsigned char)(1 << any(8));
}

static void set_bytes(bytes *b)
{
    for (uint64_t i = 0, count = 1 + any(8); i < count; i++)
        b->at[any(b->size)] = (unsigned char)any(256);
}

static void overwrite_block(bytes *b)
{
    size_t from = any(b->size), size = 3 + any(600);
    for (size_t i = from; i < from + size && i < b->size; i++) b->at[i] = (unsigned char)any(256);
}

static void copy_block(bytes *b)
{
    size_t size = 1 + any(b->size < 4096 ? b->size : 4096);
    memmove(b->at + any(b->size - size + 1), b->at + any(b->size - size + 1), size);
}

static void remove_block(bytes *b)
{
    size_t size = 1 + any(b->size < 4096 ? b->size : 4096), from = any(b->size - size + 1);
    memmove(b->at + from, b->at + from + size, b->size - from - size);
    b->size -= size;
}

static void cut_end(bytes *b)
{
    b->size = any(b->size);
}

static void mutate(bytes *b)
{
    static void (*const mutations[])(bytes *) = {
        flip_bits, flip_bits, set_bytes, overwrite_block, copy_block, remove_block, cut_end};
    mutations[any(sizeof mutations / sizeof mutations[0])](b);
}

/* ---- one case ------------------------------------------------------------------------------- */

static int export_all(const char *path, const char *to)
{
    reading *from;
    export_result result = {"", 0, ""};
    export_selection all = cord__export_everything();
    int code = open_recording(path, &from);
    if (code == EXIT_GOOD && cord__export(from, &cord__export_npz, &all, to, &result) != CORD_OK) {
        fprintf(stderr, "cordage: %s\n", result.error);
        code = EXIT_ENGINE;
    }
    cord__reading_close(from);
    return code;
}

/* The exit status of a child that exports; its messages go to the file `said`. */
static int export_in_child(const char *path, const char *to)
{
    fflush(NULL);
    pid_t child = fork();
    if (child == 0) {
        alarm(CASE_LIMIT);
        int messages = open(said, O_WRONLY | O_CREAT | O_TRUNC, 0666);
        dup2(messages, STDERR_FILENO);
        int code = export_all(path, to);
        fflush(NULL);
        _exit(code);
    }
    int status = -1;
    if (child > 0) waitpid(child, &status, 0);
    return status;
}

static bool same_as(const char *path, bytes wanted)
{
    bytes b = read_bytes(path);
    bool same = b.at && b.size == wanted.size && memcmp(b.at, wanted.at, b.size) == 0;
    free(b.at);
    return same;
}

static bool speaks_of_damage(void)
{
    bytes b = read_bytes(said);
    if (b.at) b.at[b.size] = 0;
    const char *text = (const char *)b.at;
    bool good = text && (strstr(text, "is damaged") || strstr(text, "not an HDF5 file"));
    if (!good) fprintf(stderr, "recording_fuzzer: the message is: %s\n", text ? text : "");
    free(b.at);
    return good;
}

static bool run_case(bytes seed, bytes wanted, uint64_t number)
{
    char finding[64];
    bytes b = {malloc(seed.size + 1), seed.size};
    if (!b.at) return false;
    memcpy(b.at, seed.at, seed.size);
    mutate(&b);
    unlink(case_export);
    bool good = write_bytes(case_path, b);
    int status = good ? export_in_child(case_path, case_export) : -1;
    if (WIFEXITED(status) && WEXITSTATUS(status) == EXIT_GOOD)
        good = good && same_as(case_export, wanted);
    else
        good =
            good && WIFEXITED(status) && WEXITSTATUS(status) == EXIT_ENGINE && speaks_of_damage();
    snprintf(finding, sizeof finding, "recording-finding-%llu.h5", (unsigned long long)number);
    if (!good && write_bytes(finding, b))
        fprintf(stderr, "recording_fuzzer: exit status %#x; see %s\n", (unsigned)status, finding);
    free(b.at);
    return good;
}

/* ---- all of them ---------------------------------------------------------------------------- */

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static int fuzz(int count, char **paths, uint64_t cases, double seconds)
{
    bytes *seeds = calloc((size_t)count, sizeof *seeds),
          *wanted = calloc((size_t)count, sizeof *wanted);
    uint64_t done = 0, wrong = 0;
    double began = now();
    for (int i = 0; seeds && wanted && i < count; i++) {
        seeds[i] = read_bytes(paths[i]);
        int status = seeds[i].size ? export_in_child(paths[i], seed_export) : -1;
        wanted[i] = status == 0 ? read_bytes(seed_export) : (bytes){NULL, 0};
        if (wanted[i].size > 0) continue;
        fprintf(stderr, "recording_fuzzer: %s is not a good recording\n", paths[i]);
        wrong++;
    }
    for (; wrong == 0 && done < cases && now() - began < seconds; done++) {
        int i = (int)any((uint64_t)count);
        wrong += !run_case(seeds[i], wanted[i], done);
    }
    for (int i = 0; seeds && wanted && i < count; i++) free(seeds[i].at), free(wanted[i].at);
    free(seeds);
    free(wanted);
    printf("recording_fuzzer: %llu cases, %s\n", (unsigned long long)done,
           wrong ? "a finding" : "no finding");
    return wrong > 0;
}

int main(int argc, char **argv)
{
    if (argc < 5) {
        fprintf(stderr, "usage: recording_fuzzer CASES SECONDS SEED RECORDING...\n");
        return EXIT_USAGE;
    }
    cord__reading_no_exit_handler();
    random_state = strtoull(argv[3], NULL, 10);
    if (!make_folder()) return EXIT_ENGINE;
    int code = fuzz(argc - 4, argv + 4, strtoull(argv[1], NULL, 10), strtod(argv[2], NULL));
    remove_folder();
    return code;
}
