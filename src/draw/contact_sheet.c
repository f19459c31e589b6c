// Contact sheets: pictures of one size side by side on white paper.
#include <mote/render.h>
#include <string.h>

#include "draw/image.h"

// Between pictures and around them, pixels.
static int margin_of(const mote_image *image) {
  int side = image->width > image->height ? image->width : image->height;
  return side / 80 > 2 ? side / 80 : 2;
}

static mote_result check_pictures(mote_image *const *image, size_t count, int columns, mote_error *error) {
  if (image == NULL || count == 0)
    return mote_io_fail(error, MOTE_ERROR_ARGUMENT, NULL, "a contact sheet needs at least one picture");
  if (columns < 1 || columns > MOTE_IMAGE_SIDE_MAX)
    return mote_io_fail(error, MOTE_ERROR_ARGUMENT, NULL, "a contact sheet of %d columns: 1 to %d may be",
                        columns, MOTE_IMAGE_SIDE_MAX);
  for (size_t k = 0; k < count; ++k) {
    if (image[k] == NULL)
      return mote_io_fail(error, MOTE_ERROR_ARGUMENT, NULL, "picture %zu of the contact sheet is null", k);
    if (image[k]->width != image[0]->width || image[k]->height != image[0]->height)
      return mote_io_fail(error, MOTE_ERROR_ARGUMENT, NULL,
                          "picture %zu of the contact sheet has %d x %d pixels, the first has %d x %d", k,
                          image[k]->width, image[k]->height, image[0]->width, image[0]->height);
  }
  return MOTE_OK;
}

static void paste(const mote_image *from, mote_image *to, size_t x, size_t y) {
  size_t row = 4 * (size_t)from->width;
  for (size_t k = 0; k < (size_t)from->height; ++k)
    memcpy(to->pixel + 4 * ((y + k) * (size_t)to->width + x), from->pixel + k * row, row);
}

// A length limited to one more than the largest image, which mote_image_create refuses.
static int limited(size_t length) {
  return length > MOTE_IMAGE_SIDE_MAX ? MOTE_IMAGE_SIDE_MAX + 1 : (int)length;
}

mote_result mote_image_contact_sheet(mote_image *const *image, size_t count, int columns, const mote_env *env,
                                     mote_image **out, mote_error *error) {
  MOTE_IO_TRY(check_pictures(image, count, columns, error));
  size_t margin = (size_t)margin_of(image[0]);
  size_t wide = (size_t)columns < count ? (size_t)columns : count, high = (count - 1) / wide + 1;
  size_t step_x = (size_t)image[0]->width + margin, step_y = (size_t)image[0]->height + margin;
  mote_image *sheet;
  MOTE_IO_TRY(mote_image_create(limited(margin + wide * step_x), limited(margin + high * step_y), env,
                                out != NULL ? &sheet : NULL, error));
  mote_image_fill(sheet, (mote_colour){255, 255, 255, 255});
  for (size_t k = 0; k < count; ++k)
    paste(image[k], sheet, margin + k % wide * step_x, margin + k / wide * step_y);
  *out = sheet;
  return MOTE_OK;
}
