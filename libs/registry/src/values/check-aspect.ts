import { allSteps, parseJson, type JsonValue, type ParsedJson, type Steps } from '@stratalog/model';
import type { AspectType, EntityRegistry } from '../model/entity-registry';
import { CheckRun, checkInSteps, type Fault } from '../check/check-run';
import { findRetentionFaults } from '../check/retention-faults';

export type AspectCheck = CanonicalAspect | { readonly faults: readonly Fault[] };

/** A valid value in the form in which values are stored and compared. */
export interface CanonicalAspect {
  readonly text: string;
  readonly value: JsonValue;
  /** Whether members were dropped that the schema does not know. */
  readonly hasUnknown: boolean;
}

/**
 * Checks an aspect's value by its schema and makes it canonical.
 *
 * **Shape**: unknown members are dropped; null on an optional or defaulted field counts as absent; no default is filled in; the
 * member of a union stands under its full name; the members of every object are sorted by code units. Two values that
 * mean the same have equal texts.
 *
 * **Errors**: none are thrown; the first five faults are the answer, each with its path.
 */
export function checkAspect(registry: EntityRegistry, aspect: AspectType, value: JsonValue): AspectCheck {
  return allSteps(checkAspectInSteps(registry, aspect, { value, large: NONE }));
}

const NONE: ReadonlySet<JsonValue> = new Set();

/** The same of a value that may be large. */
export function* checkAspectInSteps(
  registry: EntityRegistry,
  aspect: AspectType,
  { value, large }: ParsedJson,
): Steps<AspectCheck> {
  const run = new CheckRun(large);
  const text = yield* checkInSteps(registry.compileCheck(aspect.record), value, run);
  if (run.faults.length > 0) return { faults: run.faults };
  const checked = new Canonical(text, run.hasUnknown);
  const faults = aspect.name === 'dataHubRetentionConfig' ? findRetentionFaults(checked.value) : [];
  return faults.length > 0 ? { faults } : checked;
}

/** Many callers need the text only, so the value is made from it when it is first asked for. */
class Canonical implements CanonicalAspect {
  private parsed: JsonValue | undefined;

  constructor(
    readonly text: string,
    readonly hasUnknown: boolean,
  ) {}

  get value(): JsonValue {
    return (this.parsed ??= parseJson(this.text));
  }
}
