// The first kernel (examples/first.py), written in C++: out = exp(x / 2), one tile in, one tile
// out. Prints the largest error, and the report of `trainyard time`.
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <exception>
#include <source_location>
#include <span>
#include <utility>
#include <vector>

#include "isa/builder/builder.h"
#include "isa/instructions/activation.h"
#include "isa/instructions/dma_copy.h"
#include "machine/machine.h"
#include "report/text.h"
#include "session/session.h"

namespace isa = trainyard::isa;
namespace session = trainyard::session;
using trainyard::numerics::ActivationFunction;

namespace {

constexpr std::int64_t partitions = 128, columns = 512;

// Tensors 0 and 1 are x and out, in HBM.
isa::Program half_exp(const trainyard::machine::Machine& machine) {
  isa::Builder b("half_exp", machine.core);
  const auto tensor = [&](const char* name, isa::Space space, isa::TensorRole role) {
    return tile_of(
        b.tensor({.name = name, .shape = {partitions, columns}, .space = space, .role = role}));
  };
  const isa::Tile x = tensor("x", isa::Space::hbm, isa::TensorRole::input);
  const isa::Tile out = tensor("out", isa::Space::hbm, isa::TensorRole::output);
  const isa::Tile tile = tensor("tile", isa::Space::sbuf, isa::TensorRole::internal);
  const auto emit = [&](const auto& record,
                        std::source_location at = std::source_location::current()) {
    const isa::Builder::Call call(b, {.file = at.file_name(), .line = at.line()});
    b.emit(record);
  };
  emit(isa::DmaCopy{.dst = tile, .src = x});
  emit(isa::Activation{
      .dst = tile, .op = ActivationFunction::exp, .data = tile, .scale = {.constant = 0.5}});
  emit(isa::DmaCopy{.dst = out, .src = tile});
  return b.take();
}

}  // namespace

int main() try {
  const trainyard::machine::Machine machine = trainyard::machine::load(MACHINE);
  session::Session session(machine);
  const auto kernel = session.load(half_exp(machine));

  std::vector<float> x(partitions * columns), out(x.size());
  for (std::size_t i = 0; i < x.size(); ++i) {
    x[i] = 8 * static_cast<float>(i) / static_cast<float>(x.size()) - 4;
  }
  session.write(*kernel, 0, std::as_bytes(std::span(x)));
  session::Run run = std::move(session.run({&kernel, 1}, {.timed = true}).front());
  session.read(*kernel, 1, std::as_writable_bytes(std::span(out)));

  double error = 0;
  for (std::size_t i = 0; i < x.size(); ++i) {
    error = std::max(error, std::abs(out[i] - std::exp(double{x[i]} / 2)));
  }
  std::printf("largest error: %.3g\n\n%s", error, to_text(session::whole_report(run)).c_str());
} catch (const std::exception& error) {
  std::fprintf(stderr, "%s\n", error.what());
  return 3;
}
