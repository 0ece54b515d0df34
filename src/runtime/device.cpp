#include "runtime/device.h"

#include <utility>

namespace trainyard::runtime {

BufferRef Device::scratch(std::int64_t bytes) const {
  if (scratch_ != nullptr && scratch_->bytes() >= bytes) return scratch_;
  scratch_.reset();  // its bytes may be needed for the larger one
  return scratch_ = allocated(memory()->allocate(bytes));
}

}  // namespace trainyard::runtime
