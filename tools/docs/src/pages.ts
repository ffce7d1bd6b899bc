import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from '@stratalog/harness';

const NOT_OURS = new Set(['node_modules', 'dist', 'coverage']);

/** Lists the Markdown files of the repository, by path from its root. */
export function pagePaths(folder = ''): readonly string[] {
  return readdirSync(join(ROOT, folder), { withFileTypes: true })
    .filter(({ name }) => !NOT_OURS.has(name) && !name.startsWith('.'))
    .flatMap((entry) => {
      const path = join(folder, entry.name);
      if (entry.isDirectory()) return pagePaths(path);
      return entry.name.endsWith('.md') ? [path] : [];
    })
    .sort();
}

export function readPage(path: string): string {
  return readFileSync(join(ROOT, path), 'utf8');
}
