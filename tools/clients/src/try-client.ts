import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CatalogProgram } from '@stratalog/harness';
import { ClientSession } from './client-session';
import type { PythonEnvironment } from './python-environments';
import type { Result, Step } from './step';
import { allSteps } from './steps';

export interface TryOptions {
  /** Receives the result of each step as soon as it is over. */
  readonly onResult: (result: Result) => void;
  readonly signal?: AbortSignal;
}

/** Runs all steps with one release of the client, on a catalog of its own with an embedded database. */
export async function tryClient(
  environment: PythonEnvironment,
  { onResult, signal }: TryOptions,
): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), `stratalog-test-${String(process.pid)}-clients-`));
  const dataDir = join(folder, 'data');
  const home = join(folder, 'home');
  mkdirSync(home);
  try {
    const catalog = new CatalogProgram({ settings: { STRATALOG_DATA_DIR: dataDir } });
    try {
      const url = await catalog.ready();
      const client = new ClientSession({ environment, url, folder: home, signal });
      try {
        for (const step of listSteps(client)) {
          signal?.throwIfAborted();
          onResult(await toResult(client, step));
        }
      } finally {
        await client.close();
      }
    } finally {
      await catalog.stop('SIGINT');
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function listSteps(client: ClientSession): readonly Step[] {
  return allSteps().filter(({ isCurrentOnly }) => isCurrentOnly !== true || client.isCurrent);
}

/** Runs a step even after a failed one: a failure says more among other results. */
async function toResult(client: ClientSession, step: Step): Promise<Result> {
  const startedAt = Date.now();
  const fault = await step.run(client).then(
    () => undefined,
    (error: unknown) => (error instanceof Error ? error.message : String(error)),
  );
  const output = client.takeOutput();
  const seconds = (Date.now() - startedAt) / 1000;
  return { name: step.name, seconds, ...(fault === undefined ? {} : { failure: `${fault}\n${output}` }) };
}
