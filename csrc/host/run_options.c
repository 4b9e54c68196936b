/* run_options: the command line.
 *
 * A command is its row in one table: name, synopsis, help text, the options it takes. The parser,
 * the help pages and the "did you mean" line all read that table, so that none can disagree. */
#include "run_options.h"

#include <errno.h>
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum {
  OPT_SEED = 256,
  OPT_SET,
  OPT_OUT,
  OPT_SCALE,
  OPT_QUIET,
  OPT_FORMAT,
  OPT_ID,
  OPT_JOBS,
  OPT_REPLICATE,
  OPT_TIMEOUT,
  OPT_DRY_RUN,
  OPT_OVER,
  OPT_TRUST,
  OPT_TIME_LIMIT,
  OPT_MAX_MEMORY
};

/* clang-format off */
static const struct option long_options[] = {
    {"seed", required_argument, NULL, OPT_SEED},
    {"set", required_argument, NULL, OPT_SET},
    {"out", required_argument, NULL, OPT_OUT},
    {"scale", required_argument, NULL, OPT_SCALE},
    {"quiet", no_argument, NULL, OPT_QUIET},
    {"format", required_argument, NULL, OPT_FORMAT},
    {"id", required_argument, NULL, OPT_ID},
    {"jobs", required_argument, NULL, OPT_JOBS},
    {"replicate", required_argument, NULL, OPT_REPLICATE},
    {"replicate-timeout", required_argument, NULL, OPT_TIMEOUT},
    {"dry-run", no_argument, NULL, OPT_DRY_RUN},
    {"over", required_argument, NULL, OPT_OVER},
    {"trust", no_argument, NULL, OPT_TRUST},
    {"timeout", required_argument, NULL, OPT_TIME_LIMIT},
    {"max-memory", required_argument, NULL, OPT_MAX_MEMORY},
    {"help", no_argument, NULL, 'h'},
    {"version", no_argument, NULL, 'V'},
    {NULL, 0, NULL, 0},
};
/* clang-format on */

typedef struct {
  const char *name;
  run_command command;
  const char *synopsis;
  const char *summary;
  const char *details;
  int options[16]; /* the option values it accepts beside --help, 0-terminated */
} command_row;

#define SET_HELP                                                                                   \
  "  --set KEY=VALUE    override one parameter of the experiment; may be repeated;\n"              \
  "                     a list is written KEY=1,2,3\n"

#define OUT_HELP                                                                                   \
  "  --out DIR          write below DIR/<experiment>/ (default: data/ beside the program)\n"

#define RUN_HELP                                                                                   \
  "  --seed N           seed of every random stream (default 20211118)\n"                          \
  "  --scale SCALE      full (default), or quick: the experiment's reduced parameters\n"           \
  "  --jobs N           worker processes (default: the cores)\n"                                   \
  "  --replicate-timeout SECONDS\n"                                                                \
  "                     a replicate that takes longer fails\n"                                     \
  "  --quiet            no progress and no list of files written\n"

#define LIMIT_HELP                                                                                 \
  "  --timeout TIME     stop after TIME: seconds, or 90s, 10m, 2h\n"                               \
  "  --max-memory SIZE  memory for each process, such as 512M or 2G (default: three\n"             \
  "                     quarters of the machine's)\n"                                              \
  "  --trust            no sandbox\n"

#define SANDBOX_HELP                                                                               \
  "The script runs in a sandbox: it starts no programs, loads no C modules and no bytecode,\n"     \
  "reads files only below the project and the working directory, and writes only below --out.\n"

#define RUN_OPTIONS                                                                                \
  "[--seed N] [--set KEY=VALUE]... [--out DIR] [--scale full|quick] [--jobs N] "                   \
  "[--replicate-timeout SECONDS] [--timeout TIME] [--max-memory SIZE] [--trust] [--quiet]"

