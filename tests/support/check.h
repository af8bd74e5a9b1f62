/* cmocka with its headers in order, and comparisons of doubles (cmocka's own are in single precision). */
#ifndef TEST_SUPPORT_CHECK_H
#define TEST_SUPPORT_CHECK_H

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

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
