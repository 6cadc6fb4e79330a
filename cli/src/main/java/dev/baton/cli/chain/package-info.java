/** The main job of the command line: a chain of runs, its inputs and outputs, and its time line. */
@org.jspecify.annotations.NullMarked
package dev.baton.cli.chain;
