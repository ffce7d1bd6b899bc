import {
  isJsonObject,
  parseUrn,
  type Edge,
  type JsonValue,
  type ParsedJson,
  type Steps,
} from '@stratalog/model';
import { valueAlong, visitPlace, type Key } from '../annotations/place';
import type { AspectType } from '../model/entity-registry';
import type { EdgeFact, RelationshipPath } from '../annotations/read-relationship-paths';

/** The entity whose aspect is read, and what holds for edges that say nothing of their own. */
export interface EdgeContext {
  readonly urn: string;
  /** **Units**: epoch milliseconds. */
  readonly timeMs: number;
  readonly actor: string;
}

/**
 * The edges that an aspect's value draws from its entity: a pure function, so that live updates and a rebuild come to the same.
 *
 * **Order and repeats**: in the order of the model and of the value; an edge that is drawn twice is there once, as it was last drawn.
 * A text that is no urn draws none.
 *
 * **Shape**: a time of 0, none, or one that is no whole number is that of `context`; an edge without actor of its own has the one of `context`. Defaults of the
 * model count here, although stored values do not hold them.
 *
 * **Source**: operations and search behaviour, section 5.3.
 */
export function* collectEdges(
  aspect: AspectType,
  parsed: ParsedJson,
  context: EdgeContext,
): Steps<readonly Edge[]> {
  const edges = new Map<string, Edge>();
  for (const relationship of aspect.relationships) {
    yield* visitPlace(parsed, relationship.steps, (destination, trail) => {
      if (typeof destination !== 'string' || 'fault' in parseUrn(destination)) return;
      const edge = edgeTo(destination, relationship, factsAt(relationship, parsed.value, trail), context);
      const key = JSON.stringify([edge.relationship, edge.destination]);
      edges.delete(key);
      edges.set(key, edge);
    });
  }
  return [...edges.values()];
}

type Facts = Readonly<Partial<Record<EdgeFact, JsonValue>>>;

function factsAt({ facts }: RelationshipPath, value: JsonValue, trail: readonly Key[]): Facts {
  const found: Partial<Record<EdgeFact, JsonValue>> = {};
  for (const [fact, steps] of Object.entries(facts)) {
    const own = valueAlong(value, steps, trail);
    if (own !== undefined) found[fact as EdgeFact] = own;
  }
  return found;
}

function edgeTo(
  destination: string,
  { name, isLineage, isUpstream }: RelationshipPath,
  facts: Facts,
  context: EdgeContext,
): Edge {
  const createdActor = toText(facts.createdActor) ?? context.actor;
  const createdMs = timeOf(facts.createdOn) ?? context.timeMs;
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
      time: timeOf(facts.updatedOn) ?? createdMs,
      actor: toText(facts.updatedActor) ?? createdActor,
    },
    ...(properties === undefined ? {} : { properties }),
    ...(via === undefined ? {} : { via }),
  };
}

function timeOf(value: JsonValue | undefined): number | undefined {
  return typeof value === 'number' && Number.isSafeInteger(value) && value > 0 ? value : undefined;
}

function toText(value: JsonValue | undefined): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined;
}

/** Texts only: an edge's properties are compared and filtered as texts. */
function describeProperties(value: JsonValue | undefined): Readonly<Record<string, string>> | undefined {
  if (!isJsonObject(value)) return undefined;
  const texts = Object.entries(value).filter(
    (entry): entry is [string, string] => typeof entry[1] === 'string',
  );
  return texts.length === 0 ? undefined : Object.fromEntries(texts);
}
