import type { Client } from '@elastic/elasticsearch';
import { InvalidSettingError, UnavailableError } from '@stratalog/domain';
import type { IndexShape } from './build-mappings';
import { answered, toFailure, translateError } from './translate-error';

/**
 * Creates an index if it is missing, and returns its UUID.
 *
 * **Errors**: `InvalidSettingError` when an index of that name exists that the catalog did not create;
 * `UnavailableError`.
 */
export async function ensureIndex(client: Client, shape: IndexShape): Promise<string> {
  try {
    await client.indices.create({ ...shape, wait_for_active_shards: 1 });
  } catch (error) {
    const { status, reason } = toFailure(error) ?? {};
    if (reason?.includes('already exists as alias') === true) throw nameTaken(shape.index, error);
    // The engine also answers 400 when it has no room for the index: too many shards.
    if (status === 400 && reason?.includes('resource_already_exists') !== true) {
      throw new UnavailableError('The search engine does not make an index', { cause: error });
    }
    if (status !== 400) throw translateError(error);
  }
  const existing = (await answered(client.indices.get({ index: shape.index })))[shape.index];
  if (!isEqual(existing?.mappings?._meta, shape.mappings._meta)) throw nameTaken(shape.index);
  const uuid = existing?.settings?.index?.uuid;
  if (uuid === undefined) throw new UnavailableError(`The index ${shape.index} has no identity yet`);
  return uuid;
}

function nameTaken(index: string, cause?: unknown): InvalidSettingError {
  return new InvalidSettingError(
    `The search engine has an index ${index} that this catalog did not make: choose another index prefix, or remove it`,
    { cause },
  );
}

function isEqual(a: object | undefined, b: object | undefined): boolean {
  const sorted = (value: object | undefined): string => JSON.stringify(Object.entries(value ?? {}).sort());
  return sorted(a) === sorted(b);
}
