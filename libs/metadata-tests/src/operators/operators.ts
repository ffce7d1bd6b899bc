import type { JsonValue } from '@stratalog/json';
import type { FaultPlace } from '../fault-place';
import type { Position, ValueKind } from '../paths/position';
import { show } from '../show';
import type { StepBudget } from '../step-budget';
import { readDuration, readNumber, readText, readValue, type Operand } from './operand';
import { matchAny, type PatternBudget } from './pattern';

interface ComparisonContext {
  readonly nowMs: number;
  readonly steps: StepBudget;
}

/**
 * A comparison with its operands: a function of the values of a property. It takes its steps; what it returns without enough
 * of them means nothing.
 */
export type Comparison = (values: readonly JsonValue[], context: ComparisonContext) => boolean;

/** The operands of a comparison as they were sent, each with its place. */
export interface GivenOperands {
  readonly values: readonly { readonly sent: JsonValue; readonly place: FaultPlace }[];
  /** Bounds of `count`, by their names. */
  readonly bounds: ReadonlyMap<string, { readonly sent: JsonValue; readonly place: FaultPlace }>;
  /** The place of the operator. */
  readonly place: FaultPlace;
  /** Of the definition. */
  readonly patterns: PatternBudget;
}

/** The property that is compared. */
export interface Compared {
  readonly kind: ValueKind;
  readonly end: Position | { readonly kind: 'entity-type' };
}

export interface Operator {
  readonly name: string;
  /** Other names of the same, which other catalogs use. */
  readonly aliases: readonly string[];
  /** The kinds of values that it can compare. */
  readonly kinds: readonly ValueKind[];
  /** Reports faults of the operands; then the comparison is not to be used. */
  readonly compile: (given: GivenOperands, compared: Compared) => Comparison | undefined;
}

const TEXTS = ['text', 'enum', 'urn'] as const;
const SCALARS = [...TEXTS, 'number', 'boolean'] as const;
const ALL = [...SCALARS, 'bytes', 'record', 'map', 'union'] as const;
const NUMBERS = ['number'] as const;

/** Characters of a plain search that cost as much as one step of a pattern. */
const FAST_CHARACTERS = 16;

/** Bounds of `count`. */
export const COUNT_BOUNDS = ['at_least', 'at_most'] as const;

/**
 * The operators. A property may lead to several values; a comparison holds when it holds for one of them. Without any
 * value it does not hold; `count` and `unique` are about all values together, and may hold for none.
 */
export const OPERATORS: readonly Operator[] = [
  operator(
    'exists',
    [],
    ALL,
    withoutOperands((values) => values.some(hasContent)),
  ),
  operator('equals', ['any_equals', 'equal', 'is'], SCALARS, equalsAny),
  operator('contains_any', ['in'], SCALARS, equalsAny),
  operator('contains', [], TEXTS, (given, compared) =>
    compared.kind === 'text' ? containsText(given) : equalsAny(given, compared),
  ),
  operator('contains_str', [], TEXTS, containsText),
  operator(
    'starts_with',
    [],
    TEXTS,
    comparesText((text, operand) => text.startsWith(operand)),
  ),
  operator(
    'ends_with',
    [],
    TEXTS,
    comparesText((text, operand) => text.endsWith(operand)),
  ),
  operator('matches', ['regex_match'], TEXTS, matchesPattern),
  operator(
    'greater_than',
    [],
    NUMBERS,
    comparesNumber((value, operand) => value > operand),
  ),
  operator(
    'greater_than_or_equal',
    ['at_least'],
    NUMBERS,
    comparesNumber((value, operand) => value >= operand),
  ),
  operator(
    'less_than',
    [],
    NUMBERS,
    comparesNumber((value, operand) => value < operand),
  ),
  operator(
    'less_than_or_equal',
    ['at_most'],
    NUMBERS,
    comparesNumber((value, operand) => value <= operand),
  ),
  operator('between', [], NUMBERS, isBetween),
  operator(
    'older_than',
    [],
    NUMBERS,
    comparesAge((ageMs, operandMs) => ageMs > operandMs),
  ),
  operator(
    'younger_than',
    [],
    NUMBERS,
    comparesAge((ageMs, operandMs) => ageMs <= operandMs),
  ),
  operator(
    'is_true',
    [],
    ['boolean'],
    withoutOperands((values) => values.includes(true)),
  ),
  operator(
    'is_false',
    [],
    ['boolean'],
    withoutOperands((values) => values.includes(false)),
  ),
  operator('count', [], ALL, counts),
  operator(
    'unique',
    [],
    SCALARS,
    withoutOperands((values) => new Set(values).size === values.length),
  ),
];

function operator(
  name: string,
  aliases: readonly string[],
  kinds: readonly ValueKind[],
  compile: Operator['compile'],
): Operator {
  return { name, aliases, kinds, compile };
}

/** Finds an operator by its name or another one, ignoring case. */
export function findOperator(name: string): Operator | undefined {
  const wanted = name.toLowerCase();
  return OPERATORS.find((each) => each.name === wanted || each.aliases.includes(wanted));
}

