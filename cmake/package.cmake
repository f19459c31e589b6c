# make deb: a Debian package of tool, libraries, headers, manual pages and completion. CPack makes it;
# dpkg-shlibdeps finds the packages of the libraries it was linked with.
set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_NAME mote)
set(CPACK_PACKAGE_VENDOR "the Mote authors")
set(CPACK_PACKAGE_CONTACT "the Mote authors <mote@localhost>")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "meshless physics for computer graphics")
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_STRIP_FILES ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SECTION science)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PACKAGE_RECOMMENDS "ffmpeg")
set(CPACK_DEBIAN_PACKAGE_SUGGESTS "libpng-dev, libyaml-dev, zlib1g-dev, libembree-dev")  # to link the libraries
set(CMAKE_SKIP_INSTALL_ALL_DEPENDENCY ON)  # "make deb" has built what is packed; all would be the tests, too
include(CPack)
