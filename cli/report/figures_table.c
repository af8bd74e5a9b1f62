/* Every numbered figure of the five papers that a simulation can draw, and a few of our own beside them. docs/figures.md
 * and docs/structures.md show them all and says which others there are. Longest studies first. */
#include "cli/report/figures.h"

const cli_figure_run cli_figure_runs[] = {
    {"stiff-20", "two-bodies-damper-20"},
    {"euler-20", "two-bodies-damper-20 --integrator euler"},
    {"stiff-100", "two-bodies-damper-100"},
    {"euler-100", "two-bodies-damper-100 --integrator euler --until 5"},
    {"stiff-1e6", "two-bodies-damper-1e6"},
    {"heavy-20", "two-bodies-heavy-20"},
    {"heavy-1e8", "two-bodies-heavy-1e8"},
    {"bars-10", "two-bars-damper-10"},
    {"bars-1000", "two-bars-damper-1000"},
    {"bars-1e8", "two-bars-damper-1e8"},
    {"bars-mu-0.05", "two-bars-mu-0.05"},
    {"bars-mu-0.2", "two-bars-mu-0.2"},
    {"bars-mu-0.5", "two-bars-mu-0.5"},
    {"pendulum", "double-pendulum"},
    {"trapezoid", "stick-slip-block --integrator trapezoid --events off"},
    {"trapezoid2", "stick-slip-block --integrator trapezoid2 --events off"},
    {"stiff2", "stick-slip-block --integrator stiff2 --events off"},
    {"carts-100", "two-carts-damper-100 --tolerance 1e-8"},
    {"carts-1000", "two-carts-damper-1000 --tolerance 1e-8"},
    {"carts-1e6", "two-carts-damper-1e6 --tolerance 1e-8"},
    {"spring-100", "two-carts-spring-100 --tolerance 1e-8"},
    {"spring-1e4", "two-carts-spring-1e4 --tolerance 1e-8"},
    {"spring-1e6", "two-carts-spring-1e6 --tolerance 1e-8"},
    {"ellipse-1e-9", "ellipse-compliant-1e-9 --every 10"},
    {"ellipse-1e-10", "ellipse-compliant-1e-10 --every 10"},
    {"ellipse-1e-11", "ellipse-compliant-1e-11 --every 10"},
    {"ellipse-rigid", "ellipse-rigid --every 10"},
    {"ellipse-fine", "ellipse-compliant-1e-10 --until 0.15"},
    {"ball", "hertz-mindlin --set n=15"},
    {"table-min-energy", "sliding-table-min-energy"},
    {"table-min-norm", "sliding-table-min-norm"},
    {"table-max-energy", "sliding-table-max-energy"},
    {"impact", "soft-impact"},
    {"impact-critical", "soft-impact --set c=2*sqrt(k)"},
    {"impact-over", "soft-impact --set c=200"},
    {"impact-held", "held-impact"},
    {"implicit-1e2", "held-impact --step 0.01 --set c=0 --set k=100"},
    {"implicit-1e3", "held-impact --step 0.01 --set c=0 --set k=1e3"},
    {"implicit-1e4", "held-impact --step 0.01 --set c=0 --set k=1e4"},
    {"implicit-1e6", "held-impact --step 0.01 --set c=0 --set k=1e6"},
    {"particle-1", "particle-1"},
    {"particle-2-convex", "particle-2 --law 'convex pyramid(4)'"},
    {"particle-2-exact", "particle-2 --law pyramid(4)"},
    {"bar-1", "bar-1"},
    {"bar-2-convex", "bar-2 --law 'convex pyramid(4)'"},
    {"bar-2-exact", "bar-2 --law pyramid(4)"},
    {"rover", "rover --until 4.6"},
    {"pawl", "pawl"},
    {"arch-thin", "arch-25 --set depth=0.1"},
    {"stones", "dry-stone-wall --until 0.1"},
    {"wheels", "gears --until 1"},
    {"peg", "peg"},
};
const int cli_figure_run_count = (int)(sizeof cli_figure_runs / sizeof cli_figure_runs[0]);

#define ELEMENTS "--legend 'element 1 (left),element 2,element 3 (right)'"
#define ELLIPSES "@ellipse-1e-9 @ellipse-1e-10 @ellipse-1e-11 @ellipse-rigid"
#define EPSILONS "--legend 1e-9,1e-10,1e-11,rigid"
#define TABLES   "@table-min-energy @table-min-norm @table-max-energy"
#define CHOICES  "--legend 'minimum energy,minimum norm,maximum energy'"
#define LAWS     "--legend 'convex law (QP),exact law (LCP)'"

