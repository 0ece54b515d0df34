// Writes protocol-buffer messages by hand: fields by number into a byte string. Only what the
// Perfetto export needs.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "trace/bytes.h"

namespace trainyard::trace {

class ProtoMessage {
 public:
  ProtoMessage& number(std::uint32_t field, std::uint64_t value) {
    put_varint(bytes_, (std::uint64_t{field} << 3) | wire_varint);
    put_varint(bytes_, value);
    return *this;
  }
  // int64 as protobuf writes it: two's complement, not zigzag.
  ProtoMessage& signed_number(std::uint32_t field, std::int64_t value) {
    return number(field, static_cast<std::uint64_t>(value));
  }
  ProtoMessage& fixed64(std::uint32_t field, std::uint64_t value) {
    put_varint(bytes_, (std::uint64_t{field} << 3) | wire_fixed64);
    put_fixed64(bytes_, value);
    return *this;
  }
  ProtoMessage& text(std::uint32_t field, std::string_view value) {
    put_varint(bytes_, (std::uint64_t{field} << 3) | wire_length);
    put_string(bytes_, value);
    return *this;
  }
  ProtoMessage& message(std::uint32_t field, const ProtoMessage& value) {
    return text(field, value.bytes_);
  }

  [[nodiscard]] const std::string& bytes() const { return bytes_; }
  [[nodiscard]] bool empty() const { return bytes_.empty(); }

 private:
  static constexpr std::uint64_t wire_varint = 0;
  static constexpr std::uint64_t wire_fixed64 = 1;
  static constexpr std::uint64_t wire_length = 2;

  std::string bytes_;
};

}  // namespace trainyard::trace
