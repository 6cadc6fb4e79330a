/**
 * Native devices through JNA; the only module that may see it. So far it finds and opens native libraries; the C ABI and OpenCL
 * drivers build on it.
 */
@org.jspecify.annotations.NullMarked
package dev.baton.jna;
