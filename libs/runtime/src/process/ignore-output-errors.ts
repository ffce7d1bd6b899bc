/**
 * Lets the process outlive its terminal. Output is lost when the pipe is closed or the disk is full, but the
 * process continues.
 */
export function ignoreOutputErrors(): void {
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => undefined);
}
