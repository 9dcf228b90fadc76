# find_package(kernelc): the target kernelc::kernelc is the shared library. kernelc::kernelc_static is there when
# what it needs is installed, too.
include(${CMAKE_CURRENT_LIST_DIR}/kernelc_shared.cmake)
find_package(fmt QUIET)
find_package(TBB QUIET)
find_library(KERNELC_ASMJIT asmjit)
mark_as_advanced(KERNELC_ASMJIT)
if(fmt_FOUND AND TBB_FOUND AND KERNELC_ASMJIT)
  include(${CMAKE_CURRENT_LIST_DIR}/kernelc_static.cmake)
endif()
