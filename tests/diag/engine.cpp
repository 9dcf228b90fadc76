// SPDX-License-Identifier: Apache-2.0
// The diagnostics engine: options, counts, formats, and the display of source lines.
#include <catch2/catch.hpp>

#include "frontend/source/warnings.h"
#include "snippets.h"

namespace {

using kc::front::Warning;
using kc::front::WarningLevel;
using kc::front::WarningOptions;

std::string diagnose(const std::string& text, const std::vector<std::string>& flags = {}) {
  return kc::compile_source(text, options_from(flags)).diagnostics;
}

bool has(const std::string& text, const std::string& what) { return text.find(what) != std::string::npos; }

std::string line(const std::string& text, size_t n) {
  std::istringstream in(text);
  std::string l;
  for (size_t i = 0; i <= n; ++i) std::getline(in, l);
  return l;
}

const std::string Suspicious = "__attribute__((sparkling)) kernel void k(global int* out) { }\n";

}  // namespace

TEST_CASE("the flag of a warning is part of its message") {
  CHECK(has(diagnose(Suspicious), "warning: unknown attribute 'sparkling' ignored [-Wunknown-attributes]\n"));
  CHECK(has(diagnose(Suspicious), "1 warning generated.\n"));
  CHECK(has(diagnose(Suspicious, {"-Werror"}),
            "error: unknown attribute 'sparkling' ignored [-Werror,-Wunknown-attributes]\n"));
  CHECK(has(diagnose(Suspicious, {"-Werror=unknown-attributes"}), "[-Werror,-Wunknown-attributes]\n"));
}

TEST_CASE("later options win over earlier ones") {
  for (const auto& silent : std::vector<std::vector<std::string>>{{"-w"},
                                                                  {"-Wno-unknown-attributes"},
                                                                  {"-Wno-everything"},
                                                                  {"-Werror", "-Wno-unknown-attributes"},
                                                                  {"-Weverything", "-Wno-everything"},
                                                                  {"-w", "-Werror"}})
    CHECK(diagnose(Suspicious, silent) == "");
  for (const auto& warns :
       std::vector<std::vector<std::string>>{{"-Wall"},
                                             {"-Werror", "-Wno-error"},
                                             {"-Werror", "-Wno-error=unknown-attributes"},
                                             {"-Wno-error=unknown-attributes", "-Werror"},
                                             {"-Werror=unknown-attributes", "-Wno-error"},
                                             {"-Werror=unknown-attributes", "-Wno-error=unknown-attributes"},
                                             {"-Wno-everything", "-Wunknown-attributes"},
                                             {"-Wno-extra"},
                                             {"-Werror=dead-handler"}})
    CHECK(has(diagnose(Suspicious, warns), ": warning: "));
}

TEST_CASE("warnings raised to errors make compilation fail") {
  CHECK(kc::compile_source(Suspicious, options_from({"-Werror"})).module == nullptr);
  CHECK(kc::compile_source(Suspicious, options_from({"-Werror"})).errors == 1);
  CHECK(kc::compile_source(Suspicious, options_from({})).module != nullptr);
}

TEST_CASE("an unknown name of a warning is a warning with a guess") {
  CHECK(diagnose("", {"-Wunknown-atributes"}) ==
        "<command line>: warning: unknown warning option '-Wunknown-atributes'; did you mean "
        "'-Wunknown-attributes'? [-Wunknown-warning-option]\n1 warning generated.\n");
  CHECK(has(diagnose("", {"-Wno-error=evrything"}), "did you mean '-Wno-error=everything'?"));
  CHECK(has(diagnose("", {"-Wsomething-else-entirely"}), "option '-Wsomething-else-entirely' ["));
  CHECK(has(diagnose("", {"-W"}), "unknown warning option '-W'"));
  CHECK(has(diagnose("", {"-Wno-"}), "unknown warning option '-Wno-'"));
  CHECK(diagnose("", {"-Wno-unknown-warning-option", "-Wzebra"}) == "");
}

TEST_CASE("levels contain each other") {
  WarningOptions none, all, extra, everything;
  CHECK(all.apply("all"));
  CHECK(extra.apply("extra"));
  CHECK(everything.apply("everything"));
  for (size_t i = 0; i < kc::front::warning_rows().size(); ++i) {
    auto w = static_cast<Warning>(i);
    WarningLevel level = row(w).level;
    CHECK(none.shown(w) == (level == WarningLevel::On));
    CHECK(all.shown(w) == (level <= WarningLevel::All));
    CHECK(extra.shown(w) == (level <= WarningLevel::Extra));
    CHECK(everything.shown(w));
    WarningOptions back = extra;
    CHECK(back.apply("no-extra"));
    CHECK(back.shown(w) == (level <= WarningLevel::All));
  }
}

