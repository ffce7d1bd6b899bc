/**
 * Aborts when this process is told to stop: by Ctrl-C, by another program, because its terminal has gone, or because the program that
 * started it with a channel is gone, however that ended.
 */
export function abortOnSignals(): AbortSignal {
  const interrupt = new AbortController();
  for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.on(name, () => {
      interrupt.abort(new Error(`stopped by ${name}`));
    });
  }
  if (process.connected) {
    process.once('disconnect', () => {
      interrupt.abort(new Error('stopped by the end of its owner'));
    });
    process.channel?.unref();
  }
  return interrupt.signal;
}
