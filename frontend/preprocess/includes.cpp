// SPDX-License-Identifier: Apache-2.0
// #include. The options supply a file reader, so the front end does not access the file system.
#include <fmt/format.h>

#include "frontend/preprocess/preprocessor.h"

namespace kc::front {

namespace {

std::string_view folder_of(std::string_view path) {
  size_t slash = path.rfind('/');
  return slash == std::string_view::npos ? std::string_view() : path.substr(0, slash + 1);
}

std::string in_folder(std::string_view folder, std::string_view name) {
  std::string path(folder);
  if (!path.empty() && path.back() != '/') path += '/';
  return path.append(name);
}

}  // namespace

// "NAME" or <NAME>, written directly or produced by macro expansion.
bool Preprocessor::include_name(SourceRange range, IncludeName& name) {
  Token written = lexer().header_name();
  std::string text(written.text);
  name.where = written.range;
  if (written.kind != Tok::TokEnd) {
    expect_directive_end("include");
  } else {
    std::vector<Token> tokens = rest_expanded();
    if (tokens.empty() || full_) {
      if (!full_) diagnostics_.error(range, "expected \"NAME\" or <NAME> after #include");
      return false;
    }
    name.where = tokens[0].range;
    for (const Token& t : tokens) {
      if (!text.empty() && t.before.space) text += ' ';
      text += t.text;
      if (tokens[0].kind == Tok::TokString || t.kind == Tok::TokGreater) break;
    }
  }
  bool quoted = text.size() >= 2 && text[0] == '"' && text.back() == '"';
  name.angled = text.size() >= 2 && text[0] == '<' && text.back() == '>';
  if (!quoted && !name.angled) {
    diagnostics_.error(name.where, "expected \"NAME\" or <NAME> after #include");
    return false;
  }
  name.text = text.substr(1, text.size() - 2);
  if (name.text.empty()) diagnostics_.error(name.where, "the file name of #include is empty");
  return !name.text.empty();
}

// For "NAME" the folder of the including file comes first; then the -I folders in order.
std::vector<std::string> Preprocessor::include_candidates(const IncludeName& name) const {
  if (name.text[0] == '/') return {name.text};
  std::vector<std::string> paths;
  const OpenFile& from = files_.back();
  if (!name.angled) paths.push_back(std::string(folder_of(from.file->name())) + name.text);
  for (const std::string& folder : options_.include_dirs) paths.push_back(in_folder(folder, name.text));
  return paths;
}

const Preprocessor::Found& Preprocessor::load(const std::string& path) {
  auto [at, is_new] = loaded_.try_emplace(path);
  if (!is_new || !options_.read_file) return at->second;
  auto text = options_.read_file(path);
  if (!text)
    at->second.problem = text.error();
  else if (text->size() > MaxIncludedBytes)
    at->second.problem = "it is too large";
  else
    at->second.file = std::make_shared<SourceFile>(path, *text);
  return at->second;
}

std::shared_ptr<const SourceFile> Preprocessor::include_directive(SourceRange range) {
  IncludeName name;
  if (!include_name(range, name)) return {};
  if (gathering_ > 0) {
    diagnostics_.error(range, "#include inside the arguments of a macro");
    return {};
  }
  if (!options_.read_file) {
    diagnostics_.error(range, "#include is not possible here: there is no access to other files");
    return {};
  }
  for (const std::string& path : include_candidates(name)) {
    const Found& found = load(path);
    if (found.file) return once_.contains(found.file.get()) ? nullptr : found.file;
    if (found.problem.empty()) continue;
    diagnostics_.error(name.where, fmt::format("cannot read '{}': {}", path, found.problem));
    return {};
  }
  report_missing(name);
  return {};
}

void Preprocessor::report_missing(const IncludeName& name) {
  misses_file_ = true;
  Diagnostic& d = diagnostics_.error(name.where, fmt::format("'{}' file not found", name.text));
  if (diagnostics_.saturated()) return;
  std::string folders;
  auto add = [&](std::string_view folder) {
    if (folder.size() > 1 && folder.back() == '/') folder.remove_suffix(1);
    folders += fmt::format("{}'{}'", folders.empty() ? "" : ", ", folder.empty() ? "." : folder);
  };
  if (name.text[0] != '/') {
    std::string_view own = folder_of(files_.back().file->name());
    if (!name.angled) add(own);
    for (const std::string& folder : options_.include_dirs) add(folder);
    d.note(name.where, folders.empty() ? "no folders to search: <NAME> is looked for in those of -I"
                                       : "searched in " + folders);
    if (name.angled && load(std::string(own) + name.text).file)
      d.note(name.where, fmt::format("there is a file of this name beside this one: use \"{}\"", name.text));
  }
}

void Preprocessor::enter_include(std::shared_ptr<const SourceFile> file, SourceRange range) {
  included_bytes_ += file->text().size();
  if (files_.size() >= MaxIncludeDepth)
    return stop(range, fmt::format("#include nested too deeply; the limit is {} levels", MaxIncludeDepth));
  if (++includes_ > MaxIncludes || included_bytes_ > MaxIncludedBytes)
    return stop(range, fmt::format("too much is included; the limits are {} files and {} MiB", MaxIncludes,
                                   MaxIncludedBytes >> 20));
  if (!enter_file(std::move(file), range.begin, false)) stop(range, "too much text in one compilation");
}

}  // namespace kc::front
