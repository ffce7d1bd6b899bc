#!/usr/bin/env node
import { setMaxListeners } from 'node:events';
import { createInterface } from 'node:readline/promises';
import { setTimeout as wait } from 'node:timers/promises';
import { runCli } from './run-cli';

const interrupt = new AbortController();
// Every proposal that waits for another attempt listens.
setMaxListeners(0, interrupt.signal);
process.on('SIGINT', () => {
  // At the second Ctrl-C the user does not want to wait for outstanding answers.
  if (interrupt.signal.aborted) process.exit(130);
  interrupt.abort();
});
// A reader that closes the pipe early, such as `head`, is no fault.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code === 'EPIPE') process.exit(0);
  throw error;
});
// Closing standard error, which shows the progress, is no fault either.
process.stderr.on('error', () => undefined);

async function ask(question: string): Promise<string> {
  const lines = createInterface({ input: process.stdin, output: process.stderr });
  lines.on('SIGINT', () => {
    interrupt.abort();
  });
  try {
    // A closed input or Ctrl-C counts as no confirmation.
    return await lines.question(question, { signal: interrupt.signal }).catch(() => '');
  } finally {
    lines.close();
  }
}

process.exitCode = await runCli(process.argv.slice(2), {
  stdin: process.stdin,
  stdout: process.stdout,
  stderr: process.stderr,
  live: process.stderr.isTTY,
  ...(process.stdout.isTTY ? { columns: process.stdout.columns } : {}),
  ...(process.stdin.isTTY && process.stderr.isTTY ? { ask } : {}),
  folder: process.cwd(),
  env: process.env,
  interrupted: interrupt.signal,
  pause: async (ms, signal) => {
    await wait(ms, undefined, { signal }).catch(() => undefined);
  },
});
