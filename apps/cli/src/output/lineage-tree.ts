import type { AnswerOf } from '@stratalog/client';
import { toCard } from './entity-card';
import { printable } from './printable';
import { textTable } from './text-table';

type Lineage = AnswerOf<'POST /relationships?action=getLineage'>;

/** The lineage of an entity, with the first of the entities that it leads to. */
export interface LineagePage {
  readonly entities: readonly LineageEntity[];
  readonly total: number;
  /** Number of entities that the catalog left out as soft-deleted. */
  readonly filtered: number;
  /** Entities whose lineage the answer lacks, because limits cut it. */
  readonly continueAt: readonly string[];
  /** A line about the part of the requested time that retention purged; empty: nothing. */
  readonly purged: string;
}

interface LineageEntity {
  readonly urn: string;
  readonly type: string;
  /** The query or job that produced the last hop; empty: none. */
  readonly via: string;
  /** Urns from the start to the entity. */
  readonly path: readonly string[];
}

/** Makes a page of the answer to `getLineage`. */
export function toLineagePage(answer: Lineage): LineagePage {
  const { relationships, total, filtered = 0, continueAt = [] } = answer;
  return {
    entities: relationships.map(({ entity, type, via = '', path = [] }) => ({
      urn: entity,
      type,
      via,
      path,
    })),
    total,
    filtered,
    continueAt,
    purged: describePurged(answer),
  };
}

/** Describes the member `purged` of an answer as a line; empty when nothing was purged. */
export function describePurged({ purged }: Pick<Lineage, 'purged'>): string {
  const total = purged?.total ?? 0;
  return total === 0 ? '' : `retention purged the lineage of ${String(total)} entities at that time\n`;
}

/**
 * Formats lineage as an indented tree: each entity once, below the first of those that lead to it. Where urns do not fit the width, names take their
 * place.
 */
export function formatLineage(page: LineagePage, width = Number.POSITIVE_INFINITY): string {
  const full = textTable(listRows(page, printable));
  const fits = full.split('\n').every((line) => line.length <= width);
  return fits ? full : textTable(listRows(page, formatName), width);
}

function listRows(
  { entities, total }: LineagePage,
  format: (urn: string) => string,
): readonly (readonly string[])[] {
  const children = new Map<string, LineageEntity[]>();
  const roots = new Set<string>();
  const urns = new Set(entities.map(({ urn }) => urn));
  for (const entity of entities) {
    const parent = entity.path.at(-2) ?? '';
    if (!urns.has(parent)) roots.add(parent);
    children.set(parent, [...(children.get(parent) ?? []), entity]);
  }
  const rowsBelow = (parent: string, level: number): readonly (readonly string[])[] =>
    (children.get(parent) ?? []).flatMap(({ urn, type, via }) => [
      [`${'  '.repeat(level)}${format(urn)}`, type, via === '' ? '' : `via ${format(via)}`],
      ...rowsBelow(urn, level + 1),
    ]);
  const rows = [...roots].flatMap((root) => [[format(root), '', ''], ...rowsBelow(root, 1)]);
  const more = total - entities.length;
  return [...rows, ...(more > 0 ? [[`… and ${String(more)} more`, '', '']] : [])];
}

function formatName(urn: string): string {
  const { name, type, platform } = toCard(urn);
  return printable(`${name} (${[type, platform].filter(Boolean).join(', ')})`);
}
