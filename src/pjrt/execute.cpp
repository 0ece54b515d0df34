// Running a loaded executable: arguments in, results out, donated arguments gone.
#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "pjrt/buffer.h"
#include "pjrt/error.h"
#include "pjrt/executable.h"
#include "pjrt/serve.h"

namespace trainyard::pjrt {

// Holds what callbacks of a run share; there are no such callbacks here, so it holds nothing.
struct ExecuteContext {};

namespace {

void check_call(const LoadedExecutable& loaded, const LoadedExecutableExecuteArgs& args) {
  const Compiled& compiled = *loaded.compiled;
  if (loaded.is_deleted)
    throw Failure(ErrorCode::invalid_argument, fmt::format("{} was deleted", compiled.name));
  const bool is_one_apart = compiled.runs_apart && args.execute_device != nullptr;
  if (args.num_devices != (is_one_apart ? 1 : loaded.devices.size())) {
    throw Failure(ErrorCode::invalid_argument,
                  fmt::format("{} is called for {} devices, it was compiled for {}", compiled.name,
                              args.num_devices, loaded.devices.size()));
  }
  if (args.num_args != compiled.arguments.size()) {
    throw Failure(ErrorCode::invalid_argument,
                  fmt::format("{} takes {} arguments, {} are given", compiled.name,
                              compiled.arguments.size(), args.num_args));
  }
  require(args.output_lists, "output_lists");
  if (args.num_args > 0) require(args.argument_lists, "argument_lists");
}

// JAX passes no elements of a predicate where a program takes a token.
bool stands_for_token(const graph::Type& given, const graph::Type& wanted) {
  return wanted.kind == graph::Type::Kind::token && given.kind == graph::Type::Kind::tensor &&
         given.is_static() && given.elements() == 0;
}

bool may_donate(const ExecuteOptions* options, std::size_t argument) {
  if (options == nullptr || options->num_non_donatable_input_indices == 0) return true;
  const std::span kept(options->non_donatable_input_indices,
                       options->num_non_donatable_input_indices);
  return std::ranges::find(kept, static_cast<std::int64_t>(argument)) == kept.end();
}

session::Arguments arguments_of(const Compiled& compiled, const ExecuteOptions* options,
                                const Device& device, std::span<Buffer* const> buffers) {
  session::Arguments result{.may_overwrite = std::vector<bool>(buffers.size()),
                            .device = device.simulated};
  for (std::size_t i = 0; i < buffers.size(); ++i) {
    require(buffers[i], "argument");
    if (stands_for_token(buffers[i]->type, compiled.arguments[i])) {
      result.arrays.push_back(
          std::make_shared<const session::Array>(graph::Literal{.type = compiled.arguments[i]}));
      continue;
    }
    if (buffers[i]->type != compiled.arguments[i]) {
      throw Failure(
          ErrorCode::invalid_argument,
          fmt::format("argument {} of {} is {}, the program takes {}", i, compiled.name,
                      graph::to_string(buffers[i]->type), graph::to_string(compiled.arguments[i])));
    }
    result.arrays.push_back(buffers[i]->array());
    result.may_overwrite[i] = compiled.donated[i] && may_donate(options, i);
  }
  return result;
}

// A buffer that is given away may not be read or given away by the same call.
void check_donated(const Compiled& compiled, const ExecuteOptions* options,
                   std::span<Buffer* const> arguments) {
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    if (!compiled.donated[i] || !may_donate(options, i)) continue;
    if (std::ranges::count(arguments, arguments[i]) > 1) {
      throw Failure(ErrorCode::invalid_argument,
                    fmt::format("argument {} of {} is donated and also used by the same call", i,
                                compiled.name));
    }
  }
}

// What does not fit is refused before anything is computed.
std::unique_ptr<const Allocation> room_for(const Compiled& compiled, const Memory& memory) {
  const std::int64_t bytes = compiled.result_bytes() - compiled.alias_bytes();
  try {
    return std::make_unique<const Allocation>(memory.account,
                                              bytes + compiled.program->temporary_bytes());
  } catch (const Failure& failure) {
    throw Failure(failure.code(), failure.what() + compiled.largest);
  }
}

void take_donated(const Compiled& compiled, const ExecuteOptions* options,
                  std::span<Buffer* const> arguments) {
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    if (compiled.donated[i] && may_donate(options, i)) arguments[i]->remove();
  }
}

