# A C program built with pkg-config's flags alone.
set(ENV{PKG_CONFIG_PATH} ${WORK}/prefix/${LIBDIR}/pkgconfig)
execute_process(COMMAND pkg-config --cflags --libs tenferro OUTPUT_VARIABLE flags OUTPUT_STRIP_TRAILING_WHITESPACE COMMAND_ERROR_IS_FATAL ANY)
separate_arguments(flags)
execute_process(COMMAND ${C_COMPILER} -std=c99 ${SOURCE}/tests/package/consumer.c ${flags} -Wl,-rpath,${WORK}/prefix/${LIBDIR} -o ${WORK}/consumer
  COMMAND_ERROR_IS_FATAL ANY)
execute_process(COMMAND ${WORK}/consumer COMMAND_ERROR_IS_FATAL ANY)
