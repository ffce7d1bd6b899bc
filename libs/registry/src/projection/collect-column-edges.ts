import { parseUrn, type Edge } from '@stratalog/domain';
import { isJsonObject, type JsonObject, type JsonValue, type ParsedJson, type Steps } from '@stratalog/json';
import type { AspectType } from '../model/entity-registry';
import { canEndEdge, type EdgeContext } from './collect-edges';

/** Relationship of all edges between columns: from the column downstream to the one upstream. */
export const DOWNSTREAM_OF = 'DownstreamOf';
/** Entity type of columns, and of the jobs whose links name the job as `via`. */
const COLUMN = 'schemaField';
const JOB = 'dataJob';
/**
 * Most edges between columns per aspect. An element links each of its columns with each other, so a short list of long
 * elements could have billions.
 */
const MAX_COLUMN_EDGES = 100_000;
/** Elements and links that one step reads. */
const READ_A_STEP = 64;

/**
 * Projects the lists of an aspect that link columns to lineage edges between them.
 *
 * **Order and repeats**: of repeated edges only the last remains. An element without an upstream or without a column
 * downstream has no edge, and neither has a text that is no urn or too long for a graph. The first 100,000 edges remain of a longer list.
 *
 * **Shape**: `via` is the query of the element; in an aspect of a data job it is the job. The properties hold
 * `transformOperation` and `confidenceScore` as texts.
 *
 * **Source**: `docs/what/edge.md`; `docs/wire-decisions.md`, Relationships.
 */
export function* collectColumnEdges(
  { columnLinks }: Pick<AspectType, 'columnLinks'>,
  { value }: ParsedJson,
  context: EdgeContext,
): Steps<readonly Edge[]> {
  const edges = new Map<number, Edge>();
  const keyOf = pairKeys();
  for (const { kind, field } of columnLinks) {
    const list = isJsonObject(value) ? value[field] : undefined;
    if (!Array.isArray(list)) continue;
    let read = 0;
    for (const element of list) {
      for (const edge of isJsonObject(element) ? LINKS[kind](element, context) : []) {
        if (read++ % READ_A_STEP === 0) yield;
        const key = keyOf(edge);
        if (edges.size >= MAX_COLUMN_EDGES && !edges.has(key)) return [...edges.values()];
        edges.delete(key);
        edges.set(key, edge);
      }
      if (read++ % READ_A_STEP === 0) yield;
    }
  }
  return [...edges.values()];
}

/**
 * Numbers the pairs of urns: a text of both would hold the path of a column as often as it has edges.
 */
function pairKeys(): (edge: Edge) => number {
  const numbers = new Map<string, number>();
  const numberOf = (urn: string): number => {
    const known = numbers.get(urn) ?? numbers.size;
    numbers.set(urn, known);
    return known;
  };
  // An aspect of the largest body names fewer urns than this.
  return ({ source, destination }) => numberOf(source) * 2 ** 26 + numberOf(destination);
}

function* pairEdges(element: JsonObject, context: EdgeContext): Iterable<Edge> {
  const { transformOperation, confidenceScore, query } = element;
  const isJob = readEntityType(context.urn) === JOB;
  const via = isJob ? context.urn : query;
  const facts = {
    properties: {
      ...toText('transformOperation', transformOperation),
      ...toText('confidenceScore', confidenceScore),
    },
    ...(typeof via === 'string' && via !== '' ? { via } : {}),
  };
  const upstreams = readUrns(element.upstreams);
  for (const downstream of readUrns(element.downstreams)) {
    if (readEntityType(downstream) !== COLUMN || downstream === context.urn) continue;
    for (const upstream of upstreams) yield toEdge(downstream, upstream, context, facts);
  }
}

function* inputEdges(element: JsonObject, context: EdgeContext): Iterable<Edge> {
  const { schemaField, schemaFieldUrn } = element;
  const fieldPath = isJsonObject(schemaField) ? schemaField.fieldPath : undefined;
  const [upstream] = readUrns([schemaFieldUrn ?? null]);
  if (typeof fieldPath !== 'string' || fieldPath === '' || upstream === undefined) return;
  const column = columnUrn(context.urn, fieldPath);
  if (canEndEdge(column)) yield toEdge(column, upstream, context, {});
}

const LINKS = { pairs: pairEdges, inputs: inputEdges } as const;

/** Builds the urn of a column; the characters that divide a urn are percent-encoded, as producers do it. */
export function columnUrn(urn: string, fieldPath: string): string {
  const namespace = urn.split(':', 2)[1] ?? '';
  const escaped = fieldPath.replace(/[(),]/g, (character) => ESCAPES[character] ?? character);
  return `urn:${namespace}:${COLUMN}:(${urn},${escaped})`;
}
const ESCAPES: Readonly<Record<string, string>> = { '(': '%28', ')': '%29', ',': '%2C' };

function toEdge(
  source: string,
  destination: string,
  { timeMs: time, actor }: EdgeContext,
  { properties = {}, via }: Pick<Edge, 'properties' | 'via'>,
): Edge {
  return {
    source,
    relationship: DOWNSTREAM_OF,
    destination,
    isLineage: true,
    isUpstream: true,
    created: { time, actor },
    updated: { time, actor },
    ...(Object.keys(properties).length === 0 ? {} : { properties }),
    ...(via === undefined ? {} : { via }),
  };
}

function readUrns(value: JsonValue | undefined): readonly string[] {
  if (!Array.isArray(value)) return [];
  return value.filter((each): each is string => typeof each === 'string' && canEndEdge(each));
}

function readEntityType(urn: string): string | undefined {
  const parsed = parseUrn(urn);
  return 'urn' in parsed ? parsed.urn.entityType : undefined;
}

function toText(name: string, value: JsonValue | undefined): Readonly<Record<string, string>> {
  if (typeof value === 'number') return { [name]: String(value) };
  return typeof value === 'string' && value !== '' ? { [name]: value } : {};
}
