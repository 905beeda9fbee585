#include "folder_lock.h"

#include "cli.h"
#include "record/recorder.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#define LOCK_NAME ".cordage-lock"

/* Whether the file that is locked still has its name: its last holder may have removed it in between. */
static bool still_named(const folder_lock *l)
{
    struct stat locked, named;
    return fstat(l->file, &locked) == 0 && stat(l->path, &named) == 0 &&
           locked.st_ino == named.st_ino && locked.st_dev == named.st_dev;
}

static int cannot_write(const char *folder, int cause)
{
    fprintf(stderr, "cordage: the results cannot be written to %s: %s\n", folder, strerror(cause));
    return EXIT_ENGINE;
}

static int refuse(const folder_lock *l, const char *folder)
{
    char pid[32] = "";
    ssize_t length = pread(l->file, pid, sizeof pid - 1, 0);
    pid[length > 0 ? length : 0] = 0;
    pid[strcspn(pid, "\n")] = 0;
    fprintf(stderr,
            "cordage: another run%s%s%s writes to %s. Wait until it has ended, or choose another "
            "folder with --out.\n",
            *pid ? ", process " : "", pid, *pid ? "," : "", folder);
    return EXIT_ENGINE;
}

/* A file system without locks, such as some network ones, is used without. */
static int hold(folder_lock *l, const char *folder)
{
    if (flock(l->file, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK) return refuse(l, folder);
    if (ftruncate(l->file, 0) == 0) dprintf(l->file, "%ld\n", (long)getpid());
    return EXIT_GOOD;
}

int lock_folder(folder_lock *l, const char *folder)
{
    l->file = -1;
    if (!cord__make_directory(folder)) return cannot_write(folder, errno);
    snprintf(l->path, sizeof l->path, "%s/" LOCK_NAME, folder);
    while (true) {
        l->file = open(l->path, O_RDWR | O_CREAT | O_CLOEXEC, 0666);
        if (l->file < 0) return cannot_write(folder, errno);
        int code = hold(l, folder);
        if (code == EXIT_GOOD && still_named(l)) return EXIT_GOOD;
        close(l->file);
        l->file = -1;
        if (code != EXIT_GOOD) return code;
    }
}

/* The name is removed while the lock is locked, so that nobody else's file is. */
void unlock_folder(folder_lock *l)
{
    if (l->file < 0) return;
    unlink(l->path);
    close(l->file);
    l->file = -1;
}
