import { covers, parseUrn, type PartitionSequences, type SearchHit } from '@stratalog/domain';
import type { SearchIndex } from '@stratalog/ports';

/** The search fields that hold the name of an entity as people know it, the best first. */
const NAME_FIELDS = ['displayName', 'fullName', 'title', 'name'] as const;

/** Most entities whose names one answer reads. */
const MAX_NAMED = 500;

/**
 * Reads the display names of entities from the index, by urn: of the first 500. An entity without one is left out.
 */
export async function readDisplayNames(
  index: Pick<SearchIndex, 'readValues'>,
  urns: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  if (urns.length === 0) return new Map();
  const values = await index.readValues(urns.slice(0, MAX_NAMED));
  return new Map(
    [...values].flatMap(([urn, own]) => {
      const name = displayName(own);
      return name === undefined ? [] : [[urn, name] as const];
    }),
  );
}

/** Number of cached names at which all are forgotten. */
const MAX_CACHED = 10_000;

/** The part of an index that display names are read from. */
export type NamedIndex = Pick<SearchIndex, 'name' | 'readValues'>;

interface NamesAt {
  readonly index: string;
  readonly position: PartitionSequences;
  /** By urn; `undefined` for an entity without a name. */
  readonly names: Map<string, string | undefined>;
}

/** Remembers display names for as long as the index stays at its position: searches with the same facets read them once. */
export class DisplayNames {
  private known: NamesAt | undefined;

  /** Reads display names as {@link readDisplayNames}, for an answer of the index at a position. */
  async of(
    index: NamedIndex,
    position: PartitionSequences,
    urns: readonly string[],
  ): Promise<ReadonlyMap<string, string>> {
    const named = urns.slice(0, MAX_NAMED);
    const { names } = this.at(index.name, position);
    const unknown = named.filter((urn) => !names.has(urn));
    const read = await readDisplayNames(index, unknown);
    for (const urn of unknown) names.set(urn, read.get(urn));
    return new Map(
      named.flatMap((urn) => {
        const name = names.get(urn);
        return name === undefined ? [] : [[urn, name] as const];
      }),
    );
  }

  /** Starts again when there are too many names. A call that still reads the former ones loses none of them. */
  private at(index: string, position: PartitionSequences): NamesAt {
    const { known } = this;
    const isSame =
      known?.index === index && covers(known.position, position) && covers(position, known.position);
    if (isSame && known.names.size < MAX_CACHED) return known;
    this.known = { index, position, names: new Map() };
    return this.known;
  }
}

/** Returns the display name among the stored values of an entity. */
export function displayName(values: SearchHit['values']): string | undefined {
  const names = NAME_FIELDS.flatMap((field) => values[field] ?? []);
  return names.map(String).find((name) => name.trim() !== '');
}

/** Returns the name of an entity within its urn: of `(platform,name,origin)` and `(tool,id)` the second part. */
export function nameInUrn(urn: string): string {
  const parsed = parseUrn(urn);
  if (!('urn' in parsed)) return urn;
  const { parts } = parsed.urn;
  return parts[1] ?? parts[0] ?? urn;
}
