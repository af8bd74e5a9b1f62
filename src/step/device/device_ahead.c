/* Steps that a device takes while the caller goes on.
 *
 * A thread waits for the device. Of the simulation it touches the device's world, what prepare() has sent there (drives, forces), and device->ahead; the caller
 * reads the state meanwhile, and leaves those alone.
 */
#include "step/simulation.h"

#include <assert.h>
#include <string.h>

#ifdef _OPENMP
static void *run(void *data)
{
    crn_device *device = data;
    crn_device_ahead *ahead = &device->ahead;
    ahead->good = device->gpu->step(device->world, ahead->h, ahead->count, ahead->gravity, device->drive, device->time,
                                    &ahead->report, ahead->sentence);
    return NULL;
}

bool crn_device_run_ahead(crn_device *device)
{
    crn_device_ahead *ahead = &device->ahead;
    assert(!ahead->is_running && device->world && ahead->count > 0);
    ahead->sentence[0] = '\0';
    ahead->is_running = pthread_create(&ahead->thread, NULL, run, device) == 0;
    return ahead->is_running;
}

bool crn_device_catch_up(crn_device *device, char *sentence)
{
    crn_device_ahead *ahead = &device->ahead;
    assert(ahead->is_running);
    pthread_join(ahead->thread, NULL);
    ahead->is_running = false;
    device->report = ahead->report;
    memcpy(sentence, ahead->sentence, sizeof ahead->sentence);
    return ahead->good;
}
#else
bool crn_device_run_ahead(crn_device *device)
{
    (void)device;
    return false;
}

bool crn_device_catch_up(crn_device *device, char *sentence)
{
    (void)device;
    (void)sentence;
    assert(false); /* nothing runs ahead */
    return false;
}
#endif
