// Argument records of the slots of errors, the plugin, events. See common.h.
#pragma once

#include "pjrt/abi/common.h"

namespace trainyard::pjrt {

struct ErrorDestroyArgs {
  Header header{};
  Error* error{};
};

struct ErrorMessageArgs {
  Header header{};
  Error* error{};
  const char* message{};
  std::size_t message_size{};
};

struct ErrorGetCodeArgs {
  Header header{};
  Error* error{};
  ErrorCode code{};
};

struct ErrorForEachPayloadArgs {
  Header header{};
  Error* error{};
  PayloadVisitor visitor{};
  void* user_arg{};
};

struct PluginInitializeArgs {
  Header header{};
};

struct PluginAttributesArgs {
  Header header{};
  const NamedValue* attributes{};
  std::size_t num_attributes{};
};

struct EventDestroyArgs {
  Header header{};
  Event* event{};
};

struct EventIsReadyArgs {
  Header header{};
  Event* event{};
  bool is_ready{};
};

struct EventErrorArgs {
  Header header{};
  Event* event{};
};

struct EventAwaitArgs {
  Header header{};
  Event* event{};
};

struct EventOnReadyArgs {
  Header header{};
  Event* event{};
  OnReady callback{};
  void* user_arg{};
};

struct EventCreateArgs {
  Header header{};
  Event* event{};
};

struct EventSetArgs {
  Header header{};
  Event* event{};
  ErrorCode error_code{};
  const char* error_message{};
  std::size_t error_message_size{};
};

struct AsyncTrackingEventDestroyArgs {
  Header header{};
  AsyncTrackingEvent* event{};
};

}  // namespace trainyard::pjrt
