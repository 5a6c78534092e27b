# How everything is compiled. Nothing here depends on a single folder or target.

set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)
set(CMAKE_RUNTIME_OUTPUT_DIRECTORY "${PROJECT_BINARY_DIR}/bin")

if(NOT CMAKE_BUILD_TYPE)
  set(CMAKE_BUILD_TYPE Release CACHE STRING "Build type" FORCE)
endif()

add_compile_options(-Wall -Wextra)
if(SPOOR_STRICT)
  add_compile_options(-Werror)
endif()

if(CMAKE_UNITY_BUILD)
  # A class of which only a pointer is in a header may well have members of types that its own file hides.
  add_compile_options($<$<CXX_COMPILER_ID:GNU>:-Wno-subobject-linkage>)
endif()

if(SPOOR_SANITIZE)
  add_compile_options(
    -fsanitize=${SPOOR_SANITIZE} -fno-sanitize-recover=all -fno-omit-frame-pointer
    # GCC sees uninitialised members in its own <regex> when it instruments it.
    $<$<CXX_COMPILER_ID:GNU>:-Wno-maybe-uninitialized>
    # More than half of GCC's time goes into these two. An access through a null pointer is reported without them,
    # and the builds for libFuzzer, by clang, check both.
    $<$<CXX_COMPILER_ID:GNU>:-fno-sanitize=null,alignment>)
  add_link_options(-fsanitize=${SPOOR_SANITIZE})
endif()

if(SPOOR_COVERAGE)
  # Atomic counters: searches run on several threads.
  add_compile_options(--coverage -fprofile-update=atomic)
  add_link_options(--coverage)
endif()

if(SPOOR_FUZZ)
  if(NOT CMAKE_CXX_COMPILER_ID MATCHES "Clang")
    message(FATAL_ERROR "SPOOR_FUZZ needs clang (libFuzzer); use the preset 'fuzz'")
  endif()
  add_compile_options(-fsanitize=fuzzer-no-link)
endif()

find_program(SPOOR_CCACHE ccache)
mark_as_advanced(SPOOR_CCACHE)
if(SPOOR_CCACHE AND NOT CMAKE_CXX_COMPILER_LAUNCHER)
  set(CMAKE_C_COMPILER_LAUNCHER "${SPOOR_CCACHE}")
  set(CMAKE_CXX_COMPILER_LAUNCHER "${SPOOR_CCACHE}")
endif()
