#include "program_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <limits>
#include <sstream>
#include <stdexcept>

#include "base/file.h"
#include "graph/values.h"
#include "numerics/convert.h"

namespace trainyard::graph {

namespace {

const std::filesystem::path folder =
    std::filesystem::path(TRAINYARD_SOURCE_DIR) / "tests/programs/stablehlo";

// SplitMix64's finalizer; stablehlo_file.py has the same.
constexpr std::uint64_t mix(std::uint64_t x) {
  x = (x ^ (x >> 30)) * 0xBF58476D1CE4E5B9u;
  x = (x ^ (x >> 27)) * 0x94D049BB133111EBu;
  return x ^ (x >> 31);
}

std::vector<std::string> words_of(const std::string& line) {
  std::istringstream stream(line);
  std::vector<std::string> words;
  for (std::string word; stream >> word;) words.push_back(word);
  return words;
}

double number_of(const std::string& word) {
  char* end = nullptr;
  const double value = std::strtod(word.c_str(), &end);
  if (end == word.c_str() || *end != 0) throw std::runtime_error("not a number: " + word);
  return value;
}

void append_pattern(std::uint64_t pattern, int size, std::vector<std::byte>& bytes) {
  for (int byte = 0; byte < size; ++byte)
    bytes.push_back(static_cast<std::byte>(pattern >> (8 * byte)));
}

// One element (of a complex number, one part) behind the bytes.
void append(ElementType element, double value, std::vector<std::byte>& bytes) {
  const int size = size_in_bytes(element);
  const auto dtype = dtype_of(element);
  if (element == ElementType::c64 || element == ElementType::f32) {
    append_pattern(std::bit_cast<std::uint32_t>(static_cast<float>(value)), 4, bytes);
  } else if (element == ElementType::c128 || element == ElementType::f64) {
    append_pattern(std::bit_cast<std::uint64_t>(value), 8, bytes);
  } else if (!is_float(element)) {
    append_pattern(static_cast<std::uint64_t>(static_cast<std::int64_t>(value)), size, bytes);
  } else if (dtype) {
    append_pattern(numerics::from_float(*dtype, static_cast<float>(value)), size, bytes);
  } else {
    append_pattern(float_pattern(element, value), size, bytes);
  }
}
void append(ElementType element, const std::string& word, std::vector<std::byte>& bytes) {
  if (is_float(element) || is_complex(element)) return append(element, number_of(word), bytes);
  append_pattern(
      word.starts_with('-') ? static_cast<std::uint64_t>(std::stoll(word)) : std::stoull(word),
      size_in_bytes(element), bytes);
}

std::uint64_t load(const std::byte* from, int size) {
  std::uint64_t pattern = 0;
  std::memcpy(&pattern, from, static_cast<std::size_t>(size));
  return pattern;
}

// Whole numbers are hashed by their values, others as doubles, all NaN alike.
std::uint64_t hash_of(const Literal& literal) {
  const ElementType element = literal.type.element;
  const std::vector<std::byte> content = literal.expanded();
  const int size = size_in_bytes(element);
  std::vector<std::uint64_t> words;
  if (is_float(element) || is_complex(element)) {
    for (const double value : numbers_of(literal))
      words.push_back(std::isnan(value) ? 0x7FF8000000000000u
                                        : std::bit_cast<std::uint64_t>(value));
  } else {
    for (std::size_t at = 0; at < content.size(); at += static_cast<std::size_t>(size)) {
      std::uint64_t word = load(content.data() + at, size);
      if (is_signed(element) && size < 8 && (word >> (8 * size - 1)) != 0)
        word |= ~std::uint64_t{0} << (8 * size);
      words.push_back(word);
    }
  }
  std::uint64_t hash = 0;
  for (std::size_t i = 0; i < words.size(); ++i)
    hash += mix(words[i] + 0x9E3779B97F4A7C15u * (i + 1));
  return hash;
}

constexpr std::size_t bins = 16;

double finite(double value) {
  if (std::isnan(value)) return 1009;
  if (std::isinf(value)) return value > 0 ? 2003 : -3001;
  return value;
}

double mean_size(const std::vector<double>& values) {
  double sum = 0;
  for (const double value : values) sum += std::abs(finite(value));
  return values.empty() ? 0 : sum / static_cast<double>(values.size());
}

std::string differs_from_sums(const std::vector<double>& found,
                              const std::vector<std::string>& words, double tolerance) {
  std::array<double, bins> sums{}, allowed{};
  const double mean = mean_size(found);
  for (std::size_t i = 0; i < found.size(); ++i) {
    const std::uint64_t random = mix(i);
    const double weight = 1 + static_cast<double>((random >> 40) & 0xFF) / 256;
    const std::size_t bin = random >> 60;
    sums.at(bin) += weight * finite(found[i]);
    allowed.at(bin) += tolerance * weight * (std::abs(finite(found[i])) + mean);
  }
  if (words.size() != bins + 1) return "an output in sums has 16 of them";
  for (std::size_t bin = 0; bin < bins; ++bin) {
    const double wanted = number_of(words[bin + 1]);
    if (!(std::abs(sums.at(bin) - wanted) <= allowed.at(bin) + 1e-8 * std::abs(wanted)))
      return fmt::format("sum {} is {:.9g}, not {:.9g} (within {:.3g})", bin, sums.at(bin), wanted,
                         allowed.at(bin));
  }
  return {};
}

std::string differs(const std::vector<double>& found, const std::vector<double>& wanted,
                    double tolerance) {
  if (found.size() != wanted.size())
    return fmt::format("{} elements, not {}", found.size(), wanted.size());
  const double mean = mean_size(wanted);
  for (std::size_t i = 0; i < found.size(); ++i) {
    const double a = found[i], b = wanted[i];
    if (std::isnan(a) && std::isnan(b)) continue;
    const bool is_equal = a == b && (tolerance > 0 || std::signbit(a) == std::signbit(b));
    const bool is_near =
        tolerance > 0 && std::isfinite(b) && std::abs(a - b) <= tolerance * (std::abs(b) + mean);
    if (!is_equal && !is_near) return fmt::format("element {} is {:.9g}, not {:.9g}", i, a, b);
  }
  return {};
}

void read_line(ProgramFile& file, const std::string& key, const std::string& value) {
  if (key == "in") {
    file.inputs.push_back(value);
  } else if (key == "out") {
    file.outputs.push_back(value);
  } else if (key == "tolerance") {
    file.tolerance = number_of(value);
  } else if (key == "only") {
    if (value != "evaluated") throw std::runtime_error("only: evaluated");
    file.is_compiled = false;
  } else if (key == "routines") {
    file.routines = value;
  } else if (key == "flags") {
    file.flags = value;
  } else if (key == "cores") {
    file.cores = static_cast<int>(number_of(value));
  } else if (key == "cost") {
    const std::vector<std::string> words = words_of(value);
    if (words.size() != 4) throw std::runtime_error("cost: N instructions, N ticks");
    file.cost = Cost{std::stoll(words[0]), std::stoll(words[2])};
  } else if (key != "oracle") {  // which only the generator reads
    throw std::runtime_error("unknown key: " + key);
  }
}

Literal input_of(const Type& type, const std::string& line) {
  Literal literal{.type = type};
  const std::vector<std::string> words = words_of(line);
  const auto parts =
      static_cast<std::uint64_t>(type.elements()) * (is_complex(type.element) ? 2U : 1U);
  if (!words.empty() && words[0] == "draw") {
    if (words.size() != 5) throw std::runtime_error("draw SEED FIRST STEP COUNT: " + line);
    const std::uint64_t seed = std::stoull(words[1]), count = std::stoull(words[4]);
    const double first = number_of(words[2]), step = number_of(words[3]);
    for (std::uint64_t i = 0; i < parts; ++i) {
      const auto drawn = static_cast<double>(mix(((seed + 1) << 32) + i) % count);
      append(type.element, first + step * drawn, literal.content);
    }
    return literal;
  }
  if (words.size() != parts) throw std::runtime_error(fmt::format("{} numbers: {}", parts, line));
  for (const std::string& word : words) append(type.element, word, literal.content);
  return literal;
}

}  // namespace

std::vector<std::string> program_names() {
  std::vector<std::string> names;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(folder)) {
    if (entry.path().extension() != ".mlir") continue;
    names.push_back(entry.path().parent_path().filename().string() + "_" +
                    entry.path().stem().string());
  }
  std::ranges::sort(names);
  return names;
}

