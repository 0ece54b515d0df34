// What processes that share a plan send one another, as bytes.
#pragma once

#include <string>

#include "base/bytes.h"
#include "plan/collectives.h"

namespace trainyard::plan {

inline constexpr base::ByteFormat message_format{
    .label = "processes.message",
    .rule = "processes send one another the values that their devices exchange",
    .fix = "start all processes with the same version of this package",
};
inline constexpr std::string_view from_another = "a message of another process";

void put(std::string& out, const graph::Literal& literal);
// Of that type. Throws InputError "processes.message".
[[nodiscard]] Shared take_literal(base::ByteReader& reader, const graph::Type& type);

}  // namespace trainyard::plan
