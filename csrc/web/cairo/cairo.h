/* cairo.h: the five functions of cairo with which gnuplot writes an image, for a gnuplot that has no
 * cairo. They write the bytes that cairo writes, with libpng: see cairo_png.c. */
#ifndef CAIRO_H
#define CAIRO_H

typedef enum {
  CAIRO_STATUS_SUCCESS,
  CAIRO_STATUS_NO_MEMORY,
  CAIRO_STATUS_WRITE_ERROR
} cairo_status_t;
typedef enum { CAIRO_FORMAT_ARGB32 } cairo_format_t;
typedef struct cairo_surface cairo_surface_t;
typedef struct cairo cairo_t; /* named in declarations of gnuplot, never made */
typedef cairo_status_t (*cairo_write_func_t)(void *closure, const unsigned char *data,
                                             unsigned int length);

cairo_surface_t *cairo_image_surface_create_for_data(unsigned char *data, cairo_format_t format,
                                                     int width, int height, int stride);
void cairo_surface_destroy(cairo_surface_t *surface);
cairo_status_t cairo_surface_write_to_png(cairo_surface_t *surface, const char *filename);
cairo_status_t cairo_surface_write_to_png_stream(cairo_surface_t *surface, cairo_write_func_t write,
                                                 void *closure);
const char *cairo_status_to_string(cairo_status_t status);

#endif
