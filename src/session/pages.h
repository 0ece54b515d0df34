// Pages of an array in a device's memory, between the host and there: an array [outer, pages, page]
// of which programs find rows by tables, as a cache of keys and values is.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "session/array.h"

namespace trainyard::session {

class Pages {
 public:
  // Of an array whose dimension `axis` counts pages, in that memory. Nobody else reads the array
  // while pages are written. Throws InputError "model.pages".
  Pages(const Array& array, std::size_t axis, runtime::Memory& memory);

  // Of some pages, in this order: [outer, pages, page]. Throw InputError "model.pages" for a page
  // that is not there, and for content of another size.
  [[nodiscard]] std::vector<std::byte> read(std::span<const std::int64_t> pages) const;
  void write(std::span<const std::int64_t> pages, std::span<const std::byte> content) const;

 private:
  // Calls f(where a page lies in the array, where it lies in the content).
  template <typename F>
  void for_each(std::span<const std::int64_t> pages, F&& f) const;

  runtime::BufferRef buffer_;
  std::int64_t outer_ = 1, count_ = 0, bytes_ = 0;  // `bytes_` of a page
};

}  // namespace trainyard::session
