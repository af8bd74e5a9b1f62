#include "scene/shape_fields.h"

#include <stddef.h>
#include <string.h>

#define AT(member) .name = #member, .offset = offsetof(crn_shape_record, member)
#define NUMBER(in) .kind = CRN_FIELD_NUMBER, .range = (in)
#define VECTOR     .kind = CRN_FIELD_VECTOR

/* A field, and the bit of the classes that take it; 0: all do. */
static const struct
{
    crn_field field;
    unsigned taken;
} FIELDS[CRN_SHAPE_FIELDS] = {
    {{AT(type), .kind = CRN_FIELD_WORD, .required = CRN_ALWAYS}, 0},
    {{AT(radius), NUMBER(CRN_POSITIVE)}, CRN_TAKES_RADIUS},
    {{AT(radii), VECTOR}, CRN_TAKES_RADII},
    {{AT(vertices), .kind = CRN_FIELD_VECTORS}, CRN_TAKES_VERTICES},
    {{AT(triangles)}, CRN_TAKES_TRIANGLES},
    {{AT(file), .kind = CRN_FIELD_NAME}, CRN_TAKES_FILE},
    {{AT(scale), NUMBER(CRN_POSITIVE)}, CRN_TAKES_FILE},
    {{AT(weld), NUMBER(CRN_NOT_NEGATIVE)}, CRN_TAKES_WELD},
    {{AT(flip), .kind = CRN_FIELD_FLAG}, CRN_TAKES_WELD},
    {{AT(recentre), .kind = CRN_FIELD_FLAG}, CRN_TAKES_RECENTRE},
    {{AT(heights)}, CRN_TAKES_HEIGHTS},
    {{AT(points)}, CRN_TAKES_HEIGHTS},
    {{AT(spacing), NUMBER(CRN_POSITIVE)}, CRN_TAKES_SPACING},
    {{AT(length), NUMBER(CRN_POSITIVE)}, CRN_TAKES_LENGTH},
    {{AT(height), NUMBER(CRN_POSITIVE)}, CRN_TAKES_HEIGHT},
    {{AT(size), VECTOR}, CRN_TAKES_SIZE},
    {{AT(normal), VECTOR}, CRN_TAKES_NORMAL},
    {{AT(position), VECTOR}, 0},
    {{AT(angle), .kind = CRN_FIELD_NUMBER, .dimension = 2, .instead = "orientation"}, 0},
    {{AT(orientation), .dimension = 3, .instead = "angle"}, 0},
    {{AT(density), NUMBER(CRN_NOT_NEGATIVE)}, CRN_TAKES_DENSITY},
    {{AT(material), .kind = CRN_FIELD_NAME}, 0},
    {{AT(surface_velocity), VECTOR}, 0},
    {{AT(opening), NUMBER(CRN_NOT_NEGATIVE)}, CRN_TAKES_OPENING},
};

static void add_word(crn_shape_table *table, const char *text, int dimension, crn_shape_word meaning)
{
    assert(table->word_count < CRN_SHAPE_WORDS);
    table->words[table->word_count] = (crn_word){text, dimension};
    table->meaning[table->word_count++] = meaning;
}

void crn_shape_table_fill(crn_shape_table *out)
{
    static const crn_shape_word RECTANGLE = {CAIRN_POLYGON, CRN_TAKES_SIZE | CRN_TAKES_DENSITY, CRN_TAKES_SIZE};
    out->word_count = 0;
    for (int kind = 0; kind < crn_shape_class_count; ++kind)
    {
        const crn_shape_class *class = crn_shape_classes[kind];
        assert(class->dimension == 0 || class->dimension == 2 || class->dimension == 3);
        add_word(out, class->name, class->dimension,
                 (crn_shape_word){(cairn_shape_kind)kind, class->takes, class->needs});
        if (kind == (int)RECTANGLE.kind)
            add_word(out, "rectangle", class->dimension, RECTANGLE);
    }
    for (int i = 0; i < CRN_SHAPE_FIELDS; ++i)
    {
        crn_field *field = &out->fields[i];
        *field = FIELDS[i].field;
        for (int w = 0; w < out->word_count; ++w)
        {
            field->only |= out->meaning[w].takes & FIELDS[i].taken ? 1 << w : 0;
            field->required |= out->meaning[w].needs & FIELDS[i].taken ? 1 << w : 0;
        }
    }
    out->fields[0].words = out->words;
    out->fields[0].word_count = out->word_count;
    out->object = (crn_object){.noun = "shape",
                               .definition = "shape",
                               .selector = "type",
                               .fields = out->fields,
                               .count = CRN_SHAPE_FIELDS,
                               .record_size = sizeof(crn_shape_record)};
}