static const command_row commands[] = {
    {"run",
     RUN_COMMAND_RUN,
     "vesicle run SCRIPT [--replicate [NAME:]I] " RUN_OPTIONS,
     "run a Lua script, usually an experiment",
     SET_HELP OUT_HELP RUN_HELP LIMIT_HELP
     "  --replicate I      compute replicate I alone, here, and stop; NAME:I for a later\n"
     "                     E:replicate call than the first\n\n"
     "Finished replicates are kept in OUT/<experiment>.sqlite. A run that was interrupted, by\n"
     "whatever, goes on when the same command is given again, and ends in the same "
     "bytes.\n" SANDBOX_HELP,
     {OPT_SEED, OPT_SET, OPT_OUT, OPT_SCALE, OPT_QUIET, OPT_JOBS, OPT_REPLICATE, OPT_TIMEOUT,
      OPT_TRUST, OPT_TIME_LIMIT, OPT_MAX_MEMORY, 0}},
    {"params",
     RUN_COMMAND_PARAMS,
     "vesicle params SCRIPT [--set KEY=VALUE]... [--scale full|quick] [--timeout TIME] "
     "[--max-memory SIZE] [--trust]",
     "list the parameters of an experiment: names, values, meanings",
     "  --set KEY=VALUE    show the parameters with this override\n"
     "  --scale SCALE      full (default) or quick\n" LIMIT_HELP,
     {OPT_SET, OPT_SCALE, OPT_TRUST, OPT_TIME_LIMIT, OPT_MAX_MEMORY, 0}},
    {"sweep",
     RUN_COMMAND_SWEEP,
     "vesicle sweep SCRIPT --over KEY=VALUES [--over KEY=VALUES]... [--replicate I] " RUN_OPTIONS,
     "run an experiment at every point of a grid of parameters, into one table",
     "  --over KEY=VALUES  the values a parameter takes: FROM:TO:STEP, FROM:TO in steps of 1, or\n"
     "                     A,B,C (lists of a list parameter are separated by ;); may be\n"
     "                     repeated: the grid is every combination, the last varying "
     "fastest\n" SET_HELP
     "  --out DIR          write below DIR (default: sweeps/ beside the program)\n" RUN_HELP
         LIMIT_HELP "  --replicate I      compute point I alone, here, and stop\n\n"
     "Writes OUT/<experiment>-over-KEY[-KEY].../sweep.tsv: a row for each point, with its\n"
     "parameters, and the value and standard error of each number (E:number) of that run, the\n"
     "same as 'vesicle run' with --set gives. Points are computed side by side. Finished points\n"
     "and finished replicates are journalled: a sweep that was interrupted goes on when the same\n"
     "command is given again. The script runs in a sandbox, as under 'vesicle run'.\n",
     {OPT_OVER, OPT_SEED, OPT_SET, OPT_OUT, OPT_SCALE, OPT_QUIET, OPT_JOBS, OPT_REPLICATE,
      OPT_TIMEOUT, OPT_TRUST, OPT_TIME_LIMIT, OPT_MAX_MEMORY, 0}},
    {"claims",
     RUN_COMMAND_CLAIMS,
     "vesicle claims [DIR] [--format text|tsv|latex|markdown] [--id ID]",
     "print the ledger of claims found below DIR",
     "  DIR                a directory of experiment outputs (default: data/ beside the program)\n"
     "  --format FORMAT    text (default), tsv, latex or markdown\n"
     "  --id ID            only this claim\n",
     {OPT_FORMAT, OPT_ID, 0}},
    {"journal",
     RUN_COMMAND_JOURNAL,
     "vesicle journal show|verify|prune [PATH] [--dry-run]",
     "look at, check or tidy the journals of finished replicates",
     "  show               what each journal holds\n"
     "  verify             check every record; exit code 4 if one is damaged\n"
     "  prune              remove what a changed script or program can no longer use\n"
     "  PATH               a journal, or a directory of them (default: data/ beside the program)\n"
     "  --dry-run          prune: only say what would be removed\n",
     {OPT_DRY_RUN, 0}},
    {"repl",
     RUN_COMMAND_REPL,
     "vesicle repl [--seed N] [--out DIR] [--jobs N] [--quiet]",
     "open the prompt; so does 'vesicle' alone at a terminal",
     "  --seed N           seed of every random stream (default 20211118)\n"
     "  --out DIR          where experiments write (default: data/ beside the program)\n"
     "  --jobs N           worker processes for replicates (default: the cores)\n"
     "  --quiet            no greeting\n\n"
     "Lines are Lua; help() explains. Without a terminal, lines are read from standard input.\n",
     {OPT_SEED, OPT_OUT, OPT_JOBS, OPT_QUIET, 0}},
    {"help", RUN_COMMAND_HELP, "vesicle help [COMMAND]", "explain a command", "", {0}},
};

