// The flags of AWS's graph compiler as its users write them, in NEURON_CC_FLAGS for example.
// Source: AWS Neuron SDK, neuronx-cc command-line reference (November 2026).
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "graph/precision.h"

namespace trainyard::session {

// Operations on integers that AWS's compiler computes in fewer bits where that is permitted.
enum class Downcast : std::uint8_t { dot, scatter, all_reduce, reduce_scatter, pow };

// What flags permit of what AWS's compiler is documented to refuse.
struct Permissions {
  std::vector<Downcast> downcasts{};  // --implicit-integer-downcast
  // --internal-max-instruction-limit. 5,000,000 is the "typical limit" of the compiler's messages
  // NCC_EBVF030 and NCC_EVRF007 in public logs; the pages of the codes name no number.
  std::int64_t instructions_max = 5'000'000;
};

struct CompilerFlags {
  graph::Precision precision{};
  Permissions permissions{};
  std::vector<std::string> unknown{};  // flags that neither AWS's compiler nor this one documents
};

// Reads "--auto-cast matmult --auto-cast-type=bf16 ..." on top of `base`: of a flag that is given
// twice the last one counts. Flags that choose what is no choice here (--target, --model-type,
// --optlevel, ...) are taken and change nothing. Three flags are not AWS's: --matmul-format
// mxfp8, --precision CLASS=FORMAT,... and --division fast. Throws InputError "compiler.flags" for a
// value that a flag does not take, "precision.formats" for one of --precision.
[[nodiscard]] CompilerFlags read_compiler_flags(std::string_view flags,
                                                const graph::Precision& base = {});

// What to say of unknown flags; empty where there are none. Throws InputError "compiler.flags"
// instead where `strict`.
[[nodiscard]] std::string unknown_in_words(const CompilerFlags& flags, bool strict = false);

}  // namespace trainyard::session
