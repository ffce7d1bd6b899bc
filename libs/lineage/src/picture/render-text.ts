import { chooseColour } from './colours';
import { labelColumn } from './label-entity';
import type { EntityLabel, Picture, PictureEdge, PictureNode } from './picture';
import { describeOmitted } from './size-boxes';

type Labels = (urn: string) => EntityLabel;
type Drawing = Pick<Picture, 'nodes' | 'edges'>;

/** Renders a picture as a Mermaid flowchart. Edges of columns are labelled with these. */
export function renderMermaid({ nodes, edges }: Drawing, labels: Labels): string {
  const ids = new Map(nodes.map(({ urn }, at) => [urn, `n${String(at)}`]));
  const toId = (urn: string): string => ids.get(urn) ?? '';
  return [
    'flowchart LR',
    ...nodes.map((node) => {
      const lines = describeNode(node, labels(node.urn)).map(escapeMermaid);
      return `  ${toId(node.urn)}["${lines.join('<br/>')}"]`;
    }),
    ...edges.map((edge) => {
      const columns = describeColumns(edge);
      const label = columns === '' ? '' : `|"${escapeMermaid(columns)}"|`;
      return `  ${toId(edge.from)} -->${label} ${toId(edge.to)}`;
    }),
    ...nodes.map(({ urn, degree }) => {
      const colour = chooseColour(labels(urn).platform ?? '');
      return `  style ${toId(urn)} stroke:${colour},stroke-width:${degree === 0 ? '4' : '2'}px`;
    }),
    '',
  ].join('\n');
}

/** Renders a picture as a graph in the language of Graphviz. Edges of columns are labelled with these. */
export function renderDot({ nodes, edges }: Drawing, labels: Labels): string {
  return [
    'digraph lineage {',
    '  rankdir=LR; node [shape=box, fontname="sans-serif"];',
    ...nodes.map((node) => {
      const label = labels(node.urn);
      const text = describeNode(node, label).map(escapeDot).join('\\n');
      const width = node.degree === 0 ? '4' : '2';
      return `  ${quote(node.urn)} [label="${text}", color="${chooseColour(label.platform ?? '')}", penwidth=${width}];`;
    }),
    ...edges.map((edge) => {
      const columns = describeColumns(edge);
      return `  ${quote(edge.from)} -> ${quote(edge.to)}${columns === '' ? '' : ` [label=${quote(columns)}]`};`;
    }),
    '}',
    '',
  ].join('\n');
}

function describeNode(node: PictureNode, { entityType, platform, name }: EntityLabel): readonly string[] {
  const kind = [platform, entityType].filter((each) => each !== undefined && each !== '').join(' · ');
  return [kind, name, ...describeOmitted(node)];
}

function describeColumns({ fromColumn, toColumn }: PictureEdge): string {
  if (fromColumn === undefined && toColumn === undefined) return '';
  const name = (column: string | undefined): string => (column === undefined ? '*' : labelColumn(column));
  return `${name(fromColumn)} → ${name(toColumn)}`;
}

function quote(text: string): string {
  return `"${escapeDot(text)}"`;
}

/** Backslashes begin escapes of Graphviz; a text of one line has none. */
function escapeDot(text: string): string {
  return toLine(text).replace(/["\\]/g, (character) => `\\${character}`);
}

function escapeMermaid(text: string): string {
  return toLine(text).replace(
    /[^\p{L}\p{N} ._:/+*,→·-]/gu,
    (character) => `#${String(character.codePointAt(0) ?? 0)};`,
  );
}

function toLine(text: string): string {
  return text.replace(/[\p{Cc}\p{Cs}]+/gu, ' ');
}
