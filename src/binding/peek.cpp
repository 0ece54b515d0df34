#include "binding/peek.h"

#include "binding/placed.h"
#include "isa/instructions/dma_copy.h"
#include "isa/instructions/register_store.h"
#include "isa/instructions/tensor_copy.h"

namespace trainyard::binding {

namespace {

// A new tensor of `program` in the place of the last of its tensors.
isa::View room(isa::Program& program, std::vector<std::int64_t> shape, numerics::DType dtype,
               isa::Space space) {
  isa::Tensor tensor;
  tensor.name = "peeked";
  tensor.shape = std::move(shape);
  tensor.dtype = dtype;
  tensor.space = space;
  tensor.created = static_cast<std::uint32_t>(program.instructions.size());
  if (space == isa::Space::hbm) {
    tensor.role = isa::TensorRole::output;
    tensor.shared = true;
  }
  program.tensors.push_back(std::move(tensor));
  return isa::view_of(program, static_cast<isa::TensorId>(program.tensors.size() - 1));
}

}  // namespace

std::pair<isa::Program, Tensor> peeked(const Tensor& tensor) {
  TraceState& trace = *tensor.trace;
  trace.stand_here();
  trace.builder.check_scope(tensor.view.tensor);
  isa::Program program = trace.program();
  isa::Tile source = isa::tile_of(tensor.view);
  std::vector<std::int64_t> shape;
  for (const isa::ViewDim& dim : tensor.view.dims) shape.push_back(dim.size);
  if (source.space == isa::Space::psum) {  // which DMA does not reach
    const isa::Tile copy = isa::tile_of(room(program, shape, tensor.view.dtype, isa::Space::sbuf));
    program.append(isa::TensorCopy{.dst = copy, .src = source}, isa::Engine::vector);
    source = copy;
  }
  const isa::View kept = room(program, shape, tensor.view.dtype, isa::Space::hbm);
  program.append(isa::DmaCopy{.dst = isa::tile_of(kept), .src = source});
  return {std::move(program), Tensor{tensor.trace, kept, {}}};
}

std::pair<isa::Program, Tensor> peeked(const std::shared_ptr<TraceState>& trace,
                                       const RegisterHandle& handle) {
  isa::Program program = trace->program();
  const isa::View kept = room(program, {1}, numerics::DType::int32, isa::Space::hbm);
  program.append(isa::RegisterStore{.dst = isa::tile_of(kept), .src = handle.reg()});
  return {std::move(program), Tensor{trace, kept, {}}};
}

}  // namespace trainyard::binding
