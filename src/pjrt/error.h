// Errors at the border: what our code throws becomes an Error with the right code and the text that
// a user can act on. No exception leaves a slot.
#pragma once

#include <cstdint>
#include <stdexcept>
#include <string>

#include "pjrt/abi/common.h"

namespace trainyard::pjrt {

// Thrown where the code is known.
class Failure : public std::runtime_error {
 public:
  Failure(ErrorCode code, const std::string& message) : std::runtime_error(message), code_(code) {}
  [[nodiscard]] ErrorCode code() const { return code_; }

 private:
  ErrorCode code_;
};

struct Error {
  const ErrorFunctions* functions;  // must come first
  ErrorCode code;
  std::string message;
};

[[nodiscard]] Error* make_error(ErrorCode code, std::string message);
// The Error of the exception that is being handled.
[[nodiscard]] Error* current_error() noexcept;

// Throws an invalid_argument that says what must not be null.
void require(const void* pointer, const char* what);

// Throws an invalid_argument when a record is shorter than that.
void require_size(std::size_t size, std::size_t needed);
// Throws an invalid_argument where the caller's record ends before `output`, a field of `args`:
// what it is to own could not be handed over.
template <class Arguments, class Field>
void require_room(const Arguments& args, const Field& output) {
  const auto end = reinterpret_cast<std::uintptr_t>(&output + 1);
  require_size(args.header.struct_size, end - reinterpret_cast<std::uintptr_t>(&args));
}

}  // namespace trainyard::pjrt
