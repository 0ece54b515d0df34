#include "binding/source_map.h"

#include <frameobject.h>
#include <nanobind/stl/string.h>

#include <string>

#include "base/hash.h"

namespace trainyard::binding {

namespace nb = nanobind;

SourceMap::SourceMap(nb::object describe, nb::object boundary)
    : describe_(std::move(describe)), boundary_(std::move(boundary)) {}

std::size_t SourceMap::KeyHash::operator()(const Key& key) const {
  const auto address = reinterpret_cast<std::uintptr_t>(key.code);
  return (address >> 4) * 0x9E3779B97F4A7C15u ^ (std::size_t{key.caller} << 20) ^
         static_cast<std::size_t>(key.instruction);
}

std::uint32_t SourceMap::string(const std::string& text, isa::Program& program) {
  const auto [entry, is_new] =
      strings_.try_emplace(text, static_cast<std::uint32_t>(program.strings.size()));
  if (is_new) program.strings.push_back(text);
  return entry->second;
}

SourceMap::Code& SourceMap::describe(PyCodeObject* code, isa::Program& program) {
  const auto [entry, is_new] = codes_.try_emplace(code);
  Code& known = entry->second;
  if (!is_new) return known;
  known.code = nb::borrow(reinterpret_cast<PyObject*>(code));
  const nb::object loops = describe_(known.code);
  if (loops.is_none()) return known;
  known.authored = true;
  known.file = string(nb::cast<std::string>(known.code.attr("co_filename")), program);
  known.function = string(nb::cast<std::string>(known.code.attr("co_qualname")), program);
  for (const nb::handle loop : loops) {
    known.loops.push_back({nb::cast<int>(loop[0]), nb::cast<int>(loop[1]), nb::borrow(loop[2]),
                           string(nb::cast<std::string>(loop[2]), program)});
  }
  return known;
}

void SourceMap::add_loop_values(PyFrameObject* frame, const Code& code, int line,
                                isa::Program& program) {
  nb::object locals;
  for (const Loop& loop : code.loops) {
    if (line < loop.first_line || line > loop.last_line) continue;
    if (!locals.is_valid()) locals = nb::steal(PyFrame_GetLocals(frame));
    const nb::object value = nb::steal(PyObject_GetItem(locals.ptr(), loop.variable.ptr()));
    if (!value.is_valid() || !PyLong_Check(value.ptr())) {
      PyErr_Clear();
      continue;
    }
    program.loop_indices.push_back({loop.name, PyLong_AsLongLong(value.ptr())});
  }
}

std::uint32_t SourceMap::capture(isa::Program& program) {
  frames_.clear();
  PyFrameObject* frame = PyEval_GetFrame();
  Py_XINCREF(frame);
  while (frame != nullptr) {
    PyCodeObject* code = PyFrame_GetCode(frame);
    const bool at_boundary = reinterpret_cast<PyObject*>(code) == boundary_.ptr();
    const bool authored = !at_boundary && describe(code, program).authored;
    Py_DECREF(code);
    PyFrameObject* caller = at_boundary ? nullptr : PyFrame_GetBack(frame);
    if (authored) {
      frames_.push_back(frame);
    } else {
      Py_DECREF(frame);
    }
    frame = caller;
  }

  isa::Location location;
  location.first_index = static_cast<std::uint32_t>(program.loop_indices.size());
  for (std::size_t f = frames_.size(); f-- > 0;) {
    PyFrameObject* at = frames_[f];
    PyCodeObject* code = PyFrame_GetCode(at);
    const Code& known = codes_.find(code)->second;
    const Key key{code, location.frame, PyFrame_GetLasti(at)};
    Py_DECREF(code);
    auto site = sites_.find(key);
    if (site == sites_.end()) {
      const int line = PyFrame_GetLineNumber(at);
      program.frames.push_back(
          {known.file, known.function, static_cast<std::uint32_t>(line), location.frame});
      site = sites_.emplace(key, Site{static_cast<std::uint32_t>(program.frames.size() - 1), line})
                 .first;
    }
    if (!known.loops.empty()) add_loop_values(at, known, site->second.line, program);
    location.frame = site->second.frame;
    Py_DECREF(at);
  }
  location.index_count =
      static_cast<std::uint32_t>(program.loop_indices.size()) - location.first_index;
  program.locations.push_back(location);
  return static_cast<std::uint32_t>(program.locations.size() - 1);
}

}  // namespace trainyard::binding
