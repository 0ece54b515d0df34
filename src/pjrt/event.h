// The event of the interface: one of the runtime's, whose error is a Failure. What this plugin does
// is done when the call returns, so its events are born ready; only Event_Create makes one that is
// set later.
#pragma once

#include <string>

#include "pjrt/abi/common.h"
#include "runtime/event.h"

namespace trainyard::pjrt {

struct Event {
  runtime::Event event;
};

// Of something that went well, or did not.
[[nodiscard]] runtime::Event ready(ErrorCode code = ErrorCode::ok, const std::string& message = {});
[[nodiscard]] Event* ready_event();
[[nodiscard]] Event* make_event(runtime::Event event);

}  // namespace trainyard::pjrt
