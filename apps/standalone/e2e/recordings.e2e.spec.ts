import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { until } from '@stratalog/testkit';
import { readRecording, findShortcoming } from './testing/data/recording';
import { catalogForSuite } from './testing/catalog/suite-catalog';

const FOLDER = join(process.env.STRATALOG_CONNECTOR_DATA ?? '', 'recordings');
const FILES = [
  '01-put-get-exists.jsonl',
  '02-soft-delete.jsonl',
  '03-emit.jsonl',
  '04-ingest-file.jsonl',
  '05-graph-reads.jsonl',
  '06-timeseries.jsonl',
  '07-newest-batch.jsonl',
];

const isThere = process.env.STRATALOG_CONNECTOR_DATA !== undefined && existsSync(FOLDER);
if (!isThere) {
  declareNotRun({
    what: 'the recordings of real clients',
    why: 'STRATALOG_CONNECTOR_DATA names no folder with recordings',
    missing: 'material',
  });
}

(isThere ? describe : describe.skip).each(FILES)('what a real client does in %s', (file) => {
  const catalog = catalogForSuite();

  it('gets the answers that it needs, request by request', async () => {
    const calls = readRecording(readFileSync(join(FOLDER, file), 'utf8'));
    expect(calls.length).toBeGreaterThan(10);
    for (const [line, call] of calls.entries()) {
      const { method, target, headers, body } = call;
      const request = { method, target, headers, ...(body === '' ? {} : { body }) };
      const ask = async () => {
        const answer = await catalog.http.send(request);
        // Real clients send no unknown names.
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
