#include "domain/post.h"

cairn_status crn_post_open(crn_post *post, const cairn_ranks *ranks)
{
    *post = (crn_post){.count = ranks->count,
                       .to = calloc((size_t)ranks->count, sizeof *post->to),
                       .bytes = calloc((size_t)ranks->count, sizeof *post->bytes)};
    if (post->to && post->bytes)
        return CAIRN_OK;
    crn_post_free(post);
    return CAIRN_NO_MEMORY;
}

/* Put all letters behind each other; lets_go: each of them is given back then. Whether there was memory for all. */
static bool gather(crn_post *post, bool lets_go)
{
    bool failed = false;
    post->all.size = 0;
    post->all.failed = false;
    for (int r = 0; r < post->count; ++r)
    {
        failed = failed || post->to[r].failed;
        post->bytes[r] = failed ? 0 : post->to[r].size;
        crn_bytes_put(&post->all, post->to[r].data, post->bytes[r]);
        post->to[r].size = 0;
        post->to[r].failed = false;
        if (lets_go)
            crn_bytes_free(&post->to[r]);
    }
    if (failed || post->all.failed)
        memset(post->bytes, 0, (size_t)post->count * sizeof *post->bytes);
    return !failed && !post->all.failed;
}

cairn_status crn_post_send(crn_post *post, cairn_ranks *ranks)
{
    bool good = gather(post, false);
    post->came = ranks->deal(ranks->context, post->all.data, post->bytes);
    return good ? CAIRN_OK : CAIRN_NO_MEMORY;
}

cairn_status crn_post_send_off(crn_post *post, cairn_ranks *ranks)
{
    bool good = gather(post, true);
    post->came = ranks->deal(ranks->context, post->all.data, post->bytes);
    if (post->came != post->all.data) /* which a rank that is alone gets back */
        crn_bytes_free(&post->all);
    return good ? CAIRN_OK : CAIRN_NO_MEMORY;
}

crn_reading crn_post_from(const crn_post *post, int rank)
{
    const unsigned char *at = post->came;
    for (int r = 0; r < rank; ++r)
        at += post->bytes[r];
    return (crn_reading){at, at + post->bytes[rank]};
}

void crn_post_release(crn_post *post)
{
    for (int r = 0; post->to && r < post->count; ++r)
        crn_bytes_free(&post->to[r]);
    crn_bytes_free(&post->all);
}

void crn_post_free(crn_post *post)
{
    crn_post_release(post);
    free(post->to);
    free(post->bytes);
    *post = (crn_post){0};
}
