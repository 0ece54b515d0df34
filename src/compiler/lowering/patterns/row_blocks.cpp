#include "compiler/lowering/patterns/row_blocks.h"

#include <algorithm>
#include <bit>
#include <limits>
#include <string>
#include <utility>

#include "base/units.h"
#include "graph/builder.h"

namespace trainyard::compiler {

namespace {

using graph::ElementType;
using graph::OpKind;
using graph::Type;
using graph::ValueId;
using Dims = std::vector<std::int64_t>;

std::int64_t block_count(std::int64_t rows, std::int64_t groups, std::int64_t block) {
  return std::min(rows, base::ceil_div(rows, block) + groups - 1);
}

// Each block reads its matrix anew, and all of its rows are multiplied: blocks so long that neither
// takes more time than it must. In a block of as many rows as the array is wide, both take the same
// time on a core whose memory brings two bytes while the array multiplies that many rows by one
// element (Trainium2 and 3).
std::int64_t rows_of_block(std::int64_t rows, std::int64_t groups, const machine::Core& core) {
  const std::int64_t width = core.array.columns;
  std::int64_t best = 0, least = std::numeric_limits<std::int64_t>::max();
  for (const std::int64_t block : {width / 4, width / 2, width, 2 * width, 4 * width}) {
    const std::int64_t time = block_count(rows, groups, block) * std::max(block, width);
    if (time > least) continue;
    least = time;
    best = block;
  }
  return std::min(best, static_cast<std::int64_t>(std::bit_ceil(static_cast<std::uint64_t>(rows))));
}

// Numbers of rows, groups and blocks, all of them whole and below 2^24, in float32.
class RowCounts {
 public:
  RowCounts(graph::Builder& write, std::int64_t groups) : write_(write), groups_(groups) {}

  ValueId apply(OpKind kind, ValueId a, ValueId b) {
    return write_.emit(kind, {a, b}, write_.type(a));
  }
  ValueId by(OpKind kind, ValueId a, double number) {
    return apply(kind, a, write_.number(write_.type(a), number));
  }
  // Of each of `count` numbers the sum of what those groups have that it is compared with.
  ValueId of_groups(ValueId hot, ValueId values) {
    const Dims shape = write_.type(hot).shape;
    return write_.sum(apply(OpKind::multiply, hot, write_.spread(values, {1}, shape)), {1});
  }
  // Whether the line's number is related so to the group's value.
  ValueId related(ValueId lines, const std::string& direction, ValueId values) {
    const Dims shape{write_.type(lines).shape[0], groups_};
    return write_.compared(write_.spread(lines, {0}, shape), direction,
                           write_.spread(values, {1}, shape));
  }
  // Of each line 1 for the group among whose numbers, from `first` on and below `last`, its own is.
  ValueId among(ValueId lines, ValueId first, ValueId last) {
    const ValueId begun = related(lines, "GE", first), not_ended = related(lines, "LT", last);
    const Type flags = write_.type(begun);
    return write_.convert(write_.emit(OpKind::and_, {begun, not_ended}, flags), ElementType::f32);
  }
  // The number of the group that each line has a 1 for, s32.
  ValueId numbers_of(ValueId hot) {
    return write_.convert(of_groups(hot, write_.counting({groups_}, 0)), ElementType::s32);
  }
  ValueId up_to(ValueId values) {
    const Dims shape{groups_, groups_};
    const ValueId is_before =
        write_.compared(write_.counting(shape, 1), "LE", write_.counting(shape, 0));
    return of_groups(write_.convert(is_before, ElementType::f32), values);
  }

