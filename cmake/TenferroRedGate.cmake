# tenferro_red_gate(NAME FILE CHANGE COMMAND...): a test that the check COMMAND fails on FILE with one change.
# CHANGE is "from|to|message", where the check has to print `message`; the word CHANGED among the arguments of
# COMMAND stands for the changed file.
function(tenferro_red_gate name file change)
  string(REPLACE "|" ";" parts "${change}")
  list(GET parts 0 from)
  list(GET parts 1 to)
  list(GET parts 2 message)
  string(MD5 id "${change}")
  string(SUBSTRING ${id} 0 8 id)
  get_filename_component(extension ${file} EXT)
  set(changed ${CMAKE_CURRENT_BINARY_DIR}/changed_${id}${extension})
  file(READ ${file} text)
  string(REPLACE "${from}" "${to}" text "${text}")
  file(WRITE ${changed} "${text}")
  list(TRANSFORM ARGN REPLACE "^CHANGED$" ${changed})
  add_test(NAME ${name}_red_${id} COMMAND ${Python3_EXECUTABLE}
    ${PROJECT_SOURCE_DIR}/tests/gates/expect_failure.py ${message} ${ARGN})
endfunction()
