import type { Folder } from './browse-folder';
import { printable } from './printable';
import { textTable } from './text-table';

/** Formats a folder as an indented tree: folders with their number of entities, and entities with their urns. */
export function formatFolder(folder: Folder): string {
  return textTable(listRows(folder, 0));
}

function listRows({ groups, entities, more }: Folder, level: number): readonly (readonly string[])[] {
  const indent = '  '.repeat(level);
  return [
    ...groups.flatMap(({ name, count, inner }) => [
      [`${indent}${printable(name)}/`, String(count)],
      ...(inner === undefined ? [] : listRows(inner, level + 1)),
    ]),
    ...entities.map(({ name, urn }) => [`${indent}${printable(name)}`, urn]),
    ...(more === 0 ? [] : [[`${indent}… and ${String(more)} more`, '']]),
  ];
}
