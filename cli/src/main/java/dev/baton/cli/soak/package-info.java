/** The soak: very many runs, many of them failing, after which nothing may have grown. */
@org.jspecify.annotations.NullMarked
package dev.baton.cli.soak;
