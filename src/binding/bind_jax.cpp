// What JAX runs on the platform `neuron` in this process, for Python: trainyard.jax_runs listens.
#include <nanobind/stl/pair.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <atomic>
#include <exception>
#include <memory>
#include <mutex>
#include <string>
#include <utility>

#include "binding/bindings.h"
#include "binding/model_types.h"
#include "binding/watcher.h"
#include "session/devices_run.h"
#include "session/host.h"
#include "session/host_time.h"
#include "session/product_ways.h"
#include "session/refusals.h"

namespace trainyard::binding {

namespace nb = nanobind;

namespace {

nb::dict to_dict(const plan::Entry& entry) {
  nb::dict one;
  one["kind"] = entry.kind == plan::Task::Kind::body ? "body" : "collective";
  one["what"] = entry.what;
  one["place"] = entry.place;
  one["count"] = entry.count;
  one["bytes"] = entry.bytes;
  one["devices"] = entry.devices;
  one["stride"] = entry.stride;
  one["algorithm"] = entry.route.algorithm;
  one["busiest"] = entry.route.busiest;
  one["busiest_share"] = entry.route.share;
  one["ns"] = base::to_nanoseconds(entry.alone);
  one["waited_ns"] = base::to_nanoseconds(entry.waited);
  one["on_path_ns"] = base::to_nanoseconds(entry.on_path);
  return one;
}

// docs/formats/report.md.
nb::dict to_dict(const session::DevicesRun& run) {
  nb::dict all;
  all["name"] = run.name;
  all["devices"] = run.devices;
  all["is_estimate"] = run.is_estimate;
  all["ns"] = base::to_nanoseconds(run.timeline.end());
  all["computing_ns"] = base::to_nanoseconds(run.timeline.computing());
  all["collectives_ns"] = base::to_nanoseconds(run.timeline.exchanging());
  all["exposed_ns"] = base::to_nanoseconds(run.timeline.exposed());
  all["joules"] = run.spent.joules;
  if (run.spent.dollars) all["dollars"] = *run.spent.dollars;
  all["hbm_bytes"] = run.hbm_bytes;
  all["argument_bytes"] = run.outside_bytes;
  all["between_bytes"] = run.between.bytes;
  all["early_bytes"] = run.timeline.most_early_bytes();
  nb::list held, entries, tasks;
  for (const plan::Held& each : run.between.held) {
    nb::dict one;
    one["bytes"] = each.bytes;
    one["what"] = each.what;
    one["place"] = each.place;
    held.append(one);
  }
  for (const plan::Entry& entry : run.account.entries) entries.append(to_dict(entry));
  for (std::size_t i = 0; i < run.account.entry_of.size(); ++i) {
    const plan::Task& task = run.timeline.tasks()[i];
    tasks.append(nb::make_tuple(run.account.entry_of[i], base::to_nanoseconds(task.begin),
                                base::to_nanoseconds(task.end)));
  }
  all["held"] = held;
  all["entries"] = entries;
  all["tasks"] = tasks;
  return all;
}

// Tells a Python object of programs and runs: made(number, model, refusals), whose model is there
// for that call only, and ran(number, run). What the object raises ends the run and is kept for
// rethrow().
class JaxHost : public session::Host {
 public:
  JaxHost(machine::Machine machine, session::Options options, const std::string& schedule,
          nb::object listener, nb::object told, std::vector<std::string> dump_after,
          std::shared_ptr<compiler::PassDumps> dumps)
      : machine_(std::move(machine)),
        options_(std::move(options)),
        compiling_(options_of(schedule, std::move(dump_after), std::move(dumps))),
        listener_(std::move(listener)),
        told_(std::move(told)) {}

  [[nodiscard]] const machine::Machine& machine() const override { return machine_; }
  [[nodiscard]] const compiler::Options& compiling() const override { return compiling_; }

  [[nodiscard]] std::span<const std::string> faults() const override { return options_.faults; }

  [[nodiscard]] session::Options running(bool again) override {
    session::Options options = options_;
    options.faults.clear();
    if (again && options.values) options = {.checks = false};
    options.watch = [watcher = std::make_shared<Watcher>(told_)](
                        const engines::Progress& progress) { watcher->look(progress); };
    return options;
  }

  [[nodiscard]] std::int64_t made(const session::Model& model) override {
    const std::int64_t number = next_++;
    const nb::gil_scoped_acquire lock;
    if (listener_.is_none()) return number;
    std::vector<std::string> refusals;
    for (const base::Violation& each :
         session::documented_refusals(model.module(), machine_.core.generation))
      refusals.push_back(base::describe(each));
    listener_.attr("made")(number, nb::cast(&model, nb::rv_policy::reference), refusals);
    return number;
  }

  void ran(std::int64_t program, session::ModelRun run) override {
    const nb::gil_scoped_acquire lock;
    if (listener_.is_none()) return;
    try {
      listener_.attr("ran")(program, nb::cast(std::move(run)));
    } catch (...) {
      failed(std::current_exception());
      throw;
    }
  }

