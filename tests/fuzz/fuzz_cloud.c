// Fuzzes the readers of particles; the first byte chooses the format.
#include <stdlib.h>
#include <string.h>

#include "io/cloud.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

// Every number is touched, so that a sanitizer sees what was not read.
static uint64_t sum_bits(const mote_cloud *cloud) {
  uint64_t sum = 0;
  for (int k = 0; k < cloud->fields; ++k) {
    const mote_field_view *field = &cloud->field[k];
    size_t bytes = field->count * (size_t)field->components * mote_type_size(field->type);
    for (size_t b = 0; b < bytes; ++b) sum = sum * 31 + ((const uint8_t *)field->data)[b];
    sum += strlen(field->name) + strlen(field->unit);
  }
  return sum;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  static const char *const names[] = {"a.vtp", "a.vtk", "a.ply",  "a.bgeo", "a.csv",
                                      "a.xyz", "a.vtu", "a.json", "a.usda"};
  if (size < 1) return 0;
  mote_env env = mote_env_default();
  mote_file_content source = {data + 1, size - 1, names[data[0] % 9], &env};
  mote_cloud cloud;
  mote_error error = {0};
  if (mote_cloud_parse(&source, &cloud, &error) != MOTE_OK) {
    if (error.code == MOTE_OK || error.text[0] == 0) abort();
    return 0;
  }
  const mote_field_view *x = mote_cloud_find(&cloud, "position");
  if (x == NULL || x->components != 3 || x->count != cloud.count) abort();
  volatile uint64_t sum = sum_bits(&cloud);
  (void)sum;
  mote_cloud_free(&cloud, &env);
  return 0;
}
