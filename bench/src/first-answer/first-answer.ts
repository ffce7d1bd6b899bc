import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { ROOT, readPostmasterPid } from '@stratalog/harness';
import { toBody, withConnections } from '../load/http-connection';
import { searchRequest, writeRequest } from '../load/requests';
import { serverProgramOf } from '../machine/server-program';
import type { BenchRun } from '../processes/bench-run';
import type { Report } from '../report/report';
import { WriteWorkload } from '../workload/write-workload';
import { NpmStart } from './npm-start';

/**
 * Measures from `git clone` of this working copy, as committed, to the first search answer; packages come
 * from npm's cache.
 */
export async function firstAnswer(run: BenchRun, report: Report): Promise<void> {
  const started = report.begin('cloning');
  const clone = join(run.folder, 'clone');
  const dataDir = run.newDataDir('data');
  const start = performance.now();
  const secondsSoFar = (): number => (performance.now() - start) / 1000;
  git('clone', '--quiet', '--no-hardlinks', ROOT, clone);
  const cloneSeconds = secondsSoFar();
  const program = new NpmStart(clone, dataDir);
  run.owns(program);
  const url = await program.ready();
  const readySeconds = secondsSoFar();
  await writeAndSearch(url);
  const seconds = secondsSoFar();
  report.runsOn(serverProgramOf(readPostmasterPid(dataDir)));
  report.add(started, {
    case: 'clone to first answer',
    sizes: {
      commit: git('rev-parse', '--short', 'HEAD').trim(),
      cloneSeconds,
      ...program.stepSeconds(),
      firstWriteAndSearchSeconds: seconds - readySeconds,
    },
    seconds,
    goals: [{ of: 'seconds', atMost: 30 }],
  });
}

/** The first answer with a hit counts. */
async function writeAndSearch(url: string): Promise<void> {
  const { urn, value } = new WriteWorkload(1).newEntity('needle');
  await withConnections(url, 1, async ([connection]) => {
    if (connection === undefined) return;
    const written = await connection.exchange(writeRequest(urn, value));
    toBody(written);
    const waitFor = /x-stratalog-position: (\S+)/.exec(written.head)?.[1] ?? '';
    const found = toBody(await connection.exchange(searchRequest('needle', { waitFor })));
    if (!found.includes(urn)) throw new Error(`The first search did not find the first write: ${found}`);
  });
}

function git(...args: readonly string[]): string {
  const { status, stdout, stderr } = spawnSync('git', args, { cwd: ROOT, encoding: 'utf8' });
  if (status !== 0) throw new Error(`git ${args.join(' ')} failed: ${stderr}`);
  return stdout;
}
