#include "session/scores.h"

#include <fmt/format.h>

#include <cstdlib>
#include <limits>
#include <sstream>
#include <string_view>
#include <system_error>
#include <utility>

#include "base/file.h"
#include "base/hash.h"
#include "base/no_room.h"
#include "session/ordering.h"
#include "system/run.h"

namespace trainyard::session {

namespace {

constexpr std::string_view head = "trainyard scores 1";  // another number: other keys or times
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

}  // namespace

Scores::Scores(const machine::Machine& machine, std::filesystem::path file, bool searching)
    : machine_(machine), file_(std::move(file)), searching_(searching) {
  read();
}

std::unique_ptr<Scores> Scores::of_environment(const machine::Machine& machine) {
  const std::string asked = variable("TRAINYARD_TUNE");
  if (asked == "0") return nullptr;
  const std::filesystem::path folder = cache_folder();
  return std::make_unique<Scores>(machine, folder.empty() ? folder : folder / "scores",
                                  asked == "1");
}

// A line that is not whole, or a file of another version, is as if it were not there.
void Scores::read() {
  std::error_code none;
  if (file_.empty() || !std::filesystem::is_regular_file(file_, none)) return;
  std::istringstream text(base::read_file(file_));
  std::string line;
  if (!std::getline(text, line) || line != head) return;
  while (std::getline(text, line)) {
    std::istringstream numbers(line);
    std::uint64_t key = 0;
    numbers >> std::hex >> key >> std::dec;
    Times times;
    for (std::int64_t ticks = 0; numbers >> ticks;) times.push_back(base::Ticks{ticks});
    if (times.empty() || !known_.emplace(key, std::move(times)).second) continue;
    order_.push_back(key);
  }
}

void Scores::keep(std::uint64_t key, const Times& times) {
  known_[key] = times;
  if (file_.empty()) return;
  read();  // what others have kept meanwhile
  order_.push_back(key);
  for (; order_.size() > lines_max; order_.pop_front()) known_.erase(order_.front());
  std::string text = fmt::format("{}\n", head);
  for (const std::uint64_t each : order_) {
    text += fmt::format("{:x}", each);
    for (const base::Ticks time : known_.at(each)) text += fmt::format(" {}", time.value);
    text += '\n';
  }
  std::error_code failed;
  std::filesystem::create_directories(file_.parent_path(), failed);
  if (!failed) base::write_file(file_, text);
}

std::optional<Scores::Times> Scores::times(const std::string& nest, std::size_t ways,
                                           const Alone& alone) {
  std::uint64_t key = machine_.hash();
  for (const char letter : nest) key = base::hash_combine(key, static_cast<unsigned char>(letter));
  if (const auto found = known_.find(key); found != known_.end() && found->second.size() == ways)
    return found->second;
  if (!searching_) return std::nullopt;
  Times times;
  for (std::size_t way = 0; way < ways; ++way) {
    compiler::Options options{.order = compiler::Order::list};
    options.written_in_parts = true;
    try {
      const Ordered made = ordered(alone(way), machine_, options);
      times.push_back(system::time(made.program, machine_, nullptr, {}).time);
    } catch (const base::NoRoom&) {
      times.push_back(base::Ticks{std::numeric_limits<std::int64_t>::max()});
    }
  }
  keep(key, times);
  return times;
}

}  // namespace trainyard::session
