import { unescapeUrn } from '@stratalog/domain';
import { isJsonObject, parseJson, stringifyJson, type JsonObject, type JsonValue } from '@stratalog/json';

/** One write in a file: a proposal, or a snapshot with several aspects of one entity. */
export interface SourceWrite {
  readonly kind: 'proposal' | 'snapshot';
  /** Empty when the record does not name its entity. */
  readonly urn: string;
  /** Of a snapshot, the last part of its record's name. */
  readonly aspectName: string;
  /** JSON text of the proposal, or of the snapshot. */
  readonly text: string;
  /** JSON text of a snapshot's system metadata; a proposal holds its own. */
  readonly systemMetadata: string;
  /**
   * True when an earlier write of the same entity in the same batch would change the catalog's decision about
   * this one.
   */
  readonly mustComeFirst: boolean;
}

/** The interpretation of one record of a file. */
export type RecordReading =
  | { readonly kind: 'write'; readonly write: SourceWrite }
  | {
      readonly kind: 'rejected';
      readonly reason: string;
      /** False when the text is no JSON and can be passed on only as a text. */
      readonly isJson: boolean;
    };

/** One call in the form that the catalog accepts. */
export interface WriteRequest {
  readonly target: string;
  readonly body: string;
}

/**
 * Reads a record as connectors write it to files. In a proposal, the aspect under `json` becomes its JSON
 * text under `value`, with all digits; a snapshot stays whole. All other members pass unchanged, for the
 * catalog to check.
 */
export function readWrite(text: string): RecordReading {
  let record: JsonValue;
  try {
    record = parseJson(text);
  } catch {
    return {
      kind: 'rejected',
      reason: 'the record is not JSON (a file is one JSON array, or one JSON object a line)',
      isJson: false,
    };
  }
  if (!isJsonObject(record)) {
    return { kind: 'rejected', reason: 'the record is not a JSON object', isJson: true };
  }
  const { proposedSnapshot: snapshot, systemMetadata = null } = record;
  if (snapshot !== undefined && snapshot !== null) {
    return {
      kind: 'write',
      write: {
        kind: 'snapshot',
        ...snapshotName(snapshot),
        text: stringifyJson(snapshot),
        systemMetadata: stringifyJson(systemMetadata),
        // Snapshots of one request are not ordered, and some may be written when the request is rejected, so
        // each urn may occur once.
        mustComeFirst: true,
      },
    };
  }
  return {
    kind: 'write',
    write: {
      kind: 'proposal',
      // Some clients escape characters of urns; two spellings of one urn must count as one entity.
      urn: unescapeUrn(toText(record.entityUrn)),
      aspectName: toText(record.aspectName),
      text: stringifyJson({ ...record, ...serializedAspect(record) }),
      systemMetadata: 'null',
      // In a batch, "the entity does not exist" refers to the state before the batch.
      mustComeFirst: record.changeType === 'CREATE_ENTITY',
    },
  };
}

/**
 * Makes the call that writes these, which are all of one kind. A single one uses the single-write call, whose
 * answer is about it alone.
 */
export function requestFor(writes: readonly [SourceWrite, ...SourceWrite[]]): WriteRequest {
  const [first, ...others] = writes;
  if (others.length === 0) {
    return first.kind === 'proposal'
      ? { target: '/aspects?action=ingestProposal', body: `{"proposal":${first.text}}` }
      : {
          target: '/entities?action=ingest',
          body: `{"entity":{"value":${first.text}},"systemMetadata":${first.systemMetadata}}`,
        };
  }
  if (first.kind === 'proposal') {
    const proposals = writes.map(({ text }) => text).join(',');
    return { target: '/aspects?action=ingestProposalBatch', body: `{"proposals":[${proposals}]}` };
  }
  const entities = writes.map(({ text }) => `{"value":${text}}`).join(',');
  const metadata = writes.map(({ systemMetadata }) => systemMetadata).join(',');
  return {
    target: '/entities?action=batchIngest',
    body: `{"entities":[${entities}],"systemMetadata":[${metadata}]}`,
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
 * Escapes all characters beyond ASCII. The schema declares this text as bytes, so a server may read
 * characters below U+0100 as bytes of UTF-8.
 */
export function asciiJson(value: JsonValue): string {
  return stringifyJson(value).replace(
    /[\u0080-\uffff]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

/** A snapshot is `{<record name>: {urn, aspects}}`. */
function snapshotName(snapshot: JsonValue): { readonly urn: string; readonly aspectName: string } {
  const [name = '', value] = isJsonObject(snapshot) ? (Object.entries(snapshot)[0] ?? []) : [];
  const urn = isJsonObject(value) ? toText(value.urn) : '';
  return { urn, aspectName: name.slice(name.lastIndexOf('.') + 1) };
}

function toText(value: JsonValue | undefined): string {
  return typeof value === 'string' ? value : '';
}
