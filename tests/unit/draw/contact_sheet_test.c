// Contact sheets: every picture is where it belongs, paper is white, bad arguments and short memory are told.
#include <mote/render.h>

#include "stingy.h"
#include "test.h"

#define PICTURES 5

static mote_image *plain(int width, int height, uint8_t tone) {
  mote_image *image = NULL;
  if (mote_image_create(width, height, NULL, &image, NULL) == MOTE_OK)
    mote_image_fill(image, (mote_colour){tone, 0, 0, 255});
  return image;
}

static void make(mote_image *image[PICTURES]) {
  for (int k = 0; k < PICTURES; ++k) image[k] = plain(20, 10, (uint8_t)(10 * k));
}

static void unmake(mote_image *image[PICTURES]) {
  for (int k = 0; k < PICTURES; ++k) mote_image_destroy(image[k]);
}

// Five pictures in two columns: three rows, the last half empty.
static void pictures_are_where_they_belong(void) {
  mote_image *image[PICTURES], *sheet = NULL;
  make(image);
  CHECK(mote_image_contact_sheet(image, PICTURES, 2, NULL, &sheet, NULL) == MOTE_OK);
  int margin = (mote_image_width(sheet) - 2 * 20) / 3, wrong = 0, red[PICTURES] = {0}, white = 0;
  CHECK(margin > 0 && mote_image_width(sheet) == 3 * margin + 2 * 20);
  CHECK(mote_image_height(sheet) == 4 * margin + 3 * 10);
  for (int y = 0; y < mote_image_height(sheet); ++y) {
    for (int x = 0; x < mote_image_width(sheet); ++x) {
      mote_colour c = mote_image_get(sheet, x, y);
      int column = (x - margin) / (20 + margin), row = (y - margin) / (10 + margin), k = 2 * row + column;
      bool in_picture = x >= margin && y >= margin && (x - margin) % (20 + margin) < 20 &&
                        (y - margin) % (10 + margin) < 10 && k < PICTURES;
      if (in_picture)
        wrong += c.red != 10 * k || c.green != 0, ++red[k];
      else
        wrong += c.red != 255 || c.green != 255 || c.alpha != 255, ++white;
    }
  }
  CHECK(wrong == 0 && white > 0);
  for (int k = 0; k < PICTURES; ++k) CHECK(red[k] == 20 * 10);
  mote_image_destroy(sheet);
  unmake(image);
}

static void a_short_row_needs_no_paper(void) {
  mote_image *image[PICTURES], *sheet = NULL;
  make(image);
  CHECK(mote_image_contact_sheet(image, 2, 9, NULL, &sheet, NULL) == MOTE_OK);
  CHECK(mote_image_width(sheet) < 3 * 20);
  mote_image_destroy(sheet);
  unmake(image);
}

static void nonsense_is_refused(void) {
  mote_image *image[PICTURES], *sheet = NULL, *other = plain(21, 10, 0);
  mote_error error;
  make(image);
  CHECK(mote_image_contact_sheet(NULL, 1, 1, NULL, &sheet, &error) == MOTE_ERROR_ARGUMENT);
  CHECK(mote_image_contact_sheet(image, 0, 1, NULL, &sheet, &error) == MOTE_ERROR_ARGUMENT);
  CHECK(mote_image_contact_sheet(image, 1, 0, NULL, &sheet, &error) == MOTE_ERROR_ARGUMENT);
  CHECK(mote_image_contact_sheet(image, 1, 1, NULL, NULL, &error) == MOTE_ERROR_ARGUMENT);
  mote_image *mixed[] = {image[0], other}, *gap[] = {image[0], NULL};
  CHECK(mote_image_contact_sheet(mixed, 2, 1, NULL, &sheet, &error) == MOTE_ERROR_ARGUMENT);
  CHECK(strstr(error.text, "21 x 10") != NULL);
  CHECK(mote_image_contact_sheet(gap, 2, 1, NULL, &sheet, &error) == MOTE_ERROR_ARGUMENT);
  mote_image *many[2000];
  for (int k = 0; k < 2000; ++k) many[k] = image[0];
  CHECK(mote_image_contact_sheet(many, 2000, 2000, NULL, &sheet, &error) == MOTE_ERROR_ARGUMENT);
  CHECK(sheet == NULL);
  mote_image_destroy(other);
  unmake(image);
}

static void short_memory_is_told(void) {
  mote_image *image[PICTURES], *sheet = NULL;
  make(image);
  mote_result result = MOTE_ERROR_MEMORY;
  for (int granted = 0; granted < 20 && result != MOTE_OK; ++granted) {
    stingy s;
    mote_env env = stingy_env(&s, granted);
    result = mote_image_contact_sheet(image, PICTURES, 2, &env, &sheet, NULL);
    CHECK(result == (granted < 2 ? MOTE_ERROR_MEMORY : MOTE_OK));
    if (result == MOTE_OK) mote_image_destroy(sheet);
    CHECK(s.held == 0);
  }
  unmake(image);
}

int main(void) {
  pictures_are_where_they_belong();
  a_short_row_needs_no_paper();
  nonsense_is_refused();
  short_memory_is_told();
  return test_end();
}
