import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { abortOnSignals, answerUsage } from '@stratalog/local-stack';
import { givenSetting, operatorToken, ignoreOutputErrors, writeAddress } from '@stratalog/runtime';
import { parseDistributedArguments, type DistributedStart } from './distributed-arguments';
import { childLine } from './child-line';
import { distributedReadyText } from './distributed-ready-text';
import { startDistributed } from './start-distributed';

/** Until a signal comes, or something ends by itself. */
async function run({ scale, host, port, dataDir, docker }: DistributedStart): Promise<number> {
  const signal = abortOnSignals();
  const throwAway = dataDir === undefined ? mkdtempSync(join(tmpdir(), 'stratalog-distributed-')) : undefined;
  const folder = throwAway ?? resolve(dataDir ?? '');
  try {
    const given = givenSetting(process.env, 'STRATALOG_TOKEN');
    const token = given ?? operatorToken(folder);
    const place = { scale, host, port, dataDir, docker, token };
    const options = { ...place, environment: process.env, say, log, signal };
    const catalog = await startDistributed(options);
    if (given === undefined) writeAddress(folder, catalog.url);
    process.stdout.write(distributedReadyText(catalog, given === undefined ? folder : undefined));
    const told = new Promise<undefined>((done) => {
      if (signal.aborted) done(undefined);
      signal.addEventListener('abort', () => {
        done(undefined);
      });
    });
    const lost = await Promise.race([told, catalog.lost]);
    if (lost !== undefined) say(lost);
    await catalog.stop();
    return lost === undefined ? 0 : 1;
  } catch (error) {
    if (signal.aborted) return 0;
    say((error as Error).message);
    return 1;
  } finally {
    if (throwAway !== undefined) rmSync(throwAway, { recursive: true, force: true });
  }
}

function log(name: string, line: string): void {
  process.stderr.write(childLine(name, line, process.stderr.isTTY));
}

function say(line: string): void {
  process.stderr.write(`stratalog: ${line}\n`);
}

ignoreOutputErrors();
const parsed = parseDistributedArguments(process.argv.slice(2), process.env);
process.exitCode = parsed.kind === 'usage' ? answerUsage(parsed) : await run(parsed);
