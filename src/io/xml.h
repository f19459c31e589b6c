// The subset of XML in VTK's files: elements, attributes, text; comments and heads are skipped.
#ifndef MOTE_XML_H
#define MOTE_XML_H

#include "io/scan.h"

typedef enum mote_xml_event { MOTE_XML_START, MOTE_XML_TEXT, MOTE_XML_END, MOTE_XML_DONE } mote_xml_event;

typedef struct mote_xml {
  mote_scan scan;
  mote_word name;        // of the element that starts or ends
  mote_word attributes;  // all of them, as they stand
  mote_word text;
  bool closed;  // the element that starts ends at once (<a/>): its end comes next
  int depth;
} mote_xml;

mote_xml mote_xml_make(const void *text, size_t size, const char *file);
mote_result mote_xml_next(mote_xml *xml, mote_xml_event *event, mote_error *error);
// The value of an attribute as it stands between its quotes; false when there is none.
bool mote_xml_attribute(const mote_xml *xml, const char *name, mote_word *value);
// Text with &amp; and its like resolved, as much as fits.
void mote_xml_plain(mote_word text, char *out, size_t capacity);

#endif
