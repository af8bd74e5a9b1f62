/* Where a program passes, for libFuzzer: it looks at bytes of which each counts a basic block, as clang's instrumentation makes them. gcc calls a
 * function in each block instead, and the caller's address chooses the byte; two blocks may share one. In programs without libFuzzer the
 * sanitizer's runtime takes the bytes, and nobody looks at them. */
#include <stdint.h>

enum
{
    BYTES = 1 << 16
};

static _Alignas(4096) uint8_t passes[BYTES];

void __sanitizer_cov_8bit_counters_init(uint8_t *first, uint8_t *end);
void __sanitizer_cov_trace_pc(void);
void __sanitizer_cov_trace_cmpf(float a, float b);
void __sanitizer_cov_trace_cmpd(double a, double b);

__attribute__((constructor)) static void show_passes(void)
{
    __sanitizer_cov_8bit_counters_init(passes, passes + BYTES);
}

/* libFuzzer has an empty function of this name, so this one is the library's own. Distances between functions are the same in each run, addresses
 * are not. */
__attribute__((visibility("hidden"))) void __sanitizer_cov_trace_pc(void)
{
    uintptr_t place = (uintptr_t)__builtin_return_address(0) - (uintptr_t)show_passes;
    ++passes[place * 0x9e3779b97f4a7c15u >> 48];
}

/* What gcc reports of floating-point numbers is nothing that libFuzzer or the runtime knows. */
__attribute__((visibility("hidden"))) void __sanitizer_cov_trace_cmpf(float a, float b)
{
    (void)a, (void)b;
}

__attribute__((visibility("hidden"))) void __sanitizer_cov_trace_cmpd(double a, double b)
{
    (void)a, (void)b;
}
