import { isJsonObject, type JsonValue } from '@stratalog/json';
import { MAX_VALUES } from '../limits';
import type { AspectPlace, PathSegment, PropertyPath, ValueStep } from '../paths/property-path';
import type { EvaluationContext } from './evaluation-context';

/** Steps of a reference: its urn is parsed. A value is one. */
const REFERENCE_STEPS = 10;

/**
 * Follows a path to its values. Lists count as their elements and null as absent; an entity that is named twice is followed
 * once.
 *
 * The values are incomplete while {@link EvaluationContext.missing} has entries, and meaningless after an error.
 */
export function walkPath(
  context: EvaluationContext,
  { segments }: PropertyPath,
  start: JsonValue,
  withinMs?: number,
): readonly JsonValue[] {
  let values: readonly JsonValue[] = [start];
  for (const segment of segments) {
    const found = new CollectedValues(context);
    walkSegment({ context, found, withinMs }, segment, values);
    if (found.isOver) return [];
    values = segment.kind === 'relationship' ? distinctUrns(found.list) : found.list;
  }
  return values;
}

/** The values that a segment leads to. It is over at too many of them, and when the evaluation is. */
class CollectedValues {
  readonly list: JsonValue[] = [];
  private isFull = false;

  constructor(private readonly context: EvaluationContext) {}

  get isOver(): boolean {
    return this.isFull || this.context.isOver;
  }

  add(value: JsonValue): void {
    if (this.list.length < MAX_VALUES) {
      this.list.push(value);
      return;
    }
    this.isFull = true;
    this.context.error ??= `a path leads to more than ${String(MAX_VALUES)} values`;
  }

  /** Follows steps within the value of an aspect. */
  follow(value: JsonValue | undefined, steps: readonly ValueStep[], index = 0): void {
    if (this.isOver || !this.context.steps.take(1) || value === undefined || value === null) return;
    if (Array.isArray(value)) {
      // A step over each element follows them all, as any other step does.
      const next = steps[index]?.kind === 'each' ? index + 1 : index;
      for (const element of value) this.follow(element, steps, next);
      return;
    }
    const step = steps[index];
    if (step === undefined) {
      this.add(value);
    } else if (isJsonObject(value)) {
      if (step.kind === 'member') {
        if (Object.hasOwn(value, step.name)) this.follow(value[step.name], steps, index + 1);
      } else {
        for (const [key, inner] of Object.entries(value)) {
          this.follow(step.kind === 'keys' ? key : inner, steps, index + 1);
        }
      }
    }
  }
}

interface SegmentWalk {
  readonly context: EvaluationContext;
  readonly found: CollectedValues;
  readonly withinMs: number | undefined;
}

function walkSegment(walk: SegmentWalk, segment: PathSegment, values: readonly JsonValue[]): void {
  const { context, found } = walk;
  if (segment.kind === 'steps') {
    for (const value of values) found.follow(value, segment.steps);
    return;
  }
  for (const urn of distinctUrns(values)) {
    if (!context.steps.take(REFERENCE_STEPS)) return;
    if (segment.kind === 'entity-type') {
      const type = context.facts.findType(urn);
      if (type !== undefined) found.add(type.name);
    } else {
      for (const place of segment.places) readPlace(walk, urn, place);
    }
  }
}

function readPlace(
  { context, found, withinMs }: SegmentWalk,
  urn: string,
  { aspectName, aspectKind, steps }: AspectPlace,
): void {
  // Nothing is read of an entity of a type that never has the aspect.
  if (found.isOver || context.facts.findType(urn)?.aspects.has(aspectName) !== true) return;
  const range = aspectKind === 'timeseries' && withinMs !== undefined ? { withinMs } : {};
  const read = context.readFact({ urn, aspectName, aspectKind, ...range });
  for (const value of read) found.follow(value, steps);
}

function distinctUrns(values: readonly JsonValue[]): readonly string[] {
  return [...new Set(values)].filter((value) => typeof value === 'string');
}
