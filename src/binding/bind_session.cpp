// Sessions as a Python class: load a traced program, fill its inputs, run it, read its outputs.
#include <nanobind/stl/array.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <fmt/format.h>

#include <span>
#include <tuple>
#include <utility>

#include "base/error.h"
#include "binding/bindings.h"
#include "binding/model_types.h"
#include "binding/sides.h"
#include "binding/trace_columns.h"
#include "binding/tracer.h"
#include "binding/watcher.h"
#include "checks/check.h"
#include "machine/topology.h"
#include "report/from_trace.h"
#include "report/json.h"
#include "report/labels.h"
#include "report/text.h"
#include "session/recording.h"
#include "session/resimulation.h"
#include "session/session.h"
#include "system/sites.h"
#include "trace/perfetto.h"
#include "trace/trace_file.h"

namespace trainyard::binding {

namespace nb = nanobind;

namespace {

// The memory of a Python object with the buffer protocol, for as long as this lives.
class Buffer {
 public:
  Buffer(nb::handle object, bool writable) {
    if (PyObject_GetBuffer(object.ptr(), &view_, writable ? PyBUF_WRITABLE : PyBUF_SIMPLE) != 0) {
      throw nb::python_error();
    }
  }
  ~Buffer() { PyBuffer_Release(&view_); }
  Buffer(const Buffer&) = delete;
  Buffer& operator=(const Buffer&) = delete;
  [[nodiscard]] std::span<std::byte> bytes() const {
    return {static_cast<std::byte*>(view_.buf), static_cast<std::size_t>(view_.len)};
  }

