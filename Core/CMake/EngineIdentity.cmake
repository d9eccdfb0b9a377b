# Run by `cmake -P` whenever a source of the engine has changed: writes OUTPUT, a C++ file with a name for
# these sources and this way of compiling them. What one build has left on disk, another may go on
# with only if both names are the same.
file(GLOB_RECURSE sources "${CORE}/*.h" "${CORE}/*.cpp" "${CORE}/*.cu")
list(SORT sources)
set(all "${SETTINGS}")
foreach (source IN LISTS sources)
  file(SHA256 "${source}" hash)
  file(RELATIVE_PATH name "${CORE}" "${source}")
  string(APPEND all "\n${name} ${hash}")
endforeach ()
string(SHA256 identity "${all}")
string(SUBSTRING "${identity}" 0 32 identity)
file(WRITE "${OUTPUT}" "// Written by EngineIdentity.cmake.
#include \"Device.h\"

const char* lapilli::engineIdentity()
{
  return \"${identity}\";
}
")
