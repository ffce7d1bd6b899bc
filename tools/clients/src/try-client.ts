import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CatalogProgram } from '@stratalog/harness';
import { ClientSession } from './client-session';
import { compareModes } from './compare-modes';
import { INGEST_STEPS } from './ingest-steps';
import type { PythonEnvironment } from './python-environments';
import type { Result, Step } from './step';
import { allSteps } from './steps';

export interface TryOptions {
  /** Receives the result of each step as soon as it is over. */
  readonly onResult: (result: Result) => void;
  readonly signal?: AbortSignal;
}

const TOKEN = 'the-token-of-the-operator';

/**
 * Runs all steps with one release of the client, on catalogs of their own with embedded databases. The current release also ingests by OpenAPI,
 * and calls every method of the SDK by both ways.
 */
export async function tryClient(environment: PythonEnvironment, options: TryOptions): Promise<void> {
  const { onResult } = options;
  const endpoints = environment.release.startsWith('0.') ? [undefined] : [undefined, 'OPENAPI' as const];
  for (const endpoint of endpoints) {
    await withClient(environment, { ...options, endpoint }, async (client) => {
      for (const step of endpoint === undefined ? listSteps(client) : INGEST_STEPS) {
        options.signal?.throwIfAborted();
        const name = endpoint === undefined ? step.name : `by OpenAPI: ${step.name}`;
        onResult(await toResult(client, { ...step, name }));
      }
    });
  }
  if (environment.release.startsWith('0.')) return;
  await withClient(environment, { ...options, token: TOKEN, sdkWrites: 'openapi' }, (openApi) =>
    withClient(environment, { ...options, token: TOKEN, sdkWrites: 'restli' }, async (restLi) => {
      const run = (client: ClientSession) => compareModes(client, restLi);
      onResult(await toResult(openApi, { name: 'every method of the SDK does the same by both ways', run }));
    }),
  );
}

interface CatalogOptions extends Pick<TryOptions, 'signal'> {
  readonly endpoint?: 'OPENAPI' | undefined;
  readonly token?: string;
  readonly sdkWrites?: 'openapi' | 'restli';
}

async function withClient(
  environment: PythonEnvironment,
  { endpoint, token, sdkWrites, signal }: CatalogOptions,
  work: (client: ClientSession) => Promise<void>,
): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), `stratalog-test-${String(process.pid)}-clients-`));
  const home = join(folder, 'home');
  mkdirSync(home);
  const settings = {
    STRATALOG_DATA_DIR: join(folder, 'data'),
    ...(token === undefined ? {} : { STRATALOG_TOKEN: token }),
    ...(sdkWrites === undefined ? {} : { STRATALOG_SDK_WRITES: sdkWrites }),
  };
  try {
    const catalog = new CatalogProgram({ settings });
    try {
      const url = await catalog.ready();
      const client = new ClientSession({
        environment,
        url,
        folder: home,
        signal,
        ...(token === undefined ? {} : { token }),
        ...(endpoint === undefined ? {} : { endpoint }),
      });
      try {
        await work(client);
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
