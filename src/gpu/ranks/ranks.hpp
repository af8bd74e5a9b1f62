/* A world that is one domain of several, each on a rank of its own (interface.h).
 *
 * A rank has bodies that it owns, and ghosts: copies of those of its neighbours that may touch them. Every contact of an owned body is found and visited
 * here. One with a ghost is found and visited on both sides, from the same numbers in the same order, and so with the same bits. Contacts of two ghosts are
 * left to others. Whatever changes a body that a neighbour does not see, the owner tells it before the neighbour needs the body again.
 *
 * Nothing depends on how bodies are divided among ranks: what a visit does depends on its two bodies alone, colours tell the order of the contacts
 * of a body, colours follow from names of contacts that are the same everywhere, and all that concerns the whole is a maximum or an exact sum.
 *
 * This file: who the neighbours are, and how bodies travel. */
#pragma once

#include "../interface.h"

#include <algorithm>
#include <cstring>
#include <vector>

namespace crn
{

/* Bodies that travel: those of neighbour q are first[q] .. first[q + 1] - 1, by their numbers in the description. The k-th that one side sends is the k-th
 * that the other expects. */
struct Route
{
    std::vector<int> first, body;

    void clear()
    {
        first.assign(1, 0);
        body.clear();
    }
    /* What has been added so far belongs to the next neighbour. */
    void close()
    {
        first.push_back((int)body.size());
    }
    bool is_empty() const
    {
        return body.empty();
    }
};

/* Both directions. */
struct Traffic
{
    Route out, in;

    void clear()
    {
        out.clear();
        in.clear();
    }
    void close()
    {
        out.close();
        in.close();
    }
    bool is_empty() const
    {
        return out.is_empty() && in.is_empty();
    }
};

class Ranks
{
  public:
    int rank, neighbours;
    Traffic border;         /* all bodies that travel at all */
    std::vector<int> ghost; /* per body of the description: its place in border.in.body; -1: it is none */
    std::vector<int> owner; /* per place in border.in.body: neighbour */
    std::vector<int> at;    /* per body of the description: where it is in memory in this step */
    std::vector<long long> global;
    long long messages = 0, bytes = 0, reductions = 0;
    bool is_broken = false, is_checked;

    Ranks(const crn_gpu_rank &with, int bodies)
        : rank(with.rank), neighbours(with.neighbours), ghost((size_t)bodies, -1), at((size_t)bodies),
          global(with.global, with.global + bodies), is_checked(with.check), job(with)
    {
        copy(border.out, with.send_first, with.send);
        copy(border.in, with.receive_first, with.receive);
        owner.resize(border.in.body.size());
        for (int q = 0; q < neighbours; ++q)
            for (int i = border.in.first[(size_t)q]; i < border.in.first[(size_t)q + 1]; ++i)
            {
                ghost[(size_t)border.in.body[(size_t)i]] = i;
                owner[(size_t)i] = q;
            }
    }

    /* The place of an owned body among those that neighbour q gets. */
    int place_for(int q, int body) const
    {
        auto begin = border.out.body.begin() + border.out.first[(size_t)q], end = border.out.body.begin() + border.out.first[(size_t)q + 1];
        return (int)(std::lower_bound(begin, end, body) - border.out.body.begin());
    }

    /* read(body) gives what is sent of a body; write(body, value) takes what has come, once it is there. */
    template <class T, class Read> void start(const Traffic &of, Read read)
    {
        if (of.is_empty())
            return;
        outgoing.resize(of.out.body.size() * sizeof(T));
        incoming.resize(of.in.body.size() * sizeof(T));
        for (size_t i = 0; i < of.out.body.size(); ++i)
        {
            T value = read(of.out.body[i]);
            memcpy(outgoing.data() + i * sizeof(T), &value, sizeof(T));
        }
        point(of.out, sizeof(T), outgoing.data(), to, to_bytes);
        point(of.in, sizeof(T), incoming.data(), from, from_bytes);
        for (size_t one : to_bytes)
        {
            messages += one > 0;
            bytes += (long long)one;
        }
        job.start(job.context, to.data(), to_bytes.data(), from.data(), from_bytes.data());
    }
    template <class T, class Write> void finish(const Traffic &of, Write write)
    {
        if (of.is_empty())
            return;
        is_broken = !job.finish(job.context) || is_broken;
        for (size_t i = 0; i < of.in.body.size(); ++i)
        {
            T value;
            memcpy((void *)&value, incoming.data() + i * sizeof(T), sizeof(T));
            write(of.in.body[i], value);
        }
    }
    template <class T, class Read, class Write> void exchange(const Traffic &of, Read read, Write write)
    {
        start<T>(of, read);
        finish<T>(of, write);
    }

    /* sent: m/s, per body of the description. */
    bool suffices(const double *sent) const
    {
        return !job.suffices || job.suffices(job.context, sent);
    }
    void reduce_max(double *values, int count)
    {
        ++reductions;
        job.reduce_max(job.context, values, count);
    }
    void reduce_sum(int64_t *values, int count)
    {
        ++reductions;
        job.reduce_sum(job.context, values, count);
    }
    /* The records of all ranks, in the order of the ranks. */
    template <class T> std::vector<T> gather(const std::vector<T> &mine)
    {
        size_t size = 0;
        const void *all = job.gather(job.context, mine.data(), mine.size() * sizeof(T), &size);
        std::vector<T> out(size / sizeof(T));
        if (size > 0)
            memcpy((void *)out.data(), all, size);
        ++reductions;
        return out;
    }

  private:
    crn_gpu_rank job; /* its functions; its arrays were only there during `open` */
    std::vector<char> outgoing, incoming;
    std::vector<void *> to, from;
    std::vector<size_t> to_bytes, from_bytes;

    void copy(Route &route, const int32_t *first, const int32_t *body) const
    {
        route.first.assign(1, 0);
        if (neighbours > 0)
        {
            route.first.assign(first, first + neighbours + 1);
            route.body.assign(body, body + first[neighbours]);
        }
    }
    void point(const Route &route, size_t size, char *data, std::vector<void *> &place, std::vector<size_t> &length) const
    {
        place.resize((size_t)neighbours);
        length.resize((size_t)neighbours);
        for (size_t q = 0; q < (size_t)neighbours; ++q)
        {
            place[q] = data + (size_t)route.first[q] * size;
            length[q] = (size_t)(route.first[q + 1] - route.first[q]) * size;
        }
    }
};

} // namespace crn
