/* What leaky.cpp ought to export. */
#define TFE_API
TFE_API int tfe_leaky(const char* text);
