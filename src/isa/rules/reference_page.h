// The reference page of the instruction set (docs/reference/isa.md), made from the schema: what an
// instruction is called, takes, means and demands, and where that is published.
#pragma once

#include <string>

namespace trainyard::isa {

// Markdown, the same on every host. `trainyard isa docs` writes it; a test compares the file in
// docs/reference with it.
[[nodiscard]] std::string reference_markdown();

}  // namespace trainyard::isa
