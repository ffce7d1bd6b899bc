import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { until } from '@stratalog/testkit';
import { Site, type BootedCatalog } from './testing/booted-catalog';
import { readRecording, shortcomingOf } from './testing/recording';

const FOLDER = join(import.meta.dirname, '../../../../shared/recordings');
const FILES = ['01-put-get-exists.jsonl', '02-soft-delete.jsonl'];
/** What the others need that is not there yet. */
const WAITING: Readonly<Record<string, string>> = {
  '03-emit.jsonl': 'snapshots',
  '04-ingest-file.jsonl': 'snapshots and timeseries aspects',
  '05-graph-reads.jsonl': 'snapshots',
  '06-timeseries.jsonl': 'timeseries aspects',
  '07-newest-batch.jsonl': 'snapshots and timeseries aspects',
};

const isThere = existsSync(FOLDER);
if (!isThere) {
  declareNotRun({
    what: 'the recordings of real clients',
    why: 'there is no folder shared/recordings beside this checkout',
    missing: 'material',
  });
}

for (const [file, needed] of isThere ? Object.entries(WAITING) : []) {
  declareNotRun({
    what: `the recording ${file}`,
    why: `the catalog does not take ${needed} yet`,
    missing: 'material',
  });
}

(isThere ? describe : describe.skip).each(FILES)('what a real client does in %s', (file) => {
  let site: Site;
  let catalog: BootedCatalog;
  beforeAll(async () => {
    site = await Site.create();
    catalog = await site.boot();
  });
  afterAll(async () => {
    await site.remove();
  });

  it('is answered as it needs, request by request', async () => {
    const calls = readRecording(readFileSync(join(FOLDER, file), 'utf8'));
    expect(calls.length).toBeGreaterThan(10);
    for (const [line, call] of calls.entries()) {
      const { method, target, headers, body } = call;
      const request = { method, target, headers, ...(body === '' ? {} : { body }) };
      const ask = async () => shortcomingOf(call, await catalog.http.send(request));
      if (call.expect.eventually === true) await until(async () => (await ask()) === undefined);
      else
        expect({ line: line + 1, call: call.call, short: await ask() }).not.toHaveProperty(
          'short',
          expect.any(String),
        );
    }
  });
});
