# Embeds sql/migrations/NNNN_name.sql as sql::kMigrations, an array ordered by number, each with the
# SHA-256 of its file, and scripts beside them: the program carries its whole schema.

function(write_if_different path text)
    file(WRITE ${path}.new "${text}")
    file(COPY_FILE ${path}.new ${path} ONLY_IF_DIFFERENT)
    file(REMOVE ${path}.new)
endfunction()

function(read_sql path result)
    set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${path})
    file(READ ${path} text)
    string(FIND "${text}" ")sql\"" clash)
    if(NOT clash EQUAL -1)
        message(FATAL_ERROR "${path} contains )sql\", the end of the literal that embeds it")
    endif()
    set(${result} "${text}" PARENT_SCOPE)
endfunction()

function(embed_migrations)
    file(GLOB paths CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/sql/migrations/*.sql)
    list(SORT paths)
    list(LENGTH paths count)
    string(CONCAT body "#pragma once\n\n#include \"processor/pg/migration.h\"\n\n"
        "#include <array>\n\nnamespace sql {\n"
        "inline constexpr std::array<pg::Migration, ${count}> kMigrations{{\n")
    set(before 0)
    foreach(path IN LISTS paths)
        get_filename_component(file ${path} NAME)
        if(NOT file MATCHES "^([0-9][0-9][0-9][0-9])_([a-z0-9_]+)\\.sql$")
            message(FATAL_ERROR "sql/migrations/${file} is not named NNNN_name.sql")
        endif()
        set(name ${CMAKE_MATCH_2})
        string(REGEX REPLACE "^0+" "" number ${CMAKE_MATCH_1})
        math(EXPR expected "${before} + 1")
        if(NOT number EQUAL expected)
            message(FATAL_ERROR "sql/migrations/${file}: the number after ${before} is ${expected}")
        endif()
        set(before ${number})
        file(SHA256 ${path} sha256)
        read_sql(${path} text)
        string(APPEND body "    {${number}, \"${name}\", R\"sql(${text})sql\",\n"
            "        \"${sha256}\"},\n")
    endforeach()
    string(APPEND body "}};\n} // namespace sql\n")
    write_if_different(${PROJECT_BINARY_DIR}/generated/sql/migrations.h "${body}")
endfunction()

# sql/<name>.sql, a script of its own, as sql::k<constant> in "sql/<name>.h".
function(embed_script name constant)
    read_sql(${PROJECT_SOURCE_DIR}/sql/${name}.sql text)
    string(CONCAT body "#pragma once\n\nnamespace sql {\n"
        "inline constexpr const char* k${constant} = R\"sql(${text})sql\";\n} // namespace sql\n")
    write_if_different(${PROJECT_BINARY_DIR}/generated/sql/${name}.h "${body}")
endfunction()