TEST_CASE("at most so many errors") {
  std::string text = "kernel void k() { a; b; c; }\n";
  CHECK(has(diagnose(text), "3 errors generated.\n"));
  CHECK_FALSE(has(diagnose(text, {"-ferror-limit=3"}), "too many"));
  CHECK(has(diagnose(text, {"-ferror-limit=2"}), "fatal error: too many errors emitted, stopping now"));
  CHECK(has(diagnose(text, {"-ferror-limit=2"}), "2 errors generated.\n"));
  std::string many = "kernel void k() {";
  for (int i = 0; i < 40; ++i) many += " a" + std::to_string(i) + ";";
  CHECK(has(diagnose(many + "}"), "20 errors generated.\n"));
  CHECK(has(diagnose(many + "}", {"-ferror-limit=0"}), "40 errors generated.\n"));
}

TEST_CASE("the caret stands below what it means") {
  // Tabs are displayed up to the next multiple of eight columns; the reported column counts bytes.
  std::string tabs = diagnose("kernel void k() {\n\tint x;\tx = nope;\n}\n", {"-Wno-everything"});
  CHECK(has(tabs, ":2:13: error"));
  CHECK(line(tabs, 1) == "        int x;  x = nope;");
  CHECK(line(tabs, 2) == "                    ^~~~");
  // Two columns for a wide character, none for a combining one, '?' for invalid text.
  std::string wide = diagnose("kernel void k() { /* \xe6\x97\xa5 e\xcc\x81 \xff */ nope; }\n");
  CHECK(line(wide, 1).substr(0, 15) == "kernel void k()");
  CHECK(line(wide, 2) == "                               ^~~~");
  CHECK(has(line(wide, 1), " ? */"));
}

TEST_CASE("ranges of several lines are marked on the line of the caret") {
  std::string text = "kernel void k(global int* p) {\n  p[0] = p\n      + \n      2.5f  ;\n}\n";
  std::string d = diagnose(text);
  CHECK(line(d, 1) == "      + ");
  CHECK(line(d, 2) == "      ^");
}

TEST_CASE("of a very long line the part around the caret is shown") {
  std::string filler(500, ' ');
  std::string d = diagnose("kernel void k() {" + filler + "nope;" + filler + "}\n");
  CHECK(line(d, 1).size() < 180);
  CHECK(line(d, 1).starts_with("..."));
  CHECK(line(d, 1).ends_with("..."));
  CHECK(line(d, 1).find("nope") == line(d, 2).find("^~~~"));
  std::string end = diagnose("kernel void k() {" + filler + "nope; }");
  CHECK(line(end, 1).ends_with("nope; }"));
  CHECK(line(end, 1).find("nope") == line(end, 2).find("^~~~"));
}

TEST_CASE("diagnostics as JSON") {
  kc::FrontendOptions options = options_from({"-Werror=unknown-attributes"});
  options.diagnostics.json = true;
  options.file_name = "a\"b\\.cl";
  CHECK(
      kc::compile_source(Suspicious, options).diagnostics ==
      R"({"severity":"error","file":"a\"b\\.cl","line":1,"column":16,"range":{"line":1,"column":16,)"
      R"("end_line":1,"end_column":25},"flag":"-Wunknown-attributes","message":"unknown attribute 'sparkling' )"
      R"(ignored","fixits":[],"notes":[]})"
      "\n");
  std::string with_note =
      kc::compile_source("int f() { return 1; } int f() { return 2; }", options).diagnostics;
  CHECK(has(with_note, R"("notes":[{"severity":"note","file":)"));
  CHECK(has(with_note, R"("message":"previous definition is here"}]})"));
  std::string nowhere;
  options.diagnostics.warnings = {"zebra"};
  nowhere = kc::compile_source("", options).diagnostics;
  CHECK(nowhere.starts_with(R"({"severity":"warning","flag":"-Wunknown-warning-option","message")"));
  CHECK(kc::compile_source("kernel void k() { \xff\x01 }", options).diagnostics.find('\xff') ==
        std::string::npos);
}

TEST_CASE("colours") {
  kc::FrontendOptions options;
  options.diagnostics.color = true;
  std::string d = kc::compile_source(Suspicious, options).diagnostics;
  CHECK(has(d, "\033[1;35mwarning: \033[0m"));
  CHECK_FALSE(has(diagnose(Suspicious), "\033"));
}
