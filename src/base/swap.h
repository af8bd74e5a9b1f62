/* Let two places have what the other had. */
#ifndef CRN_BASE_SWAP_H
#define CRN_BASE_SWAP_H

#define CRN_SWAP(type, a, b)                                                                                           \
    do                                                                                                                 \
    {                                                                                                                  \
        type swapped = (a);                                                                                            \
        (a) = (b);                                                                                                     \
        (b) = swapped;                                                                                                 \
    } while (0)

#endif
