/** Milliseconds of processor time that something takes: unlike time on the clock, those do not grow while other programs run. */
export function processorTime(work: () => void): number {
  const before = process.cpuUsage();
  work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}
