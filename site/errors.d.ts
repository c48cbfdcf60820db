interface ErrorConstructor {
  /** Number of calls in an error's stack trace: browsers have it like Node, but their types lack it. */
  stackTraceLimit: number;
}
