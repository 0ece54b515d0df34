// Which instruction sets the vectorised files are compiled for: AVX-512, AVX2 with FMA and the
// host's baseline (which takes the plain definitions); a file that defines TRAINYARD_WITH_AVX3_DL
// is compiled for the AVX-512 of newer hosts, too. Include before any Highway header; it only
// sets macros.
#pragma once

#include <hwy/detect_compiler_arch.h>

#ifndef HWY_DISABLED_TARGETS
#ifdef TRAINYARD_WITH_AVX3_DL
#define HWY_WANT_AVX3_DL
#define HWY_DISABLED_TARGETS (HWY_SSSE3 | HWY_SSE4)
#else
#define HWY_DISABLED_TARGETS (HWY_SSSE3 | HWY_SSE4 | HWY_AVX3_DL)
#endif
#endif
