/* The processor as a device: the same kernels as plain loops. */
#pragma once

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <vector>

namespace crn
{

/* A crew of one. With `shuffle`, it takes its work in another order. */
struct Alone
{
    uint32_t shuffle;
    Palette palette;
    const Palette *share(const int *range, int groups)
    {
        palette.fill(range, groups);
        return &palette;
    }
    bool is_first() const
    {
        return true;
    }
    void sync() const
    {
    }
    bool all_lanes(bool yes) const
    {
        return yes;
    }
    int rank() const
    {
        return 0;
    }
    int lane() const
    {
        return 0;
    }
    int size() const
    {
        return 1;
    }
    /* The i-th piece of n to be taken up. */
    int at(int i, int n) const
    {
        const int prime = 7919;
        return !shuffle ? i : n % prime == 0 ? n - 1 - i : (int)(((long long)i * prime + shuffle) % n);
    }
    template <class F> void each(int begin, int end, F f) const
    {
        for (int i = 0; i < end - begin; ++i)
            f(begin + at(i, end - begin));
    }
};

/* Of a group that does one piece of work: the only one. */
struct OneLane
{
    int rank() const
    {
        return 0;
    }
    int size() const
    {
        return 1;
    }
    void sync() const
    {
    }
    int most(int n) const
    {
        return n;
    }
    int next_place(bool wants, int *count) const
    {
        return wants ? (*count)++ : *count;
    }
};

enum
{
    FEW = 256 /* pieces of work that one thread does sooner than several meet */
};

class Machine
{
  public:
    char sentence[CRN_GPU_SENTENCE] = "";
    uint32_t shuffle = 0;
    int threads = 1;
    void (*share)(int threads, int parts, void (*work)(void *data, int part), void *data) = nullptr;

    void use(const crn_gpu_description *d)
    {
        shuffle = d->shuffle;
        threads = d->share && d->threads > 1 ? d->threads : 1;
        share = d->share;
    }
    /* Parts of a loop of n independent pieces: one per thread, if there are enough of them to be worth handing over. Tests that shuffle share all. */
    int parts_of(int n) const
    {
        return n < (shuffle ? 2 : FEW) ? 1 : threads;
    }
    /* f(part, begin, end) for every part. */
    template <class F> void in_parts(int n, const F &f)
    {
        struct Job
        {
            const F *f;
            int n, parts;
            int begin(int part) const
            {
                return (int)((long long)n * part / parts);
            }
        } job = {&f, n, parts_of(n)};
        if (job.parts == 1)
            return f(0, 0, n);
        share(threads, job.parts, [](void *data, int part) {
            const Job *of = (const Job *)data;
            (*of->f)(part, of->begin(part), of->begin(part + 1));
        }, &job);
    }
    /* f(i) for every piece. */
    template <class F> void each(int n, const F &f)
    {
        in_parts(n, [&](int, int begin, int end) {
            for (int i = begin; i < end; ++i)
                f(i);
        });
    }
#ifdef CRN_GPU_DOUBLE
    static const char *name()
    {
        return "processor";
    }
    static int slab_of(int bodies)
    {
        return bodies > 0 ? bodies : 1;
    }
    static bool can_flow(int, int)
    {
        return false;
    }
#else
    static const char *name()
    {
        return "twin";
    }
    /* Bodies that are swept through all colours before the next ones. */
    static int slab_of(int bodies)
    {
        return bodies <= 200 ? 200 : bodies > 64 * SLABS ? (bodies + SLABS - 1) / SLABS : 64;
    }
    /* Sweeps without barriers for few bodies, so that tests see both ways. */
    static bool can_flow(int, int slabs)
    {
        return slabs == 1;
    }
#endif
    static bool is_processor()
    {
        return true;
    }
    bool open()
    {
        return true;
    }
    bool describe(char *text, size_t *free_bytes)
    {
        snprintf(text, CRN_GPU_SENTENCE, "the processor, as a twin of the device");
        *free_bytes = (size_t)1 << 40;
        return true;
    }
    bool good() const
    {
        return !sentence[0];
    }
    void *allocate(size_t bytes)
    {
        void *at = aligned_alloc(64, (bytes + 64) & ~(size_t)63); /* as aligned as any struct asks for */
        if (!at)
            snprintf(sentence, sizeof sentence, "the twin's memory ran out: %zu bytes were asked for", bytes);
        else
            memset(at, 0xa5, bytes); /* nobody may count on zeros */
        return at;
    }
    void release(void *at)
    {
        free(at);
    }
    void copy_in(void *to, const void *from, size_t bytes)
    {
        if (bytes)
            memcpy(to, from, bytes);
    }
    /* What the device has, where the processor can read it. */
    template <class T> const T *view(const T *from, size_t, std::vector<T> &)
    {
        return from;
    }
    void copy_out(void *to, const void *from, size_t bytes)
    {
        copy_in(to, from, bytes);
    }
    void copy(void *to, const void *from, size_t bytes)
    {
        copy_in(to, from, bytes);
    }
    void clear(void *at, int byte, size_t bytes)
    {
        memset(at, byte, bytes);
    }
    bool wait()
    {
        return good();
    }

    template <class F> void launch(int n, const F &f)
    {
        in_parts(n, [&](int, int begin, int end) { Alone{shuffle, {}}.each(begin, end, f); });
    }
    template <class F> void launch_lanes(int n, const F &f)
    {
        launch(n, [&f](int i) { f(i, OneLane{}); });
    }
    template <class F> void launch_few(int, const F &f)
    {
        launch_lanes(f.pieces(), f);
    }
    template <class F> void launch_blocks(int n, const F &f)
    {
        launch_lanes(n, f);
    }
    template <class F> void launch_crew(int, const F &f)
    {
        Alone crew{shuffle, {}};
        f(crew);
    }
    template <class F, class G> void launch_flow(int contacts, const F &large, const G &small)
    {
        if (contacts % 2)
            launch_crew(contacts, large);
        else
            launch_crew(contacts, small);
    }
    void scan(const int *in, int *out, int n)
    {
        for (int i = 0, sum = 0; i < n; ++i)
        {
            out[i] = sum;
            sum += in[i];
        }
    }
    /* By the lowest `bits` of the keys, those with the same in their order: counted, then placed. */
    template <class Key> void sort(const Key *key, Key *key_sorted, const int *value, int *value_sorted, int n, int bits)
    {
        const size_t mask = ((size_t)1 << bits) - 1;
        std::vector<int> place(mask + 2);
        for (int i = 0; i < n; ++i)
            ++place[(key[i] & mask) + 1];
        for (size_t k = 0; k < mask; ++k)
            place[k + 1] += place[k];
        for (int i = 0; i < n; ++i)
        {
            int at = place[key[i] & mask]++;
            key_sorted[at] = key[i];
            value_sorted[at] = value[i];
        }
    }
    template <class T, class F, class Op> void reduce(int n, const F &f, const Op &op, T *out)
    {
        T all = {};
        for (int i = 0; i < n; ++i)
            all = op(all, f(i));
        *out = all;
    }
    /* Do a step; on the device, from a recording. */
    template <class F> void replay(int, F step)
    {
        step();
    }
    void forget_recordings()
    {
    }
};

} // namespace crn
