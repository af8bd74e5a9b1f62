/* A CUDA device. */
#pragma once

#include <cooperative_groups.h>
#include <cstdarg>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <cub/device/device_radix_sort.cuh>
#include <cub/device/device_reduce.cuh>
#include <cub/device/device_scan.cuh>
#include <thrust/iterator/counting_iterator.h>
#include <vector>

namespace crn
{

enum
{
    BLOCK = 256,            /* threads */
    FEW = 1 << 16,          /* pieces of work that are spread over more multiprocessors in smaller blocks */
    SOME_LANES = 8,         /* that share a piece of work */
    FEWER_LANES = 4,
    MANY_LANES = 32,        /* the same of a long one */
    BLOCKS_OF_FEW = 4,      /* per multiprocessor, for few pieces of work */
    COLOURS_USED = 10,      /* about how many colours a heap has: their contacts are what a crew does at a time */
    CLUSTER_BLOCK = 256,    /* the same of a crew of one cluster */
    CLUSTER = 16,           /* blocks of a cluster */
    MOST_FLOWING = 1 << 22, /* contacts up to which sweeps without barriers are faster */
    FLOW_COLOURS = 6,       /* the largest colours have about so great a part of the contacts */
    ONE_CLUSTER = 1 << 16   /* pieces of work up to which one cluster is faster than the whole device */
};

template <class F> __global__ void __launch_bounds__(BLOCK) run_each(int n, const F f)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        f(i);
}

/* Neighbouring lanes of a warp that do one piece of work together. */
template <int SIZE> struct Lanes
{
    __device__ static int rank()
    {
        return (int)threadIdx.x % SIZE;
    }
    __device__ static int size()
    {
        return SIZE;
    }
    __device__ static int shift()
    {
        return (int)threadIdx.x % 32 / SIZE * SIZE;
    }
    __device__ static unsigned all()
    {
        return (unsigned)((1ull << SIZE) - 1) << shift();
    }
    /* The largest n of all lanes. */
    __device__ static int most(int n)
    {
        return SIZE == 1 ? n : __reduce_max_sync(all(), n);
    }
    /* A place for each lane that wants one, in their order. All have the same count. */
    __device__ static int next_place(bool wants, int *count)
    {
        int before = *count;
        unsigned who = SIZE == 1 ? wants : __ballot_sync(all(), wants) >> shift() & (unsigned)((1ull << SIZE) - 1);
        *count += __popc(who);
        return before + __popc(who & ((1u << rank()) - 1));
    }
};

template <int SIZE, class F> __global__ void __launch_bounds__(BLOCK) run_lanes(int n, const F f)
{
    int i = (int)((blockIdx.x * blockDim.x + threadIdx.x) / SIZE);
    if (i < n)
        f(i, Lanes<SIZE>{});
}

/* Few pieces of work, whose number is known on the device alone: f.pieces(). Some of them are much longer than others. */
template <int SIZE, class F> __global__ void __launch_bounds__(BLOCK) run_few(const F f)
{
    const int groups = (int)(gridDim.x * blockDim.x / SIZE), pieces = f.pieces();
    for (int i = (int)((blockIdx.x * blockDim.x + threadIdx.x) / SIZE); i < pieces; i += groups)
        f(i, Lanes<SIZE>{});
}

/* All threads of a block, which do one piece of work together. */
struct Block
{
    __device__ static int rank()
    {
        return (int)threadIdx.x;
    }
    __device__ static int size()
    {
        return (int)blockDim.x;
    }
    __device__ static void sync()
    {
        __syncthreads();
    }
};

template <class F> __global__ void __launch_bounds__(BLOCK) run_blocks(const F f)
{
    f((int)blockIdx.x, Block{});
}

