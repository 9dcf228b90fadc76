// SPDX-License-Identifier: Apache-2.0
// Lab files whose folder was copied out of the course: what they name and the copy lacks is in the course
// that is installed with the command.
#pragma once

#include "driver/grade/lab_file.h"

namespace kc {

/// With the installed course's path in place of each path that is not there from the lab file's folder. A lab
/// file without `course`, and one without an installed course, stays as it is.
LabFile with_installed_course(LabFile lab);

}  // namespace kc
