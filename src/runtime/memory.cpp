#include "runtime/memory.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

#include "state/large_pages.h"

namespace trainyard::runtime {

base::NoRoom error_of(const OutOfMemory& shortage) {
  const bool scattered = shortage.free >= shortage.wanted;
  return base::NoRoom(
      base::MemoryLevel::hbm,
      {"hbm.capacity", "the tensors fit into the HBM of their core", "",
       fmt::format("{} bytes wanted, {} of {} free{}", shortage.wanted, shortage.free,
                   shortage.limit,
                   scattered ? fmt::format(", {} in one piece", shortage.largest_free) : ""),
       "use smaller tensors or a machine with more HBM; under a limit on virtual memory (ulimit "
       "-v) "
       "raise it"});
}

BufferRef allocated(Allocated result) {
  if (const auto* shortage = std::get_if<OutOfMemory>(&result)) throw error_of(*shortage);
  return std::get<BufferRef>(std::move(result));
}

Buffer::~Buffer() { memory_->free(address_); }

void Buffer::check_bounds(std::int64_t offset, std::size_t bytes) const {
  if (offset >= 0 && offset <= bytes_ && static_cast<std::int64_t>(bytes) <= bytes_ - offset)
    return;
  throw base::InputError({"buffer.bounds", "a transfer lies inside its buffer", "",
                          fmt::format("{} bytes at {} of {}", bytes, offset, bytes_), ""});
}

void Buffer::write(std::span<const std::byte> content, std::int64_t offset) const {
  check_bounds(offset, content.size());
  memory_->write(address_ + offset, content);
}

void Buffer::read(std::span<std::byte> content, std::int64_t offset) const {
  check_bounds(offset, content.size());
  if (content.empty()) return;
  std::memcpy(content.data(), memory_->stack()->at(address_ + offset), content.size());
}

const std::byte* Buffer::data() const { return memory_->stack()->at(address_); }

void Buffer::copy(const Buffer& from, std::int64_t bytes) const {
  base::check(from.memory_ == memory_, "buffers of one memory are copied");
  const auto size = static_cast<std::size_t>(bytes);
  check_bounds(0, size);
  from.check_bounds(0, size);
  memory_->copy(from.address_, address_, bytes);
}

void Buffer::forget() const { memory_->forget(address_, bytes_); }
void Buffer::mark_written() const { memory_->stack()->written().mark(address_, bytes_); }

// A logical core of half the cores of a stack has half of it.
std::int64_t Memory::bytes_of_device(const machine::Machine& machine) {
  const machine::Chip& chip = machine.chip;
  const std::int64_t cores = std::min(chip.cores_per_logical, chip.hbm.cores_per_stack);
  return chip.hbm.stack_size.value * cores / chip.hbm.cores_per_stack;
}

Memory::Memory(const machine::Machine& machine)
    : stack_(std::make_shared<state::Hbm>(bytes_of_device(machine))), allocator_(stack_->size()) {
  if (engines::has_shadow(machine.core)) float32_ = engines::Float32Shadow::stacks_beside(*stack_);
}

std::shared_ptr<Memory> Memory::of_device(const machine::Machine& machine) {
  return std::shared_ptr<Memory>(new Memory(machine));
}

Allocated Memory::allocate(std::int64_t bytes) {
  const std::lock_guard lock(mutex_);
  if (const std::optional<std::int64_t> address = allocator_.allocate(bytes))
    return std::make_shared<const Buffer>(shared_from_this(), *address, bytes);
  return OutOfMemory{.wanted = bytes,
                     .free = allocator_.size() - allocator_.in_use(),
                     .largest_free = allocator_.largest_free(),
                     .limit = allocator_.size()};
}

std::int64_t Memory::bytes_in_use() {
  const std::lock_guard lock(mutex_);
  return allocator_.in_use();
}

// What comes to lie there finds zero, unwritten, as in a new memory.
void Memory::free(std::int64_t address) {
  const std::lock_guard lock(mutex_);
  const std::int64_t bytes = allocator_.free(address);
  stack_->written().forget(address, bytes);
  state::give_back(stack_->at(address), bytes);
  forget_values_beside(address, bytes);
}

void Memory::write(std::int64_t address, std::span<const std::byte> content) {
  if (content.empty()) return;
  const auto bytes = static_cast<std::int64_t>(content.size());
  state::prefer_large_pages(stack_->at(address), bytes);
  std::memmove(stack_->at(address), content.data(), content.size());
  stack_->written().mark(address, bytes);
  forget_values_beside(address, bytes);
}

void Memory::copy(std::int64_t from, std::int64_t to, std::int64_t bytes) {
  write(to, {stack_->at(from), static_cast<std::size_t>(bytes)});
}

void Memory::forget(std::int64_t address, std::int64_t bytes) {
  stack_->written().forget(address, bytes);
  forget_values_beside(address, bytes);
}

void Memory::forget_values_beside(std::int64_t address, std::int64_t bytes) {
  if (float32_[0] == nullptr) return;
  for (std::size_t k = 0; k < float32_.size(); ++k) {  // of elements of 1 and of 2 bytes
    const auto width = static_cast<std::int64_t>(k) + 1;
    const std::int64_t first = address / width;
    float32_[k]->written().forget(first, base::ceil_div(address + bytes, width) - first);
  }
}

}  // namespace trainyard::runtime
