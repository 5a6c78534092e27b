# One static library per folder of src/, linked only to the folders it may use.
#
#   spoor_folder(<name> [JOINED] [USES <folder>...] [LIBS <external target>...])
#   spoor_program(<target> <folder> [LIBS <external target>...])
#
# JOINED: with SPOOR_JOIN, several files are compiled as one. Only for folders in which no search spends its
# time: the compiler may inline other functions then, and the speed of the hot code should not depend on which files
# lie beside it. Programs are joined, too.
#
# USES lists every folder whose headers this one may include; all of them must be declared
# before it, so dependencies can only point one way. A program may use all folders.
# tests/check_layers.py reads the same lines from src/CMakeLists.txt and compares them with the
# #include lines, because a shared include root alone would let any header be found.
#
# A folder that is missing or has no .cpp file yet becomes an INTERFACE library.

define_property(GLOBAL PROPERTY SPOOR_LIBRARIES BRIEF_DOCS "Libraries declared by spoor_folder")

# With SPOOR_JOIN, compiles the files of a target eight at a time, as the builds with sanitizers do with all targets.
function(spoor_join target)
  if(SPOOR_JOIN)
    set_target_properties(${target} PROPERTIES UNITY_BUILD ON UNITY_BUILD_BATCH_SIZE 8)
    target_compile_options(${target} PRIVATE $<$<CXX_COMPILER_ID:GNU>:-Wno-subobject-linkage>)  # as in options.cmake
  endif()
endfunction()

function(spoor_folder name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "JOINED" "" "USES;LIBS")
  file(GLOB sources CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/src/${name}/*.cpp")
  if(sources)
    add_library(spoor_${name} STATIC ${sources})
    set(visibility PUBLIC)
    if(arg_JOINED)
      spoor_join(spoor_${name})
    endif()
  else()
    add_library(spoor_${name} INTERFACE)
    set(visibility INTERFACE)
  endif()
  target_include_directories(spoor_${name} ${visibility}
    "${PROJECT_SOURCE_DIR}/src" "${PROJECT_BINARY_DIR}/generated")
  foreach(used IN LISTS arg_USES)
    if(NOT TARGET spoor_${used})
      message(FATAL_ERROR "src/${name} uses ${used}, which is not declared above it")
    endif()
    target_link_libraries(spoor_${name} ${visibility} spoor_${used})
  endforeach()
  target_link_libraries(spoor_${name} ${visibility} ${arg_LIBS})
  set_property(GLOBAL APPEND PROPERTY SPOOR_LIBRARIES spoor_${name})
endfunction()

function(spoor_program target folder)
  cmake_parse_arguments(PARSE_ARGV 2 arg "" "" "LIBS")
  file(GLOB sources CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/src/${folder}/*.cpp")
  get_property(libraries GLOBAL PROPERTY SPOOR_LIBRARIES)
  add_executable(${target} ${sources})
  spoor_join(${target})
  target_include_directories(${target} PRIVATE
    "${PROJECT_SOURCE_DIR}/src" "${PROJECT_BINARY_DIR}/generated")
  target_link_libraries(${target} PRIVATE ${libraries} ${arg_LIBS})
endfunction()

# In strict builds the layering is checked whenever a source file has changed.
function(spoor_check_layers)
  find_package(Python3 COMPONENTS Interpreter)
  if(NOT Python3_FOUND)
    message(STATUS "No python3: the layering of src/ is not checked in this build")
    return()
  endif()
  set(script "${PROJECT_SOURCE_DIR}/tests/check_layers.py")
  set(stamp "${PROJECT_BINARY_DIR}/layers.stamp")
  file(GLOB_RECURSE files CONFIGURE_DEPENDS
    "${PROJECT_SOURCE_DIR}/src/*.cpp" "${PROJECT_SOURCE_DIR}/src/*.h")
  add_custom_command(OUTPUT "${stamp}"
    COMMAND Python3::Interpreter "${script}" "${PROJECT_SOURCE_DIR}"
    COMMAND "${CMAKE_COMMAND}" -E touch "${stamp}"
    DEPENDS "${script}" "${PROJECT_SOURCE_DIR}/src/CMakeLists.txt" ${files}
    COMMENT "Checking the layering of src/"
    VERBATIM)
  add_custom_target(spoor_layers ALL DEPENDS "${stamp}")
endfunction()
