import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import ts from 'typescript';

const ROOT = join(import.meta.dirname, '../..');

/**
 * A retired term of a name, as words in a row, and the term that docs/glossary.md has for it. Everyday words do
 * not belong here, only terms that one concept had before it got its present one.
 */
const RETIRED_IN_NAMES: readonly (readonly [retired: string, term: string])[] = [
  ['timeseries point', 'timeseries value'],
  ['timeseries points', 'timeseries values'],
  ['consumption', 'subscription'],
  ['parked', 'dead letter'],
  ['refusal', 'rejection'],
  ['refusals', 'rejections'],
  ['refuse', 'reject'],
  ['refused', 'rejected'],
  ['generation', 'index version'],
  ['generations', 'index versions'],
  ['promote', 'activate'],
  ['promotion', 'activation'],
  ['erasure', 'truncation'],
  ['erasures', 'truncations'],
  ['narrowing', 'filter and sort'],
  ['doorbell', 'change notifier'],
  ['round loop', 'poll loop'],
  ['shared watch', 'batched poller'],
  ['log lane', 'commit queue'],
  ['gathering', 'batching'],
  ['dirty', 'stale'],
  ['log moved', 'offset conflict'],
  ['partition offsets', 'partition sequences'],
  ['log extent', 'log end offset'],
  ['topic extent', 'watermarks'],
  ['foreign page', 'cross-site'],
  ['until told', 'wait for signal'],
  ['packed bodies', 'content encoding'],
  ['head seq', 'partition sequences'],
  ['store head', 'partition sequences'],
  ['log head', 'log end offset'],
  ['head offset', 'end offset'],
  ['applied offset', 'committed offset'],
  ['found lineage', 'directed lineage'],
  ['note build', 'send heartbeat'],
  ['build note', 'build heartbeat'],
];
/** A retired term of the libraries below these folders that elsewhere is the term of a protocol, such as the head of a request. */
const RETIRED_IN_FOLDERS: readonly (readonly [folders: RegExp, retired: RegExp, term: string])[] = [
  [
    /^libs\/(?!http\/|api-docs\/|registry\/)/,
    /^(?!writeHead)(?:h|.*[a-z]H)eads?$/,
    'end offset; partition sequences',
  ],
];

/** A retired term of a sentence, and its replacement. */
const RETIRED_IN_PROSE: readonly (readonly [retired: RegExp, term: string])[] = [
  [/\bdoorbells?\b/i, 'change notifier'],
  [/\b(?:is|are|was|were|been|be|and) (?:set|kept) aside\b/i, 'rejected; kept as a dead letter'],
  [/\bparked\b/i, 'rejected; kept as a dead letter'],
  [/\bgenerations? of (?:an? |the )?(?:search |graph )?ind(?:ex|ices|exes)\b/i, 'index version'],
  [/\bround loop\b/i, 'poll loop'],
  [/\bshared watch\b/i, 'batched poller'],
  [/\btimeseries points?\b/i, 'timeseries value'],
  [/\bconsumptions?\b/i, 'subscription'],
  [
    /\bhidden (?:entit(?:y|ies)|documents?|ones?\b|neighbours?|by (?:its|their|the) status)/i,
    'soft-deleted; excluded',
  ],
  [
    /\b(?:store|log|partition)'s head\b|\bhead of (?:the|a) (?:store|log|partition)\b/i,
    'partition sequences; end offset',
  ],
  [/\bapplied offsets?\b/i, 'committed offset'],
];

/** A retired term of a message or of the title of a test, and its replacement. */
const RETIRED_IN_MESSAGES: typeof RETIRED_IN_PROSE = [
  [/\brefus(?:e|es|ed|ing|als?)\b/i, 'reject'],
  [/\bhidden (?:by|from|entit(?:y|ies)|ones?\b)|\bhides? (?:an? |the )?entit/i, 'soft-deleted; excluded'],
];

/** A retired column of a table, in its definition and in statements, and its replacement. */
const RETIRED_IN_SQL: typeof RETIRED_IN_PROSE = [
  [/^\s+(?:head|applied)\s+bigint\b/m, 'end_offset; committed_offset'],
  [/^\s+notes\s+bigint\b/m, 'heartbeats'],
  [
    /\blog_partition\b[^;]*\b(?:head|applied)\b|\b(?:head|applied)\b[^;]*\blog_partition\b/,
    'end_offset; committed_offset',
  ],
];

/** What programs of others do and say. */
const OF_OTHERS = /connection refused|refuses? (?:to (?:start|run)|connections)/gi;

const tracked = (...patterns: readonly string[]): readonly string[] =>
  execFileSync('git', ['ls-files', ...patterns], { cwd: ROOT, encoding: 'utf8' })
    .trim()
    .split('\n')
    .filter((file) => existsSync(join(ROOT, file)) && file !== 'tools/fence/words.spec.ts');
const CODE = tracked('*.ts');
const SQL = tracked('*.sql');
const PAGES = tracked('*.md').filter((file) => file !== 'CHANGELOG.md' && !file.startsWith('docs/adr/'));

