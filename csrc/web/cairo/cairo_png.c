/* cairo_png: an image of 32-bit pixels as a PNG file, byte for byte as cairo 1.16 writes it.
 *
 * gnuplot embeds a matrix as a PNG into its SVG and has cairo write it. All of cairo, for that, would
 * be ten times gnuplot; libpng does the work anyway. What makes the bytes: eight bits a channel, with
 * alpha where any pixel is not opaque, colours divided by it, a white background chunk, and the
 * settings of libpng and zlib that nobody changed. */
#include "cairo.h"

#include <png.h>
#include <setjmp.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct cairo_surface {
  unsigned char *data;
  int width, height, stride;
};

typedef struct {
  cairo_write_func_t write;
  void *closure;
} sink;

cairo_surface_t *cairo_image_surface_create_for_data(unsigned char *data, cairo_format_t format,
                                                     int width, int height, int stride) {
  cairo_surface_t *surface = malloc(sizeof *surface);
  (void)format;
  if (surface != NULL) *surface = (cairo_surface_t){data, width, height, stride};
  return surface;
}

void cairo_surface_destroy(cairo_surface_t *surface) { free(surface); }

const char *cairo_status_to_string(cairo_status_t status) {
  return status == CAIRO_STATUS_NO_MEMORY ? "out of memory" : "error while writing";
}

static void put(png_structp png, png_bytep data, size_t size) {
  const sink *to = png_get_io_ptr(png);
  if (to->write(to->closure, data, (unsigned int)size) != CAIRO_STATUS_SUCCESS)
    png_error(png, "write");
}

static void flush(png_structp png) { (void)png; }

static bool is_opaque(const cairo_surface_t *s) {
  for (int i = 0; i < s->height; i++)
    for (int j = 0; j < s->width; j++)
      if (s->data[(size_t)i * (size_t)s->stride + 4 * (size_t)j + 3] != 255) return false;
  return true;
}

/* From alpha times colour, blue first in memory, to colour and alpha, red first. */
static void unpremultiply(png_structp png, png_row_infop row, png_bytep data) {
  (void)png;
  for (size_t i = 0; i < row->rowbytes; i += 4) {
    uint32_t pixel;
    memcpy(&pixel, data + i, sizeof pixel);
    const uint32_t alpha = pixel >> 24;
    for (int c = 0; c < 3; c++) {
      const uint32_t colour = pixel >> (16 - 8 * c) & 0xff;
      data[i + (size_t)c] = (png_byte)(alpha == 0 ? 0 : (colour * 255 + alpha / 2) / alpha);
    }
    data[i + 3] = (png_byte)alpha;
  }
}

cairo_status_t cairo_surface_write_to_png_stream(cairo_surface_t *surface, cairo_write_func_t write,
                                                 void *closure) {
  sink to = {write, closure};
  png_color_16 white = {.gray = 255, .red = 255, .green = 255, .blue = 255};
  if (surface == NULL) return CAIRO_STATUS_NO_MEMORY;
  const bool opaque = is_opaque(surface);
  png_struct *png = png_create_write_struct(PNG_LIBPNG_VER_STRING, NULL, NULL, NULL);
  png_info *info = png != NULL ? png_create_info_struct(png) : NULL;
  png_byte **rows = malloc((size_t)surface->height * sizeof *rows);
  cairo_status_t status = CAIRO_STATUS_NO_MEMORY;
  if (info != NULL && rows != NULL) {
    for (int i = 0; i < surface->height; i++)
      rows[i] = surface->data + (size_t)i * (size_t)surface->stride;
    if (setjmp(png_jmpbuf(png)) == 0) {
      png_set_write_fn(png, &to, put, flush);
      png_set_IHDR(png, info, (png_uint_32)surface->width, (png_uint_32)surface->height, 8,
                   opaque ? PNG_COLOR_TYPE_RGB : PNG_COLOR_TYPE_RGB_ALPHA, PNG_INTERLACE_NONE,
                   PNG_COMPRESSION_TYPE_DEFAULT, PNG_FILTER_TYPE_DEFAULT);
      png_set_bKGD(png, info, &white);
      png_write_info(png, info);
      png_set_write_user_transform_fn(png, unpremultiply);
      if (opaque) png_set_filler(png, 0, PNG_FILLER_AFTER);
      png_write_image(png, rows);
      png_write_end(png, info);
      status = CAIRO_STATUS_SUCCESS;
    } else {
      status = CAIRO_STATUS_WRITE_ERROR;
    }
  }
  png_destroy_write_struct(&png, &info);
  free(rows);
  return status;
}

static cairo_status_t to_file(void *closure, const unsigned char *data, unsigned int length) {
  return fwrite(data, 1, length, closure) == length ? CAIRO_STATUS_SUCCESS
                                                    : CAIRO_STATUS_WRITE_ERROR;
}

cairo_status_t cairo_surface_write_to_png(cairo_surface_t *surface, const char *filename) {
  FILE *file = fopen(filename, "wb");
  if (file == NULL) return CAIRO_STATUS_WRITE_ERROR;
  const cairo_status_t status = cairo_surface_write_to_png_stream(surface, to_file, file);
  return fclose(file) == 0 ? status : CAIRO_STATUS_WRITE_ERROR;
}
