# CTest reads this before it runs tests: none of them may write into the user's folder of caches.
set(ENV{KERNELC_VULKAN_CACHE} off)
