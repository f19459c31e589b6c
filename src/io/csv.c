// Tables as text: CSV of particles, and lines of coordinates (XYZ). Written with names in the first line and
// nothing but rows after it; files of other programs may have commas, semicolons, tabs or spaces, quotes, and
// names or none, those of earlier versions the stamp, types and units in comments.
#include <mote/text.h>
#include <stdio.h>
#include <string.h>

#include "io/columns.h"
#include "io/csv_table.h"
#include "io/raw.h"

typedef struct csv_reader {
  const mote_file_content *source;
  mote_stamp_lines lines;
  char separator;  // ' ': spaces and tabs
  bool named;      // the first line has names
  size_t columns;
  mote_table_column column[MOTE_CSV_COLUMNS];
  bool labelled;                    // rows begin with a word that is ignored
  char name[MOTE_CSV_COLUMNS][32];  // of columns without
} csv_reader;

// The next line that is neither empty nor a comment; comments are passed to `lines` if it is not null. The
// line's number is then scan->line - 1, or scan->line at the end of the text.
static bool next_line(mote_scan *scan, mote_stamp_lines *lines, mote_word *line, mote_scan *before) {
  while (!mote_scan_ended(scan)) {
    *before = *scan;
    *line = mote_scan_line(scan);
    mote_word rest = *line, first = mote_word_next(&rest);
    if (first.size == 0) continue;
    if (first.text[0] != '#') return true;
    if (lines == NULL) continue;
    mote_word comment = {first.text + 1, (size_t)(line->text + line->size - first.text) - 1};
    mote_stamp_take(lines, comment);
  }
  return false;
}

static bool is_blank(char c) {
  return c == ' ' || c == '\t';
}

static mote_word trim(mote_word cell) {
  while (cell.size > 0 && is_blank(cell.text[0])) ++cell.text, --cell.size;
  while (cell.size > 0 && is_blank(cell.text[cell.size - 1])) --cell.size;
  return cell;
}

// The next cell of a line, which is shortened by it; false if there is none.
static bool next_cell(mote_word *line, char separator, bool *more, mote_word *cell) {
  if (separator == ' ') {
    *cell = mote_word_next(line);
    return cell->size > 0;
  }
  if (!*more) return false;
  bool quoted = false;
  size_t k = 0;
  for (; k < line->size && (quoted || line->text[k] != separator); ++k) quoted ^= line->text[k] == '"';
  *cell = trim((mote_word){line->text, k});
  *more = k < line->size;
  line->text += k + *more;
  line->size -= k + *more;
  if (cell->size >= 2 && cell->text[0] == '"' && cell->text[cell->size - 1] == '"')
    *cell = trim((mote_word){cell->text + 1, cell->size - 2});
  return true;
}

static char find_separator(mote_word line) {
  static const char choices[] = ",;\t";
  for (const char *c = choices; *c != 0; ++c)
    if (line.size > 0 && memchr(line.text, *c, line.size) != NULL) return *c;
  return ' ';
}

static bool is_number(mote_word cell) {
  double value;
  return cell.size == 0 || mote_raw_parse(MOTE_TYPE_F64, cell.text, cell.size, &value) == cell.size;
}

// "Pos.x [m]" is called Pos.x.
static mote_word without_unit(mote_word cell) {
  if (cell.size < 3 || cell.text[cell.size - 1] != ']') return cell;
  const char *open = memchr(cell.text, '[', cell.size);
  return open != NULL && open > cell.text ? trim((mote_word){cell.text, (size_t)(open - cell.text)}) : cell;
}

static mote_result read_names(csv_reader *csv, const mote_scan *at, mote_word line, mote_error *error) {
  mote_word cell;
  bool more = true;
  csv->separator = find_separator(line);
  csv->named = false;
  if (csv->labelled) (void)mote_word_next(&line);
  while (next_cell(&line, csv->separator, &more, &cell)) {
    if (csv->columns == MOTE_CSV_COLUMNS)
      return mote_scan_fail_at(at, cell, error, "more than %d columns", MOTE_CSV_COLUMNS);
    csv->named |= !is_number(cell);
    csv->column[csv->columns++] = (mote_table_column){.name = without_unit(cell), .type = MOTE_TYPE_F64};
  }
  static const char *const axis[] = {"x", "y", "z"};
  for (size_t k = 0; k < csv->columns; ++k) {
    if (csv->named && csv->column[k].name.size > 0) continue;
    char *name = csv->name[k];
    if (!csv->named && k < 3)
      snprintf(name, sizeof csv->name[k], "%s", axis[k]);
    else
      snprintf(name, sizeof csv->name[k], "column_%zu", k + 1);
    csv->column[k].name = (mote_word){name, strlen(name)};
  }
  return MOTE_OK;
}

