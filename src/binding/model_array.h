// Arrays that programs take and give, as Python holds them.
#pragma once

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>

#include <cstdint>

#include "graph/attribute.h"
#include "session/array.h"

namespace trainyard::binding {

// An array that a Model takes as an input, for as many runs as it is passed to.
struct Input {
  session::ArrayRef array;
};

using HostBytes = nanobind::ndarray<const std::uint8_t, nanobind::ndim<1>, nanobind::c_contig,
                                    nanobind::device::cpu>;

// Throws InputError "model.input" for bytes of another size than the type has.
[[nodiscard]] Input input_of(const graph::Type& type, const HostBytes& content);
// Its elements, read into the object that is returned.
[[nodiscard]] nanobind::bytes content_of(const session::Array& array);

}  // namespace trainyard::binding
