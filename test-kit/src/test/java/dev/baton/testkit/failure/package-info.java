@org.jspecify.annotations.NullMarked
package dev.baton.testkit.failure;