/* All threads of a cluster or of the grid. */
template <bool IS_CLUSTER> struct Crew
{
    int mine, all;
    Palette *palette; /* of the block */
    int *ranges;
    __device__ const Palette *share(const int *range, int groups)
    {
        for (int i = threadIdx.x; i <= groups; i += blockDim.x)
            ranges[i] = range[i];
        __syncthreads();
        if (threadIdx.x == 0)
            palette->fill(ranges, groups);
        __syncthreads();
        return palette;
    }
    __device__ bool is_first() const
    {
        return mine == 0;
    }
    __device__ int rank() const
    {
        return mine;
    }
    __device__ int lane() const
    {
        return mine % 32;
    }
    __device__ int size() const
    {
        return all;
    }
    __device__ bool all_lanes(bool yes) const
    {
        return __all_sync(~0u, yes);
    }
    __device__ int at(int i, int) const
    {
        return i;
    }
    __device__ void sync() const
    {
        if (IS_CLUSTER)
            cooperative_groups::this_cluster().sync();
        else
            cooperative_groups::this_grid().sync();
    }
    template <class F> __device__ void each(int begin, int end, F f) const
    {
        for (int i = begin + mine; i < end; i += all)
            f(i);
    }
};

template <bool IS_CLUSTER, class F> __global__ void __launch_bounds__(IS_CLUSTER ? CLUSTER_BLOCK : F::MOST_THREADS) run_crew(const F f)
{
    int warp = threadIdx.x / 32 * gridDim.x + blockIdx.x; /* little work is spread over all multiprocessors */
    __shared__ Palette palette;
    __shared__ int ranges[GROUPS + 1];
    Crew<IS_CLUSTER> crew = {(int)(32 * warp + threadIdx.x % 32), (int)(gridDim.x * blockDim.x), &palette, ranges};
    f(crew);
}

class Machine
{
  public:
    char sentence[CRN_GPU_SENTENCE] = "";
    void use(const crn_gpu_description *)
    {
    }
    /* Loops of the host, which the twin's threads share (machine_twin.hpp). */
    static int parts_of(int)
    {
        return 1;
    }
    template <class F> void in_parts(int n, const F &f)
    {
        f(0, 0, n);
    }
    template <class F> void each(int n, const F &f)
    {
        for (int i = 0; i < n; ++i)
            f(i);
    }
    static const char *name()
    {
        return "CUDA";
    }

    ~Machine()
    {
        forget_recordings();
        if (temporary)
            cudaFree(temporary);
        if (stream)
            cudaStreamDestroy(stream);
    }

