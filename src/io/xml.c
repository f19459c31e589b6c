// As much XML as VTK's files have: see xml.h.
#include "io/xml.h"

#include <string.h>

mote_xml mote_xml_make(const void *text, size_t size, const char *file) {
  return (mote_xml){.scan = mote_scan_make(text, size, file)};
}

static void advance(mote_scan *scan, size_t count) {
  for (size_t k = 0; k < count; ++k) {
    if (scan->text[scan->at++] != '\n') continue;
    ++scan->line;
    scan->line_start = scan->at;
  }
}

static bool begins(const mote_scan *scan, const char *with) {
  size_t size = strlen(with);
  return scan->size - scan->at >= size && memcmp(scan->text + scan->at, with, size) == 0;
}

// Passes over all up to and with `end`.
static mote_result pass(mote_scan *scan, const char *end, mote_error *error) {
  size_t size = strlen(end);
  while (scan->at < scan->size && !begins(scan, end)) advance(scan, 1);
  if (scan->at >= scan->size) return mote_scan_fail(scan, error, "the file ends before %s", end);
  advance(scan, size);
  return MOTE_OK;
}

static bool is_space(char c) {
  return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

static bool is_name(char c) {
  return !is_space(c) && c != '<' && c != '>' && c != '/' && c != '=' && c != '"' && c != '\'' && c != 0;
}

static mote_word take_name(mote_scan *scan) {
  mote_word name = {scan->text + scan->at, 0};
  while (scan->at < scan->size && is_name(scan->text[scan->at])) advance(scan, 1);
  name.size = (size_t)(scan->text + scan->at - name.text);
  return name;
}

// Up to the > that is not within quotes.
static mote_result take_attributes(mote_xml *xml, mote_error *error) {
  mote_scan *scan = &xml->scan;
  char quote = 0;
  xml->attributes = (mote_word){scan->text + scan->at, 0};
  for (; scan->at < scan->size; advance(scan, 1)) {
    char c = scan->text[scan->at];
    if (quote == 0 && (c == '>' || c == '<')) break;
    if (quote == 0 && (c == '"' || c == '\''))
      quote = c;
    else if (c == quote)
      quote = 0;
  }
  if (scan->at >= scan->size || scan->text[scan->at] != '>')
    return mote_scan_fail(scan, error, "element \"%.*s\" is not closed by >",
                          (int)(xml->name.size < 40 ? xml->name.size : 40), xml->name.text);
  xml->attributes.size = (size_t)(scan->text + scan->at - xml->attributes.text);
  xml->closed = xml->attributes.size > 0 && xml->attributes.text[xml->attributes.size - 1] == '/';
  if (xml->closed) --xml->attributes.size;
  advance(scan, 1);
  return MOTE_OK;
}

static mote_result take_tag(mote_xml *xml, mote_xml_event *event, mote_error *error) {
  mote_scan *scan = &xml->scan;
  advance(scan, 1);
  bool end = begins(scan, "/");
  if (end) advance(scan, 1);
  xml->name = take_name(scan);
  if (xml->name.size == 0) return mote_scan_fail(scan, error, "an element without a name");
  *event = end ? MOTE_XML_END : MOTE_XML_START;
  xml->depth += end ? -1 : 1;
  return end ? pass(scan, ">", error) : take_attributes(xml, error);
}

mote_result mote_xml_next(mote_xml *xml, mote_xml_event *event, mote_error *error) {
  mote_scan *scan = &xml->scan;
  if (xml->closed) {
    xml->closed = false;
    --xml->depth;
    *event = MOTE_XML_END;
    return MOTE_OK;
  }
  for (;;) {
    if (begins(scan, "<!--"))
      MOTE_IO_TRY(pass(scan, "-->", error));
    else if (begins(scan, "<?") || begins(scan, "<!"))
      MOTE_IO_TRY(pass(scan, ">", error));
    else
      break;
  }
  if (scan->at >= scan->size) {
    *event = MOTE_XML_DONE;
    return MOTE_OK;
  }
  if (scan->text[scan->at] == '<') return take_tag(xml, event, error);
  const char *start = scan->text + scan->at;
  const char *end = memchr(start, '<', scan->size - scan->at);
  xml->text = (mote_word){start, end != NULL ? (size_t)(end - start) : scan->size - scan->at};
  advance(scan, xml->text.size);
  *event = MOTE_XML_TEXT;
  return MOTE_OK;
}

static void pass_spaces(mote_scan *scan) {
  while (scan->at < scan->size && is_space(scan->text[scan->at])) ++scan->at;
}

// name = "value", taken away from the front.
static bool next_attribute(mote_scan *scan, mote_word *name, mote_word *value) {
  pass_spaces(scan);
  *name = take_name(scan);
  pass_spaces(scan);
  if (name->size == 0 || !begins(scan, "=")) return false;
  ++scan->at;
  pass_spaces(scan);
  if (!begins(scan, "\"") && !begins(scan, "'")) return false;
  const char *start = scan->text + scan->at + 1;
  const char *end = memchr(start, start[-1], scan->size - scan->at - 1);
  if (end == NULL) return false;
  *value = (mote_word){start, (size_t)(end - start)};
  scan->at = (size_t)(end - scan->text) + 1;
  return true;
}

bool mote_xml_attribute(const mote_xml *xml, const char *name, mote_word *value) {
  mote_scan scan = mote_scan_make(xml->attributes.text, xml->attributes.size, NULL);
  mote_word key;
  while (next_attribute(&scan, &key, value))
    if (mote_word_is(key, name)) return true;
  return false;
}

void mote_xml_plain(mote_word text, char *out, size_t capacity) {
  static const struct {
    const char *code;
    char plain;
  } codes[] = {{"&amp;", '&'}, {"&lt;", '<'}, {"&gt;", '>'}, {"&quot;", '"'}, {"&apos;", '\''}};
  size_t used = 0;
  for (size_t k = 0; k < text.size && used + 1 < capacity;) {
    char plain = text.text[k];
    size_t length = 1;
    for (size_t c = 0; c < sizeof codes / sizeof *codes; ++c) {
      size_t size = strlen(codes[c].code);
      if (text.size - k < size || memcmp(text.text + k, codes[c].code, size) != 0) continue;
      plain = codes[c].plain;
      length = size;
    }
    out[used++] = plain;
    k += length;
  }
  out[used] = 0;
}
