#include "math/callback.h"

_Thread_local int cord__callback_depth;
static _Thread_local cancellation *current;

cancellation *cord__cancel_begin(cancellation *c, const cord_cancel *from)
{
    cancellation *before = current;
    c->from = from ? *from : (cord_cancel){0};
    atomic_init(&c->cancelled, false);
    atomic_flag_clear(&c->calling);
    /* A call without a function of its own is part of the call around it. */
    if (c->from.cancelled) current = c;
    return before;
}

bool cord__cancel_end(const cancellation *c, cancellation *before)
{
    const cancellation *asked = c->from.cancelled ? c : before;
    current = before;
    return asked && atomic_load(&asked->cancelled);
}

cancellation *cord__cancel_current(void)
{
    return current;
}

void cord__cancel_adopt(cancellation *c)
{
    current = c;
}

bool cord__cancelled(void)
{
    cancellation *c = current;
    if (!c) return false;
    if (atomic_load_explicit(&c->cancelled, memory_order_relaxed)) return true;
    if (atomic_flag_test_and_set(&c->calling)) return false;
    cord__callback_depth++;
    if (c->from.cancelled(c->from.user)) atomic_store(&c->cancelled, true);
    cord__callback_depth--;
    atomic_flag_clear(&c->calling);
    return atomic_load_explicit(&c->cancelled, memory_order_relaxed);
}
