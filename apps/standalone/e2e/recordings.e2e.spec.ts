import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { until } from '@stratalog/testkit';
import { readRecording, shortcomingOf } from './testing/recording';
import { catalogForSuite } from './testing/suite-catalog';

const FOLDER = join(import.meta.dirname, '../../../../shared/recordings');
/** What is replayed, with the calls whose answers need what is not there yet: they are sent, and not looked at. */
const FILES = [
  { file: '01-put-get-exists.jsonl', later: /^$/ },
  { file: '02-soft-delete.jsonl', later: /^$/ },
  { file: '03-emit.jsonl', later: /^$/ },
  { file: '04-ingest-file.jsonl', later: /^$/ },
  {
    file: '05-graph-reads.jsonl',
    later: /^graph\.get_(?:search_results|domain_urn_by_name|container_urns_by_filter)\(/,
  },
  { file: '06-timeseries.jsonl', later: /^$/ },
  { file: '07-newest-batch.jsonl', later: /^graph\.get_domain_urn_by_name\(/ },
];
/** What is not run, and what it needs. */
const WAITING: Readonly<Record<string, string>> = {
  'the searches in recordings 05-graph-reads.jsonl and 07-newest-batch.jsonl':
    'filters, and entities as objects in answers',
};

const isThere = existsSync(FOLDER);
if (!isThere) {
  declareNotRun({
    what: 'the recordings of real clients',
    why: 'there is no folder shared/recordings beside this checkout',
    missing: 'material',
  });
}

for (const [what, needed] of isThere ? Object.entries(WAITING) : []) {
  declareNotRun({ what, why: `the catalog has no ${needed} yet`, missing: 'material' });
}

(isThere ? describe : describe.skip).each(FILES)('what a real client does in $file', ({ file, later }) => {
  const catalog = catalogForSuite();

  it('is answered as it needs, request by request', async () => {
    const calls = readRecording(readFileSync(join(FOLDER, file), 'utf8'));
    expect(calls.length).toBeGreaterThan(10);
    for (const [line, call] of calls.entries()) {
      const { method, target, headers, body } = call;
      const request = { method, target, headers, ...(body === '' ? {} : { body }) };
      const ask = async () => shortcomingOf(call, await catalog.http.send(request));
      if (later.test(`${call.call} ${body}`)) await catalog.http.send(request);
      else if (call.expect.eventually === true) await until(async () => (await ask()) === undefined);
      else
        expect({ line: line + 1, call: call.call, short: await ask() }).not.toHaveProperty(
          'short',
          expect.any(String),
        );
    }
  });
});
