// Is this an instrumented build? Tests that would take minutes in one do less.
#pragma once

namespace spoor {

#if defined(__has_feature)
#define SPOOR_HAS_FEATURE(name) __has_feature(name)
#else
#define SPOOR_HAS_FEATURE(name) 0
#endif

#if defined(__SANITIZE_THREAD__) || SPOOR_HAS_FEATURE(thread_sanitizer)
inline constexpr bool kSeesThreads = true;  // twenty times slower
#else
inline constexpr bool kSeesThreads = false;
#endif

#if defined(__SANITIZE_ADDRESS__) || SPOOR_HAS_FEATURE(address_sanitizer)
inline constexpr bool kIsInstrumented = true;
#else
inline constexpr bool kIsInstrumented = kSeesThreads;
#endif

}  // namespace spoor
