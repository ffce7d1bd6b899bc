/** Aborts when this process is told to stop: by Ctrl-C, by another program, or because its terminal has gone. */
export function abortOnSignals(): AbortSignal {
  const interrupt = new AbortController();
  for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.on(name, () => {
      interrupt.abort(new Error(`stopped by ${name}`));
    });
  }
  return interrupt.signal;
}
