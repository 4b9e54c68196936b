/* run_repl: lines from a terminal.
 *
 * libedit does the editing and looks after the terminal when a signal comes; this file gives it
 * keys, a history and Lua's completions, and drops the line at SIGINT. What a line means is the
 * business of lua/vesicle/prompt/repl.lua. Without a terminal lines come from standard input as
 * they are.
 *
 * help() rests on the comments that document functions in the sources; the build collects them into
 * ves_apidoc.h, so that it says what they say also where the program is installed without them. */
#include "run_repl.h"

#include "run_signal.h"
#include "ves_apidoc.h"
#include <histedit.h>
#include <langinfo.h>
#include <lauxlib.h>
#include <limits.h>
#include <locale.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

enum { REMEMBERED = 2000, SCREEN = 80 };

static struct {
  EditLine *el;
  History *history;
  char file[PATH_MAX]; /* of the history; empty: none */
  char prompt[64];
  lua_State *L; /* while a line is read; the function that a Tab calls is at its stack index 2 */
} editor;

static volatile sig_atomic_t interrupted;

static bool is_interactive(void) { return isatty(STDIN_FILENO) && isatty(STDOUT_FILENO); }

/* ---- the terminal ---- */

static int width(lua_State *L) {
  struct winsize size;
  const bool known = ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0;
  lua_pushinteger(L, known ? size.ws_col : SCREEN);
  return 1;
}

/* The encoding of characters as the user has set it; where nothing is set, UTF-8. The rest of the
 * locale stays as it is: numbers have points. */
static bool choose_encoding(void) {
  static const char *const names[] = {"LC_ALL", "LC_CTYPE", "LANG"};
  bool chosen = false;
  for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
    const char *value = getenv(names[i]);
    chosen = chosen || (value != NULL && value[0] != '\0');
  }
  if (setlocale(LC_CTYPE, chosen ? "" : "C.UTF-8") == NULL) setlocale(LC_CTYPE, "C");
  return strcmp(nl_langinfo(CODESET), "UTF-8") == 0;
}

/* Only here, for a person: a script must not depend on the user's settings. */
static int utf8(lua_State *L) {
  lua_pushboolean(L, !is_interactive() || choose_encoding());
  return 1;
}

/* ---- completion ---- */

static unsigned char complete(EditLine *el, int key) {
  (void)key;
  lua_State *L = editor.L;
  const LineInfo *line = el_line(el);
  unsigned char result = CC_ERROR;
  const int top = lua_gettop(L);
  if (!lua_isfunction(L, 2) || !lua_checkstack(L, 8)) return CC_ERROR;
  lua_pushvalue(L, 2);
  lua_pushlstring(L, line->buffer, (size_t)(line->cursor - line->buffer));
  if (lua_pcall(L, 1, 2, 0) == LUA_OK) {
    const char *insert = lua_tostring(L, -2), *shown = lua_tostring(L, -1);
    if (insert != NULL && el_insertstr(el, insert) == 0) {
      result = CC_REFRESH;
    } else if (shown != NULL) {
      printf("\n%s", shown);
      fflush(stdout);
      result = CC_REDISPLAY;
    }
  }
  lua_settop(L, top);
  return result;
}

/* ---- the editor ---- */

static char *show_prompt(EditLine *el) {
  (void)el;
  return editor.prompt;
}

static void find_history_file(void) {
  const char *chosen = getenv("VESICLE_HISTORY"), *home = getenv("HOME");
  int n = 0;
  if (chosen != NULL)
    n = snprintf(editor.file, sizeof editor.file, "%s", chosen);
  else if (home != NULL)
    n = snprintf(editor.file, sizeof editor.file, "%s/.vesicle_history", home);
  if (n < 0 || (size_t)n >= sizeof editor.file) editor.file[0] = '\0';
}

