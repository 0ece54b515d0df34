// Bytes handed to a caller with their owner and the function that frees it.
#pragma once

#include <memory>
#include <string>
#include <utility>

#include "pjrt/abi/common.h"

namespace trainyard::pjrt {

struct SerializedBytes {
  std::string bytes;
};

inline void hand_out(std::string bytes, const char*& data, std::size_t& size,
                     SerializedBytes*& owner, BytesDeleter& deleter) {
  owner = std::make_unique<SerializedBytes>(SerializedBytes{std::move(bytes)}).release();
  data = owner->bytes.data();
  size = owner->bytes.size();
  deleter = [](SerializedBytes* given) { const std::unique_ptr<SerializedBytes> owned(given); };
}

}  // namespace trainyard::pjrt
