/** Tests run in Node; the sources beside them know browsers only. */
declare const process: { threadCpuUsage(since?: object): { user: number } };

/** The milliseconds that this thread works at something, whatever else the machine does meanwhile. */
export function ownTime(work: () => void): number {
  const start = process.threadCpuUsage();
  work();
  return process.threadCpuUsage(start).user / 1_000;
}
