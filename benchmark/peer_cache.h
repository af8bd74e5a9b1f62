/* What the peer did, kept beside the problem set: its results change neither with Cairn nor with the day, and a rerun of the contest
 * that takes them from here costs minutes instead of an hour. Figures to be published come from a run without it. */
#ifndef BENCH_PEER_CACHE_H
#define BENCH_PEER_CACHE_H

#include "contest.h"

typedef struct peer_cache peer_cache;

/* The cache in a directory: what is there is read when `reuse` says so, otherwise it is begun anew. NULL after a message. */
peer_cache *peer_cache_open(const char *directory, bool reuse);
void peer_cache_close(peer_cache *cache);

/* False when there is nothing about this problem, target and solver. */
bool peer_cache_find(const peer_cache *cache, const char *problem, int target, int solver, contest_result *result);
void peer_cache_add(peer_cache *cache, const char *problem, int target, int solver, const contest_result *result);

#endif
