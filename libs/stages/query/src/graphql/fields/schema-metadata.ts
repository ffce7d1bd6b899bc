import { isJsonObject, parseJson, type JsonValue } from '@stratalog/json';
import type { CallScope } from '../call-scope';
import { AspectPart, type EntityRef } from './values';

const ASPECT = 'schemaMetadata';

/** Reads the columns of a dataset at a version; 0 is the latest. */
export async function readSchemaMetadata(
  { loader, deps, costs, queries }: CallScope,
  dataset: EntityRef,
  version: number | undefined,
): Promise<AspectPart | undefined> {
  const read = async (): Promise<JsonValue | undefined> => {
    if ((version ?? 0) === 0) return loader.aspect(dataset.urn, ASPECT);
    costs.countQuery();
    const stored = await queries.run(
      () => deps.store.readVersion(dataset.urn, ASPECT, Number(version)),
      costs.ended,
    );
    if (stored === undefined) return undefined;
    costs.countLength(stored.value.length);
    return parseJson(stored.value);
  };
  const value = await read();
  return isJsonObject(value) ? new AspectPart(dataset, value) : undefined;
}
