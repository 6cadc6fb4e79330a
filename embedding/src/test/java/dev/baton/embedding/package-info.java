@NullMarked
package dev.baton.embedding;

import org.jspecify.annotations.NullMarked;
