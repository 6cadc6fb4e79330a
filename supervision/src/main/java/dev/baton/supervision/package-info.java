/**
 * The door of a device: what clients are owed, epochs, deaths, reset and close (DESIGN sections 2 and 6).
 */
@org.jspecify.annotations.NullMarked
package dev.baton.supervision;
