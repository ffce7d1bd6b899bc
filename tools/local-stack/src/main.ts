import { abortOnSignals } from './command/abort-on-signals';
import { answerUsage } from './command/answer-usage';
import { ADDRESSES, startLocalStack } from './command/local-stack';
import { HELP, parseLocalStackArguments, type LocalStackArguments } from './command/local-stack-arguments';

const LONG_MS = 3_600_000;

async function main(): Promise<number> {
  const parsed = parseLocalStackArguments(process.argv.slice(2));
  switch (parsed.kind) {
    case 'help':
    case 'usage':
      return answerUsage(parsed, HELP);
    case 'start':
      return run(parsed);
  }
}

/** Runs until a signal comes, or a server ends by itself. */
async function run({
  dataDir,
  engine,
  docker,
}: Extract<LocalStackArguments, { kind: 'start' }>): Promise<number> {
  const signal = abortOnSignals();
  // Neither the servers nor the wait for a signal keep a process alive.
  const hold = setInterval(() => undefined, LONG_MS);
  try {
    const kept = dataDir === undefined ? {} : { dataDir };
    const stack = await startLocalStack({
      ...kept,
      isLongLived: true,
      inDocker: docker,
      engine,
      given: process.env,
      log: say,
      signal,
    });
    process.stdout.write(`${ADDRESSES.map((name) => `${name}=${stack.addresses[name]}`).join(' ')}\n`);
    const ended = await new Promise<string | undefined>((resolve) => {
      stack.onExit((name, reason) => {
        resolve(`the server of ${name} ended by itself: ${reason}`);
      });
      signal.addEventListener('abort', () => {
        resolve(undefined);
      });
    });
    if (ended !== undefined) say(ended);
    await stack.stop();
    return ended === undefined ? 0 : 1;
  } catch (error) {
    if (signal.aborted) return 0;
    say((error as Error).message);
    return 1;
  } finally {
    clearInterval(hold);
  }
}

function say(line: string): void {
  process.stderr.write(`local-stack: ${line}\n`);
}

process.exitCode = await main();
