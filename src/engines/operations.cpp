#include "engines/operations.h"

namespace trainyard::engines {

namespace {

// Programs are larger than caches: a record that is asked for early is there when it is read.
void prefetch(const void* record) {
  constexpr std::size_t line = 64, lines = 4;
  for (std::size_t i = 0; i < lines; ++i)
    __builtin_prefetch(static_cast<const char*>(record) + i * line);
}

}  // namespace

void Operations::look_up(Stream& stream, isa::Engine engine, std::size_t position, bool repeats) {
  const std::vector<isa::StreamItem>& items = program_.streams[static_cast<std::size_t>(engine)];
  const std::uint32_t instruction = items[position].instruction;
  stream.position = position;
  if (position + 1 < items.size()) prefetch(program_.record(items[position + 1].instruction));
  if (!repeats) {
    stream.current = &stream.once.emplace(program_, instruction, engine, core_);
    return;
  }
  if (stream.places.empty()) stream.places.assign(items.size(), unknown);
  std::uint32_t& place = stream.places[position];
  if (place == unknown) {
    place = static_cast<std::uint32_t>(stream.kept.size());
    stream.kept.emplace_back(program_, instruction, engine, core_);
  }
  stream.current = &stream.kept[place];
}

}  // namespace trainyard::engines