const cli_figure cli_figures[] = {
    {"paper4-figure6", "paper 4, Figure 10.6", "study brazil-nut --vary seed=1 --until 75"},
    {"paper2-figure5e", "paper 2, Figure 5, distance from the rigid run", "study ellipse-compliance"},
    {"hertz-mindlin-errors", "Hertz and Mindlin, errors", "study hertz-mindlin"},
    {"paper1-table1", "paper 1, Table 10.1", "study double-pendulum"},
    {"paper4-table1", "paper 4, Table 10.1", "study particle-qp-lcp"},
    {"paper4-table2", "paper 4, Table 10.2", "study bar-qp-lcp"},

    {"paper0-figure1", "paper 0, Figure 1",
     "plot @stiff-100 frames --at 0 --title 'Two bodies and a damper on a table' --size 640x190"},
    {"paper0-figure2", "paper 0, Figure 2", "plot @bars-1000 frames --at 0 --title 'Two hinged bars with a damper'"},
    {"paper0-figure3", "paper 0, Figure 3",
     "plot @stiff-20 @euler-20 left.x right.x --title 'Damper 20: linearly implicit and explicit'"},
    {"paper0-figure4", "paper 0, Figure 4",
     "plot @stiff-100 @euler-100 left.x right.x --ylim -20:20 --title 'Damper 100: the explicit scheme is lost'"},
    {"paper0-figure5a", "paper 0, Figure 5, positions", "plot @stiff-1e6 left.x right.x --title 'Damper 1e6'"},
    {"paper0-figure5b", "paper 0, Figure 5, distance",
     "plot @stiff-1e6 distance(left,right) --title 'Damper 1e6: distance'"},
    {"paper0-figure6a", "paper 0, Figure 6, damper 20",
     "plot @heavy-20 left.x right.x --title 'Masses 1 and 1e8, damper 20'"},
    {"paper0-figure6b", "paper 0, Figure 6, damper 1e8",
     "plot @heavy-1e8 left.x --title 'Masses 1 and 1e8, damper 1e8: the light one'"},
    {"paper0-figure7", "paper 0, Figure 7", "plot @bars-10 @bars-1000 @bars-1e8 positions --to 1.5 --every 10"},
    {"paper0-figure8", "paper 0, Figure 8",
     "plot @bars-mu-0.05 @bars-mu-0.2 @bars-mu-0.5 positions --to 1.5 --every 10"},

    {"paper1-figure1", "paper 1, Figure 1", "plot @pendulum frames --at 0 --title 'A double pendulum and a long wall'"},
    {"paper1-figure2a", "paper 1, Figure 2a", "plot @pendulum bob1.x bob2.x --title 'Double pendulum against a wall'"},
    {"paper1-figure2b", "paper 1, Figure 2b", "plot @pendulum energy/total --title 'Its energy'"},
    {"paper1-figure3", "paper 1, Figure 3",
     "plot @stiff2 frames --at 0 --title 'A block on a table with friction' --size 640x260"},
    {"paper1-figure4a", "paper 1, Figure 4, positions",
     "plot @trapezoid @trapezoid2 @stiff2 block.x --title 'Block: position'"},
    {"paper1-figure4b", "paper 1, Figure 4, velocities",
     "plot @trapezoid2 @trapezoid @stiff2 block.vx --from 0.3 --to 1 --ylim -0.002:0.002 "
     "--title 'Block: velocity once it sticks'"},
    {"paper1-figure5", "paper 1, Figure 5",
     "plot @carts-100 frames --at 0 --title 'Two carts and a stopper' --size 640x260"},
    {"paper1-figure6a", "paper 1, Figure 6, distance",
     "plot @carts-100 @carts-1000 @carts-1e6 distance(left,right) --title 'Two carts: distance'"},
    {"paper1-figure6b", "paper 1, Figure 6, energy",
     "plot @carts-100 @carts-1000 @carts-1e6 energy/total --title 'Two carts: energy'"},
    {"paper1-figure7a", "paper 1, Figure 7, position",
     "plot @spring-100 @spring-1e4 @spring-1e6 left.x --title 'Two carts: the left one on a spring at rest at 0.2'"},
    {"paper1-figure7b", "paper 1, Figure 7, energy",
     "plot @spring-100 @spring-1e4 @spring-1e6 energy/total --title 'Two carts: energy'"},
    {"paper1-figure8a", "paper 1, Figure 8, rover", "plot @rover frames --at 4.5 --size 700x420"},
    {"paper1-figure8b", "paper 1, Figure 8, pawl", "plot @pawl frames --at 0,0.65,1"},

    {"paper2-figure3", "paper 2, Figure 3",
     "plot @ellipse-rigid frames --at 0 --title 'An ellipse on a plane' --size 480x420"},
    {"paper2-figure4a", "paper 2, Figure 4a",
     "plot @ellipse-1e-10 element(ellipse,plane,1).normal element(ellipse,plane,2).normal "
     "element(ellipse,plane,3).normal " ELEMENTS " --title 'Normal forces over the patch'"},
    {"paper2-figure4b", "paper 2, Figure 4b",
     "plot @ellipse-1e-10 element(ellipse,plane,1).friction element(ellipse,plane,2).friction "
     "element(ellipse,plane,3).friction " ELEMENTS " --title 'Friction forces over the patch'"},
    {"paper2-figure4c", "paper 2, Figure 4c",
     "plot @ellipse-1e-10 element(ellipse,plane,1).share element(ellipse,plane,2).share "
     "element(ellipse,plane,3).share " ELEMENTS
     " --title 'Friction over its limit: rolling and sliding' --size 760x400"},
    {"paper2-figure4d", "paper 2, Figure 4, its beginning",
     "plot @ellipse-fine element(ellipse,plane,1).share element(ellipse,plane,2).share "
     "element(ellipse,plane,3).share " ELEMENTS " --ylim 0:1.05 --title 'Microslip: the right element slides first'"},
    {"paper2-figure5a", "paper 2, Figure 5a",
     "plot @ellipse-rigid positions --title 'The rigid ellipse rocks to rest'"},
    {"paper2-figure5b", "paper 2, Figure 5b",
     "plot " ELLIPSES " ellipse.y " EPSILONS " --title 'Height of the centre'"},
    {"paper2-figure5c", "paper 2, Figure 5c",
     "plot " ELLIPSES " force(ellipse,plane).y " EPSILONS " --title 'Sum of the normal forces'"},
    {"paper2-figure5d", "paper 2, Figure 5d",
     "plot " ELLIPSES " force(ellipse,plane).x " EPSILONS " --title 'Sum of the friction forces'"},
    {"hertz-mindlin", "Hertz and Mindlin",
     "plot @ball patch --at 1.1,1.6,2.1 --title 'A ball pressed (1.1 s) and pulled aside on a plane'"},

    {"paper3-figure1", "paper 3, Figure 1",
     "plot @table-min-norm frames --at 0 --title 'A table on four legs, shown by their tips' --size 560x360"},
    {"paper3-figure2a", "paper 3, Figure 2, energy",
     "plot " TABLES " energy/total " CHOICES " --title 'Sliding table: energy'"},
    {"paper3-figure2b", "paper 3, Figure 2, spin",
     "plot " TABLES " table.omega_z " CHOICES " --title 'Sliding table: spin'"},
    {"paper3-figure2c", "paper 3, Figure 2, velocity",
     "plot " TABLES " table.vx " CHOICES " --title 'Sliding table: velocity'"},
    {"paper3-figure3", "paper 3, Figure 3",
     "plot @impact @impact-held @impact-critical @impact-over mass.y --legend "
     "'underdamped,underdamped (held in touch),critically damped,overdamped' "
     "--title 'A point mass hits a spring and damper'"},
    {"paper3-figure4", "paper 3, Figure 4",
     "plot @implicit-1e2 @implicit-1e3 @implicit-1e4 @implicit-1e6 mass.y --legend 'k = 1e2,k = 1e3,k = 1e4,k = 1e6' "
     "--title 'A point mass on implicit springs, h = 0.01 s: the stiffer, the more damped'"},

    {"paper4-figure1", "paper 4, Figure 10.1",
     "plot @particle-1 particle.y --x particle.x --title 'Particle thrown on a line with friction'"},
    {"paper4-figure2", "paper 4, Figure 10.2",
     "plot @particle-2-convex @particle-2-exact particle.y " LAWS
     " --to 1 --title 'Particle that slides from the start: height, h = 0.001 s'"},
    {"paper4-figure3", "paper 4, Figure 10.3", "plot @bar-1 positions --title 'Bar dropped on a line with friction'"},
    {"paper4-figure4", "paper 4, Figure 10.4",
     "plot @bar-2-exact positions --title 'Bar that slides from the start, exact law'"},
    {"paper4-figure5", "paper 4, Figure 10.5",
     "plot @bar-2-convex @bar-2-exact point(bar,-1,0).y " LAWS
     " --to 0.2 --title 'Bar that slides from the start: height of its lower tip'"},

    {"arch-falls", "an arch of t/R = 0.10 falls", "plot @arch-thin frames --at 0,0.3,0.5,0.8"},
    {"dry-stone-wall", "a dry-stone wall", "plot @stones frames --at 0.1"},
    {"gears", "two toothed wheels", "plot @wheels frames --at 0,1"},
    {"peg", "a peg in a hole wider by a thousandth", "plot @peg frames --at 0,0.2,0.4,1"},
};
const int cli_figure_count = (int)(sizeof cli_figures / sizeof cli_figures[0]);