static mote_result read_row(csv_reader *csv, const mote_scan *at, mote_word line, size_t i,
                            mote_error *error) {
  mote_word cell;
  bool more = true;
  size_t k = 0;
  if (csv->labelled) (void)mote_word_next(&line);
  for (; next_cell(&line, csv->separator, &more, &cell); ++k) {
    if (k == csv->columns)
      return mote_scan_fail_at(at, cell, error, "more than %zu columns in this line", csv->columns);
    const mote_table_column *column = &csv->column[k];
    uint8_t *to = column->to + i * column->stride;
    if (cell.size == 0)  // missing values are written as empty cells
      mote_raw_store(column->type, 0.0 / 0.0, to);
    else if (mote_raw_parse(column->type, cell.text, cell.size, to) != cell.size)
      return mote_scan_fail_at(at, cell, error, "\"%.*s\" is not a number",
                               (int)(cell.size < 40 ? cell.size : 40), cell.text);
  }
  if (k == csv->columns) return MOTE_OK;
  return mote_scan_fail(at, error, "%zu columns in this line, not %zu", k, csv->columns);
}

// Comments between the names and the first row.
static void take_comments(mote_scan scan, mote_stamp_lines *lines) {
  mote_word line;
  mote_scan before;
  (void)next_line(&scan, lines, &line, &before);
}

static size_t count_rows(mote_scan scan) {
  mote_word line;
  mote_scan before;
  size_t rows = 0;
  while (next_line(&scan, NULL, &line, &before)) ++rows;
  return rows;
}

// A file of comments only: no particles, if the comments list fields.
static mote_result read_nothing(csv_reader *csv, mote_cloud *out, mote_error *error) {
  if (csv->lines.fields == 0)
    return mote_io_fail(error, MOTE_ERROR_FORMAT, csv->source->path, "no line with values in it");
  for (int k = 0; k < csv->lines.fields; ++k) {
    const mote_stamp_field *field = &csv->lines.field[k];
    MOTE_IO_TRY(mote_cloud_add(out, csv->source, field->name, field->type, field->components, error));
  }
  return mote_stamp_apply(&csv->lines, out, csv->source->env, error);
}

// Files of molecules begin with the number of rows and a line of any text; rows may begin with a name.
static void pass_molecule_head(csv_reader *csv, mote_scan *scan) {
  const char *path = csv->source->path;
  mote_scan here = *scan;
  mote_word line = mote_scan_line(&here), count = mote_word_next(&line);
  uint64_t rows;
  bool molecule = (mote_io_ends(path, ".xyz") || mote_io_ends(path, ".xyz.gz")) &&
                  mote_word_count(count, &rows) && mote_word_next(&line).size == 0;
  if (!molecule) return;
  mote_scan_line(&here);
  *scan = here;
  line = mote_scan_line(&here);
  csv->labelled = !is_number(mote_word_next(&line));
}

static mote_result read_table(csv_reader *csv, mote_cloud *out, mote_error *error) {
  const mote_file_content *source = csv->source;
  mote_scan scan = mote_scan_make(source->data, source->size, source->path), before;
  mote_word line;
  if (source->size >= 3 && memcmp(source->data, "\xef\xbb\xbf", 3) == 0) scan.at = scan.line_start = 3;
  pass_molecule_head(csv, &scan);
  if (!next_line(&scan, &csv->lines, &line, &before)) return read_nothing(csv, out, error);
  MOTE_IO_TRY(read_names(csv, &before, line, error));
  if (!csv->named) scan = before;
  take_comments(scan, &csv->lines);
  out->count = count_rows(scan);
  // Each number needs at least a character and a separator, but empty cells do not.
  if (out->count > 0 && csv->columns > (source->size + 1) / out->count)
    return mote_io_fail(error, MOTE_ERROR_FORMAT, source->path, "lines too short for %zu columns",
                        csv->columns);
  MOTE_IO_TRY(mote_columns_make(csv->column, csv->columns, &csv->lines, source, out, error));
  for (size_t i = 0; next_line(&scan, NULL, &line, &before); ++i)
    MOTE_IO_TRY(read_row(csv, &before, line, i, error));
  return mote_stamp_apply(&csv->lines, out, source->env, error);
}

mote_result mote_csv_read(const mote_file_content *source, mote_cloud *out, mote_error *error) {
  csv_reader *csv = mote_io_new(source->env, sizeof *csv);
  if (csv == NULL) return mote_io_fail_memory(error);
  csv->source = source;
  csv->lines = mote_stamp_lines_make();
  mote_result result = read_table(csv, out, error);
  mote_io_delete(source->env, csv, sizeof *csv);
  return result;
}
