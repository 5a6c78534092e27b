// May the slots of a cache line be loaded together, as vectors, while other threads write to them?
//
// On x86 such a load sees every slot as it was at some moment, which is all that a look for likely
// candidates needs: what is found is loaded again, as the atomic that it is, before it counts. The
// thread sanitizer cannot know that; under it, and on other machines, slots are looked at one by one.
#pragma once

#if defined(__has_feature)
#if __has_feature(thread_sanitizer)
#define SPOOR_SLOT_BY_SLOT 1
#endif
#endif
#if defined(__x86_64__) && !defined(__SANITIZE_THREAD__) && !defined(SPOOR_SLOT_BY_SLOT)
#define SPOOR_SLOTS_AT_ONCE 1
#include <emmintrin.h>
#endif
