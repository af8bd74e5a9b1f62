/* A world on the device: its memory, and the kernels of a step in their order.
 *
 *     cells         which one each body is in, and bodies in their order
 *     find          contacts that can close within the step, counted and filled, with last step's impulses and colours
 *     colour        those that are new; then contacts sorted by colour
 *     sweep         over the colours, forwards and backwards in turn
 *     certificate   in steps that have one
 *     move          positions; contacts kept
 *
 * All counts stay on the device until the end of a batch of steps.
 */
#pragma once

#include "colour.hpp"
#include "contact.hpp"
#include "find.hpp"
#include "machine.hpp"
#include "momentum.hpp"
#include "calm.hpp"
#include "motion.hpp"
#include "forces/program.hpp"
#include "joints/judge.hpp"
#include "joints/loops.hpp"
#include "shapes/judge.hpp"
#include "shapes/narrow.hpp"
#include "shapes/laws.hpp"
#include "ranks/team.hpp"

#include <memory>

namespace crn
{

#define UNCOLOURED_SENTENCE "the contacts could not be coloured"
#define LOST_SENTENCE "body %.0f, counted from 1, is no longer at any place, or too fast: the step is too long for it"

/* Adds to an impulse, so that tests can see the certificate find it. */
struct Spoil
{
    World world;
    int contact;
    R3 added;
    CRN_HD void operator()(int) const
    {
        if (contact >= world.counters->contacts)
            return;
        R3 n = xyz(world.ordered.n[contact]);
        R4 &r = world.ordered.r[contact];
        r = with(xyz(r) + across(added, n), r.w + dot(added, n));
    }
};

class Numbers; /* ranks/kept.hpp */
struct KeptContact;
struct KeptJoint;
struct Tally; /* ranks/pipeline_ranks.hpp */

class Pipeline
{
  public:
    Machine machine;

    Pipeline() = default;
    Pipeline(const Pipeline &) = delete;
    ~Pipeline();
    bool open(const crn_gpu_description *description);
    bool step(double h, int steps, const double gravity[3], const crn_gpu_drive *drive, const crn_gpu_timed *timed,
              crn_gpu_report *report);
    bool read_joints(crn_gpu_joint_row *row);
    /* forces/pipeline_forces.hpp */
    bool load(const crn_gpu_load *load, int steps, const crn_gpu_pull *pull);
    bool read_forces(double *work);
    bool read_bodies(crn_gpu_body *body);
    bool read_contacts(crn_gpu_contact *contact, int count);
    bool read_kept(int64_t *first, const void **bytes);
    void spoil(int contact, R3 added);
    static size_t estimate(const crn_gpu_description *description);

  private:
    World world = {};
    Finding *finding = nullptr;
    Totals *totals = nullptr;
    JointFinding *joint_finding = nullptr;
    int timed_capacity = 0, load_capacity = 0;
    void *owned[160] = {};
    int owned_count = 0, certify_every = 1, drive_capacity = 0, grown = 0, spoiled = -1;
    long long steps_taken = 0, swept = 0;
    int most_swept = 0, most_sweeps = 0;
    double tolerance = 0;
    bool (*finish)(void *, const crn_gpu_left *) = nullptr;
    void *finish_user = nullptr;
    int left = 0;
    int group_bits = 16;
    R3 spoil_added = {0, 0, 0};
    std::unique_ptr<Team> team; /* NULL: the world is alone */
    std::unique_ptr<Numbers> numbers;
    std::vector<char> kept_bytes;
    std::vector<D4> read_x, read_q; /* scratch of read_bodies */
    std::vector<Motion> read_m;
    std::vector<I2> read_tag;
    struct /* scratch of reading contacts, which kept memory makes cheap */
    {
        std::vector<int> first, other, feature;
        std::vector<unsigned long long> pair;
        std::vector<R4> normal, r, arm_a, arm_b, extra;
        std::vector<uint8_t> colour;
        std::vector<Shape> shape;
        std::vector<crn_gpu_plane> plane;
    } listed;

