import { createHash } from 'node:crypto';
import { InvalidSettingError } from '@stratalog/model';

/**
 * Maximum length of a type in a name: enough for any model, and with prefix and suffix within the engine's 255 bytes.
 */
const MAX_TYPE_LENGTH = 100;
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

  /**
   * Name of the document index of one entity type, in layouts with an index per type; different types have different
   * names.
   */
  documentsOfType(indexVersion: string, entityType: string): string {
    return `${this.prefix}search_${indexVersion}_${lowerCaseName(entityType)}`;
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
 * Converts a type to lower case, as index names require: `dataJob` becomes `data-job`, any other character its code.
 */
function lowerCaseName(entityType: string): string {
  const name = entityType.replaceAll(/[^a-z0-9]/gu, (character) =>
    /[A-Z]/.test(character)
      ? `-${character.toLowerCase()}`
      : `.${character.codePointAt(0)?.toString(16) ?? ''}.`,
  );
  return name.length <= MAX_TYPE_LENGTH ? name : `${name.slice(0, 40)}..${sha1(entityType)}`;
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

function sha1(text: string): string {
  return createHash('sha1').update(text).digest('hex');
}
