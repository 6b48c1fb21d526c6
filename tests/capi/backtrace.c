/* TENFERRO_BACKTRACE=1 (set by ctest for this program): the first line is the message, the call stack
 * follows. */
#include "check.h"

int main(void) {
    char text[8192];
    size_t length = 0;
    char* end;
    CHECK(tfe_tensor_f64_ndim(NULL) == 0);
    CHECK(tfe_last_error_message((uint8_t*)text, sizeof text, &length) == TFE_SUCCESS);
    CHECK(length == strlen(text) + 1);
    end = strchr(text, '\n');
    CHECK(end != NULL);
    if (end == NULL) return finish();
    *end = '\0';
    CHECK(strcmp(text, "tfe_tensor_f64_ndim: tensor is NULL") == 0);
    CHECK(strstr(end + 1, "tenferro") != NULL); /* a frame in the library */
    return finish();
}
