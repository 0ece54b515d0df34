// What a program leaves somewhere while it is still being built.
#include "isa/builder/builder.h"
#include "isa/instructions/dma_copy.h"
#include "isa/instructions/register_store.h"
#include "isa/instructions/tensor_copy.h"

namespace trainyard::isa {

namespace {

// A new tensor of `program`.
View room(Program& program, std::vector<std::int64_t> shape, DType dtype, Space space) {
  Tensor tensor;
  tensor.name = "peeked";
  tensor.shape = std::move(shape);
  tensor.dtype = dtype;
  tensor.space = space;
  tensor.created = static_cast<std::uint32_t>(program.instructions.size());
  if (space == Space::hbm) {
    tensor.role = TensorRole::output;
    tensor.shared = true;
  }
  program.tensors.push_back(std::move(tensor));
  return view_of(program, static_cast<TensorId>(program.tensors.size() - 1));
}

}  // namespace

Peeked Builder::peek(const View& view) const {
  check_scope(view.tensor);
  Peeked made{.program = program_};
  Tile source = tile_of(view);
  std::vector<std::int64_t> shape;
  for (const ViewDim& dim : view.dims) shape.push_back(dim.size);
  if (source.space == Space::psum) {  // which DMA does not reach
    const Tile copy = tile_of(room(made.program, shape, view.dtype, Space::sbuf));
    made.program.append(TensorCopy{.dst = copy, .src = source}, Engine::vector);
    source = copy;
  }
  made.kept = room(made.program, shape, view.dtype, Space::hbm);
  made.program.append(DmaCopy{.dst = tile_of(made.kept), .src = source});
  return made;
}

Peeked Builder::peek(Register reg) const {
  Peeked made{.program = program_};
  made.kept = room(made.program, {1}, DType::int32, Space::hbm);
  made.program.append(RegisterStore{.dst = tile_of(made.kept), .src = reg});
  return made;
}

}  // namespace trainyard::isa
