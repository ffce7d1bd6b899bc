/** Waits for all, then fails with the first failure: those behind it only say that the transaction is over. */
export async function inOneGo<T extends readonly Promise<unknown>[] | []>(
  sent: T,
): Promise<{ [K in keyof T]: Awaited<T[K]> }> {
  await Promise.allSettled(sent);
  return Promise.all(sent);
}
