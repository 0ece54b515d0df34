#include "engines/operations.h"

namespace trainyard::engines {

void Operations::look_up(Stream& stream, isa::Engine engine, std::size_t position, bool repeats) {
  const std::vector<isa::StreamItem>& items = program_.streams[static_cast<std::size_t>(engine)];
  const auto found = [&] {
    const std::uint32_t instruction = items[position].instruction;
    return operation_of(program_, instruction, program_.record(instruction), engine, core_);
  };
  stream.position = position;
  if (!repeats) {
    stream.once = found();
    stream.current = &stream.once;
    return;
  }
  if (stream.places.empty()) stream.places.assign(items.size(), unknown);
  std::uint32_t& place = stream.places[position];
  if (place == unknown) {
    place = static_cast<std::uint32_t>(stream.kept.size());
    stream.kept.push_back(found());
  }
  stream.current = &stream.kept[place];
}

}  // namespace trainyard::engines
