// Sines and cosines of any angle, written as sines of an angle that the instruction takes: whole
// half turns are taken off exactly. How, depends on how large an angle can be, which follows from
// what it is computed from; one that can be of any size pays for the digits of pi.
#pragma once

#include "graph/module.h"

namespace trainyard::compiler {

// Of sine and cosine of real numbers, sine is left, of angles from -pi to pi. Right to 2 units in
// the last place of float32.
void reduce_angles(graph::Module& module);

}  // namespace trainyard::compiler
