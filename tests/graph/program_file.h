// A StableHLO program with what it computes: a file of tests/programs/stablehlo. Comments above the
// module say what goes in and what must come out; ARCHITECTURE.md describes them.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "graph/attribute.h"
#include "graph/module.h"

namespace trainyard::graph {

// What the compiled program took when its file was last written.
struct Cost {
  std::int64_t instructions = 0, ticks = 0;
  friend bool operator==(const Cost&, const Cost&) = default;
};

struct ProgramFile {
  std::filesystem::path path;
  std::string text{};  // all of it, which is the module too: the rest are comments
  std::vector<std::string> inputs{}, outputs{};  // as their lines have them
  double tolerance = 0;                          // relative; 0: every bit
  bool is_compiled = true;                       // false: for the evaluator only
  std::string routines{};                        // operations that GpSimd's routines compute
  std::string flags{};                           // of the compiler
  int cores = 1;
  std::optional<Cost> cost{};
};

// All of them, by name: "rows_softmax" is rows/softmax.mlir.
[[nodiscard]] std::vector<std::string> program_names();
// Throws std::runtime_error that names the line.
[[nodiscard]] ProgramFile read_program_file(const std::string& name);
[[nodiscard]] ProgramFile read_program_file(const std::filesystem::path& path);
void write_cost(const ProgramFile& file, const Cost& cost);

// What the file says of main's arguments.
[[nodiscard]] std::vector<Literal> inputs_of(const Module& module, const ProgramFile& file);

// Of each element; of a complex one, both parts. Integers of 64 bits lose what a double cannot
// hold.
[[nodiscard]] std::vector<double> numbers_of(const Literal& literal);

// What is wrong with an output, by its line; empty where nothing is.
[[nodiscard]] std::string differs_from_line(const Literal& found, const std::string& line,
                                            double tolerance);
// The same, beside other values of the same type.
[[nodiscard]] std::string differs(const Literal& found, const Literal& wanted, double tolerance);

}  // namespace trainyard::graph