static bool open_editor(void) {
  static const char *const keys[][2] = {
      {"^I", "ves-complete"},
      {"^R", "em-inc-search-prev"},
      {"\\e[H", "ed-move-to-beg"},
      {"\\e[F", "ed-move-to-end"},
      {"\\e[1~", "ed-move-to-beg"},
      {"\\e[4~", "ed-move-to-end"},
      {"\\e[3~", "ed-delete-next-char"},
      {"\\e[1;5C", "em-next-word"},
      {"\\e[1;5D", "ed-prev-word"},
  };
  HistEvent event;
  editor.el = el_init("vesicle", stdin, stdout, stderr);
  editor.history = history_init();
  if (editor.el == NULL || editor.history == NULL) return false;
  find_history_file();
  history(editor.history, &event, H_SETSIZE, REMEMBERED);
  history(editor.history, &event, H_SETUNIQUE, 1);
  if (editor.file[0] != '\0') history(editor.history, &event, H_LOAD, editor.file);
  el_set(editor.el, EL_EDITOR, "emacs");
  el_set(editor.el, EL_PROMPT, show_prompt);
  el_set(editor.el, EL_HIST, history, editor.history);
  el_set(editor.el, EL_ADDFN, "ves-complete", "complete names of the library", complete);
  for (size_t i = 0; i < sizeof keys / sizeof keys[0]; i++)
    el_set(editor.el, EL_BIND, keys[i][0], keys[i][1], NULL);
  el_source(editor.el, NULL); /* what the user has in ~/.editrc goes before */
  el_set(editor.el, EL_SIGNAL, 1);
  return true;
}

static int close_editor(lua_State *L) {
  (void)L;
  if (editor.history != NULL) history_end(editor.history);
  if (editor.el != NULL) el_end(editor.el);
  editor.history = NULL;
  editor.el = NULL;
  return 0;
}

static void note_signal(int number) { interrupted = number; }

/* Pushes the line that the editor returns, false or nil. */
static void edit_line(lua_State *L) {
  static const int noted[] = {SIGINT, SIGTERM, SIGHUP};
  enum { NOTED = sizeof noted / sizeof noted[0] };
  struct sigaction action = {.sa_handler = note_signal}, before[NOTED];
  sigemptyset(&action.sa_mask);
  int count = 0;
  interrupted = 0;
  for (size_t i = 0; i < NOTED; i++) sigaction(noted[i], &action, &before[i]);
  editor.L = L;
  el_resize(editor.el);
  const char *line = el_gets(editor.el, &count);
  editor.L = NULL;
  for (size_t i = 0; i < NOTED; i++) sigaction(noted[i], &before[i], NULL);
  if (interrupted == SIGINT) {
    puts("^C");
    lua_pushboolean(L, 0);
  } else if (line == NULL || count <= 0 || interrupted) {
    putchar('\n');
    lua_pushnil(L);
  } else {
    lua_pushlstring(L, line, strcspn(line, "\n"));
  }
}

static int read_line(lua_State *L) {
  const char *prompt = luaL_checkstring(L, 1);
  lua_settop(L, 2);
  fflush(stdout);
  if (!is_interactive()) {
    char *line = NULL;
    size_t room = 0;
    const ssize_t length = getline(&line, &room, stdin);
    if (length < 0)
      lua_pushnil(L);
    else
      lua_pushlstring(L, line, strcspn(line, "\n"));
    free(line);
  } else {
    if (editor.el == NULL && !open_editor()) return luaL_error(L, "the line editor cannot start");
    snprintf(editor.prompt, sizeof editor.prompt, "%s", prompt);
    edit_line(L);
  }
  run_signal_install(L, true);
  return 1;
}

static int remember(lua_State *L) {
  const char *line = luaL_checkstring(L, 1);
  HistEvent event;
  if (editor.history == NULL || line[0] == '\0') return 0;
  history(editor.history, &event, H_ENTER, line);
  if (editor.file[0] != '\0') history(editor.history, &event, H_SAVE, editor.file);
  return 0;
}

void run_repl_register(lua_State *L, bool at_prompt) {
  static const luaL_Reg terminal[] = {{"width", width}, {"utf8", utf8}, {NULL, NULL}};
  static const luaL_Reg lines[] = {{"read_line", read_line}, {"remember", remember}, {NULL, NULL}};
  luaL_setfuncs(L, terminal, 0);
  lua_pushboolean(L, is_interactive());
  lua_setfield(L, -2, "interactive");
  lua_pushlstring(L, (const char *)ves_apidoc, sizeof ves_apidoc);
  lua_setfield(L, -2, "documentation");
  if (!at_prompt) return;
  luaL_setfuncs(L, lines, 0);
  /* The editor goes when the state does. */
  lua_newuserdatauv(L, 0, 0);
  lua_createtable(L, 0, 1);
  lua_pushcfunction(L, close_editor);
  lua_setfield(L, -2, "__gc");
  lua_setmetatable(L, -2);
  luaL_ref(L, LUA_REGISTRYINDEX);
}
