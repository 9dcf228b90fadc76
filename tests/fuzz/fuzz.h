// SPDX-License-Identifier: Apache-2.0
// Where data from outside enters the project. libFuzzer calls these functions with inputs of its own
// (libfuzzer.cpp), and a test with a small corpus (replay_test.cpp).
#pragma once
#include <span>
#include <string_view>

#include "ir/text.h"
#include "ir/verify.h"

/// `run` ends the process if the input makes the reader do anything but accept or refuse it.
struct Entry {
  std::string_view name;
  void (*run)(std::string_view input);
};
/// source: preprocessor, front end and passes.
std::span<const Entry> source_entries();
/// text, json, trace, object, assembly: readers that need no compiler.
std::span<const Entry> reader_entries();
/// script, command, spirv, pipelines, code: readers of the driver and of devices.
std::span<const Entry> driver_entries();

/// Stops with the message unless the condition is true; the fuzzer saves the input.
void require(bool condition, std::string_view message);
/// The printed text parses and prints identically.
void require_round_trip(const std::string& printed);