 private:
  Py_buffer view_{};
};

std::vector<session::Run> run_grid(session::Session& session,
                                   const std::vector<std::shared_ptr<session::Instance>>& instances,
                                   session::Options options, nb::handle told) {
  Watcher watcher(told);
  options.watch = [&](const engines::Progress& progress) { watcher.look(progress); };
  const nb::gil_scoped_release release;
  return session.run(instances, options);
}

using Changes = std::vector<std::tuple<std::string, std::vector<std::string>, bool>>;

void answer(const std::vector<std::shared_ptr<session::Instance>>& instances,
            const machine::Machine& machine, const std::vector<session::Run*>& runs, bool interval,
            const Changes& changes, std::uint64_t instructions_max, bool advice,
            const machine::System* system) {
  const nb::object nobody = nb::none();
  Watcher watcher(nobody);
  session::Questions questions{
      .interval = interval, .advice = advice, .instructions_max = instructions_max};
  if (system != nullptr) questions.system = std::make_shared<const machine::System>(*system);
  for (const auto& [name, settings, asked] : changes)
    questions.changes.push_back({name, settings, asked});
  questions.watch = [&](const engines::Progress& progress) { watcher.look(progress); };
  const nb::gil_scoped_release release;
  session::answer(questions, instances, machine, runs);
}

Changes standard_changes() {
  Changes list;
  for (report::Change& change : report::standard_changes())
    list.emplace_back(std::move(change.name), std::move(change.settings), change.asked);
  return list;
}

// Other threads may go on, and Ctrl-C ends it.
std::shared_ptr<session::Instance> load(session::Session& session, isa::Program& program,
                                        compiler::Options options, std::int32_t rank, bool take) {
  const nb::object nobody = nb::none();
  Watcher watcher(nobody);
  options.pulse = [&] { watcher.look({}); };
  const nb::gil_scoped_release release;
  return session.load(take ? std::exchange(program, {}) : program, options, rank);
}

const report::Report& timed(const session::Run& run) {
  if (run.report) return *run.report;
  throw base::InputError(
      {"run.timed", "only a timed run has times", {}, "an untimed run", "pass timed=True"});
}

const report::Report& whole(session::Run& run) {
  (void)timed(run);
  return session::whole_report(run);
}

// A file that somebody has kept; what ran here has a recorder.
trace::TraceFile trace_of(nb::bytes content, const std::string& name) {
  return trace::TraceFile::parse(std::string(content.c_str(), content.size()), name);
}

nb::bytes to_python(const std::string& bytes) { return nb::bytes(bytes.data(), bytes.size()); }

nb::object links_of(const session::Run& run) {
  if (run.links == nullptr) return nb::none();
  const system::LinkRecord& record = *run.links;
  nb::dict result;
  nb::list links, collectives;
  for (const system::LinkUse& link : record.links) {
    nb::dict entry;
    entry["name"] = link.name;
    entry["alike"] = link.alike;
    entry["bytes"] = link.bytes;
    entry["share"] = link.share;
    entry["use"] = link.use;
    links.append(entry);
  }
  for (const system::CrossCollective& one : record.collectives) {
    nb::dict entry;
    entry["operation"] = std::string(fabric::name(system::operation_of(one.kind)));
    entry["bytes"] = one.bytes;
    entry["ranks"] = one.ranks;
    entry["algorithm"] = one.algorithm;
    entry["steps"] = one.steps;
    entry["times"] = one.times;
    entry["groups"] = one.groups;
    nb::list candidates;
    for (const fabric::Candidate& candidate : one.candidates) {
      nb::dict choice;
      choice["algorithm"] = candidate.algorithm;
      choice["time_us"] = base::to_nanoseconds(candidate.time) / 1e3;
      choice["was_run"] = candidate.was_run;
      candidates.append(choice);
    }
    entry["candidates"] = candidates;
    collectives.append(entry);
  }
  result["chips"] = record.chips;
  result["chips_run"] = record.chips_run;
  result["transfers"] = record.transfers;
  result["collectives"] = collectives;
  result["links"] = links;
  result["left_out"] = record.left_out;
  result["is_cut"] = record.is_cut;
  result["faults"] = record.faults;
  return result;
}

nb::dict to_python(const checkers::Finding& finding) {
  nb::dict entry;
  entry["severity"] = std::string(checks::name(finding.check->severity));
  entry["category"] = std::string(base::name(finding.category));
  entry["label"] = finding.violation.label;
  entry["rule"] = finding.violation.rule;
  entry["place"] = finding.violation.place;
  entry["found"] = finding.violation.found;
  entry["fix"] = finding.violation.fix;
  entry["count"] = finding.count;
  entry["sides"] = list_of_sides(finding.violation.sides);
  return entry;
}

void stop_at(session::Options& options, const std::optional<std::string>& severity) {
  options.findings.stop_at.reset();
  if (!severity) return;
  for (const auto one :
       {checks::Severity::note, checks::Severity::warning, checks::Severity::error}) {
    if (checks::name(one) == *severity) options.findings.stop_at = one;
  }
  if (!options.findings.stop_at) {
    throw base::InputError(
        {"checks.severity", "a severity is 'note', 'warning' or 'error'", {}, *severity, {}});
  }
}

// (track, instruction, reason, begin, end) of what each track did, idle time left out; times in ns.
nb::list intervals(const trace::Timeline& timeline) {
  nb::list found;
  for (std::size_t t = 0; t < timeline.tracks.size(); ++t) {
    for (const trace::Interval& i : timeline.rows[t]) {
      if (i.instruction == trace::no_instruction || i.reason == trace::Reason::idle) continue;
      found.append(nb::make_tuple(timeline.tracks[t].name, i.instruction,
                                  std::string(trace::name(i.reason)), base::to_nanoseconds(i.begin),
                                  base::to_nanoseconds(i.end)));
    }
  }
  return found;
}

void bind_long_traces(nb::module_& module) {
  nb::class_<LongTrace>(module, "LongTrace",
                        "A .tytrace file that tells of stretches of time, without its rows in "
                        "memory.")
      .def(
          "__init__",
          [](LongTrace* self, nb::bytes content, const std::string& name) {
            new (self) LongTrace(trace_of(content, name));
          },
          nb::arg("content"), nb::arg("name"))
      .def_prop_ro("counts", &LongTrace::counts, "intervals of each track")
      .def("description", &LongTrace::description,
           "What trace_columns() tells; tracks have a `count` instead of columns.")
      .def("prepare", &LongTrace::prepare, nb::arg("classes"),
           "Reads all of it, so that answers come soon. Raises InputError for a damaged one.")
      .def("shares", &LongTrace::shares, nb::arg("classes"), nb::arg("start"), nb::arg("stop"),
           nb::arg("columns"),
           "Float32 by track, column and class: what each of equal parts was spent on.")
      .def("window", &LongTrace::window, nb::arg("classes"), nb::arg("start"), nb::arg("stop"),
           nb::arg("rows_max"),
           "The tracks of trace_columns() with the intervals of a stretch, or None.");
}

void bind_trace_files(nb::module_& module) {
  module.def(
      "trace_columns",
      [](nb::bytes content, const std::string& name) {
        const trace::TraceFile file = trace_of(content, name);
        return columns_of(trace::timeline_of(file), file.labels(), file.metadata());
      },
      nb::arg("content"), nb::arg("name"),
      "All of a .tytrace file: intervals and labels as columns of native integers.");
  module.def(
      "trace_text",
      [](nb::bytes content, const std::string& name) {
        return report::to_text(report::report_of(trace_of(content, name)));
      },
      nb::arg("content"), nb::arg("name"), "The report of a .tytrace file as text.");
  module.def(
      "trace_json",
      [](nb::bytes content, const std::string& name) {
        const trace::TraceFile file = trace_of(content, name);
        const nb::gil_scoped_release others_may_run;
        return report::to_json(report::report_of(file));
      },
      nb::arg("content"), nb::arg("name"),
      "The same as JSON; only run, duration, tracks, bound and lines are meaningful.");
  module.def(
      "trace_intervals",
      [](nb::bytes content, const std::string& name) {
        return intervals(trace::timeline_of(trace_of(content, name)));
      },
      nb::arg("content"), nb::arg("name"),
      "(track, instruction, reason, begin ns, end ns) of every interval of a .tytrace file.");
  module.def(
      "trace_perfetto",
      [](nb::bytes content, const std::string& name) {
        const trace::TraceFile file = trace_of(content, name);
        return to_python(
            trace::to_perfetto(trace::timeline_of(file), file.labels(), file.metadata()));
      },
      nb::arg("content"), nb::arg("name"), "A .tytrace file in Perfetto's format.");
}

}  // namespace

compiler::Options options_of(const std::string& schedule) {
  for (const compiler::Schedule& each : compiler::schedules) {
    if (each.name == schedule) return {.order = each.order, .rewrite = each.rewrite};
  }
  throw base::InputError(
      {"schedule.name", "a schedule is 'author', 'list' or 'free'", {}, schedule, {}});
}

namespace {

using session::Instance;
using session::Session;

void bind_options(nb::module_& module) {
  nb::class_<Instance>(module, "Instance", "A compiled program placed in a session's memory.")
      .def_prop_ro("program", &Instance::program, nb::rv_policy::reference_internal)
      .def_prop_ro("rank", &Instance::rank, "the logical core that it runs on");
  nb::class_<session::Options>(module, "RunOptions", "Options of a run; see session/session.h.")
      .def(nb::init<>())
      .def_rw("timed", &session::Options::timed)
      .def_rw("values", &session::Options::values)
      .def_rw("checks", &session::Options::checks)
      .def_rw("record", &session::Options::record)
      .def_rw("about", &session::Options::about)
      .def_rw("faults", &session::Options::faults)
      .def_rw("folds_alike", &session::Options::folds_alike)
      .def(
          "on_system",
          [](session::Options& options, const machine::System& system) {
            options.system = std::make_shared<const machine::System>(system);
          },
          nb::arg("system"), "The chips that a timed run is on.")
      .def(
          "find_overflows",
          [](session::Options& options, bool wanted) { options.findings.overflows = wanted; },
          nb::arg("wanted"), "Looks for results that their formats do not hold.")
      .def("stop_at", &stop_at, nb::arg("severity"),
           "The first finding this bad is raised as a Fault; None: none is.")
      .def(
          "suppress",
          [](session::Options& options, const std::string& id, const std::string& file,
             std::uint32_t line) {
            options.findings.suppressions.push_back({id, file, line});
          },
          nb::arg("id"), nb::arg("file") = "", nb::arg("line") = 0,
          "Drops findings of a check or a family (empty: all), anywhere or at a source line.");
}

void bind_run(nb::module_& module) {
  nb::class_<session::Run>(module, "Run", "The result of one run; see session/session.h.")
      .def_ro("instructions", &session::Run::instructions)
      .def_prop_ro(
          "findings",
          [](const session::Run& run) {
            nb::list list;
            for (const checkers::Finding& finding : run.findings) list.append(to_python(finding));
            return list;
          },
          "the findings of the checks as dictionaries; trainyard/findings.py")
      .def_prop_ro("timed", [](const session::Run& run) { return run.report.has_value(); })
      .def_prop_ro(
          "time_ns",
          [](const session::Run& run) { return base::to_nanoseconds(timed(run).duration); })
      .def_prop_ro(
          "ticks", [](const session::Run& run) { return timed(run).duration.value; }, "1/168 ns")
      .def_prop_ro("bound", [](const session::Run& run) { return timed(run).bound.name; })
      .def_prop_ro("links", &links_of, "traffic between chips; docs/formats/report.md")
      .def("text", [](session::Run& run) { return report::to_text(whole(run)); })
      .def("json", [](session::Run& run) { return report::to_json(whole(run)); })
      .def_prop_ro("is_recorded", [](const session::Run& run) { return run.recording != nullptr; })
      .def(
          "intervals", [](const session::Run& run) { return intervals(session::timeline_of(run)); },
          "(track, instruction, reason, begin ns, end ns) of what each track of a recorded run "
          "did.")
      .def(
          "trace", [](const session::Run& run) { return to_python(session::tytrace_of(run)); },
          "A recorded run as the bytes of a .tytrace file.")
      .def(
          "perfetto", [](const session::Run& run) { return to_python(session::perfetto_of(run)); },
          "A recorded run in Perfetto's format.")
      .def(
          "columns",
          [](const session::Run& run) {
            return columns_of(session::timeline_of(run), report::labels_of(run.instance->program()),
                              run.report->run);
          },
          "A recorded run as trace_columns() tells of a file.")
      .def(
          "details", [](const session::Run& run) { return session::details_of(run); },
          "Memory over time and the critical path as JSON; docs/formats/view.md.");
}

}  // namespace

void bind_session(nb::module_& module) {
  bind_long_traces(module);
  bind_trace_files(module);
  bind_options(module);
  bind_run(module);
  module.def("answer", &answer, nb::arg("instances"), nb::arg("machine"), nb::arg("runs"),
             nb::arg("interval"), nb::arg("changes"), nb::arg("instructions_max") = 0,
             nb::arg("advice") = false, nb::arg("system") = nb::none(),
             "Adds the answers of session/resimulation.h to the report of the slowest run; "
             "`changes` are (name, settings, whether asked for by itself).");
  module.def(
      "perfetto_of_ranks",
      [](const std::vector<const session::Run*>& runs) {
        return to_python(session::perfetto_of_ranks(runs));
      },
      nb::arg("runs"), "The recorded runs of several ranks as one file in Perfetto's format.");
  module.def("standard_changes", &standard_changes,
             "Questions worth asking, in the form that answer() takes.");
  nb::class_<Session>(module, "Session", "A machine with memory, into which programs are loaded.")
      .def(nb::init<machine::Machine>(), nb::arg("machine"))
      .def(
          "load",
          [](Session& s, isa::Program& program, const std::string& schedule, std::int32_t rank,
             bool take) { return load(s, program, options_of(schedule), rank, take); },
          nb::arg("program"), nb::arg("schedule") = "author", nb::arg("rank") = 0,
          nb::arg("take") = false,
          "Compiles a traced program and places it in the memory of a rank. `take`: without a "
          "copy; "
          "the traced program is empty afterwards.")
      .def("write",
           [](Session& s, const Instance& instance, isa::TensorId tensor, nb::handle content) {
             s.write(instance, tensor, Buffer(content, false).bytes());
           })
      .def("read",
           [](Session& s, const Instance& instance, const Tensor& tensor, nb::handle content) {
             s.read(instance, tensor.view, Buffer(content, true).bytes());
           })
      .def(
          "run", &run_grid, nb::arg("instances"), nb::arg("options"), nb::arg("told") = nb::none(),
          "Runs the instances of one grid for each rank, each on a fresh core. `told(instructions, "
          "nanoseconds)` is called a few times a second and may end the run by raising; so does "
          "Ctrl-C.");
}

}  // namespace trainyard::binding
