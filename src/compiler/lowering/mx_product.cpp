#include "compiler/lowering/mx_product.h"

#include <algorithm>

#include "compiler/lowering/mx_operand.h"
#include "compiler/lowering/product.h"
#include "isa/instructions/nc_matmul_mx.h"

namespace trainyard::compiler {

namespace {

using isa::Tile;

// What one operand's blocks may take of a partition while they are used again.
constexpr std::int64_t kept_bytes_max = 40 * 1024;
// Of a partition, what a band of the right operand takes while all rows are multiplied with it.
constexpr std::int64_t band_percent = 40;

// One element of the batch dimensions.
Strided chosen(const Strided& value, std::size_t batches, std::int64_t batch) {
  const std::span<const Extent> dims(value.dims);
  Strided one = value;
  one.offset += pieces(dims.first(batches), batch, batch + 1, isa::rank_max).front().offset;
  one.dims.erase(one.dims.begin(), one.dims.begin() + static_cast<long>(batches));
  return one;
}
std::optional<Strided> chosen(const std::optional<Strided>& value, std::size_t batches,
                              std::int64_t batch) {
  return value ? std::optional(chosen(*value, batches, batch)) : std::nullopt;
}

Tile multiply(Emitter& emitter, MxOperand& left, MxOperand& right, const Window& window) {
  const Tile sums = emitter.psum(isa::DType::float32, window.rows, window.columns);
  for (std::int64_t k = 0; k < left.blocks(); ++k) {
    const MxOperand::Block stationary = left.block(k, window.row, window.rows);
    const MxOperand::Block moving = right.block(k, window.column, window.columns);
    emitter.emit(
        isa::NcMatmulMx{.dst = sums,
                        .stationary = stationary.data,
                        .moving = moving.data,
                        .stationary_scale = stationary.scale,
                        .moving_scale = moving.scale,
                        .accumulate = k == 0 ? isa::Accumulate::overwrite : isa::Accumulate::add});
  }
  return sums;
}

// The most elements, an even number, whose blocks take so many bytes.
std::int64_t fitting(const MxOperand& operand, std::int64_t bytes, std::int64_t most) {
  return std::clamp(bytes / operand.bytes(1) / 2 * 2, std::int64_t{2}, most);
}

}  // namespace

void compute_mx_product(Segment& segment, Group& group, Sink& sink) {
  const Node node = segment.node(group.product());
  const Product& product = node.product;
  Emitter& emitter = segment.emitter();
  const machine::Core& core = emitter.core();
  const std::int64_t bank = core.psum.bank_size.value / 4;
  const std::int64_t batches =
      compiler::product(std::span(product.left.dims).first(product.batches));
  for (std::int64_t batch = 0; batch < batches; ++batch) {
    MxOperand left(segment, chosen(product.left, product.batches, batch),
                   chosen(product.left_scale, product.batches, batch));
    MxOperand right(segment, chosen(product.right, product.batches, batch),
                    chosen(product.right_scale, product.batches, batch));
    const std::int64_t height = fitting(left, kept_bytes_max, core.array.stationary_free_max);
    const std::int64_t width = fitting(right, kept_bytes_max, bank);
    const std::int64_t room = core.sbuf.partition_size.value * band_percent / 100;
    const std::int64_t band = std::max(std::int64_t{1}, room / right.bytes(width)) * width;
    const bool left_stays = left.bytes(left.free()) <= kept_bytes_max;
    for (std::int64_t first = 0; first < right.free(); first += band) {
      right.forget();
      const std::int64_t end = std::min(right.free(), first + band);
      for (const Window& part : windows(left.free(), end - first, height, width)) {
        if (part.column == 0 && !left_stays) left.forget();
        Window window{part.row, part.rows, first + part.column, part.columns};
        emitter.at(node.location);
        const Tile sums = multiply(emitter, left, right, window);
        window.row += batch * left.free();
        put_sums(segment, group, sink, sums, window);
      }
    }
  }
}

}  // namespace trainyard::compiler
