#!/bin/sh
# Completion in bash, zsh and fish, as far as they are installed, and the manual page: both follow the help texts.
# Usage: shell.sh CAIRN SCRATCH
root=$(CDPATH='' cd "$(dirname "$0")/../.." && pwd)
. "$(dirname "$0")/lib.sh"
mkdir bin
ln -s "$cairn" bin/cairn
PATH=$scratch/bin:$PATH
export PATH

# completes WORDS... : what bash offers for the last word is in out
completes()
{
    cat >ask.bash <<'END'
source "$1"
shift
COMP_WORDS=("$@")
COMP_CWORD=$(($# - 1))
_cairn
printf '%s\n' "${COMPREPLY[@]}"
END
    bash ask.bash "$root/cli/shell/cairn.bash" "$@" >out 2>err
    silent err
}

if command -v bash >/dev/null; then
    completes cairn ""
    for command in $("$cairn" --help | awk '/^commands:/ { on = 1; next } on && /^$/ { exit } on { print $1 }'); do
        says out "^$command\$"
        completes cairn "$command" --he
        says out '^--help$'
        completes cairn ""
    done
    completes cairn run --la
    [ "$(cat out)" = --law ] || fail "run --la: $(cat out)"
    completes cairn run --law con
    [ "$(sort out | tr '\n' ,)" = "cone,convex cone,convex pyramid(8)," ] || fail "--law con: $(cat out)"
    completes cairn run --events ""
    [ "$(tr '\n' , <out)" = "on,off," ] || fail "--events: $(cat out)"
    completes cairn run --problems-layout ""
    [ "$(tr '\n' , <out)" = "global,local,cairn," ] || fail "--problems-layout: $(cat out)"
    completes cairn run box-st
    says out '^box-stack$'
    touch here.yaml
    completes cairn run -o her
    [ "$(cat out)" = here.yaml ] || fail "-o her: $(cat out)"
    completes cairn check --json her
    says out '^here.yaml$'
    completes cairn help exp
    [ "$(cat out)" = export ] || fail "help exp: $(cat out)"
    # each word that bash offers for a setting is one that the program takes
    for option in law integrator solver stabilisation accuracy initial impact forces; do
        completes cairn run --$option ""
        cp out words
        [ -s words ] || fail "--$option has no words"
        while read -r word; do
            "$cairn" run pendulum --until 0.01 --$option "$word" >out 2>err || ! grep -q "expected" err ||
                fail "--$option $word: $(cat err)"
        done <words
    done
else
    echo "bash is not installed: its completion is not tested"
fi

if command -v fish >/dev/null; then
    asks() { fish --no-config -c "source $root/cli/shell/cairn.fish; complete -C '$1'" >out 2>err; silent err; }
    asks 'cairn '
    says out '^run	simulate a scene$'
    asks 'cairn run --la'
    says out '^--law	'
    asks 'cairn run --law con'
    says out '^convex cone$'
    asks 'cairn run box-st'
    says out '^box-stack$'
else
    echo "fish is not installed: its completion is not tested"
fi

if command -v zsh >/dev/null; then
    zsh -n "$root/cli/shell/cairn.zsh" 2>err
    silent err
    # the options as zsh's own _arguments reads them
    zsh -fc "compdef() { }; source $root/cli/shell/cairn.zsh; _cairn_options run" >out 2>err
    silent err
    says out '^--law\[.*\]:NAME:(.*cone convex\\ pyramid\\(8\\) convex\\ cone lagged)$'
    says out '^--events\[.*\]:on|off:(on off)$'
    says out '^-q\[no progress bar and no text summary\]$'
else
    echo "zsh is not installed: its completion is not tested"
fi

# The manual page names every command and every option, and is sound.
sh "$root/tools/make_man.sh" "$cairn" >cairn.1
for command in $("$cairn" --help | awk '/^commands:/ { on = 1; next } on && /^$/ { exit } on { print $1 }'); do
    grep -q "^.SS \"cairn $command" cairn.1 || fail "the manual has no section on $command"
    "$cairn" "$command" --help | grep -o '^ *\(-[a-z], \)\?--[a-z-]*' | sed 's/^ *//; s/-/\\-/g' >options
    while read -r option; do
        grep -qF "\\fB$option" cairn.1 || fail "the manual does not name $option of $command"
    done <options
done
if command -v groff >/dev/null; then
    groff -man -ww -z -Tutf8 cairn.1 >out 2>&1
    silent out
    groff -man -Tascii cairn.1 | grep -q 'simulate a scene' || fail "groff does not show the commands"
fi
exit $failures