ProgramFile read_program_file(const std::string& name) {
  const std::size_t cut = name.find('_');
  return read_program_file(folder / name.substr(0, cut) / (name.substr(cut + 1) + ".mlir"));
}

ProgramFile read_program_file(const std::filesystem::path& path) {
  ProgramFile file{.path = path};
  file.text = base::read_file(file.path);
  std::istringstream stream(file.text);
  int number = 0;
  for (std::string line; std::getline(stream, line) && line.starts_with("// ");) {
    ++number;
    const std::size_t colon = line.find(": ");
    if (colon == std::string::npos || colon < 4) continue;
    try {
      read_line(file, line.substr(3, colon - 3), line.substr(colon + 2));
    } catch (const std::exception& error) {
      throw std::runtime_error(fmt::format("{}:{}: {}", file.path.string(), number, error.what()));
    }
  }
  return file;
}

void write_cost(const ProgramFile& file, const Cost& cost) {
  std::istringstream stream(file.text);
  std::string text, line;
  bool is_written = false;
  while (std::getline(stream, line)) {
    if (line.starts_with("// cost: ")) continue;
    if (!is_written && !line.starts_with("// ")) {
      text += fmt::format("// cost: {} instructions, {} ticks\n", cost.instructions, cost.ticks);
      is_written = true;
    }
    text += line + "\n";
  }
  base::write_file(file.path, text);
}

