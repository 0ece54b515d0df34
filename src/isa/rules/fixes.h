// What to do about a broken rule, where several instructions' constraints say the same.
#pragma once

#include "isa/core/definition.h"

namespace trainyard::isa::fixes {

// --- Places and shapes ---

inline constexpr Fix to_sbuf{
    "keep them in SBUF: dma_copy brings data from HBM, tensor_copy from PSUM"};
inline constexpr Fix same_sizes{"slice or reshape one of them so that their sizes agree"};
inline constexpr Fix same_shapes{"slice or reshape one of them so that their shapes agree"};
inline constexpr Fix slice_longer{"slice the longer operand"};
inline constexpr Fix partition_a_column{
    "declare dst with a partition for each column of stationary"};
inline constexpr Fix element_a_column{
    "declare dst with an element in each partition for each column of moving"};
inline constexpr Fix other_way_round{
    "declare dst with data's shape the other way round: [F, P] for [P, F]"};
inline constexpr Fix whole_groups{"slice them to as many partitions, a multiple of 16"};
inline constexpr Fix one_partition{"declare dst as [1, F] for data of [P, F]"};

// --- Scalars and registers ---

inline constexpr Fix number_or_column{"pass a number, or one column of a tile: t[:, 0:1]"};
inline constexpr Fix number_or_float32_column{
    "pass a number, or one column of a float32 tile: t[:, 0:1]"};
inline constexpr Fix column{"declare it as [P, 1], or pass one column of a tile: t[:, 0:1]"};
inline constexpr Fix float_column{"declare it as [P, 1] in float32"};
inline constexpr Fix make_register{"make a register with nki.isa.register_alloc"};
inline constexpr Fix integer_or_register{
    "pass a 32-bit integer, or a register from nki.isa.register_alloc"};

// --- Formats ---

inline constexpr Fix computable{
    "use elements of at most 32 bits that are not packed, for instance bfloat16 or float32"};
inline constexpr Fix dst_dtype{"declare dst with one of these dtypes"};
inline constexpr Fix dst_uint{"declare it as uint16 or uint32"};
inline constexpr Fix uint32{"declare it as uint32"};
inline constexpr Fix float32_sum{"accumulate in float32 and cast when copying to SBUF"};

// --- Operators and choices ---

inline constexpr Fix operators{"pass one of the operators that the rule names"};
inline constexpr Fix commands{"pass one of the commands that the rule names"};
inline constexpr Fix maximum{"pass nl.maximum, or leave reduce_op out"};
inline constexpr Fix comparison{"pass a comparison, such as nl.less or nl.equal"};
inline constexpr Fix priority{"pass a priority of 0 (the highest) to 3"};
inline constexpr Fix third_core{"run on NeuronCore-v3 or later"};

// --- Collectives ---

inline constexpr Fix once_a_rank{
    "list each rank that runs the kernel once, this one among them; kernel.run_ranks([inputs of "
    "rank 0, ...]) runs it on more"};
inline constexpr Fix parts_along_0{
    "pass collective_dim=0, and rearrange the tensor so that the parts lie along dimension 0"};
inline constexpr Fix padded{"use all_gather or all_to_all with padded parts"};
inline constexpr Fix metadata{
    "declare it as uint32 with a column for each rank, in HBM or in one partition of SBUF"};

}  // namespace trainyard::isa::fixes
