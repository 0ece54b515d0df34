#include "session/compiler_flags.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <optional>
#include <system_error>
#include <utility>

#include "base/error.h"

namespace trainyard::session {

namespace {

using graph::ElementType;
using graph::Precision;

template <typename Value, std::size_t n>
using Choices = std::array<std::pair<std::string_view, Value>, n>;

constexpr Choices<Precision::Cast, 3> casts{{{"none", Precision::Cast::none},
                                             {"matmult", Precision::Cast::matmult},
                                             {"all", Precision::Cast::all}}};
constexpr Choices<ElementType, 4> cast_types{{{"bf16", ElementType::bf16},
                                              {"fp16", ElementType::f16},
                                              {"tf32", ElementType::tf32},
                                              {"fp8_e4m3", ElementType::f8e4m3}}};

// In the order of Downcast.
constexpr std::string_view downcast_names = "dot,scatter,all_reduce,reduce_scatter,pow";

constexpr Choices<Precision::Division, 3> divisions{
    {{"where-it-matters", Precision::Division::where_it_matters},
     {"fast", Precision::Division::fast},
     {"exact", Precision::Division::exact}}};

constexpr Choices<bool, 2> matmul_formats{{{"mxfp8", true}, {"as-typed", false}}};

// What AWS documents and what changes nothing here: --flag or --flag VALUE.
constexpr auto without_effect = std::to_array<std::pair<std::string_view, bool>>({
    {"--cache_dir", true},
    {"--disable-mixed-precision-accumulation", false},
    {"--distribution-strategy", true},
    {"--enable-fast-context-switch", false},
    {"--enable-fast-loading-neuron-binaries", false},
    {"--enable-mixed-precision-accumulation", false},
    {"--enable-saturate-infinity", false},
    {"--framework", true},
    {"--lnc", true},
    {"--logfile", true},
    {"--logical-nc-config", true},
    {"--model-type", true},
    {"--native-int64", true},
    {"--no_cache", false},
    {"--optlevel", true},
    {"--output", true},
    {"--retry_failed_compilation", false},
    {"--target", true},
    {"--verbose", true},
    {"-O", true},
    {"-O1", false},
    {"-O2", false},
    {"-O3", false},
});

struct Flag {
  std::string_view name;
  std::optional<std::string_view> value;
};

[[noreturn]] void refuse(std::string_view place, std::string found, std::string fix) {
  throw base::InputError({"compiler.flags", "a compiler flag is one of neuronx-cc, with its values",
                          std::string(place), std::move(found), std::move(fix)});
}

template <typename Value, std::size_t n>
Value chosen(const Flag& flag, const Choices<Value, n>& choices) {
  std::vector<std::string_view> names;
  for (const auto& [name, value] : choices) {
    if (flag.value == name) return value;
    names.push_back(name);
  }
  refuse(flag.name, flag.value ? fmt::format("\"{}\"", *flag.value) : "no value",
         fmt::format("write {} {}", flag.name, fmt::join(names, "|")));
}

std::vector<std::string_view> parts(std::string_view list) {
  std::vector<std::string_view> all;
  while (true) {
    const std::size_t comma = std::min(list.find(','), list.size());
    all.push_back(list.substr(0, comma));
    if (comma == list.size()) return all;
    list.remove_prefix(comma + 1);
  }
}

// "all", "none", or operations with commas between them; "default" is "all".
std::vector<Downcast> downcasts(const Flag& flag) {
  std::string_view given = flag.value.value_or("");
  if (given == "none") return {};
  if (given == "all" || given == "default") given = downcast_names;
  const std::vector<std::string_view> names = parts(downcast_names);
  std::vector<Downcast> found;
  for (const std::string_view part : parts(given)) {
    const auto name = std::ranges::find(names, part);
    if (name == names.end()) {
      refuse(flag.name, fmt::format("\"{}\"", given),
             fmt::format("write {} default|all|none, or some of {}", flag.name, downcast_names));
    }
    found.push_back(static_cast<Downcast>(name - names.begin()));
  }
  return found;
}

std::int64_t count(const Flag& flag) {
  const std::string_view text = flag.value.value_or("");
  std::int64_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error == std::errc{} && end == text.data() + text.size() && number > 0) return number;
  refuse(flag.name, flag.value ? fmt::format("\"{}\"", *flag.value) : "no value",
         fmt::format("write {} and a number of instructions", flag.name));
}

class Reader {
 public:
  explicit Reader(std::string_view text) {
    constexpr std::string_view blanks = " \t\n'\"";
    while (!text.empty()) {
      const std::size_t begin = text.find_first_not_of(blanks);
      if (begin == std::string_view::npos) return;
      text.remove_prefix(begin);
      const std::size_t end = std::min(text.find_first_of(blanks), text.size());
      words_.push_back(text.substr(0, end));
      text.remove_prefix(end);
    }
  }

  CompilerFlags read(CompilerFlags flags) {
    while (at_ < words_.size()) take(flags);
    return flags;
  }

 private:
  void take(CompilerFlags& flags) {
    const std::string_view word = words_[at_++];
    const std::size_t equals = std::min(word.find('='), word.size());
    Flag flag{.name = word.substr(0, equals), .value = {}};
    if (equals < word.size()) flag.value = word.substr(equals + 1);
    if (flag.name == "--auto-cast") {
      flags.precision.cast = chosen(with_value(flag), casts);
    } else if (flag.name == "--auto-cast-type") {
      flags.precision.cast_type = chosen(with_value(flag), cast_types);
    } else if (flag.name == "--matmul-format") {
      flags.precision.mxfp8_products = chosen(with_value(flag), matmul_formats);
    } else if (flag.name == "--division") {
      flags.precision.division = chosen(with_value(flag), divisions);
    } else if (flag.name == "--precision") {
      flags.precision.formats = graph::read_class_formats(
          with_value(flag).value.value_or("no value"), flag.name, flags.precision.formats);
    } else if (flag.name == "--implicit-integer-downcast") {
      flags.permissions.downcasts = downcasts(with_value(flag));
    } else if (flag.name == "--internal-max-instruction-limit") {
      flags.permissions.instructions_max = count(with_value(flag));
    } else {
      const auto* const known =
          std::ranges::find(without_effect, flag.name, &std::pair<std::string_view, bool>::first);
      if (known == without_effect.end()) flags.unknown.emplace_back(flag.name);
      if (known == without_effect.end() || known->second) with_value(flag);
    }
  }

  // The word behind a flag is its value, unless it is a flag itself.
  const Flag& with_value(Flag& flag) {
    const bool follows = at_ < words_.size() && !words_[at_].starts_with('-');
    if (!flag.value && follows) flag.value = words_[at_++];
    return flag;
  }

  std::vector<std::string_view> words_;
  std::size_t at_ = 0;
};

}  // namespace

CompilerFlags read_compiler_flags(std::string_view flags, const graph::Precision& base) {
  return Reader(flags).read({.precision = base});
}

std::string unknown_in_words(const CompilerFlags& flags, bool strict) {
  if (flags.unknown.empty()) return {};
  const std::string all = fmt::format("{}", fmt::join(flags.unknown, " "));
  if (strict) {
    refuse("compiler flags", "unknown: " + all,
           "remove them, or leave strict mode, where they only cause a warning");
  }
  return fmt::format(
      "unknown compiler flags have no effect: {}; known are --auto-cast, --auto-cast-type, "
      "--matmul-format, --precision and --division",
      all);
}

}  // namespace trainyard::session
