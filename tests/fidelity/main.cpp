// Simulates every published number that a micro-program can reproduce and writes the pairs as JSON:
// fidelity [--output FILE]. tests/fidelity/run.py adds whole kernels and prints the table.
#include <fmt/format.h>
#include <cmath>

#include <map>
#include <nlohmann/json.hpp>

#include "base/file.h"
#include "rig.h"

namespace trainyard::fidelity {

namespace {

std::vector<Case> all_cases() {
  std::vector<Case> all;
  for (std::vector<Case> (*part)() :
       {tensor_cases, engine_cases, formula_cases, sequencer_cases, dma_cases, peak_cases}) {
    for (Case& one : part()) all.push_back(std::move(one));
  }
  return all;
}

nlohmann::ordered_json simulate() {
  std::map<std::string, machine::Machine> machines;
  nlohmann::ordered_json list = nlohmann::ordered_json::array();
  for (const Case& one : all_cases()) {
    if (!machines.contains(one.machine)) machines.emplace(one.machine, machine::load(one.machine));
    const double simulated = one.simulate(machines.at(one.machine));
    list.push_back({{"id", one.id},
                    {"machine", one.machine},
                    {"what", one.what},
                    {"published", one.published},
                    {"simulated", simulated},
                    {"unit", one.unit},
                    {"error", simulated / one.published - 1},
                    {"source", one.source}});
  }
  return list;
}

}  // namespace

}  // namespace trainyard::fidelity

int main(int argc, char** argv) {
  const std::string text = trainyard::fidelity::simulate().dump(1) + "\n";
  if (argc == 3 && std::string_view(argv[1]) == "--output") {
    trainyard::base::write_file(argv[2], text);
  } else {
    fmt::print("{}", text);
  }
  return 0;
}
