# Completion of `cairn` in fish. Commands, options and the words that options take come from the help texts, so that they are those of the
# installed program.

function __cairn_commands
    cairn --help 2>/dev/null | awk '/^commands:/ { on = 1; next } on && /^  [a-z]/ {
        name = $1; sub(/^ *[a-z]+ +/, ""); print name "\t" $0 } on && /^$/ { exit }'
    printf 'help\texplain a command\n'
end

function __cairn_command
    set -l words (commandline -opc)
    test (count $words) -gt 1; and echo $words[2]
end

function __cairn_options
    set -l command (__cairn_command)
    cairn $command --help 2>/dev/null | awk '
        /^options:/ { on = 1; next }
        !on { next }
        {
            name = $1 ~ /,$/ ? $2 : $1
            help = $0
            sub(/^ *(-[a-z], )?--[a-z-]+( [^ ]+)? +/, "", help)
            print name "\t" help
        }'
end

# The words of the option before the cursor, if its help lists them.
function __cairn_words
    set -l words (commandline -opc)
    set -l option $words[-1]
    cairn (__cairn_command) --help 2>/dev/null | awk -v option="$option" '
        { name = $1 ~ /,$/ ? $2 : $1; letter = $1; sub(/,$/, "", letter) }
        name != option && letter != option { next }
        / on\|off / { print "on"; print "off"; exit }
        {
            sub(/^ *(-[a-z], )?--[a-z-]+ [^ ]+ +/, "")
            sub(/[:;].*/, "")
            if (!/ \| /) exit
            count = split($0, word, / \| /)
            for (i = 1; i <= count; ++i) { sub(/ \(.*|,.*/, "", word[i]); sub(/\(m\)/, "(8)", word[i]); print word[i] }
            exit
        }'
end

function __cairn_needs_command
    test -z (__cairn_command)
end

function __cairn_takes_scene
    contains -- (__cairn_command) run check study compare view query export examples
    and test -z "$(__cairn_words)"
end

complete -c cairn -n __cairn_needs_command -f -a '(__cairn_commands)'
complete -c cairn -n 'test "$(__cairn_command)" = help' -f -a '(__cairn_commands)'
complete -c cairn -n 'not __cairn_needs_command; and string match -q -- "-*" (commandline -ct)' -a '(__cairn_options)'
complete -c cairn -n 'not __cairn_needs_command' -a '(__cairn_words)'
complete -c cairn -n __cairn_takes_scene -a '(cairn examples 2>/dev/null | awk "{ print \$1 }")'
