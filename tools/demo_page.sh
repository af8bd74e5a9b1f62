#!/bin/sh
# demo_page.sh CAIRN SOURCE OUT: four moving pictures on one page, OUT/index.html: an impact study of order 2, an arch with its thrust
# line, a machine, and grains that pour. The page and its parts work from disk.
set -eu
cairn=$1 source=$2 out=$3
mkdir -p "$out"

# film NAME SCENE [options]: run a scene and write its page.
film()
{
    name=$1 scene=$2
    shift 2
    "$cairn" run "$scene" "$@" -o "$out/$name.h5" --quiet
    "$cairn" view "$out/$name.h5" --html "$out/$name.html"
    rm "$out/$name.h5"
}

# card NAME HASH TITLE TEXT
card()
{
    printf '<figure><iframe src="%s.html#bare%s" title="%s" loading="lazy"></iframe><figcaption><h2>%s</h2><p>%s</p>' "$1" "$2" "$3" "$3" "$4"
    printf '<p><a href="%s.html">open this run</a></p></figcaption></figure>\n' "$1"
}

"$cairn" study double-pendulum --integrator stiff2 --events on -o "$out/order.svg" --quiet >"$out/order.txt"
order=$(sed -n 's/.*order of position: \([0-9.]*\).*/\1/p' "$out/order.txt" | head -n 1)
film impact double-pendulum --integrator stiff2
# The ground sways with an eighth of gravity.
"$cairn" examples arch | sed 's/{name: ground, kind: fixed,/{name: ground, kind: driven, motion: {position: ["0.05*(cos(5*t) - 1)", 0]},/' >"$out/arch.yaml"
film arch "$out/arch.yaml" --until 2.5132741
film machine slider-crank --every 4
film pour "$source/examples/pour.yaml" --every 10

{
    cat <<'HEAD'
<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><title>Cairn</title>
<style>
:root{color-scheme:light dark;--ink:#1b2127;--soft:#5b6670;--paper:#f6f7f9;--card:#fff;--line:#dfe4e8;--mark:#0072b2}
@media(prefers-color-scheme:dark){:root{--ink:#e6eaee;--soft:#9aa6b1;--paper:#14181d;--card:#1b2026;--line:#2e363e;--mark:#56b4e9}
img{filter:invert(1) hue-rotate(180deg);mix-blend-mode:screen}}
*{box-sizing:border-box}body{margin:0 auto;max-width:78rem;padding:2rem 1rem 4rem;background:var(--paper);color:var(--ink);font:16px/1.5 system-ui,sans-serif}
h1{margin:0;font-size:2.2rem;letter-spacing:-.02em}header p{max-width:44rem;color:var(--soft);font-size:1.1rem}
main{margin:1.2rem 0 2rem;display:grid;grid-template-columns:repeat(auto-fit,minmax(min(100%,30rem),1fr));gap:1.2rem}
figure{margin:0;background:var(--card);border:1px solid var(--line);border-radius:.8rem;overflow:hidden}
iframe{display:block;width:100%;aspect-ratio:16/10;border:0}figcaption{padding:.4rem 1.1rem 1rem}
h2{font-size:1.15rem;margin:.5rem 0 .2rem}p{margin:.3rem 0}a{color:var(--mark)}figcaption p{color:var(--soft)}
img{display:block;width:min(100%,40rem);background:#fff;border-radius:.5rem;margin:.6rem 0}code{font:.9em ui-monospace,monospace}
</style></head><body>
<header><h1>Cairn</h1><p>Rigid bodies with contact, friction, impacts and joints. Every step carries a certificate: how well its problem
was solved, and whether states, geometry and impulses obey the laws of physics. Drag in a picture to turn or move it.</p></header>
<main>
HEAD
    card impact '' 'Impacts at second order' "A double pendulum hits a wall and bounces. Halving the step divides the error of the position by four, collisions included: the measured order is ${order:-not known}."
    card arch '&amp;show=thrust&amp;hide=forces' 'An arch and its thrust line' 'Fifteen voussoirs stand on shaking ground, by friction and compression alone. The red line joins the points where the forces between them act; while it stays within the stones, the arch stands.'
    card machine '' 'A machine' 'Crank, rod and slider, closed by joints that hold to rounding error.'
    card pour '' 'A pile that pours' 'Five hundred grains leave a hopper of four plates. Bodies that enclose others are seen through.'
    cat <<'TAIL'
</main>
<h2>The error of the impact study</h2>
<a href="order.svg"><img src="order.svg" alt="errors over the step"></a>
<h2>Next</h2>
<p><code>build/cairn view</code> shows all built-in scenes, to play with. <code>build/cairn run card-house -o run.h5</code> records one,
and <code>build/cairn view run.h5</code> shows it. The book in <code>docs/</code> begins with a falling ball.</p>
</body></html>
TAIL
} >"$out/index.html"
