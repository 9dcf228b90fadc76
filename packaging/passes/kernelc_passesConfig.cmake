# find_package(kernelc_passes): the target kernelc::kernelc_passes is the static library. Its interface is that of the
# compiler itself and changes with every version.
include(CMakeFindDependencyMacro)
find_dependency(fmt)
include(${CMAKE_CURRENT_LIST_DIR}/kernelc_passes.cmake)
