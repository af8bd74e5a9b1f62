/* Bytes that a thread holds, counted as they are asked for. A test that includes this is linked with
 *     --wrap=malloc,--wrap=calloc,--wrap=realloc,--wrap=free
 * so that the linker puts the functions of counted_memory.c in their place. */
#ifndef CAIRN_TESTS_SUPPORT_COUNTED_MEMORY_H
#define CAIRN_TESTS_SUPPORT_COUNTED_MEMORY_H

/* Of the calling thread: what it has asked for and not given back, by its own calls. */
long long counted_bytes(void);
/* Find the most from here on. Returns the bytes at this moment. */
long long counted_begin(void);
/* The most since counted_begin. */
long long counted_peak(void);

#endif