std::vector<Literal> inputs_of(const Module& module, const ProgramFile& file) {
  const Function& main = module.entry();
  if (main.body.arguments.size() != file.inputs.size())
    throw std::runtime_error("one line `in` for each argument");
  std::vector<Literal> inputs;
  for (std::size_t i = 0; i < file.inputs.size(); ++i)
    inputs.push_back(input_of(main.type(main.body.arguments[i]), file.inputs[i]));
  return inputs;
}

std::vector<double> numbers_of(const Literal& literal) {
  const ElementType element = literal.type.element;
  const std::vector<std::byte> content = literal.expanded();
  const int size = size_in_bytes(element) / (is_complex(element) ? 2 : 1);
  const auto dtype = dtype_of(element);
  std::vector<double> numbers;
  for (std::size_t at = 0; at < content.size(); at += static_cast<std::size_t>(size)) {
    const std::uint64_t pattern = load(content.data() + at, size);
    if (element == ElementType::f64 || element == ElementType::c128) {
      numbers.push_back(std::bit_cast<double>(pattern));
    } else if (element == ElementType::f32 || element == ElementType::c64) {
      numbers.push_back(
          static_cast<double>(std::bit_cast<float>(static_cast<std::uint32_t>(pattern))));
    } else if (is_signed(element)) {
      const int unused = 64 - 8 * size;
      numbers.push_back(
          static_cast<double>(static_cast<std::int64_t>(pattern << unused) >> unused));
    } else if (!is_float(element)) {
      numbers.push_back(static_cast<double>(pattern));
    } else if (dtype) {
      numbers.push_back(
          static_cast<double>(numerics::to_float(*dtype, static_cast<std::uint32_t>(pattern))));
    } else {
      numbers.push_back(float_value(element, pattern));
    }
  }
  return numbers;
}

std::string differs_from_line(const Literal& found, const std::string& line, double tolerance) {
  const std::vector<std::string> words = words_of(line);
  if (!words.empty() && words[0] == "hash") {
    const std::string hash = fmt::format("{:016x}", hash_of(found));
    return words.size() == 2 && words[1] == hash ? "" : "its hash is " + hash;
  }
  if (!words.empty() && words[0] == "sums")
    return differs_from_sums(numbers_of(found), words, tolerance);
  Literal wanted{.type = found.type};
  for (const std::string& word : words) append(found.type.element, word, wanted.content);
  return differs(found, wanted, tolerance);
}

std::string differs(const Literal& found, const Literal& wanted, double tolerance) {
  if (found.type != wanted.type)
    return fmt::format("{}, not {}", to_string(found.type), to_string(wanted.type));
  const ElementType element = found.type.element;
  const bool is_whole = !is_float(element) && !is_complex(element);
  const std::string difference =
      differs(numbers_of(found), numbers_of(wanted), is_whole ? 0 : tolerance);
  if (difference.empty() && is_whole && found.expanded() != wanted.expanded())
    return "the low bits of an integer differ";
  return difference;
}

}  // namespace trainyard::graph
