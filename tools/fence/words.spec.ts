import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import ts from 'typescript';

const ROOT = join(import.meta.dirname, '../..');

/** A retired term of a name, as words in a row, and the term that docs/glossary.md has for it. */
const RETIRED_IN_NAMES: readonly (readonly [retired: string, term: string])[] = [
  ['point', 'timeseries value'],
  ['points', 'timeseries values'],
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
  ['log moved', 'offset conflict'],
  ['partition offsets', 'partition sequences'],
  ['log extent', 'log end offset'],
  ['topic extent', 'watermarks'],
  ['foreign page', 'cross-site'],
  ['until told', 'wait for signal'],
  ['packed bodies', 'content encoding'],
  ['drawn by', 'project edges'],
  ['hidden', 'soft-deleted; excluded; omitted'],
  ['begun', 'started; prefix'],
  ['head seq', 'partition sequences'],
  ['store head', 'partition sequences'],
  ['log head', 'log end offset'],
  ['head offset', 'end offset'],
  ['applied offset', 'committed offset'],
  ['found lineage', 'directed lineage'],
  ['beside', 'alongside; next to'],
  ['nobody', 'none; no actor'],
  ['whoever', 'the one that acts'],
  ['note build', 'send heartbeat'],
  ['build note', 'build heartbeat'],
  ['note unknown', 'report unknown'],
  ['note use', 'record use'],
  ['note pass', 'save pass'],
  ['near aspect', 'suggest aspect'],
  ['near entity type', 'suggest entity type'],
  ['pace', 'rate'],
];
/** A retired term of the libraries below these folders that elsewhere is the term of a protocol, such as the head of a request. */
const RETIRED_IN_FOLDERS: readonly (readonly [folders: RegExp, retired: RegExp, term: string])[] = [
  [
    /^libs\/(?!http\/|api-docs\/|registry\/)/,
    /^(?!writeHead)(?:h|.*[a-z]H)eads?$/,
    'end offset; partition sequences',
  ],
];
/** Names that libraries and servers of others give. */
const FOREIGN_NAMES: ReadonlySet<string> = new Set(['hidden', 'is_hidden', 'NOBODY']);
/** Terms of others in which a retired word stands for something else. */
const FOREIGN_TERMS = /old generation|end ?points?|entry ?points?|code ?points?|check ?points?|pointers?/g;

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
  [/\bnarrowing\b/i, 'filter and sort'],
  [
    /\bhidden (?:entit(?:y|ies)|documents?|ones?\b|neighbours?|by (?:its|their|the) status)/i,
    'soft-deleted; excluded',
  ],
  [
    /\b(?:store|log|partition)'s head\b|\bhead of (?:the|a) (?:store|log|partition)\b/i,
    'partition sequences; end offset',
  ],
  [/\bapplied offsets?\b/i, 'committed offset'],
  [/\bbegun\b/i, 'started; partial'],
  [/\bbeside\b/i, 'alongside; next to; in addition to'],
  [/\bwhoever\b/i, 'the one that acts'],
  [/\bnobody\b/i, 'no user, no process, not'],
  [/\blook(?:s|ed|ing)? at\b/i, 'read; check; inspect'],
];

/** A retired term of a message or of the title of a test, and its replacement. */
const RETIRED_IN_MESSAGES: typeof RETIRED_IN_PROSE = [
  [/\brefus(?:e|es|ed|ing|als?)\b/i, 'reject'],
  [/\banew\b/i, 'again; rebuild'],
  [/\bhidden (?:by|from|entit(?:y|ies)|ones?\b)|\bhides? (?:an? |the )?entit/i, 'soft-deleted; excluded'],
  [/\bbegun\b/i, 'started'],
  [/\bbeside\b/i, 'alongside; next to; in addition to'],
  [/\bwhoever\b/i, 'the one that acts'],
  [/\bnobody\s|\snobody\b/, 'no user, no process, not'],
  [/\blook(?:s|ed|ing)? at\b/i, 'read; check; inspect'],
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
const OF_OTHERS =
  /connection refused|refuses? (?:to (?:start|run)|connections)|Looked at by a person|Looked at …/gi;

/** A comment whose first word hides its subject. */
const VAGUE_BEGINNING =
  /(?:\/\*\*\s+(?:\* )?|^[ \t]*\/\/ )((?:What|Who|Whoever|Whether|Nobody|Somebody|Anybody)\b.*)/gm;

/** The number of functions named `…Of`. It may only shrink. */
const MAX_OF_NAMES = 185;

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
  if (FOREIGN_NAMES.has(name)) return [];
  const words = ` ${splitName(name).replace(FOREIGN_TERMS, '')} `;
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

/** The names of the functions of a file that are noun phrases with `…Of`. */
function listOfNames(file: string): readonly string[] {
  const source = ts.createSourceFile(file, readFileSync(join(ROOT, file), 'utf8'), ts.ScriptTarget.Latest);
  const names: string[] = [];
  const visit = (node: ts.Node): void => {
    const isFunction =
      ts.isFunctionDeclaration(node) ||
      ts.isMethodDeclaration(node) ||
      (ts.isVariableDeclaration(node) &&
        node.initializer !== undefined &&
        ts.isArrowFunction(node.initializer));
    if (
      isFunction &&
      node.name !== undefined &&
      ts.isIdentifier(node.name) &&
      /[a-z]Of$/.test(node.name.text)
    )
      names.push(`${file}: ${node.name.text}`);
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
    expect(retiredInName('readPoints')).toEqual(['readPoints: say "timeseries values" instead of "points"']);
    expect(retiredInName('INDEX_GENERATION')).toHaveLength(1);
    expect(retiredInName('round-loop.ts')).toHaveLength(1);
    expect(['isHidden', 'taskPace', 'noteUnknownFields'].flatMap(retiredInName)).toHaveLength(3);
    expect(retiredInName('is_hidden')).toEqual([]);
    expect(retiredInFolder('libs/ports/src/log.ts', 'lastHead')).toHaveLength(1);
    expect(retiredInFolder('libs/http/src/wire.ts', 'head')).toEqual([]);
    expect(['endpointId', 'checkpoint', 'codePointAt', 'appointment'].flatMap(retiredInName)).toEqual([]);
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
      ...SQL.map((file) => [file, readFileSync(join(ROOT, file), 'utf8')] as const),
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

  it('name functions by verbs: no more noun phrases with …Of come in', () => {
    const found = CODE.flatMap(listOfNames);
    expect(found.length > MAX_OF_NAMES ? found : []).toEqual([]);
  });

  it('begin comments with their subject', () => {
    const found = CODE.flatMap((file) =>
      [...readFileSync(join(ROOT, file), 'utf8').matchAll(VAGUE_BEGINNING)].map(
        ([, sentence = '']) => `${file}: begin with the subject: ${sentence}`,
      ),
    );
    expect(found).toEqual([]);
  });
});
