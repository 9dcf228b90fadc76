// SPDX-License-Identifier: Apache-2.0
#include "driver/lab/answer.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <nlohmann/json.hpp>

#include "driver/argument_values.h"
#include "driver/commands/stats.h"
#include "driver/compiler.h"
#include "driver/explore/json_text.h"
#include "driver/explore/record.h"
#include "driver/lab/grading.h"
#include "driver/reflect.h"
#include "driver/session.h"
#include "host/traps.h"

namespace kc {
namespace {

using Json = nlohmann::ordered_json;

constexpr uint32_t kMostLanes = 64;

std::map<std::string, std::string, std::less<>> g_files;
std::unique_ptr<LabGrading> g_grading;  // that is under way

// The fields of a request. A field of the wrong type is an error, and one that is absent leaves what it would
// set.
class Fields {
 public:
  explicit Fields(const Json& object) : object_(object) {}

  void text(const char* name, std::string& to) {
    if (const Json* v = find(name, &Json::is_string, "a text")) to = v->get<std::string>();
  }
  void flag(const char* name, bool& to) {
    if (const Json* v = find(name, &Json::is_boolean, "true or false")) to = v->get<bool>();
  }
  template <typename N>
  void number(const char* name, N& to, uint64_t most) {
    const Json* v = find(name, &Json::is_number_unsigned, "a whole number from 0 on");
    if (!v) return;
    if (v->get<uint64_t>() > most) return wrong(fmt::format("{}: {} is too large", name, v->dump()));
    to = static_cast<N>(v->get<uint64_t>());
  }
  void texts(const char* name, std::vector<std::string>& to) {
    const Json* v = find(name, &Json::is_array, "a list of texts");
    if (!v) return;
    if (!std::ranges::all_of(*v, [](const Json& e) { return e.is_string(); }))
      return wrong(fmt::format("{}: a list of texts is expected", name));
    to = v->get<std::vector<std::string>>();
  }
  /// One to three; the number of them.
  uint32_t sizes(const char* name, std::array<uint64_t, 3>& to) {
    const Json* v = find(name, &Json::is_array, "a list of one to three numbers");
    if (!v) return 0;
    if (v->empty() || v->size() > 3 ||
        !std::ranges::all_of(*v, [](const Json& e) { return e.is_number_unsigned(); })) {
      wrong(fmt::format("{}: a list of one to three whole numbers is expected", name));
      return 0;
    }
    for (size_t d = 0; d < v->size(); ++d) to[d] = (*v)[d].get<uint64_t>();
    return static_cast<uint32_t>(v->size());
  }
  const Json* find(const char* name, bool (Json::*is)() const noexcept, const char* expected) {
    auto it = object_.find(name);
    if (it == object_.end()) return nullptr;
    if (((*it).*is)()) return &*it;
    wrong(fmt::format("{}: {} is expected", name, expected));
    return nullptr;
  }
  void wrong(std::string message) {
    if (problem_.empty()) problem_ = std::move(message);
  }
  const std::string& problem() const { return problem_; }

