// SPDX-License-Identifier: Apache-2.0
// The region tree as a graph: a cluster for each construct and arm, a circle for each join.
#include <fmt/format.h>

#include "backends/structured/region_tree.h"
#include "ir/text.h"

namespace kc::structured {

namespace {

std::string escape(std::string_view text) {
  std::string s;
  for (char c : text) {
    if (c == '"' || c == '\\') s += '\\';
    s += c;
  }
  return s;
}

class RegionDrawer {
 public:
  RegionDrawer(const Function& f, const RegionTree& tree)
      : f(f), tree_(tree), labels_(f.block_count()), code_(f.block_count()) {
    for (size_t i = 0; i < f.layout.size(); ++i) labels_[f.layout[i].index] = fmt::format("b{}", i);
    read_code();
  }

  std::string run() {
    line(fmt::format("digraph \"{}\" {{", escape(f.name)));
    ++depth_;
    line("node [shape=box, fontname=monospace];");
    list(tree_.body, {});
    text_ += edges_;  // after all clusters: an edge would move the nodes it names into its own cluster
    --depth_;
    line("}");
    return std::move(text_);
  }

 private:
  // The source of control flow, and its condition.
  struct From {
    std::string node, label{};
    bool valid() const { return !node.empty(); }
  };

  // Textual IR has one line per block and per instruction, and one at the end.
  void read_code() {
    const std::string text = print(f);
    std::vector<std::string> lines;
    for (size_t at = 0, end; (end = text.find('\n', at)) != std::string::npos; at = end + 1)
      lines.push_back(escape(std::string_view(text).substr(at, end - at)) + "\\l");
    size_t at = lines.size() - 1;
    for (BlockId b : f.layout) at -= f.block(b).insts.size() + 1;
    for (BlockId b : f.layout)
      for (size_t i = 0; i <= f.block(b).insts.size(); ++i) code_[b.index] += lines[at++];
  }

  void line(const std::string& s) { text_ += std::string(depth_ * 2, ' ') + s + "\n"; }
  void open(const std::string& label) {
    opened_.push_back(text_.size());
    line(fmt::format("subgraph cluster{} {{", clusters_++));
    ++depth_;
    line(fmt::format("label=\"{}\";", label));
    inside_.push_back(text_.size());
  }
  // A cluster without nodes is removed.
  void close() {
    --depth_;
    if (text_.size() == inside_.back())
      text_.resize(opened_.back());
    else
      line("}");
    opened_.pop_back();
    inside_.pop_back();
  }

  const std::string& label(BlockId b) const { return labels_[b.index]; }
  std::string set(const std::vector<BlockId>& blocks) const {
    std::string s;
    for (BlockId b : blocks) s += (s.empty() ? "" : " ") + label(b);
    return s;
  }

  void edge(const From& from, const std::string& to, std::string_view style = {}) {
    if (!from.valid()) return;
    std::string attributes;
    if (!from.label.empty()) attributes = fmt::format("label=\"{}\"", from.label);
    if (!style.empty()) attributes += fmt::format("{}style={}", attributes.empty() ? "" : ", ", style);
    edges_ += fmt::format("  {} -> {}", from.node, to);
    edges_ += attributes.empty() ? ";\n" : fmt::format(" [{}];\n", attributes);
  }

  BlockId target(BlockId b, size_t index) const {
    return f.inst(f.block(b).insts.back()).targets[index].block;
  }
  // The label of an edge of a block's terminator.
  std::string condition(BlockId b, size_t index) const {
    const Inst& inst = f.inst(f.block(b).insts.back());
    if (inst.op == Op::br_if) return index == 0 ? "true" : "false";
    if (inst.op != Op::switch_) return {};
    return index == 0 ? "default" : print_operand(f, inst.operands[index]);
  }

  std::string block(BlockId b) {
    line(fmt::format("{} [label=\"{}\"];", label(b), code_[b.index]));
    return label(b);
  }

  // The circle of a join, and the control flow that continues after it.
  From join(uint32_t index) {
    if (tree_.joins[index].targets.empty()) return {};
    const std::string node = fmt::format("j{}", index);
    line(
        fmt::format("{} [shape=ellipse, label=\"{} {{{}}}\"];", node, node, set(tree_.joins[index].targets)));
    return {.node = node};
  }

  // The selector value of a join with several targets.
  From select_target(From from, const Region& r, BlockId target) const {
    if (r.to == kNoJoin || tree_.joins[r.to].targets.size() < 2) return from;
    from.label += (from.label.empty() ? "" : ": ") + label(target);
    return from;
  }

  // Leaves a construct: dashed for a break, dotted for a continue.
  void leave(const From& from, const Region& r) {
    if (r.leave == Leave::Continue) return edge(from, loops_.back(), "dotted");
    edge(from, fmt::format("j{}", r.to), r.leave == Leave::Break ? "dashed" : "");
  }

  From select(const Region& r) {
    open("select " + label(r.block));
    for (size_t i = 0; i < r.arms.size(); ++i) {
      std::string values;
      for (size_t e : r.arm_edges[i]) values += (values.empty() ? "" : ", ") + condition(r.block, e);
      open(values);
      From from{label(r.block), values};
      if (const uint32_t met = r.arm_joins[i]; met != kNoJoin) {
        const From here = join(met);
        edge(from, here.node);
        from = here;
      }
      list(r.arms[i], std::move(from));
      close();
    }
    close();
    return join(r.join);
  }

  From loop(const Region& r, const From& from) {
    open("loop " + label(r.block));
    loops_.push_back(label(r.block));
    list(r.arms[0], from);
    loops_.pop_back();
    close();
    return join(r.join);
  }

  From test(const Region& r, From from) {
    const std::string node = from.node;
    open(fmt::format("test j{}", r.from));
    from.label = label(r.block);
    list(r.arms[0], std::move(from));
    close();
    From rest = join(r.join);
    if (rest.valid()) edge({node, "else"}, rest.node);
    return rest;
  }

  void list(const RegionList& regions, From from) {
    for (const Region& r : regions) from = region(r, std::move(from));
  }

  From region(const Region& r, From from) {
    switch (r.kind) {
      case RegionKind::Block:
        edge(from, block(r.block));
        return {.node = label(r.block)};
      case RegionKind::Select:
        return select(r);
      case RegionKind::ExitIf:
        leave(select_target({label(r.block), condition(r.block, r.edge)}, r, target(r.block, r.edge)), r);
        return {label(r.block), condition(r.block, 1 - r.edge)};
      case RegionKind::Loop:
        return loop(r, from);
      case RegionKind::Test:
        return test(r, std::move(from));
      case RegionKind::LeaveIf:
        leave({from.node, set(r.targets)}, r);
        return from;
      case RegionKind::LeaveAll:
        leave({from.node, set(r.targets)}, r);
        return {};
      case RegionKind::Jump:
        leave(select_target(std::move(from), r, r.block), r);
        return {};
      case RegionKind::Return:
      case RegionKind::Unreachable:
        return {};
    }
    return {};
  }

  const Function& f;
  const RegionTree& tree_;
  std::vector<std::string> labels_, code_, loops_;
  std::string text_, edges_;
  std::vector<size_t> opened_, inside_;  // positions in the text where open clusters begin
  size_t depth_ = 0, clusters_ = 0;
};

}  // namespace

std::string draw_regions(const Function& f, const RegionTree& tree) { return RegionDrawer(f, tree).run(); }

}  // namespace kc::structured
