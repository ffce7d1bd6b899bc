import type { MemberFault } from '@stratalog/domain';
import { allSteps, parseJson, type JsonValue, type ParsedJson, type Steps } from '@stratalog/json';
import type { AspectType, EntityRegistry } from '../model/entity-registry';
import { CheckRun, checkInSteps, type WrongReference } from '../check/check-run';
import { listWrongReferences } from './list-wrong-references';

export type AspectCheck = CanonicalAspect | { readonly faults: readonly MemberFault[] };

/** A valid value in canonical form, in which values are stored and compared. */
interface CanonicalAspect {
  readonly text: string;
  readonly value: JsonValue;
  /** True when the check dropped unknown members. */
  readonly hasUnknown: boolean;
  /** Urns of other entity types than their places are for. A stored value may have them. */
  readonly wrongReferences: readonly WrongReference[];
}

/**
 * Checks an aspect's value by its schema and makes it canonical.
 *
 * **Shape**: unknown members are dropped. A null of an optional or defaulted field counts as absent, and defaults are
 * not filled in. Union members have their full names. Members of objects are sorted by code units. Two values of the
 * same meaning have equal texts.
 *
 * **Errors**: throws none; returns the first five faults of the schema with their paths, or those of the aspect's rule.
 */
export function checkAspect(registry: EntityRegistry, aspect: AspectType, value: JsonValue): AspectCheck {
  return allSteps(checkAspectInSteps(registry, aspect, { value, large: NONE }));
}

const NONE: ReadonlySet<JsonValue> = new Set();

/** Checks a value that may be large, in steps. */
export function* checkAspectInSteps(
  registry: EntityRegistry,
  aspect: AspectType,
  { value, large }: ParsedJson,
): Steps<AspectCheck> {
  const run = new CheckRun(large);
  const text = yield* checkInSteps(registry.compileCheck(aspect.record), value, run);
  if (run.faults.length > 0) return { faults: run.faults };
  const wrong = aspect.isKey ? [] : yield* listWrongReferences(registry, aspect, { value, large });
  const told = new Set(wrong.map(({ path }) => path));
  const checked = new Canonical(text, run.hasUnknown, [
    ...wrong,
    ...run.misspelt.filter(({ path }) => !told.has(path)),
  ]);
  const faults = registry.aspectRule(aspect.name)?.(registry, checked.value) ?? [];
  return faults.length > 0 ? { faults } : checked;
}

/** Parses the value at its first use, because many callers need only the text. */
class Canonical implements CanonicalAspect {
  private parsed: JsonValue | undefined;

  constructor(
    readonly text: string,
    readonly hasUnknown: boolean,
    readonly wrongReferences: readonly WrongReference[],
  ) {}

  get value(): JsonValue {
    return (this.parsed ??= parseJson(this.text));
  }
}
