/* Loops in threads: every iteration once, by threads with numbers of their own, in loops of several callers, within a loop and
 * after a fork. */
#include "math/parallel.h"
#include "support/test.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <sys/wait.h>
#include <unistd.h>

enum { COUNT = 1000 };

typedef struct visits {
    int times[COUNT];
    int threads;
    atomic_int in_thread[MOST_THREADS]; /* iterations that a thread of this number is in now */
    atomic_bool shared;
} visits;

static void visit(void *context, int index, int thread)
{
    visits *v = context;
    if (thread < 0 || thread >= v->threads || atomic_fetch_add(v->in_thread + thread, 1) > 0)
        atomic_store(&v->shared, true);
    v->times[index]++;
    atomic_fetch_sub(v->in_thread + thread, 1);
}

/* Whether every iteration was made once. */
static bool visits_all(int threads, bool one_by_one)
{
    visits v = {.threads = threads};
    (one_by_one ? cord__parallel_for_each : cord__parallel_for)(threads, COUNT, visit, &v);
    bool all = !atomic_load(&v.shared);
    for (int i = 0; i < COUNT; i++) all = all && v.times[i] == 1;
    return all;
}

static void every_iteration_once(void **unused)
{
    (void)unused;
    for (int threads = 1; threads <= 9; threads++)
        for (int i = 0; i < 200; i++) assert_true(visits_all(threads, i % 2));
}

static void visit_within(void *context, int index, int thread)
{
    bool *all = context;
    (void)thread;
    all[index] = visits_all(3, false);
}

static void loops_within_loops(void **unused)
{
    (void)unused;
    bool all[COUNT] = {false};
    cord__parallel_for_each(4, 50, visit_within, all);
    for (int i = 0; i < 50; i++) assert_true(all[i]);
}

static void *many_loops(void *all)
{
    for (int i = 0; i < 500; i++) *(bool *)all = *(bool *)all && visits_all(3, i % 2);
    return NULL;
}

static void several_callers(void **unused)
{
    (void)unused;
    pthread_t caller[4];
    bool all[4] = {true, true, true, true};
    for (int i = 0; i < 4; i++)
        assert_int_equal(pthread_create(caller + i, NULL, many_loops, all + i), 0);
    for (int i = 0; i < 4; i++) pthread_join(caller[i], NULL);
    for (int i = 0; i < 4; i++) assert_true(all[i]);
}

/* A child process has none of its parent's threads, and ends when its loops have ended. */
static void forked_processes(void **unused)
{
    (void)unused;
    int status = -1;
    assert_true(visits_all(4, true));
    pid_t child = fork();
    if (child == 0) _exit(visits_all(4, true) && visits_all(2, false) ? 0 : 1);
    assert_true(child > 0 && waitpid(child, &status, 0) == child);
    assert_true(WIFEXITED(status) && WEXITSTATUS(status) == 0);
    assert_true(visits_all(4, true));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_iteration_once),
        cmocka_unit_test(loops_within_loops),
        cmocka_unit_test(several_callers),
        cmocka_unit_test(forked_processes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
