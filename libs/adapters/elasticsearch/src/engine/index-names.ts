import { createHash } from 'node:crypto';
import { InvalidSettingError } from '@stratalog/model';

const MAX_PREFIX_LENGTH = 80;
const MAX_ID_BYTES = 512;

/** Builds the names of all indices of the catalog, under one prefix. */
export class IndexNames {
  /** Name of the index that holds the index versions and their checkpoints. */
  readonly meta: string;

  /** **Errors**: `InvalidSettingError` for a prefix that no index name may begin with. */
  constructor(readonly prefix: string) {
    if (!/^[a-z0-9][a-z0-9_.-]*$/.test(prefix) || prefix.length > MAX_PREFIX_LENGTH) {
      throw new InvalidSettingError(
        `The index prefix ${JSON.stringify(prefix)} must be ${MAX_PREFIX_LENGTH} or fewer of a-z, 0-9, _, - and ., the first a letter or digit`,
      );
    }
    this.meta = `${prefix}meta`;
  }

  /** Name of the document index of one index version. */
  documents(indexVersion: string): string {
    return `${this.prefix}search_${indexVersion}_all`;
  }

  /** Pattern that matches the document indices of all index versions. */
  allVersions(): string {
    return `${this.prefix}search_*`;
  }

  /** Pattern that matches all indices of one index version, in any layout. */
  allOf(indexVersion: string): string {
    return `${this.prefix}search_${indexVersion}_*`;
  }
}

/**
 * Name of the alias for writes to an index.
 *
 * A write to a missing index would make the engine create one with guessed mappings. A write that requires an alias
 * fails instead.
 */
export function writeAlias(index: string): string {
  return `${index}.write`;
}

/**
 * Builds the document id of a urn: the urn itself up to the engine's limit of 512 bytes, otherwise a hash that no urn
 * equals.
 */
export function documentId(urn: string): string {
  return Buffer.byteLength(urn) <= MAX_ID_BYTES
    ? urn
    : `sha256-${createHash('sha256').update(urn).digest('hex')}`;
}
