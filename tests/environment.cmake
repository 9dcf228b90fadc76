# CTest reads this before it runs tests: none of them may write into the user's folder of caches.
set(ENV{KERNELC_CACHE} off)
set(ENV{KERNELC_VULKAN_CACHE} off)
# The compiler checks its own work in all of them.
set(ENV{KERNELC_CHECKS} 1)
