# Completion of `cairn` in bash. Commands, options and the words that options take come from the help texts, so that they are those of the
# installed program.

_cairn_commands()
{
    cairn --help 2>/dev/null | awk '/^commands:/ { on = 1; next } on && /^  [a-z]/ { print $1 } on && /^$/ { exit }'
}

_cairn_options()
{
    cairn "$1" --help 2>/dev/null | awk '/^options:/ { on = 1; next } on {
        for (i = 1; i <= 2; ++i) if ($i ~ /^-/) { sub(/,$/, "", $i); print $i } }'
}

# The words of an option whose help lists them: "--law NAME    box | cone: law of contact".
_cairn_words()
{
    cairn "$1" --help 2>/dev/null | awk -v option="$2" '
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
}

# Whether an option of a command takes a value: one space after its name follows what the value is.
_cairn_takes_value()
{
    cairn "$1" --help 2>/dev/null | awk -v option="$2" '
        { name = $1 ~ /,$/ ? $2 : $1; letter = $1; sub(/,$/, "", letter) }
        (name == option || letter == option) && /--[a-z-]+ [^ ]/ { found = 1 }
        END { exit !found }'
}

_cairn_scenes()
{
    cairn examples 2>/dev/null | awk '{ print $1 }'
}

_cairn_offer()
{
    local IFS=$'\n'
    COMPREPLY+=($(compgen -W "$1" -- "$current"))
}

_cairn()
{
    local current=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD - 1]} command=${COMP_WORDS[1]}
    COMPREPLY=()
    if [ "$COMP_CWORD" -eq 1 ]; then
        _cairn_offer "$(_cairn_commands; printf '%s\n' help --help --version)"
        return
    fi
    case $command in
    help)
        _cairn_offer "$(_cairn_commands)"
        return
        ;;
    esac
    case $before in
    -*)
        local words
        words=$(_cairn_words "$command" "$before")
        if [ -n "$words" ]; then
            _cairn_offer "$words"
            return
        elif _cairn_takes_value "$command" "$before"; then
            COMPREPLY=($(compgen -f -- "$current"))
            return
        fi
        ;;
    esac
    case $current in
    -*) _cairn_offer "$(_cairn_options "$command")" ;;
    *)
        case $command in
        run | check | study | compare | view | query | export | examples) _cairn_offer "$(_cairn_scenes)" ;;
        esac
        COMPREPLY+=($(compgen -f -- "$current"))
        ;;
    esac
}

complete -o filenames -F _cairn cairn
