// The right operand of a product whose matrix each batch chooses, where it lies.
#pragma once

#include <cstdint>

#include "compiler/lowering/values/segment.h"
#include "isa/instructions/register_load.h"

namespace trainyard::compiler {

// The matrix that indices name for a batch, as a tensor whose address is in a register.
class ChosenMatrix {
 public:
  ChosenMatrix(Segment& segment, const Product& product)
      : segment_(segment), emitter_(segment.emitter()), product_(product) {}
  ChosenMatrix(const ChosenMatrix&) = delete;
  ChosenMatrix& operator=(const ChosenMatrix&) = delete;

  [[nodiscard]] isa::TensorId of(std::int64_t batch) {
    const Chosen& chosen = *product_.chosen;
    const Strided& list = chosen.list;
    held_ = emitter_.keep_register();
    const isa::Register next = held_->reg();
    const auto at = pieces(list.dims, batch, batch + 1, isa::rank_max).front();
    segment_.residents().write_back(product_.right.tensor);
    emitter_.emit(
        isa::RegisterLoad{next, hbm_tile(list.tensor, list.dtype, list.offset + at.offset, {})});
    return emitter_.moved(product_.right.tensor, {.terms = {{next, chosen.last, chosen.step}}});
  }

 private:
  Segment& segment_;
  Emitter& emitter_;
  const Product& product_;
  isa::RegisterRef held_{};
};

}  // namespace trainyard::compiler
