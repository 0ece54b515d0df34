#include "pjrt/event.h"

#include <utility>

#include "pjrt/error.h"
#include "pjrt/serve.h"

namespace trainyard::pjrt {

Error* EventState::Outcome::error() const {
  return code == ErrorCode::ok ? nullptr : make_error(code, message);
}

bool EventState::is_ready() const {
  const std::lock_guard lock(mutex_);
  return outcome_.has_value();
}

EventState::Outcome EventState::wait() const {
  std::unique_lock lock(mutex_);
  changed_.wait(lock, [this] { return outcome_.has_value(); });
  return *outcome_;
}

void EventState::set(Outcome outcome) {
  std::vector<Listener> listeners;
  {
    const std::lock_guard lock(mutex_);
    if (outcome_) throw Failure(ErrorCode::failed_precondition, "the event was set before");
    outcome_ = outcome;
    listeners.swap(listeners_);
  }
  changed_.notify_all();
  for (const Listener& listener : listeners) listener.callback(outcome.error(), listener.user_arg);
}

void EventState::on_ready(OnReady callback, void* user_arg) {
  {
    const std::lock_guard lock(mutex_);
    if (!outcome_) {
      listeners_.push_back({callback, user_arg});
      return;
    }
  }
  callback(outcome_->error(), user_arg);
}

Event* make_event(std::shared_ptr<EventState> state) {
  return std::make_unique<Event>(Event{std::move(state)}).release();
}

Event* ready_event() { return make_event(std::make_shared<EventState>(EventState::Outcome{})); }

namespace {

EventState& state_of(const Event* event) {
  require(event, "event");
  return *event->state;
}

}  // namespace

void serve(EventDestroyArgs& args) { const std::unique_ptr<Event> owned(args.event); }

void serve(EventIsReadyArgs& args) { args.is_ready = state_of(args.event).is_ready(); }

void serve(EventErrorArgs& args) {
  const EventState& state = state_of(args.event);
  if (!state.is_ready()) throw Failure(ErrorCode::failed_precondition, "the event is not ready");
  const EventState::Outcome outcome = state.wait();
  if (outcome.code != ErrorCode::ok) throw Failure(outcome.code, outcome.message);
}

void serve(EventAwaitArgs& args) {
  const EventState::Outcome outcome = state_of(args.event).wait();
  if (outcome.code != ErrorCode::ok) throw Failure(outcome.code, outcome.message);
}

void serve(EventOnReadyArgs& args) {
  EventState& state = state_of(args.event);
  if (args.callback == nullptr)
    throw Failure(ErrorCode::invalid_argument, "`callback` must not be null");
  state.on_ready(args.callback, args.user_arg);
}

void serve(EventCreateArgs& args) {
  require_room(args, args.event);
  args.event = make_event(std::make_shared<EventState>());
}

void serve(EventSetArgs& args) {
  const char* message = args.error_message;
  state_of(args.event)
      .set({args.error_code,
            message == nullptr ? std::string() : std::string(message, args.error_message_size)});
}

}  // namespace trainyard::pjrt