#define N_COMMANDS (sizeof commands / sizeof commands[0])

static const command_row *find_command(const char *name) {
  for (size_t i = 0; i < N_COMMANDS; i++)
    if (strcmp(commands[i].name, name) == 0) return &commands[i];
  return NULL;
}

/* Prints a synopsis in lines of at most 80 characters. A line is broken before an option. */
static void print_usage(const char *synopsis) {
  size_t column = (size_t)printf("usage:");
  for (const char *at = synopsis; *at != '\0';) {
    size_t length = strcspn(at, " ");
    while (at[length] == ' ' && at[length + 1] != '[' && at[length + 1] != '-')
      length += 1 + strcspn(at + length + 1, " ");
    if (column + 1 + length > 80) column = (size_t)printf("\n      ") - 1;
    column += (size_t)printf(" %.*s", (int)length, at);
    at += length;
    while (*at == ' ') at++;
  }
  printf("\n");
}

int run_options_help(const char *topic) {
  if (topic == NULL) {
    printf("vesicle: synaptic dropout as Bayesian inference, from Lua\n\nusage:\n");
    for (size_t i = 0; i < N_COMMANDS; i++)
      printf("  vesicle %-8s %s\n", commands[i].name, commands[i].summary);
    printf("  vesicle --version, vesicle --help\n\n"
           "'vesicle help COMMAND' lists the options of a command.\n\n"
           "exit codes: 0 done, 1 script error, 2 usage, 3 interrupted and resumable,\n"
           "            4 verification failed\n");
    return RUN_DONE;
  }
  const command_row *row = find_command(topic);
  if (row == NULL) {
    fprintf(stderr, "vesicle: there is no command '%s'; 'vesicle --help' lists them\n", topic);
    return RUN_USAGE;
  }
  print_usage(row->synopsis);
  printf("\n%s.\n", row->summary);
  if (row->details[0] != '\0') printf("\n%s", row->details);
  return RUN_DONE;
}

/* ---- values ---- */

static int usage_error(const char *command, const char *what, const char *value) {
  fprintf(stderr, "vesicle: %s%s%s%s\nTry 'vesicle help%s%s'.\n", what, value ? " '" : "",
          value ? value : "", value ? "'" : "", command ? " " : "", command ? command : "");
  return RUN_USAGE;
}

/* A seed is a whole number of at most 63 bits, decimal or 0x hexadecimal. */
static bool parse_seed(const char *text, int64_t *seed) {
  if (text[0] < '0' || text[0] > '9') return false;
  const bool hex = text[0] == '0' && (text[1] == 'x' || text[1] == 'X');
  char *end = NULL;
  errno = 0;
  const long long value = strtoll(text, &end, hex ? 16 : 10);
  if (errno != 0 || end == text || *end != '\0') return false;
  *seed = (int64_t)value;
  return true;
}

/* "I" or "NAME:I", I from 1. */
static bool parse_replicate(const char *text, run_options *options) {
  const char *colon = strrchr(text, ':');
  const char *digits = colon != NULL ? colon + 1 : text;
  int64_t index = 0;
  if (colon == text || !parse_seed(digits, &index) || index < 1) return false;
  options->replicate = (uint64_t)index;
  free(options->replicate_name);
  options->replicate_name = colon != NULL ? strndup(text, (size_t)(colon - text)) : NULL;
  return true;
}

