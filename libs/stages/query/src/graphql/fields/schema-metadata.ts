import { inSlices } from '@stratalog/concurrency';
import { isJsonObject, parseInSteps, type JsonValue } from '@stratalog/json';
import type { CallScope } from '../call-scope';
import { AspectPart, type EntityRef } from './values';

const ASPECT = 'schemaMetadata';

/** Reads the columns of a dataset at a version; 0 is the latest. */
export async function readSchemaMetadata(
  { loader, deps, costs, queries }: CallScope,
  dataset: EntityRef,
  version: number | bigint | null | undefined,
): Promise<AspectPart | undefined> {
  const read = async (): Promise<JsonValue | undefined> => {
    // No dataset has more versions than an exact number.
    if (typeof version === 'bigint') return undefined;
    if ((version ?? 0) === 0) return loader.aspect(dataset.urn, ASPECT);
    costs.countQuery();
    const stored = await queries.run(
      () => deps.store.readVersion(dataset.urn, ASPECT, Number(version)),
      costs.ended,
    );
    if (stored === undefined) return undefined;
    costs.countLength(stored.value.length);
    return (await inSlices(parseInSteps(stored.value))).value;
  };
  const value = await read();
  return isJsonObject(value) ? new AspectPart(dataset, value) : undefined;
}
