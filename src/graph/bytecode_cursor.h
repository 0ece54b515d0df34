// Reads MLIR bytecode from front to back: prefix varints, flags, sections. Every error is an
// InputError "graph.artifact" with the byte offset. Source: MLIR documentation, "MLIR Bytecode
// Format".
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <utility>

namespace trainyard::graph {

class Cursor {
 public:
  // Reads all[begin, end); offsets in errors count from the start of `all`.
  Cursor(std::span<const std::byte> all, std::size_t begin, std::size_t end)
      : all_(all), at_(begin), end_(end) {}

  [[nodiscard]] std::uint8_t byte();
  [[nodiscard]] std::uint64_t varint();
  [[nodiscard]] std::int64_t signed_varint();
  // A varint whose lowest bit is a flag.
  [[nodiscard]] std::pair<std::uint64_t, bool> flagged();
  // The number of items that follow, each of which takes a byte at least.
  [[nodiscard]] std::size_t count(std::string_view what);
  // An index below `size`.
  [[nodiscard]] std::size_t index(std::size_t size, std::string_view what);
  [[nodiscard]] std::span<const std::byte> take(std::size_t size, std::string_view what);
  // Text up to a zero byte, which is taken too.
  [[nodiscard]] std::string_view terminated(std::string_view what);

  struct Section {
    std::uint8_t id;
    std::size_t begin, end;
  };
  [[nodiscard]] Section section();

  [[nodiscard]] bool at_end() const { return at_ == end_; }
  [[nodiscard]] std::size_t offset() const { return at_; }
  [[nodiscard]] std::size_t end() const { return end_; }
  [[nodiscard]] std::span<const std::byte> all() const { return all_; }
  void expect_end(std::string_view what) const;
  [[noreturn]] void malformed(std::string_view what) const;

 private:
  std::span<const std::byte> all_;
  std::size_t at_;
  std::size_t end_;
};

}  // namespace trainyard::graph