static bool parse_seconds(const char *text, double *seconds) {
  char *end = NULL;
  *seconds = strtod(text, &end);
  return end != text && *end == '\0' && *seconds > 0 && *seconds < 1e9;
}

/* Seconds, or a number with one of s, m, h. */
static bool parse_time(const char *text, double *seconds) {
  char *end = NULL;
  const double value = strtod(text, &end);
  if (end == text || text[0] < '0' || text[0] > '9') return false;
  const double unit = *end == 'h' ? 3600 : *end == 'm' ? 60 : 1;
  if (*end == 's' || *end == 'm' || *end == 'h') end++;
  *seconds = value * unit;
  return *end == '\0' && *seconds > 0 && *seconds < 1e9;
}

/* Bytes, or a number with one of K, M, G, T (powers of 1024); at least 16M. */
static bool parse_size(const char *text, uint64_t *bytes) {
  static const char units[] = "KMGT";
  char *end = NULL;
  double value = strtod(text, &end);
  if (end == text || text[0] < '0' || text[0] > '9') return false;
  const char *unit = *end != '\0' ? strchr(units, *end) : NULL;
  for (const char *u = units; unit != NULL && u <= unit; u++) value *= 1024;
  if (unit != NULL) end++;
  if (*end != '\0' || value < 16.0 * 1024 * 1024 || value > 0x1p60) return false;
  *bytes = (uint64_t)value;
  return true;
}

static bool one_of(const char *value, const char *const *choices) {
  for (; *choices != NULL; choices++)
    if (strcmp(value, *choices) == 0) return true;
  return false;
}

static bool accepts(const command_row *row, int option) {
  for (const int *o = row->options; *o != 0; o++)
    if (*o == option) return true;
  return false;
}

static const char *option_name(int value) {
  for (const struct option *o = long_options; o->name != NULL; o++)
    if (o->val == value) return o->name;
  return "?";
}

static int take_option(run_options *options, const command_row *row, int option,
                       const char *value) {
  static const char *const scales[] = {"full", "quick", NULL};
  static const char *const formats[] = {"text", "tsv", "latex", "markdown", NULL};
  if (!accepts(row, option)) {
    fprintf(stderr, "vesicle: 'vesicle %s' takes no option '--%s'\nTry 'vesicle help %s'.\n",
            row->name, option_name(option), row->name);
    return RUN_USAGE;
  }
  switch (option) {
  case OPT_SEED:
    if (!parse_seed(value, &options->seed))
      return usage_error(row->name, "--seed: expected a whole number from 0 to 2^63-1, got", value);
    options->has_seed = true;
    break;
  case OPT_SET: {
    const char *equals = strchr(value, '=');
    if (equals == NULL || equals == value)
      return usage_error(row->name, "--set: expected KEY=VALUE, got", value);
    options->set[options->n_set++] = value;
    break;
  }
  case OPT_OVER: {
    const char *equals = strchr(value, '=');
    if (equals == NULL || equals == value || equals[1] == '\0')
      return usage_error(row->name, "--over: expected KEY=VALUES, got", value);
    options->over[options->n_over++] = value;
    break;
  }
  case OPT_OUT:
    if (value[0] == '\0') return usage_error(row->name, "--out: expected a directory, got", value);
    options->out = value;
    break;
  case OPT_SCALE:
    if (!one_of(value, scales))
      return usage_error(row->name, "--scale: expected full or quick, got", value);
    options->scale = value;
    break;
  case OPT_FORMAT:
    if (!one_of(value, formats))
      return usage_error(row->name, "--format: expected text, tsv, latex or markdown, got", value);
    options->format = value;
    break;
  case OPT_ID: options->id = value; break;
  case OPT_QUIET: options->quiet = true; break;
  case OPT_DRY_RUN: options->dry_run = true; break;
  case OPT_TRUST: options->trust = true; break;
  case OPT_TIME_LIMIT:
    if (!parse_time(value, &options->time_limit))
      return usage_error(row->name, "--timeout: expected a time such as 90, 10m or 2h, got", value);
    break;
  case OPT_MAX_MEMORY:
    if (!parse_size(value, &options->max_memory))
      return usage_error(
          row->name, "--max-memory: expected a size such as 512M or 2G, at least 16M, got", value);
    break;
  case OPT_JOBS: {
    int64_t jobs = 0;
    if (!parse_seed(value, &jobs) || jobs < 1 || jobs > RUN_JOBS_MAX)
      return usage_error(row->name, "--jobs: expected a whole number from 1 to 256, got", value);
    options->jobs = (long)jobs;
    break;
  }
  case OPT_REPLICATE:
    if (!parse_replicate(value, options))
      return usage_error(row->name, "--replicate: expected I or NAME:I with I from 1, got", value);
    break;
  case OPT_TIMEOUT:
    if (!parse_seconds(value, &options->timeout))
      return usage_error(row->name, "--replicate-timeout: expected seconds above 0, got", value);
    break;
  default: break;
  }
  return RUN_DONE;
}