/** A text without anything but blanks is no content: an empty description describes nothing. */
function hasContent(value: JsonValue): boolean {
  return typeof value !== 'string' || value.trim() !== '';
}

function withoutOperands(holds: (values: readonly JsonValue[]) => boolean): Operator['compile'] {
  return ({ values: [first] }) => {
    first?.place.fault('is not taken by this operator');
    return holds;
  };
}

function equalsAny(given: GivenOperands, { kind, end }: Compared): Comparison | undefined {
  const wanted = readAll(given, (sent) => readValue(sent, kind, end));
  if (wanted === undefined) return undefined;
  const set = new Set<JsonValue>(wanted);
  return (values) => values.some((value) => set.has(value));
}

function containsText(given: GivenOperands): Comparison | undefined {
  return comparesText((text, operand) => text.includes(operand))(given);
}

function comparesText(
  holds: (text: string, operand: string) => boolean,
): (given: GivenOperands) => Comparison | undefined {
  return (given) => {
    const operands = readAll(given, readText);
    if (operands === undefined) return undefined;
    return (values, { steps }) => {
      const texts = textsIn(values);
      const characters = texts.reduce((total, text) => total + text.length, 0);
      return (
        steps.take(operands.length * (texts.length + characters / FAST_CHARACTERS)) &&
        texts.some((text) => operands.some((operand) => holds(text, operand)))
      );
    };
  };
}

function matchesPattern(given: GivenOperands): Comparison | undefined {
  const patterns = readAll(given, (sent) => {
    const text = readText(sent);
    return 'fault' in text ? text : given.patterns.compile(text.value);
  });
  return patterns === undefined
    ? undefined
    : (values, { steps }) => matchAny(patterns, textsIn(values), steps);
}

function comparesNumber(
  holds: (value: number | bigint, operand: number | bigint) => boolean,
): Operator['compile'] {
  return (given) => {
    const operand = readOne(given, readNumber);
    return operand === undefined
      ? undefined
      : (values) => numbersIn(values).some((value) => holds(value, operand));
  };
}

function isBetween(given: GivenOperands): Comparison | undefined {
  const bounds = readAll(given, readNumber);
  if (bounds === undefined) return undefined;
  const [low, high] = bounds;
  if (low === undefined || high === undefined || bounds.length > 2 || low > high) {
    given.place.fault('between needs two values, the lower one first');
    return;
  }
  return (values) => numbersIn(values).some((value) => value >= low && value <= high);
}

function comparesAge(holds: (ageMs: number, operandMs: number) => boolean): Operator['compile'] {
  return (given) => {
    const operandMs = readOne(given, readDuration);
    if (operandMs === undefined) return undefined;
    return (values, { nowMs }) =>
      numbersIn(values).some((timeMs) => holds(nowMs - Number(timeMs), operandMs));
  };
}

function counts({ values, bounds, place }: GivenOperands): Comparison | undefined {
  const exact = values.map(readCount);
  const [low, high] = COUNT_BOUNDS.map((name) => {
    const bound = bounds.get(name);
    return bound === undefined ? undefined : readCount(bound);
  });
  const [only] = exact;
  if (exact.length > 1 || (exact.length === 0 && bounds.size === 0)) {
    place.fault(`count needs one value, or ${COUNT_BOUNDS.join(' and ')}`);
    return;
  }
  const isExact = exact.length === 1;
  return (found) =>
    (!isExact || found.length === only) &&
    (low === undefined || found.length >= low) &&
    (high === undefined || found.length <= high);
}

function readCount({ sent, place }: GivenOperands['values'][number]): number | undefined {
  const number = readNumber(sent);
  if ('value' in number && Number.isSafeInteger(number.value) && number.value >= 0)
    return Number(number.value);
  place.fault(`is no whole number from 0: ${show(sent)}`);
}

function readAll<Value>(
  { values, place }: GivenOperands,
  read: (sent: JsonValue) => Operand<Value> | undefined,
): readonly Value[] | undefined {
  if (values.length === 0) {
    place.fault('needs a value');
    return;
  }
  const operands = values.flatMap(({ sent, place: at }) => {
    const operand = read(sent);
    if (operand !== undefined && 'value' in operand) return [operand.value];
    if (operand !== undefined) at.fault(operand.fault);
    return [];
  });
  return operands.length === values.length ? operands : undefined;
}

function readOne<Value>(given: GivenOperands, read: (sent: JsonValue) => Operand<Value>): Value | undefined {
  const operands = readAll(given, read);
  if (operands === undefined || operands.length === 1) return operands?.[0];
  given.place.fault(`takes one value, not ${String(operands.length)}`);
}

function textsIn(values: readonly JsonValue[]): readonly string[] {
  return values.filter((value) => typeof value === 'string');
}

function numbersIn(values: readonly JsonValue[]): readonly (number | bigint)[] {
  return values.filter((value) => typeof value === 'number' || typeof value === 'bigint');
}
