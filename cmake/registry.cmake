# The lists of stores, searches and estimators (src/store/stores.inc, src/search/searches.inc,
# src/estimate/estimators.inc) say what the program has, one line each. From them are made:
#
#   generated/search/searches.h             includes every search
#   generated/search/with_<store>.cpp       all searches with one store; a file each, so that they are
#                                           compiled side by side
#   generated/estimate/all_estimators.h     includes every estimator
#
# Adding one is adding its file and a line there.

# Sets <output> to "First second First second ...", the first two entries of each line.
function(spoor_read_list list macro output)
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/src/${list}")
  file(STRINGS "${PROJECT_SOURCE_DIR}/src/${list}" rows REGEX "^${macro}")
  set(entries "")
  foreach(row IN LISTS rows)
    if(NOT row MATCHES "^${macro}\\(([A-Za-z]+), ([a-z_]+), ")
      message(FATAL_ERROR "src/${list}: cannot read ${row}")
    endif()
    list(APPEND entries "${CMAKE_MATCH_1}" "${CMAKE_MATCH_2}")
  endforeach()
  set(${output} "${entries}" PARENT_SCOPE)
endfunction()

# A header that includes the files of a list.
function(spoor_include_all list macro header)
  spoor_read_list("${list}" "${macro}" entries)
  get_filename_component(folder "${list}" DIRECTORY)
  set(text "#pragma once\n")
  while(entries)
    list(POP_FRONT entries class name)
    string(APPEND text "#include \"${folder}/${name}.h\"\n")
  endwhile()
  file(CONFIGURE OUTPUT "${PROJECT_BINARY_DIR}/generated/${folder}/${header}" CONTENT "${text}" @ONLY)
endfunction()

function(spoor_register_searches target)
  spoor_include_all(search/searches.inc SPOOR_SEARCH searches.h)
  spoor_read_list(store/stores.inc SPOOR_STORE entries)
  while(entries)
    list(POP_FRONT entries Kind name)
    set(source "${PROJECT_BINARY_DIR}/generated/search/with_${name}.cpp")
    configure_file("${PROJECT_SOURCE_DIR}/src/search/with_store.cpp.in" "${source}" @ONLY)
    target_sources(${target} PRIVATE "${source}")
    set_source_files_properties("${source}" PROPERTIES SKIP_UNITY_BUILD_INCLUSION ON)
  endwhile()
endfunction()

function(spoor_register_estimators)
  spoor_include_all(estimate/estimators.inc SPOOR_ESTIMATOR all_estimators.h)
endfunction()
