import { didYouMean } from '@stratalog/domain';
import type { JsonObject, JsonValue } from '@stratalog/json';
import {
  COUNT_BOUNDS,
  OPERATORS,
  findOperator,
  type Compared,
  type GivenOperands,
  type Operator,
} from '../operators/operators';
import { readDuration } from '../operators/operand';
import { kindAt, type Position } from '../paths/position';
import type { PropertyPath } from '../paths/property-path';
import type { FaultPlace } from '../fault-place';
import { show } from '../show';
import { MAX_OPERANDS, MAX_RANGE_DAYS } from '../limits';
import type { Compilation } from './compile-predicate';
import { findMember, readObject, rejectUnknown } from './members';
import { AGGREGATES, type Aggregate, type Predicate } from './metadata-test';
import { readPath } from './read-path';

const PROPERTY = ['property', 'query'] as const;
const OPERATOR = ['operator', 'operation'] as const;
const VALUES = ['value', 'values'] as const;
const OPERANDS = [...VALUES, ...COUNT_BOUNDS] as const;
const PARAMS = 'params';

/** The members of a comparison. Operands stand in it, or together in `params`. */
export const COMPARISON_MEMBERS = [
  ...PROPERTY,
  ...OPERATOR,
  ...OPERANDS,
  PARAMS,
  'aggregate',
  'within',
] as const;

/** The operator that takes bounds. */
const COUNT = 'count';
const DAY_MS = 86_400_000;

interface Standing {
  readonly start: Position;
  readonly place: FaultPlace;
}

/** Compiles the comparison of a property with values. */
export function compileComparison(
  { registry, patterns }: Pick<Compilation, 'registry' | 'patterns'>,
  sent: JsonObject,
  { start, place }: Standing,
): Predicate | undefined {
  const property = findMember(sent, PROPERTY, place) ?? 'property';
  const resolved = readPath(registry, sent[property], { start, place: place.at(property) });
  const operator = readOperator(sent, place);
  const given = readOperands(sent, place);
  if (resolved === undefined || operator === undefined || given === undefined) return undefined;
  const { path, end } = resolved;
  const range = readRange(sent, path, place);
  const endKind = end.kind === 'entity-type' ? 'text' : kindAt(end);
  if (range.aggregate !== 'latest' && range.aggregate !== 'count' && endKind !== 'number') {
    place.at('aggregate').fault(`needs numbers, and ${show(path.text)} is a ${endKind}`);
    return;
  }
  const compared: Compared = { end, kind: range.aggregate === 'count' ? 'number' : endKind };
  if (!operator.kinds.includes(compared.kind)) {
    given.place.fault(misfit(operator, path, compared.kind));
    return;
  }
  for (const [name, bound] of given.bounds) {
    if (operator.name !== COUNT) bound.place.fault(`is for ${COUNT} only; an operator is named ${name} too`);
  }
  const compare = operator.compile({ ...given, patterns }, compared);
  if (compare === undefined) return undefined;
  return {
    kind: 'comparison',
    rule: place.path,
    path,
    ...range,
    operator: operator.name,
    operands: [...given.values, ...given.bounds.values()].map((operand) => operand.sent),
    compare,
  };
}

function misfit({ name }: Operator, { text }: PropertyPath, kind: Compared['kind']): string {
  const fitting = OPERATORS.filter(({ kinds }) => kinds.includes(kind)).map((each) => each.name);
  return `${name} does not fit ${show(text)}, which is a ${kind}; these do: ${fitting.join(', ')}`;
}

function readOperator(sent: JsonObject, place: FaultPlace): Operator | undefined {
  const member = findMember(sent, OPERATOR, place);
  if (member === undefined) {
    place.at('operator').fault('is missing');
    return;
  }
  const name = sent[member];
  if (typeof name !== 'string') {
    place.at(member).fault('is no name of an operator');
    return;
  }
  const names = OPERATORS.flatMap((each) => [each.name, ...each.aliases]);
  const operator = findOperator(name);
  if (operator === undefined) place.at(member).fault(`is unknown: ${show(name)}${didYouMean(name, names)}`);
  return operator;
}

/** Reads the operands: next to the operator, or together in `params`. */
function readOperands(sent: JsonObject, place: FaultPlace): Omit<GivenOperands, 'patterns'> | undefined {
  const operatorPlace = place.at(findMember(sent, OPERATOR, place) ?? 'operator');
  const params = sent[PARAMS] === undefined ? undefined : readObject(sent[PARAMS], place.at(PARAMS));
  if (params !== undefined) rejectUnknown(params, OPERANDS, place.at(PARAMS));
  const sources = [
    { from: sent, at: place },
    ...(params === undefined ? [] : [{ from: params, at: place.at(PARAMS) }]),
  ];
  const values = sources.flatMap(({ from, at }) =>
    VALUES.flatMap((name) => (from[name] === undefined ? [] : listOperands(from[name], at.at(name)))),
  );
  if (values.length > MAX_OPERANDS) {
    operatorPlace.fault(`has ${String(values.length)} values; at most ${String(MAX_OPERANDS)} are taken`);
    return;
  }
  const bounds = new Map(
    sources.flatMap(({ from, at }) =>
      COUNT_BOUNDS.flatMap((name) => {
        const bound = from[name];
        return bound === undefined ? [] : [[name, { sent: bound, place: at.at(name) }] as const];
      }),
    ),
  );
  return { values, bounds, place: operatorPlace };
}

function listOperands(sent: JsonValue, place: FaultPlace): GivenOperands['values'] {
  if (!Array.isArray(sent)) return [{ sent, place }];
  return sent.map((element, index) => ({ sent: element, place: place.at(index) }));
}

/** Reads the range of timeseries values that a comparison is about. */
function readRange(
  sent: JsonObject,
  path: PropertyPath,
  place: FaultPlace,
): { readonly aggregate: Aggregate; readonly withinMs?: number } {
  const aggregate = readAggregate(sent.aggregate, place.at('aggregate'));
  const { within } = sent;
  if (within === undefined) {
    if (aggregate !== 'latest') place.at('within').fault(`is missing: ${aggregate} needs a range such as 7d`);
  } else if (!path.isTimeseries) {
    place.at('within').fault(`is for timeseries aspects, and ${show(path.text)} begins with none`);
  }
  if (within === undefined) return { aggregate };
  const duration = readDuration(within);
  if ('fault' in duration) place.at('within').fault(duration.fault);
  else if (duration.value === 0) place.at('within').fault(`is a range without any time: ${show(within)}`);
  else if (duration.value > MAX_RANGE_DAYS * DAY_MS) {
    place.at('within').fault(`is longer than ${String(MAX_RANGE_DAYS)} days`);
  } else return { aggregate, withinMs: duration.value };
  return { aggregate };
}

function readAggregate(sent: JsonValue | undefined, place: FaultPlace): Aggregate {
  if (sent === undefined) return 'latest';
  const found = AGGREGATES.find((each) => each === sent);
  if (found === undefined) {
    const shown = show(sent);
    place.fault(`is none of ${AGGREGATES.join(', ')}${didYouMean(shown, AGGREGATES)}`);
  }
  return found ?? 'latest';
}
