import type { Operation } from './operation';

/** No request contains a later observation time. */
const LATEST_SENT_MS = 1_750_000_000_000;

/**
 * The comparable part of an answer. It omits differences between any two catalogs: commit times, scores, and
 * the order of entities by score.
 */
export interface Said {
  readonly status: number;
  readonly type: string | null;
  readonly body: unknown;
}

export async function ask(url: string, { method, target, body }: Operation): Promise<Said> {
  const answer = await fetch(url + target, { method, ...(body === undefined ? {} : { body }) });
  const text = await answer.text();
  const isOrdered = target.includes('scrollAcrossEntities') || body?.includes('"sort"') === true;
  const inOrder = isOrdered ? (read: unknown): unknown => read : byUrn;
  const type = answer.headers.get('content-type');
  return {
    status: answer.status,
    type,
    body: type?.includes('json') === true ? comparable(inOrder(JSON.parse(text))) : text,
  };
}

interface SearchBody {
  readonly value: {
    readonly entities: readonly string[];
    readonly numEntities: number;
    readonly metadata: Readonly<Record<string, unknown>>;
  };
}

export function isSearchBody(body: unknown): body is SearchBody {
  const { value } = (body ?? {}) as { readonly value?: unknown };
  return (
    typeof value === 'object' &&
    value !== null &&
    'searchResultMetadatas' in ((value as Partial<SearchBody['value']>).metadata ?? {})
  );
}

/** A search's entities with their metadata by urn; of a page only their number. */
function byUrn(body: unknown): unknown {
  if (!isSearchBody(body)) return body;
  const { entities, numEntities, metadata } = body.value;
  const isWhole = entities.length === numEntities;
  const order = entities
    .map((_, at) => at)
    .sort((a, b) => (entities[a] ?? '').localeCompare(entities[b] ?? ''));
  const sorted = (list: readonly unknown[]): unknown => (isWhole ? order.map((at) => list[at]) : list.length);
  const ofEntities = Object.entries(metadata).map(([name, inner]): [string, unknown] => [
    name,
    Array.isArray(inner) && PER_ENTITY.has(name) ? sorted(inner) : inner,
  ]);
  return {
    ...body,
    value: { ...body.value, entities: sorted(entities), metadata: Object.fromEntries(ofEntities) },
  };
}

/** Lists of the metadata that have an element for each entity. */
const PER_ENTITY: ReadonlySet<string> = new Set(['urns', 'matches']);

/** Members that hold the catalog's own stamps. */
const OWN_STAMPS: ReadonlySet<string> = new Set(['created', 'aspectCreated', 'aspectModified']);

/** Rejections may contain the time of a write. */
const REASONS: ReadonlySet<string> = new Set(['message', 'stackTrace']);
const OWN_TIME = /modified at \d{4}-\d\d-\d\dT[\d:.]+Z/g;

/**
 * Reduces an answer to its comparable part. The cursor of a timeline is a position in the log. Its changes
 * come in the order of the log, which varies for actions that write several aspects at once.
 */
function comparable(value: unknown): unknown {
  if (Array.isArray(value)) {
    if (!isOfRuns(value)) return value.map(comparable);
    return value.length < NAMED_OF_RUN ? inFixedOrder(value).map(comparable) : value.length;
  }
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).flatMap(([name, inner]: [string, unknown]): [string, unknown][] => {
      if (name === 'score') return [];
      // Entities of nearly equal score may change places.
      if ('terms' in value && (name === 'rank' || name === 'above')) return [];
      if ('terms' in value && name === 'reasons') return [[name, withoutRank(inner)]];
      if ('words' in value && name === 'seq') return [];
      // The id contains its expiry.
      if (name === 'scrollId') return [[name, typeof inner]];
      if (REASONS.has(name) && typeof inner === 'string') return [[name, inner.replace(OWN_TIME, 'a time')]];
      if (name === 'next' && 'changes' in value) return [[name, typeof inner]];
      if (name === 'changes' && Array.isArray(inner)) return [[name, byAspect(inner).map(comparable)]];
      if (name === 'timestamp' && 'runId' in value) return [[name, typeof inner]];
      if (OWN_STAMPS.has(name) || ('differences' in value && name === 'time'))
        return [[name, withoutTime(inner)]];
      // A patch of a missing value starts with a stamp of the catalog.
      if (name === 'time' && Number(inner) > LATEST_SENT_MS) return [[name, 'a time']];
      if (name === 'systemMetadata') return [[name, withoutMark(comparable(inner))]];
      return [[name, comparable(inner)]];
    }),
  );
}

/** Leaves out the sentence about the rank of an explained entity. */
function withoutRank(reasons: unknown): unknown {
  return Array.isArray(reasons) ? reasons.filter((reason) => !/^Rank \d+ of/.test(String(reason))) : reasons;
}

function byAspect(changes: readonly unknown[]): readonly unknown[] {
  const place = (change: unknown): string => {
    const { aspectName = '', version = 0 } = change as {
      readonly aspectName?: string;
      readonly version?: number;
    };
    return `${aspectName} ${String(version).padStart(9, '0')}`;
  };
  return [...changes].sort((a, b) => (place(a) < place(b) ? -1 : 1));
}

/** An answer names at most this many; the choice depends on times. */
const NAMED_OF_RUN = 100;

/** True when a list holds runs, or the writes of one: these are ordered by times, which several may share. */
function isOfRuns(list: readonly unknown[]): boolean {
  return list.every((each) => typeof each === 'object' && each !== null && 'runId' in each);
}

function inFixedOrder(list: readonly unknown[]): readonly unknown[] {
  const key = (each: unknown): string => JSON.stringify({ ...(each as object), timestamp: 0 });
  return [...list].sort((a, b) => (key(a) < key(b) ? -1 : 1));
}

/** Writes of an action carry its call time as observation time, and a mark of the action. */
function withoutMark(metadata: unknown): unknown {
  if (typeof metadata !== 'object' || metadata === null) return metadata;
  return Object.fromEntries(
    Object.entries(metadata).map(([name, inner]: [string, unknown]) => {
      if (name === 'lastObserved' && Number(inner) > LATEST_SENT_MS) return [name, 'by the catalog'];
      const isMark =
        name === 'properties' && typeof inner === 'object' && inner !== null && 'deletion' in inner;
      return [name, isMark ? 'a mark' : inner];
    }),
  );
}

/** Removes the catalog's own stamp of a version; stamps within values were sent, and are compared. */
function withoutTime(stamp: unknown): unknown {
  if (typeof stamp === 'number') return 'a time';
  return typeof stamp === 'object' && stamp !== null && 'actor' in stamp && 'time' in stamp
    ? { ...stamp, time: typeof stamp.time }
    : comparable(stamp);
}
