/// @file
/// The processor's own vector functions.
#pragma once

// GCC 12 takes operands that some of these functions leave undefined on purpose for mistakes.
#if defined(__GNUC__)
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wuninitialized"
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"
#endif
#include <immintrin.h>
#if defined(__GNUC__)
#pragma GCC diagnostic pop
#endif
