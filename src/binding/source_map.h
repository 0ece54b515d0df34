// Where in the author's Python source an instruction comes from: the call stack and the values of
// the loop variables around each call. Reads the interpreter's frames; keeps nothing alive but the
// code objects it has seen.
#pragma once

#include <nanobind/nanobind.h>

#include <cstdint>
#include <deque>
#include <vector>

#include "base/flat_index.h"
#include "binding/local_variable.h"
#include "binding/python_frame.h"
#include "isa/builder/builder.h"

namespace trainyard::binding {

class SourceMap {
 public:
  // `describe(code)` returns None for code that is not the author's, else a list of (first line,
  // last line, variable) of its for-loops. Frames at and above code `boundary` are left out.
  SourceMap(nanobind::object describe, nanobind::object boundary);

  // The location of the place that is running now; 0 once the program has been taken.
  [[nodiscard]] std::uint32_t capture(isa::Builder& builder);

 private:
  struct Loop {
    int first_line, last_line;
    LocalVariable variable;
    std::uint32_t name;
  };
  struct Code {
    nanobind::object code;  // kept alive, so that its address stays its own
    bool authored = false;
    std::uint32_t file = 0, function = 0;
    std::vector<Loop> loops;
  };
  struct Key {
    const PyCodeObject* code = nullptr;
    std::uint32_t caller = 0;
    int instruction = 0;
    bool operator==(const Key&) const = default;
  };
  struct KeyHash {
    std::size_t operator()(const Key& key) const;
    std::size_t operator()(const PyCodeObject* code) const;
  };
  struct Site {
    std::uint32_t frame;
    int line;
  };

  // A frame of the author's code.
  struct Call {
    PythonFrame frame;
    const Code* code;
  };

  std::uint32_t add_location(isa::Builder& builder);
  const Code& describe(PyCodeObject* code, isa::SourceTable& sources);
  void add_loop_values(const PythonFrame& frame, const Code& code, int line, isa::Program& program);

  nanobind::object describe_, boundary_;
  base::FlatIndex<const PyCodeObject*, KeyHash> known_codes_;
  std::deque<Code> codes_;
  base::FlatIndex<Key, KeyHash> known_sites_;
  std::vector<Site> sites_;
  std::vector<Call> calls_;  // scratch, innermost first
};

}  // namespace trainyard::binding
