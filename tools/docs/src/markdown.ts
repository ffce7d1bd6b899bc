/** A fenced block of a page. */
export interface Block {
  /** Line of its opening fence, from 1. */
  readonly line: number;
  readonly language: string;
  /** The words after the language: `test` marks a block that is compared with the program. */
  readonly marks: readonly string[];
  readonly text: string;
}

export interface Reference {
  readonly line: number;
  readonly target: string;
}

const FENCE = /^ *```(\S*) *(.*)$/;

/** Returns the fenced blocks of a page, in order. */
export function splitBlocks(page: string): readonly Block[] {
  const blocks: Block[] = [];
  let open: { line: number; language: string; marks: string[]; lines: string[] } | undefined;
  for (const [at, text] of page.split('\n').entries()) {
    const [fence, language = '', marks = ''] = FENCE.exec(text) ?? [];
    if (fence === undefined) open?.lines.push(text);
    else if (open === undefined) {
      open = { line: at + 1, language, marks: marks.split(' ').filter(Boolean), lines: [] };
    } else {
      const { lines, ...block } = open;
      blocks.push({ ...block, text: lines.join('\n') });
      open = undefined;
    }
  }
  return blocks;
}

/** Returns the targets of a page's links, without those inside code. */
export function extractLinks(page: string): readonly Reference[] {
  return referencesIn(
    extractProse(page).replace(/`[^`\n]*`/g, (code) => ' '.repeat(code.length)),
    /\]\(([^)\s]+)\)/g,
  );
}

const TOP_FOLDERS = 'apps|libs|tools|models|docs|bench';

/**
 * Returns repository paths that stand in a page as `code`, without patterns that have a star or a
 * placeholder.
 */
export function namedPathsOf(page: string): readonly Reference[] {
  return referencesIn(extractProse(page), new RegExp(`\`((?:${TOP_FOLDERS})/[\\w./-]+)\``, 'g'));
}

/** Returns the anchors of a page's headings, as GitHub writes them. */
export function extractAnchors(page: string): ReadonlySet<string> {
  const headings = extractProse(page).matchAll(/^#+ (.+)$/gm);
  return new Set(
    [...headings].map(([, text = '']) =>
      text
        .toLowerCase()
        .replace(/[^\p{L}\p{N} _-]/gu, '')
        .replaceAll(' ', '-'),
    ),
  );
}

/** Returns the lines of the rows of tables that are longer than `most` characters. */
export function findWideRows(page: string, most: number): readonly number[] {
  return extractProse(page)
    .split('\n')
    .flatMap((text, at) => (/^ *\|/.test(text) && text.length > most ? [at + 1] : []));
}

/** Empties the lines of fenced blocks, so that line numbers stay. */
function extractProse(page: string): string {
  let inside = false;
  return page
    .split('\n')
    .map((line) => {
      const isFence = FENCE.test(line);
      if (isFence) inside = !inside;
      return isFence || inside ? '' : line;
    })
    .join('\n');
}

function referencesIn(prose: string, pattern: RegExp): readonly Reference[] {
  return prose
    .split('\n')
    .flatMap((text, at) => [...text.matchAll(pattern)].map(([, target = '']) => ({ line: at + 1, target })));
}
