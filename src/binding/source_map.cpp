#include "binding/source_map.h"

#include <frameobject.h>
#include <nanobind/stl/string.h>

#include <string>

namespace trainyard::binding {

namespace nb = nanobind;

SourceMap::SourceMap(nb::object describe, nb::object boundary)
    : describe_(std::move(describe)), boundary_(std::move(boundary)) {}

std::size_t SourceMap::KeyHash::operator()(const Key& key) const {
  const auto address = reinterpret_cast<std::uintptr_t>(key.code);
  return (address >> 4) * 0x9E3779B97F4A7C15u ^ (std::size_t{key.caller} << 20) ^
         static_cast<std::size_t>(key.instruction);
}

namespace {

// A name in Python as text: that of a file need not be UTF-8.
std::string text(nb::handle name) {
  const nb::object bytes =
      nb::steal(PyUnicode_AsEncodedString(name.ptr(), "utf-8", "backslashreplace"));
  if (!bytes.is_valid()) throw nb::python_error();
  return nb::cast<nb::bytes>(bytes).c_str();
}

}  // namespace

const SourceMap::Code& SourceMap::describe(PyCodeObject* code, isa::SourceTable& sources) {
  if (const auto found = codes_.find(code); found != codes_.end()) return found->second;
  const nb::object object = nb::borrow(reinterpret_cast<PyObject*>(code));
  const nb::object loops = describe_(object);  // may raise: a signal's handler runs in Python
  Code& known = codes_[code];
  known.code = object;
  if (loops.is_none()) return known;
  known.authored = true;
  known.file = sources.string(text(known.code.attr("co_filename")));
  known.function = sources.string(text(known.code.attr("co_qualname")));
  for (const nb::handle loop : loops) {
    known.loops.push_back({nb::cast<int>(loop[0]), nb::cast<int>(loop[1]),
                           LocalVariable(object, loop[2]),
                           sources.string(nb::cast<std::string>(loop[2]))});
  }
  return known;
}

void SourceMap::add_loop_values(PyFrameObject* frame, const Code& code, int line,
                                isa::Program& program) {
  for (const Loop& loop : code.loops) {
    if (line < loop.first_line || line > loop.last_line) continue;
    const nb::object value = loop.variable.value(frame);
    int overflow = 1;
    const long long index = value.is_valid() && PyLong_Check(value.ptr())
                                ? PyLong_AsLongLongAndOverflow(value.ptr(), &overflow)
                                : 0;
    if (overflow == 0) program.loop_indices.push_back({loop.name, index});
  }
}

namespace {

PyFrameObject* pointer(const nb::object& frame) {
  return reinterpret_cast<PyFrameObject*>(frame.ptr());
}

nb::object code_of(const nb::object& frame) {
  return nb::steal(reinterpret_cast<PyObject*>(PyFrame_GetCode(pointer(frame))));
}

}  // namespace

std::uint32_t SourceMap::capture(isa::Builder& builder) {
  if (builder.is_taken()) return 0;
  try {
    const std::uint32_t location = add_location(builder);
    calls_.clear();
    return location;
  } catch (...) {
    calls_.clear();  // they hold tensors, which hold this
    throw;
  }
}

std::uint32_t SourceMap::add_location(isa::Builder& builder) {
  isa::Program& program = builder.program();
  isa::SourceTable& sources = builder.sources();
  nb::object frame = nb::borrow(reinterpret_cast<PyObject*>(PyEval_GetFrame()));
  while (frame.is_valid()) {
    const nb::object code = code_of(frame);
    if (code.is(boundary_)) break;
    const Code& known = describe(reinterpret_cast<PyCodeObject*>(code.ptr()), sources);
    nb::object caller = nb::steal(reinterpret_cast<PyObject*>(PyFrame_GetBack(pointer(frame))));
    if (known.authored) calls_.push_back({std::move(frame), &known});
    frame = std::move(caller);
  }

  const std::size_t first_index = program.loop_indices.size();
  std::uint32_t frame_id = 0;
  for (std::size_t c = calls_.size(); c-- > 0;) {
    PyFrameObject* at = pointer(calls_[c].frame);
    const Code& known = *calls_[c].code;
    const Key key{known.code.ptr(), frame_id, PyFrame_GetLasti(at)};
    auto site = sites_.find(key);
    if (site == sites_.end()) {
      const int line = PyFrame_GetLineNumber(at);
      const std::uint32_t id =
          sources.frame({known.file, known.function, static_cast<std::uint32_t>(line), frame_id});
      site = sites_.emplace(key, Site{id, line}).first;
    }
    if (!known.loops.empty()) add_loop_values(at, known, site->second.line, program);
    frame_id = site->second.frame;
  }
  return sources.location(frame_id, program.loop_indices.size() - first_index);
}

}  // namespace trainyard::binding
