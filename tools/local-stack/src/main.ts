import { abortOnSignals } from './command/abort-on-signals';
import { ADDRESSES, startLocalStack } from './command/local-stack';
import { parseLocalStackArguments, type LocalStackStart } from './command/local-stack-arguments';
import { answerUsage } from './command/parse-tool';

const LONG_MS = 3_600_000;

/** Runs until a signal comes, or a server ends by itself. */
async function run({ data, engine, docker }: LocalStackStart): Promise<number> {
  const signal = abortOnSignals();
  // Neither the servers nor the wait for a signal keep a process alive.
  const hold = setInterval(() => undefined, LONG_MS);
  try {
    const kept = data === undefined ? {} : { dataDir: data };
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

const parsed = parseLocalStackArguments(process.argv.slice(2));
process.exitCode = parsed.kind === 'usage' ? answerUsage(parsed) : await run(parsed);
