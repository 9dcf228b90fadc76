// SPDX-License-Identifier: Apache-2.0
// The graph of commands. A command becomes ready when everything that it waits for has ended. A few threads
// run ready commands, in the order in which they became ready, and so do threads that wait for one; a kernel
// itself runs on all cores.
#pragma once

#include <span>

#include "opencl/objects.h"

namespace kc::cl {

struct WaitList {
  cl_uint count;
  const cl_event* events;
};

/// CL_SUCCESS, or what is wrong with a wait list.
cl_int check_wait_list(const _cl_context* context, WaitList list);

/// Gives CL_COMPLETE or an error.
using Work = std::move_only_function<cl_int()>;

/// Puts a command into a queue that has been checked. `barrier`: later commands wait for it, and with an
/// empty list it waits for all earlier ones; `marker`: only the latter. Waits for its end if `blocking`.
cl_int enqueue(cl_command_queue queue, cl_command_type type, WaitList list, cl_event* event, Work work,
               bool blocking = false, bool marker = false, bool barrier = false);

cl_int status_of(cl_event event);
/// CL_SUCCESS, or CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST.
cl_int wait_for(std::span<const cl_event> events);
void finish(cl_command_queue queue);
/// False if the event has ended already.
bool end_user_event(cl_event event, cl_int status);
void add_callback(cl_event event, const _cl_event::Callback& callback);

}  // namespace kc::cl
