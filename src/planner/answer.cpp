#include "planner/answer.h"

#include <algorithm>
#include <array>

#include "base/error.h"

namespace trainyard::planner {

namespace {

struct Named {
  std::string_view name, unit;
};

constexpr auto names = std::to_array<Named>({
    {"mean_ttft", "s"},
    {"idle_ttft", "s"},
    {"decode_seconds", "s"},
    {"request_rate_per_gpu", "1/s/chip"},
    {"mean_tpot", "s"},
    {"mean_intvty", "tok/s/user"},
    {"tput_per_gpu", "tok/s/chip"},
    {"output_tput_per_gpu", "tok/s/chip"},
    {"input_tput_per_gpu", "tok/s/chip"},
    {"samples_per_second_per_gpu", "1/s/chip"},
    {"output_tput_per_system", "tok/s"},
    {"output_tput_per_mw", "tok/s/MW"},
    {"usd_per_gpu_hour", "USD"},
    {"usd_per_million_output_tokens", "USD"},
    {"usd_per_million_input_tokens", "USD"},
    {"usd_per_million_total_tokens", "USD"},
    {"usd_per_million_samples", "USD"},
    {"joules_per_output_token", "J"},
    {"joules_per_total_token", "J"},
    {"provisioned_joules_per_output_token", "J"},
    {"avg_power_w", "W"},
    {"tokens_per_second", "tok/s"},
    {"tokens_per_second_per_gpu", "tok/s/chip"},
    {"sequences_per_second", "1/s"},
    {"step_seconds", "s"},
    {"collective_seconds", "s"},
    {"collective_bound", "s"},
    {"mfu", "fraction"},
    {"bubble", "fraction"},
    {"exposed", "fraction"},
    {"goodput", "fraction"},
    {"elapsed_days", "days"},
    {"chip_hours", "h"},
    {"days", "days"},
    {"mwh", "MWh"},
    {"usd", "USD"},
    {"usd_per_million_tokens", "USD"},
});

}  // namespace

double Answer::at(std::string_view name) const {
  const auto found = values.find(name);
  base::check(found != values.end(), name);
  return found->second;
}

std::string_view unit_of(std::string_view name) {
  const auto found = std::ranges::find(names, name, &Named::name);
  base::check(found != names.end(), name);
  return found->unit;
}

}  // namespace trainyard::planner
