// Between the core and Python during a run: lets Ctrl-C through and tells `told(instructions,
// nanoseconds)` how far the run is, both a few times a second. The run itself does not hold the
// interpreter's lock.
#pragma once

#include <fmt/format.h>
#include <nanobind/nanobind.h>

#include <chrono>
#include <string>

#include "base/units.h"
#include "engines/watch.h"

namespace trainyard::binding {

class Watcher {
 public:
  explicit Watcher(nanobind::handle told) : told_(told) {}

  void look(const engines::Progress& progress) {
    const Clock::time_point now = Clock::now();
    if (now < next_) return;
    next_ = now + std::chrono::milliseconds(50);
    const nanobind::gil_scoped_acquire lock;
    try {
      if (PyErr_CheckSignals() != 0) throw nanobind::python_error();
      if (!told_.is_none())
        told_(progress.instructions, progress.expected, base::to_nanoseconds(progress.time));
    } catch (nanobind::python_error& error) {
      if (error.matches(PyExc_KeyboardInterrupt)) note(error, progress);
      throw;
    }
  }

 private:
  using Clock = std::chrono::steady_clock;

  // Says in what a signal's handler raised where the run was.
  static void note(nanobind::python_error& error, const engines::Progress& progress) {
    const std::string where = progress.where ? progress.where() : "";
    if (where.empty()) return;
    const double microseconds = base::to_nanoseconds(progress.time) / 1e3;
    error.value().attr("add_note")(
        ("the run was at " + where +
         (microseconds > 0 ? fmt::format("; {:.1f} us simulated", microseconds) : ""))
            .c_str());
  }

  nanobind::handle told_;
  Clock::time_point next_ = Clock::now();
};

}  // namespace trainyard::binding
