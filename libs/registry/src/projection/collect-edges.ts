import { MAX_EDGE_URN_LENGTH, parseUrn, type Edge } from '@stratalog/domain';
import { isJsonObject, type JsonValue, type ParsedJson, type Steps } from '@stratalog/json';
import { valueAlong, visitPlace, type Key } from '../annotations/place';
import type { AspectType } from '../model/entity-registry';
import type { EdgeFact, RelationshipPath } from '../annotations/read-relationship-paths';

/** The entity of the aspect, and the defaults for edges without their own time or actor. */
export interface EdgeContext {
  readonly urn: string;
  /** **Units**: epoch milliseconds. */
  readonly timeMs: number;
  readonly actor: string;
}

/**
 * Projects an aspect's value to the edges of its entity: a pure function, so live updates and a rebuild agree.
 *
 * **Order and repeats**: in the order of the model and of the value; of repeated edges only the last remains. A text
 * that is no urn has no edge, and neither has a column that is too long for a graph.
 *
 * **Shape**: `context` supplies the time when it is absent, 0 or no whole number, and the actor when it is absent.
 * Defaults of the model count, although stored values do not contain them.
 *
 * **Source**: `docs/what/edge.md`.
 */
export function* collectEdges(
  aspect: AspectType,
  parsed: ParsedJson,
  context: EdgeContext,
): Steps<readonly Edge[]> {
  const edges = new Map<string, Edge>();
  for (const relationship of aspect.relationships) {
    yield* visitPlace(parsed, relationship.steps, (destination, trail) => {
      if (typeof destination !== 'string' || !canEndEdge(destination)) return;
      const edge = buildEdge(
        destination,
        relationship,
        readFacts(relationship, parsed.value, trail),
        context,
      );
      const key = JSON.stringify([edge.relationship, edge.destination]);
      edges.delete(key);
      edges.set(key, edge);
    });
  }
  return [...edges.values()];
}

/** Returns whether a text is a urn that a graph can hold. */
export function canEndEdge(text: string): boolean {
  return text.length <= MAX_EDGE_URN_LENGTH && 'urn' in parseUrn(text);
}

type Facts = Readonly<Partial<Record<EdgeFact, JsonValue>>>;

function readFacts({ facts }: RelationshipPath, value: JsonValue, trail: readonly Key[]): Facts {
  const values: Partial<Record<EdgeFact, JsonValue>> = {};
  for (const [fact, steps] of Object.entries(facts)) {
    const own = valueAlong(value, steps, trail);
    if (own !== undefined) values[fact as EdgeFact] = own;
  }
  return values;
}

function buildEdge(
  destination: string,
  { name, isLineage, isUpstream }: RelationshipPath,
  facts: Facts,
  context: EdgeContext,
): Edge {
  const createdActor = toText(facts.createdActor) ?? context.actor;
  const createdMs = readTime(facts.createdOn) ?? context.timeMs;
  const via = toText(facts.via);
  const properties = describeProperties(facts.properties);
  return {
    source: context.urn,
    relationship: name,
    destination,
    isLineage,
    isUpstream,
    created: { time: createdMs, actor: createdActor },
    updated: {
      time: readTime(facts.updatedOn) ?? createdMs,
      actor: toText(facts.updatedActor) ?? createdActor,
    },
    ...(properties === undefined ? {} : { properties }),
    ...(via === undefined ? {} : { via }),
  };
}

function readTime(value: JsonValue | undefined): number | undefined {
  return typeof value === 'number' && Number.isSafeInteger(value) && value > 0 ? value : undefined;
}

function toText(value: JsonValue | undefined): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined;
}

/** Keeps text members only, because an edge's properties are compared and filtered as text. */
function describeProperties(value: JsonValue | undefined): Readonly<Record<string, string>> | undefined {
  if (!isJsonObject(value)) return undefined;
  const texts = Object.entries(value).filter(
    (entry): entry is [string, string] => typeof entry[1] === 'string',
  );
  return texts.length === 0 ? undefined : Object.fromEntries(texts);
}
