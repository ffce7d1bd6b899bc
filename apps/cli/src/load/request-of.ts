import { isJsonObject, parseJson, stringifyJson, type JsonObject, type JsonValue } from '@stratalog/model';

/** One write, as the catalog takes it. */
export interface WriteRequest {
  readonly target: '/aspects?action=ingestProposal' | '/entities?action=ingest';
  readonly body: string;
}

/** What one record of a file means. */
export type RecordReading =
  | {
      readonly kind: 'write';
      readonly urn: string;
      /** Of a snapshot, the last part of its record's name. */
      readonly aspectName: string;
      readonly request: WriteRequest;
    }
  | {
      readonly kind: 'refused';
      readonly reason: string;
      /** False when the text is no JSON and can be passed on only as a text. */
      readonly isJson: boolean;
    };

/**
 * Turns a record as connectors write it to files into a request: of a proposal the aspect under `json` becomes its JSON
 * text under `value`, digit by digit; a snapshot, which holds several aspects of one entity, is sent whole. Everything else goes along
 * as it is; whether it is right, the catalog says.
 */
export function requestOf(text: string): RecordReading {
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
  const { proposedSnapshot: snapshot, systemMetadata = null } = record;
  if (snapshot !== undefined && snapshot !== null) {
    const body = stringifyJson({ entity: { value: snapshot }, systemMetadata });
    return { kind: 'write', ...snapshotName(snapshot), request: { target: '/entities?action=ingest', body } };
  }
  const body = stringifyJson({ proposal: { ...record, ...serializedAspect(record) } });
  return {
    kind: 'write',
    urn: textOf(record.entityUrn),
    aspectName: textOf(record.aspectName),
    request: { target: '/aspects?action=ingestProposal', body },
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
function snapshotName(snapshot: JsonValue): { readonly urn: string; readonly aspectName: string } {
  const [name = '', value] = isJsonObject(snapshot) ? (Object.entries(snapshot)[0] ?? []) : [];
  const urn = isJsonObject(value) ? textOf(value.urn) : '';
  return { urn, aspectName: name.slice(name.lastIndexOf('.') + 1) };
}

function textOf(value: JsonValue | undefined): string {
  return typeof value === 'string' ? value : '';
}
