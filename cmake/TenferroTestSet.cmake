# Sets of tests that are built and run alone (tools/test.sh NAME...): all that a folder adds.

# tenferro_test_set(name [targets...]): every test of this folder so far bears the label `name`, and the
# target tests_<name> builds the folder's programs and these targets.
function(tenferro_test_set name)
  get_property(tests DIRECTORY PROPERTY TESTS)
  get_property(programs DIRECTORY PROPERTY BUILDSYSTEM_TARGETS)
  set_property(TEST ${tests} APPEND PROPERTY LABELS ${name})
  add_custom_target(tests_${name} DEPENDS ${programs} ${ARGN})
endfunction()
