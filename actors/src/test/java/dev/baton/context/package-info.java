@org.jspecify.annotations.NullMarked
package dev.baton.context;
