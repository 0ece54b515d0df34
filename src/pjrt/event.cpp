#include "pjrt/event.h"

#include <memory>
#include <utility>

#include "pjrt/error.h"
#include "pjrt/serve.h"

namespace trainyard::pjrt {

namespace {

std::exception_ptr failure(ErrorCode code, const std::string& message) {
  return code == ErrorCode::ok ? nullptr : std::make_exception_ptr(Failure(code, message));
}

// Null when it went well.
Error* error_of(const std::exception_ptr& failure) {
  if (failure == nullptr) return nullptr;
  try {
    std::rethrow_exception(failure);
  } catch (...) {
    return current_error();
  }
}

const runtime::Event& checked(const Event* event) {
  require(event, "event");
  return event->event;
}

}  // namespace

runtime::Event ready(ErrorCode code, const std::string& message) {
  runtime::Event event;
  static_cast<void>(event.complete(failure(code, message)));
  return event;
}

Event* make_event(runtime::Event event) {
  return std::make_unique<Event>(Event{std::move(event)}).release();
}

Event* ready_event() { return make_event(ready()); }

void serve(EventDestroyArgs& args) { const std::unique_ptr<Event> owned(args.event); }

void serve(EventIsReadyArgs& args) { args.is_ready = checked(args.event).is_complete(); }

void serve(EventErrorArgs& args) {
  const runtime::Event& event = checked(args.event);
  if (!event.is_complete()) throw Failure(ErrorCode::failed_precondition, "the event is not ready");
  event.wait();
}

void serve(EventAwaitArgs& args) { checked(args.event).wait(); }

void serve(EventOnReadyArgs& args) {
  const runtime::Event& event = checked(args.event);
  if (args.callback == nullptr)
    throw Failure(ErrorCode::invalid_argument, "`callback` must not be null");
  event.then([callback = args.callback, user_arg = args.user_arg](const std::exception_ptr& error) {
    callback(error_of(error), user_arg);
  });
}

void serve(EventCreateArgs& args) {
  require_room(args, args.event);
  args.event = make_event({});
}

void serve(EventSetArgs& args) {
  const char* message = args.error_message;
  const std::string text =
      message == nullptr ? std::string() : std::string(message, args.error_message_size);
  if (!checked(args.event).complete(failure(args.error_code, text)))
    throw Failure(ErrorCode::failed_precondition, "the event was set before");
}

}  // namespace trainyard::pjrt
