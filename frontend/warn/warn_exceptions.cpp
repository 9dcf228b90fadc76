// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>

#include "frontend/warn/warn.h"

namespace kc::front {

namespace {

std::string list_types(const std::vector<const Type*>& types) {
  std::string text;
  for (size_t i = 0; i < types.size() && i < 4; ++i)
    text += fmt::format("{}'{}'", i ? ", " : "", type_name(types[i]));
  return types.size() > 4 ? text + " and others" : text;
}

}  // namespace

void warn_exceptions(const FunctionDecl& f, const FlowGraph& graph, Diagnostics& diagnostics) {
  for (size_t i = 0; i < graph.handlers.size();) {
    size_t end = i;
    bool throws = false;
    const TryStmt* owner = graph.handlers[i].owner;
    for (; end < graph.handlers.size() && graph.handlers[end].owner == owner; ++end)
      throws |= !graph.handlers[end].types.empty() || !graph.handlers[end].others.empty();
    if (!throws)
      diagnostics.warning(Warning::DeadHandler, {owner->range.begin, owner->range.begin + 3},
                          "nothing in the body of this 'try' throws");
    for (; i < end; ++i) {
      const FlowGraph::Reached& r = graph.handlers[i];
      if (!throws || !r.types.empty() || r.handler->catches_all) continue;
      bool repeated = false;  // sema has reported it
      for (const Handler* h : owner->handlers) {
        if (h == r.handler) break;
        repeated |= h->type == r.handler->type;
      }
      std::string rest = r.others.empty() ? "" : fmt::format("; what gets here is {}", list_types(r.others));
      if (!repeated)
        diagnostics.warning(
            Warning::DeadHandler, r.handler->range,
            fmt::format("nothing in the body of this 'try' throws '{}'{}", type_name(r.handler->type), rest));
    }
  }
  if (!f.is_kernel || !diagnostics.wants(Warning::UncaughtException)) return;
  std::vector<bool> reached = reachable_blocks(graph, true);
  for (const FlowGraph::Escape& e : graph.escapes) {
    if (!reached[e.block]) continue;
    std::string who = e.from ? fmt::format("'{}' can throw '{}', which", e.from->name, type_name(e.type))
                             : fmt::format("this throws '{}', which", type_name(e.type));
    diagnostics.warning(Warning::UncaughtException, e.where, who + " nothing catches; the work-item traps");
  }
}

}  // namespace kc::front
