#include "session/array.h"

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <utility>

#include "base/error.h"

namespace trainyard::session {

void Array::refuse() const {
  throw base::InputError({"model.donated", "an array that a program was given to overwrite is gone",
                          "", graph::to_string(type_),
                          "read the program's result instead, or do not donate the array"});
}

bool Array::is_gone() const {
  const std::lock_guard lock(mutex_);
  return content_ == nullptr && buffer_ == nullptr;
}

std::shared_ptr<const graph::Literal> Array::on_host() const {
  if (content_ != nullptr) return content_;
  if (buffer_ == nullptr) refuse();
  auto made = std::make_shared<graph::Literal>();
  made->type = type_;
  made->content.resize(static_cast<std::size_t>(type_.bytes()));
  buffer_->read(made->content);
  return made;
}

std::shared_ptr<const graph::Literal> Array::content() const {
  const std::lock_guard lock(mutex_);
  return on_host();
}

std::optional<std::int64_t> Array::address() const {
  const std::lock_guard lock(mutex_);
  return buffer_ == nullptr ? std::nullopt : std::optional(buffer_->address());
}

bool Array::holds(std::span<const std::byte> bytes) const {
  const std::lock_guard lock(mutex_);
  if (std::ssize(bytes) != type_.bytes()) return false;
  if (buffer_ != nullptr) return std::equal(bytes.begin(), bytes.end(), buffer_->data());
  if (content_ == nullptr) return false;
  if (content_->splat) return std::ranges::equal(bytes, content_->expanded());
  return std::ranges::equal(bytes, content_->content);
}

void Array::read(std::span<std::byte> to, std::int64_t offset) const {
  const std::lock_guard lock(mutex_);
  if (buffer_ != nullptr) return buffer_->read(to, offset);
  const std::shared_ptr<const graph::Literal> content = on_host();
  const std::size_t size = content->content.size();
  for (std::size_t i = 0, at = static_cast<std::size_t>(offset); i < to.size();) {
    const std::size_t from = content->splat ? (at + i) % size : at + i;
    const std::size_t many = std::min(size - from, to.size() - i);
    std::memcpy(to.data() + i, content->content.data() + from, many);
    i += many;
  }
}

void Array::move_to(runtime::Memory& memory) const {
  if (buffer_ != nullptr && buffer_->memory().get() == &memory) return;
  const std::shared_ptr<const graph::Literal> content = on_host();
  runtime::BufferRef there = runtime::allocated(memory.allocate(type_.bytes()));
  if (content->splat) {
    there->write(content->expanded());
  } else {
    there->write(content->content);
  }
  buffer_ = std::move(there);
  content_.reset();
}

runtime::BufferRef Array::in(runtime::Memory& memory) const {
  const std::lock_guard lock(mutex_);
  move_to(memory);
  return buffer_;
}

runtime::BufferRef Array::take(runtime::Memory& memory) const {
  {
    const std::lock_guard lock(mutex_);
    move_to(memory);
    if (buffer_.use_count() == 1) return std::exchange(buffer_, {});
  }
  return copy(memory);
}

runtime::BufferRef Array::copy(runtime::Memory& memory) const {
  const std::lock_guard lock(mutex_);
  move_to(memory);
  runtime::BufferRef made = runtime::allocated(memory.allocate(type_.bytes()));
  made->copy(*buffer_, type_.bytes());
  return made;
}

ArrayRef zeros(const graph::Type& type) {
  const auto element = static_cast<std::size_t>(graph::size_in_bytes(type.element));
  return std::make_shared<const Array>(
      graph::Literal{.type = type, .content = std::vector<std::byte>(element), .splat = true});
}

}  // namespace trainyard::session
