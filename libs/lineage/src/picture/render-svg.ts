import { createHash } from 'node:crypto';
import { chooseColour } from './colours';
import type { PlacedBox, PlacedLine, PlacedPicture } from './place-picture';
import { FONT, PLACES, measureText } from './size-boxes';

/** Colours that follow the reader's scheme. The asked entity has a frame and a ground of its own. */
const STYLE = `
text { font-family: system-ui, 'Segoe UI', Roboto, Helvetica, Arial, sans-serif; font-size: ${String(FONT.small)}px; fill: #4a5462; }
svg:root { background: #ffffff; max-width: 100vw; max-height: 100vh; } svg:root:target { max-width: none; max-height: none; }
a:hover .box, a:focus .box { stroke-width: 3; } .back { fill: #ffffff; } .box { fill: #f6f8fb; stroke: #aab4c2; }
.root .box { fill: #fff4cf; stroke: #a86a00; stroke-width: 3; }
.title { font-size: ${String(FONT.title)}px; font-weight: 600; fill: #161c26; } .type { fill: #ffffff; }
.row { fill: #161c26; } .rule { stroke: #d5dbe4; } .note { font-style: italic; }
.line { fill: none; stroke: #7d8898; stroke-width: 1.4; } .tip { fill: #7d8898; }
@media (prefers-color-scheme: dark) {
  svg:root { background: #12161d; } text { fill: #aeb9c8; } .back { fill: #12161d; } .box { fill: #1d242e; stroke: #4c5868; }
  .root .box { fill: #3a3118; stroke: #f0c64a; } .title, .row { fill: #eef2f8; } .rule { stroke: #343e4b; }
  .line { stroke: #8290a4; } .tip { fill: #8290a4; }
}`;

/** The source of the style sheet in a content security policy. */
export const SVG_STYLE_SOURCE = `'sha256-${createHash('sha256').update(STYLE).digest('base64')}'`;

/**
 * Renders a picture as SVG.
 *
 * **Shape**: one element without scripts and without references to other resources. All texts are escaped. It fits the window, so that the asked entity
 * is in view; with the fragment `#full` it has its own size. Each box is a link to its entity, relative to the address of a picture.
 */
export function renderSvg({ boxes, lines, width, height }: PlacedPicture): string {
  const root = boxes.find(({ isRoot }) => isRoot);
  const [w, h] = [String(width), String(height)];
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" id="full" width="${w}" height="${h}" viewBox="0 0 ${w} ${h}" role="img">`,
    `<title>Lineage of ${escapeXml(root?.urn ?? '')}</title>`,
    `<style>${STYLE}</style>`,
    '<defs><marker id="tip" viewBox="0 0 8 8" refX="8" refY="4" markerWidth="7" markerHeight="7" orient="auto">',
    '<path class="tip" d="M0 0 L8 4 L0 8 z"/></marker></defs>',
    '<rect class="back" width="100%" height="100%"/>',
    ...lines.map(drawLine),
    ...boxes.map(drawBox),
    '</svg>',
    '',
  ].join('\n');
}

/** Draws level pieces, joined by curves that begin and end level. */
function drawLine({ pieces }: PlacedLine): string {
  const steps: string[] = [];
  let end: { readonly x: number; readonly y: number } | undefined;
  for (const { x1, x2, y } of pieces) {
    if (end === undefined) steps.push(`M${at(x1, y)}`);
    else {
      const middle = (end.x + x1) / 2;
      steps.push(`C${at(middle, end.y)} ${at(middle, y)} ${at(x1, y)}`);
    }
    if (round(x2) !== round(x1)) steps.push(`H${round(x2)}`);
    end = { x: x2, y };
  }
  return `<path class="line" marker-end="url(#tip)" d="${steps.join(' ')}"/>`;
}

function drawBox(box: PlacedBox): string {
  const { x, y, width, height, urn, title, entityType, platform, rows, notes, isRoot } = box;
  const body = PLACES.body + rows.length * PLACES.row;
  const typeWidth = measureText(entityType, FONT.small) + 10;
  const typeLeft = x + width - typeWidth - 8;
  const write = (name: string, top: number, content: string): string =>
    `<text class="${name}" x="${round(x + PLACES.left)}" y="${round(y + top)}">${escapeXml(content)}</text>`;
  const frame = `x="${round(x)}" y="${round(y)}" height="${round(height)}"`;
  return [
    `<a href="${linkTo(urn)}"><g${isRoot ? ' class="root"' : ''}><title>${escapeXml(urn)}</title>`,
    `<rect class="box" ${frame} width="${round(width)}" rx="6"/>`,
    `<rect ${frame} width="7" rx="3" fill="${chooseColour(platform)}"/>`,
    ...(platform === '' ? [] : [write('kind', PLACES.kind, platform)]),
    `<rect x="${round(typeLeft)}" y="${round(y + 5)}" width="${round(typeWidth)}" height="16" rx="8" fill="${chooseColour(entityType)}"/>`,
    `<text class="type" x="${round(typeLeft + typeWidth / 2)}" y="${round(y + PLACES.kind)}" text-anchor="middle">${escapeXml(entityType)}</text>`,
    write('title', PLACES.title, title),
    ...(rows.length === 0
      ? []
      : [
          `<line class="rule" x1="${round(x + 7)}" x2="${round(x + width)}" y1="${round(y + PLACES.body - 3)}" y2="${round(y + PLACES.body - 3)}"/>`,
        ]),
    ...rows.map(({ text, y: middle }) => write('row', middle + 4, text)),
    ...notes.map((note, index) => write('note', body + (index + 0.6) * PLACES.note, note)),
    '</g></a>',
  ].join('');
}

/** Returns the address of an entity, relative to that of a picture. A urn that no text encoding has is none of the catalog. */
function linkTo(urn: string): string {
  return `../entitiesV2/${encodeURIComponent(Buffer.from(urn).toString()).replaceAll("'", '%27')}`;
}

function at(x: number, y: number): string {
  return `${round(x)} ${round(y)}`;
}

function round(value: number): string {
  return String(Math.round(value * 10) / 10);
}

/** Escapes a text for XML. What XML cannot hold, such as control characters, becomes a replacement character. */
export function escapeXml(text: string): string {
  return text
    .replace(/[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu, '\ufffd')
    .replace(/[&<>"']/g, (character) => `&#${String(character.charCodeAt(0))};`);
}
