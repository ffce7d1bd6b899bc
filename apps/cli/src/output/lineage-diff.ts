import type { AnswerOf } from '@stratalog/client';
import { textTable } from './text-table';
import { formatTime } from './time';

type Diff = AnswerOf<'GET /lineage/:urn/diff'>;
type EntityChange = Diff['entities']['changes'][number];
type EdgeChange = Diff['edges']['changes'][number];

const SIGNS: Readonly<Record<EntityChange['change'], string>> = { added: '+', removed: '-' };

/** Formats the answer of a comparison: a section for each kind of change that occurs; empty when there is none. */
export function formatLineageDiff({ entities, edges, columns, columnEdges }: Diff): string {
  const sections = [
    formatSection('entities', entities, entityRow),
    formatSection('edges', edges, edgeRow),
    formatSection('columns', columns, entityRow),
    formatSection('edges between columns', columnEdges, edgeRow),
  ];
  return sections.filter((text) => text !== '').join('\n');
}

interface Section<Change> {
  readonly added: number;
  readonly removed: number;
  readonly changes: readonly Change[];
}

function formatSection<Change extends Pick<EntityChange, 'change'>>(
  name: string,
  section: Section<Change> | undefined,
  toRow: (change: Change) => readonly string[],
): string {
  if (section === undefined) return '';
  const { added, removed, changes } = section;
  const more = added + removed - changes.length;
  if (changes.length === 0 && more <= 0) return '';
  const table = textTable([
    ...changes.map((change) => [SIGNS[change.change], ...toRow(change)]),
    ...(more > 0 ? [['…', `and ${String(more)} more`]] : []),
  ]);
  return `${name}: ${String(added)} added, ${String(removed)} removed\n${table}`;
}

function entityRow({ entity, direction, degree }: EntityChange): readonly string[] {
  return [entity, direction.toLowerCase(), `${String(degree)} ${degree === 1 ? 'hop' : 'hops'}`];
}

function edgeRow({ upstream, downstream, type, changedBy }: EdgeChange): readonly string[] {
  const ends = [`${upstream} -> ${downstream}`, type];
  if (changedBy === undefined) return [...ends, ''];
  const { time, actor, aspectName, version } = changedBy;
  return [...ends, [aspectName, `version ${String(version)}`, formatTime(time), actor].join(' ')];
}
