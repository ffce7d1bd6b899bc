import { isJsonObject, stringifyJson, type JsonObject, type JsonValue } from '@stratalog/json';
import { toCard, type Aspects } from './entity-card';
import { objectOf, toList, toText } from './json-parts';
import { printable } from './printable';
import { cutLine, textTable } from './text-table';
import { formatTime } from './time';

/** A number this large in a member about time is one in milliseconds: after 2001. */
const MIN_TIME_MS = 1_000_000_000_000;
const TIME_MEMBER = /time|millis|date|at$|observed/i;
/** Lists are cut after so many elements. */
const MAX_LISTED = 50;

/** Formats an entity as a person reads it: name, kind and description, then its aspects with times as dates. */
export function formatEntity(urn: string, aspects: Aspects, width?: number): string {
  const card = toCard(urn, aspects);
  const kind = card.platform === '' ? card.type : `${card.type} on ${card.platform}`;
  const head = [
    card.name,
    kind,
    urn,
    ...(card.description === '' ? [] : ['', ...card.description.trim().split('\n')]),
  ];
  const texts = Object.entries(aspects)
    // The urn says what the key says.
    .filter(([name]) => !name.endsWith('Key'))
    .map(([name, { value }]) => formatAspect(name, value, width));
  return [...head.map(printable), ''].join('\n') + texts.map((text) => `\n${text}`).join('');
}

function formatAspect(name: string, value: JsonObject, width: number | undefined): string {
  const { fields, ...rest } = value;
  const columns = toList(fields).map(objectOf);
  const isSchema = columns.length > 0 && columns.every(({ fieldPath }) => typeof fieldPath === 'string');
  const lines = describeMembers(isSchema ? rest : value, 1).map((line) => `${cutLine(line, width)}\n`);
  return `${printable(name)}\n${lines.join('')}${isSchema ? columnTable(columns, width) : ''}`;
}

function columnTable(columns: readonly JsonObject[], width: number | undefined): string {
  const rows = columns.map(({ fieldPath, nativeDataType, description }) => [
    `  ${toText(fieldPath)}`,
    toText(nativeDataType),
    toText(description),
  ]);
  return textTable([['  column', 'type', 'description'], ...rows], width);
}

function describeMembers(value: JsonObject, level: number): readonly string[] {
  return Object.entries(value)
    .filter(([, member]) => !isEmpty(member))
    .flatMap(([name, member]) =>
      describe(`${'  '.repeat(level)}${printable(name)}:`, member, { name, level }),
    );
}

function describe(
  label: string,
  value: JsonValue,
  { name, level }: { readonly name: string; readonly level: number },
): readonly string[] {
  if (Array.isArray(value)) {
    const listed = value.slice(0, MAX_LISTED);
    const more = value.length - listed.length;
    return [
      label,
      ...listed.flatMap((element) =>
        describe(`${'  '.repeat(level + 1)}-`, element, { name, level: level + 1 }),
      ),
      ...(more > 0 ? [`${'  '.repeat(level + 1)}… and ${String(more)} more`] : []),
    ];
  }
  if (!isJsonObject(value)) return [`${label} ${formatScalar(name, value)}`];
  // A union of one member, and a string in a map, need no line of their own.
  return [label, ...describeMembers(value, level + 1)];
}

function formatScalar(name: string, value: JsonValue): string {
  const isTime = typeof value === 'number' && value >= MIN_TIME_MS && TIME_MEMBER.test(name);
  if (isTime) return formatTime(value);
  return printable(typeof value === 'string' ? value : stringifyJson(value));
}

/** Nothing that a person would miss: also the stamp that connectors send for want of one. */
function isEmpty(value: JsonValue): boolean {
  if (value === null || value === '') return true;
  if (Array.isArray(value)) return value.length === 0;
  if (!isJsonObject(value)) return false;
  return Object.keys(value).length === 0 || (value.time === 0 && typeof value.actor === 'string');
}