// Of the devices that a run is for, which partition or replica each one is.
std::size_t place_of(const LoadedExecutable& loaded, std::size_t device) {
  return loaded.mine.size() == loaded.all.size() ? device : loaded.mine[device];
}

// The arguments of all partitions or replicas; null where another process has them.
std::vector<session::Arguments> by_partition(const LoadedExecutable& loaded,
                                             std::vector<session::Arguments> given) {
  if (loaded.mine.size() == loaded.all.size()) return given;
  std::vector<session::Arguments> all(loaded.all.size());
  for (session::Arguments& each : all) each.arrays.resize(loaded.compiled->arguments.size());
  for (std::size_t d = 0; d < given.size(); ++d) all[loaded.mine[d]] = std::move(given[d]);
  return all;
}

// One for each of `given`.
std::vector<session::Execution> run(const LoadedExecutable& loaded,
                                    std::vector<session::Arguments> given) {
  const session::Executable& program = *loaded.compiled->program;
  std::vector<session::Execution> executions;
  if (loaded.compiled->runs_apart) {
    for (session::Arguments& each : given) executions.push_back(program.execute(std::move(each)));
    return executions;
  }
  const std::size_t count = given.size();
  std::vector<session::Execution> of_all =
      program.execute_together(by_partition(loaded, std::move(given)));
  for (std::size_t d = 0; d < count; ++d)
    executions.push_back(std::move(of_all[place_of(loaded, d)]));
  return executions;
}

// A result that is an argument, or another result, gets memory of its own.
void keep_apart(std::vector<session::ArrayRef>& results, std::span<Buffer* const> arguments) {
  std::set<const session::Array*> taken;
  for (Buffer* const argument : arguments) taken.insert(argument->array().get());
  for (session::ArrayRef& result : results) {
    if (!taken.insert(result.get()).second)
      result = std::make_shared<const session::Array>(*result->content());
  }
}

}  // namespace

void serve(ExecuteContextCreateArgs& args) {
  require_room(args, args.context);
  args.context = std::make_unique<ExecuteContext>().release();
}
void serve(ExecuteContextDestroyArgs& args) {
  const std::unique_ptr<ExecuteContext> owned(args.context);
}

void serve(LoadedExecutableExecuteArgs& args) {
  require(args.executable, "executable");
  const LoadedExecutable& loaded = *args.executable;
  check_call(loaded, args);
  const Compiled& compiled = *loaded.compiled;
  std::vector<Device*> devices = loaded.devices;
  if (args.execute_device != nullptr) devices = {args.execute_device};
  std::vector<std::span<Buffer* const>> arguments;
  for (std::size_t d = 0; d < devices.size(); ++d)
    arguments.emplace_back(args.num_args > 0 ? args.argument_lists[d] : nullptr, args.num_args);

  std::vector<session::Execution> executions;
  {
    std::vector<std::unique_ptr<const Allocation>> rooms;
    std::vector<session::Arguments> given;
    for (std::size_t d = 0; d < devices.size(); ++d) {
      check_donated(compiled, args.options, arguments[d]);
      rooms.push_back(room_for(compiled, *devices[d]->hbm));
      given.push_back(arguments_of(compiled, args.options, *devices[d], arguments[d]));
    }
    executions = run(loaded, std::move(given));
    for (std::size_t d = 0; d < devices.size(); ++d)
      keep_apart(executions[d].results, arguments[d]);
  }
  for (const auto& each : arguments) take_donated(compiled, args.options, each);
  for (std::size_t d = 0; d < devices.size(); ++d) {
    std::vector<std::unique_ptr<Buffer>> results;
    for (session::ArrayRef& array : executions[d].results)
      results.push_back(std::make_unique<Buffer>(*devices[d]->hbm, std::move(array)));
    for (std::size_t i = 0; i < results.size(); ++i) args.output_lists[d][i] = results[i].release();
    if (args.device_complete_events != nullptr) args.device_complete_events[d] = ready_event();
  }
}

}  // namespace trainyard::pjrt
