// The byte form of Labels: one column after the other, as differences where neighbours resemble
// each other.
#include "trace/labels.h"

namespace trainyard::trace {
namespace {

template <typename Item, typename Member>
void put_column(std::string& out, const std::vector<Item>& items, Member Item::*member) {
  std::uint64_t before = 0;
  for (const Item& item : items) {
    const auto now = static_cast<std::uint64_t>(item.*member);
    put_signed(out, static_cast<std::int64_t>(now - before));
    before = now;
  }
}

template <typename Item, typename Member>
void get_column(ByteReader& reader, std::vector<Item>& items, Member Item::*member) {
  std::uint64_t before = 0;
  for (Item& item : items) {
    before += static_cast<std::uint64_t>(reader.signed_varint());
    item.*member = static_cast<Member>(before);
  }
}

}  // namespace

void Labels::encode(std::string& out) const {
  put_varint(out, strings_.size());
  for (const std::string& text : strings_) put_string(out, text);
  put_varint(out, frames_.size());
  put_column(out, frames_, &Frame::parent);
  put_column(out, frames_, &Frame::file);
  put_column(out, frames_, &Frame::line);
  put_column(out, frames_, &Frame::function);
  put_varint(out, nest_ends_.size());
  for (std::uint32_t id = 0; id < nest_ends_.size(); ++id) put_varint(out, nest(id).size());
  put_varint(out, loops_.size());
  put_column(out, loops_, &Loop::name);
  put_column(out, loops_, &Loop::first);
  put_column(out, loops_, &Loop::step);
  put_column(out, loops_, &Loop::trips);
  put_varint(out, labels_.size());
  put_column(out, labels_, &Label::mnemonic);
  put_column(out, labels_, &Label::operands);
  put_column(out, labels_, &Label::frame);
  put_column(out, labels_, &Label::nest);
}

Labels Labels::decode(ByteReader& reader) {
  Labels result;
  result.strings_.clear();
  result.string_ids_.clear();
  for (std::size_t left = reader.count(1, "strings"); left > 0; --left) {
    const std::string_view text = reader.text();
    result.string_ids_.try_emplace(std::string(text),
                                   static_cast<std::uint32_t>(result.strings_.size()));
    result.strings_.emplace_back(text);
  }
  if (result.strings_.empty() || !result.strings_.front().empty())
    reader.malformed("the first string is not empty");
  const auto string_ids = [&](std::uint32_t id) {
    if (id >= result.strings_.size()) reader.malformed("a string id is beyond the string table");
  };

  result.frames_.resize(reader.count(4, "frames"));
  get_column(reader, result.frames_, &Frame::parent);
  get_column(reader, result.frames_, &Frame::file);
  get_column(reader, result.frames_, &Frame::line);
  get_column(reader, result.frames_, &Frame::function);
  for (std::uint32_t i = 0; i < result.frames_.size(); ++i) {
    const Frame& frame = result.frames_[i];
    if (frame.parent != no_frame && frame.parent >= i)
      reader.malformed("a frame precedes its caller");
    string_ids(frame.file);
    string_ids(frame.function);
    result.frame_ids_.try_emplace(frame, i);
  }

  result.nest_ends_.assign(reader.count(1, "loop nests"), 0);
  std::size_t loops = 0;
  for (std::size_t& end : result.nest_ends_) {
    loops += reader.count(1, "loops");
    end = loops;
  }
  if (result.nest_ends_.empty() || result.nest_ends_.front() != 0)
    reader.malformed("loop nest 0 is not empty");
  result.loops_.resize(reader.count(4, "loops"));
  if (result.loops_.size() != loops)
    reader.malformed("the loops of the nests are not as many as the loops");
  get_column(reader, result.loops_, &Loop::name);
  get_column(reader, result.loops_, &Loop::first);
  get_column(reader, result.loops_, &Loop::step);
  get_column(reader, result.loops_, &Loop::trips);
  for (const Loop& loop : result.loops_) string_ids(loop.name);

  result.labels_.resize(reader.count(4, "labels"));
  get_column(reader, result.labels_, &Label::mnemonic);
  get_column(reader, result.labels_, &Label::operands);
  get_column(reader, result.labels_, &Label::frame);
  get_column(reader, result.labels_, &Label::nest);
  for (const Label& label : result.labels_) {
    string_ids(label.mnemonic);
    string_ids(label.operands);
    if (label.frame != no_frame && label.frame >= result.frames_.size())
      reader.malformed("a label names no frame");
    if (label.nest >= result.nest_ends_.size()) reader.malformed("a label names no loop nest");
  }
  return result;
}

}  // namespace trainyard::trace
