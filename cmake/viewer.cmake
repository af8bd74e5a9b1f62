# The viewer's page (viewer/, TypeScript) as constant data of the tool.
#
#   cairn_viewer(<variable>)
#
# sets <variable> to the path of a C source in the build tree (declared in cli/view/view_page.h), made again when a file of
# viewer/ changes. npm fetches the packages that viewer/package-lock.json pins into viewer/node_modules, once. Where the
# viewer is off, or AUTO and cannot be built, the page is empty and `cairn view` says so.
# The same file, run as a script (cmake -DVIEWER=... -DOUTPUT=... -P cmake/viewer.cmake), builds the page.

set(CAIRN_VIEWER_SCRIPT ${CMAKE_CURRENT_LIST_FILE})

function(cairn_viewer variable)
  set(viewer ${PROJECT_SOURCE_DIR}/viewer)
  set(output ${PROJECT_BINARY_DIR}/view_page.c)
  set(${variable} ${output} PARENT_SCOPE)
  find_program(CAIRN_NPM npm)
  find_program(CAIRN_NODE NAMES node nodejs)
  set(usable FALSE)
  if(CAIRN_NPM AND CAIRN_NODE)
    set(usable TRUE)
  elseif(CAIRN_VIEWER STREQUAL "AUTO")
    message(STATUS "node or npm is missing: the tool is built without its viewer")
  elseif(CAIRN_VIEWER)
    message(FATAL_ERROR "CAIRN_VIEWER needs node and npm (tools/install_packages.sh)")
  endif()
  file(GLOB_RECURSE sources CONFIGURE_DEPENDS ${viewer}/src/*)
  list(APPEND sources ${viewer}/index.html ${viewer}/package.json ${viewer}/package-lock.json ${viewer}/tsconfig.json
    ${viewer}/vite.config.ts ${viewer}/embed.mjs)
  set(wanted OFF)
  if(usable)
    set(wanted ${CAIRN_VIEWER})
  endif()
  add_custom_command(OUTPUT ${output}
    COMMAND ${CMAKE_COMMAND} -DVIEWER=${viewer} -DOUTPUT=${output} -DWANTED=${wanted} -DNPM=${CAIRN_NPM}
            -DNODE=${CAIRN_NODE} -P ${CAIRN_VIEWER_SCRIPT}
    DEPENDS ${CAIRN_VIEWER_SCRIPT} ${sources}
    COMMENT "Building the viewer's page" VERBATIM)
endfunction()

# Without the page: the tool still builds, and says what it lacks.
function(write_empty_page)
  file(WRITE ${OUTPUT} "#include \"cli/view/view_page.h\"\n\nconst unsigned char cli_view_page[] = {0};\n\n"
                       "const size_t cli_view_page_size = 0;\n")
endfunction()

function(run_or_give_up what)
  execute_process(COMMAND ${ARGN} WORKING_DIRECTORY ${VIEWER} RESULT_VARIABLE result
    OUTPUT_VARIABLE log ERROR_VARIABLE log)
  if(result EQUAL 0)
    return()
  endif()
  message("${log}")
  if(WANTED STREQUAL "AUTO" AND what STREQUAL "fetching its packages")
    message(WARNING "${what} failed: the tool is built without its viewer; remove ${OUTPUT} to try again")
    write_empty_page()
    set(gave_up TRUE PARENT_SCOPE)
  else()
    message(FATAL_ERROR "building the viewer: ${what} failed")
  endif()
endfunction()

if(CMAKE_SCRIPT_MODE_FILE)
  if(NOT WANTED)
    write_empty_page()
    return()
  endif()
  # Fetched again only when the lock file changed.
  set(stamp ${VIEWER}/node_modules/.cairn-stamp)
  file(SHA256 ${VIEWER}/package-lock.json hash)
  set(have "")
  if(EXISTS ${stamp})
    file(READ ${stamp} have)
  endif()
  set(gave_up FALSE)
  if(NOT have STREQUAL hash)
    run_or_give_up("fetching its packages" ${NPM} ci --ignore-scripts --no-audit --no-fund)
    if(gave_up)
      return()
    endif()
    file(WRITE ${stamp} ${hash})
  endif()
  get_filename_component(folder ${OUTPUT} DIRECTORY)
  run_or_give_up("checking its types" ${NODE} node_modules/typescript/bin/tsc --noEmit)
  run_or_give_up("bundling" ${NODE} node_modules/vite/bin/vite.js build --logLevel warn --emptyOutDir
    --outDir ${folder}/viewer)
  run_or_give_up("embedding" ${NODE} embed.mjs ${folder}/viewer/index.html ${OUTPUT})
endif()
