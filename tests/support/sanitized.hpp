// What tests do otherwise under sanitizers, which look for errors of memory, not of values: fewer draws,
// since optimised builds run all of them, and nothing that measures time or takes memory as the system gives
// it.
#pragma once

namespace tenferro::test {

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
inline constexpr bool kSanitized = true;
#else
inline constexpr bool kSanitized = false;
#endif

/// The thread sanitizer takes threads of a forked child for those of its parent, and hands on a signal only
/// when a read that waits has returned.
#if defined(__SANITIZE_THREAD__)
inline constexpr bool kThreadSanitized = true;
#else
inline constexpr bool kThreadSanitized = false;
#endif

/// How many of `all` drawn cases, or how much of a size, a test takes.
constexpr int draws(int all) { return kSanitized ? all / 5 : all; }

}  // namespace tenferro::test