/** The words of a name in any spelling, in small letters: `toDeadLetter`, `DEAD_LETTER` and `dead-letter` have two or three. */
function splitName(name: string): string {
  const words = name.match(/[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+/g) ?? [];
  return words.join(' ').toLowerCase();
}

function retiredInName(name: string): readonly string[] {
  const words = ` ${splitName(name).replace('old generation', '')} `;
  return RETIRED_IN_NAMES.filter(([retired]) => words.includes(` ${retired} `)).map(
    ([retired, term]) => `${name}: say "${term}" instead of "${retired}"`,
  );
}

function retiredInFolder(file: string, name: string): readonly string[] {
  return RETIRED_IN_FOLDERS.filter(([folders, retired]) => folders.test(file) && retired.test(name)).map(
    ([, , term]) => `${name}: say "${term}"`,
  );
}

/** The names that a file declares. */
function declaredNames(file: string): ReadonlySet<string> {
  const source = ts.createSourceFile(file, readFileSync(join(ROOT, file), 'utf8'), ts.ScriptTarget.Latest);
  const names = new Set<string>();
  const visit = (node: ts.Node): void => {
    const { name } = node as { readonly name?: ts.Node };
    if (name !== undefined && (ts.isIdentifier(name) || ts.isPrivateIdentifier(name))) names.add(name.text);
    ts.forEachChild(node, visit);
  };
  visit(source);
  return names;
}

/** The texts of a file's string literals and templates, without the paths of imports. */
function listTexts(file: string): readonly string[] {
  const source = ts.createSourceFile(file, readFileSync(join(ROOT, file), 'utf8'), ts.ScriptTarget.Latest);
  const texts: string[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isImportDeclaration(node)) return;
    if (ts.isStringLiteralLike(node) || ts.isTemplateHead(node) || ts.isTemplateMiddleOrTemplateTail(node))
      texts.push(node.text);
    ts.forEachChild(node, visit);
  };
  visit(source);
  return texts;
}

/** The sentences of a file: a page as a whole, of code the comments. */
function readProse(file: string): string {
  const text = readFileSync(join(ROOT, file), 'utf8');
  if (file.endsWith('.md')) return text;
  return (text.match(/^\s*(?:\/\*\*|\*|\/\/).*$/gm) ?? []).join('\n');
}

describe('the words of the project', () => {
  it('recognizes retired terms however a name is spelt', () => {
    expect(retiredInName('readTimeseriesPoints')).toEqual([
      'readTimeseriesPoints: say "timeseries values" instead of "timeseries points"',
    ]);
    expect(retiredInName('INDEX_GENERATION')).toHaveLength(1);
    expect(retiredInName('round-loop.ts')).toHaveLength(1);
    expect(retiredInFolder('libs/ports/src/log.ts', 'lastHead')).toHaveLength(1);
    expect(retiredInFolder('libs/http/src/wire.ts', 'head')).toEqual([]);
    expect(['isHidden', 'taskPace', 'nobody', 'checkpoint'].flatMap(retiredInName)).toEqual([]);
  });

  it('are the terms of the glossary in every name', () => {
    const found = CODE.flatMap((file) => [
      ...retiredInName(basename(file, '.ts')),
      ...[...declaredNames(file)]
        .flatMap((name) => [...retiredInName(name), ...retiredInFolder(file, name)])
        .map((fault) => `${file}: ${fault}`),
    ]);
    expect(found).toEqual([]);
  });

  it('are the terms of the glossary in comments and pages', () => {
    const found = [...CODE, ...PAGES].flatMap((file) => {
      const prose = readProse(file).replace(OF_OTHERS, '');
      return RETIRED_IN_PROSE.flatMap(([retired, term]) => {
        const match = retired.exec(prose);
        return match === null ? [] : [`${file}: "${match[0]}": say "${term}"`];
      });
    });
    expect(found).toEqual([]);
  });

  it('are the terms of the glossary in tables and statements', () => {
    const texts = [
      ...SQL.map((file) => [file, readFileSync(join(ROOT, file), 'utf8').replaceAll(/--.*/g, '')] as const),
      ...CODE.flatMap((file) => listTexts(file).map((text) => [file, text] as const)),
    ];
    const found = texts.flatMap(([file, text]) =>
      RETIRED_IN_SQL.filter(([retired]) => retired.test(text)).map(
        ([, term]) => `${file}: "${text.trim().slice(0, 60)}": say "${term}"`,
      ),
    );
    expect(found).toEqual([]);
  });

  it('are the terms of the glossary in messages and in titles of tests', () => {
    const found = CODE.flatMap((file) =>
      listTexts(file).flatMap((text) =>
        RETIRED_IN_MESSAGES.filter(([retired]) => retired.test(text.replace(OF_OTHERS, ''))).map(
          ([, term]) => `${file}: "${text.slice(0, 80)}": say "${term}"`,
        ),
      ),
    );
    expect(found).toEqual([]);
  });
});
