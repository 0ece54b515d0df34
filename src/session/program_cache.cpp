#include "session/program_cache.h"

#include <utility>
#include <vector>

#include "base/error.h"
#include "base/hash.h"
#include "isa/forms/binary.h"
#include "isa/rules/validate.h"

namespace trainyard::session {

ProgramCache::Body ProgramCache::compile(isa::Program kernel, const machine::Machine& machine,
                                         const compiler::Options& options) {
  // A damaged program has no binary form.
  if (std::vector<base::Violation> broken = isa::program_violations(kernel, machine.core);
      !broken.empty())
    throw base::InputError(std::move(broken));
  std::uint64_t key = base::hash_combine(isa::binary_hash(kernel), machine.hash());
  for (const auto part :
       {static_cast<std::uint64_t>(options.order), static_cast<std::uint64_t>(options.rewrite),
        static_cast<std::uint64_t>(options.allow_overlap)})
    key = base::hash_combine(key, part);
  Body& body = bodies_[key];
  if (body == nullptr)
    body = std::make_shared<const Ordered>(ordered(std::move(kernel), machine, options));
  return body;
}

}  // namespace trainyard::session