  void ran_together(const session::DevicesRun& run,
                    const std::vector<std::int64_t>& programs) override {
    const nb::gil_scoped_acquire lock;
    if (listener_.is_none()) return;
    nb::dict all = to_dict(run);
    all["faults"] = options_.faults;
    listener_.attr("ran_together")(all, programs);
  }

  void divided(session::DividedProgram program) override {
    const nb::gil_scoped_acquire lock;
    if (listener_.is_none()) return;
    listener_.attr("divided")(nb::cast(std::move(program)));
  }

  void failed(std::exception_ptr error) noexcept override {
    const std::lock_guard lock(mutex_);
    failure_ = std::move(error);
  }
  void copied_in(std::int64_t bytes) override { count(in_, bytes); }
  void copied_out(std::int64_t bytes) override { count(out_, bytes); }

  // Stops listening; programs still run.
  void disconnect() { listener_ = told_ = nb::none(); }

  using Copies = std::pair<std::int64_t, std::int64_t>;  // how many, bytes
  [[nodiscard]] std::pair<Copies, Copies> copies() const {
    const std::lock_guard lock(mutex_);
    return {in_, out_};
  }
  // Nanoseconds of launches and of copies both ways; session/host_time.h.
  [[nodiscard]] std::pair<double, double> host_time(std::int64_t programs,
                                                    std::int64_t launches) const {
    const std::lock_guard lock(mutex_);
    const session::HostTime time = session::host_time({.programs = programs,
                                                       .launches = launches,
                                                       .copies = in_.first + out_.first,
                                                       .bytes = in_.second + out_.second},
                                                      machine_.host);
    return {base::to_nanoseconds(time.launches), base::to_nanoseconds(time.copies)};
  }
  void rethrow() const {
    std::exception_ptr failure;
    {
      const std::lock_guard lock(mutex_);
      failure = failure_;
    }
    if (failure) std::rethrow_exception(failure);
  }

 private:
  void count(Copies& copies, std::int64_t bytes) {
    const std::lock_guard lock(mutex_);
    ++copies.first;
    copies.second += bytes;
  }

  machine::Machine machine_;
  session::Options options_;
  compiler::Options compiling_;
  nb::object listener_, told_;
  std::atomic<std::int64_t> next_ = 0;
  mutable std::mutex mutex_;
  Copies in_, out_;
  std::exception_ptr failure_;
};

nb::dict to_dict(const session::TimedProduct& product) {
  nb::dict one;
  one["place"] = product.place;
  one["operands"] = product.operands;
  one["result"] = product.result;
  one["count"] = product.count;
  nb::list ways;
  for (const session::TimedWay& each : product.ways) {
    nb::dict way, roles;
    for (const auto& [axis, role] : each.way.roles) roles[axis.c_str()] = graph::name(role);
    way["is_taken"] = each.is_taken;
    way["roles"] = roles;
    way["ns"] = each.seconds * 1e9;
    way["collectives_ns"] = each.collectives * 1e9;
    ways.append(way);
  }
  one["ways"] = ways;
  return one;
}

}  // namespace

void bind_jax(nb::module_& module) {
  nb::class_<session::DividedProgram>(module, "DividedProgram",
                                      "A program that was divided over several devices.")
      .def_prop_ro("name", [](const session::DividedProgram& self) { return self.shell.name; })
      .def(
          "time_products",
          [](const session::DividedProgram& self, std::size_t most) {
            nb::list all;
            for (const session::TimedProduct& each : session::time_products(self, most))
              all.append(to_dict(each));
            return all;
          },
          nb::arg("most"),
          "What each product of matrices takes alone, in ns: as it is divided (the first way) and "
          "in so many other ways. Of a way, which axis of the mesh divides what.");
  nb::class_<JaxHost>(module, "JaxHost", "Observes what JAX runs on the platform `neuron`.")
      .def(nb::init<machine::Machine, session::Options, const std::string&, nb::object, nb::object,
                    std::vector<std::string>, std::shared_ptr<compiler::PassDumps>>(),
           nb::arg("machine"), nb::arg("options"), nb::arg("schedule"), nb::arg("listener"),
           nb::arg("told").none() = nb::none(), nb::arg("dump_after") = std::vector<std::string>{},
           nb::arg("dumps") = nb::none())
      .def_prop_ro(
          "address",
          [](JaxHost& self) {
            return reinterpret_cast<std::uintptr_t>(static_cast<session::Host*>(&self));
          },
          "The create-option `host` of this library's plugin; the host must outlive the client.")
      .def_prop_ro("copies", &JaxHost::copies,
                   "((copies to devices, their bytes), (copies back, their bytes)).")
      .def("host_time", &JaxHost::host_time, nb::arg("programs"), nb::arg("launches"),
           "Nanoseconds of launches and of copies so far, one after the other.")
      .def("disconnect", &JaxHost::disconnect, "Stops listening; programs still run.")
      .def("rethrow", &JaxHost::rethrow, "Raises what ended the last run that failed, if any did.");
}

}  // namespace trainyard::binding
