#include "session/session.h"

#include <cstring>

#include "base/error.h"
#include "engines/core_state.h"
#include "engines/interpreter.h"

namespace trainyard::session {

Session::Session(machine::Machine machine)
    : machine_(std::move(machine)), stack_(engines::make_stack(machine_)) {}

std::shared_ptr<Instance> Session::load(isa::Program kernel, const compiler::Options& options) {
  isa::Program program = compiler::compile(std::move(kernel), machine_.core, options);
  std::size_t index = 0;
  for (isa::Tensor& tensor : program.tensors) {
    if (tensor.space == isa::Space::hbm && tensor.shared && index < shared_.size())
      tensor.address = shared_[index++];
  }
  std::vector<std::int64_t> placed = engines::place_tensors(program, *stack_);
  if (shared_.empty()) {
    for (isa::TensorId t = 0; t < program.tensors.size(); ++t) {
      const isa::Tensor& tensor = program.tensors[t];
      if (tensor.space == isa::Space::hbm && tensor.shared) shared_.push_back(placed[t]);
    }
  }
  return std::make_shared<Instance>(std::move(program), std::move(placed));
}

void Session::write(const Instance& instance, isa::TensorId tensor,
                    std::span<const std::byte> content) {
  engines::write_tensor(instance.program(), tensor, instance.hbm_base(), *stack_, content);
}

void Session::read(const Instance& instance, isa::TensorId tensor,
                   std::span<std::byte> content) const {
  const std::span<const std::byte> held =
      engines::tensor_content(instance.program(), tensor, instance.hbm_base(), *stack_);
  base::check(held.size() == content.size(), "a buffer has the size of its tensor");
  std::memcpy(content.data(), held.data(), held.size());
}

void Session::read(const Instance& instance, const isa::View& view, std::span<std::byte> content) {
  const isa::Tile tile = isa::tile_of(view);
  base::check(
      tile.space == isa::Space::hbm && static_cast<std::size_t>(tile.bytes()) == content.size(),
      "a buffer has the size of the HBM view it receives");
  state::Core core(engines::sizes_of(machine_.core), stack_);
  isa::Execution execution{.core = core,
                           .program = instance.program(),
                           .hbm_base = instance.hbm_base(),
                           .machine = machine_.core};
  isa::load_bits(tile, execution, 0, content.data());
}

void Session::run(const Instance& instance, const Options&) {
  state::Core core(engines::sizes_of(machine_.core), stack_);
  isa::Execution execution{.core = core,
                           .program = instance.program(),
                           .hbm_base = instance.hbm_base(),
                           .machine = machine_.core};
  engines::Interpreter(instance.program(), execution).run();
}

}  // namespace trainyard::session
