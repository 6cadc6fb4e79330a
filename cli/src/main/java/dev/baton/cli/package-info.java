/** Baton's command line. */
@org.jspecify.annotations.NullMarked
package dev.baton.cli;
