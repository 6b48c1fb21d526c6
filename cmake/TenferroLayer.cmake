# tenferro_layer(name LINKS layer... PRIVATE library...): the folder's sources as one object library that sees
# only the layers it may include. Every .cpp below the folder belongs to the layer.
function(tenferro_layer name)
  cmake_parse_arguments(arg "" "" "LINKS;PRIVATE" ${ARGN})
  file(GLOB_RECURSE sources CONFIGURE_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/${name}/*.cpp)
  # Kernels, which are compiled once per instruction set, stay files of their own in a unity build: they share
  # names.
  foreach(source IN LISTS sources)
    file(STRINGS ${source} kernels REGEX "^#define HWY_TARGET_INCLUDE" LIMIT_COUNT 1)
    if(kernels)
      set_source_files_properties(${source} PROPERTIES SKIP_UNITY_BUILD_INCLUSION ON)
    endif()
  endforeach()
  add_library(tenferro_${name} OBJECT ${sources})
  target_include_directories(tenferro_${name} PUBLIC
    ${PROJECT_SOURCE_DIR}/include PRIVATE ${PROJECT_SOURCE_DIR}/src)
  set_target_properties(tenferro_${name} PROPERTIES
    POSITION_INDEPENDENT_CODE ON CXX_VISIBILITY_PRESET hidden VISIBILITY_INLINES_HIDDEN ON)
  # Functions of ours are not replaced by others of their name: calls within the library are direct.
  target_compile_options(tenferro_${name} PRIVATE -fno-semantic-interposition)
  target_link_libraries(tenferro_${name} PRIVATE tenferro_options ${arg_PRIVATE})
  foreach(layer IN LISTS arg_LINKS)
    target_link_libraries(tenferro_${name} PUBLIC tenferro_${layer})
  endforeach()
endfunction()
