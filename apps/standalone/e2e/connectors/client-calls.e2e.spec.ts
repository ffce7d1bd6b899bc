import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { until } from '@stratalog/testkit';
import { readClientCalls, listSpellings } from '../testing/data/client-calls';
import { findShortcoming, type RecordedCall } from '../testing/data/recording';
import { catalogForSuite } from '../testing/catalog/suite-catalog';

const FOLDER = join(import.meta.dirname, 'client-calls');

describe.each(readdirSync(FOLDER))('the calls of %s', (file) => {
  const calls = readClientCalls(readFileSync(join(FOLDER, file), 'utf8'));
  const catalog = catalogForSuite();
  const shortcoming = async (call: RecordedCall, target = call.target): Promise<string | undefined> => {
    const { method, headers, body } = call;
    return findShortcoming(
      call,
      await catalog.http.send({ method, target, headers, ...(body === '' ? {} : { body }) }),
    );
  };

  // One after another, in one catalog: a read sees the writes of the calls before it.
  it.each(calls.map((call) => [call.call, call] as const))('%s', async (_name, call) => {
    if (call.expect.eventually === true) await until(async () => (await shortcoming(call)) === undefined);
    expect(await shortcoming(call)).toBeUndefined();
    if (call.method !== 'GET') return;
    for (const target of listSpellings(call.target)) {
      expect({ target, short: await shortcoming(call, target) }).toEqual({ target, short: undefined });
    }
  });
});