/* ---- the parser ---- */

/* What stands on the line beside options. */
static int take_operands(run_options *options, const command_row *row, int count, char **words) {
  switch (row->command) {
  case RUN_COMMAND_RUN:
  case RUN_COMMAND_PARAMS:
  case RUN_COMMAND_SWEEP:
    if (count < 1) return usage_error(row->name, "a script is missing", NULL);
    if (count > 1) return usage_error(row->name, "one script at a time; unexpected", words[1]);
    options->script = words[0];
    if (row->command == RUN_COMMAND_SWEEP) {
      if (options->n_over == 0) return usage_error(row->name, "--over is missing", NULL);
      options->point_timeout = options->timeout;
      options->timeout = 0;
    }
    return RUN_DONE;
  case RUN_COMMAND_CLAIMS:
    if (count > 1) return usage_error(row->name, "one directory at a time; unexpected", words[1]);
    options->dir = count == 1 ? words[0] : NULL;
    return RUN_DONE;
  case RUN_COMMAND_JOURNAL: {
    static const char *const actions[] = {"show", "verify", "prune", NULL};
    if (count < 1) return usage_error(row->name, "expected show, verify or prune", NULL);
    if (!one_of(words[0], actions))
      return usage_error(row->name, "expected show, verify or prune, got", words[0]);
    if (count > 2) return usage_error(row->name, "one path at a time; unexpected", words[2]);
    options->action = words[0];
    options->dir = count == 2 ? words[1] : NULL;
    return RUN_DONE;
  }
  case RUN_COMMAND_REPL:
    if (count > 0) return usage_error(row->name, "unexpected", words[0]);
    return RUN_DONE;
  default:
    if (count > 1) return usage_error(row->name, "unexpected", words[1]);
    options->topic = count == 1 ? words[0] : NULL;
    return RUN_DONE;
  }
}

static int parse_command(const command_row *row, int argc, char **argv, run_options *options) {
  options->command = row->command;
  optind = 0; /* glibc: start over, here with argv[0] = the command */
  opterr = 0;
  for (;;) {
    const int option = getopt_long(argc, argv, ":h", long_options, NULL);
    if (option == -1) break;
    if (option == 'h') {
      options->command = RUN_COMMAND_HELP;
      options->topic = row->name;
      return RUN_DONE;
    }
    if (option == ':') return usage_error(row->name, "a value is missing after", argv[optind - 1]);
    if (option == '?') {
      if (optopt != 0 && optopt < 256) {
        const char text[] = {'-', (char)optopt, '\0'};
        return usage_error(row->name, "unknown option", text);
      }
      return usage_error(row->name, "unknown, ambiguous or misused option", argv[optind - 1]);
    }
    const int status = take_option(options, row, option, optarg);
    if (status != RUN_DONE) return status;
  }
  return take_operands(options, row, argc - optind, argv + optind);
}

/* ---- the line, to be typed again ---- */

static bool is_plain(const char *word) {
  return word[0] != '\0' && strspn(word, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
                                         "0123456789_-+=:,./@%") == strlen(word);
}

