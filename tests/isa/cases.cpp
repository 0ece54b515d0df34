#include "cases.h"

namespace trainyard::isa {

void add_general_cases(Cases&);
void add_program_cases(Cases&);
void add_matrix_cases(Cases&);
void add_mx_cases(Cases&);
void add_dma_cases(Cases&);
void add_control_cases(Cases&);
void add_elementwise_cases(Cases&);
void add_scalar_engine_cases(Cases&);
void add_reduce_cases(Cases&);
void add_select_cases(Cases&);
void add_search_cases(Cases&);
void add_random_cases(Cases&);
void add_peer_cases(Cases&);
void add_collective_cases(Cases&);
void add_experimental_cases(Cases&);

const Cases& all_cases() {
  static const Cases cases = [] {
    Cases list;
    add_general_cases(list);
    add_program_cases(list);
    add_matrix_cases(list);
    add_mx_cases(list);
    add_dma_cases(list);
    add_control_cases(list);
    add_elementwise_cases(list);
    add_scalar_engine_cases(list);
    add_reduce_cases(list);
    add_select_cases(list);
    add_search_cases(list);
    add_random_cases(list);
    add_peer_cases(list);
    add_collective_cases(list);
    add_experimental_cases(list);
    return list;
  }();
  return cases;
}

}  // namespace trainyard::isa
