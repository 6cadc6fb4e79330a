/** Tests of one attempt of a host build. */
@org.jspecify.annotations.NullMarked
package dev.baton.build;
