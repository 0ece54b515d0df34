// Errors at the border: what our code throws becomes an Error with the right code and the text that
// a user can act on. No exception leaves a slot.
#pragma once

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

}  // namespace trainyard::pjrt
