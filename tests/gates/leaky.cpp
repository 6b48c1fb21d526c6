// Known-bad input of the symbol gate when linked without the version script: a C function whose C++ helpers
// from the standard library are exported with it. Linked with the script, only the function is.
#include <map>
#include <string>

extern "C" int tfe_leaky(const char* text) {
    std::map<std::string, int> counts;
    counts[text] += 1;
    return static_cast<int>(counts.size());
}
