/* Signals that arrive while a computation runs (cli/interrupt.h), each in a process of its own. */
#include "cli/interrupt.c" /* the command has no library */
#include "support/test.h"

#include <stdlib.h>
#include <sys/wait.h>

enum { COOPERATES, IGNORES };

/* A computation that polls, or one that cannot; it would take minutes. */
static void compute(int manner, int ready)
{
    interrupt_catch(true);
    (void)!write(ready, "x", 1);
    for (int i = 0; i < 60000; i++) {
        if (manner == COOPERATES && interrupt_cancels(NULL)) _exit(interrupt_obeyed());
        nanosleep(&(struct timespec){.tv_nsec = 10000000}, NULL);
    }
    _exit(EXIT_GOOD);
}

/* Sends the signals, a quarter of a second apart, and returns the exit code. */
static int code_after(int manner, const int *signals)
{
    int ready[2], status;
    char byte;
    assert_int_equal(pipe(ready), 0);
    pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) compute(manner, ready[1]);
    assert_int_equal(read(ready[0], &byte, 1), 1);
    for (; *signals; signals++) {
        kill(child, *signals);
        nanosleep(&(struct timespec){.tv_nsec = 250000000}, NULL);
    }
    assert_int_equal(waitpid(child, &status, 0), child);
    close(ready[0]);
    close(ready[1]);
    assert_true(WIFEXITED(status));
    return WEXITSTATUS(status);
}

static void a_computation_that_polls_ends(void **unused)
{
    (void)unused;
    assert_int_equal(code_after(COOPERATES, (const int[]){SIGTERM, 0}), 143);
    assert_int_equal(code_after(COOPERATES, (const int[]){SIGINT, 0}), 130);
    assert_int_equal(code_after(COOPERATES, (const int[]){SIGHUP, 0}), 129);
}

static void a_computation_that_does_not_poll_is_ended(void **unused)
{
    (void)unused;
    assert_int_equal(code_after(IGNORES, (const int[]){SIGTERM, 0}), 143);
}

static void a_second_signal_ends_at_once(void **unused)
{
    (void)unused;
    assert_int_equal(code_after(IGNORES, (const int[]){SIGTERM, SIGINT, 0}), 130);
}

static void nothing_is_cancelled_without_a_signal(void **unused)
{
    (void)unused;
    assert_false(interrupt_cancels(NULL));
    assert_int_equal(interrupt_signal(), 0);
    assert_int_equal(interrupt_obeyed(), EXIT_GOOD);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_computation_that_polls_ends),
        cmocka_unit_test(a_computation_that_does_not_poll_is_ended),
        cmocka_unit_test(a_second_signal_ends_at_once),
        cmocka_unit_test(nothing_is_cancelled_without_a_signal),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
