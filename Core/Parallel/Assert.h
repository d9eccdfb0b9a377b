/// @file
/// Broken invariants of ours, checked in Debug and in every test build (LAPILLI_ASSERTIONS).
#pragma once

#if defined(LAPILLI_ASSERTIONS)
#include <cstdio>
#include <cstdlib>
#define LAPILLI_ASSERT(condition)                                                                  \
  do                                                                                               \
  {                                                                                                \
    if (!(condition))                                                                              \
    {                                                                                              \
      std::fprintf(stderr, "%s:%d: invariant broken: %s\n", __FILE__, __LINE__, #condition);       \
      std::abort();                                                                                \
    }                                                                                              \
  } while (false)
#else
#define LAPILLI_ASSERT(condition) static_cast<void>(0)
#endif
