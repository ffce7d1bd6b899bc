/** A text that costs more than its length shows, and the words of its rejection; without words it is answered. */
export interface HostileText {
  readonly title: string;
  readonly text: string;
  readonly variables?: Readonly<Record<string, unknown>>;
  readonly fault?: RegExp;
}

const repeat = (count: number, make: (at: number) => string, between = ' '): string =>
  Array.from({ length: count }, (_each, at) => make(at)).join(between);

/** A search whose hits have `inner`. */
const searched = (inner: string, more = ''): string =>
  `{searchAcrossEntities(input: {query: "*", count: 50${more}}) {searchResults {entity {${inner}}}}}`;

const deep = (levels: number, field: string, leaf: string): string =>
  `${repeat(levels, () => `... on Dataset {${field} {`, '')}${leaf}${'}}'.repeat(levels)}`;

const SIZES = [1, 3, 10, 30, 60, 100] as const;

/** Two hundred texts: deep, wide, aliased, with fragments in circles, repeated, and with large values. */
export function hostileTexts(): readonly HostileText[] {
  return [...nested(), ...wide(), ...aliased(), ...fragments(), ...values(), ...broken()];
}

function nested(): readonly HostileText[] {
  return SIZES.flatMap((size) => [
    {
      title: `${String(size * 100)} braces`,
      text: '{'.repeat(size * 100),
      fault: /levels|Syntax/,
    },
    {
      title: `${String(size * 100)} lists in a value`,
      text: `{entities(urns: ${'['.repeat(size * 100)}${']'.repeat(size * 100)}) {urn}}`,
      fault: /levels|String/,
    },
    {
      title: `${String(size * 60)} fields inside each other`,
      text: `${'{a'.repeat(size * 60)}${'}'.repeat(size * 60)}`,
      fault: /levels|serves no/,
    },
    {
      title: `${String(size * 40)} inline fragments inside each other`,
      text: `{${'... on Query {'.repeat(size * 40)}__typename${'}'.repeat(size * 40)}}`,
      ...(size * 40 > 98 ? { fault: /levels/ } : {}),
    },
    {
      title: `introspection ${String(size * 10)} levels deep`,
      text: `{__schema {types {fields {type ${'{ofType '.repeat(size * 10)}{name}${'}'.repeat(size * 10)}}}}}`,
      ...(size * 10 > 90 ? { fault: /levels/ } : {}),
    },
    {
      title: `containers of containers, ${String(size)} levels`,
      text: searched(deep(size, 'container', 'urn')),
      ...(size > 1 ? { fault: /levels|spread|serves no/ } : {}),
    },
  ]);
}

function wide(): readonly HostileText[] {
  return SIZES.flatMap((size) => [
    {
      title: `${String(size * 10)} searches`,
      text: `{${repeat(size * 10, (at) => `s${String(at)}: searchAcrossEntities(input: {query: "*", count: 10}) {total}`)}}`,
      ...(size > 1
        ? { fault: /fields of its operation|aliases|names in one object|selections|words and signs/ }
        : {}),
    },
    {
      title: `${String(size * 10)} unknown fields`,
      text: `{${repeat(size * 10, (at) => `nothing${String(at)}`)}}`,
      fault: /serves no|fields of its operation|names in one object/,
    },
    {
      title: `${String(size * 20)} operations`,
      text: repeat(size * 20, (at) => `query q${String(at)} {__typename}`),
      fault: /operations and fragments|operation name/,
    },
    {
      title: `${String(size * 20)} variables`,
      text: `query (${repeat(size * 20, (at) => `$v${String(at)}: String`)}) {__typename}`,
      fault: /is never used/,
    },
    {
      title: `${String(size * 300)} words`,
      text: `{${repeat(size * 300, () => 'urn')}}`,
      fault: /selections|words and signs|serves no/,
    },
  ]);
}

function aliased(): readonly HostileText[] {
  return SIZES.flatMap((size) => [
    {
      title: `${String(size * 20)} names for one field of each hit`,
      text: searched(repeat(size * 20, (at) => `u${String(at)}: urn`)),
      ...(size > 3 ? { fault: /aliases|names in one object/ } : {}),
    },
    {
      title: `${String(size * 20)} times the same name`,
      text: searched(repeat(size * 20, () => 'urn')),
      ...(size * 20 > 50 ? { fault: /selections of urn/ } : {}),
    },
    {
      title: `${String(size * 20)} names for schemas of each hit`,
      text: searched(
        `... on Dataset {${repeat(size * 20, (at) => `s${String(at)}: schemaMetadata(version: 0) {fields {fieldPath nativeDataType}}`)}}`,
        ', types: [DATASET]',
      ),
      ...(size > 3 ? { fault: /aliases|names in one object|words and signs/ } : {}),
    },
    {
      title: `${String(size * 20)} versions of schemas of each hit`,
      text: searched(
        `... on Dataset {${repeat(size * 20, (at) => `s${String(at)}: schemaMetadata(version: ${String(at + 1)}) {fields {fieldPath}}`)}}`,
        ', types: [DATASET]',
      ),
      ...(size > 3
        ? { fault: /STRATALOG_GRAPHQL_MAX_READS|aliases|names in one object|words and signs/ }
        : {}),
    },
    {
      title: `${String(size * 20)} conflicts of one name`,
      text: searched(
        `... on Dataset {${repeat(size * 20, (at) => `s: schemaMetadata(version: ${String(at)}) {fields {fieldPath}}`)}}`,
      ),
      fault: /conflict|selections of s|words and signs/,
    },
    {
      title: `${String(size * 20)} owners of owners`,
      text: searched(
        `... on Dataset {${repeat(size * 20, (at) => `o${String(at)}: ownership {owners {owner {... on CorpUser {username}}}}`)}}`,
        ', types: [DATASET]',
      ),
      ...(size > 3 ? { fault: /aliases|names in one object|words and signs/ } : {}),
    },
  ]);
}

function fragments(): readonly HostileText[] {
  return SIZES.flatMap((size) => [
    {
      title: `a circle of ${String(size)} fragments`,
      text: `{...f0} ${repeat(size, (at) => `fragment f${String(at)} on Query {__typename ...f${String((at + 1) % size)}}`)}`,
      fault: /itself|fields of its operation/,
    },
    {
      title: `${String(size)} fragments of two of the next`,
      text: `{...f0} ${repeat(size, (at) => `fragment f${String(at)} on Query {a: __schema {...t${String(at)}} b: __schema {...t${String(at)}}}`)}
        ${repeat(size, (at) => `fragment t${String(at)} on __Schema {queryType {name}}`)}`,
      ...(size > 1 ? { fault: /never used|operations and fragments|aliases/ } : {}),
    },
    {
      title: `fields that double ${String(size)} times`,
      text: `{__schema {queryType {...f0}}} ${repeat(size, (at) => `fragment f${String(at)} on __Type {a: ofType {...f${String(at + 1)}} b: ofType {...f${String(at + 1)}}}`)}
        fragment f${String(size)} on __Type {name}`,
      ...(size > 10 ? { fault: /fields, with those|levels|aliases/ } : {}),
    },
    {
      title: `a fragment ${String(size * 20)} times`,
      text: `{${repeat(size * 20, () => '...f')}} fragment f on Query {__typename}`,
      ...(size * 20 > 50 ? { fault: /selections of \.\.\.f/ } : {}),
    },
    {
      title: `${String(size)} fragments that no one uses`,
      text: `{__typename} ${repeat(size, (at) => `fragment f${String(at)} on Query {__typename}`)}`,
      fault: /is never used/,
    },
    {
      title: `${String(size * 50)} directives`,
      text: `{__typename ${repeat(size * 50, () => '@skip(if: false)')}}`,
      ...(size * 50 > 1 ? { fault: /directive|words and signs/ } : {}),
    },
    {
      title: `${String(size * 50)} unknown directives`,
      text: `{__typename ${repeat(size * 50, (at) => `@d${String(at)}`)}}`,
      fault: /Unknown directive/,
    },
  ]);
}

const FIND = `query ($types: [EntityType!], $filters: [FacetFilterInput!], $orFilters: [AndFilterInput!], $query: String!, $urns: [String!]!) {
  searchAcrossEntities(input: {types: $types, query: $query, filters: $filters, orFilters: $orFilters, count: 1}) {total} entities(urns: $urns) {urn}}`;
const NONE = { query: '*', urns: [] };

function values(): readonly HostileText[] {
  return SIZES.flatMap((size) => [
    {
      title: `${String(size * 100)} criteria`,
      text: FIND,
      variables: {
        ...NONE,
        orFilters: Array.from({ length: size * 100 }, () => ({ and: [{ field: 'name', values: ['a'] }] })),
      },
      ...(size * 100 > 200 ? { fault: /200 criteria/ } : {}),
    },
    {
      title: `${String(size * 200)} filters with each of ${String(size * 800)} lists`,
      text: FIND,
      variables: {
        ...NONE,
        filters: Array.from({ length: size * 200 }, () => ({ field: '' })),
        orFilters: Array.from({ length: size * 800 }, () => ({})),
      },
      fault: /200 criteria/,
    },
    {
      title: `${String(size * 300)} values`,
      text: FIND,
      variables: {
        ...NONE,
        orFilters: [
          {
            and: [{ field: 'origin', values: Array.from({ length: size * 300 }, (_each, at) => String(at)) }],
          },
        ],
      },
      ...(size * 300 > 2_000 ? { fault: /2000 values/ } : {}),
    },
    {
      title: `${String(size * 300)} types that do not exist`,
      text: FIND,
      variables: { ...NONE, types: Array.from({ length: size * 300 }, (_each, at) => `T${String(at)}`) },
      fault: /EntityType/,
    },
    {
      title: `${String(size * 100)} urns`,
      text: FIND,
      variables: {
        ...NONE,
        urns: Array.from({ length: size * 100 }, (_each, at) => `urn:li:tag:t${String(at)}`),
      },
      ...(size * 100 > 1_000 ? { fault: /at most 1000/ } : {}),
    },
    {
      title: `a query of ${String(size * 1_000)} characters`,
      text: FIND,
      variables: { ...NONE, query: 'a '.repeat(size * 500) },
      ...(size * 1_000 > 8_192 ? { fault: /8192 bytes/ } : {}),
    },
    {
      title: `a page of ${String(size * 1_000)}`,
      text: `{scrollAcrossEntities(input: {query: "*", count: ${String(size * 1_000)}}) {searchResults {entity {urn ... on Dataset {tags {tags {tag {properties {name}}}}}}}}}`,
      ...(size > 10 ? { fault: /10000/ } : {}),
    },
    {
      title: `a wrong variable with ${String(size * 1_000)} characters`,
      text: FIND,
      variables: { ...NONE, types: 'x'.repeat(size * 1_000) },
      fault: /EntityType/,
    },
  ]);
}

function broken(): readonly HostileText[] {
  return [
    '',
    ' ',
    '}',
    '{}',
    '{{}}',
    '"',
    '"""',
    '#',
    '{__typename',
    'query',
    'fragment',
    '{a(b: $c)}',
    '{...}',
    '{... on}',
    '{a @}',
    '{entity(urn: "\\uD800")}',
    '\u0001{__typename}',
    'type Query {a: Int}',
    'extend type Query {a: Int}',
    'subscription {a}',
    'mutation {deleteEverything}',
    '{__proto__}',
    '{constructor}',
    '{entity(urn: "urn:li:dataset:(") {urn}}',
    '{__type(name: "__proto__") {nope}}',
  ].map((text) => ({ title: JSON.stringify(text), text, fault: /./ }));
}
