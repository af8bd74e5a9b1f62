# Scenes and schema as constant data of the library.
#
#   include(tools/embed.cmake)
#   cairn_embed(<variable> SCHEMA <file> SCENES <folder>)
#
# sets <variable> to the path of a C source in the build tree, builtin_scenes.c, made at build time and made again when
# the schema or any <folder>/*.yaml changes. Add it to the library's sources; src/ must be on the include path:
#
#   cairn_embed(CAIRN_EMBEDDED SCHEMA ${PROJECT_SOURCE_DIR}/schema/scene.schema.json SCENES ${PROJECT_SOURCE_DIR}/scenes)
#   add_library(cairn_objects OBJECT ${CAIRN_SOURCES} ${CAIRN_EMBEDDED})
#
# A scene's name is its file name without .yaml; its title is the text of its first line that starts with "title:".
# The same file, run as a script (cmake -DOUTPUT=... -DSCHEMA=... -DSCENES=... -P tools/embed.cmake), writes the source.

set(CAIRN_EMBED_SCRIPT ${CMAKE_CURRENT_LIST_FILE})

function(cairn_embed variable)
  cmake_parse_arguments(EMBED "" "SCHEMA;SCENES" "" ${ARGN})
  set(output ${CMAKE_CURRENT_BINARY_DIR}/builtin_scenes.c)
  file(GLOB scenes CONFIGURE_DEPENDS ${EMBED_SCENES}/*.yaml)
  add_custom_command(OUTPUT ${output}
    COMMAND ${CMAKE_COMMAND} -DOUTPUT=${output} -DSCHEMA=${EMBED_SCHEMA} -DSCENES=${EMBED_SCENES}
            -P ${CAIRN_EMBED_SCRIPT}
    DEPENDS ${CAIRN_EMBED_SCRIPT} ${EMBED_SCHEMA} ${scenes}
    COMMENT "Embedding the scenes and the schema" VERBATIM)
  set(${variable} ${output} PARENT_SCOPE)
endfunction()

# Bytes rather than string literals: C promises only 4095 characters in one.
function(embed_hex name hex)
  string(REGEX REPLACE "(................................)" "\\1\n" hex "${hex}")
  string(REGEX REPLACE "([0-9a-f][0-9a-f])" "0x\\1," hex "${hex}")
  file(APPEND ${OUTPUT} "${name}[] = {\n${hex}0x00};\n\n")
endfunction()

function(embed_scene number path)
  file(READ ${path} hex HEX)
  embed_hex("static const unsigned char text_${number}" "${hex}")
  # The title is taken from the bytes, so that no character of it means anything to CMake: 7469746c653a is "title:".
  string(REGEX REPLACE "([0-9a-f][0-9a-f])" "\\1 " spaced "${hex}")
  set(title "")
  if("0a ${spaced}" MATCHES "0a 74 69 74 6c 65 3a (20 )*(([1-9a-f][0-9a-f] |0[0-9b-f] )*)")
    set(title "${CMAKE_MATCH_2}")
  endif()
  string(REGEX REPLACE "(20 |0d )+$" "" title "${title}")
  if(title MATCHES "^(22|27) (.*)(22|27) $")
    set(title "${CMAKE_MATCH_2}")
  endif()
  string(REPLACE " " "" title "${title}")
  embed_hex("static const unsigned char title_${number}" "${title}")
endfunction()

if(CMAKE_SCRIPT_MODE_FILE)
  # In the order of their names, which is not that of the files: "arch.yaml" comes after "arch-25.yaml".
  file(GLOB scenes RELATIVE ${SCENES} ${SCENES}/*.yaml)
  list(TRANSFORM scenes REPLACE "\\.yaml$" "")
  list(SORT scenes)
  file(WRITE ${OUTPUT} "/* Made by tools/embed.cmake from the scenes and the schema. */\n#include \"scene/builtin.h\"\n\n")
  set(number 0)
  set(table "")
  foreach(name IN LISTS scenes)
    embed_scene(${number} ${SCENES}/${name}.yaml)
    string(APPEND table "    {\"${name}\", (const char *)title_${number}, (const char *)text_${number}, "
                        "sizeof text_${number} - 1},\n")
    math(EXPR number "${number} + 1")
  endforeach()
  file(APPEND ${OUTPUT} "const cairn_builtin crn_builtin_scenes[] = {\n${table}    {0},\n};\n\n"
                        "const int crn_builtin_scene_count = ${number};\n\n")
  file(READ ${SCHEMA} hex HEX)
  embed_hex("const unsigned char crn_schema_bytes" "${hex}")
endif()
