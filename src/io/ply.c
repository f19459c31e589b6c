// PLY files: see ply.h.
#include "io/ply.h"

#include <string.h>

static const struct {
  const char *name;
  mote_raw raw;
} types[] = {
    {"char", MOTE_RAW_I8},   {"int8", MOTE_RAW_I8},     {"uchar", MOTE_RAW_U8},   {"uint8", MOTE_RAW_U8},
    {"short", MOTE_RAW_I16}, {"int16", MOTE_RAW_I16},   {"ushort", MOTE_RAW_U16}, {"uint16", MOTE_RAW_U16},
    {"int", MOTE_RAW_I32},   {"int32", MOTE_RAW_I32},   {"uint", MOTE_RAW_U32},   {"uint32", MOTE_RAW_U32},
    {"float", MOTE_RAW_F32}, {"float32", MOTE_RAW_F32}, {"double", MOTE_RAW_F64}, {"float64", MOTE_RAW_F64},
    {"int64", MOTE_RAW_I64}, {"uint64", MOTE_RAW_U64},
};

static mote_result read_type(const mote_scan *scan, mote_word word, mote_raw *raw, mote_error *error) {
  for (size_t k = 0; k < sizeof types / sizeof *types; ++k)
    if (mote_word_is(word, types[k].name)) {
      *raw = types[k].raw;
      return MOTE_OK;
    }
  return mote_scan_fail_at(scan, word, error, "\"%.*s\" is not a type of PLY",
                           (int)(word.size < 40 ? word.size : 40), word.text);
}

static mote_result read_format(mote_ply *ply, mote_scan *scan, mote_error *error) {
  static const char *const names[] = {"ascii", "binary_little_endian", "binary_big_endian"};
  mote_word word = mote_scan_word(scan);
  for (int k = 0; k < 3; ++k)
    if (mote_word_is(word, names[k])) {
      ply->format = (mote_ply_format)k;
      return MOTE_OK;
    }
  return mote_scan_fail_at(scan, word, error, "\"%.*s\" is not a format of PLY",
                           (int)(word.size < 40 ? word.size : 40), word.text);
}

static mote_result read_element(mote_ply *ply, mote_scan *scan, mote_error *error) {
  if (ply->elements == MOTE_PLY_ELEMENTS)
    return mote_scan_fail(scan, error, "more than %d elements", MOTE_PLY_ELEMENTS);
  mote_ply_element *element = &ply->element[ply->elements];
  *element = (mote_ply_element){.name = mote_scan_word(scan), .first = ply->properties};
  mote_word count = mote_scan_word(scan);
  if (!mote_word_count(count, &element->count))
    return mote_scan_fail_at(scan, count, error, "an element needs a name and a count");
  ++ply->elements;
  return MOTE_OK;
}

static mote_result read_property(mote_ply *ply, mote_scan *scan, mote_error *error) {
  if (ply->elements == 0) return mote_scan_fail(scan, error, "a property before the first element");
  if (ply->properties == MOTE_PLY_PROPERTIES)
    return mote_scan_fail(scan, error, "more than %d properties", MOTE_PLY_PROPERTIES);
  mote_ply_property *property = &ply->property[ply->properties];
  mote_word word = mote_scan_word(scan);
  *property = (mote_ply_property){.list = mote_word_is(word, "list")};
  if (property->list) {
    MOTE_IO_TRY(read_type(scan, mote_scan_word(scan), &property->count_type, error));
    word = mote_scan_word(scan);
  }
  MOTE_IO_TRY(read_type(scan, word, &property->type, error));
  property->name = mote_scan_word(scan);
  if (property->name.size == 0) return mote_scan_fail(scan, error, "a property needs a name");
  ++ply->properties;
  ++ply->element[ply->elements - 1].properties;
  return MOTE_OK;
}

// Reads one line of the head; *done at its end.
static mote_result read_line(mote_ply *ply, mote_scan *scan, bool *format, bool *done, mote_error *error) {
  mote_word key = mote_scan_word(scan);
  if (mote_word_is(key, "format")) {
    *format = true;
    MOTE_IO_TRY(read_format(ply, scan, error));
  } else if (mote_word_is(key, "element")) {
    MOTE_IO_TRY(read_element(ply, scan, error));
  } else if (mote_word_is(key, "property")) {
    MOTE_IO_TRY(read_property(ply, scan, error));
  } else if (mote_word_is(key, "comment") || mote_word_is(key, "obj_info")) {
    mote_stamp_take(&ply->lines, mote_scan_line(scan));
    return MOTE_OK;
  } else if (mote_word_is(key, "end_header")) {
    *done = true;
  } else if (key.size > 0) {
    return mote_scan_fail_at(scan, key, error, "\"%.*s\" is not known in a PLY head",
                             (int)(key.size < 40 ? key.size : 40), key.text);
  }
  mote_scan_line(scan);
  return MOTE_OK;
}

