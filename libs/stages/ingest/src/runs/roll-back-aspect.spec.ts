import { join } from 'node:path';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { proposalsIn, type ProposalEntry, type StoredAspect } from '@stratalog/domain';
import type { PastVersion } from '@stratalog/ports';
import { loadModel, type EntityRegistry } from '@stratalog/registry';
import { rollBackAspect, type RollbackDeps } from './roll-back-aspect';

let registry: EntityRegistry;
beforeAll(async () => {
  registry = await loadModel({ folders: [join(import.meta.dirname, '../../../../../models')] });
});

const URN = 'urn:li:tag:t';
const NAME = 'tagProperties';
const ACTOR = 'urn:li:corpuser:tester';
const CALLER = { actor: ACTOR, nowMs: 5 };

const versionBy = (
  version: number,
  runId: string,
  name: string | null = `v${String(version)}`,
): PastVersion => ({
  aspectName: NAME,
  version,
  seq: version,
  kind: 'upsert',
  ...(name === null ? {} : { value: `{"name":"${name}"}` }),
  created: { time: version, actor: ACTOR },
  systemMetadata: { runId },
});

/** An aspect with a history. It collects proposals, and rejects them as long as others write first. */
class Catalog {
  readonly proposed: ProposalEntry[] = [];
  /** Values that others write before each proposal of the rollback. */
  readonly coming: PastVersion[] = [];
  looks = 0;

  constructor(readonly versions: PastVersion[]) {}

  get deps(): RollbackDeps {
    return {
      registry,
      history: {
        listVersions: ({ to, limit }: { to: number; limit: number }) => {
          this.looks++;
          const found = this.versions
            .filter(({ version }) => version <= to)
            .sort((a, b) => b.version - a.version);
          const page = { versions: found.slice(0, limit), hasMore: found.length > limit };
          return Promise.resolve({ ...page, oldest: 1, newest: this.versions.length, truncatedUpTo: 0 });
        },
      },
      store: {
        readEntity: () => Promise.resolve({ urn: URN, seq: 1, deleted: false, aspects: [this.latest()] }),
      },
      submitter: {
        submitAndWait: (entry: ProposalEntry) => {
          const other = this.coming.shift();
          if (other !== undefined) this.versions.push(other);
          else this.proposed.push(entry);
          const outcome =
            other === undefined
              ? { kind: 'applied', position: { storeId: 's', epoch: 1, seqs: new Map([[0, 1]]) } }
              : { kind: 'rejected', reason: `others wrote version ${String(other.version)}` };
          return Promise.resolve(outcome);
        },
      },
    } as unknown as RollbackDeps;
  }

  async rollBack(runId: string) {
    const { version } = this.latest();
    return rollBackAspect(
      this.deps,
      { urn: URN, entityType: 'tag', aspectName: NAME, version, runId },
      CALLER,
    );
  }

  private latest(): StoredAspect {
    const last = this.versions.at(-1) ?? versionBy(0, '');
    return { ...last, value: last.value ?? '', name: NAME, aspectCreated: last.created, observed: {} };
  }
}

describe('rollBackAspect', () => {
  it('deletes an aspect that the run created, under its version and without reading the history', async () => {
    const catalog = new Catalog([versionBy(1, 'r')]);
    expect(await catalog.rollBack('r')).toEqual({ kind: 'done' });
    expect(catalog.proposed).toMatchObject([{ changeType: 'DELETE', headers: { 'If-Version-Match': '1' } }]);
    expect(catalog.looks).toBe(0);
  });

  it('walks back over any number of versions of the run', async () => {
    const own = Array.from({ length: 300 }, (_, n) => versionBy(n + 2, 'r'));
    const catalog = new Catalog([versionBy(1, 'other'), ...own]);
    expect(await catalog.rollBack('r')).toEqual({ kind: 'done' });
    expect(catalog.proposed).toMatchObject([
      {
        value: '{"name":"v1"}',
        headers: { 'If-Version-Match': '301' },
        systemMetadata: { runId: 'other', properties: { restoredVersion: '1', restoredAs: '302' } },
      },
    ]);
    expect(catalog.looks).toBeLessThan(8);
  });

  it('continues below the origin of a restored version, and records the first origin of a restored value', async () => {
    const restored = {
      ...versionBy(3, 'a', 'v1'),
      systemMetadata: { runId: 'a', properties: { restoredVersion: '1', restoredAs: '3' } },
    };
    const onTop = new Catalog([versionBy(1, 'a'), versionBy(2, 'b'), restored, versionBy(4, 'c')]);
    await onTop.rollBack('c');
    expect(onTop.proposed).toMatchObject([
      { value: '{"name":"v1"}', systemMetadata: { properties: { restoredVersion: '1', restoredAs: '5' } } },
    ]);
    const itself = new Catalog([versionBy(1, 'a'), versionBy(2, 'b'), restored]);
    await itself.rollBack('a');
    expect(itself.proposed).toMatchObject([{ changeType: 'DELETE' }]);
  });

  it('deletes the aspect when the last value of another writer is purged', async () => {
    const catalog = new Catalog([versionBy(1, 'other', null), versionBy(2, 'r')]);
    await catalog.rollBack('r');
    expect(catalog.proposed).toMatchObject([{ changeType: 'DELETE' }]);
  });

  it('deletes and rewrites an equal value in one commit', async () => {
    const catalog = new Catalog([versionBy(1, 'other', 'x'), versionBy(2, 'r', 'y'), versionBy(3, 'r', 'x')]);
    expect(await catalog.rollBack('r')).toEqual({ kind: 'done' });
    expect(catalog.proposed.flatMap(proposalsIn)).toMatchObject([
      { changeType: 'DELETE', headers: { 'If-Version-Match': '3' } },
      { changeType: 'UPDATE', value: '{"name":"x"}', systemMetadata: { properties: { restoredAs: '5' } } },
    ]);
  });

  it('keeps the value of a concurrent writer, and retries when the run itself wrote', async () => {
    const lost = new Catalog([versionBy(1, 'other'), versionBy(2, 'r')]);
    lost.coming.push(versionBy(3, 'winner'));
    expect(await lost.rollBack('r')).toEqual({ kind: 'left', reason: 'others wrote version 3' });
    expect(lost.proposed).toEqual([]);

    const again = new Catalog([versionBy(1, 'other'), versionBy(2, 'r')]);
    again.coming.push(versionBy(3, 'r'), versionBy(4, 'r'));
    expect(await again.rollBack('r')).toEqual({ kind: 'done' });
    expect(again.proposed).toMatchObject([{ value: '{"name":"v1"}', headers: { 'If-Version-Match': '4' } }]);

    const endless = new Catalog([versionBy(1, 'other'), versionBy(2, 'r')]);
    for (let version = 3; version < 30; version++) endless.coming.push(versionBy(version, 'r'));
    expect(await endless.rollBack('r')).toMatchObject({ kind: 'left' });
  });
});
