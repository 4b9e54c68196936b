/* lves_readout: from the activity of the output layer to what is kept of a draw.
 *
 *   winner   the centre of the most active output: what lateral inhibition leaves
 *   index    its position, counting from 1
 *   mean     the centres' mean, weighted by the whole activity [readout:mean]
 *   activity the whole activity itself, one number for each output
 *   decode   where the sum of Gaussian kernels, weighted by the whole activity, peaks [eq:decode] */
#include "lves.h"
#include <string.h>

lves_reader lves_reader_arg(const lves_options *o) {
  static const char *const words[] = {"winner", "index", "mean", "decode", "activity", NULL};
  const lves_arg readout = lves_key(o, "readout"), width = lves_key(o, "width");
  lves_reader reader = {.kind = (lves_readout)lves_choice_or(&readout, words, LVES_READ_WINNER)};
  if (lves_absent(&width)) return reader;
  reader.width = lves_number(&width, LVES_POSITIVE);
  if (reader.kind != LVES_READ_DECODE) lves_fail(&width, "no such key without readout = 'decode'");
  return reader;
}

static void release_decoder(void *object) { ves_decoder_free(object); }

void lves_push_reader(lua_State *L, lves_reader *reader) {
  reader->box = lves_push_box(L, sizeof(ves_decoder), release_decoder);
}

double *lves_push_readings(lua_State *L, const char *fn, lves_reader *reader, size_t draws,
                           size_t n) {
  const bool whole = reader->kind == LVES_READ_ACTIVITY;
  reader->values = whole ? n : 1;
  return whole ? lves_push_matrix(L, fn, draws, n) : lves_push_vector(L, draws);
}

void lves_reader_fill(lua_State *L, const char *fn, lves_reader *reader, const ves_code *code) {
  reader->code = code;
  if (reader->kind != LVES_READ_DECODE) return;
  ves_decoder *decoder = lves_box_room(reader->box);
  lves_make_decoder(L, fn, decoder, code, reader->width, ves_code_default_grid(code));
  reader->box->object = decoder;
  reader->decoder = decoder;
}

void lves_reader_release(lves_reader *reader) { lves_box_release(reader->box); }

bool lves_reader_whole(const lves_reader *reader) {
  return reader->kind != LVES_READ_WINNER && reader->kind != LVES_READ_INDEX;
}

size_t lves_reader_winners(const lves_reader *reader, const uint32_t *winner, size_t draws,
                           double *value) {
  const double *centers = reader->kind == LVES_READ_WINNER ? reader->code->centers : NULL;
  size_t kept = 0;
  for (size_t d = 0; d < draws; d++)
    if (winner[d] != 0) value[kept++] = centers != NULL ? centers[winner[d] - 1] : winner[d];
  return kept;
}

ves_status lves_reader_read(const lves_reader *reader, uint32_t winner, const double *y,
                            double *value) {
  switch (reader->kind) {
  case LVES_READ_WINNER: *value = reader->code->centers[winner - 1]; break;
  case LVES_READ_INDEX: *value = (double)winner; break;
  case LVES_READ_MEAN: return ves_code_mean(reader->code, y, value);
  case LVES_READ_DECODE: return ves_decoder_decode(reader->decoder, y, value);
  case LVES_READ_ACTIVITY: memcpy(value, y, reader->values * sizeof *value); break;
  }
  return VES_OK;
}