/* Writes the word as a shell reads it back; returns the end. `to` has room for 4 bytes per byte. */
static char *quote_word(char *to, const char *word) {
  if (is_plain(word)) return stpcpy(to, word);
  *to++ = '\'';
  for (; *word != '\0'; word++) {
    if (*word == '\'')
      to = stpcpy(to, "'\\''");
    else
      *to++ = *word;
  }
  *to++ = '\'';
  *to = '\0';
  return to;
}

static char *make_line(int argc, char **argv) {
  size_t size = 1;
  for (int i = 0; i < argc; i++) size += 4 * strlen(argv[i]) + 4;
  char *line = malloc(size), *to = line;
  if (line == NULL) return NULL;
  *to = '\0';
  for (int i = 0; i < argc; i++) {
    if (strcmp(argv[i], "--replicate") == 0) {
      i++; /* and its value */
      continue;
    }
    if (strncmp(argv[i], "--replicate=", 12) == 0) continue;
    if (i > 0) *to++ = ' ';
    to = quote_word(to, argv[i]);
  }
  return line;
}

char *run_options_point_line(const run_options *options, const char *out, const char *const *set,
                             size_t n_set) {
  static char vesicle[] = "vesicle", run[] = "run", seed_option[] = "--seed",
              out_option[] = "--out", scale[] = "--scale", trust[] = "--trust",
              set_option[] = "--set";
  char seed[32];
  char **words = calloc(2 * n_set + 16, sizeof *words);
  int n = 0;
  if (words == NULL) return NULL;
  words[n++] = vesicle;
  words[n++] = run;
  words[n++] = (char *)options->script;
  if (options->has_seed) {
    snprintf(seed, sizeof seed, "%lld", (long long)options->seed);
    words[n++] = seed_option;
    words[n++] = seed;
  }
  words[n++] = out_option;
  words[n++] = (char *)out;
  if (strcmp(options->scale, "full") != 0) {
    words[n++] = scale;
    words[n++] = (char *)options->scale;
  }
  if (options->trust) words[n++] = trust;
  for (size_t i = 0; i < n_set; i++) {
    words[n++] = set_option;
    words[n++] = (char *)set[i];
  }
  char *line = make_line(n, words);
  free(words);
  return line;
}

int run_options_parse(int argc, char **argv, run_options *options) {
  *options = (run_options){.command = RUN_COMMAND_HELP, .scale = "full", .format = "text"};
  if (argc < 2 && isatty(STDIN_FILENO) && isatty(STDOUT_FILENO)) {
    options->command = RUN_COMMAND_REPL;
    options->line = make_line(argc, argv);
    return options->line != NULL ? RUN_DONE : usage_error(NULL, "out of memory", NULL);
  }
  if (argc < 2) return usage_error(NULL, "a command is missing", NULL);
  const char *word = argv[1];
  if (strcmp(word, "--help") == 0 || strcmp(word, "-h") == 0) return RUN_DONE;
  if (strcmp(word, "--version") == 0 || strcmp(word, "-V") == 0) {
    options->command = RUN_COMMAND_VERSION;
    return RUN_DONE;
  }
  const command_row *row = find_command(word);
  if (row == NULL)
    return usage_error(NULL, word[0] == '-' ? "unknown option" : "unknown command", word);
  options->set = calloc((size_t)argc, sizeof *options->set);
  options->over = calloc((size_t)argc, sizeof *options->over);
  options->line = make_line(argc, argv);
  if (options->set == NULL || options->over == NULL || options->line == NULL)
    return usage_error(NULL, "out of memory", NULL);
  const int status = parse_command(row, argc - 1, argv + 1, options);
  if (status != RUN_DONE) run_options_free(options);
  return status;
}

void run_options_free(run_options *options) {
  free(options->set);
  free(options->over);
  free(options->line);
  free(options->replicate_name);
  options->set = options->over = NULL;
  options->line = options->replicate_name = NULL;
  options->n_set = options->n_over = 0;
}
