# lapilli_add_backend(NAME cpu|cuda SOURCES ...)
#
# Compiles the kernel sources once for a backend. Each source stands in namespace
# lapilli::LAPILLI_BACKEND, so both backends live side by side in one library. For CUDA every
# source is included by a generated .cu file: the physics is written once.
function (lapilli_add_backend)
  cmake_parse_arguments(BACKEND "" "NAME" "SOURCES" ${ARGN})
  set(target "lapilli_core_${BACKEND_NAME}")
  set(sources)
  foreach (source IN LISTS BACKEND_SOURCES)
    if (BACKEND_NAME STREQUAL "cuda")
      string(MAKE_C_IDENTIFIER "${source}" identifier)
      set(wrapper "${CMAKE_CURRENT_BINARY_DIR}/Cuda/${identifier}.cu")
      file(CONFIGURE OUTPUT "${wrapper}"
        CONTENT "#include \"${CMAKE_CURRENT_SOURCE_DIR}/${source}\"\n")
      list(APPEND sources "${wrapper}")
    else ()
      list(APPEND sources "${source}")
    endif ()
  endforeach ()

  add_library(${target} STATIC ${sources})
  target_compile_definitions(${target} PRIVATE
    LAPILLI_BACKEND=${BACKEND_NAME}
    THRUST_CUB_WRAPPED_NAMESPACE=lapilli_private)
  target_link_libraries(${target} PRIVATE lapilli_core_settings PUBLIC lapilli_core_base)
  if (BACKEND_NAME STREQUAL "cuda")
    # PUBLIC: whoever links the static library needs the runtime.
    set_target_properties(${target} PROPERTIES CUDA_RUNTIME_LIBRARY Static)
    target_link_libraries(${target} PUBLIC CUDA::cudart_static)
    if (LAPILLI_BUILD_TESTING)
      # A test reads the code's registers and local memory.
      target_compile_options(${target} PRIVATE --no-compress)
    endif ()
  else ()
    target_compile_definitions(${target} PRIVATE
      THRUST_HOST_SYSTEM=THRUST_HOST_SYSTEM_CPP
      THRUST_DEVICE_SYSTEM=THRUST_DEVICE_SYSTEM_OMP)
    target_include_directories(${target} SYSTEM PRIVATE "${LAPILLI_THRUST_INCLUDE_DIR}")
    target_link_libraries(${target} PUBLIC OpenMP::OpenMP_CXX)
  endif ()
endfunction ()
