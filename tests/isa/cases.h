// The table of legal and illegal instructions. One `instruction` entry for each instruction gives a
// legal record; one `breaks` line for each of its labels changes that record so that exactly this
// rule is broken. test_constraints.cpp fails when an instruction or a label has no entry, when an
// entry has two, when a legal record is refused, and when a broken one is not refused for its
// label.
//
// To add an instruction: in a cases_*.cpp file,
//
//   void add_copy_cases(Cases& cases) {
//     cases
//         .instruction<TensorCopy>([](Bench& b) {
//           return TensorCopy{b.sbuf(DType::bfloat16, 128, {512}),
//                             b.psum(DType::float32, 128, {512})};
//         })
//         .breaks("tensor_copy.c1",
//                 [](Bench& b, TensorCopy& op) { op.src = b.hbm(DType::float32, {128, 512}); });
//   }
//
// and call it in all_cases() (cases.cpp). A change may set b.engine, or take a feature away with
// b.core.features.x = false. Where breaking one rule cannot help breaking another, name the others:
// .breaks("x.c2", change, {"x.c3"}).
#pragma once

#include <cstring>
#include <functional>
#include <initializer_list>
#include <string>
#include <utility>
#include <vector>

#include "bench.h"
#include "isa/core/instruction_set.h"

namespace trainyard::isa {

struct BrokenCase {
  std::string label;
  std::vector<std::string> others;                         // labels that break with it
  std::function<std::vector<std::string>(Bench&)> broken;  // what validation reports
};

struct LegalCase {
  Opcode opcode = 0;
  std::function<std::uint32_t(Bench&)> append;             // appends the legal record; its index
  std::function<std::vector<std::string>(Bench&)> broken;  // what validation reports: nothing
};

class Cases {
 public:
  template <typename Record>
  class Entry {
   public:
    Entry(Cases& cases, std::function<Record(Bench&)> make)
        : cases_(cases), make_(std::move(make)) {}

    Entry& breaks(std::string label, std::function<void(Bench&, Record&)> change,
                  std::initializer_list<const char*> others = {}) {
      cases_.broken.push_back({std::move(label),
                               {others.begin(), others.end()},
                               [make = make_, change = std::move(change)](Bench& bench) {
                                 Record record = make(bench);
                                 change(bench, record);
                                 return bench.broken(record);
                               }});
      return *this;
    }

    // A further legal record that a reader might think illegal.
    Entry& allows(std::function<void(Bench&, Record&)> change) {
      const auto changed = [make = make_, change = std::move(change)](Bench& bench) {
        Record record = make(bench);
        change(bench, record);
        return record;
      };
      cases_.add_legal<Record>(changed);
      return *this;
    }

   private:
    Cases& cases_;
    std::function<Record(Bench&)> make_;
  };

  template <typename Record>
  Entry<Record> instruction(std::function<Record(Bench&)> make) {
    add_legal<Record>(make);
    return Entry<Record>(*this, std::move(make));
  }

  // A rule of whole programs: `make` builds the program that breaks it in bench.program.
  void program(std::string label, std::function<void(Bench&)> make) {
    broken.push_back({std::move(label), {}, [make = std::move(make)](Bench& bench) {
                        make(bench);
                        std::vector<std::string> labels;
                        for (const auto& v : program_violations(bench.program, bench.core))
                          labels.push_back(v.label);
                        return labels;
                      }});
  }

  std::vector<BrokenCase> broken;
  std::vector<LegalCase> legal;

 private:
  template <typename Record>
  void add_legal(std::function<Record(Bench&)> make) {
    legal.push_back({opcode_of<Record>,
                     [make](Bench& bench) {
                       const Record record = make(bench);
                       return bench.program.append(record, bench.engine);
                     },
                     [make](Bench& bench) { return bench.broken(make(bench)); }});
  }
};

[[nodiscard]] const Cases& all_cases();

}  // namespace trainyard::isa
