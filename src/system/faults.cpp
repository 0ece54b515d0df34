#include "system/faults.h"

#include <charconv>

#include "base/error.h"
#include "fabric/faults.h"

namespace trainyard::system {

namespace {

[[noreturn]] void refuse(const std::string& text, std::string found) {
  throw base::InputError(
      {"fabric.fault", "a fault says what fails, when, and how", text, std::move(found),
       "write ecc:3@10us=corrected, ecc:3@10us=uncorrected, flip:3.x@10us=17 (rank 3, tensor x, "
       "bit 17), or a fault of the network such as link:5.twin@10us=down"});
}

std::int64_t whole(const std::string& digits, std::int64_t limit, const std::string& text) {
  std::int64_t value = 0;
  const char* last = digits.data() + digits.size();
  const auto [end, error] = std::from_chars(digits.data(), last, value);
  if (error != std::errc{} || end != last || value < 0 || value >= limit)
    refuse(text, "the number " + digits);
  return value;
}

bool is_of_memory(const std::string& text) {
  return text.starts_with("ecc:") || text.starts_with("flip:");
}

MemoryFault memory_fault(const fabric::Network& network, const std::string& text) {
  const std::size_t colon = text.find(':'), at = text.find('@'), equals = text.find('=', at);
  if (at == text.npos || equals == text.npos) refuse(text, "not sort:what@time=how");
  const std::string what = text.substr(colon + 1, at - colon - 1);
  const std::string how = text.substr(equals + 1);
  const std::size_t dot = what.find('.');
  MemoryFault fault{.text = text};
  fault.time = fabric::fault_time(text.substr(at + 1, equals - at - 1), text);
  fault.rank = static_cast<std::int32_t>(whole(what.substr(0, dot), network.ranks(), text));
  if (text.starts_with("ecc:")) {
    if (dot != what.npos || (how != "corrected" && how != "uncorrected"))
      refuse(text, "the effect " + how);
    fault.corrected = how == "corrected";
    return fault;
  }
  if (dot == what.npos || dot + 1 == what.size()) refuse(text, "no tensor");
  fault.tensor = what.substr(dot + 1);
  fault.bit = whole(how, std::int64_t{1} << 50, text);
  return fault;
}

}  // namespace

Faults read_faults(const fabric::Network& network, std::span<const std::string> texts) {
  fabric::Options options;
  Faults faults;
  for (const std::string& text : texts) {
    if (is_of_memory(text))
      faults.memory.push_back(memory_fault(network, text));
    else
      fabric::add_fault(network, text, options);
  }
  faults.changes = std::move(options.changes);
  faults.late = std::move(options.late);
  return faults;
}

}  // namespace trainyard::system
