/* Numbers as text. */
#ifndef CRN_BASE_NUMBER_TEXT_H
#define CRN_BASE_NUMBER_TEXT_H

typedef struct crn_number_chars
{
    char text[32];
} crn_number_chars;

/* The fewest digits that read back as the same number; 1e-6, not 1e-06. */
crn_number_chars crn_number_text(double value);

#endif
