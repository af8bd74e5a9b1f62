/* Growing arrays. Hot loops reserve once and reuse: a warm step allocates nothing. */
#ifndef CRN_BASE_MEMORY_H
#define CRN_BASE_MEMORY_H

#include "cairn/base.h"

/* Make *array (a pointer to any object pointer) hold at least `need` elements of `size` bytes, growing by half as much
 * again; new memory is zeroed. CAIRN_OK or CAIRN_NO_MEMORY (the array is then left as it was). */
cairn_status crn_reserve(void *array, size_t *capacity, size_t need, size_t size);

/* A copy of a string; NULL when memory ran out or text is NULL. */
char *crn_copy_text(const char *text);

#endif
