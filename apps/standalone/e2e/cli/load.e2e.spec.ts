import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { buildBundles } from '@stratalog/harness';
import { cli } from '../testing/catalog/cli-process';
import { catalogForSuite } from '../testing/catalog/suite-catalog';

const ENTITIES = 60;
const ROUNDS = 5;

interface Line {
  readonly entityUrn: string;
  readonly [member: string]: unknown;
}

const proposal = (entityUrn: string, aspectName: string, json: unknown, changeType = 'UPSERT'): Line => ({
  entityType: 'tag',
  entityUrn,
  changeType,
  aspectName,
  aspect: { json },
});

/**
 * Generates a file that covers all cases: many versions of few entities, patches on earlier records,
 * snapshots between proposals, and records that are rejected for their form, by the model, or by the state of
 * the store.
 */
function toLines(prefix: string): readonly unknown[] {
  const urn = (entity: number): string => `urn:li:tag:${prefix}${String(entity)}`;
  const lines: unknown[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    for (let entity = 0; entity < ENTITIES; entity++) {
      const name = `tag ${String(entity)}`;
      const description = `round ${String(round)}`;
      // Rejected except in the first round.
      if (entity % 20 === 1) lines.push(proposal(urn(entity), 'tagProperties', { name }, 'CREATE_ENTITY'));
      if (entity % 3 === 0) {
        const properties = { 'com.linkedin.tag.TagProperties': { name, description } };
        const snapshot = { urn: urn(entity), aspects: [properties] };
        lines.push({ proposedSnapshot: { 'com.linkedin.metadata.snapshot.TagSnapshot': snapshot } });
      } else {
        lines.push(proposal(urn(entity), 'tagProperties', { name, description }));
      }
      const owner = `urn:li:corpuser:user${String(round % 3)}`;
      const value = { owner, type: 'DATAOWNER', source: { type: 'MANUAL', url: description } };
      const patch = [{ op: 'add', path: `/owners/${owner}/DATAOWNER`, value }];
      lines.push(proposal(urn(entity), 'ownership', patch, 'PATCH'));
      if (entity % 17 === 5) lines.push(proposal(urn(entity), 'tagProperties', { name: 7 }));
      if (entity % 29 === 7) lines.push(proposal(urn(entity), 'noSuchAspect', {}));
      if (entity === 30) lines.push({ entityUrn: urn(entity) }, 'no object');
    }
  }
  return lines;
}

describe('loading a file', () => {
  const catalog = catalogForSuite();
  let folder: string;
  beforeAll(() => {
    buildBundles('apps/cli/main');
    folder = mkdtempSync(join(tmpdir(), `stratalog-test-${String(process.pid)}-load-`));
  });
  afterAll(() => {
    rmSync(folder, { recursive: true, force: true });
  });

  const load = async (prefix: string, ...args: string[]) => {
    const file = join(folder, `${prefix}.jsonl.gz`);
    const rejects = join(folder, `${prefix}.rejects.jsonl`);
    const text = toLines(prefix).map((line) => `${JSON.stringify(line)}\n`);
    writeFileSync(file, gzipSync(text.join('')));
    const ended = await cli(['load', file, '--json', '--rejects', rejects, '--server', catalog.url, ...args]);
    const rejected = readFileSync(rejects, 'utf8')
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line.replaceAll(prefix, '')) as { index: number })
      .sort((one, other) => one.index - other.index);
    return { code: ended.code, summary: JSON.parse(ended.stdout) as Record<string, number>, rejected };
  };
  const historyOf = async (urn: string): Promise<unknown> => {
    const range = 'startVersion=1&endVersion=0&count=100&order=ASCENDING';
    const read = (aspect: string) =>
      catalog.http.get(`/aspects/${encodeURIComponent(urn)}?aspect=${aspect}&${range}`);
    const answers = [await read('tagProperties'), await read('ownership')];
    const text = JSON.stringify(answers.map(({ json }) => json)).replace(
      /"(time|created|lastObserved|runId)":("[^"]*"|\d+)/g,
      '"$1":0',
    );
    return JSON.parse(text) as unknown;
  };

  it('loading a file in batches has the same result as one by one, including rejections and histories', async () => {
    const alone = await load('one', '--batch', '1', '--concurrency', '1');
    const together = await load('all', '--batch', '50', '--concurrency', '4');

    expect(alone.code).toBe(1);
    expect(together.code).toBe(1);
    expect(together.rejected).toEqual(alone.rejected);
    expect(together.rejected.length).toBeGreaterThan(ROUNDS * 8);
    const { read, sent, written, rejected } = together.summary;
    expect({ read, sent, written, rejected }).toMatchObject({
      read: alone.summary.read,
      sent: alone.summary.sent,
      written: alone.summary.written,
    });
    for (let entity = 0; entity < ENTITIES; entity++) {
      const of = async (prefix: string): Promise<unknown> => {
        const history = await historyOf(`urn:li:tag:${prefix}${String(entity)}`);
        return JSON.parse(JSON.stringify(history).replaceAll(prefix, '')) as unknown;
      };
      const history = await of('all');
      expect(history).toEqual(await of('one'));
      const told = JSON.stringify(history).split(`round ${String(ROUNDS - 1)}`);
      // In the last version of both aspects.
      expect(told).toHaveLength(3);
    }
  });
});
