/** Examples for those who embed Baton or test their own races with its test kit. */
@org.jspecify.annotations.NullMarked
package dev.baton.examples;
