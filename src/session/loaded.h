// What a step of a model became in the session.
#pragma once

#include <cstddef>
#include <memory>
#include <vector>

#include "session/model.h"
#include "session/placing.h"

namespace trainyard::session {

struct Model::Loaded {
  const compiler::ProgramStep* step = nullptr;
  std::vector<std::shared_ptr<Instance>> instances;  // of each core, in no memory
  std::shared_ptr<Placing> placing;                  // of them
  bool is_again = false;                             // an equal layer's programs came before
};

}  // namespace trainyard::session
