// A library that tools/check_library.py must refuse: static and thread-local objects with destructors, one of
// them behind a lock, and in its RUNPATH an empty entry (CMakeLists.txt).
#include <string>

const std::string& unfit_name(const char* first) {
    static const std::string name(first);
    thread_local std::string mine(name);
    mine += '.';
    return mine;
}
