import { useReactFlow } from '@xyflow/react';
import { useEffect, type FocusEvent, type KeyboardEvent } from 'react';
import type { LineageGraph } from '../graph/lineage-graph';
import { lineageFocus } from '../lineage-focus';
import { useOpenNode } from '../use-open-node';
import type { ShownLineage } from '../use-lineage';

const PAN_MS = 180;

/** The arrows walk along edges and within a column, `+` expands; Enter opens, because each node is a link. */
export function useCanvasKeys({ graph, places, start }: ShownLineage) {
  const flow = useReactFlow();
  const open = useOpenNode();
  useEffect(() => {
    keepOneTabStop(start.urn);
    return () => lineageFocus.set(undefined);
  }, [graph, start.urn]);
  const onKeyDown = (event: KeyboardEvent<HTMLElement>): void => {
    const urn = nodeOf(event.target);
    if (urn === undefined || event.ctrlKey || event.metaKey || event.altKey) return;
    const node = graph.nodes.find((each) => each.urn === urn);
    if (event.key === '+' && node !== undefined) {
      event.preventDefault();
      open(node);
      return;
    }
    const next = step(event.key, urn, graph, places);
    if (next === undefined) return;
    event.preventDefault();
    const place = places.get(next);
    keepOneTabStop(next)?.focus({ preventScroll: true });
    if (place !== undefined) {
      void flow.setCenter(place.x + 92, place.y + 40, { zoom: flow.getZoom(), duration: motion() });
    }
  };
  const onFocus = ({ target }: FocusEvent<HTMLElement>): void => {
    const urn = nodeOf(target);
    if (urn !== undefined) lineageFocus.set(urn);
  };
  return { onKeyDown, onFocus };
}

function motion(): number {
  return matchMedia('(prefers-reduced-motion: reduce)').matches ? 0 : PAN_MS;
}

function nodeOf(target: EventTarget): string | undefined {
  return target instanceof Element ? target.closest<HTMLElement>('[data-node]')?.dataset.node : undefined;
}

/** One node is in the order of Tab; the arrows reach the others. Returns its control. */
function keepOneTabStop(urn: string): HTMLElement | undefined {
  let found: HTMLElement | undefined;
  for (const node of document.querySelectorAll<HTMLElement>('[data-node]')) {
    const control = node.querySelector<HTMLElement>(':scope > a, :scope > button');
    if (control === null) continue;
    const isIt = node.dataset.node === urn;
    control.tabIndex = isIt ? 0 : -1;
    if (isIt) found = control;
  }
  return found;
}

/** The next node: to the right along an edge, to the left against it, up and down within the column. */
function step(
  key: string,
  urn: string,
  graph: LineageGraph,
  places: ShownLineage['places'],
): string | undefined {
  const y = (of: string): number => places.get(of)?.y ?? 0;
  const nearest = (urns: readonly string[]): string | undefined =>
    [...urns].sort((one, other) => Math.abs(y(one) - y(urn)) - Math.abs(y(other) - y(urn)))[0];
  if (key === 'ArrowRight' || key === 'ArrowLeft') return nearest(follow(urn, key === 'ArrowRight', graph));
  if (key !== 'ArrowUp' && key !== 'ArrowDown') return undefined;
  const x = places.get(urn)?.x;
  const column = graph.nodes.filter((node) => !node.isTile && places.get(node.urn)?.x === x);
  return nearest(
    column
      .map((node) => node.urn)
      .filter((each) => (key === 'ArrowDown' ? y(each) > y(urn) : y(each) < y(urn))),
  );
}

/** The neighbours in a direction, through jobs that stand on the edges. */
function follow(urn: string, isForward: boolean, { nodes, edges }: LineageGraph): readonly string[] {
  const tiles = new Set(nodes.filter(({ isTile }) => isTile).map((node) => node.urn));
  const found = new Set<string>();
  const seen = new Set([urn]);
  let reached = [urn];
  while (reached.length > 0) {
    const next: string[] = [];
    for (const { from, to } of edges) {
      const [near, far] = isForward ? [from, to] : [to, from];
      if (!reached.includes(near) || seen.has(far)) continue;
      seen.add(far);
      if (tiles.has(far)) next.push(far);
      else found.add(far);
    }
    reached = next;
  }
  return [...found];
}
