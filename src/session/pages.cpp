#include "session/pages.h"

#include <fmt/format.h>

#include <utility>

#include "base/error.h"

namespace trainyard::session {

namespace {

[[noreturn]] void refuse(std::string found) {
  throw base::InputError({"model.pages", "an array has the pages that are read and written", "",
                          std::move(found),
                          "name pages that the dimension has, and pass all their bytes"});
}

}  // namespace

Pages::Pages(const Array& array, std::size_t axis, runtime::Memory& memory) {
  const graph::Type& type = array.type();
  if (axis >= type.shape.size())
    refuse(fmt::format("dimension {} of {}", axis, graph::to_string(type)));
  for (std::size_t i = 0; i < axis; ++i) outer_ *= type.shape[i];
  count_ = type.shape[axis];
  if (outer_ * count_ > 0) bytes_ = type.bytes() / (outer_ * count_);
  buffer_ = array.in(memory);
}

template <typename F>
void Pages::for_each(std::span<const std::int64_t> pages, F&& f) const {
  std::int64_t at = 0;
  for (std::int64_t row = 0; row < outer_; ++row) {
    for (const std::int64_t page : pages) {
      if (page < 0 || page >= count_) refuse(fmt::format("page {} of {}", page, count_));
      f((row * count_ + page) * bytes_, at);
      at += bytes_;
    }
  }
}

std::vector<std::byte> Pages::read(std::span<const std::int64_t> pages) const {
  std::vector<std::byte> content(static_cast<std::size_t>(outer_ * std::ssize(pages) * bytes_));
  const auto size = static_cast<std::size_t>(bytes_);
  for_each(pages, [&](std::int64_t from, std::int64_t to) {
    buffer_->read({content.data() + to, size}, from);
  });
  return content;
}

void Pages::write(std::span<const std::int64_t> pages, std::span<const std::byte> content) const {
  const std::int64_t wanted = outer_ * std::ssize(pages) * bytes_;
  if (std::ssize(content) != wanted) refuse(fmt::format("{} bytes for {}", content.size(), wanted));
  const auto size = static_cast<std::size_t>(bytes_);
  for_each(pages, [&](std::int64_t to, std::int64_t from) {
    buffer_->write({content.data() + from, size}, to);
  });
}

}  // namespace trainyard::session
