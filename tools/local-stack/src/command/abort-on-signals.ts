/**
 * Aborts when this process must stop: on Ctrl-C, on a signal, when its terminal closes, or when the parent
 * that holds its channel ends in any way.
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
