import { abortOnSignals, answerUsage } from '@stratalog/local-stack';
import { parseClientsArguments } from './clients-arguments';
import { preparePythonEnvironments } from './python-environments';
import { tryClient } from './try-client';

const INTERRUPTED = 130;

async function tryReleases(releases: readonly string[]): Promise<number> {
  const signal = abortOnSignals();
  let done = 0;
  let failed = 0;
  try {
    for (const environment of await preparePythonEnvironments({ releases, log: say })) {
      const { release } = environment;
      await tryClient(environment, {
        signal,
        onResult: ({ name, seconds, failure }) => {
          done += 1;
          const outcome = failure === undefined ? 'ok    ' : 'FAILED';
          process.stdout.write(`${outcome} ${release}  ${name} (${seconds.toFixed(1)} s)\n`);
          if (failure === undefined) return;
          failed += 1;
          process.stdout.write(`${failure.replace(/^/gm, '    ')}\n`);
        },
      });
    }
  } catch (error) {
    say((error as Error).message);
    return signal.aborted ? INTERRUPTED : 1;
  }
  process.stdout.write(`${String(done)} steps, ${String(failed)} failed\n`);
  return failed === 0 ? 0 : 1;
}

function say(line: string): void {
  process.stderr.write(`clients: ${line}\n`);
}

const parsed = parseClientsArguments(process.argv.slice(2));
process.exitCode = parsed.kind === 'usage' ? answerUsage(parsed) : await tryReleases(parsed.releases);
