// SPDX-License-Identifier: Apache-2.0
#ifndef SHARED_H
#define SHARED_H
#define SHARED_ONE 1
int triple(int x) { return x * 3; }
#endif
