# SPDX-License-Identifier: Apache-2.0
"""A program in Python for any OpenCL device, with pyopencl. It knows nothing of kernelc.

It counts primes by trial division, a loop that each work-item leaves in a different iteration.
"""
import numpy
import pyopencl

SOURCE = """
kernel void is_prime(global const uint* numbers, global uint* result) {
    size_t i = get_global_id(0);
    uint n = numbers[i], d = 2;
    while (d * d <= n && n % d != 0) ++d;
    result[i] = n > 1 && d * d > n;
}
"""

context = pyopencl.Context([pyopencl.get_platforms()[0].get_devices()[0]])
queue = pyopencl.CommandQueue(context)
program = pyopencl.Program(context, SOURCE).build()
numbers = numpy.arange(100_000, dtype=numpy.uint32)
result = numpy.empty_like(numbers)
flags = pyopencl.mem_flags
source = pyopencl.Buffer(context, flags.READ_ONLY | flags.COPY_HOST_PTR, hostbuf=numbers)
target = pyopencl.Buffer(context, flags.WRITE_ONLY, result.nbytes)
program.is_prime(queue, numbers.shape, None, source, target)
pyopencl.enqueue_copy(queue, result, target)
print(f"{context.devices[0].name}: {result.sum()} primes below {len(numbers)}")
