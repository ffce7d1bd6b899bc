import { labelColumn } from './label-entity';
import type { EntityLabel, OmittedCount, PictureNode } from './picture';

/** A box of a picture with its lines of text, which fit into it. **Units**: pixels. */
export interface Box extends Pick<PictureNode, 'urn'> {
  readonly platform: string;
  readonly entityType: string;
  readonly title: string;
  readonly rows: readonly Row[];
  /** A note about lineage that the picture leaves out; empty: nothing. */
  readonly notes: readonly string[];
  readonly isRoot: boolean;
  readonly width: number;
  readonly height: number;
}

interface Row {
  /** Urn of the column. */
  readonly urn: string;
  readonly text: string;
  /** Middle of the row, from the top of the box. */
  readonly y: number;
}

/** Most characters of a text; a longer one loses its middle, because names often differ at their ends. */
const MAX_CHARACTERS = 40;
export const FONT = { title: 13, small: 11 } as const;
/** Places of the lines, from the top and the left of the box. */
export const PLACES = { left: 16, kind: 17, title: 36, body: 48, row: 18, note: 16 } as const;
const RIGHT = 12;
/** Between the platform and the type, including the padding of the type. */
const KIND_GAP = 26;
const MIN_WIDTH = 130;
/** Below the last line. */
const PADDING = 4;
/** Bold letters are wider. */
const BOLD = 1.08;

/** Sizes the box of an entity by its texts. */
export function sizeBox(node: PictureNode, { entityType, platform = '', name }: EntityLabel): Box {
  const title = shorten(name);
  const kind = { platform: shorten(platform), entityType: shorten(entityType) };
  const rows = node.columns.map((urn, at) => ({
    urn,
    text: shorten(labelColumn(urn)),
    y: PLACES.body + (at + 0.5) * PLACES.row,
  }));
  const notes = describeOmitted(node);
  const width = Math.max(
    MIN_WIDTH,
    PLACES.left + measureText(title, FONT.title) * BOLD + RIGHT,
    PLACES.left + measureText(kind.platform + kind.entityType, FONT.small) + KIND_GAP + RIGHT,
    ...[...rows.map(({ text }) => text), ...notes].map(
      (text) => PLACES.left + measureText(text, FONT.small) + RIGHT,
    ),
  );
  return {
    urn: node.urn,
    ...kind,
    title,
    rows,
    notes,
    isRoot: node.degree === 0,
    width: Math.ceil(width),
    height: PLACES.body + rows.length * PLACES.row + notes.length * PLACES.note + PADDING,
  };
}

/** Describes the neighbours and columns that a picture does not show, a line each. */
export function describeOmitted({
  moreColumns,
  moreUpstream,
  moreDownstream,
}: Pick<PictureNode, 'moreColumns' | 'moreUpstream' | 'moreDownstream'>): readonly string[] {
  const describe = ({ count, isExact }: OmittedCount, where: string): readonly string[] => {
    if (count === 0 && isExact) return [];
    return [isExact ? `+${String(count)} more ${where}` : `+${String(count)} or more ${where}`];
  };
  return [
    ...describe({ count: moreColumns, isExact: true }, 'columns'),
    ...describe(moreUpstream, 'upstream'),
    ...describe(moreDownstream, 'downstream'),
  ];
}

/**
 * Estimates the width of a text, and never too low for the usual fonts: the reader's font is unknown.
 *
 * **Units**: pixels, for a font size in pixels.
 */
export function measureText(text: string, size: number): number {
  let width = 0;
  for (const character of text) width += measureCharacter(character);
  return width * size;
}

/** Widths of characters in parts of the font size. */
const NARROW = /^[ijlftrI.,:;|!'`()[\]{}\-/\\ ]$/;
const WIDE = /^[A-Zmw%&]$/;
const WIDEST = /^[MW@—…]$/;
const LATIN = /^[\u0020-\u024f]$/;

function measureCharacter(character: string): number {
  if (WIDEST.test(character)) return 1.02;
  if (NARROW.test(character)) return 0.44;
  if (WIDE.test(character)) return 0.86;
  // Scripts of Asia and pictograms are as wide as they are high, some a little wider.
  return LATIN.test(character) ? 0.66 : 1.3;
}

function shorten(text: string): string {
  const characters = Array.from(text.replace(/\s+/g, ' '));
  if (characters.length <= MAX_CHARACTERS) return characters.join('');
  const half = Math.floor((MAX_CHARACTERS - 1) / 2);
  return `${characters.slice(0, half).join('')}…${characters.slice(-half).join('')}`;
}
