/* `cairn plot`: pictures of runs. */
#ifndef CLI_PLOT_PLOT_H
#define CLI_PLOT_PLOT_H

/* argv[0] is "plot". Exit status 0 done, 1 failed, 2 the input is wrong. */
int cli_command_plot(int argc, char **argv);

#endif
