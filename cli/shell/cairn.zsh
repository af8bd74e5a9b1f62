#compdef cairn
# Completion of `cairn` in zsh. Commands, options and the words that options take come from the help texts, so that they are those of the
# installed program.

_cairn_commands()
{
    local -a commands
    commands=(${(f)"$(cairn --help 2>/dev/null | awk '/^commands:/ { on = 1; next } on && /^  [a-z]/ {
        name = $1; sub(/^ *[a-z]+ +/, ""); print name ":" $0 } on && /^$/ { exit }')"} 'help:explain a command')
    _describe command commands
}

_cairn_scenes()
{
    local -a scenes
    scenes=(${(f)"$(cairn examples 2>/dev/null | awk '{ print $1 }')"})
    _describe scene scenes
}

# The options of a command as _arguments takes them: --law[box | cone: law of contact]:NAME:(box cone)
_cairn_options()
{
    cairn "$1" --help 2>/dev/null | awk '
        /^options:/ { on = 1; next }
        !on { next }
        {
            letter = $1 ~ /,$/ ? substr($1, 1, 2) : ""
            name = letter != "" ? $2 : $1
            value = letter != "" ? $3 : $2
            help = $0
            sub(/^ *(-[a-z], )?--[a-z-]+/, "", help)
            if (help !~ /^ [^ ]/) value = ""
            else sub(/^ [^ ]+/, "", help)
            sub(/^ +/, "", help)
            words = help
            sub(/[:;].*/, "", words)
            if (value == "on|off") words = "on off"
            else if (words !~ / \| /) words = ""
            else { gsub(/ \| /, "\n", words); gsub(/ \([^\n]*|,[^\n]*/, "", words); gsub(/\(m\)/, "(8)", words); gsub(/[ ()]/, "\\\\&", words); gsub(/\n/, " ", words) }
            gsub(/\[|\]|:/, "\\\\&", help)
            gsub(/:/, "\\:", value)
            action = value == "" ? "" : ":" value ":" (words != "" ? "(" words ")" : "_files")
            print name "[" help "]" action
            if (letter != "") print letter "[" help "]" action
        }'
}

_cairn()
{
    if (( CURRENT == 2 )); then
        _cairn_commands
        return
    fi
    local command=${words[2]}
    if [[ $command == help ]]; then
        _cairn_commands
        return
    fi
    local -a options
    options=(${(f)"$(_cairn_options $command)"})
    shift words
    (( CURRENT-- ))
    case $command in
    run|check|study|compare|view|query|export|examples) _arguments -s "$options[@]" '*:scene or file:_cairn_scene_or_file' ;;
    *) _arguments -s "$options[@]" '*:file:_files' ;;
    esac
}

_cairn_scene_or_file()
{
    _alternative 'scenes:scene:_cairn_scenes' 'files:file:_files'
}

if [[ $zsh_eval_context[-1] == loadautofunc ]]; then
    _cairn "$@"
else
    compdef _cairn cairn
fi
