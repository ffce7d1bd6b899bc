import type { DocumentedRoute, ExampleDocs, ParameterDocs, ValueSchema } from '@stratalog/http';
import { stringifyJson, type JsonOutput, type JsonOutputObject } from '@stratalog/json';
import { toRequest } from './documented-call';
import type { RawRequest } from '../catalog/raw-http';

/** One fault in a call that would succeed without it. */
export interface BadInput {
  /** The fault and its parameter: `missing proposal/entityType`. */
  readonly name: string;
  readonly request: RawRequest;
  /** The rejection contains one of these: the parameter, or the unknown value. */
  readonly mentions: readonly string[];
}

type Path = readonly (string | number)[];

/** Names of parameters that hold urns, in any route. */
const URNS: ReadonlySet<string> = new Set(['urn', 'entityUrn', 'ids']);
const ENTITY_TYPES: ReadonlySet<string> = new Set(['entity', 'entityType', 'entities']);
const ASPECTS: ReadonlySet<string> = new Set(['aspect', 'aspectName']);

const NO_URN = 'nonsense';
const UNKNOWN_TYPE = 'urn:li:nothing:x';
const LONG_URN = `urn:li:tag:${'x'.repeat(600)}`;
/** Longer than any name, and than a target may be. */
const LONG_TEXT = 'x'.repeat(100_000);
const LONG_WORD = 'x'.repeat(3_000);
const TOO_DEEP = `${'['.repeat(300)}${']'.repeat(300)}`;

/** Makes every fault that the documentation of a route allows, one parameter at a time. */
export function makeBadInputs(route: DocumentedRoute, example: ExampleDocs): readonly BadInput[] {
  const { body, parameters, examples } = route.docs;
  return [
    ...parameters.filter(isServed(route)).flatMap((parameter) => {
      const using = examples.find((each) => each.parameters?.[parameter.name] !== undefined);
      return badParameters(route, using ?? example, parameter);
    }),
    ...(body === undefined ? [] : badBodies(route, example, body)),
  ];
}

/** A route with several paths lacks some parameters at some of them. */
function isServed({ path }: DocumentedRoute): (parameter: ParameterDocs) => boolean {
  return ({ in: place, name }) => place !== 'path' || path.split('/').includes(`:${name}`);
}

function badParameters(
  route: DocumentedRoute,
  example: ExampleDocs,
  { in: place, name, schema, isRequired = false, isList = false }: ParameterDocs,
): readonly BadInput[] {
  const given = example.parameters?.[name];
  const without = Object.fromEntries(
    Object.entries(example.parameters ?? {}).filter(([each]) => each !== name),
  );
  const bad = (what: string, request: RawRequest, ...mentions: readonly string[]): BadInput => ({
    name: `${what} ${place} ${name}`,
    request,
    mentions: [name, ...mentions],
  });
  const wrong = (what: string, value: string): BadInput =>
    bad(
      what,
      toRequest(route, { ...example, parameters: { ...without, [name]: value } }),
      ...extractExcerpts(value),
    );
  const wrongValues = [...wrongTexts(name, schema, !isAboutAll(route))].map(([what, value]) =>
    wrong(what, value),
  );
  if (place === 'header') return wrongValues;
  if (place === 'path') return [...wrongValues, wrong('too long', LONG_WORD)];
  const request = toRequest(route, { ...example, parameters: { ...without, [name]: given ?? '1' } });
  const again = `${request.target}&${name}=${encodeURIComponent(given ?? '1')}`;
  return [
    ...wrongValues,
    ...(isRequired
      ? [bad('missing', toRequest(route, { ...example, parameters: without })), wrong('empty', '')]
      : []),
    // One of the notations of a list repeats the parameter.
    ...(isList ? [] : [bad('duplicated', { ...request, target: again })]),
    wrong('too long', LONG_WORD),
  ];
}

/** True when the call names no entity, so that every aspect is permitted. */
function isAboutAll({ docs: { parameters, body } }: DocumentedRoute): boolean {
  const names = [
    ...parameters.map(({ name }) => name),
    ...membersOf(body ?? {}, []).map(({ path }) => path.at(-1)),
  ];
  return !names.some((name) => typeof name === 'string' && URNS.has(name));
}

