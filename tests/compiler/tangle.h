// Random programs in which much depends on much, and what they leave in memory.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "../engines/hbm_tensors.h"
#include "../engines/interleaved.h"
#include "base/random.h"
#include "engines/core_state.h"
#include "engines/interpreter.h"
#include "kernel.h"

namespace trainyard::compiler {

// A chain of loads, sums on two engines and stores over few, often reused tiles; `shared`: each at
// an address chosen by hand, half of its bytes those of the next one; `looped`: in hardware loops
// that lie in one another or behind one another, some of which run not once.
inline Kernel tangle(std::uint64_t seed, bool shared = false, bool looped = false) {
  base::Random random(seed);
  Kernel k;
  const Tile in = k.tensor(Space::hbm, {128, 32}, DType::float32, isa::TensorRole::input);
  const Tile out = k.tensor(Space::hbm, {128, 32}, DType::float32, isa::TensorRole::output);
  std::vector<Tile> tiles;
  for (int i = 0; i < 4; ++i) {
    tiles.push_back(shared ? k.at(Space::sbuf, std::int64_t{64} * i, {128, 32})
                           : k.tensor(Space::sbuf, {128, 32}));
    k.load(tiles.back(), in);
  }
  const auto any = [&] { return tiles[random.below(tiles.size())]; };
  std::vector<std::uint32_t> open;
  for (int step = 0; step < 60; ++step) {
    if (looped && step > 0 && open.size() < 3 && random.below(8) == 0)
      open.push_back(
          k.begin_loop(static_cast<int>(open.size()), static_cast<int>(random.below(4))));
    if (!open.empty() && random.below(8) == 0) {
      k.end_loop(open.back());
      open.pop_back();
    }
    switch (random.below(4)) {
      case 0: k.copy(any(), any(), isa::Engine::scalar); break;
      case 1: k.load(out, any()); break;
      case 2: k.load(any(), out); break;
      default: k.add(any(), any(), any()); break;
    }
    if (step == 0) k.load(out, any());
  }
  for (; !open.empty(); open.pop_back()) k.end_loop(open.back());
  return k;
}

// The output after a run: of the author's order, or of one that the semaphores allow.
inline std::vector<std::byte> run(const isa::Program& program,
                                  std::optional<std::uint64_t> interleaving) {
  const auto stack = engines::make_stack(trn3());
  const std::vector<std::int64_t> base = engines::place_tensors(program, *stack);
  std::vector<float> input(128 * 32);
  for (std::size_t i = 0; i < input.size(); ++i) input[i] = static_cast<float>(i % 97) * 0.125F;
  engines::write_tensor(program, 0, base, *stack, std::as_bytes(std::span(input)));
  state::Core core(engines::sizes_of(trn3().core), stack);
  isa::Execution execution{
      .core = core, .program = program, .hbm_base = base, .machine = trn3().core};
  if (interleaving) {
    engines::run_interleaved(program, execution, *interleaving);
  } else {
    engines::Interpreter(program, execution).run();
  }
  const auto content = engines::tensor_content(program, 1, base, *stack);
  return {content.begin(), content.end()};
}

}  // namespace trainyard::compiler
