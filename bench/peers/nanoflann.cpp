// Compares the kd-tree with nanoflann's KDTreeSingleIndexAdaptor (double, 3D): the same points and queries, range
// results unsorted, one thread. nanoflann runs with leaves of 10, its default, and of other sizes, of which the
// best counts. Times are processor time, the best of some rounds taken in turn; answers are compared as well.
//   build/peers/nanoflann [rounds [points ...]]
#include <mote/mote.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <functional>
#include <memory>
#include <nanoflann.hpp>
#include <random>
#include <string>
#include <utility>
#include <vector>

namespace {

struct Cloud {
  std::vector<double> x;  // triples
  size_t size() const { return x.size() / 3; }
  size_t kdtree_get_point_count() const { return size(); }
  double kdtree_get_pt(size_t i, size_t axis) const { return x[3 * i + axis]; }
  template <class Box>
  bool kdtree_get_bbox(Box &) const {
    return false;
  }
};

using Peer =
    nanoflann::KDTreeSingleIndexAdaptor<nanoflann::L2_Simple_Adaptor<double, Cloud>, Cloud, 3, uint32_t>;
using Hits = std::vector<std::pair<uint32_t, double>>;

const size_t leaf_sizes[] = {10, 5, 16, 24, 32};
const size_t query_count = 100000;

Cloud lattice(size_t count) {
  std::mt19937_64 random(1);
  std::uniform_real_distribution<double> jitter(-0.2, 0.2);
  Cloud cloud;
  size_t n = size_t(std::llround(std::cbrt(double(count))));
  for (size_t i = 0; i < n * n * n; ++i) {
    for (size_t c : {i % n, i / n % n, i / n / n}) cloud.x.push_back(double(c) + jitter(random));
  }
  return cloud;
}

// A thousand balls whose sizes span three orders of magnitude.
Cloud clusters(size_t count) {
  std::mt19937_64 random(2);
  std::uniform_real_distribution<double> unit(0, 1);
  std::normal_distribution<double> normal;
  std::vector<double> ball(4000);
  for (size_t c = 0; c < 1000; ++c) {
    for (size_t k = 0; k < 3; ++k) ball[4 * c + k] = 100 * unit(random);
    ball[4 * c + 3] = 5 * std::pow(1e-3, unit(random));
  }
  Cloud cloud;
  for (size_t i = 0; i < count; ++i) {
    const double *c = &ball[4 * (i % 1000)];
    for (size_t k = 0; k < 3; ++k) cloud.x.push_back(c[k] + c[3] * normal(random));
  }
  return cloud;
}

mote_kdtree *make_tree(const Cloud &cloud) {
  mote_env env = mote_env_default();
  env.threads = 1;
  mote_kdtree *tree = nullptr;
  if (mote_kdtree_create(3, cloud.x.data(), cloud.size(), &env, &tree, nullptr)) std::abort();
  return tree;
}

// Places between points, in random order: on the way from a point to its eighth neighbour.
std::vector<double> scattered_queries(const mote_kdtree *tree, const Cloud &cloud) {
  std::mt19937_64 random(3);
  std::vector<double> query;
  for (size_t i = 0; i < query_count; ++i) {
    size_t j = random() % cloud.size();
    uint32_t near[8];
    mote_kdtree_nearest(tree, &cloud.x[3 * j], 8, near, nullptr);
    for (size_t k = 0; k < 3; ++k) query.push_back(0.6 * cloud.x[3 * j + k] + 0.4 * cloud.x[3 * near[7] + k]);
  }
  return query;
}

double mean_found(const mote_kdtree *tree, const std::vector<double> &query, double radius) {
  size_t sum = 0, taken = 10000;
  for (size_t i = 0; i < taken; ++i) sum += mote_kdtree_range(tree, &query[3 * i], radius, nullptr, 0);
  return double(sum) / double(taken);
}

double radius_for(const mote_kdtree *tree, const std::vector<double> &query, double wanted) {
  double low = 1e-6, high = 10;
  for (int k = 0; k < 40; ++k) {
    double middle = std::sqrt(low * high);
    (mean_found(tree, query, middle) < wanted ? low : high) = middle;
  }
  return low;
}

// One contestant: `run` returns something that depends on every answer, and is the same for all.
struct Runner {
  std::function<double()> run;
  double best = 1e30, answer = 0;
};

// The last runner is ours.
void race(const char *set, size_t count, const std::string &what, double units, int rounds,
          std::vector<Runner> runners) {
  for (int round = 0; round < rounds; ++round) {
    for (Runner &r : runners) {
      std::clock_t begin = std::clock();
      r.answer = r.run();
      r.best = std::min(r.best, double(std::clock() - begin) / CLOCKS_PER_SEC);
    }
  }
  const Runner &ours = runners.back();
  size_t best = 0;
  for (size_t k = 0; k + 1 < runners.size(); ++k) {
    if (runners[k].best < runners[best].best) best = k;
    if (std::abs(runners[k].answer - ours.answer) > 1e-6 * std::abs(ours.answer)) std::printf("ANSWERS DIFFER ");
  }
  double ns = 1e9 / units;
  std::printf("%-9s %8zu  %-20s %9.1f %9.1f (leaf %2zu) %9.1f %8.2f %8.2f\n", set, count, what.c_str(),
              runners[0].best * ns, runners[best].best * ns, leaf_sizes[best], ours.best * ns,
              runners[0].best / ours.best, runners[best].best / ours.best);
  std::fflush(stdout);
}

void race_build(const char *set, const Cloud &cloud, int rounds) {
  std::vector<Runner> runners;
  for (size_t leaf : leaf_sizes) {
    runners.push_back({[&cloud, leaf] {
      Peer peer(3, cloud, leaf);
      return double(peer.size(peer));
    }});
  }
  runners.push_back({[&cloud] {
    mote_kdtree_destroy(make_tree(cloud));
    return double(cloud.size());
  }});
  race(set, cloud.size(), "build", double(cloud.size()), rounds, runners);
}

struct Contest {
  const char *set;
  const Cloud &cloud;
  const mote_kdtree *tree;
  std::vector<std::unique_ptr<Peer>> peers;
};

void race_range(const Contest &c, const char *order, const std::vector<double> &query, double radius, int rounds) {
  size_t n = std::min(query.size() / 3, query_count);
  std::vector<Runner> runners;
  for (const auto &peer : c.peers) {
    runners.push_back({[&, n] {
      Hits hits;
      size_t sum = 0;
      for (size_t i = 0; i < n; ++i) {
        peer->radiusSearch(&query[3 * i], radius * radius, hits, nanoflann::SearchParams(32, 0.f, false));
        sum += hits.size();
      }
      return double(sum);
    }});
  }
  runners.push_back({[&, n] {
    std::vector<uint32_t> hits(c.cloud.size());
    size_t sum = 0;
    for (size_t i = 0; i < n; ++i) {
      sum += mote_kdtree_range(c.tree, &query[3 * i], radius, hits.data(), hits.size());
    }
    return double(sum);
  }});
  race(c.set, c.cloud.size(), std::string("range 40, ") + order, double(n), rounds, runners);
}

void race_nearest(const Contest &c, const char *order, const std::vector<double> &query, size_t k, int rounds) {
  size_t n = std::min(query.size() / 3, query_count);
  std::vector<uint32_t> index(k);
  std::vector<double> distance2(k);
  std::vector<Runner> runners;
  for (const auto &peer : c.peers) {
    runners.push_back({[&, n] {
      double sum = 0;
      for (size_t i = 0; i < n; ++i) {
        peer->knnSearch(&query[3 * i], k, index.data(), distance2.data());
        sum += distance2[k - 1];
      }
      return sum;
    }});
  }
  runners.push_back({[&, n] {
    double sum = 0;
    for (size_t i = 0; i < n; ++i) {
      mote_kdtree_nearest(c.tree, &query[3 * i], k, index.data(), distance2.data());
      sum += distance2[k - 1];
    }
    return sum;
  }});
  race(c.set, c.cloud.size(), "k = " + std::to_string(k) + ", " + order, double(n), rounds, runners);
}

void compare(const char *set, const Cloud &cloud, int rounds) {
  race_build(set, cloud, rounds);
  mote_kdtree *tree = make_tree(cloud);
  Contest contest = {set, cloud, tree, {}};
  for (size_t leaf : leaf_sizes) contest.peers.push_back(std::make_unique<Peer>(3, cloud, leaf));
  std::vector<double> scattered = scattered_queries(tree, cloud);
  double radius = radius_for(tree, scattered, 40);
  for (bool own : {false, true}) {
    const char *order = own ? "own points" : "scattered";
    const std::vector<double> &query = own ? cloud.x : scattered;
    race_range(contest, order, query, radius, rounds);
    for (size_t k : {1, 8, 32}) race_nearest(contest, order, query, k, rounds);
  }
  mote_kdtree_destroy(tree);
}

}  // namespace

int main(int argc, char **argv) {
  int rounds = argc > 1 ? std::max(1, std::atoi(argv[1])) : 5;
  std::vector<size_t> counts;
  for (int k = 2; k < argc; ++k) counts.push_back(size_t(std::atof(argv[k])));
  if (counts.empty()) counts = {100000, 1000000};
  std::printf("%-9s %8s  %-20s %9s %19s %9s %8s %8s\n", "set", "points", "ns per point, query", "leaf 10",
              "nanoflann's best", "mote", "leaf 10", "best");
  for (size_t count : counts) {
    compare("lattice", lattice(count), rounds);
    compare("clusters", clusters(count), rounds);
  }
  return 0;
}
