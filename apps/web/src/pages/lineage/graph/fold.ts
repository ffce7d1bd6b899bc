import { count, typeInWords } from '../../../data/words';
import type { LineageGraph, LineageNode } from './lineage-graph';

/** Fewer stay as they are. */
const FOLDED_FROM = 5;
/** Tables and jobs are what people follow; these often come in numbers. */
const SMALL = /^(?:chart|dashboard|mlFeature|mlPrimaryKey|mlModel|mlModelGroup)$/;

const FOLD = 'fold:';

/** Many small neighbours of one degree as one node, unless the address unfolds them. */
export function foldSmall({ nodes, edges }: LineageGraph, unfolded: readonly string[]): LineageGraph {
  const small = new Map<number, LineageNode[]>();
  for (const node of nodes) {
    const isSmall = node.degree !== 0 && SMALL.test(node.type) && node.change === undefined && !node.isOpened;
    if (!isSmall || unfolded.includes(String(node.degree))) continue;
    small.set(node.degree, [...(small.get(node.degree) ?? []), node]);
  }
  const standsFor = new Map<string, string>();
  const folds: LineageNode[] = [];
  for (const [degree, folded] of small) {
    if (folded.length < FOLDED_FROM) continue;
    const urn = `${FOLD}${String(degree)}`;
    for (const node of folded) standsFor.set(node.urn, urn);
    folds.push({ ...foldNode(urn, degree), folded });
  }
  if (folds.length === 0) return { nodes, edges };
  const kept = nodes.filter(({ urn }) => !standsFor.has(urn));
  const moved = new Map<string, LineageGraph['edges'][number]>();
  for (const edge of edges) {
    const from = standsFor.get(edge.from) ?? edge.from;
    const to = standsFor.get(edge.to) ?? edge.to;
    const isSame = from === edge.from && to === edge.to;
    if (from !== to) {
      const id = isSame ? edge.id : `${from} ${to}`;
      moved.set(id, isSame ? edge : { id, from, to });
    }
  }
  return { nodes: [...kept, ...folds], edges: [...moved.values()] };
}

function foldNode(urn: string, degree: number): LineageNode {
  const nothing = { columns: [], moreColumns: 0, moreUpstream: 0, moreDownstream: 0 };
  return { urn, degree, type: '', name: '', ...nothing, isTile: false, isOpened: false };
}

/** "5 features, 2 charts" */
export function typesInWords(nodes: readonly { readonly type: string }[]): string {
  const counts = new Map<string, number>();
  for (const { type } of nodes) counts.set(type, (counts.get(type) ?? 0) + 1);
  return [...counts]
    .sort(([, one], [, other]) => other - one)
    .map(([type, number]) => countOfType(number, type))
    .join(', ');
}

/** "3 tables": datasets are mostly tables. */
export function countOfType(number: number, type: string): string {
  const word = type === 'dataset' ? 'table' : typeInWords(type).toLowerCase();
  return count(number, word, /(?:s|x)$/.test(word) ? `${word}es` : word.replace(/y$/, 'ie') + 's');
}
