/** The runtime of drivers and builds in production: real threads and a real clock. */
@org.jspecify.annotations.NullMarked
package dev.baton.runtime;
