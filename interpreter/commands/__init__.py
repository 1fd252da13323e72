"""commands: one module for each command of `cardscript`; in, its arguments; out, what it prints and its exit code."""
