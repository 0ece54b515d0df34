// The walk over a program: what holds of every operation, and the rule of each.
#include "graph/verify.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <string>

#include "graph/ops/record.h"
#include "graph/verify/check.h"

namespace trainyard::graph {

namespace {

constexpr std::size_t violations_max = 20;

std::string counted(Count count, std::string_view noun) {
  const auto [least, most] = count;
  if (least == most) return fmt::format("{} {}", least, noun);
  return most == many ? fmt::format("at least {} {}", least, noun)
                      : fmt::format("{} to {} {}", least, most, noun);
}

bool is_valid(const Type& type) {
  if (type.kind == Type::Kind::tuple) return std::ranges::all_of(type.parts, is_valid);
  return std::ranges::all_of(type.shape,
                             [](std::int64_t size) { return size >= 0 || size == dynamic_extent; });
}

class Verifier {
 public:
  explicit Verifier(const Module& module) : module_(module) {}

  std::vector<base::Violation> run() {
    std::set<std::string_view> names;
    for (const Function& function : module_.functions) {
      if (!names.insert(function.name).second) note(function, "functions have different names");
      if (!function.is_declaration()) check(function);
    }
    for (const Function& function : module_.functions) follow_calls(function);
    return std::move(found_);
  }

 private:
  void note(const Function& function, std::string rule, std::string found = "") {
    found_.push_back({"graph.verify", std::move(rule), "@" + function.name, std::move(found),
                      "export the program again"});
  }

  void check(const Function& function) {
    if (!std::ranges::all_of(function.types, is_valid))
      return note(function, "a dimension has a size, or is dynamic");
    std::vector<bool> defined(function.types.size(), false);
    check(function, function.body, defined);
  }

  // Values that the region defines are not defined behind it.
  void check(const Function& function, const Region& region, std::vector<bool>& defined) {
    std::vector<ValueId> own;
    const auto define = [&](ValueId value) {
      const bool is_new = value < defined.size() && !defined[value];
      if (is_new) {
        defined[value] = true;
        own.push_back(value);
      }
      return is_new;
    };
    for (const ValueId value : region.arguments) {
      if (!define(value))
        return note(function, "a value is defined once", fmt::format("%{}", value));
    }
    if (region.ops.empty() || region.ops.back().kind != OpKind::return_)
      return note(function, "a region ends with return");
    for (std::size_t i = 0; i < region.ops.size() && found_.size() < violations_max; ++i) {
      const Op& op = region.ops[i];
      const auto is_defined = [&](ValueId value) {
        return value < defined.size() && defined[value];
      };
      OpCheck check(module_, function, op, found_);
      if (op.location >= module_.locations.size())
        return note(function, "a location is one of the module's");
      // Types cannot be told of values that do not exist.
      const auto lost = std::ranges::find_if_not(op.operands, is_defined);
      if (lost != op.operands.end())
        return note(function,
                    fmt::format("{}: a value is used behind its definition", name(op.kind)),
                    fmt::format("%{} {}", *lost, module_.describe(op.location)));
      for (const Region& inner : op.regions) {
        const std::size_t before = found_.size();
        this->check(function, inner, defined);
        if (found_.size() > before) return;
      }
      for (const ValueId value : op.results) {
        if (!define(value))
          return note(function, "a value is defined once", fmt::format("%{}", value));
      }
      if (op.kind == OpKind::return_) {
        check.require(i + 1 == region.ops.size(), "it stands at the end of a region");
      } else {
        check_form(check);
      }
    }
    for (const ValueId value : own) defined[value] = false;
  }

  static void check_form(OpCheck& check) {
    const Op& op = check.op;
    const OpRecord& record = record_of(op.kind);
    const auto within = [&](std::size_t size, Count count, std::string_view noun) {
      const auto number = static_cast<int>(std::min<std::size_t>(size, many));
      return check.require(number >= count.least && number <= count.most,
                           fmt::format("it has {}", counted(count, noun)));
    };
    if (!within(op.operands.size(), record.operands, "operands") ||
        !within(op.results.size(), record.results, "results") ||
        !within(op.regions.size(), record.regions, "regions"))
      return;
    if (!record.any_types) {
      for (const auto* const values : {&op.operands, &op.results}) {
        for (const ValueId value : *values) {
          const Type& type = check.type(value);
          if (type.kind == Type::Kind::other) return;  // of no known rank
          if (!check.require(type.kind == Type::Kind::tensor, "operands and results are tensors"))
            return;
        }
      }
    }
    if (record.verify != nullptr) record.verify(check);
  }

  // No function calls itself, through whichever others.
  enum class State : std::uint8_t { unknown, open, done };
  void follow_calls(const Function& function) {
    State& state = states_[function.name];
    if (state == State::open) return note(function, "a function does not call itself");
    if (state == State::done) return;
    state = State::open;
    follow_calls(function.body);
    states_[function.name] = State::done;
  }
  void follow_calls(const Region& region) {
    for (const Op& op : region.ops) {
      for (const Region& inner : op.regions) follow_calls(inner);
      for (const std::string_view name : {"callee", "decomposition"}) {
        const Attribute* const found = op.find(name);
        const auto* const symbol = found == nullptr ? nullptr : std::get_if<Symbol>(&found->value);
        const Function* const callee = symbol == nullptr ? nullptr : module_.find(symbol->name);
        if (callee != nullptr && found_.size() < violations_max) follow_calls(*callee);
      }
    }
  }

  const Module& module_;
  std::vector<base::Violation> found_;
  std::map<std::string_view, State> states_;
};

}  // namespace

std::vector<base::Violation> violations(const Module& module) { return Verifier(module).run(); }

void verify(const Module& module) {
  if (std::vector<base::Violation> found = violations(module); !found.empty())
    throw base::InputError(std::move(found));
}

void require_static(const Module& module) {
  const auto is_known = [](const auto& self, const Type& type) -> bool {
    switch (type.kind) {
      case Type::Kind::tensor: return type.is_static();
      case Type::Kind::token: return true;
      case Type::Kind::tuple:
        return std::ranges::all_of(type.parts, [&](const Type& part) { return self(self, part); });
      case Type::Kind::other: return false;
    }
    base::fail("a type has a kind");
  };
  for (const Function& function : module.functions) {
    for (const Type& type : function.types) {
      if (is_known(is_known, type)) continue;
      throw base::InputError({"lower.dynamic", "shapes are known when a program is compiled",
                              fmt::format("@{}", function.name), to_string(type),
                              "give every dimension a size, as jax.jit does"});
    }
  }
}

}  // namespace trainyard::graph
