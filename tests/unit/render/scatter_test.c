// Fresnel, Snell, microfacets, and the points that choose among directions.
#include "render/scatter.h"

#include "test.h"

// Normal incidence ((n - 1)/(n + 1))^2; Brewster's angle, where one polarisation is not reflected and of the
// other half of ((n^2 - 1)/(n^2 + 1))^2 is left; total reflection beyond the critical angle.
static void fresnel_is_as_published(void) {
  const float index[3] = {1.333F, 1.5F, 2.4F};
  for (int k = 0; k < 3; ++k) {
    double n = (double)index[k], straight = (n - 1) / (n + 1), brewster = (n * n - 1) / (n * n + 1);
    CHECK_NEAR((double)fresnel(1, index[k]), straight * straight, 1e-6);
    CHECK_NEAR((double)fresnel(1, 1 / index[k]), straight * straight, 1e-6);
    CHECK_NEAR((double)fresnel((float)(1 / sqrt(1 + n * n)), index[k]), 0.5 * brewster * brewster, 1e-6);
    CHECK_NEAR((double)fresnel(0, index[k]), 1, 1e-6);
    float critical = (float)sqrt(1 - 1 / (n * n));
    CHECK(fresnel(critical - 1e-3F, 1 / index[k]) == 1);
    CHECK(fresnel(critical + 1e-3F, 1 / index[k]) < 1);
  }
}

// n1 sin 1 = n2 sin 2, in the plane of incidence, and back by the way it came.
static void refraction_follows_snell(void) {
  for (int k = 1; k < 20; ++k) {
    double angle = 0.07 * k;
    mote_vec n = vec_unit(vec(0.3F, 0.8F, -0.2F)), u, v, to = {0}, again = {0};
    vec_basis(n, &u, &v);
    mote_vec from = vec_along(vec_scale(n, mote_cosf((float)angle)), u, mote_sinf((float)angle));
    CHECK(refract(from, n, 1.5F, &to));
    CHECK_NEAR((double)-vec_dot(to, u) * 1.5, mote_sin(angle), 1e-6);
    CHECK_NEAR((double)vec_dot(to, v), 0, 1e-6);
    CHECK(vec_dot(to, n) < 0);
    CHECK(refract(to, vec_scale(n, -1), 1 / 1.5F, &again));
    CHECK_NEAR((double)vec_dot(again, from), 1, 1e-5);
    CHECK(refract(from, n, 1 / 1.5F, &to) == (mote_sin(angle) * 1.5 < 1));
    CHECK_NEAR((double)vec_dot(reflect(from, n), n), mote_cos(angle), 1e-6);
  }
}

// The first 2^m points of a pair put one point into every box of area 2^-m with sides that are powers of two:
// scrambled or not, they are a (0, m, 2)-net.
static void samples_are_even(void) {
  for (uint32_t pixel = 0; pixel < 50; ++pixel)
    for (int wide = 0; wide <= 6; ++wide) {
      int hits[64] = {0};
      for (uint32_t k = 0; k < 64; ++k) {
        mote_sampler s = sampler_make(5, pixel, k);
        s.pair = pixel % 7;
        mote_sample_point p = sampler_next(&s);
        int a = (int)(p.a * (float)(1 << wide)), b = (int)(p.b * (float)(64 >> wide));
        ++hits[a + (b << wide)];
      }
      bool even = true;
      for (int k = 0; k < 64; ++k) even = even && hits[k] == 1;
      CHECK(even);
    }
}

// Pairs and pixels have nothing to do with each other: correlations of 4096 products are below 4/sqrt(4096).
static void pairs_are_independent(void) {
  double product[3] = {0};
  for (uint32_t k = 0; k < 4096; ++k) {
    mote_sampler s = sampler_make(1, k / 16, k % 16), other = sampler_make(1, k / 16 + 1, k % 16);
    mote_sample_point p = sampler_next(&s), q = sampler_next(&s), r = sampler_next(&other);
    product[0] += 12 * ((double)p.a - 0.5) * ((double)q.a - 0.5);
    product[1] += 12 * ((double)p.b - 0.5) * ((double)q.b - 0.5);
    product[2] += 12 * ((double)p.a - 0.5) * ((double)r.a - 0.5);
  }
  for (int k = 0; k < 3; ++k) CHECK_NEAR(product[k] / 4096, 0, 4.0 / 64);
}

// Means of what the samples of a solid angle must have: cosine lobes 2/3, cones (1 + c)/2, spheres nothing.
static void directions_have_their_means(void) {
  mote_vec n = vec_unit(vec(1, 2, -2));
  double lobe = 0, cone = 0, ball = 0, off = 0;
  for (uint32_t k = 0; k < 4096; ++k) {
    mote_sampler s = sampler_make(2, 0, k);
    mote_sample_point u = sampler_next(&s);
    mote_vec a = sample_cosine(n, u), b = sample_cone(n, 0.6F, u), c = sample_sphere(u);
    lobe += (double)vec_dot(a, n), cone += (double)vec_dot(b, n), ball += (double)vec_dot(c, n);
    off = fmax(off, fabs((double)vec_length(a) - 1) + fabs((double)vec_length(b) - 1));
    CHECK(vec_dot(b, n) >= 0.5999F);
  }
  CHECK_NEAR(lobe / 4096, 2.0 / 3, 2e-3);
  CHECK_NEAR(cone / 4096, 0.8, 2e-3);
  CHECK_NEAR(ball / 4096, 0, 2e-3);
  CHECK(off < 1e-5);
}

// Facets that are sampled and reflected carry G2/G1, which is at most 1; the density they are sampled with is
// that which ggx_reflect tells: the integral of density over directions, by even sampling, is the part above
// the surface.
static void coats_are_sampled_as_they_say(void) {
  const float alpha[3] = {0.1F, 0.3F, 0.8F};
  mote_vec n = vec(0, 0, 1);
  for (int k = 0; k < 3; ++k)
    for (int tilt = 0; tilt < 3; ++tilt) {
      float angle = 0.6F * (float)tilt;
      mote_vec from = vec(mote_sinf(angle), 0, mote_cosf(angle));
      double whole = 0, above = 0, carried = 0, value = 0;
      const uint32_t count = 1 << 16;
      for (uint32_t i = 0; i < count; ++i) {
        mote_sampler s = sampler_make(3, 1, i);
        mote_sample_point u = sampler_next(&s);
        mote_vec even = sample_cone(n, 0, u), to = reflect(from, ggx_sample(from, n, alpha[k], u));
        float density, facets;
        value += (double)ggx_reflect(from, even, n, alpha[k], &density);
        whole += (double)density;
        above += to.z > 0;
        float carry = ggx_reflect(from, to, n, alpha[k], &facets);
        if (facets > 0) carried += (double)(carry / facets);
        CHECK(carry <= facets * 1.00001F);
      }
      double solid = 2 * 3.14159265358979 / (double)count;
      CHECK_NEAR(whole * solid, above / count, 0.03);
      CHECK_NEAR(value * solid, carried / count, 0.03);
    }
}

int main(void) {
  fresnel_is_as_published();
  refraction_follows_snell();
  samples_are_even();
  pairs_are_independent();
  directions_have_their_means();
  coats_are_sampled_as_they_say();
  return test_end();
}
