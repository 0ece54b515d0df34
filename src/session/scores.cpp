#include "session/scores.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cstdlib>
#include <string_view>
#include <system_error>
#include <utility>

#include "base/build_id.h"
#include "base/error.h"
#include "base/file.h"
#include "base/file_lock.h"
#include "base/hash.h"
#include "base/thread_pool.h"
#include "compiler/lowering/lower.h"
#include "session/ordering.h"

namespace trainyard::session {

namespace {

constexpr std::string_view head = "trainyard scores 6";  // another number: other keys or times
constexpr std::size_t lines_max = 16384;                 // of the file; the oldest are dropped

std::string variable(const char* name) {
  const char* const value = std::getenv(name);
  return value == nullptr ? "" : value;
}

std::filesystem::path cache_folder() {
  const std::string chosen = variable("XDG_CACHE_HOME"), home = variable("HOME");
  if (!chosen.empty()) return std::filesystem::path(chosen) / "trainyard";
  return home.empty() ? std::filesystem::path()
                      : std::filesystem::path(home) / ".cache" / "trainyard";
}

std::string_view next_line(std::string_view& rest) {
  const std::size_t end = std::min(rest.find('\n'), rest.size());
  const std::string_view line = rest.substr(0, end);
  rest.remove_prefix(std::min(end + 1, rest.size()));
  return line;
}

}  // namespace

Scores::Scores(const machine::Machine& machine, std::filesystem::path file, Effort effort)
    : machine_(machine), file_(std::move(file)), effort_(effort), seed_(machine.hash()) {
  const std::string build = base::build_id();
  if (build.empty()) file_.clear();
  for (const char letter : build)
    seed_ = base::hash_combine(seed_, static_cast<unsigned char>(letter));
  read();
}

std::unique_ptr<Scores> Scores::of_environment(const machine::Machine& machine) {
  const std::string asked = variable("TRAINYARD_TUNE");
  if (asked == "0") return nullptr;
  return std::make_unique<Scores>(machine, user_file(),
                                  asked == "1" ? Effort::search : Effort::quick);
}

std::filesystem::path Scores::user_file() {
  const std::filesystem::path folder = cache_folder();
  return folder.empty() ? folder : folder / "scores";
}

// A line that is not whole, or a file of another version, is as if it were not there.
void Scores::read() {
  std::error_code none;
  if (file_.empty() || !std::filesystem::is_regular_file(file_, none)) return;
  const std::string text = base::read_file(file_);
  std::string_view rest = text;
  if (next_line(rest) != head) return;
  known_.reserve(lines_max);
  while (!rest.empty()) {
    const std::string_view line = next_line(rest);
    const char* const end = line.data() + line.size();
    std::uint64_t key = 0;
    std::int64_t ticks = 0;
    const auto [space, failed] = std::from_chars(line.data(), end, key, 16);
    if (failed != std::errc{} || space == end || *space != ' ') continue;
    if (std::from_chars(space + 1, end, ticks).ec != std::errc{}) continue;
    if (known_.emplace(key, base::Ticks{ticks}).second) order_.push_back(key);
  }
}

std::uint64_t Scores::of_machine(std::uint64_t key) const { return base::hash_combine(seed_, key); }

std::optional<base::Ticks> Scores::known(std::uint64_t key) const {
  const auto found = known_.find(of_machine(key));
  return found == known_.end() ? std::nullopt : std::optional(found->second);
}

void Scores::keep(std::uint64_t key, base::Ticks time) {
  if (known_.insert_or_assign(of_machine(key), time).second) fresh_.push_back(of_machine(key));
}

void Scores::save() {
  if (file_.empty() || fresh_.empty()) return;
  std::error_code failed;
  std::filesystem::create_directories(file_.parent_path(), failed);
  if (failed) return;
  const base::FileLock alone(file_);  // others write between what is read and written here
  read();                             // of a key that both have this one's time is kept
  for (const std::uint64_t key : std::exchange(fresh_, {})) order_.push_back(key);
  for (; order_.size() > lines_max; order_.pop_front()) known_.erase(order_.front());
  std::string text = fmt::format("{}\n", head);
  for (const std::uint64_t key : order_)
    text += fmt::format("{:x} {}\n", key, known_.at(key).value);
  try {
    base::write_file(file_, text);
  } catch (const base::InputError&) {
    file_.clear();  // what cannot be kept is timed again: no reason not to compile
  }
}

base::Ticks Scores::timed(Way way) const {
  compiler::Options options = compiler::of_lowered({.order = compiler::Order::list});
  // Engines that are free here are busy with other regions in the program.
  options.issuers_open = false;
  const auto made = ordered_grid(std::move(way.programs), machine_, options);
  const auto* const cores = std::get_if<std::vector<Ordered>>(&made);
  if (cores == nullptr) return no_room;
  std::vector<const Ordered*> grid;
  for (const Ordered& each : *cores) grid.push_back(&each);
  const std::optional<base::Ticks> time = time_together(grid, machine_);
  base::check(time.has_value(), "the time of a region depends on no data");
  return *time;
}

void Scores::time(std::vector<Way> ways) {
  base::ThreadPool pool(ways.size());
  std::vector<base::Ticks> times(ways.size());
  pool.run(ways.size(),
           [&](std::size_t number, bool) { times[number] = timed(std::move(ways[number])); });
  for (std::size_t i = 0; i < ways.size(); ++i) keep(ways[i].key, times[i]);
}

}  // namespace trainyard::session
