// The HBM stack that the two cores of a pair share: one byte-addressed range, backed on touch, with
// the same record of written bytes as the on-chip memories and a simple allocator.
#pragma once

#include <cstdint>

#include "state/pages.h"

namespace trainyard::state {

class Hbm {
 public:
  explicit Hbm(std::int64_t bytes);

  [[nodiscard]] std::int64_t size() const { return pages_.size(); }
  [[nodiscard]] std::byte* at(std::int64_t address) { return pages_.data() + address; }
  [[nodiscard]] const std::byte* at(std::int64_t address) const { return pages_.data() + address; }
  [[nodiscard]] WrittenMap& written() { return written_; }
  [[nodiscard]] const WrittenMap& written() const { return written_; }
  [[nodiscard]] std::int64_t resident_bytes() const { return pages_.resident_bytes(); }

  // The address of `bytes` fresh bytes, aligned to 4 KiB. Throws InputError "hbm.capacity" when the
  // stack is full.
  [[nodiscard]] std::int64_t allocate(std::int64_t bytes);

 private:
  Pages pages_;
  WrittenMap written_;
  std::int64_t next_ = 0;
};

}  // namespace trainyard::state
