// SPDX-License-Identifier: Apache-2.0
// Source text and positions. A position is a number in a space shared by all texts of a compilation. Each
// inclusion of a file occupies an interval of it, and so does each macro expansion. Line splicing, inclusion
// and expansion therefore preserve the origin of a token.
#pragma once
#include <cstdint>
#include <deque>
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

// A range for entities outside any text, such as the name of an option.
constexpr SourceRange NoRange{NoPosition, NoPosition};

struct LineColumn {
  uint32_t line = 0;
  uint32_t column = 0;
};

// One text. Its offsets count the bytes of the file.
class SourceFile {
 public:
  SourceFile(std::string name, std::string_view text);

  const std::string& name() const { return name_; }
  std::string_view text() const { return text_; }
  // The text without backslash-newline pairs, as the lexer reads it. Ends in a NUL.
  const std::string& spliced() const { return splices_.empty() ? text_ : spliced_; }
  bool has_splices() const { return !splices_.empty(); }
  uint32_t original_offset(uint32_t spliced_offset) const;
  // Backslashes that blanks part from the end of their line, in the order of the text.
  const std::vector<uint32_t>& blanks_after_backslash() const { return blanks_; }
  LineColumn line_column(uint32_t offset) const;  // both start at 1; columns count bytes
  std::string_view line_text(uint32_t line) const;
  uint32_t line_count() const { return static_cast<uint32_t>(line_starts_.size()); }
  uint32_t line_start(uint32_t line) const { return line_starts_[line - 1]; }
  // Includes the end of line.
  uint32_t line_length(uint32_t line) const {
    return (line < line_starts_.size() ? line_starts_[line] : static_cast<uint32_t>(text_.size())) -
           line_start(line);
  }

 private:
  struct Splice {
    uint32_t at;       // offset in the spliced text
    uint32_t removed;  // bytes removed up to this offset
  };
  void splice();

  std::string name_;
  std::string text_;
  std::string spliced_;
  std::vector<Splice> splices_;
  std::vector<uint32_t> blanks_;
  std::vector<uint32_t> line_starts_;
};

// All texts of one compilation, and the map from positions to texts.
class Sources {
 public:
  // One step from a macro use to the text that spelled the token.
  struct MacroStep {
    std::string_view macro;
    Position caret = 0;  // in a file
    SourceRange range;   // in the same file; may be empty
  };

  // ---- construction ----
  // Returns the position of the file's first byte, or NoPosition if the position space is exhausted.
  // `included_at` is the #include directive of an included file; text from options precedes the main file.
  Position add_file(std::shared_ptr<const SourceFile> file, Position included_at = NoPosition,
                    bool from_options = false);
  // Numbers the lines after `at` from `line`; sets their file name to `name` unless that is empty.
  void renumber(Position at, uint32_t line, std::string name);
  // Positions for the expansion of the macro body `body`; `name` is the macro's name in its definition, `use`
  // the macro use. If the space is exhausted or expansions are nested too deeply, the result is NoPosition,
  // and the use stands for the tokens.
  Position add_expansion(SourceRange body, Position name, SourceRange use);
  // Positions for tokens of an argument that replace a parameter; `parameter` lies in an expansion. The range
  // lies in one text.
  Position add_argument(SourceRange tokens, SourceRange parameter);

  // ---- queries ----
  // Where the text that has this position ends: a file, the body of a macro, or tokens of an argument.
  Position end_of_text(Position p) const;
  bool in_macro(Position p) const { return region_of(p).kind != RegionKind::File; }
  // The position in a file: the macro use or the argument. File positions are returned unchanged.
  Position in_file(Position p) const;
  SourceRange in_file(SourceRange range) const { return {in_file(range.begin), end_in_file(range.end)}; }
  // These functions accept any position and refer to its position in a file; #line renumbers the lines.
  struct Place {
    std::string_view file;
    LineColumn at;
  };
  Place place(Position p) const;
  // The positions around `p` with the same location, as the text of one macro has, or whose locations differ
  // only in the column, by as much as the positions do.
  struct Stretch {
    SourceRange range{};
    bool is_one_place = false;
    // From the location of the first position to that of `p`.
    uint32_t columns_before(Position p) const { return is_one_place ? 0 : p - range.begin; }
  };
  Stretch stretch_around(Position p) const;
  LineColumn line_column(Position p) const { return place(p).at; }
  std::string_view file_name(Position p) const { return place(p).file; }
  // The name of the compiled file, which is read first.
  std::string_view main_name() const { return readings_.front().file->name(); }
  const SourceFile& file(Position p) const;
  uint32_t offset_in_file(Position p) const;
  // The directive that included the file of `p`, or NoPosition.
  Position included_at(Position p) const;
  // The text from the spelling of the token to the end of its file.
  std::string_view spelling_from(Position p) const;
  // From the outermost macro to the innermost; empty outside macros.
  std::vector<MacroStep> macro_steps(Position caret, SourceRange range) const;
  // A sort key: compares in reading order of the program.
  std::vector<Position> reading_order(Position p) const;

 private:
  // The nesting depth up to which expansions have distinct positions. A query follows the chain.
  static constexpr uint16_t MaxDepth = 200;

  enum class RegionKind : uint8_t { File, Body, Argument };
  struct Region {  // there are hundreds of thousands where macros use macros
    Position base;
    uint32_t from;  // Body: start of the text; Argument: position of the token; File: index of the inclusion
    SourceRange use;              // Body: the macro use; Argument: the parameter
    Position name = NoPosition;   // Body: the macro's name in its definition
    Position place = NoPosition;  // Body: the use in a file
    uint16_t depth = 0;
    RegionKind kind = RegionKind::File;
  };
  struct Renumbering {
    uint32_t offset;
    int64_t added;  // to the line number
    std::string name;
  };
  struct Reading {
    std::shared_ptr<const SourceFile> file;
    Position base;
    Position included_at;
    bool from_options;
    std::vector<Renumbering> renumberings;
  };

  size_t region_index(Position p) const;
  const Region& region_of(Position p) const { return regions_[region_index(p)]; }
  const Reading& reading_of(Position p) const { return readings_[region_of(in_file(p)).from]; }
  Position end_in_file(Position p) const;
  Position reserve(uint64_t length);
  Position up_to(Position p, const Region& level, bool is_end) const;

  std::deque<Region> regions_;  // it grows without moving them
  // The region of each position that is a multiple of kStride, as far as region_index() was asked; a Sources
  // belongs to one thread.
  static constexpr Position kStride = 32;
  mutable std::vector<uint32_t> regions_at_;
  std::vector<Reading> readings_;
  Position next_ = 0;
};

}  // namespace kc::front
