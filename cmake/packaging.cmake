# `cmake --install` and the Debian package (`cpack` in the build folder).

include(GNUInstallDirs)

install(TARGETS spoor RUNTIME DESTINATION "${CMAKE_INSTALL_BINDIR}")

foreach(document README.md ARCHITECTURE.md CONTRIBUTING.md CHANGELOG.md)
  install(FILES "${PROJECT_SOURCE_DIR}/${document}" DESTINATION "${CMAKE_INSTALL_DOCDIR}" OPTIONAL)
endforeach()
install(FILES "${PROJECT_SOURCE_DIR}/LICENSE" DESTINATION "${CMAKE_INSTALL_DOCDIR}"
  RENAME copyright)
foreach(folder docs examples)
  if(IS_DIRECTORY "${PROJECT_SOURCE_DIR}/${folder}")
    install(DIRECTORY "${PROJECT_SOURCE_DIR}/${folder}" DESTINATION "${CMAKE_INSTALL_DOCDIR}"
      PATTERN "*.1" EXCLUDE PATTERN ".spoor" EXCLUDE)
  endif()
endforeach()
file(GLOB manuals CONFIGURE_DEPENDS
  "${PROJECT_SOURCE_DIR}/man/*.1" "${PROJECT_SOURCE_DIR}/docs/*.1"
  "${PROJECT_SOURCE_DIR}/docs/man/*.1")
if(manuals)
  install(FILES ${manuals} DESTINATION "${CMAKE_INSTALL_MANDIR}/man1")
endif()

set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_NAME spoor)
set(CPACK_PACKAGE_VENDOR "The Spoor authors")
set(CPACK_PACKAGE_CONTACT "The Spoor authors <spoor@example.org>")
set(CPACK_PACKAGING_INSTALL_PREFIX "/usr")
set(CPACK_STRIP_FILES ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SECTION devel)
# Shared libraries are found by dpkg-shlibdeps. Models are preprocessed by cpp; a C compiler is
# only needed by the native tier.
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PACKAGE_DEPENDS cpp)
set(CPACK_DEBIAN_PACKAGE_RECOMMENDS "gcc, libc6-dev")
set(CPACK_DEBIAN_PACKAGE_DESCRIPTION "${PROJECT_DESCRIPTION}")
include(CPack)
