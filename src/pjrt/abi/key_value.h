// What a framework's processes tell one another before they meet: callbacks that a client is made
// with. See common.h.
#pragma once

#include "pjrt/abi/common.h"

namespace trainyard::pjrt {

// Makes the Error that a callback returns.
using CallbackError = Error*(ErrorCode code, const char* message, std::size_t message_size);

struct KeyValueGetArgs {
  Header header{};
  const char* key{};
  std::size_t key_size{};
  int timeout_in_ms{};
  CallbackError** callback_error{};
  void* user_arg{};
  char* value{};
  std::size_t value_size{};
  void (*value_deleter)(char* value){};
};
using KeyValueGet = Error*(KeyValueGetArgs* args);

struct KeyValuePutArgs {
  Header header{};
  const char* key{};
  std::size_t key_size{};
  const char* value{};
  std::size_t value_size{};
  CallbackError** callback_error{};
  void* user_arg{};
};
using KeyValuePut = Error*(KeyValuePutArgs* args);

}  // namespace trainyard::pjrt
