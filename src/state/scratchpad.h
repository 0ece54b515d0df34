// A software-managed on-chip memory (SBUF or PSUM): partitions of equal size, and a record of which
// bytes were ever written. It knows no instruction and no clock.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "state/pages.h"

namespace trainyard::state {

class Scratchpad {
 public:
  Scratchpad(int partitions, std::int64_t bytes_per_partition);

  [[nodiscard]] int partitions() const { return partitions_; }
  [[nodiscard]] std::int64_t bytes_per_partition() const { return bytes_per_partition_; }
  // Host bytes from one partition's row to the next: a little more than a partition, because rows a
  // power of two apart would all fall into the same few sets of the host's caches.
  [[nodiscard]] std::int64_t stride() const { return bytes_per_partition_ + padding; }

  [[nodiscard]] std::byte* row(int partition) { return pages_.data() + partition * stride(); }
  [[nodiscard]] const std::byte* row(int partition) const {
    return pages_.data() + partition * stride();
  }

  [[nodiscard]] WrittenMap& written() { return written_; }
  [[nodiscard]] const WrittenMap& written() const { return written_; }
  // The position of a partition's first byte in written().
  [[nodiscard]] std::int64_t flat(int partition, std::int64_t byte) const {
    return partition * bytes_per_partition_ + byte;
  }

 private:
  static constexpr std::int64_t padding = 5 * 64;  // an odd number of cache lines

  int partitions_;
  std::int64_t bytes_per_partition_;
  Pages pages_;
  WrittenMap written_;
};

}  // namespace trainyard::state
