#include "compiler/pass_log.h"

#include <algorithm>
#include <iterator>

#include "graph/print.h"
#include "isa/forms/text.h"

namespace trainyard::compiler {

namespace {

constexpr std::int64_t constant_elements_max = 16;

void keep(PassDump dump, const PassOptions& options, PassLog& log) {
  if (options.dumps_also) options.dumps_also->add(dump);
  log.dumps.push_back(std::move(dump));
}

}  // namespace

void PassDumps::add(PassDump dump) {
  const std::lock_guard lock(mutex_);
  dumps_.push_back(std::move(dump));
}

std::vector<PassDump> PassDumps::take() {
  const std::lock_guard lock(mutex_);
  return std::exchange(dumps_, {});
}

bool PassOptions::dumps(std::string_view pass) const {
  return std::ranges::any_of(
      dump_after, [&](const std::string& wanted) { return wanted == "all" || wanted == pass; });
}

void PassLog::ran(std::string_view pass, std::chrono::nanoseconds time, std::int64_t runs) {
  auto entry = std::ranges::find(times, pass, &PassTime::pass);
  if (entry == times.end()) entry = times.insert(times.end(), {.pass = pass});
  entry->runs += runs;
  entry->time += time;
}

void PassLog::add_times(const PassLog& other) {
  for (const PassTime& each : other.times) ran(each.pass, each.time, each.runs);
}

void PassLog::add(PassLog other) {
  add_times(other);
  std::ranges::move(other.dumps, std::back_inserter(dumps));
}

void look(const graph::Module& module, std::string_view pass, const PassOptions& options,
          PassLog& log) {
  if (!options.dumps(pass)) return;
  keep({pass, module.name, graph::print(module, {.elements_max = constant_elements_max})}, options,
       log);
}

void look(const isa::Program& program, std::string_view pass, const PassOptions& options,
          PassLog& log) {
  if (!options.dumps(pass)) return;
  isa::Program shown = program;
  for (isa::Tensor& tensor : shown.tensors) tensor.constant.clear();
  keep({pass, program.name, isa::to_text(shown)}, options, log);
}

}  // namespace trainyard::compiler
