import { parseUntrustedJson } from '@stratalog/json';
import { computeFingerprint } from './canonical-schema';
import { parseAvroSchema, type AvroType } from './parse-avro-schema';
import { CHANGE_SCHEMA, PROPOSAL_SCHEMA } from './record-schemas';

/** Longest schema, in characters. The largest schema of a real producer has a tenth of it. */
const MAX_SCHEMA_LENGTH = 1_000_000;

export type CheckedSchema =
  | { readonly fingerprint: string }
  /**
   * `invalid`: no Avro schema. `foreign`: a schema of other records. `unreadable`: the catalog's own schema cannot
   * read its records.
   */
  | { readonly rejection: 'invalid' | 'foreign' | 'unreadable'; readonly reason: string };

/** The catalog's own schemas by their full names. */
const OWN: ReadonlyMap<string, AvroType> = new Map(
  [PROPOSAL_SCHEMA, CHANGE_SCHEMA].map((text) => {
    const type = parseAvroSchema(text);
    return [type.name ?? '', type];
  }),
);

/** Checks that the catalog's own schema of the same full name can read records of this schema. */
export function checkSchema(text: string): CheckedSchema {
  if (text.length > MAX_SCHEMA_LENGTH) {
    return invalid(`it has more than ${String(MAX_SCHEMA_LENGTH)} characters`);
  }
  let type: AvroType;
  try {
    parseUntrustedJson(text);
    type = parseAvroSchema(text);
  } catch (error) {
    return invalid(error instanceof Error ? error.message : String(error));
  }
  const own = OWN.get(type.name ?? '');
  if (own === undefined) {
    const known = [...OWN.keys()].join(' and ');
    const reason = `The schema is that of ${type.name ?? type.typeName}; this catalog's logs hold ${known}`;
    return { rejection: 'foreign', reason };
  }
  try {
    own.createResolver(type);
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    const reason = `What ${type.name ?? ''} would write by this schema cannot be read by the catalog's own: ${why}`;
    return { rejection: 'unreadable', reason };
  }
  return { fingerprint: computeFingerprint(text) };
}

function invalid(why: string): CheckedSchema {
  return { rejection: 'invalid', reason: `The text is no Avro schema: ${why}` };
}