/** Makes wrong texts for a parameter, by its schema and its meaning. */
function wrongTexts(name: string, schema: ValueSchema, hasEntity: boolean): ReadonlyMap<string, string> {
  const texts = new Map<string, string>();
  if (schema.type === 'integer') {
    for (const text of ['x', '1.5', '1e3', 'true', '99999999999999999999'])
      texts.set(`the type of (${text})`, text);
    if (schema.minimum !== undefined) texts.set('below the minimum of', String(schema.minimum - 1));
    if (schema.maximum !== undefined) texts.set('above the maximum of', String(schema.maximum + 1));
  }
  if (schema.type === 'boolean') texts.set('the type of', 'perhaps');
  if (schema.enum !== undefined) texts.set('no symbol of', 'NOTHING');
  if (name === 'X-Stratalog-Wait-For') texts.set('no position in', 'yesterday');
  for (const [what, text] of misnamed(name, hasEntity)) texts.set(what, text);
  return texts;
}

function misnamed(name: string, hasEntity: boolean): readonly (readonly [what: string, text: string])[] {
  if (URNS.has(name)) {
    return [
      ['no urn in', NO_URN],
      ['an unknown type in', UNKNOWN_TYPE],
      ['too long a urn in', LONG_URN],
      ['half a tuple in', 'urn:li:dataset:(urn:li:dataPlatform:hive,x'],
    ];
  }
  if (ENTITY_TYPES.has(name)) return [['an unknown entity type in', 'nothing']];
  if (ASPECTS.has(name)) {
    const unknown = ['an unknown aspect in', 'noSuchAspect'] as const;
    return hasEntity ? [unknown, ['an aspect of others in', 'chartInfo']] : [unknown];
  }
  return [];
}

function badBodies(route: DocumentedRoute, example: ExampleDocs, schema: ValueSchema): readonly BadInput[] {
  const whole = (example.body ?? {}) as JsonOutput;
  const send = (text: string): RawRequest => ({ ...toRequest(route, example), body: text });
  const bodies = [
    ['no JSON', '{"a":', 'Error parsing entity body'],
    schema.type === 'array'
      ? ['an object', '{}', 'Error parsing entity body: not a JSON list']
      : ['a list', '[]', 'Error parsing entity body: not a JSON object'],
    ['nested too deeply', `{"a":${TOO_DEEP}}`, 'nested deeper than 200 levels'],
    ['poisoned', '{"__proto__":{}}', '__proto__'],
  ].map(([what = '', text = '', says = '']) => ({
    name: `${what} as body`,
    request: send(text),
    mentions: [says],
  }));
  return [
    ...bodies,
    ...membersOf(schema, []).flatMap(({ path, member, isRequired }) => {
      const base = withParents(schema, whole, path);
      const name = path.join('/');
      const last = String(path.findLast((step) => typeof step === 'string') ?? route.listBody);
      const put = (value: JsonOutput | undefined): RawRequest =>
        send(stringifyJson(replaced(base, path, value)));
      const bad = (what: string, request: RawRequest, ...mentions: readonly string[]): BadInput => ({
        name: `${what} ${name}`,
        request,
        mentions: [last, ...mentions],
      });
      const encoded = stringifyJson(replaced(base, path, MARK));
      return [
        ...(isRequired && typeof path.at(-1) === 'string'
          ? [bad('missing', put(undefined)), bad('null for', put(null))]
          : []),
        ...wrongValues(member).map(([what, value]) => bad(`${what} for`, put(value))),
        ...[...wrongTexts(last, { ...member, type: 'string' }, !isAboutAll(route))].map(([what, text]) =>
          bad(what, put(member.type === 'array' ? [text] : text), ...extractExcerpts(text)),
        ),
        ...(member.type === 'string'
          ? [bad('too long', put(LONG_TEXT), ...extractExcerpts(LONG_TEXT), 'Invalid format for aspect')]
          : []),
        ...(member.maxItems === undefined
          ? []
          : [bad('too many', put(Array.from({ length: member.maxItems + 1 }, () => ({}))))]),
        bad('too deep', send(encoded.replace(`"${MARK}"`, TOO_DEEP)), 'nested deeper than 200 levels'),
        ...(typeof path.at(-1) === 'string'
          ? [bad('twice', send(encoded.replace(`"${last}":"${MARK}"`, `"${last}":1,"${last}":2`)))]
          : []),
      ];
    }),
  ];
}

