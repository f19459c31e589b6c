// Series of files with their times: ParaView's PVD.
#include <mote/text.h>

#include "io/vtk_write.h"

mote_result mote_series_write(const char *path, const char *const *name, const double *time, size_t count,
                              mote_error *error) {
  if (path == NULL || (count > 0 && (name == NULL || time == NULL)))
    return mote_io_fail(error, MOTE_ERROR_ARGUMENT, NULL, "path, names or times are null");
  mote_file_out *out;
  MOTE_IO_TRY(mote_file_out_begin(path, false, NULL, &out, error));
  mote_vtk_text(out,
                "<?xml version=\"1.0\"?>\n<VTKFile type=\"Collection\" version=\"1.0\" "
                "byte_order=\"LittleEndian\">\n<Collection>\n");
  for (size_t k = 0; k < count; ++k) {
    char number[MOTE_TEXT_NUMBER];
    mote_text_print_double(number, time[k]);
    mote_vtk_text(out, "<DataSet timestep=\"%s\" part=\"0\" file=\"", number);
    mote_vtk_escape(out, name[k]);
    mote_vtk_text(out, "\"/>\n");
  }
  mote_vtk_text(out, "</Collection>\n</VTKFile>\n");
  return mote_file_out_commit(out, error);
}
