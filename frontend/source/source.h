// SPDX-License-Identifier: Apache-2.0
// Source text and positions. A position is one number in a space that all texts of a compilation share: each
// reading of a file takes a stretch of it, and so does each expansion of a macro, so that line splicing,
// inclusion and expansion never lose where a token came from.
#pragma once
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace kc::front {

using Position = uint32_t;
constexpr Position NoPosition = UINT32_MAX;

struct SourceRange {
  Position begin = 0;
  Position end = 0;
  friend bool operator==(const SourceRange&, const SourceRange&) = default;
};

// A range for things that are in no text, such as the name of an option.
constexpr SourceRange NoRange{NoPosition, NoPosition};

struct LineColumn {
  uint32_t line = 0;
  uint32_t column = 0;
};

// One text. Its offsets count the bytes as they are in the file.
class SourceFile {
 public:
  SourceFile(std::string name, std::string_view text);

  const std::string& name() const { return name_; }
  std::string_view text() const { return text_; }
  // The text with every backslash-newline removed; what the lexer reads. Ends in a NUL.
  const std::string& spliced() const { return splices_.empty() ? text_ : spliced_; }
  bool has_splices() const { return !splices_.empty(); }
  uint32_t original_offset(uint32_t spliced_offset) const;
  LineColumn line_column(uint32_t offset) const;  // both count from 1; columns count bytes
  std::string_view line_text(uint32_t line) const;
  uint32_t line_start(uint32_t line) const { return line_starts_[line - 1]; }
  // With its end of line.
  uint32_t line_length(uint32_t line) const {
    return (line < line_starts_.size() ? line_starts_[line] : static_cast<uint32_t>(text_.size())) -
           line_start(line);
  }

 private:
  struct Splice {
    uint32_t at;       // offset in the spliced text
    uint32_t removed;  // bytes removed up to here
  };
  void splice();

  std::string name_;
  std::string text_;
  std::string spliced_;
  std::vector<Splice> splices_;
  std::vector<uint32_t> line_starts_;
};

// All texts of one compilation, and the map from positions to them.
class Sources {
 public:
  // One step of the way from where the user wrote a macro's name to the text that a token was spelled in.
  struct MacroStep {
    std::string_view macro;
    Position caret = 0;  // in a file
    SourceRange range;   // in the same file; may be empty
  };

  // ---- adding ----
  // The position of the file's first byte, or NoPosition when the space is used up. `included_at` is the
  // directive, if the file was included; what comes from options goes before the main file.
  Position add_file(std::shared_ptr<const SourceFile> file, Position included_at = NoPosition,
                    bool from_options = false);
  // Lines after `at` are numbered from `line`, and belong to a file called `name` unless that is empty.
  void renumber(Position at, uint32_t line, std::string name);
  // Positions for the text `body` of the macro whose name was defined at `name`, used at `use`. When the
  // space is used up, or expansions lie too deep in each other, they are NoPosition, and the use has to do.
  Position add_expansion(SourceRange body, Position name, SourceRange use);
  // Positions for a token of an argument that stands where a parameter was; `parameter` lies in an expansion.
  Position add_argument(SourceRange token, SourceRange parameter);

  // ---- asking ----
  bool in_macro(Position p) const { return region_of(p).kind != RegionKind::File; }
  // Where the user wrote it: the use of the macro, or the argument. File positions stay.
  Position in_file(Position p) const;
  SourceRange in_file(SourceRange range) const { return {in_file(range.begin), end_in_file(range.end)}; }
  // These take any position and speak of where the user wrote it; lines as #line numbers them.
  struct Place {
    std::string_view file;
    LineColumn at;
  };
  Place place(Position p) const;
  // Positions whose places differ from that of `p` in the column alone: its line, or itself in a macro.
  SourceRange line_around(Position p) const;
  LineColumn line_column(Position p) const { return place(p).at; }
  std::string_view file_name(Position p) const { return place(p).file; }
  // Of the file that is compiled, which is read first.
  std::string_view main_name() const { return readings_.front().file->name(); }
  const SourceFile& file(Position p) const;
  uint32_t offset_in_file(Position p) const;
  // The directive that included the file of `p`, or NoPosition.
  Position included_at(Position p) const;
  // The text from where the token was spelled to the end of its file.
  std::string_view spelling_from(Position p) const;
  // From the outermost macro to the innermost; empty outside macros.
  std::vector<MacroStep> macro_steps(Position caret, SourceRange range) const;
  // Compares as the order in which the program is read; for sorting.
  std::vector<Position> reading_order(Position p) const;

 private:
  // Expansions within expansions whose positions are told apart. Asking for one follows the chain.
  static constexpr uint32_t MaxDepth = 200;

  enum class RegionKind : uint8_t { File, Body, Argument };
  struct Region {
    Position base;
    RegionKind kind;
    uint32_t from;    // Body: where the text is; Argument: where the token is; File: index of the reading
    SourceRange use;  // Body: of the macro; Argument: of the parameter
    Position name;    // Body: where the macro's name was defined
    uint32_t depth = 0;
  };
  struct Renumbering {
    uint32_t offset;
    int64_t added;  // to the line
    std::string name;
  };
  struct Reading {
    std::shared_ptr<const SourceFile> file;
    Position base;
    Position included_at;
    bool from_options;
    std::vector<Renumbering> renumberings;
  };

  const Region& region_of(Position p) const;
  const Reading& reading_of(Position p) const { return readings_[region_of(in_file(p)).from]; }
  Position end_in_file(Position p) const;
  Position reserve(uint64_t length);
  Position up_to(Position p, const Region& level, bool is_end) const;

  std::vector<Region> regions_;
  std::vector<Reading> readings_;
  Position next_ = 0;
};

}  // namespace kc::front
