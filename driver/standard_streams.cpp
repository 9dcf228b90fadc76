// SPDX-License-Identifier: Apache-2.0
#include "driver/standard_streams.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <string>

#include "driver/options.h"

namespace kc {

void open_standard_streams() {
  for (int fd : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO})
    if (::fcntl(fd, F_GETFD) < 0) ::open("/dev/null", O_RDONLY);  // takes the lowest free number: this one
}

int close_standard_streams(int status) {
  // Both are tried even if one fails. An earlier failure has left no errno behind.
  errno = 0;
  const bool out_failed = std::fflush(stdout) != 0 || std::ferror(stdout);
  const int why = errno;
  const bool err_failed = std::fflush(stderr) != 0 || std::ferror(stderr);
  if (!out_failed && !err_failed) return status;
  if (out_failed) {
    const std::string text = std::string("kernelc: error: cannot write to standard output") +
                             (why ? std::string(": ") + std::strerror(why) : "") + "\n";
    std::fputs(text.c_str(), stderr);
  }
  return status == ExitUsage || status == ExitInternal ? status : ExitIo;
}

}  // namespace kc
