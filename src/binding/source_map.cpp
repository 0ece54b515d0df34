#include "binding/source_map.h"

#include <nanobind/stl/string.h>

#include <string>

namespace trainyard::binding {

namespace nb = nanobind;

SourceMap::SourceMap(nb::object describe, nb::object boundary)
    : describe_(std::move(describe)), boundary_(std::move(boundary)) {}

std::size_t SourceMap::KeyHash::operator()(const PyCodeObject* code) const {
  return (reinterpret_cast<std::uintptr_t>(code) * 0x9E3779B97F4A7C15u) >> 32;
}

std::size_t SourceMap::KeyHash::operator()(const Key& key) const {
  const std::size_t where =
      (std::size_t{key.caller} << 32) + static_cast<std::size_t>(key.instruction);
  return (*this)(key.code) ^ ((where * 0x9E3779B97F4A7C15u) >> 32);
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
  if (const std::uint32_t found = known_codes_.find(code); found != known_codes_.none)
    return codes_[found];
  const nb::object object = nb::borrow(reinterpret_cast<PyObject*>(code));
  const nb::object loops = describe_(object);  // may raise: a signal's handler runs in Python
  known_codes_.add(code, static_cast<std::uint32_t>(codes_.size()));
  Code& known = codes_.emplace_back();
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

void SourceMap::add_loop_values(const PythonFrame& frame, const Code& code, int line,
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
  for (PythonFrame frame = PythonFrame::current(); frame; frame = frame.caller()) {
    PyCodeObject* const code = frame.code();
    if (reinterpret_cast<PyObject*>(code) == boundary_.ptr()) break;
    const Code& known = describe(code, sources);
    if (known.authored) calls_.push_back({frame, &known});
  }

  const std::size_t first_index = program.loop_indices.size();
  std::uint32_t frame_id = 0;
  for (std::size_t c = calls_.size(); c-- > 0;) {
    const PythonFrame& at = calls_[c].frame;
    const Code& known = *calls_[c].code;
    const Key key{at.code(), frame_id, at.instruction()};
    std::uint32_t site = known_sites_.find(key);
    if (site == known_sites_.none) {
      const int line = at.line();
      const std::uint32_t id =
          sources.frame({known.file, known.function, static_cast<std::uint32_t>(line), frame_id});
      site = static_cast<std::uint32_t>(sites_.size());
      known_sites_.add(key, site);
      sites_.push_back({id, line});
    }
    if (!known.loops.empty()) add_loop_values(at, known, sites_[site].line, program);
    frame_id = sites_[site].frame;
  }
  return sources.location(frame_id, program.loop_indices.size() - first_index);
}

}  // namespace trainyard::binding
