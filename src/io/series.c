// Series of files with their times: ParaView's PVD.
#include <mote/text.h>

#include "io/vtk_write.h"

mote_result mote_series_write(const char *path, const char *const *name, const double *time, size_t count,
                              mote_error *error) {
  if (path == NULL || (count > 0 && (name == NULL || time == NULL)))
    return mote_io_fail(error, MOTE_ERROR_ARGUMENT, NULL, "path, names or times are null");
  mote_file_out *out;
  mote_env env = mote_env_default();
  MOTE_IO_TRY(mote_file_out_begin(path, false, &env, &out, error));
  mote_vtk_writer writer = {.out = out, .head = mote_buffer_make(&env)};
  mote_vtk_text(&writer,
                "<?xml version=\"1.0\"?>\n<VTKFile type=\"Collection\" version=\"1.0\" "
                "byte_order=\"LittleEndian\">\n<Collection>\n");
  for (size_t k = 0; k < count; ++k) {
    char number[MOTE_TEXT_NUMBER];
    mote_text_print_double(number, time[k]);
    mote_vtk_text(&writer, "<DataSet timestep=\"%s\" part=\"0\" file=\"", number);
    mote_vtk_escape(&writer, name[k]);
    mote_vtk_text(&writer, "\"/>\n");
  }
  mote_vtk_text(&writer, "</Collection>\n</VTKFile>\n");
  bool failed = writer.head.failed;
  mote_file_out_write(out, writer.head.data, writer.head.size);
  mote_buffer_free(&writer.head);
  if (!failed) return mote_file_out_commit(out, error);
  mote_file_out_abandon(out);
  return mote_io_fail_memory(error);
}
