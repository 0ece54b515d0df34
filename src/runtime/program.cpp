#include "runtime/program.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "base/error.h"
#include "base/units.h"
#include "isa/rules/validate.h"

namespace trainyard::runtime {

namespace {

[[noreturn]] void refuse(const isa::Program& program, isa::TensorId tensor, std::string rule,
                         std::string found) {
  const bool known = tensor < program.tensors.size();
  throw base::InputError(
      {"run.binding", std::move(rule),
       known ? program.describe_location(program.tensors[tensor].location) : "", std::move(found),
       "bind every input and output to a buffer of the program's device that is large enough"});
}

void check(const isa::Program& program, const Device& device, const Binding& binding) {
  const auto refuse_this = [&](std::string rule, std::string found) {
    refuse(program, binding.tensor, std::move(rule), std::move(found));
  };
  if (binding.tensor >= program.tensors.size() ||
      program.tensors[binding.tensor].space != isa::Space::hbm) {
    refuse_this("an HBM tensor of the program is bound",
                fmt::format("tensor {}", static_cast<std::int64_t>(binding.tensor)));
  }
  const isa::Tensor& tensor = program.tensors[binding.tensor];
  if (binding.buffer == nullptr || binding.buffer->memory() != device.memory())
    refuse_this("a tensor is bound to a buffer of its device", fmt::format("'{}'", tensor.name));
  const std::int64_t room = binding.buffer->bytes() - binding.offset;
  if (binding.offset < 0 || room < tensor.bytes()) {
    refuse_this("a buffer holds its tensor",
                fmt::format("'{}' needs {} bytes where {} follow offset {}", tensor.name,
                            tensor.bytes(), std::max<std::int64_t>(room, 0), binding.offset));
  }
}

bool is_written(const isa::Program& program, isa::TensorId tensor) {
  bool found = false;
  for (std::uint32_t i = 0; i < program.instructions.size() && !found; ++i) {
    program.for_each_tile(i, [&](const isa::OperandInfo&, const isa::Tile& tile, isa::Access how) {
      found = found || (isa::writes(how) && tile.tensor == tensor);
    });
  }
  return found;
}

}  // namespace

LoadedProgram::LoadedProgram(DeviceRef device, Body body)
    : body_(std::move(body)),
      device_(std::move(device)),
      places_(body_->tensors.size(), {isa::no_tensor, nullptr, -1}) {
  base::check(body_->compiled, "a program is compiled before it is loaded");
  isa::validate_for({.rank = device_->id()}, *body_, device_->machine().core);
}

ProgramRef LoadedProgram::unplaced(DeviceRef device, Body body) {
  std::shared_ptr<LoadedProgram> made(new LoadedProgram(std::move(device), std::move(body)));
  std::int64_t address = 0;
  for (isa::TensorId t = 0; t < made->places_.size(); ++t) {
    const isa::Tensor& tensor = made->body_->tensors[t];
    if (tensor.space != isa::Space::hbm) continue;
    made->places_[t].offset = address;
    address += base::round_up(tensor.bytes(), Allocator::alignment);
  }
  const std::int64_t limit = Memory::bytes_of_device(made->device_->machine());
  if (address > limit)
    throw error_of({.wanted = address, .free = limit, .largest_free = limit, .limit = limit});
  return ProgramRef(std::move(made));
}

ProgramRef LoadedProgram::placed(DeviceRef device, std::span<const Binding> places) const {
  std::shared_ptr<LoadedProgram> made(new LoadedProgram(*this));
  made->device_ = std::move(device);
  for (const Binding& binding : places) {
    check(*body_, *made->device_, binding);
    made->places_[binding.tensor] = binding;
  }
  base::check(made->is_placed(), "every tensor of a program that is placed has a place");
  return ProgramRef(std::move(made));
}

bool LoadedProgram::is_placed() const {
  for (isa::TensorId t = 0; t < places_.size(); ++t) {
    if (body_->tensors[t].space == isa::Space::hbm && places_[t].buffer == nullptr) return false;
  }
  return true;
}

Loaded LoadedProgram::load(DeviceRef device, Body body, std::span<const Binding> bound) {
  std::shared_ptr<LoadedProgram> made(new LoadedProgram(std::move(device), std::move(body)));
  const isa::Program& program = *made->body_;
  for (const Binding& binding : bound) {
    check(program, *made->device_, binding);
    made->places_[binding.tensor] = binding;
  }
  for (isa::TensorId t = 0; t < program.tensors.size(); ++t) {
    const isa::Tensor& tensor = program.tensors[t];
    if (tensor.space != isa::Space::hbm || made->places_[t].buffer != nullptr) continue;
    Allocated room = made->device_->memory()->allocate(tensor.bytes());
    if (const auto* shortage = std::get_if<OutOfMemory>(&room)) return *shortage;
    made->places_[t] = {t, std::get<BufferRef>(std::move(room)), 0};
  }
  for (isa::TensorId t = 0; t < program.tensors.size(); ++t) {
    const isa::Tensor& tensor = program.tensors[t];
    if (tensor.role == isa::TensorRole::constant && tensor.space == isa::Space::hbm)
      made->places_[t].buffer->write(program.tensors[t].constant, made->places_[t].offset);
  }
  return ProgramRef(std::move(made));
}

std::vector<std::int64_t> LoadedProgram::addresses() const {
  std::vector<std::int64_t> list;
  list.reserve(places_.size());
  for (const Binding& place : places_)
    list.push_back(place.buffer == nullptr ? place.offset : place.buffer->address() + place.offset);
  return list;
}

void LoadedProgram::check_apart(std::span<const std::int64_t> addresses) const {
  std::vector<isa::TensorId> order;
  for (isa::TensorId t = 0; t < body_->tensors.size(); ++t) {
    const isa::Tensor& tensor = body_->tensors[t];
    if (tensor.space == isa::Space::hbm && tensor.bytes() > 0) order.push_back(t);
  }
  std::ranges::sort(order, {}, [&](isa::TensorId t) { return addresses[t]; });
  for (std::size_t k = 1; k < order.size(); ++k) {
    const isa::Tensor& before = body_->tensors[order[k - 1]];
    const isa::Tensor& tensor = body_->tensors[order[k]];
    if (addresses[order[k - 1]] + before.bytes() <= addresses[order[k]]) continue;
    if (!is_written(*body_, order[k - 1]) && !is_written(*body_, order[k])) continue;
    refuse(*body_, order[k], "tensors that are written have bytes of their own",
           fmt::format("'{}' lies over '{}'", tensor.name, before.name));
  }
}

ProgramRef loaded(Loaded result) {
  if (const auto* shortage = std::get_if<OutOfMemory>(&result)) throw error_of(*shortage);
  return std::get<ProgramRef>(std::move(result));
}

}  // namespace trainyard::runtime
