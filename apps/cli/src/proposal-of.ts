import { isJsonObject, parseJson, stringifyJson, type JsonObject, type JsonValue } from '@stratalog/model';

/** What one record of a file means. */
export type RecordReading =
  | { readonly kind: 'proposal'; readonly urn: string; readonly aspectName: string; readonly body: string }
  | {
      readonly kind: 'refused';
      readonly urn?: string;
      readonly aspectName?: string;
      readonly reason: string;
      /** False when the text is no JSON and can be passed on only as a text. */
      readonly isJson: boolean;
    };

/** Reason for records of the older form that holds several aspects of one entity. */
export const SNAPSHOT_REASON = 'snapshots are not supported yet';

/**
 * Turns a record as connectors write it to files into the body of a request: the aspect under `json` becomes its JSON
 * text under `value`, digit by digit. Everything else goes along as it is; whether it is right, the catalog says.
 */
export function proposalOf(text: string): RecordReading {
  let record: JsonValue;
  try {
    record = parseJson(text);
  } catch {
    return {
      kind: 'refused',
      reason: 'the record is not JSON (a file is one JSON array, or one JSON object a line)',
      isJson: false,
    };
  }
  if (!isJsonObject(record)) {
    return { kind: 'refused', reason: 'the record is not a JSON object', isJson: true };
  }
  const snapshot = record.proposedSnapshot;
  if (snapshot !== undefined && snapshot !== null) {
    return { kind: 'refused', ...snapshotName(snapshot), reason: SNAPSHOT_REASON, isJson: true };
  }
  return {
    kind: 'proposal',
    urn: textOf(record.entityUrn),
    aspectName: textOf(record.aspectName),
    body: stringifyJson({ proposal: { ...record, ...serializedAspect(record) } }),
  };
}

function serializedAspect(record: JsonObject): JsonObject {
  const aspect = record.aspect;
  if (!isJsonObject(aspect)) return {};
  const json = aspect.json;
  if (json === undefined) return {};
  const contentType = record.changeType === 'PATCH' ? 'application/json-patch+json' : 'application/json';
  return { aspect: { value: asciiJson(json), contentType } };
}

/**
 * The field's schema calls this text bytes, so a server may take characters below U+0100 for bytes of UTF-8; escapes can be
 * read in one way only.
 */
function asciiJson(value: JsonValue): string {
  return stringifyJson(value).replace(
    /[\u0080-\uffff]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

/** A snapshot is `{<record name>: {urn, aspects}}`. */
function snapshotName(snapshot: JsonValue): { urn?: string; aspectName?: string } {
  if (!isJsonObject(snapshot)) return {};
  const [name, value] = Object.entries(snapshot)[0] ?? [];
  if (name === undefined) return {};
  const aspectName = name.slice(name.lastIndexOf('.') + 1);
  const urn = isJsonObject(value) ? textOf(value.urn) : '';
  return urn === '' ? { aspectName } : { urn, aspectName };
}

function textOf(value: JsonValue | undefined): string {
  return typeof value === 'string' ? value : '';
}