 private:
  const Json& object_;
  std::string problem_;
};

constexpr std::pair<std::string_view, Meld> kMelds[] = {{"cost", Meld::ByCost},
                                                        {"always", Meld::Always},
                                                        {"never", Meld::Never},
                                                        {"fusion", Meld::Fusion},
                                                        {"tails", Meld::Tails}};

// What the options of the command of the same names say.
Options options_of(Fields& fields) {
  Options o;
  o.command = "run";
  o.file = "kernel.cl";
  o.language = "cl";
  o.json_diagnostics = true;
  o.color = false;
  fields.text("file", o.file);
  fields.text("kernel", o.kernel);
  fields.texts("defines", o.defines);
  fields.texts("undefines", o.undefines);
  fields.texts("includes", o.includes);
  fields.texts("include_dirs", o.include_dirs);
  fields.texts("warnings", o.warnings);
  fields.flag("contract", o.contract);
  fields.flag("single_literals", o.single_literals);
  fields.flag("fast_math", o.fast_math);
  fields.number("optimisation", o.optimisation, 3);
  fields.text("passes", o.passes);
  fields.flag("check_bounds", o.check_bounds);
  o.dims = fields.sizes("global", o.global);
  o.local_dims = fields.sizes("local", o.local);
  fields.sizes("offset", o.offset);
  fields.texts("args", o.args);
  fields.number("warp", o.warp, UINT32_MAX);
  fields.number("max_steps", o.max_steps, UINT64_MAX);
  fields.number("printf_bytes", o.printf_bytes, kMaxPrintfBytes);
  std::string scheme(to_string(o.scheme)), meld = "cost";
  fields.text("scheme", scheme);
  fields.text("meld", meld);
  fields.text("restructure", o.restructure_name);
  bool known = false;
  for (WarpScheme s : {WarpScheme::Ipdom, WarpScheme::TfStack, WarpScheme::TfSandy})
    if (scheme == to_string(s)) o.scheme = s, known = true;
  if (!known) fields.wrong(fmt::format("scheme: there is no '{}'", scheme));
  const auto* row = std::ranges::find(kMelds, meld, &std::pair<std::string_view, Meld>::first);
  if (row == std::end(kMelds))
    fields.wrong(fmt::format("meld: there is no '{}'", meld));
  else
    o.meld = row->second;
  if (o.restructure_name != "auto") {
    if (auto parsed = parse_restructure(o.restructure_name))
      o.restructure = *parsed;
    else
      fields.wrong(fmt::format("restructure: {}", parsed.error()));
  }
  return o;
}

Json failure(const DriverError& error) {
  return {{"error", {{"status", error.status}, {"message", error.message}}}};
}
Json failure(std::string message) { return failure(DriverError{ExitUsage, std::move(message)}); }

std::string hex(std::span<const uint8_t> bytes) {
  static constexpr char digits[] = "0123456789abcdef";
  std::string text;
  text.reserve(2 * bytes.size());
  for (uint8_t b : bytes) text += digits[b >> 4], text += digits[b & 15];
  return text;
}

std::string_view name_of(EngineStatus status) {
  switch (status) {
    case EngineStatus::Ok:
      return "ok";
    case EngineStatus::Trapped:
      return "trapped";
    case EngineStatus::Absent:
      return "absent";
    case EngineStatus::Unsupported:
      return "unsupported";
    case EngineStatus::Failed:
      return "failed";
  }
  return "";
}

// What the launch leaves on one engine.
Json run_on(const EngineInfo& info, const Session& s, const Options& o) {
  auto engine =
      info.make({.width = info.width, .max_steps = o.max_steps, .scheme = o.scheme, .warp = o.warp});
  KernelArguments args = s.inputs;
  args.addresses = Addresses::Hidden;
  EngineResult r = engine->prepare(s.program, s.spec);
  if (r.status == EngineStatus::Ok) r = engine->launch(args);
  Json result{{"engine", info.name}, {"status", name_of(r.status)}, {"message", r.message}};
  if (r.trap) result["message"] = describe(*r.trap, *s.kernel), result["line"] = r.trap->site.loc.line;
  result["printed"] = r.printed.text;
  Json buffers = Json::array();
  for (const BufferArg& b : args.buffers)
    buffers.push_back(
        {{"name", b.name}, {"type", short_name(b.type)}, {"bytes", hex({b.bytes.data(), b.bytes.size()})}});
  result["buffers"] = std::move(buffers);
  return result;
}

Json run(const Session& session, const Options& o, Fields& fields) {
  std::vector<std::string> names{"interp"};
  fields.texts("engines", names);
  Json results = Json::array();
  for (const std::string& name : names) {
    const EngineInfo* info = find_engine(name);
    if (!info) return failure(fmt::format("engines: there is no '{}'", name));
    results.push_back(run_on(*info, session, o));
  }
  return {{"results", std::move(results)}};
}

// The answer, but for the record, which is JSON as text.
Json compiled(const Json& request, const std::string& what, std::string& record) {
  Fields fields(request);
  std::string source;
  fields.text("source", source);
  const Options o = options_of(fields);
  if (!fields.problem().empty()) return failure(fields.problem());
  FrontendResult front = compile_source(source, frontend_options(o));
  Json diagnostics = Json::array();
  for (std::string_view rest = front.diagnostics; !rest.empty();) {
    const size_t end = std::min(rest.find('\n'), rest.size());
    Json one = Json::parse(rest.substr(0, end), nullptr, false);
    if (!one.is_discarded()) diagnostics.push_back(std::move(one));
    rest.remove_prefix(std::min(end + 1, rest.size()));
  }
  Json reply{{"diagnostics", std::move(diagnostics)}};
  if (!front.module) return reply;
  Json kernels = Json::array();
  for (const auto& f : front.module->functions)
    if (f->is_kernel) kernels.push_back(reflect(*f, nullptr));
  reply["kernels"] = std::move(kernels);
  if (what == "check") return reply;

  Input input{std::move(*front.module), source_text(source, o)};
  if (what == "stages") {
    Session session;
    session.module = std::move(input.module);
    auto kernel = choose_kernel(session.module, o);
    if (!kernel) return reply.update(failure(kernel.error())), reply;
    session.kernel = *kernel;
    auto program = make_program(*session.kernel, o);
    if (!program) return reply.update(failure(program.error())), reply;
    session.program = std::move(*program);
    record = make_stages(session, o, source);
    return reply;
  }
  auto session = session_of(std::move(input), o);
  if (!session) return reply.update(failure(session.error())), reply;
  if (what == "run") return reply.update(run(*session, o, fields)), reply;
  if (o.warp == 0 || o.warp > kMostLanes)
    return reply.update(failure(fmt::format("warp: a number from 1 to {} is expected", kMostLanes))), reply;
  if (what == "stats") return reply["stats"] = statistics_of(o, *session), reply;
  auto made = make_record(*session, o, source, {}, {});
  if (made)
    record = std::move(*made);
  else
    reply.update(failure(made.error()));
  return reply;
}

Json begin_grading(Fields& fields) {
  std::string lab, submission = "submission.js";
  fields.text("lab", lab);
  fields.text("submission", submission);
  if (!fields.problem().empty()) return failure(fields.problem());
  auto begun = LabGrading::begin(lab, submission);
  if (!begun) return failure(begun.error());
  g_grading = std::move(*begun);
  return g_grading->reply();
}

// What the submission wrote: the files stay, since the next runs need them.
Json go_on_grading(Fields& fields) {
  std::string output, problem = "it wrote nothing", errors;
  const bool wrote = fields.find("output", &Json::is_string, "a text");
  fields.text("output", output);
  fields.text("problem", problem);
  fields.text("errors", errors);
  if (!fields.problem().empty()) return failure(fields.problem());
  if (!g_grading) return failure("nothing is being graded");
  g_grading->answer(wrote ? std::optional(std::move(output)) : std::nullopt, problem, errors);
  return g_grading->reply();
}

Json answer_to(const Json& request, std::string& record) {
  if (!request.is_object()) return failure("a request is a JSON object");
  Fields fields(request);
  std::string what;
  fields.text("do", what);
  if (what == "go_on") return go_on_grading(fields);
  g_grading.reset();
  g_files.clear();
  if (const Json* files = fields.find("files", &Json::is_object, "an object of texts"))
    for (const auto& [name, text] : files->items()) {
      if (!text.is_string()) return failure(fmt::format("files: '{}' is no text", name));
      g_files[name] = text.get<std::string>();
    }
  if (!fields.problem().empty()) return failure(fields.problem());
  if (what == "grade") return begin_grading(fields);
  constexpr std::array<std::string_view, 5> kWhat{"check", "stages", "record", "stats", "run"};
  if (std::ranges::find(kWhat, what) == kWhat.end())
    return failure("do: one of check, stages, record, stats, run, grade and go_on is expected");
  return compiled(request, what, record);
}

}  // namespace

const std::string* given_file(std::string_view name) {
  auto it = g_files.find(name);
  return it == g_files.end() ? nullptr : &it->second;
}

std::string answer(std::string_view request) {
  std::string record;
  std::string text = answer_to(Json::parse(request, nullptr, false), record)
                         .dump(-1, ' ', false, nlohmann::ordered_json::error_handler_t::replace);
  if (record.empty()) return text;
  text.pop_back();
  add_json_key(text, "record");
  return text + record + "}";
}

}  // namespace kc
