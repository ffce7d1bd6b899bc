import { createHash } from 'node:crypto';
import { InvalidSettingError } from '@stratalog/model';

/** Long enough for any model, short enough for what is put in front and behind of it within the engine's 255 bytes. */
const MAX_TYPE_LENGTH = 100;
const MAX_PREFIX_LENGTH = 80;
const MAX_ID_BYTES = 512;

/** The names of everything that is kept in the engine, under one prefix. */
export class IndexNames {
  /** Holds which generations there are and how far each of them is. */
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

  /** The documents of one generation. */
  documents(indexVersion: string): string {
    return `${this.prefix}search_${indexVersion}_all`;
  }

  /** The documents of one entity type in a generation of a layout with an index for each; different types have different names. */
  documentsOfType(indexVersion: string, entityType: string): string {
    return `${this.prefix}search_${indexVersion}_${lowerCaseName(entityType)}`;
  }

  /** Matches all indices of one generation, whatever its layout. */
  ofIndexVersion(indexVersion: string): string {
    return `${this.prefix}search_${indexVersion}_*`;
  }
}

/**
 * The alias through which an index is written. A write to an index that is gone would have the engine make one with guessed
 * mappings; a write that demands an alias fails instead.
 */
export function writeAlias(index: string): string {
  return `${index}.write`;
}

/** Index names know no capitals: `dataJob` becomes `data-job`, anything else its code. */
function lowerCaseName(entityType: string): string {
  const name = entityType.replaceAll(/[^a-z0-9]/gu, (character) =>
    /[A-Z]/.test(character)
      ? `-${character.toLowerCase()}`
      : `.${character.codePointAt(0)?.toString(16) ?? ''}.`,
  );
  return name.length <= MAX_TYPE_LENGTH ? name : `${name.slice(0, 40)}..${sha1(entityType)}`;
}

/** The document id of a urn: itself as long as the engine takes it, which is up to 512 bytes, then a hash that no urn can be. */
export function documentId(urn: string): string {
  return Buffer.byteLength(urn) <= MAX_ID_BYTES
    ? urn
    : `sha256-${createHash('sha256').update(urn).digest('hex')}`;
}

function sha1(text: string): string {
  return createHash('sha1').update(text).digest('hex');
}
