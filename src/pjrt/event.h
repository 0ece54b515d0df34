// Something that will have happened, perhaps with an error. What this plugin does is done when the
// call returns, so its events are born ready; only Event_Create makes one that is set later.
#pragma once

#include <condition_variable>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "pjrt/abi/common.h"

namespace trainyard::pjrt {

class EventState {
 public:
  struct Outcome {
    ErrorCode code = ErrorCode::ok;
    std::string message{};
    [[nodiscard]] Error* error() const;  // null when it went well
  };

  EventState() = default;
  explicit EventState(Outcome outcome) : outcome_(std::move(outcome)) {}

  [[nodiscard]] bool is_ready() const;
  [[nodiscard]] Outcome wait() const;
  // Throws Failure when it was set before.
  void set(Outcome outcome);
  // Calls back with the error, or null: at once when ready, else from the thread that sets it.
  void on_ready(OnReady callback, void* user_arg);

 private:
  struct Listener {
    OnReady callback;
    void* user_arg;
  };
  mutable std::mutex mutex_;
  mutable std::condition_variable changed_;
  std::optional<Outcome> outcome_;
  std::vector<Listener> listeners_;
};

struct Event {
  std::shared_ptr<EventState> state;
};

[[nodiscard]] Event* ready_event();
[[nodiscard]] Event* make_event(std::shared_ptr<EventState> state);

}  // namespace trainyard::pjrt
