// The head of a snapshot: see snapshot_head.h.
#include "state/snapshot_head.h"

#include <inttypes.h>
#include <string.h>

#include "base/hash.h"

void mote_snapshot_head_put(const mote_snapshot_head *head, unsigned char bytes[MOTE_SNAPSHOT_HEAD]) {
  uint32_t version = MOTE_SNAPSHOT_VERSION;
  memcpy(bytes, MOTE_SNAPSHOT_MAGIC, 8);
  memcpy(bytes + 8, &version, 4);
  memcpy(bytes + 12, &head->archives, 4);
  memcpy(bytes + 16, &head->definitions, 8);
  memcpy(bytes + 24, &head->state, 8);
  uint64_t checksum = mote_hash_bytes(0, bytes, MOTE_SNAPSHOT_HEAD - 8);
  memcpy(bytes + 32, &checksum, 8);
}

int mote_snapshot_stores(const mote_snapshot_head *head) {
  static const int stores[] = {MOTE_STATE_BASIC, MOTE_STATE_JOINTED, MOTE_STATE_STORES};
  for (int k = 0; k < 3; ++k) {
    uint32_t one = (uint32_t)stores[k];
    if (head->archives == one || head->archives == 2 * one) return stores[k];
  }
  return 0;
}

static mote_result parse(const unsigned char bytes[MOTE_SNAPSHOT_HEAD], mote_snapshot_head *head,
                         mote_error *error) {
  uint32_t version;
  uint64_t checksum;
  memcpy(&version, bytes + 8, 4);
  memcpy(&head->archives, bytes + 12, 4);
  memcpy(&head->definitions, bytes + 16, 8);
  memcpy(&head->state, bytes + 24, 8);
  memcpy(&checksum, bytes + 32, 8);
  if (memcmp(bytes, MOTE_SNAPSHOT_MAGIC, 8) != 0) {
    return mote_fail(error, MOTE_ERROR_FORMAT, "not a snapshot of a Mote world");
  }
  if (version != MOTE_SNAPSHOT_VERSION) {
    return mote_fail(error, MOTE_ERROR_FORMAT,
                     "the snapshot is of version %" PRIu32 "; this program reads version %d", version,
                     MOTE_SNAPSHOT_VERSION);
  }
  bool good = mote_snapshot_stores(head) > 0;
  if (good && checksum == mote_hash_bytes(0, bytes, MOTE_SNAPSHOT_HEAD - 8)) return MOTE_OK;
  return mote_fail(error, MOTE_ERROR_FORMAT, "damaged snapshot: the head has a wrong checksum");
}

mote_result mote_snapshot_head_read(mote_source *source, mote_snapshot_head *head, mote_error *error) {
  unsigned char bytes[MOTE_SNAPSHOT_HEAD];
  if (source->left < sizeof bytes) {
    return mote_fail(error, MOTE_ERROR_FORMAT, "snapshot cut short: %" PRIu64 " bytes are no head",
                     source->left);
  }
  if (!source->read(source->user, bytes, sizeof bytes)) {
    return mote_fail(error, MOTE_ERROR_FILE, "the head of the snapshot could not be read");
  }
  source->left -= sizeof bytes;
  source->offset += sizeof bytes;
  return parse(bytes, head, error);
}

mote_result mote_snapshot_check_end(const mote_source *source, mote_error *error) {
  if (source->left == 0) return MOTE_OK;
  return mote_fail(error, MOTE_ERROR_FORMAT,
                   "damaged snapshot: %" PRIu64 " bytes follow its end at byte %" PRIu64, source->left,
                   source->offset);
}
