#include "planner/serving.h"

#include <algorithm>

#include "base/error.h"
#include "planner/links.h"

namespace trainyard::planner {

namespace {

// Prompts that a replica reads at once: each of its dp groups has its own.
double prompts_at_once(const Plan& plan, const Serving& serving) {
  return serving.prefills * real(plan.dp);
}

// Between stages, what one microbatch carries over.
Work stage_transfers(const Model& m, const Plan& plan, const Chip& chip, double tokens) {
  if (plan.pp == 1) return {};
  const Transfer hop =
      send(chip, tokens * real(m.hidden) * 2 / real(plan.tp), real(plan.tp * plan.dp));
  return {.collective = hop.seconds * (real(plan.pp) - 1), .link_bytes = hop.bytes};
}

void add_energy(Answer& answer, const Sheet& sheet, double joules_per_second, double chips,
                double output_rate, double total_rate) {
  for (const char* key : {"energy.flop_bf16", "energy.hbm_byte", "energy.link_byte", "power.idle"})
    if (!sheet.find(key)) answer.unknown.emplace_back(key);
  if (answer.unknown.empty()) {
    answer.values["avg_power_w"] = joules_per_second / chips;
    answer.values["joules_per_output_token"] = joules_per_second / output_rate;
    answer.values["joules_per_total_token"] = joules_per_second / total_rate;
  }
  if (const auto watts = sheet.find("power.all_in")) {
    answer.values["output_tput_per_mw"] = output_rate / chips / (*watts / 1e6);
    answer.values["provisioned_joules_per_output_token"] = *watts * chips / output_rate;
  } else {
    answer.unknown.emplace_back("power.all_in");
  }
}

void add_dollars(Answer& answer, const Sheet& sheet, const Purchase& purchase, double chips,
                 double output_rate, double input_rate) {
  const auto rate = hourly_rate(sheet, purchase, answer.unknown);
  if (!rate) return;
  const double per_million = *rate * chips / 3600 * 1e6;
  answer.values["usd_per_gpu_hour"] = *rate;
  answer.values["usd_per_million_output_tokens"] = per_million / output_rate;
  if (input_rate > 0) {
    answer.values["usd_per_million_input_tokens"] = per_million / input_rate;
    answer.values["usd_per_million_total_tokens"] = per_million / (output_rate + input_rate);
  }
}

// Samples instead of tokens: images, videos.
Answer make_samples(const Model& m, const Plan& plan, const Sheet& sheet, const Serving& serving,
                    const Purchase& purchase, const PhaseTimes& times) {
  const Chip chip = chip_of(sheet);
  const Work pass = phases(m, plan, chip, serving, times).prefill;
  const double time = seconds(pass, chip) * real(m.steps);
  const double rate = serving.batch / time;
  Answer answer;
  answer.values["mean_ttft"] = time;
  answer.values["samples_per_second_per_gpu"] = rate / plan.chips();
  const double power =
      joules(plan, chip, pass, serving.weights, seconds(pass, chip)) / seconds(pass, chip);
  answer.values["avg_power_w"] = power / plan.chips();
  if (const auto dollars = hourly_rate(sheet, purchase, answer.unknown)) {
    answer.values["usd_per_gpu_hour"] = *dollars;
    answer.values["usd_per_million_samples"] = *dollars * plan.chips() / 3600 * 1e6 / rate;
  }
  return answer;
}

// Seconds that a prompt waits before its prefill starts, on a replica that is full: for the step
// in progress, then for the prompts before it. Requests arrive at random, `turns` of them (a prompt
// of each group) in the `request` seconds that one stays, and each turn occupies the chips for
// `service`: the queue of one server with fixed service (M/D/1), and never more than all others.
double wait_for_prefill(double turns, double service, double request, double step) {
  const double busy = std::min(1.0, turns * service / request);
  const double longest = std::max(0.0, turns - 1) * service;
  const double queue = busy < 1 ? busy * service / (2 * (1 - busy)) : longest;
  const double rest_of_step = (1 - busy) * step / 2;
  return rest_of_step + std::min(queue, longest);
}

}  // namespace

Pass prefill_pass(const Model& m, const Plan& plan, const Serving& serving) {
  const bool decoder = m.family == Family::decoder;
  return {.samples = decoder ? prompts_at_once(plan, serving) : serving.batch,
          .tokens = decoder ? serving.input : real(m.tokens_per_sample),
          .format = serving.weights,
          .cache = serving.cache};
}

Pass decode_pass(const Plan& plan, const Serving& serving) {
  return {.samples = serving.batch / real(plan.pp),
          .tokens = 1,
          .context = serving.input + serving.output / 2,
          .format = serving.weights,
          .cache = serving.cache};
}

double joules(const Plan& plan, const Chip& chip, const Work& work, Format format, double time) {
  const double dynamic = work.flops * chip.energy_flop[static_cast<std::size_t>(format)] +
                         work.memory_bytes * chip.energy_hbm_byte +
                         work.link_bytes * chip.energy_link_byte;
  return real(plan.tp * plan.dp) * dynamic + plan.chips() * chip.idle * time;
}

double seconds(const Work& work, const Chip& chip) {
  return work.seconds(chip.overlap) + chip.fixed_step;
}

Phases phases(const Model& m, const Plan& plan, const Chip& chip, const Serving& serving,
              const PhaseTimes& times) {
  Phases result{.prefill = forward(m, plan, chip, prefill_pass(m, plan, serving), times.prefill)};
  const double prompts = prompts_at_once(plan, serving);
  result.prefill += stage_transfers(m, plan, chip, prompts / real(plan.dp) * serving.input);
  // A factor of all that a dense phase takes, its fixed step included (seconds()).
  const auto add_software = [&](Work& work, double factor) {
    if (m.experts == 0) work.fixed += (factor - 1) * seconds(work, chip);
  };
  if (m.family != Family::decoder) {
    add_software(result.prefill, chip.software_prefill);
    return result;
  }
  result.prefill.fixed += chip.fixed_prefill;
  add_software(result.prefill, chip.software_prefill);
  result.decode = forward(m, plan, chip, decode_pass(plan, serving), times.decode);
  result.decode += stage_transfers(m, plan, chip, serving.batch / real(plan.pp));
  add_software(result.decode, chip.software_decode);
  return result;
}

Answer serve(const Model& m, const Plan& plan, const Sheet& sheet, const Serving& serving,
             const Purchase& purchase, const PhaseTimes& times) {
  if (m.family != Family::decoder) return make_samples(m, plan, sheet, serving, purchase, times);
  const Chip chip = chip_of(sheet);
  const Phases work = phases(m, plan, chip, serving, times);
  const double prefill = seconds(work.prefill, chip);
  const double step = seconds(work.decode, chip);
  const Chip ideal = ideal_of(sheet);
  const Phases bound = phases(m, plan, ideal, serving);
  // Simulated seconds stay where they are while figures of the sheet, and bounds with them, move.
  base::check(times.prefill.seconds || prefill >= seconds(bound.prefill, ideal) * (1 - 1e-9),
              "a prefill beats its bound");
  base::check(times.decode.seconds || step >= seconds(bound.decode, ideal) * (1 - 1e-9),
              "a decode step beats its bound");

  // Each request decodes `output` steps, during which the prefills of all others stop it once.
  const double prompts = prompts_at_once(plan, serving);
  const double stall = serving.batch / prompts * prefill / real(plan.pp);
  const double request = serving.output * step + stall;
  const double output_rate = serving.batch * serving.output / request;
  const double input_rate = serving.batch * serving.input / request;
  Answer answer;
  const double waiting =
      wait_for_prefill(serving.batch / prompts, prefill / real(plan.pp), request, step);
  answer.values = {{"mean_ttft", waiting + prefill},
                   {"idle_ttft", prefill},
                   {"request_rate_per_gpu", output_rate / serving.output / plan.chips()},
                   {"decode_seconds", step},
                   {"mean_tpot", request / serving.output},
                   {"mean_intvty", serving.output / request},
                   {"output_tput_per_gpu", output_rate / plan.chips()},
                   {"input_tput_per_gpu", input_rate / plan.chips()},
                   {"tput_per_gpu", (output_rate + input_rate) / plan.chips()},
                   {"output_tput_per_system", output_rate / plan.chips() * chip.system_chips}};
  const double energy =
      joules(plan, chip, work.decode, serving.weights, step) * real(plan.pp) * serving.output +
      joules(plan, chip, work.prefill, serving.weights, prefill) * serving.batch / prompts;
  add_energy(answer, sheet, energy / request, plan.chips(), output_rate, output_rate + input_rate);
  add_dollars(answer, sheet, purchase, plan.chips(), output_rate, input_rate);
  return answer;
}

}  // namespace trainyard::planner