 private:
  graph::Builder& write_;
  std::int64_t groups_;
};

}  // namespace

RowBlocks row_blocks(graph::Function& function, std::vector<graph::Op>& ops, ValueId sizes,
                     std::int64_t rows, graph::LocationId location, const machine::Core& core) {
  graph::Builder write(function, ops, location);
  const std::int64_t groups = function.type(sizes).shape[0];
  const std::int64_t block = rows_of_block(rows, groups, core);
  const std::int64_t count = block_count(rows, groups, block);
  RowBlocks made{.sizes = sizes, .count = count, .rows = block};
  RowCounts counts(write, groups);
  const auto length = static_cast<double>(block);

  const ValueId size = write.convert(sizes, ElementType::f32);
  const Type words{.element = ElementType::s32, .shape = {groups}};
  const ValueId begun = write.emit(OpKind::add, {sizes, write.number(words, length - 1)}, words);
  const ValueId whole = write.emit(
      OpKind::shift_right_logical,
      {begun, write.number(words, std::countr_zero(static_cast<std::uint64_t>(block)))}, words);
  const ValueId blocks = write.convert(whole, ElementType::f32);
  const ValueId ends = counts.up_to(size), last_blocks = counts.up_to(blocks);
  const ValueId first_blocks = counts.apply(OpKind::subtract, last_blocks, blocks);
  const ValueId starts = counts.apply(OpKind::subtract, ends, size);

  const ValueId number = write.counting({count}, 0);
  const ValueId is_of = counts.among(number, first_blocks, last_blocks);
  made.group = counts.numbers_of(is_of);

  // Row = place + what the block's group lies before its blocks.
  const ValueId before =
      counts.apply(OpKind::subtract, starts, counts.by(OpKind::multiply, first_blocks, length));
  made.before = before;
  const ValueId block_before = counts.of_groups(is_of, before);
  const Dims apart{count, block};
  const ValueId first_place = counts.by(OpKind::multiply, number, length);
  const ValueId first_row = counts.apply(OpKind::add, first_place, block_before);
  const ValueId row =
      counts.apply(OpKind::add, write.spread(first_row, {0}, apart), write.counting(apart, 1));
  const ValueId inside = counts.by(OpKind::minimum, row, static_cast<double>(rows - 1));
  made.row = write.reshape(write.convert(inside, ElementType::s32), {count * block});

  const ValueId end = write.spread(counts.of_groups(is_of, ends), {0}, apart);
  made.is_filled = write.compared(row, "LT", end);

  made.end = ends;
  made.left = counts.apply(OpKind::subtract, counts.by(OpKind::multiply, blocks, length), size);
  made.total = write.sum(size, {0});
  return made;
}

GroupBlocks group_blocks(graph::Builder& write, const RowBlocks& blocks, std::int64_t rows,
                         std::int64_t block) {
  const std::int64_t groups = write.type(blocks.sizes).shape[0];
  const std::int64_t more = blocks_behind(rows, block);
  GroupBlocks made{.groups = groups, .more = more, .rows = block};
  RowCounts counts(write, groups);
  const auto length = static_cast<double>(block);

  const ValueId size = write.convert(blocks.sizes, ElementType::f32);
  const ValueId starts = counts.apply(OpKind::subtract, blocks.end, size);
  // Each group's blocks but its first one.
  const Type words{.element = ElementType::s32, .shape = {groups}};
  const ValueId rows_but_one =
      write.emit(OpKind::maximum,
                 {write.emit(OpKind::subtract, {blocks.sizes, write.number(words, 1)}, words),
                  write.number(words, 0)},
                 words);
  const auto shift_by = std::countr_zero(static_cast<std::uint64_t>(block));
  const ValueId behind = write.convert(
      write.emit(OpKind::shift_right_logical, {rows_but_one, write.number(words, shift_by)}, words),
      ElementType::f32);
  const ValueId last = counts.up_to(behind);
  const ValueId first = counts.apply(OpKind::subtract, last, behind);

  const ValueId number = write.counting({more}, 0);
  const ValueId is_of = counts.among(number, first, last);
  made.more_group = counts.numbers_of(is_of);

  // Where a block's rows begin and where those of its group end; how far before their places in
  // RowBlocks they have their numbers.
  const auto both = [&](ValueId of_each, ValueId of_more) {
    return write.emit(OpKind::concatenate, {of_each, of_more},
                      {.element = ElementType::f32, .shape = {groups + more}},
                      {{"dimension", {std::int64_t{0}}}});
  };
  const ValueId shift =
      counts.apply(OpKind::subtract, starts, counts.by(OpKind::multiply, first, length));
  const ValueId later = counts.apply(
      OpKind::add, counts.by(OpKind::multiply, counts.by(OpKind::add, number, 1), length),
      counts.of_groups(is_of, shift));
  const Dims apart{groups + more, block};
  const auto in_blocks = [&](ValueId of_block) { return write.spread(of_block, {0}, apart); };
  const ValueId row =
      counts.apply(OpKind::add, in_blocks(both(starts, later)), write.counting(apart, 1));
  const ValueId end = both(blocks.end, counts.of_groups(is_of, blocks.end));
  made.is_filled = write.compared(row, "LT", in_blocks(end));
  const auto places = [&](ValueId value, std::int64_t count) {
    const ValueId inside = counts.by(OpKind::minimum, counts.by(OpKind::maximum, value, 0),
                                     static_cast<double>(count - 1));
    return write.reshape(write.convert(inside, ElementType::s32), {(groups + more) * block});
  };
  made.row = places(row, rows);
  const ValueId before = both(blocks.before, counts.of_groups(is_of, blocks.before));
  made.place =
      places(counts.apply(OpKind::subtract, row, in_blocks(before)), blocks.count * blocks.rows);
  return made;
}

// Place = row + what the groups before it leave of their last blocks.
RowPlaces row_places(graph::Builder& write, const RowBlocks& blocks, ValueId rows) {
  RowCounts counts(write, write.type(blocks.end).shape[0]);
  const ValueId is_behind = write.convert(counts.related(rows, "GE", blocks.end), ElementType::f32);
  const ValueId place = counts.apply(OpKind::add, counts.of_groups(is_behind, blocks.left), rows);
  const ValueId all = write.spread(blocks.total, {}, write.type(rows).shape);
  return {.place = write.convert(place, ElementType::s32),
          .is_inside = write.compared(rows, "LT", all)};
}

}  // namespace trainyard::compiler