    template <class T> void take(T *&at, size_t count);
    template <class T> void give(T *&at);
    template <class T> void keep(T *&at, size_t kept, size_t count);
    template <class T> void send(T *&at, const T *from, size_t count);
    bool lay_levels(const crn_gpu_description *d, int *level);
    void take_bodies(Bodies &bodies, size_t n);
    void number(int *&at, size_t count);
    void take_contacts(size_t capacity, size_t kept);
    void send_bodies(const crn_gpu_description *d, const int *level);
    void send_surfaces(const crn_gpu_description *d);
    void take_rest(const crn_gpu_description *d);
    void enqueue(bool certify);
    void enqueue_begin();
    template <template <bool> class F> void enqueue_search(int n, int look);
    void enqueue_sweeps(int sweeps, bool is_more);
    void enqueue_judgement();
    void enqueue_conclusion();
    void enqueue_end();
    void enqueue_momentum(int sweeps);
    void enqueue_round(int more, bool has_momentum);
    int go_on(int taken, bool has_momentum, double scale);
    bool step_to_tolerance();
    bool can_calm() const;
    /* pipeline_left.hpp */
    bool can_leave(int contacts) const;
    void list_bodies(std::vector<crn_gpu_left_body> &body);
    void list_round_contacts(std::vector<crn_gpu_left_contact> &contact);
    void list_contacts(std::vector<crn_gpu_left_contact> &contact);
    void take_impulses(const std::vector<crn_gpu_left_contact> &contact);
    void leave_step(int contacts, Finding *found);
    void enqueue_contacts();
    void enqueue_certificate();
    bool grow(const Counters &counters);
    void send_forces(const crn_gpu_description *d);
    void send_programs(const crn_gpu_description *d);
    void enqueue_forces();
    /* joints/pipeline_joints.hpp */
    void send_joints(const crn_gpu_description *d);
    void send_mechanisms(const crn_gpu_description *d);
    void enqueue_joints();
    double lifted_by_loops();
    void time_joints(const crn_gpu_timed *timed, int steps);
    void enqueue_joint_judgement();
    /* shapes/pipeline_shapes.hpp */
    void send_shapes(const crn_gpu_description *d, const int *level);
    void send_hulls(const crn_gpu_description *d);
    void take_pairs(size_t capacity);
    void take_arms(size_t capacity, size_t kept);
    void enqueue_pairs();
    void enqueue_shape_judgement();
    void enqueue_turn_work();
    void enqueue_shape_end();
    bool read_shape_contacts(crn_gpu_contact *contact, int count);
    void fill_report(const Counters &counters, crn_gpu_report *report);
    /* ranks/pipeline_ranks.hpp */
    bool open_team(const crn_gpu_description *d);
    bool all_are_good();
    void send_domain(const crn_gpu_description *d);
    void copy_to_ghosts();
    template <class F> void each_found(F f) const;
    void locate_bodies();
    void tell_struck(int look);
    bool has_ghosts_enough() const;
    bool agree();
    void say_lost();
    void route_uncoloured(const int *list, int count, Traffic &of);
    void copy_words(const Traffic &of, unsigned long long *word);
    void colour_together();
    void order_together();
    bool is_border(unsigned long long pair) const;
    int number_of(int i) const
    {
        return world.sorted.tag[i].x;
    }
    void schedule_together();
    void start_motions(const Traffic &of);
    void finish_motions(const Traffic &of);
    template <int FORM> void visit_range(const Sweep<FORM> &sweep, int begin, int end, bool is_start);
    template <int FORM> void sweep_together(int sweeps, bool is_more);
    template <int FORM> void enqueue_form(int sweeps, bool is_more);
    void sweep_joint_colour(int colour, const Traffic *before, bool is_start);
    /* ranks/pipeline_split.hpp */
    void find_parts();
    void count_visits();
    int stage_of(unsigned long long pair) const;
    void order_stages();
    void schedule_split();
    template <int FORM> void visit_stage(const Sweep<FORM> &sweep, int stage, int pass);
    void weigh_near_joints();
    template <int FORM> void sweep_split(int sweeps, bool is_more);
    void share_sweeps();
    void copy_judged();
    void judge_together();
    void judge_contacts(Tally &found);
    void join_findings(Tally &found);
    void check_ghosts();
    void join_report(crn_gpu_report *report);
    /* ranks/kept.hpp */
    void send_kept(const crn_gpu_description *d);
    bool order_kept(const std::vector<int64_t> &kept, std::vector<int> &place);
    void send_kept_contacts(const std::vector<KeptContact> &contact, const std::vector<int> &index);
    void send_kept_joints(const std::vector<KeptJoint> &joint);
};

} // namespace crn
