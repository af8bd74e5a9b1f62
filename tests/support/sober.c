#include "support/sober.h"

#include "support/check.h"

sober sober_start(const world *w)
{
    double total = cairn_simulation_energy(w->simulation).total;
    return (sober){.total = total, .start = total};
}

/* J: of the normal forces, over the way by which the last step opened overlaps. */
static double push_work(const world *w)
{
    double sum = 0;
    for (int i = 0; i < cairn_simulation_contact_count(w->simulation); ++i)
    {
        cairn_contact contact = cairn_simulation_contact(w->simulation, i);
        sum += contact.impulse[0] * fmax(0, -contact.gap) / cairn_simulation_settings(w->simulation)->step;
    }
    return sum;
}

void sober_watch(const world *w, double input, sober *out)
{
    const cairn_step_report *report = cairn_simulation_report(w->simulation);
    const cairn_energy *e = &report->energy;
    out->start += input;
    out->gained = fmax(out->gained, e->total - out->total - input - push_work(w));
    out->total = e->total;
    out->penetration = fmax(out->penetration, report->penetration);
    out->scale = fmax(out->scale, fmax(e->kinetic, e->work_forces));
    assert_true(out->total < out->start + 1e-9 * out->scale);
}

void sober_check(const char *name, const sober *seen, double size)
{
    print_message("%s: lost %.3g J, gained at most %.1e J in a step, penetration %.1e of the size\n", name,
                  seen->start - seen->total, seen->gained, seen->penetration / size);
    assert_true(seen->gained < 1e-9 * seen->scale);
    assert_true(seen->penetration < 1e-4 * size);
}
