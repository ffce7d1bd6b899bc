import { timeRange, type StoredEntity } from '@stratalog/domain';
import { parseInSteps, type JsonValue, type Steps } from '@stratalog/json';
import { MAX_RANGE_VALUES, type Fact, type FactRef, type Facts } from '@stratalog/metadata-tests';
import { inParallel, inSlices, readEntityPages } from '@stratalog/concurrency';
import type { AspectStore } from '@stratalog/ports';

/** Reads of timeseries values at once. */
const AT_ONCE = 4;
/** Latest values of one read. */
const PAGE = 200;

/** Most characters of values that are held for one entity: about 64 MB. */
export const MAX_FACT_CHARACTERS = 64 * 1024 * 1024;

interface FactSource {
  readonly store: AspectStore;
  readonly nowMs: number;
  readonly maxCharacters?: number;
}

/**
 * Reads what evaluations need of the store, aspects of many entities together.
 *
 * **Shape**: false when the values are more than may be held. Then some of the facts are not known.
 */
export async function readFacts(
  { maxCharacters = MAX_FACT_CHARACTERS, ...source }: FactSource,
  refs: readonly FactRef[],
  facts: Facts,
): Promise<boolean> {
  const reading: Reading = { ...source, facts, isFull: () => facts.characters > maxCharacters };
  await readAspects(
    reading,
    refs.filter(({ aspectKind }) => aspectKind === 'versioned'),
  );
  const timeseries = refs.filter(({ aspectKind }) => aspectKind === 'timeseries');
  await readLatest(
    reading,
    timeseries.filter(({ withinMs }) => withinMs === undefined),
  );
  const ranges = timeseries.flatMap(({ withinMs, ...ref }) =>
    withinMs === undefined ? [] : [{ ...ref, withinMs }],
  );
  await inParallel(ranges, AT_ONCE, async (ref) => {
    const fact = await readRange(reading, ref);
    if (fact !== undefined) facts.set(ref, fact);
  });
  return !reading.isFull();
}

interface Reading extends Pick<FactSource, 'store' | 'nowMs'> {
  readonly facts: Facts;
  readonly isFull: () => boolean;
}

async function readAspects(reading: Reading, refs: readonly FactRef[]): Promise<void> {
  const byUrn = new Map<string, Map<string, FactRef>>();
  for (const ref of refs) {
    const own = byUrn.get(ref.urn) ?? new Map<string, FactRef>();
    byUrn.set(ref.urn, own.set(ref.aspectName, ref));
  }
  const names = [...new Set(refs.map(({ aspectName }) => aspectName))];
  const { store, facts } = reading;
  for await (const { entities } of readEntityPages(store, [...byUrn.keys()], { aspectNames: names })) {
    await inSlices(takeAspects(reading, entities, byUrn));
    if (reading.isFull()) return;
  }
  for (const ref of refs) if (facts.get(ref) === undefined) facts.set(ref, { values: [] });
}

/** Takes what was read, until there is too much of it. Aspects of an entity that were not requested are not parsed. */
function* takeAspects(
  { facts, isFull }: Reading,
  entities: readonly StoredEntity[],
  refs: ReadonlyMap<string, ReadonlyMap<string, FactRef>>,
): Steps<void> {
  for (const { urn, aspects } of entities) {
    for (const { name, value: text } of aspects) {
      const ref = refs.get(urn)?.get(name);
      if (ref === undefined) continue;
      facts.count(text);
      const { value } = yield* parseInSteps(text);
      facts.set(ref, { values: [value] });
      if (isFull()) return;
      yield;
    }
  }
}

async function parseValue({ facts }: Reading, text: string): Promise<JsonValue> {
  facts.count(text);
  const { value } = await inSlices(parseInSteps(text));
  return value;
}

/** Reads the latest values of timeseries aspects of many entities together. */
async function readLatest(reading: Reading, refs: readonly FactRef[]): Promise<void> {
  const { store, facts } = reading;
  for (let left = refs; left.length > 0 && !reading.isFull();) {
    const page = left.slice(0, PAGE);
    const { values, rest } = await store.readLatestValues(page);
    const unread = new Set(rest);
    const isRead = ({ urn }: FactRef): boolean => !unread.has(urn);
    for (const ref of page.filter(isRead)) {
      const latest = values.get(ref.urn)?.find(({ aspectName }) => aspectName === ref.aspectName);
      facts.set(ref, { values: latest === undefined ? [] : [await parseValue(reading, latest.value)] });
      if (reading.isFull()) return;
    }
    left = [...page.filter((ref) => !isRead(ref)), ...left.slice(PAGE)];
  }
}

/** Reads the values of a range. Those that are dated in the future are in no range. */
async function readRange(
  reading: Reading,
  { urn, aspectName, withinMs }: FactRef & { readonly withinMs: number },
): Promise<Fact | undefined> {
  const { store, nowMs } = reading;
  const within = timeRange(nowMs - withinMs, nowMs);
  const values: JsonValue[] = [];
  let after;
  do {
    if (reading.isFull()) return undefined;
    const page = await store.readTimeseries({
      urn,
      aspectName,
      within,
      latestFirst: true,
      after,
      limit: MAX_RANGE_VALUES,
    });
    for (const { value } of page.timeseriesValues) {
      values.push(await parseValue(reading, value));
      if (reading.isFull()) return undefined;
    }
    if (!page.hasMore) return { values };
    after = page.timeseriesValues.at(-1);
  } while (values.length < MAX_RANGE_VALUES);
  return {
    error: `${aspectName} of ${urn} has more than ${String(MAX_RANGE_VALUES)} values in the range`,
  };
}
