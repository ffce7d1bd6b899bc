import { describe, expect, it } from '@jest/globals';
import {
  UnavailableError,
  type ChangeKey,
  type PartitionSequences,
  type StoredEntity,
} from '@stratalog/domain';
import { BatchSize } from '@stratalog/concurrency';
import type { AspectStore, Batch, DerivedIndex } from '@stratalog/ports';
import { indexChanges } from './index-changes';
import { ProjectedSeqs } from '../projected-seqs';

const MEGABYTE = 1024 * 1024;
/** More than the size of a page that the store returns. */
const PAGE_BYTES = 8 * MEGABYTE;

/** A store of entities with values of some length; like the real one, it cuts a page by its size. */
function storeOf(length: number): AspectStore {
  const readEntities = (urns: readonly string[]) => {
    const count = Math.max(1, Math.floor(PAGE_BYTES / length));
    const entities = urns.slice(0, count).map(
      (urn) =>
        ({
          urn,
          seq: 1,
          deleted: false,
          aspects: [{ value: 'x'.repeat(length) }],
        }) as unknown as StoredEntity,
    );
    return Promise.resolve({ entities, rest: urns.slice(count) });
  };
  return {
    identity: { partitions: 2 },
    readState: (work: (state: unknown) => unknown) => work({ readEntities, sequences: new Map([[0, 1]]) }),
  } as unknown as AspectStore;
}

/** Changes of as many entities, in turn in two partitions. */
function batchOf(urns: readonly string[]): Batch<ChangeKey> {
  const records = urns.map((urn, at) => {
    const partition = at % 2;
    const offset = Math.floor(at / 2) + 1;
    const value = { partition, seq: offset, urn, aspectName: 'a', version: 1 };
    return { partition, offset, content: { kind: 'decoded' as const, value } };
  });
  const ranges = [0, 1].map((partition) => ({
    partition,
    from: 0,
    to: records.filter((record) => record.partition === partition).length,
  }));
  return { records, ranges };
}

interface Written {
  readonly urns: readonly string[];
  readonly position: PartitionSequences | undefined;
}

/** Applies a batch, as the follower does: what is left comes next, and what has failed comes again. */
async function applyAll(
  urns: readonly string[],
  { length, room = Infinity }: { length: number; room?: number },
) {
  const written: Written[] = [];
  let failures = 0;
  const index = {
    write: (entries: readonly { readonly urn: string }[], position?: PartitionSequences) => {
      if (entries.length > room) {
        failures++;
        return Promise.reject(new UnavailableError('No room'));
      }
      written.push({ urns: entries.map(({ urn }) => urn), position });
      return Promise.resolve();
    },
  } as unknown as DerivedIndex<{ readonly urn: string }>;
  const deps = {
    store: storeOf(length),
    writeSize: new BatchSize(200),
    aspectNames: ['a'],
    affects: () => true,
    *project({ urn }: StoredEntity) {
      yield;
      return { urn };
    },
    onUnindexable: (urn: string) => {
      throw new Error(`${urn} was given up`);
    },
  };
  const projected = new ProjectedSeqs();
  let left: Batch<ChangeKey> | undefined = batchOf(urns);
  while (left !== undefined && failures < 20) {
    try {
      left = await indexChanges(deps, { index, projected }, left);
    } catch (error) {
      expect(error).toBeInstanceOf(UnavailableError);
    }
  }
  return { written, failures };
}

const URNS = Array.from({ length: 100 }, (_, at) => `urn:li:tag:${String(at).padStart(3, '0')}`);

describe('Changes', () => {
  it('changes of small entities are written with one move of the checkpoint', async () => {
    const { written } = await applyAll(URNS, { length: 100 });
    expect(written.filter(({ position }) => position !== undefined)).toEqual([
      expect.objectContaining({
        position: new Map([
          [0, 50],
          [1, 50],
        ]),
      }),
    ]);
  });

  it('changes of large entities move the checkpoint after some megabytes, so that a failure repeats no more', async () => {
    const { written } = await applyAll(URNS, { length: MEGABYTE });
    expect(written.flatMap(({ urns }) => urns)).toEqual(URNS);
    expect(written.map(({ urns }) => urns.length)).toEqual([...Array.from({ length: 12 }, () => 8), 4]);
    expect(written.map(({ position }) => position?.get(0))).toEqual([
      ...Array.from({ length: 12 }, (_, at) => 4 * (at + 1)),
      50,
    ]);
  });

  it('changes for which the index lacks room are halved until they fit, and each write moves the checkpoint', async () => {
    const { written, failures } = await applyAll(URNS, { length: 100, room: 10 });
    expect(failures).toBeGreaterThan(3);
    expect(written.flatMap(({ urns }) => urns)).toEqual(URNS);
    expect(written.every(({ position }) => position !== undefined)).toBe(true);
    expect(written.at(-1)?.position).toEqual(
      new Map([
        [0, 50],
        [1, 50],
      ]),
    );
  });
});
