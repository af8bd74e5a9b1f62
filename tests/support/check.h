/* cmocka with its headers in order, and comparisons of doubles (cmocka's own are in single precision). */
#ifndef TEST_SUPPORT_CHECK_H
#define TEST_SUPPORT_CHECK_H

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

/* Under sanitizers programs are some thirty times slower, and tests take fewer bodies and steps. */
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define IS_SANITIZED 1
#else
#define IS_SANITIZED 0
#endif

/* Runs that are there to agree with another one: on other ranks or threads, or again. The optimised suite takes all of them. Sanitizers look at
 * memory, which one of the like shows; they take all where CAIRN_LONG is set. */
#define TAKES_ALL (!IS_SANITIZED || getenv("CAIRN_LONG"))

static inline void check_near(double found, double expected, double tolerance, const char *file, int line)
{
    if (!(fabs(found - expected) <= tolerance))
    {
        print_error("%.17g is not within %g of %.17g (off by %g)\n", found, tolerance, expected, found - expected);
        _fail(file, line);
    }
}

#define assert_near(found, expected, tolerance) check_near(found, expected, tolerance, __FILE__, __LINE__)

#endif
