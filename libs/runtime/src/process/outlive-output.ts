/**
 * Lets the process outlive its terminal: what cannot be written to standard output or error, because the pipe is gone or the disk is full,
 * is lost, and nothing else with it.
 */
export function outliveOutput(): void {
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => undefined);
}
