#include "compiler/insert.h"

#include <algorithm>

namespace trainyard::compiler {

void renumber(isa::Program& program, const std::vector<std::uint32_t>& place,
              const std::vector<std::uint32_t>& arrival) {
  for (std::uint32_t i = 0; i < program.instructions.size(); ++i) {
    const isa::InstructionInfo& info = program.info_at(i);
    const auto follow = [&](isa::Role role, const std::vector<std::uint32_t>& moved) {
      const isa::OperandInfo* operand = info.with(role);
      if (operand == nullptr) return;
      auto& index = operand->in<std::int32_t>(program.record(i));
      index = static_cast<std::int32_t>(moved.at(static_cast<std::size_t>(index)));
    };
    follow(isa::Role::loop, place);
    follow(isa::Role::target, arrival);
  }
  for (isa::ScheduleEdge& edge : program.schedule_edges) {
    edge = {place.at(edge.producer), place.at(edge.consumer)};
  }
  for (isa::Tensor& tensor : program.tensors)
    tensor.created = arrival[std::min<std::size_t>(tensor.created, arrival.size() - 1)];
}

void insert(isa::Program& program, std::vector<Insertion> insertions) {
  if (insertions.empty()) return;
  std::stable_sort(insertions.begin(), insertions.end(),
                   [](const Insertion& a, const Insertion& b) { return a.before < b.before; });
  std::vector<isa::Instruction> all;
  all.reserve(program.instructions.size() + insertions.size());
  std::vector<std::uint32_t> place, arrival;
  auto next = insertions.begin();
  for (std::uint32_t i = 0; i <= program.instructions.size(); ++i) {
    arrival.push_back(static_cast<std::uint32_t>(all.size()));
    for (; next != insertions.end() && next->before == i; ++next) all.push_back(next->what);
    place.push_back(static_cast<std::uint32_t>(all.size()));
    if (i < program.instructions.size()) all.push_back(program.instructions[i]);
  }
  program.instructions = std::move(all);
  renumber(program, place, arrival);
}

}  // namespace trainyard::compiler
