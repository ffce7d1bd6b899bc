import { beforeEach, describe, expect, it } from '@jest/globals';
import { rebuildIndex } from '@stratalog/indexing';
import {
  distance,
  type EntryProjection,
  type ReferencedEntities,
  type StoredEntity,
} from '@stratalog/domain';
import { BatchSize } from '@stratalog/concurrency';
import type { AspectRef, AspectStore, DerivedIndex } from '@stratalog/ports';
import { datasetUrn, plainBatch, timeseriesBatch, toRange } from '../builders';

export interface EntryVersionsUnderTest<Entry> {
  /** An empty store. */
  readonly store: AspectStore;
  /** An empty index of it. */
  readonly index: DerivedIndex<Entry>;
}

/** The causes by which an entry changes. */
export type EntryInput = 'aspect' | 'timeseries value' | 'referenced entity' | 'deletion';

const [OWN, OTHER] = [datasetUrn('own'), datasetUrn('referenced')] as const;
const PROFILE = 'datasetProfile';

/**
 * The contract of several processes that write entries of one index, whatever an entry is computed from: `inputs` of this kind of index.
 * `toEntry` makes an entry that holds some texts.
 */
export function entryVersionsContract<Entry extends { readonly urn: string }>(
  open: () => Promise<EntryVersionsUnderTest<Entry>>,
  inputs: readonly EntryInput[],
  toEntry: (entity: Pick<StoredEntity, 'urn' | 'seq'>, texts: readonly string[]) => Entry,
): void {
  describe('two processes that write the entries of one index', () => {
    let store: AspectStore;
    let index: DerivedIndex<Entry>;
    let logged: Map<number, number>;

    const nextRange = (urn: string) => {
      const { partitions } = store.identity;
      const { partition } = toRange(urn, partitions, 0);
      const from = logged.get(partition) ?? 0;
      logged.set(partition, from + 1);
      return toRange(urn, partitions, from);
    };
    const describeAs = async (urn: string, text: string): Promise<void> => {
      await store.commit(plainBatch([nextRange(urn)], [{ ...toAspect(urn), value: JSON.stringify(text) }]));
    };
    const profile = async (timestampMs: number, text: string): Promise<void> => {
      const value = {
        urn: OWN,
        aspectName: PROFILE,
        timestampMs,
        valueKey: 'k',
        value: JSON.stringify(text),
      };
      await store.commit(timeseriesBatch([nextRange(OWN)], [value]));
    };
    const deleteOwn = async (): Promise<void> => {
      const { decide, ...batch } = plainBatch([nextRange(OWN)], [{ ...toAspect(OWN), value: '""' }]);
      await store.commit({
        ...batch,
        decide: (snapshot) => {
          const { changes, ...rest } = decide(snapshot);
          const deleted = changes.map(
            ({ partition, seq: own, urn, aspectName, version, systemMetadata, created }) => ({
              ...{ partition, seq: own, urn, aspectName, version, systemMetadata, created },
              kind: 'delete' as const,
            }),
          );
          const seq = Math.max(...deleted.map((change) => change.seq));
          return { ...rest, changes: deleted, deletions: [{ urn: OWN, seq }] };
        },
      });
    };
    const changeBy: Readonly<Record<EntryInput, () => Promise<void>>> = {
      aspect: () => describeAs(OWN, 'second'),
      'timeseries value': () => profile(2, 'second profile'),
      'referenced entity': () => describeAs(OTHER, 'second reference'),
      deletion: deleteOwn,
    };

    /** Writes every entry, as a process does that projects it now. */
    const indexAll = (to: DerivedIndex<Entry> = index): Promise<void> =>
      rebuildIndex(
        { ...projection(inputs, toEntry), store, onUnindexable: fail, writeSize: new BatchSize(10) },
        to,
      );
    const fingerprint = async (): Promise<string | undefined> =>
      (await index.fingerprintsAfter(undefined, 10)).find(({ urn }) => urn === OWN)?.fingerprint;

    /** A process that has read everything and stands still before it writes. The function that it resolves to lets it go on. */
    const standStill = async (): Promise<() => Promise<void>> => {
      let goOn: () => void = () => undefined;
      const going = new Promise<void>((resolve) => {
        goOn = resolve;
      });
      let stands: () => void = () => undefined;
      const standing = new Promise<void>((resolve) => {
        stands = resolve;
      });
      const paused = {
        write: async (...args: Parameters<typeof index.write>) => {
          stands();
          await going;
          await index.write(...args);
        },
      };
      const written = indexAll(Object.assign(Object.create(index) as DerivedIndex<Entry>, paused));
      await standing;
      return async () => {
        goOn();
        await written;
      };
    };

    beforeEach(async () => {
      logged = new Map();
      ({ store, index } = await open());
      await describeAs(OWN, 'first');
      await describeAs(OTHER, 'first reference');
      await profile(1, 'first profile');
      await indexAll();
    });

    it.each(inputs)('keep the newer entry when the late one was read before a change: %s', async (input) => {
      const before = await fingerprint();
      const goOn = await standStill();
      await changeBy[input]();
      await indexAll();
      const newer = await fingerprint();
      expect(newer).not.toBe(before);

      await goOn();

      expect(await fingerprint()).toBe(newer);
    });

    it('replace a wrong entry of the same state', async () => {
      const right = await fingerprint();
      const seq = distance(new Map(), await store.readPartitionSequences());
      await index.write([toEntry({ urn: OWN, seq }, ['wrong'])], new Map());
      expect(await fingerprint()).not.toBe(right);

      await indexAll();

      expect(await fingerprint()).toBe(right);
    });
  });
}

function toAspect(urn: string): AspectRef {
  return { urn, aspectName: 'datasetProperties' };
}

function fail(urn: string, cause: unknown): never {
  throw new Error(`The entry of ${urn} cannot be written`, { cause });
}

/** Rules by which an entry holds the texts of all inputs. */
function projection<Entry>(
  inputs: readonly EntryInput[],
  toEntry: (entity: Pick<StoredEntity, 'urn' | 'seq'>, texts: readonly string[]) => Entry,
): Pick<EntryProjection<Entry>, 'listTimeseriesAspects' | 'references' | 'project'> {
  return {
    listTimeseriesAspects: () => (inputs.includes('timeseries value') ? [PROFILE] : []),
    ...(inputs.includes('referenced entity')
      ? { references: { aspectNames: ['datasetProperties'], affects: () => false, list: listReferenced } }
      : {}),
    project: (entity, referenced) => projectTexts(toEntry, entity, referenced),
  };
}

function* listReferenced({ urn }: StoredEntity) {
  yield;
  return urn === OWN ? [OTHER] : [];
}

function* projectTexts<Entry>(
  toEntry: (entity: Pick<StoredEntity, 'urn' | 'seq'>, texts: readonly string[]) => Entry,
  entity: StoredEntity,
  referenced: ReferencedEntities = new Map(),
) {
  yield;
  const others = entity.urn === OWN ? [...referenced.values()].flatMap(({ aspects }) => aspects) : [];
  const held = [...entity.aspects, ...(entity.latestValues ?? []), ...others];
  return toEntry(
    entity,
    held.map(({ value }) => JSON.parse(value) as string).filter((text) => typeof text === 'string'),
  );
}
