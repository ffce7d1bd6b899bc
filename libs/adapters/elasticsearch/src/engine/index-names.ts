import { createHash } from 'node:crypto';
import { InvalidSettingError } from '@stratalog/domain';

const MAX_PREFIX_LENGTH = 80;
const MAX_ID_BYTES = 512;
const MAX_PART_LENGTH = 60;

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

  /** Name of the index of the timeseries values of one entity type and aspect, in one index version. */
  series(indexVersion: string, { entityType, aspectName }: SeriesName): string {
    return `${this.prefix}timeseries_${indexVersion}_${toNamePart(entityType)}_${toNamePart(aspectName)}`;
  }

  /** Pattern that matches the indices of all index versions of a kind. */
  allVersions(kind: IndexKind): string {
    return `${this.prefix}${kind}_*`;
  }

  /** Pattern that matches all indices of one index version, in any layout. */
  allOf(kind: IndexKind, indexVersion: string): string {
    return `${this.prefix}${kind}_${indexVersion}_*`;
  }
}

export type IndexKind = 'search' | 'timeseries';

export interface SeriesName {
  readonly entityType: string;
  readonly aspectName: string;
}

/** Writes a name without capitals and signs, which index names do not have: `datasetProfile` as `dataset-profile`. */
function toNamePart(name: string): string {
  const written = name.replaceAll(/[^a-z0-9]/gu, (sign) =>
    /[A-Z]/.test(sign) ? `-${sign.toLowerCase()}` : `-0${(sign.codePointAt(0) ?? 0).toString(16)}-`,
  );
  return written.length <= MAX_PART_LENGTH ? written : createHash('sha256').update(name).digest('hex');
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
