// Sessions as a Python class: load a traced program, fill its inputs, run it, read its outputs.
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/string.h>

#include <span>

#include "base/error.h"
#include "binding/bindings.h"
#include "binding/tracer.h"
#include "session/session.h"

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

compiler::Order order(const std::string& name) {
  if (name == "author") return compiler::Order::author;
  if (name == "list") return compiler::Order::list;
  throw base::InputError({"schedule.name", "a schedule is 'author' or 'list'", {}, name, {}});
}

}  // namespace

void bind_session(nb::module_& module) {
  using session::Instance;
  using session::Session;
  nb::class_<Instance>(module, "Instance", "A compiled program placed in a session's memory.")
      .def_prop_ro("program", &Instance::program, nb::rv_policy::reference_internal);
  nb::class_<session::Options>(module, "RunOptions", "What a run does; see session/session.h.")
      .def(nb::init<>())
      .def_rw("timed", &session::Options::timed)
      .def_rw("values", &session::Options::values)
      .def_rw("checks", &session::Options::checks)
      .def_rw("record", &session::Options::record);
  nb::class_<Session>(module, "Session", "A machine with memory, into which programs are loaded.")
      .def(nb::init<machine::Machine>(), nb::arg("machine"))
      .def(
          "load",
          [](Session& s, isa::Program& program, const std::string& schedule) {
            return s.load(std::move(program), {.order = order(schedule)});
          },
          nb::arg("program"), nb::arg("schedule") = "author",
          "Compiles a traced program and places it; the traced program is empty afterwards.")
      .def("write",
           [](Session& s, const Instance& instance, isa::TensorId tensor, nb::handle content) {
             s.write(instance, tensor, Buffer(content, false).bytes());
           })
      .def("read",
           [](Session& s, const Instance& instance, const Tensor& tensor, nb::handle content) {
             s.read(instance, tensor.view, Buffer(content, true).bytes());
           })
      .def("run", [](Session& s, const Instance& instance, const session::Options& options) {
        nb::gil_scoped_release release;
        s.run(instance, options);
      });
}

}  // namespace trainyard::binding