mote_result mote_ply_open(const mote_file_content *source, mote_ply *ply, mote_error *error) {
  *ply = (mote_ply){.source = source, .lines = mote_stamp_lines_make()};
  ply->scan = mote_scan_make(source->data, source->size, source->path);
  bool format = false, done = false;
  if (!mote_word_is(mote_scan_line(&ply->scan), "ply"))
    return mote_io_fail(error, MOTE_ERROR_FORMAT, source->path, "not a PLY file: it does not begin with ply");
  while (!done) {
    if (mote_scan_ended(&ply->scan)) return mote_scan_fail(&ply->scan, error, "the header has no end_header");
    MOTE_IO_TRY(read_line(ply, &ply->scan, &format, &done, error));
  }
  return format ? MOTE_OK : mote_scan_fail(&ply->scan, error, "the header has no format line");
}

static mote_result fail_short(const mote_ply *ply, mote_error *error) {
  return mote_io_fail(error, MOTE_ERROR_FORMAT, ply->source->path, "cut short at byte %zu",
                      ply->source->size);
}

mote_result mote_ply_take(mote_ply *ply, mote_raw raw, mote_type type, void *to, mote_error *error) {
  mote_scan *scan = &ply->scan;
  if (ply->format == MOTE_PLY_ASCII) return mote_scan_number(scan, type, to, error);
  size_t size = mote_raw_size(raw);
  if (scan->size - scan->at < size) return fail_short(ply, error);
  uint8_t number[8];
  mote_type plain = mote_raw_type(raw);
  mote_raw_take(raw, ply->format == MOTE_PLY_BIG, scan->text + scan->at, size, 1, plain == type ? to : number,
                8);
  if (plain != type) mote_raw_store(type, mote_raw_value(plain, number), to);
  scan->at += size;
  return MOTE_OK;
}

mote_result mote_ply_take_length(mote_ply *ply, const mote_ply_property *property, uint64_t *length,
                                 mote_error *error) {
  double value;
  MOTE_IO_TRY(mote_ply_take(ply, property->count_type, MOTE_TYPE_F64, &value, error));
  if (!(value >= 0 && value <= (double)ply->source->size))
    return mote_io_fail(error, MOTE_ERROR_FORMAT, ply->source->path, "a list of impossible length");
  *length = (uint64_t)value;
  return MOTE_OK;
}

mote_result mote_ply_skip_property(mote_ply *ply, const mote_ply_property *property, mote_error *error) {
  uint64_t count = 1, number;
  if (property->list) MOTE_IO_TRY(mote_ply_take_length(ply, property, &count, error));
  for (uint64_t k = 0; k < count; ++k)
    MOTE_IO_TRY(mote_ply_take(ply, property->type, mote_raw_type(property->type), &number, error));
  return MOTE_OK;
}

mote_result mote_ply_check_count(const mote_ply *ply, const mote_ply_element *element, mote_error *error) {
  uint64_t least = 0;  // bytes of a row; in text, each value and its separator take two
  for (int k = 0; k < element->properties; ++k) {
    const mote_ply_property *property = &ply->property[element->first + k];
    mote_raw raw = property->list ? property->count_type : property->type;
    least += ply->format == MOTE_PLY_ASCII ? 2 : mote_raw_size(raw);
  }
  if (least == 0 || element->count <= (ply->source->size - ply->scan.at + 1) / least) return MOTE_OK;
  return mote_io_fail(error, MOTE_ERROR_FORMAT, ply->source->path,
                      "cut short: %llu rows of \"%.*s\" are announced, too many for %zu bytes",
                      (unsigned long long)element->count,
                      (int)(element->name.size < 40 ? element->name.size : 40), element->name.text,
                      ply->source->size);
}

mote_result mote_ply_skip_element(mote_ply *ply, const mote_ply_element *element, mote_error *error) {
  MOTE_IO_TRY(mote_ply_check_count(ply, element, error));
  for (uint64_t row = 0; element->properties > 0 && row < element->count; ++row)
    for (int k = 0; k < element->properties; ++k)
      MOTE_IO_TRY(mote_ply_skip_property(ply, &ply->property[element->first + k], error));
  return MOTE_OK;
}
