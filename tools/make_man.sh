#!/bin/sh
# The manual page cairn(1), from the help texts of the program itself.
# Usage: tools/make_man.sh CAIRN > cairn.1
set -eu
program=$1
version=$("$program" --version | awk '{ print $2 }')

# Text for roff: backslashes, hyphens as they are typed, and no line that looks like a request.
roff='function roff(text) {
    gsub(/\\/, "\\e", text)
    gsub(/-/, "\\-", text)
    if (text ~ /^[.\047]/) text = "\\\\&" text
    return text
}'

commands()
{
    "$program" --help | awk '/^commands:/ { on = 1; next } on && /^$/ { exit } on'
}

# One command: usage as heading, its paragraphs, then the options as a tagged list.
command_section()
{
    "$program" "$1" --help | awk "$roff"'
        NR == 1 { sub(/^usage: /, ""); print ".SS \"" roff($0) "\""; next }
        /^options:/ { on = 1; next }
        on {
            help = substr($0, 33)
            tag = substr($0, 1, 32)
            if (substr($0, 1, 32) ~ /[^ ]$/) { # a long tag pushes its help to the right
                at = match(substr($0, 7), /  /) + 6
                tag = substr($0, 1, at)
                help = substr($0, at)
            }
            gsub(/^ +| +$/, "", tag)
            sub(/^ +/, "", help)
            print ".TP"
            print "\\fB" roff(tag) "\\fR"
            print roff(help)
            next
        }
        /^ / { if (!table) print ".nf"; table = 1; print roff($0); next }
        table { print ".fi"; table = 0 }
        /^$/ { if (NR > 2) print ".PP"; next }
        { print roff($0) }
        END { if (table) print ".fi" }'
}

cat <<HEAD
.TH CAIRN 1 "" "cairn $version" "User Commands"
.SH NAME
cairn \\- dynamics of rigid bodies with contact, friction, impacts, joints and springs
.SH SYNOPSIS
.B cairn
.I COMMAND
.RI [ arguments ]
.SH DESCRIPTION
Cairn simulates rigid bodies that touch, stick, slip, collide, hang from joints and pull on stiff springs. A scene is a YAML file
or the name of a built\\-in scene; a run is an HDF5 file. Results go to standard output, messages and progress to standard error.
.SH COMMANDS
HEAD
commands | awk "$roff"'{ name = $1; sub(/^ *[a-z]+ +/, ""); print ".TP\n.B " name "\n" roff($0) }'
echo '.SH "COMMANDS AND THEIR OPTIONS"'
for name in $(commands | awk '{ print $1 }'); do
    command_section "$name"
done
cat <<'TAIL'
.SH "EXIT STATUS"
.TP
.B 0
success
.TP
.B 1
a run failed or missed its tolerance, or a result could not be written
.TP
.B 2
invalid input: an option, a scene, a run file
.TP
.B 128 + N
ended by signal N
.SH EXAMPLES
.nf
cairn examples
cairn run arch \-o arch.h5
cairn view arch.h5 \-\-html arch.html
cairn export arch \-\-scene arch.yaml
.fi
.SH "SEE ALSO"
The documentation and the built\-in scenes are installed with the program, in share/doc/cairn and share/cairn.
TAIL
