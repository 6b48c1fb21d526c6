/* TENFERRO_BACKTRACE=1 (set by ctest for this program): the first line is the message, the call stack
 * follows, whatever the failure was. */
#include "check.h"

/* The last error is this line, and frames in the library follow. */
static void followed_by_stack(const char* line) {
    char text[32768];
    size_t length = 0;
    char* end;
    CHECK(tfe_last_error_message((uint8_t*)text, sizeof text, &length) == TFE_SUCCESS);
    CHECK(length == strlen(text) + 1);
    end = strchr(text, '\n');
    CHECK(end != NULL);
    if (end == NULL) return;
    *end = '\0';
    CHECK(strncmp(text, line, strlen(line)) == 0);
    CHECK(strstr(end + 1, "tenferro") != NULL);
}

int main(void) {
    const size_t huge[2] = {(size_t)1 << 30, (size_t)1 << 20};
    tfe_status_t status = 77;
    CHECK(tfe_tensor_f64_ndim(NULL) == 0);
    followed_by_stack("tfe_tensor_f64_ndim: tensor is NULL");
    CHECK(tfe_tensor_f64_zeros(huge, 2, &status) == NULL && status == TFE_INTERNAL_ERROR);
    CHECK(tfe_last_error_detail() == TFE_DETAIL_OUT_OF_MEMORY);
    followed_by_stack("");
    return finish();
}
