#include "session/placing.h"

#include <algorithm>
#include <utility>

#include "base/units.h"
#include "runtime/allocator.h"

namespace trainyard::session {

std::set<isa::TensorId> outside_of(const compiler::ProgramStep& step) {
  std::set<isa::TensorId> outside;
  for (const auto* const list : {&step.inputs, &step.outputs}) {
    for (const auto& [slot, tensor] : *list) outside.insert(tensor);
  }
  return outside;
}

Placing::Placing(GridInstances instances, const compiler::ProgramStep& step)
    : instances_(std::move(instances)),
      scratch_(instances_.size()),
      halved_(step.halved),
      constants_(instances_.size()) {
  const std::set<isa::TensorId> outside = outside_of(step);
  std::map<isa::TensorId, std::int64_t> shared;  // offsets of what all cores see
  for (std::size_t k = 0; k < instances_.size(); ++k) {
    const std::vector<isa::Tensor>& tensors = instances_[k]->program().tensors;
    for (isa::TensorId t = 0; t < tensors.size(); ++t) {
      if (tensors[t].space != isa::Space::hbm || outside.contains(t)) continue;
      if (tensors[t].role == isa::TensorRole::constant) {
        constants_[k].push_back(t);
        continue;
      }
      const auto known = shared.find(t);
      const bool is_known = tensors[t].shared && known != shared.end();
      const std::int64_t offset = is_known ? known->second : scratch_bytes_;
      scratch_[k].push_back({t, nullptr, offset});
      if (is_known) continue;
      if (tensors[t].shared) shared.emplace(t, offset);
      scratch_bytes_ += base::round_up(tensors[t].bytes(), runtime::Allocator::alignment);
    }
  }
}

// Written when the first program runs there.
const Placing::Inside& Placing::constants(const runtime::Device& device) {
  const auto [at, is_new] = written_.try_emplace(device.memory());
  if (!is_new) return at->second;
  for (std::size_t k = 0; k < instances_.size(); ++k) {
    Bindings& bound = at->second.emplace_back();
    for (const isa::TensorId t : constants_[k]) {
      const isa::Tensor& tensor = instances_[k]->program().tensors[t];
      const runtime::BufferRef buffer =
          runtime::allocated(device.memory()->allocate(tensor.bytes()));
      buffer->write(tensor.constant);
      bound.push_back({t, buffer, 0});
    }
  }
  return at->second;
}

Placing::Inside Placing::inside(const runtime::Device& device, bool unwritten) {
  Inside inside = constants(device);
  const runtime::BufferRef scratch = device.scratch(scratch_bytes_);
  if (unwritten) scratch->forget();
  for (std::size_t k = 0; k < inside.size(); ++k) {
    for (const auto& [tensor, nowhere, offset] : scratch_[k])
      inside[k].push_back({tensor, scratch, offset});
  }
  return inside;
}

GridInstances Placing::on(const runtime::DeviceRef& device, const Inside& inside,
                          std::span<const runtime::Binding> outside) const {
  GridInstances placed;
  for (std::size_t k = 0; k < instances_.size(); ++k) {
    Bindings bound = inside[k];
    const Instance& one = *instances_[k];
    for (runtime::Binding each : outside) {
      if (halved_.contains(each.tensor))
        each.offset += static_cast<std::int64_t>(k) * one.program().tensors[each.tensor].bytes();
      bound.push_back(std::move(each));
    }
    placed.push_back(std::make_shared<Instance>(one.loaded()->placed(device, bound), one.body(),
                                                one.schedule()));
  }
  return placed;
}

}  // namespace trainyard::session