    /* Bodies that are swept through all colours before the next ones: all, unless they are too many for the second cache. */
    static int slab_of(int bodies)
    {
        const int fit = 1300000, few = 600000;
        int least = (bodies + SLABS - 1) / SLABS;
        return bodies <= fit ? bodies : least > few ? least : few;
    }
    static bool is_processor()
    {
        return false;
    }
    bool open()
    {
        int count = 0;
        cudaError_t error = cudaGetDeviceCount(&count);
        if (error == cudaErrorInsufficientDriver)
            return say("there is no NVIDIA driver, or it is older than the CUDA runtime of the device's library");
        if (error != cudaSuccess || count < 1)
            return say("there is no CUDA device on this machine (%s)", cudaGetErrorString(error));
        check(cudaSetDevice(0), "the device cannot be used");
        check(cudaDeviceGetAttribute(&processors, cudaDevAttrMultiProcessorCount, 0), "the device cannot be asked");
        int major = 0;
        check(cudaDeviceGetAttribute(&major, cudaDevAttrComputeCapabilityMajor, 0), "the device cannot be asked");
        if (good() && major < 9)
            return say("the device has compute capability %d; the library is built for 9.0 and later", major);
        check(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking), "no stream could be made on the device");
        return good();
    }
    bool describe(char *text, size_t *free_bytes)
    {
        cudaDeviceProp properties;
        size_t total = 0;
        check(cudaGetDeviceProperties(&properties, 0), "the device cannot be asked");
        check(cudaMemGetInfo(free_bytes, &total), "the device's memory cannot be asked for");
        if (good())
            snprintf(text, CRN_GPU_SENTENCE, "%s", properties.name);
        return good();
    }
    bool good() const
    {
        return !sentence[0];
    }
    void *allocate(size_t bytes)
    {
        void *at = nullptr;
        cudaError_t error = cudaMalloc(&at, bytes ? bytes : 1);
        if (error == cudaErrorMemoryAllocation)
            say("the device's memory ran out: %zu bytes more were needed", bytes);
        else
            check(error, "memory of the device");
        return at;
    }
    void release(void *at)
    {
        cudaFree(at);
    }
    void copy_in(void *to, const void *from, size_t bytes)
    {
        check(cudaMemcpyAsync(to, from, bytes, cudaMemcpyHostToDevice, stream), "copying to the device");
    }
    /* What the device has, where the processor can read it. */
    template <class T> const T *view(const T *from, size_t count, std::vector<T> &scratch)
    {
        scratch.resize(count);
        copy_out(scratch.data(), from, count * sizeof(T));
        return scratch.data();
    }
    void copy_out(void *to, const void *from, size_t bytes)
    {
        check(cudaMemcpyAsync(to, from, bytes, cudaMemcpyDeviceToHost, stream), "copying from the device");
        wait();
    }
    void copy(void *to, const void *from, size_t bytes)
    {
        check(cudaMemcpyAsync(to, from, bytes, cudaMemcpyDeviceToDevice, stream), "copying on the device");
    }
    void clear(void *at, int byte, size_t bytes)
    {
        check(cudaMemsetAsync(at, byte, bytes, stream), "clearing memory of the device");
    }
    bool wait()
    {
        check(cudaStreamSynchronize(stream), "the device");
        return good();
    }

    template <class F> void launch(int n, const F &f)
    {
        int block = n < FEW ? BLOCK / 4 : BLOCK;
        if (n > 0)
            run_each<<<(n + block - 1) / block, block, 0, stream>>>(n, f);
        check(cudaGetLastError(), "starting work on the device");
    }
    /* Several lanes per piece of work, the fewer the more there are. */
    template <class F> void launch_lanes(int n, const F &f)
    {
        if (n < F::MANY)
            start_lanes<SOME_LANES>(n, f);
        else if (n < F::MORE)
            start_lanes<FEWER_LANES>(n, f);
        else
            start_lanes<1>(n, f);
    }
    /* Few of n pieces, as many as f.pieces() says on the device. */
    template <class F> void launch_few(int n, const F &f)
    {
        if (n > 0)
            run_few<MANY_LANES><<<BLOCKS_OF_FEW * processors, BLOCK, 0, stream>>>(f);
        check(cudaGetLastError(), "starting work on the device");
    }
    /* A block per piece of work. */
    template <class F> void launch_blocks(int n, const F &f)
    {
        if (n > 0)
            run_blocks<<<n, BLOCK, 0, stream>>>(f);
        check(cudaGetLastError(), "starting work on the device");
    }
    static bool can_flow(int contacts, int slabs)
    {
        return contacts <= MOST_FLOWING && slabs == 1;
    }
    /* work: about how many pieces there are in all. */
    template <class F> void launch_crew(int work, const F &f)
    {
        if (work <= ONE_CLUSTER)
            start_crew<true>(CLUSTER, CLUSTER_BLOCK, f);
        else
            launch_grid(work / COLOURS_USED, f);
    }
    /* The same work, for larger and for smaller worlds. */
    template <class F, class G> void launch_flow(int contacts, const F &large, const G &small)
    {
        if (contacts > ONE_CLUSTER)
            launch_grid(contacts / FLOW_COLOURS * F::SPREAD, large);
        else
            launch_grid(contacts / FLOW_COLOURS * G::SPREAD, small);
    }

    void scan(const int *in, int *out, int n)
    {
        with_temporary([&](void *at, size_t &bytes) { return cub::DeviceScan::ExclusiveSum(at, bytes, in, out, n, stream); });
    }
    template <class Key> void sort(const Key *key, Key *key_sorted, const int *value, int *value_sorted, int n, int bits)
    {
        with_temporary([&](void *at, size_t &bytes) {
            return cub::DeviceRadixSort::SortPairs(at, bytes, key, key_sorted, value, value_sorted, n, 0, bits, stream);
        });
    }
    template <class T, class F, class Op> void reduce(int n, const F &f, const Op &op, T *out)
    {
        with_temporary([&](void *at, size_t &bytes) {
            return cub::DeviceReduce::TransformReduce(at, bytes, thrust::counting_iterator<int>(0), out, n, op, f, T{},
                                                      stream);
        });
    }

    /* Do a step from the recording of its kind. The first time it is done as it is, which also finds how much temporary memory it
     * needs, and recorded. */
    template <class F> void replay(int kind, F step)
    {
        if (!recording[kind])
        {
            cudaGraph_t graph;
            step();
            check(cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal), "recording a step");
            step();
            check(cudaStreamEndCapture(stream, &graph), "recording a step");
            if (good())
                check(cudaGraphInstantiate(&recording[kind], graph, 0), "recording a step");
            if (good())
                cudaGraphDestroy(graph);
            return;
        }
        check(cudaGraphLaunch(recording[kind], stream), "replaying a step");
    }
    void forget_recordings()
    {
        for (cudaGraphExec_t &one : recording)
            if (one)
            {
                cudaGraphExecDestroy(one);
                one = nullptr;
            }
    }

  private:
    template <int LANES, class F> void start_lanes(int n, const F &f)
    {
        const int block = n * LANES < FEW ? BLOCK / 4 : BLOCK;
        if (n > 0)
            run_lanes<LANES><<<(n * LANES + block - 1) / block, block, 0, stream>>>(n, f);
        check(cudaGetLastError(), "starting work on the device");
    }
    cudaStream_t stream = nullptr;
    int processors = 0;
    void *temporary = nullptr;
    size_t temporary_bytes = 0;
    cudaGraphExec_t recording[2] = {nullptr, nullptr};

    /* A crew of the whole device for so many pieces of work at a time. */
    template <class F> void launch_grid(int work, const F &f)
    {
        int threads = (work / processors + 127) / 128 * 128;
        start_crew<false>(processors, threads < 128 ? 128 : threads < F::MOST_THREADS ? threads : F::MOST_THREADS, f);
    }
    template <bool IS_CLUSTER, class F> void start_crew(int blocks, int threads, const F &f)
    {
        cudaLaunchAttribute attribute[1];
        cudaLaunchConfig_t config = {};
        config.stream = stream;
        config.attrs = attribute;
        config.numAttrs = 1;
        config.blockDim = threads;
        config.gridDim = blocks;
        attribute[0].id = IS_CLUSTER ? cudaLaunchAttributeClusterDimension : cudaLaunchAttributeCooperative;
        if (IS_CLUSTER)
        {
            attribute[0].val.clusterDim = {CLUSTER, 1, 1};
            check(cudaFuncSetAttribute(run_crew<IS_CLUSTER, F>, cudaFuncAttributeNonPortableClusterSizeAllowed, 1),
                  "preparing a cluster on the device");
        }
        else
            attribute[0].val.cooperative = 1;
        check(cudaLaunchKernelEx(&config, run_crew<IS_CLUSTER, F>, f), "starting a crew on the device");
    }
    __attribute__((format(printf, 2, 3))) bool say(const char *format, ...)
    {
        va_list values;
        va_start(values, format);
        if (good())
            vsnprintf(sentence, sizeof sentence, format, values);
        va_end(values);
        return false;
    }
    void check(cudaError_t error, const char *what)
    {
        if (error != cudaSuccess)
            say("%s: %s", what, cudaGetErrorString(error));
    }
    template <class F> void with_temporary(F work)
    {
        size_t bytes = 0;
        check(work(nullptr, bytes), "asking for the memory of a sort or sum");
        if (bytes > temporary_bytes)
        {
            wait();
            forget_recordings(); /* they have the old memory in them */
            cudaFree(temporary);
            temporary = allocate(bytes);
            temporary_bytes = bytes;
        }
        bytes = temporary_bytes;
        if (good())
            check(work(temporary, bytes), "a sort or sum on the device");
    }
};

} // namespace crn
