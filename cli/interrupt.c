#define _DEFAULT_SOURCE /* setitimer */
#include "interrupt.h"

#include "cli.h"

#include <signal.h>
#include <string.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

/* A signal handler can access static variables only. */
static volatile sig_atomic_t caught, obeyed;
static struct timespec caught_at;    /* set before `caught` */
static const char *left_behind = ""; /* set before signals are caught */

/* Milliseconds that a computation has to end by itself, and a run to come back; milliseconds within which a second
 * signal is the same one, sent by the terminal and by a parent process. */
enum { STEP_TIME = 200, RETURN_TIME = 800, SAME_SIGNAL = 100 };

static long milliseconds_since(const struct timespec *then)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (now.tv_sec - then->tv_sec) * 1000 + (now.tv_nsec - then->tv_nsec) / 1000000;
}

/* By functions that a signal handler may call. */
static void put(const char *text)
{
    ssize_t written = write(STDERR_FILENO, text, strlen(text));
    (void)written;
}

static void end_at_once(int number, const char *how)
{
    put("\ncordage: stopped ");
    put(how);
    put(left_behind);
    put("\n");
    _exit(EXIT_SIGNAL + number);
}

static void on_timer(int unused)
{
    (void)unused;
    if (caught && !obeyed) end_at_once(caught, "within a step that could not be interrupted");
}

static void on_signal(int number)
{
    if (caught && milliseconds_since(&caught_at) > SAME_SIGNAL) end_at_once(number, "at once");
    if (caught) return;
    clock_gettime(CLOCK_MONOTONIC, &caught_at);
    caught = number;
    /* A system call without locks, though not on the list of those that are safe in handlers by POSIX. */
    const struct itimerval timer = {.it_value.tv_usec = RETURN_TIME * 1000};
    setitimer(ITIMER_REAL, &timer, NULL);
}

void interrupt_catch(bool recording)
{
    left_behind = recording ? "; the recording is kept up to the last frame that was written" : "";
    struct sigaction action = {.sa_handler = on_signal};
    sigemptyset(&action.sa_mask);
    sigaction(SIGINT, &action, NULL);
    sigaction(SIGTERM, &action, NULL);
    sigaction(SIGHUP, &action, NULL);
    action.sa_handler = on_timer;
    sigaction(SIGALRM, &action, NULL);
}

int interrupt_signal(void)
{
    return caught;
}

bool interrupt_cancels(void *unused)
{
    (void)unused;
    return caught && milliseconds_since(&caught_at) > STEP_TIME;
}

int interrupt_obeyed(void)
{
    obeyed = caught != 0;
    return caught ? EXIT_SIGNAL + caught : EXIT_GOOD;
}
