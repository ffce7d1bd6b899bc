import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { until } from '@stratalog/testkit';
import { CONNECTOR_DATA } from '../testing/data/connector-files';
import { readRecording, findShortcoming } from '../testing/data/recording';
import { catalogForSuite } from '../testing/catalog/suite-catalog';

const FOLDER = join(CONNECTOR_DATA, 'recordings');
const FILES = readdirSync(FOLDER).filter((name) => name.endsWith('.jsonl'));

describe.each(FILES)('what a client does in %s', (file) => {
  const catalog = catalogForSuite();

  it('gets the answers that it needs, request by request', async () => {
    const calls = readRecording(readFileSync(join(FOLDER, file), 'utf8'));
    expect(calls.length).toBeGreaterThan(10);
    for (const [line, call] of calls.entries()) {
      const { method, target, headers, body } = call;
      const request = { method, target, headers, ...(body === '' ? {} : { body }) };
      const ask = async () => {
        const answer = await catalog.http.send(request);
        // Clients send no unknown names.
        expect([line + 1, answer.headers['x-stratalog-warnings']]).toEqual([line + 1, undefined]);
        return findShortcoming(call, answer);
      };
      if (call.expect.eventually === true) await until(async () => (await ask()) === undefined);
      else
        expect({ line: line + 1, call: call.call, short: await ask() }).not.toHaveProperty(
          'short',
          expect.any(String),
        );
    }
  });
});
