// SPDX-License-Identifier: Apache-2.0
// The module's interface: the page writes a request where `request` says and calls `answer`; the answer lies
// where `reply` says. A fatal error writes a line to standard error and exits, after which the instance is of
// no more use.
#include <cstdio>
#include <cstdlib>
#include <new>
#include <string>

#include "driver/lab/answer.h"

namespace {

std::string g_request, g_reply;

}  // namespace

extern "C" {

[[clang::export_name("request")]] char* request(size_t bytes) {
  g_request.resize(bytes);
  return g_request.data();
}

/// The number of bytes of the reply.
[[clang::export_name("answer")]] size_t answer() {
  std::set_new_handler([] {
    std::fputs("out of memory\n", stderr);
    std::exit(70);
  });
  g_reply = kc::answer(g_request);
  return g_reply.size();
}

[[clang::export_name("reply")]] const char* reply() { return g_reply.data(); }
}
