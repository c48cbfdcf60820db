interface ErrorConstructor {
  /** Calls that the trace of an error names: browsers have it as Node does, and their types lack it. */
  stackTraceLimit: number;
}
