#include "compiler/orders.h"

#include <algorithm>
#include <utility>

#include "base/error.h"
#include "compiler/allocate.h"
#include "isa/rules/validate.h"

namespace trainyard::compiler {

namespace {

using isa::Program;

std::vector<Attempt> attempts_of(const Options& options) {
  std::vector<Attempt> all{{Order::author, 100, true}, {Order::author, 100, false}};
  if (options.order == Order::list) {
    all = {{Order::list, 90, true},  {Order::list, 60, true},  {Order::list, 90, false},
           {Order::list, 75, false}, {Order::list, 60, false}, {Order::author, 100, false}};
  }
  std::erase_if(all, [&](const Attempt& attempt) {
    return attempt.order == Order::list && attempt.percent > options.percent_max;
  });
  if (!options.rewrite) std::erase_if(all, [](const Attempt& attempt) { return attempt.joins; });
  return all;
}

// None where no tensor has one.
std::vector<ProgramOrder::Address> addresses_of(const Program& program) {
  std::vector<ProgramOrder::Address> addresses;
  const auto has_address = [](const isa::Tensor& tensor) {
    return tensor.address >= 0 || tensor.partition_start != 0;
  };
  if (std::ranges::none_of(program.tensors, has_address)) return addresses;
  addresses.reserve(program.tensors.size());
  for (const isa::Tensor& tensor : program.tensors)
    addresses.push_back({tensor.address, tensor.partition_start});
  return addresses;
}

void set_addresses(Program& program, const std::vector<ProgramOrder::Address>& addresses) {
  for (std::size_t t = 0; t < program.tensors.size(); ++t) {
    const ProgramOrder::Address at = addresses.empty() ? ProgramOrder::Address{} : addresses[t];
    program.tensors[t].address = at.byte;
    program.tensors[t].partition_start = at.partition;
  }
}

}  // namespace

Orders::Orders(Program kernel, const machine::Core& core)
    : core_(core), program_(std::move(kernel)) {
  if (program_.compiled) {
    throw base::InputError({"program.compiled", "a program is compiled once", program_.name,
                            "a compiled program", "compile the kernel that it was made from"});
  }
  isa::validate(program_, core);
}

// Runs the passes that come before any order is chosen, unless they ran in this way before.
void Orders::prepare(ProgramContext& context) {
  if (joins_ == context.attempt.joins) return;
  if (!joins_ && context.options.rewrite) kernel_ = program_;
  if (joins_) {
    base::check(kernel_.has_value(), "a kernel is prepared in one way unless it is rewritten");
    program_ = *kernel_;
  }
  joins_ = context.attempt.joins;
  prepared_log_ = {};
  run_program_passes(program_, context, ProgramPass::Stage::prepare, prepared_log_);
  prepared_ = {.instructions = program_.instructions,
               .schedule_edges = program_.schedule_edges,
               .addresses = addresses_of(program_)};
}

std::variant<Orders::Made, Shortage> Orders::compile(const Options& options) {
  base::check(!program_.compiled, "an order is set aside before another is tried");
  PassLog given_up;
  std::optional<Shortage> missing;
  for (const Attempt& attempt : attempts_of(options)) {
    ProgramContext context{.core = core_, .options = options, .attempt = attempt};
    prepare(context);
    PassLog log = prepared_log_;
    for (PassTime& each : prepared_log_.times) each = {.pass = each.pass};
    missing = run_program_passes(program_, context, ProgramPass::Stage::order, log);
    if (!missing) {
      log.add_times(given_up);
      return Made{attempt, std::move(log)};
    }
    static_cast<void>(set_aside());
    given_up.add_times(log);
  }
  base::check(missing.has_value(), "there is an attempt for every order");
  return *std::move(missing);
}

Program Orders::take() && {
  isa::validate(program_, core_);
  return std::move(program_);
}

ProgramOrder Orders::set_aside() {
  if (program_.compiled) remove_addresses(program_);
  ProgramOrder layout{
      .instructions = std::exchange(program_.instructions, prepared_.instructions),
      .schedule_edges = std::exchange(program_.schedule_edges, prepared_.schedule_edges),
      .addresses = addresses_of(program_),
      .streams = std::exchange(program_.streams, {}),
      .waits = std::exchange(program_.waits, {}),
      .signals = std::exchange(program_.signals, {}),
      .semaphore_count = std::exchange(program_.semaphore_count, std::uint16_t{0}),
      .joins = joins_.value_or(false)};
  set_addresses(program_, prepared_.addresses);
  return layout;
}

void Orders::put_back(ProgramOrder layout, const Options& options) {
  base::check(!program_.compiled, "an order is set aside before another is put back");
  ProgramContext context{.core = core_, .options = options, .attempt = {.joins = layout.joins}};
  prepare(context);
  program_.instructions = std::move(layout.instructions);
  program_.schedule_edges = std::move(layout.schedule_edges);
  set_addresses(program_, layout.addresses);
  program_.streams = std::move(layout.streams);
  program_.waits = std::move(layout.waits);
  program_.signals = std::move(layout.signals);
  program_.semaphore_count = layout.semaphore_count;
  add_addresses(program_);
}

}  // namespace trainyard::compiler
