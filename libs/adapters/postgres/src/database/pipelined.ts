/** Waits for all statements, then throws the first failure: later ones only report the aborted transaction. */
export async function pipelined<T extends readonly Promise<unknown>[] | []>(
  sent: T,
): Promise<{ [K in keyof T]: Awaited<T[K]> }> {
  await Promise.allSettled(sent);
  return Promise.all(sent);
}
