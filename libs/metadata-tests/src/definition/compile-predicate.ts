import { isJsonObject, type JsonObject, type JsonValue } from '@stratalog/json';
import type { EntityRegistry } from '@stratalog/registry';
import type { Position } from '../paths/position';
import type { PatternBudget } from '../operators/pattern';
import { show } from '../show';
import { compileComparison, COMPARISON_MEMBERS } from './compile-comparison';
import type { FaultPlace } from '../fault-place';
import { MAX_PREDICATES, MAX_PREDICATE_DEPTH } from '../limits';
import { readObject, rejectUnknown } from './members';
import { QUANTIFIERS, type Predicate } from './metadata-test';
import { readPath } from './read-path';

/** The state that the predicates of one definition share. */
export interface Compilation {
  readonly registry: EntityRegistry;
  readonly patterns: PatternBudget;
  /** Number of predicates so far. */
  predicates: number;
}

/** Where a predicate stands. */
interface Standing {
  /** The entity or element that its paths begin at. */
  readonly start: Position;
  readonly place: FaultPlace;
  readonly depth: number;
}

const FORMS = ['and', 'or', 'not', ...QUANTIFIERS, 'property', 'query'] as const;
/** Turns any form around; definitions of other catalogs have it. */
const NEGATE = 'negate';

/**
 * Compiles a predicate: a list (all of it), `and`, `or`, `not`, a quantifier, or a comparison. Notes every fault that it
 * finds; then the result is not to be used.
 */
export function compilePredicate(
  compilation: Compilation,
  sent: JsonValue | undefined,
  at: Standing,
): Predicate | undefined {
  const { place, depth } = at;
  if (++compilation.predicates > MAX_PREDICATES) {
    if (compilation.predicates === MAX_PREDICATES + 1) {
      place.fault(`is one of more than ${String(MAX_PREDICATES)} predicates`);
    }
    return;
  }
  if (depth > MAX_PREDICATE_DEPTH) {
    place.fault(`is nested deeper than ${String(MAX_PREDICATE_DEPTH)} levels`);
    return;
  }
  if (Array.isArray(sent)) return compileAll(compilation, sent, { ...at, kind: 'and', rule: place.path });
  const object = readObject(sent, place);
  if (object === undefined) return undefined;
  const predicate = compileForm(compilation, object, at);
  return readNegate(object, place) && predicate !== undefined ? negate(predicate, place) : predicate;
}

/** Turns a predicate around. Two negations are none. */
function negate(predicate: Predicate, { path }: FaultPlace): Predicate {
  return predicate.kind === 'not' ? predicate.predicate : { kind: 'not', rule: path, predicate };
}

function readNegate(sent: JsonObject, place: FaultPlace): boolean {
  const isNegated = sent[NEGATE] ?? false;
  if (typeof isNegated !== 'boolean') place.at(NEGATE).fault(`is neither true nor false: ${show(isNegated)}`);
  return isNegated === true;
}

function compileForm(compilation: Compilation, sent: JsonObject, at: Standing): Predicate | undefined {
  const { place } = at;
  const forms = FORMS.filter((form) => Object.hasOwn(sent, form));
  const [form] = forms;
  if (form === undefined) {
    rejectUnknown(sent, [...FORMS, ...COMPARISON_MEMBERS, NEGATE], place);
    place.fault(`needs one of ${FORMS.filter((name) => name !== 'query').join(', ')}`);
    return;
  }
  if (forms.length > 1) {
    place.fault(`has ${forms.join(' and ')}; one of them is a predicate of its own`);
    return;
  }
  switch (form) {
    case 'and':
    case 'or':
      rejectUnknown(sent, [form, NEGATE], place);
      return compileAll(compilation, sent[form], {
        ...at,
        place: place.at(form),
        kind: form,
        rule: place.path,
      });
    case 'not': {
      rejectUnknown(sent, [form, NEGATE], place);
      const inner = { ...at, place: place.at(form), depth: at.depth + 1 };
      const predicate = compilePredicate(compilation, sent.not, inner);
      return predicate === undefined ? undefined : negate(predicate, place);
    }
    case 'every':
    case 'some':
    case 'none':
      return compileQuantifier(compilation, sent, { ...at, quantifier: form });
    case 'property':
    case 'query': {
      rejectUnknown(sent, [...COMPARISON_MEMBERS, NEGATE], place);
      return compileComparison(compilation, sent, at);
    }
    default:
      return form satisfies never;
  }
}

function compileAll(
  compilation: Compilation,
  sent: JsonValue | undefined,
  { kind, rule, ...at }: Standing & { readonly kind: 'and' | 'or'; readonly rule: string },
): Predicate | undefined {
  // One predicate alone is a list of one.
  const elements = isJsonObject(sent) ? [sent] : sent;
  if (!Array.isArray(elements)) {
    at.place.fault('is no list of predicates');
    return;
  }
  const predicates = elements.flatMap((element, index) => {
    const place = elements === sent ? at.place.at(index) : at.place;
    return compilePredicate(compilation, element, { ...at, place, depth: at.depth + 1 }) ?? [];
  });
  return { kind, rule, predicates };
}

function compileQuantifier(
  compilation: Compilation,
  sent: JsonObject,
  { quantifier, ...at }: Standing & { readonly quantifier: (typeof QUANTIFIERS)[number] },
): Predicate | undefined {
  const { place } = at;
  rejectUnknown(sent, [quantifier, 'where', 'rules', NEGATE], place);
  const resolved = readPath(compilation.registry, sent[quantifier], { ...at, place: place.at(quantifier) });
  if (resolved === undefined) return undefined;
  const { path, end } = resolved;
  if (end.kind === 'entity-type') {
    place.at(quantifier).fault('leads to no list of elements');
    return;
  }
  const inner = (member: string): Standing => ({ start: end, place: place.at(member), depth: at.depth + 1 });
  const where =
    sent.where === undefined ? undefined : compilePredicate(compilation, sent.where, inner('where'));
  const rules = compilePredicate(compilation, sent.rules, inner('rules'));
  if (rules === undefined) return undefined;
  return {
    kind: 'quantifier',
    rule: place.path,
    quantifier,
    path,
    ...(where === undefined ? {} : { where }),
    rules,
  };
}
