// SPDX-License-Identifier: Apache-2.0
#include "papers/data.h"

#include <cmath>
#include <cstdint>
#include <fstream>
#include <random>
#include <string_view>
#include <vector>

namespace kc::bench {
namespace {

constexpr std::string_view kLetters = "ACGT";

// As `struct node` of suffix_match.cl.
struct Node {
  int32_t child[4] = {};
  int32_t from = 0, to = 0, link = 0, depth = 0;
};

// Suffixes one after the other, which takes quadratic time; links are looked up afterwards.
class SuffixTree {
 public:
  explicit SuffixTree(const std::string& text) : text_(text) {
    nodes.emplace_back();
    for (size_t start = 0; start < text.size(); ++start) insert(static_cast<int32_t>(start));
    for (Node& n : nodes)
      if (n.depth > 1) n.link = find(n.to - n.depth + 1, n.depth - 1);
  }
  std::vector<Node> nodes;

 private:
  static size_t letter(char c) { return kLetters.find(c); }

  void insert(int32_t start) {
    const auto size = static_cast<int32_t>(text_.size());
    int32_t node = 0, at = start;
    while (at < size) {
      size_t first = letter(text_[static_cast<size_t>(at)]);
      int32_t child = nodes[static_cast<size_t>(node)].child[first];
      if (child == 0) {
        nodes[static_cast<size_t>(node)].child[first] = static_cast<int32_t>(nodes.size());
        nodes.push_back({.from = at, .to = size, .depth = size - start});
        return;
      }
      Node& edge = nodes[static_cast<size_t>(child)];
      int32_t i = edge.from;
      while (i < edge.to && at < size && text_[static_cast<size_t>(i)] == text_[static_cast<size_t>(at)])
        ++i, ++at;
      if (i < edge.to) {
        if (at == size) return;  // ends within an edge: without a node of its own
        split(node, first, child, i);
        node = static_cast<int32_t>(nodes.size()) - 1;
      } else {
        node = child;
      }
    }
  }

  void split(int32_t parent, size_t first, int32_t child, int32_t at) {
    Node upper{.from = nodes[static_cast<size_t>(child)].from, .to = at};
    upper.depth = nodes[static_cast<size_t>(parent)].depth + upper.to - upper.from;
    upper.child[letter(text_[static_cast<size_t>(at)])] = child;
    nodes[static_cast<size_t>(child)].from = at;
    nodes[static_cast<size_t>(parent)].child[first] = static_cast<int32_t>(nodes.size());
    nodes.push_back(upper);
  }

  // The node of text[from, from + length); the root if there is none.
  int32_t find(int32_t from, int32_t length) const {
    int32_t node = 0;
    while (nodes[static_cast<size_t>(node)].depth < length) {
      auto next = static_cast<size_t>(from + nodes[static_cast<size_t>(node)].depth);
      node = nodes[static_cast<size_t>(node)].child[letter(text_[next])];
      if (node == 0) return 0;
    }
    return nodes[static_cast<size_t>(node)].depth == length ? node : 0;
  }

  const std::string& text_;
};

template <typename T>
bool write(const std::string& folder, const char* name, const T& elements) {
  std::ofstream out(folder + "/" + name, std::ios::binary);
  out.write(reinterpret_cast<const char*>(elements.data()),
            static_cast<std::streamsize>(elements.size() * sizeof elements[0]));
  return out.good();
}

// Pixels that keep their brightness, with a little noise, and a bright spot that passes by.
std::vector<float> moving_spot(std::mt19937& random, int width, int height, int frames, float noise,
                               float spot) {
  std::vector<float> still, film;
  auto unit = [&] { return static_cast<float>(random() >> 8) * 0x1p-24f; };
  for (int i = 0; i < width * height; ++i) still.push_back(unit());
  for (int frame = 0; frame < frames; ++frame)
    for (int i = 0; i < width * height; ++i) {
      auto x = static_cast<float>(i % width - frame), y = static_cast<float>(i / width - height / 2);
      bool inside = x * x + y * y < static_cast<float>(width * width) / 16;
      film.push_back(still[static_cast<size_t>(i)] + noise * (unit() - 0.5f) + (inside ? spot : 0));
    }
  return film;
}

}  // namespace

bool make_data(const std::string& folder) {
  std::mt19937 random(2014);
  std::string text, queries;
  for (int i = 0; i < 1024; ++i) text += kLetters[random() % 4];
  for (int q = 0; q < 256; ++q) {
    size_t from = random() % (text.size() - 48);
    for (size_t i = 0; i < 48; ++i) queries += random() % 12 ? text[from + i] : kLetters[random() % 4];
  }
  std::vector<float> film = moving_spot(random, 16, 16, 24, 0.03f, 0.4f);
  for (float& pixel : film) pixel *= 255;
  std::vector<float> frames = moving_spot(random, 48, 48, 6, 0.2f, 0.5f);
  std::vector<float> sums;
  for (float sum = 0; sums.size() < 250;) {
    sum += static_cast<float>(random() % 1000) / 125'000.0f;
    sums.push_back(sum);
  }
  return write(folder, "text", text) && write(folder, "nodes", SuffixTree(text).nodes) &&
         write(folder, "queries", queries) && write(folder, "film", film) &&
         write(folder, "frames", frames) && write(folder, "sums", sums);
}

}  // namespace kc::bench
