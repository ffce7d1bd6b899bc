import type { JsonObject, JsonValue } from '@stratalog/model';
import { numberOf, objectOf, toList, toText } from './json-parts';
import { textTable } from './text-table';
import { formatTime } from './time';

const SIGNS: Readonly<Record<string, string>> = { added: '+', removed: '-' };

/** Formats the answer of a comparison: a section for each kind of change that occurs; empty when there is none. */
export function formatLineageDiff(body: JsonObject): string {
  const sections = [
    formatSection('entities', body.entities, entityRow),
    formatSection('edges', body.edges, edgeRow),
    formatSection('columns', body.columns, entityRow),
    formatSection('edges between columns', body.columnEdges, edgeRow),
  ];
  return sections.filter((text) => text !== '').join('\n');
}

function formatSection(
  name: string,
  list: JsonValue | undefined,
  toRow: (change: JsonObject) => readonly string[],
): string {
  const { added, removed, changes } = objectOf(list);
  const rows = toList(changes).map(objectOf);
  const more = numberOf(added) + numberOf(removed) - rows.length;
  if (rows.length === 0 && more <= 0) return '';
  const table = textTable([
    ...rows.map((row) => [SIGNS[toText(row.change)] ?? '?', ...toRow(row)]),
    ...(more > 0 ? [['…', `and ${String(more)} more`]] : []),
  ]);
  return `${name}: ${String(numberOf(added))} added, ${String(numberOf(removed))} removed\n${table}`;
}

function entityRow({ entity, direction, degree }: JsonObject): readonly string[] {
  const hops = numberOf(degree);
  return [toText(entity), toText(direction).toLowerCase(), `${String(hops)} ${hops === 1 ? 'hop' : 'hops'}`];
}

function edgeRow({ upstream, downstream, type, changedBy }: JsonObject): readonly string[] {
  const { time, actor, aspectName, version } = objectOf(changedBy);
  const by = [toText(aspectName), `version ${String(numberOf(version))}`, formatTime(time), toText(actor)];
  return [
    `${toText(upstream)} -> ${toText(downstream)}`,
    toText(type),
    changedBy === undefined ? '' : by.join(' '),
  ];
}