/** Returns the parts of a value that a rejection may show: its beginning, or the name of its entity type. */
function extractExcerpts(value: string): readonly string[] {
  const shown = value.slice(0, 100);
  return value === UNKNOWN_TYPE ? [shown, 'entity with name nothing'] : shown === '' ? [] : [shown];
}

/** Every entity has this field, and filters may name it. */
const ANY_FIELD = 'urn';

/** Makes the smallest value of a schema. */
function leastOf({
  type,
  enum: symbols,
  minimum = 1,
  properties = {},
  required = [],
}: ValueSchema): JsonOutput {
  switch (type) {
    case 'object': {
      // A comparison needs a value, although some conditions do not.
      const names = 'value' in properties ? [...required, 'value'] : required;
      return Object.fromEntries(names.map((name) => [name, leastMember(name, properties[name] ?? {})]));
    }
    case 'array':
      return [];
    case 'boolean':
      return true;
    case 'integer':
    case 'number':
      return minimum;
    default:
      return symbols?.[0] ?? 'x';
  }
}

function leastMember(name: string, schema: ValueSchema): JsonOutput {
  return name === 'field' && schema.enum === undefined ? ANY_FIELD : leastOf(schema);
}

const MARK = '@@@';

interface DocumentedMember {
  readonly path: Path;
  readonly member: ValueSchema;
  readonly isRequired: boolean;
}

/** Lists every member of a body, and every element of its lists, at any depth. */
function membersOf(schema: ValueSchema, path: Path): readonly DocumentedMember[] {
  const inside = Object.entries(schema.properties ?? {}).flatMap(([name, member]) => [
    { path: [...path, name], member, isRequired: schema.required?.includes(name) ?? false },
    ...membersOf(member, [...path, name]),
  ]);
  const { items } = schema;
  if (items === undefined) return inside;
  return [
    ...inside,
    { path: [...path, 0], member: items, isRequired: false },
    ...membersOf(items, [...path, 0]),
  ];
}

/** Makes values of every kind that the schema excludes. */
function wrongValues({
  type,
  minimum,
  maximum,
}: ValueSchema): readonly (readonly [what: string, value: JsonOutput])[] {
  const all: readonly (readonly [kind: string, value: JsonOutput])[] = [
    ['string', 'x'],
    ['integer', 7],
    ['number', 1.5],
    ['boolean', true],
    ['object', {}],
    ['array', []],
  ];
  const others = all.filter(([kind]) => kind !== type).map(([kind, value]) => [`a ${kind}`, value] as const);
  return [
    ...(type === undefined ? [] : others),
    ...(minimum === undefined ? [] : [['less than the minimum', minimum - 1] as const]),
    ...(maximum === undefined ? [] : [['more than the maximum', maximum + 1] as const]),
  ];
}

/** Makes a body that contains all parents of a member. */
function withParents(schema: ValueSchema, value: JsonOutput, path: Path): JsonOutput {
  const [step, ...rest] = path;
  if (step === undefined || rest.length === 0) return value;
  const inner = typeof step === 'number' ? schema.items : schema.properties?.[step];
  const given = (value as JsonOutputObject | null)?.[String(step)] ?? leastOf(inner ?? {});
  return replaced(value, [step], withParents(inner ?? {}, given, rest));
}

/** Copies a value with one member replaced or removed; missing parents are created. */
function replaced(
  value: JsonOutput | undefined,
  [step, ...rest]: Path,
  by: JsonOutput | undefined,
): JsonOutput {
  if (step === undefined) return by ?? null;
  if (typeof step === 'number') {
    const list = Array.isArray(value) ? [...(value as readonly JsonOutput[])] : [];
    list[step] = replaced(list[step], rest, by);
    return list;
  }
  const object = (
    typeof value === 'object' && value !== null && !Array.isArray(value) ? value : {}
  ) as JsonOutputObject;
  return { ...object, [step]: rest.length === 0 ? by : replaced(object[step], rest, by) };
}
