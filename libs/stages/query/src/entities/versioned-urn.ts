import { InvalidRequestError } from '@stratalog/domain';

/** A urn with the versions of some of its aspects. */
export interface VersionedUrn {
  readonly urn: string;
  /** Version by aspect name; empty: the latest version of all aspects. */
  readonly versions: ReadonlyMap<string, number>;
}

const RECORD =
  /^\((?:urn:(?<urn>.*?)(?:,versionStamp:(?<stamp>[^,]*))?|versionStamp:(?<first>[^,]*),urn:(?<last>.*))\)$/s;
const PAIR = /^(?<aspect>[^:;]+):(?<version>\d{1,15})$/;

/**
 * Parses `(urn:<urn>,versionStamp:<aspect>:<version>;<aspect>:<version>)`, with an optional stamp, or a plain urn.
 *
 * **Errors**: `InvalidRequestError` that names the malformed part.
 */
export function parseVersionedUrn(text: string): VersionedUrn {
  if (!text.startsWith('(')) return { urn: text, versions: new Map() };
  const groups = RECORD.exec(text)?.groups;
  const urn = groups?.urn ?? groups?.last;
  if (groups === undefined || urn === undefined) {
    throw new InvalidRequestError(`Parameter 'ids': ${text} is not (urn:<urn>,versionStamp:<stamp>)`);
  }
  return { urn, versions: parseStamp(groups.stamp ?? groups.first ?? '') };
}

function parseStamp(stamp: string): ReadonlyMap<string, number> {
  const pairs = stamp.split(';').filter((pair) => pair.trim() !== '');
  return new Map(
    pairs.map((pair) => {
      const groups = PAIR.exec(pair.trim())?.groups;
      if (groups?.aspect === undefined) {
        throw new InvalidRequestError(`Invalid version stamp cannot be parsed: ${stamp}`);
      }
      return [groups.aspect, Number(groups.version)];
    }),
  );
}
