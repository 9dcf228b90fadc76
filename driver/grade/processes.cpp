// SPDX-License-Identifier: Apache-2.0
// Runs submissions that are programs as processes.
#include <fmt/format.h>
#include <sys/resource.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>

#include "driver/exec_pass.h"
#include "driver/grade/grade.h"

namespace kc {
namespace {

// Programs in a language whose interpreter is found by the ending of their names. The variable holds the
// folders of the course's module for it, which the lab file names with the key.
struct Script {
  std::string_view ending, interpreter, option, variable;
  std::string_view key;
  std::vector<std::string> LabFile::*folders;
};
constexpr Script kScripts[] = {
    {".py", "python3", "-B", "PYTHONPATH", "python_path", &LabFile::python_path},
    {".js", "node", "", "NODE_PATH", "javascript_path", &LabFile::javascript_path},
};

const Script* script_of(const std::string& path) {
  for (const Script& s : kScripts)
    if (path.ends_with(s.ending) || (s.ending == ".js" && path.ends_with(".mjs"))) return &s;
  return nullptr;
}

// Those that are there, as the variables list them: seen from here, or as the lab file has them.
std::string folders_of(const LabFile& lab, const std::vector<std::string>& folders, bool from_lab = false) {
  std::string list;
  std::error_code error;
  for (const std::string& folder : folders)
    if (const std::string place = lab.place_of(folder); std::filesystem::is_directory(place, error))
      list += (list.empty() ? "" : ":") + (from_lab ? folder : place);
  return list;
}

// The last line is shown. Node ends with its version, after a stack; what happened is before them.
std::string without_stack(const std::string& errors) {
  if (errors.rfind("\nNode.js v") == std::string::npos) return errors;
  const size_t error = errors.rfind("Error: ");
  if (error == std::string::npos) return errors;
  return errors.substr(0, errors.find('\n', error));
}

// Time of the processor, of this process and of all that it has waited for.
double processor_ms() {
  double ms = 0;
  for (const int whose : {RUSAGE_SELF, RUSAGE_CHILDREN}) {
    rusage used{};
    getrusage(whose, &used);
    for (const timeval& t : {used.ru_utime, used.ru_stime})
      ms += 1e3 * static_cast<double>(t.tv_sec) + 1e-3 * static_cast<double>(t.tv_usec);
  }
  return ms;
}

}  // namespace

std::expected<Grade, DriverError> grade_programs(const LabFile& lab, const Submission& submission) {
  const std::string path =
      submission.path.find('/') == std::string::npos ? "./" + submission.path : submission.path;
  std::vector<std::string> words;
  if (const Script* script = script_of(path)) {
    if (const auto& folders = lab.*script->folders; !folders.empty() && folders_of(lab, folders).empty())
      return failed(ExitIo,
                    fmt::format("{}: there is no folder '{}', which '{}' names{}", lab.path,
                                lab.place_of(folders.front()), script->key,
                                lab.course.empty() ? "" : ", and no course is installed with this kernelc"));
    words.emplace_back(script->interpreter);
    if (!script->option.empty()) words.emplace_back(script->option);
  } else if (access(path.c_str(), X_OK) != 0) {
    return failed(
        ExitAbsent,
        fmt::format("cannot run {}: {}: a submission ends with .py, .js or .mjs, or can be executed", path,
                    std::strerror(errno)));
  }
  words.push_back(path);
  // Of the others, too: a program may start an interpreter.
  for (const Script& s : kScripts)
    if (const std::string folders = folders_of(lab, lab.*s.folders); !folders.empty())
      setenv(std::string(s.variable).c_str(), folders.c_str(), 1);

  Submission run = submission;
  run.work_ms = &processor_ms;
  const Script* script = script_of(path);
  run.command = "./" + run.name();
  if (script) {
    run.command = fmt::format("{} {}", script->interpreter, run.name());
    if (const std::string folders = folders_of(lab, lab.*script->folders, true); !folders.empty())
      run.command = fmt::format("{}={} {}", script->variable, folders, run.command);
  }
  Grade so_far;
  Grading steps = grading(lab, run, so_far);
  while (const SubmissionInput* input = steps.question()) {
    std::vector<std::string> line = words;
    line.insert(line.end(), input->arguments.begin(), input->arguments.end());
    SubmissionOutput output;
    output.text = output_of(line, input->text,
                            {.seconds = input->seconds ? input->seconds : lab.seconds,
                             .memory_mib = lab.memory_mib,
                             .errors = &output.errors,
                             .late = &output.late});
    output.errors = without_stack(output.errors);
    steps.answer(std::move(output));
  }
  return steps.result();
}

}  // namespace kc
