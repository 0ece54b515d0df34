#include "pjrt/error.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <memory>
#include <new>
#include <string_view>
#include <utility>

#include "base/error.h"
#include "base/no_room.h"
#include "pjrt/serve.h"

namespace trainyard::pjrt {

namespace {

const ErrorFunctions functions{
    .struct_size = sizeof(ErrorFunctions),
    .instance_size = sizeof(Error),
    .extension_start = nullptr,
    .destroy = [](Error* error) { const std::unique_ptr<Error> owned(error); },
    .message =
        [](const Error* error, const char** message, std::size_t* size) {
          *message = error->message.data();
          *size = error->message.size();
        },
    .get_code = [](const Error* error) { return error->code; },
    .for_each_payload = [](const Error*, PayloadVisitor, void*) {},  // there are none
};

ErrorCode code_of(base::FaultCategory category) {
  switch (category) {
    case base::FaultCategory::unimplemented:
    case base::FaultCategory::unsupported: return ErrorCode::unimplemented;
    case base::FaultCategory::missing_specification: return ErrorCode::failed_precondition;
    case base::FaultCategory::out_of_bounds: return ErrorCode::out_of_range;
    default: return ErrorCode::aborted;
  }
}

// Labels of programs that are not well formed. Other labels of these families name an operation or
// a type that is, and that the evaluator or the compiler does not have.
constexpr std::array<std::string_view, 5> malformed{"graph.artifact", "graph.attribute",
                                                    "graph.call", "graph.entry", "graph.input"};

bool is_unsupported(std::string_view label) {
  if (label.starts_with("lower.") || label.ends_with(".unsupported")) return true;
  return label.starts_with("graph.") && std::ranges::find(malformed, label) == malformed.end();
}

ErrorCode code_of(const base::InputError& error) {
  for (const base::Violation& violation : error.violations()) {
    if (is_unsupported(violation.label)) return ErrorCode::unimplemented;
    if (violation.label.starts_with("processes.")) return ErrorCode::aborted;
  }
  return ErrorCode::invalid_argument;
}

}  // namespace

Error* make_error(ErrorCode code, std::string message) {
  return std::make_unique<Error>(Error{&functions, code, std::move(message)}).release();
}

Error* current_error() noexcept {
  try {
    throw;
  } catch (const Failure& failure) {
    return make_error(failure.code(), failure.what());
  } catch (const base::NoRoom& error) {
    const bool is_on_chip = error.memory() == base::MemoryLevel::on_chip;
    return make_error(is_on_chip ? code_of(error) : ErrorCode::resource_exhausted, error.what());
  } catch (const base::InputError& error) {
    return make_error(code_of(error), error.what());
  } catch (const base::Fault& fault) {
    return make_error(code_of(fault.category()), fault.what());
  } catch (const std::bad_alloc&) {
    return make_error(ErrorCode::resource_exhausted,
                      "the host has no memory left for this operation");
  } catch (const std::length_error&) {
    return make_error(ErrorCode::resource_exhausted, "a size is larger than the host can hold");
  } catch (const std::exception& error) {
    return make_error(ErrorCode::internal, error.what());
  } catch (...) {
    return make_error(ErrorCode::internal, "an exception of an unknown kind");
  }
}

void require(const void* pointer, const char* what) {
  if (pointer == nullptr)
    throw Failure(ErrorCode::invalid_argument, fmt::format("`{}` must not be null", what));
}

void require_size(std::size_t size, std::size_t needed) {
  if (size >= needed) return;
  throw Failure(ErrorCode::invalid_argument,
                fmt::format("struct_size is {}: what is made does not fit into fewer than {} bytes",
                            size, needed));
}

void serve(ErrorDestroyArgs& args) {
  if (args.error != nullptr) functions.destroy(args.error);
}

void serve(ErrorMessageArgs& args) {
  require(args.error, "error");
  functions.message(args.error, &args.message, &args.message_size);
}

void serve(ErrorGetCodeArgs& args) {
  require(args.error, "error");
  args.code = args.error->code;
}

void serve(ErrorForEachPayloadArgs& args) { require(args.error, "error"); }

}  // namespace trainyard::pjrt
