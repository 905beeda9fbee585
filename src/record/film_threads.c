/* All pictures of a film, several at a time: each thread draws one from start to end, so that threads wait for each other
 * only to hand their pictures over in order. */
#include "record/film.h"

#include <omp.h>
#include <pthread.h>

typedef struct film_queue {
    cord_film *film;
    cord_film_receiver *receive;
    void *user;
    pthread_mutex_t lock; /* of all below, and of the film's file */
    pthread_cond_t progress;
    int next, received; /* the next picture to be drawn, and to be received */
    cord_status status;
    const char *what; /* failed */
} film_queue;

/* What a thread draws with. */
typedef struct film_worker {
    memory mem;
    frame_snapshot frame;
    drawing drawing;
    picture_cache cache;
    unsigned char *rgba;
} film_worker;

static cord_status make_worker(const cord_film *f, film_worker *w)
{
    *w = (film_worker){0};
    cord__memory_init(&w->mem, NULL);
    double *numbers = NEW(&w->mem, double, f->size);
    if (!numbers) return CORD_ERROR_MEMORY;
    w->frame = cord__snapshot_in(&f->layout, numbers);
    w->rgba = NEW(&w->mem, unsigned char, 4 * (size_t)f->def.width * (size_t)f->def.height);
    return w->rgba ? cord__film_drawing(f, &w->mem, 1, &w->drawing) : CORD_ERROR_MEMORY;
}

static void free_worker(film_worker *w)
{
    cord__picture_cache_free(&w->mem, &w->cache);
    cord__film_drawing_free(&w->mem, &w->drawing);
    cord__release(&w->mem, w->rgba);
    cord__release(&w->mem, w->frame.numbers);
}

static void end_queue(film_queue *q, cord_status status, const char *what)
{
    if (q->status == CORD_OK) q->status = status, q->what = what;
}

/* Loads the next picture; −1: there is none. Within the lock. */
static int take_next(film_queue *q, film_worker *w)
{
    if (q->status != CORD_OK || q->next >= q->film->count) return -1;
    if (cord__film_load(q->film, q->next, w->frame.numbers, q->film->size)) return q->next++;
    end_queue(q, CORD_ERROR_FILE, "the temporary file cannot be read");
    return -1;
}

static cord_status draw(const cord_film *f, film_worker *w)
{
    cord_picture_def def = f->def;
    def.threads = 1;
    cord__film_draw_snapshot(f, &w->frame, 0, &w->drawing);
    picture p = cord__film_picture_of(f, 1, &w->drawing);
    p.cache = &w->cache;
    return cord__render(&w->mem, &p, &def, w->rgba);
}

static void *work(void *queue)
{
    film_queue *q = queue;
    film_worker w;
    cord_status status = make_worker(q->film, &w);
    pthread_mutex_lock(&q->lock);
    if (status != CORD_OK) end_queue(q, status, "out of memory");
    for (int i; (i = take_next(q, &w)) >= 0;) {
        pthread_mutex_unlock(&q->lock);
        status = draw(q->film, &w);
        pthread_mutex_lock(&q->lock);
        while (q->received < i && q->status == CORD_OK) pthread_cond_wait(&q->progress, &q->lock);
        if (status != CORD_OK) end_queue(q, status, cord_status_text(status));
        if (q->status != CORD_OK) break;
        pthread_mutex_unlock(
            &q->lock); /* others draw meanwhile; none hands over before this one is received */
        bool goes_on = q->receive(q->user, i, w.rgba);
        pthread_mutex_lock(&q->lock);
        if (!goes_on) end_queue(q, CORD_ERROR_CANCELLED, "the film was ended");
        q->received++;
        pthread_cond_broadcast(&q->progress);
    }
    pthread_cond_broadcast(&q->progress);
    pthread_mutex_unlock(&q->lock);
    free_worker(&w);
    return NULL;
}

cord_status cord_film_draw_all(cord_film *f, cord_film_receiver *receive, void *user)
{
    enum { MOST_THREADS = 16 };
    if (!f || !receive) return CORD_ERROR_ARGUMENT;
    const cord_picture_def *d = &f->def;
    if (f->count == 0) return cord__film_fail(f, CORD_ERROR_ARGUMENT, "there is no picture", "");
    if (d->width < 1 || d->height < 1)
        return cord__film_fail(f, CORD_ERROR_ARGUMENT, "no size", "");
    film_queue q = {.film = f,
                    .receive = receive,
                    .user = user,
                    .lock = PTHREAD_MUTEX_INITIALIZER,
                    .progress = PTHREAD_COND_INITIALIZER};
    pthread_t threads[MOST_THREADS];
    int wanted = d->threads > 0 ? d->threads : omp_get_max_threads(), started = 0;
    if (wanted > f->count) wanted = f->count;
    /* This thread draws too: where none can be started, it draws all. */
    while (started + 1 < wanted && started < MOST_THREADS &&
           pthread_create(&threads[started], NULL, work, &q) == 0)
        started++;
    work(&q);
    for (int i = 0; i < started; i++) pthread_join(threads[i], NULL);
    pthread_cond_destroy(&q.progress);
    pthread_mutex_destroy(&q.lock);
    return q.status == CORD_OK ? CORD_OK : cord__film_fail(f, q.status, "cannot draw", q.what);
}
