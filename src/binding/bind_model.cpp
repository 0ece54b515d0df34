// Tensor programs compiled for a machine, for Python. Arrays go in and out as bytes;
// trainyard.model makes NumPy arrays of them.
#include <fmt/format.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/unique_ptr.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "base/error.h"
#include "binding/bindings.h"
#include "binding/model_array.h"
#include "binding/model_code.h"
#include "binding/model_types.h"
#include "binding/watcher.h"
#include "compiler/lowering/module_passes.h"
#include "compiler/lowering/walk/native_kernel.h"
#include "graph/donation.h"
#include "graph/evaluate.h"
#include "graph/users_line.h"
#include "numerics/float_environment.h"
#include "report/json.h"
#include "report/text.h"
#include "session/compiler_flags.h"
#include "session/model.h"
#include "session/told_ways.h"

namespace trainyard::binding {

namespace nb = nanobind;

namespace {

using session::Model;

void warn(const std::string& words) {
  if (PyErr_WarnEx(PyExc_UserWarning, words.c_str(), 1) != 0) throw nb::python_error();
}

compiler::Layers layers_of(const std::string& name) {
  if (name == "by_time") return compiler::Layers::by_time;
  if (name == "together") return compiler::Layers::together;
  if (name == "apart") return compiler::Layers::apart;
  throw base::InputError({"model.layers", "equal layers are compiled apart or together", name, name,
                          "by_time, together or apart"});
}

std::unique_ptr<Model> make_model(graph::Module module, const machine::Machine& machine,
                                  const std::string& schedule, const std::string& flags,
                                  std::vector<std::string> dump_after, int cores,
                                  std::shared_ptr<compiler::PassDumps> dumps,
                                  const std::string& layers, std::size_t variation,
                                  const nb::bytes& code,
                                  std::shared_ptr<runtime::Devices> devices) {
  const numerics::StandardFloatEnvironment standard;  // whatever the process around us has set
  compiler::Options options = options_of(schedule, std::move(dump_after), std::move(dumps));
  options.layers = layers_of(layers);
  if (variation > 0)
    options.variation = compiler::with({}, compiler::alternatives()[variation - 1]);
  const session::CompilerFlags read = session::read_compiler_flags(flags);
  if (const std::string words = session::unknown_in_words(read); !words.empty()) warn(words);
  const std::shared_ptr<const session::CompiledCode> kept = kept_code(code);
  const nb::gil_scoped_release release;
  if (devices == nullptr) devices = std::make_shared<runtime::Devices>(machine);
  base::check(devices->machine().hash() == machine.hash(), "devices are of the machine");
  return std::make_unique<Model>(
      std::move(devices), std::move(module),
      [](const graph::Module& routine, std::span<const graph::Literal> inputs) {
        return graph::evaluate(routine, inputs);
      },
      options, read.precision, cores, kept);
}

std::vector<std::pair<std::string, std::vector<std::int64_t>>> types_of(
    const Model& model, std::span<const graph::ValueId> values) {
  std::vector<std::pair<std::string, std::vector<std::int64_t>>> types;
  for (const graph::ValueId value : values) {
    const graph::Type& type = model.module().entry().type(value);
    types.emplace_back(graph::name(type.element), type.shape);
  }
  return types;
}

// `donated`: numbers of inputs whose memory may be overwritten.
session::Arguments arguments_of(const std::vector<Input>& inputs,
                                const std::vector<std::size_t>& donated = {}) {
  session::Arguments arguments{.may_overwrite = std::vector<bool>(inputs.size())};
  for (const Input& each : inputs) arguments.arrays.push_back(each.array);
  for (const std::size_t number : donated) arguments.may_overwrite.at(number) = true;
  return arguments;
}

session::ModelRun run_model(Model& model, const std::vector<Input>& inputs, bool timed, bool values,
                            bool checks, bool record, std::optional<std::uint32_t> seed,
                            const std::vector<std::size_t>& donated) {
  const nb::gil_scoped_release release;
  return model.run(arguments_of(inputs, donated), {.timed = timed,
                                                   .values = values,
                                                   .checks = checks,
                                                   .record = record,
                                                   .rounding_seed = seed});
}

session::ModelRun run_as(Model& model, const std::vector<Input>& inputs, session::Options options) {
  const nb::object nobody = nb::none();
  Watcher watcher(nobody);
  options.watch = [&](const engines::Progress& progress) { watcher.look(progress); };
  const nb::gil_scoped_release release;
  return model.run(arguments_of(inputs), options);
}

std::vector<nb::bytes> take_outputs(session::ModelRun& result) {
  std::vector<nb::bytes> all;
  for (const session::ArrayRef& output : std::exchange(result.outputs, {}))
    all.push_back(content_of(*output));
  return all;
}

// The same arrays as inputs of further runs, without a copy.
std::vector<Input> take_tensors(session::ModelRun& result) {
  std::vector<Input> all;
  for (session::ArrayRef& output : std::exchange(result.outputs, {}))
    all.push_back({std::move(output)});
  return all;
}

// A report of each program that was timed, in its own form.
template <typename Form>
std::vector<std::string> reports(session::ModelRun& result, Form form) {
  std::vector<std::string> all;
  for (session::ProgramRun& each : result.programs)
    if (each.first.report) all.push_back(form(session::whole_report(each.first)));
  return all;
}

std::vector<session::ProgramRun*> programs(session::ModelRun& result) {
  std::vector<session::ProgramRun*> all;
  for (session::ProgramRun& each : result.programs) all.push_back(&each);
  return all;
}

// Operations without instructions: name, how many, where the first one stands.
std::vector<nb::tuple> routines_of(const Model& model) {
  std::vector<nb::tuple> all;
  for (const session::RoutineUse& use : model.routines())
    all.push_back(nb::make_tuple(std::string(graph::name(use.kind)), use.count, use.place));
  return all;
}

double milliseconds(std::chrono::nanoseconds time) {
  return std::chrono::duration<double, std::milli>(time).count();
}

// Name, how many runs, milliseconds on this host.
std::vector<nb::tuple> pass_times(const Model& model) {
  std::vector<nb::tuple> all;
  for (const compiler::PassTime& each : model.passes().times)
    all.push_back(nb::make_tuple(std::string(each.pass), each.runs, milliseconds(each.time)));
  return all;
}

// Pass, name of the program, text.
std::vector<nb::tuple> as_tuples(std::span<const compiler::PassDump> dumps) {
  std::vector<nb::tuple> all;
  for (const compiler::PassDump& each : dumps)
    all.push_back(nb::make_tuple(std::string(each.pass), each.program, each.text));
  return all;
}

std::vector<nb::tuple> class_uses_of(const Model& model) {
  std::vector<nb::tuple> result;
  for (const graph::ClassUse& use : model.class_uses())
    result.push_back(nb::make_tuple(std::string(graph::name(use.tensor_class)),
                                    std::string(graph::name(use.format)), use.operands,
                                    use.formatted));
  return result;
}

// "jit(f)/dense/dot_general", "model.py:12".
std::pair<std::string, std::string> operation_at(const graph::Location& location) {
  const std::vector<graph::SourceLine> frames = graph::users_line(location).frames;
  if (frames.empty()) return {location.scope, ""};
  return {location.scope.empty() ? frames.front().function : location.scope,
          fmt::format("{}:{}", frames.front().file, frames.front().line)};
}

// Of each program, its fusion groups: locations, how, operations.
std::vector<std::vector<nb::tuple>> groups_of(const Model& model) {
  std::vector<std::vector<nb::tuple>> all;
  for (const std::vector<compiler::FusionGroup>& groups : model.groups()) {
    std::vector<nb::tuple>& program = all.emplace_back();
    for (const compiler::FusionGroup& group : groups) {
      std::vector<std::pair<std::string, std::string>> operations;
      for (const graph::LocationId each : group.operations)
        operations.push_back(operation_at(model.lowered_module().locations.at(each)));
      program.push_back(nb::make_tuple(group.locations, group.how, operations));
    }
  }
  return all;
}

// Of each region that has several: its operations; of each way, the taken one first, what is chosen
// otherwise, how the region is computed, and its ns.
std::vector<nb::tuple> ways_of_regions(const graph::Module& module, const machine::Machine& machine,
                                       int cores, const std::string& schedule,
                                       std::int64_t resident_percent) {
  std::vector<compiler::FusionGroup> regions;
  const compiler::Options options = options_of(schedule);
  {
    const nb::gil_scoped_release release;
    regions = session::told_ways(module, machine, cores, resident_percent, options);
  }
  std::vector<nb::tuple> all;
  for (const compiler::FusionGroup& region : regions) {
    std::vector<std::pair<std::string, std::string>> operations;
    for (const graph::LocationId each : region.operations)
      operations.push_back(operation_at(module.locations.at(each)));
    std::vector<nb::tuple> ways;
    for (const compiler::WayTime& way : region.ways)
      ways.push_back(nb::make_tuple(way.words, way.how, base::to_nanoseconds(way.time)));
    all.push_back(nb::make_tuple(operations, ways, region.are_layouts));
  }
  return all;
}

}  // namespace

compiler::Options options_of(const std::string& schedule, std::vector<std::string> dump_after,
                             std::shared_ptr<compiler::PassDumps> dumps) {
  compiler::Options options = options_of(schedule);
  options.passes.dump_after = std::move(dump_after);
  options.passes.dumps_also = std::move(dumps);
  return options;
}

namespace {

void bind_model_run(nb::module_& module) {
  nb::class_<session::ProgramRun>(module, "ProgramRun", "The runs of one program of a Model.")
      .def_ro("instance", &session::ProgramRun::instance)
      .def_prop_ro(
          "run", [](session::ProgramRun& self) { return &self.first; },
          nb::rv_policy::reference_internal, "The first run, with the findings of all of them.")
      .def_ro("count", &session::ProgramRun::count)
      .def_prop_ro(
          "nanoseconds",
          [](const session::ProgramRun& self) { return base::to_nanoseconds(self.time); },
          "Simulated time of all runs.");
  nb::class_<session::ModelRun>(module, "ModelRun",
                                "The results, time and energy of one run of a Model.")
      .def("take_outputs", &take_outputs,
           "The content of each result, which the run keeps no longer.")
      .def("take_tensors", &take_tensors,
           "The results as inputs of further runs, which the run keeps no longer.")
      .def_prop_ro(
          "nanoseconds",
          [](const session::ModelRun& self) { return base::to_nanoseconds(self.time); },
          "Simulated time of the whole run; 0 of an untimed one.")
      .def_prop_ro(
          "routine_nanoseconds",
          [](const session::ModelRun& self) { return base::to_nanoseconds(self.routines); },
          "Of it, the time of GpSimd routines.")
      .def_prop_ro(
          "joules",
          [](const session::ModelRun& self) {
            const auto& energy = self.energy;
            return nb::make_tuple(energy.low.value, energy.value.value, energy.high.value);
          },
          "Energy: low, likely, high.")
      .def_prop_ro("programs", &programs, nb::rv_policy::reference_internal,
                   "The runs of each program, in the order of their first run.")
      .def_prop_ro(
          "reports",
          [](session::ModelRun& self) {
            return reports(self, [](const report::Report& each) { return report::to_json(each); });
          },
          "The report of each program, as JSON.")
      .def_prop_ro(
          "texts",
          [](session::ModelRun& self) {
            return reports(self, [](const report::Report& each) { return report::to_text(each); });
          },
          "The report of each program, as text.");
}

std::vector<std::pair<std::int64_t, double>> shares_of(const Model& model) {
  std::vector<std::pair<std::int64_t, double>> all;
  for (const auto& [percent, time] : model.shares())
    all.emplace_back(percent, base::to_nanoseconds(time));
  return all;
}

void bind_compiled_model(nb::module_& module) {
  nb::class_<Model>(module, "Model", "A tensor program compiled for a machine.")
      .def_prop_ro(
          "inputs",
          [](const Model& self) { return types_of(self, self.module().entry().body.arguments); })
      .def_prop_ro(
          "outputs",
          [](const Model& self) { return types_of(self, self.module().entry().results()); })
      .def_prop_ro(
          "donated",
          [](const Model& self) { return graph::donated_arguments(self.module().entry()); },
          "Of each input whether a result may take its memory.")
      .def_prop_ro("instructions", &Model::instructions)
      .def_prop_ro("name", [](const Model& self) { return self.module().name; })
      .def_prop_ro("programs", &Model::programs, "Each compiled program, as it is loaded.")
      .def_prop_ro("groups", &groups_of,
                   "Of each program: (locations, how, operations) of what is fused; an operation "
                   "is its name "
                   "and FILE:LINE.")
      .def_prop_ro("resident_percent", &Model::resident_percent,
                   "At most, of SBUF, for what stays on chip between operations.")
      .def_prop_ro("shares", &shares_of,
                   "(percent, nanoseconds): what it takes with so much of SBUF for what stays on "
                   "chip between operations, as it is first; empty where that was not timed.")
      .def_prop_ro(
          "machine", [](const Model& self) { return self.machine(); }, "What it is compiled for.")
      .def_prop_ro("cores", &Model::cores_in_use, "One, or the two of a logical core.")
      .def_prop_ro("in_halves", &Model::is_in_halves,
                   "Whether each of both cores runs the program on half of its batch.")
      .def_prop_ro(
          "module", [](const Model& self) { return self.module(); },
          "The tensor program that it means, casts included.")
      .def_prop_ro("has_control_flow", &Model::has_control_flow)
      .def_prop_ro("pass_times", &pass_times, "Name, runs and milliseconds of each pass.")
      .def_prop_ro(
          "pass_dumps", [](const Model& self) { return as_tuples(self.passes().dumps); },
          "Pass, name of the program, text of it behind it.")
      .def_prop_ro(
          "lowered_module", [](const Model& self) { return self.lowered_module(); },
          "The tensor program behind all its passes.")
      .def_prop_ro("class_uses", &class_uses_of,
                   "Of each class of tensors with a format: class, format, how many operands of "
                   "products it has (of optimizer_state: arguments), how many got the format.")
      .def_prop_ro(
          "unused_formats",
          [](const Model& self) { return graph::unused_in_words(self.class_uses()); },
          "What to say of formats that nothing got; empty where there are none.")
      .def_prop_ro("code", &code_of,
                   "Its compiled programs, for compile_model in another process of this build.")
      .def_prop_ro("schedule", &Model::schedule, "The schedule that its programs were asked for.")
      .def_prop_ro("routines", &routines_of, "Operations without instructions: name, count, place.")
      .def_prop_ro("prepared", &Model::prepared,
                   "How many weights are made before the first run (--precision, stored formats).")
      .def(
          "buffer",
          [](const Model& self, std::size_t argument, const HostBytes& content) {
            const graph::Function& main = self.module().entry();
            return input_of(main.type(main.body.arguments.at(argument)), content);
          },
          nb::arg("argument"), nb::arg("content"))
      .def(
          "run", &run_model, nb::arg("inputs"), nb::arg("timed") = false, nb::arg("values") = true,
          nb::arg("checks") = false, nb::arg("record") = false, nb::arg("seed") = nb::none(),
          nb::arg("donated") = std::vector<std::size_t>{},
          "`inputs`: none without values. `donated`: numbers of those whose memory the program may "
          "take for its results, if it was compiled so; they are gone then.")
      .def("run_as", &run_as, nb::arg("inputs"), nb::arg("options"));
}

}  // namespace

void bind_model(nb::module_& module) {
  module.def(
      "kernel_config",
      [](const isa::Program& program, std::vector<isa::TensorId> inputs,
         std::vector<isa::TensorId> outputs) {
        return compiler::native_kernel_config({program, std::move(inputs), std::move(outputs)});
      },
      nb::arg("program"), nb::arg("inputs"), nb::arg("outputs"),
      "The backend_config of a custom call that runs a traced kernel.");
  bind_model_run(module);
  bind_compiled_model(module);
  nb::class_<compiler::PassDumps>(module, "PassDumps",
                                  "What passes left of programs, up to one that failed.")
      .def(nb::init<>())
      .def(
          "take", [](compiler::PassDumps& self) { return as_tuples(self.take()); },
          "(pass, program, text) of each dump since the last time.");
  module.def(
      "compile_model", &make_model, nb::arg("module"), nb::arg("machine"),
      nb::arg("schedule") = "list", nb::arg("flags") = "",
      nb::arg("dump_after") = std::vector<std::string>{}, nb::arg("cores") = 1,
      nb::arg("dumps") = nb::none(), nb::arg("layers") = "by_time", nb::arg("variation") = 0,
      nb::arg("code") = nb::bytes("", 0), nb::arg("devices") = nb::none(),
      "Compiles a tensor program for one core, or for both of a logical core; `flags` as "
      "AWS's neuronx-cc takes them. `dump_after`: names of passes behind which the program "
      "is kept as text, or \"all\"; `dumps` has them of a compilation that fails, too. "
      "`layers`: by_time, together or apart. `variation`: of compiler_variations(), by "
      "number. `code`: Model.code of the same module for the same machine, flags and options "
      "in another process, so that its programs are not compiled again; another build's is "
      "not used. `devices`: whose memory it shares with others; None: its own. Raises InputError "
      "for code that is damaged.");
  module.def(
      "compiler_variations",
      [] {
        std::vector<std::pair<std::string, std::string>> all;
        all.emplace_back("as it is", "");
        for (const compiler::Alternative& each : compiler::alternatives())
          all.emplace_back(each.words, each.of);
        return all;
      },
      "Choices of the compiler made otherwise: in words, and what the regions that it can change "
      "say of themselves.");
  module.def("ways_of_regions", &ways_of_regions, nb::arg("module"), nb::arg("machine"),
             nb::arg("cores"), nb::arg("schedule"), nb::arg("resident_percent"),
             "Of each region of a module behind all passes (Model.lowered_module) that can be "
             "computed in several ways: names and lines of its operations; of each way, the taken "
             "one first, what is chosen otherwise, how it is computed, and its ns alone; whether "
             "these are not ways to compute it but layouts of the values of these products.");
  module.def(
      "check_class_formats",
      [](const std::string& text) {
        static_cast<void>(graph::read_class_formats(text, "trainyard.precision"));
      },
      nb::arg("text"), "Raises InputError \"precision.formats\" for what is not CLASS=FORMAT,....");
}

}  // namespace trainyard::binding
