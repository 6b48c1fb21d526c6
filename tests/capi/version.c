/* The version functions agree with each other and with the header. */
#include "check.h"

int main(void) {
    int32_t major = -1, minor = -1, patch = -1;
    char text[64];
    tfe_version(&major, &minor, &patch);
    CHECK(major == TFE_VERSION_MAJOR && minor == TFE_VERSION_MINOR && patch == TFE_VERSION_PATCH);
    snprintf(text, sizeof text, "%d.%d.%d", (int)major, (int)minor, (int)patch);
    CHECK(strcmp(tfe_version_string(), text) == 0);
    CHECK(tfe_version_string() == tfe_version_string());
    minor = -1;
    tfe_version(NULL, &minor, NULL);
    CHECK(minor == TFE_VERSION_MINOR);
    tfe_version(NULL, NULL, NULL);
    return finish();
}
