/** Host builds end to end (DESIGN section 5). */
@org.jspecify.annotations.NullMarked
package dev.baton.testkit.build;
