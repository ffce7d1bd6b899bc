import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { ROOT } from '@stratalog/harness';
import { extractAnchors, namedPathsOf } from './markdown';
import { readPage } from './pages';

/** Publishers of the public documents that a note may name without a page of ours. */
const PUBLIC =
  /\b(?:RFC \d+|OpenID Connect|standard|Fetch Metadata|Kafka|PostgreSQL|Rest\.li|PDL records|Marsaglia)\b/;

interface Note {
  readonly file: string;
  readonly text: string;
}

const files = execFileSync('git', ['ls-files', '*.ts'], { cwd: ROOT, encoding: 'utf8' }).trim().split('\n');
const notes: readonly Note[] = files
  .filter((file) => existsSync(join(ROOT, file)) && !file.endsWith('source-notes.spec.ts'))
  .flatMap((file) => notesIn(readFileSync(join(ROOT, file), 'utf8')).map((text) => ({ file, text })));

/** The text of each note, up to the next empty line of its comment. */
function notesIn(code: string): readonly string[] {
  const comments = [...code.matchAll(/\/\*\*.*?\*\//gs)].map(([comment]) =>
    comment.replace(/\n *\* ?/g, '\n'),
  );
  return comments.flatMap((comment) =>
    [...comment.matchAll(/\*\*Source\*\*: (.*?)(?:\n\n|\*\/|\n\/)/gs)].map(([, text = '']) =>
      text.replaceAll('\n', ' ').trim(),
    ),
  );
}

/** Describes what of a note leads nowhere. */
function listFaults(text: string): readonly string[] {
  const paths = namedPathsOf(text).map(({ target }) => target);
  if (paths.length === 0 && !PUBLIC.test(text))
    return ['names no page of the repository and no public document'];
  const headings = [...text.matchAll(/`([^`]+\.md)`, ([A-Z][^.;,]*)/g)];
  return [
    ...paths.filter((path) => !existsSync(join(ROOT, path))).map((path) => `${path} does not exist`),
    ...headings
      .filter(([, page = '', heading = '']) => !extractAnchors(readPage(page)).has(toAnchor(heading)))
      .map(([, page = '', heading = '']) => `${page} has no heading "${heading}"`),
  ];
}

const toAnchor = (heading: string): string => heading.trim().toLowerCase().replaceAll(' ', '-');

describe('the source notes of docstrings', () => {
  it('are read with their paths and headings', () => {
    expect(notesIn('/**\n * Reads.\n *\n * **Source**: RFC 6902;\n * `docs/cli.md`.\n */')).toEqual([
      'RFC 6902; `docs/cli.md`.',
    ]);
    expect(listFaults('a page, section 3.')).toHaveLength(1);
    expect(listFaults('`docs/absent.md`.')).toHaveLength(1);
    expect(listFaults('`docs/cli.md`, No such heading.')).toEqual([
      'docs/cli.md has no heading "No such heading"',
    ]);
    expect(listFaults('RFC 6902, section 4.')).toEqual([]);
  });

  it('lead to a page of the repository or to a public document', () => {
    expect(notes.length).toBeGreaterThan(30);
    const faults = notes.flatMap(({ file, text }) =>
      listFaults(text).map((fault) => `${file}: ${text}: ${fault}`),
    );
    expect(faults).toEqual([]);
  });
});
