#include "engines/decoded.h"

namespace trainyard::engines {

std::vector<Decoded> decode(const isa::Program& program) {
  std::vector<Decoded> decoded(program.instructions.size());
  for (std::uint32_t i = 0; i < decoded.size(); ++i) {
    Decoded& d = decoded[i];
    d.info = &program.info_at(i);
    d.record = program.record(i);
    d.is_dynamic = isa::is_dynamic(*d.info, d.record);
  }
  return decoded;
}

}  // namespace trainyard::engines
