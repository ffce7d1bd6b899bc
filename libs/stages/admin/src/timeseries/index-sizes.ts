import type { JsonOutputObject } from '@stratalog/json';
import type { MeasuredValues, TimeseriesIndexing, TimeseriesSize, TimeseriesStorage } from '@stratalog/ports';
import type { EntityRegistry } from '@stratalog/registry';

export interface SizesDeps {
  readonly registry: EntityRegistry;
  readonly timeseries: TimeseriesStorage;
  /** None when statistics come from the store alone. */
  readonly timeseriesIndex?: TimeseriesIndexing;
}

/** The size of one timeseries aspect of an entity type. */
interface IndexSize {
  readonly indexName: string;
  readonly entityName: string;
  readonly aspectName: string;
  /** Decimal megabytes. */
  readonly sizeMb: number;
  /** Absent without values. */
  readonly values?: MeasuredValues | undefined;
}

const BYTES_PER_MEGABYTE = 1_000_000;

/**
 * Measures the values of every timeseries aspect of every entity type, including those without values: the space in the store,
 * and that in the live index of timeseries values, where there is one.
 *
 * **Shape**: names in lower case, as the reference names its indices; `truncateTimeseriesAspect` accepts them.
 *
 * **Source**: `docs/wire-decisions.md`, Operations.
 */
async function measureIndexSizes(deps: SizesDeps): Promise<readonly IndexSize[]> {
  const { registry } = deps;
  const sizes = new Map(
    registry.entityTypes.flatMap(({ name, aspects }) =>
      [...aspects.values()].flatMap((aspect) =>
        aspect.kind === 'timeseries'
          ? [[toIndexName(name, aspect.name), toIndexSize(name, aspect.name, 0)]]
          : [],
      ),
    ),
  );
  // The store may also hold values of a type or aspect that the model no longer has.
  for (const { entityType, aspectName, bytes, values } of await measureSizes(deps)) {
    const name = toIndexName(entityType, aspectName);
    const { sizeMb } = toIndexSize(entityType, aspectName, bytes);
    const measured = sizes.get(name);
    sizes.set(name, {
      ...toIndexSize(entityType, aspectName, 0),
      sizeMb: (measured?.sizeMb ?? 0) + sizeMb,
      values: values ?? measured?.values,
    });
  }
  return [...sizes.values()];
}

/** An aspect has one size in the store and one in the index. */
async function measureSizes({ timeseries, timeseriesIndex }: SizesDeps): Promise<readonly TimeseriesSize[]> {
  const index = await timeseriesIndex?.versions.live();
  const [stored, indexed = []] = await Promise.all([timeseries.measureSizes(), index?.measureSizes()]);
  return [...stored, ...indexed];
}

/**
 * Formats sizes for `getIndexSizes`: newer clients read `sizeInMb`, the documented sample has `sizeMb`. Number and age of the values are ours.
 */
export async function describeIndexSizes(deps: SizesDeps): Promise<JsonOutputObject> {
  const sizes = await measureIndexSizes(deps);
  return {
    indexSizes: sizes.map(({ values, ...size }) => ({
      ...size,
      sizeInMb: size.sizeMb,
      valueCount: values?.count ?? 0,
      ...(values === undefined ? {} : { oldestMillis: values.oldestMs, newestMillis: values.newestMs }),
    })),
  };
}

/** Lists the sizes in the form of the OpenAPI call. */
export async function listIndexSizes(deps: SizesDeps): Promise<JsonOutputObject> {
  const sizes = await measureIndexSizes(deps);
  return {
    sizes: sizes.map(({ aspectName, entityName, indexName, sizeMb }) => ({
      aspectName,
      entityName,
      indexName,
      sizeMb,
    })),
  };
}

function toIndexSize(entityType: string, aspectName: string, bytes: number): IndexSize {
  return {
    indexName: toIndexName(entityType, aspectName),
    entityName: entityType.toLowerCase(),
    aspectName: aspectName.toLowerCase(),
    sizeMb: bytes / BYTES_PER_MEGABYTE,
  };
}

function toIndexName(entityType: string, aspectName: string): string {
  return `${entityType}_${aspectName}aspect_v1`.toLowerCase();
}
