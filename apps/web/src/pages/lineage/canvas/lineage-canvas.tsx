import '@xyflow/react/dist/base.css';
import {
  MiniMap,
  Panel,
  ReactFlow,
  ReactFlowProvider,
  applyNodeChanges,
  useReactFlow,
  useViewport,
  type Edge,
  type NodeTypes,
} from '@xyflow/react';
import { useEffect, useMemo, useState } from 'react';
import { IconButton } from '../../../components/button/button';
import { columnX } from '../graph/place-nodes';
import { lineageFocus } from '../lineage-focus';
import { hopsInWords } from '../lineage-words';
import type { ShownLineage } from '../use-lineage';
import { EntityNode, FoldNode, JobTile, type FlowNode } from './canvas-nodes';
import { useCanvasKeys } from './use-canvas-keys';
import css from './canvas.module.css';

const NODE_TYPES: NodeTypes = { entity: EntityNode, fold: FoldNode, job: JobTile };
/** Headings stand above the picture, tools below it. */
const PADDING = { top: '44px', bottom: '56px', x: '24px' } as const;
const FIT = { padding: PADDING, maxZoom: 1, minZoom: 0.3 };

/** The lineage as a picture that pans and zooms. What it shows stands in the list too. */
export function LineageCanvas({ shown }: { readonly shown: ShownLineage }) {
  return (
    <ReactFlowProvider>
      <Canvas shown={shown} />
    </ReactFlowProvider>
  );
}

function Canvas({ shown }: { readonly shown: ShownLineage }) {
  const { graph, places, trace, start } = shown;
  const keys = useCanvasKeys(shown);
  const wanted = useMemo(
    () =>
      graph.nodes.map((node): FlowNode => ({
        id: node.urn,
        type: node.folded !== undefined ? 'fold' : node.isTile ? 'job' : 'entity',
        position: places.get(node.urn) ?? { x: 0, y: 0 },
        data: { node, carries: trace.columns, isStart: node.urn === start.urn },
      })),
    [graph, places, trace, start],
  );
  const [nodes, setNodes] = useState<FlowNode[]>([]);
  useEffect(() => {
    setNodes((before) => {
      const measured = new Map(before.map((node) => [node.id, node.measured]));
      return wanted.map((node) => {
        const size = measured.get(node.id);
        return size === undefined ? node : { ...node, measured: size };
      });
    });
  }, [wanted]);
  const edges = useMemo(() => toEdges(shown), [shown]);
  return (
    <div
      className={css.canvas}
      role="group"
      aria-label="Lineage; the view “List” says the same in words"
      {...keys}
    >
      <ReactFlow
        nodes={nodes}
        edges={edges}
        nodeTypes={NODE_TYPES}
        onNodesChange={(changes) => setNodes((before) => applyNodeChanges(changes, before))}
        onNodeClick={(_event, { id }) => lineageFocus.set(id)}
        nodesDraggable={false}
        nodesConnectable={false}
        nodesFocusable={false}
        edgesFocusable={false}
        elementsSelectable={false}
        disableKeyboardA11y
        deleteKeyCode={null}
        fitView
        fitViewOptions={FIT}
        minZoom={0.2}
        maxZoom={1.5}
        proOptions={{ hideAttribution: true }}
      >
        <Headings shown={shown} />
        <Panel position="bottom-left" className={css.tools ?? ''}>
          <Zoom />
          <Legend hasColumn={trace.edges.size > 0} hasTiles={graph.nodes.some(({ isTile }) => isTile)} />
        </Panel>
        <MiniMap pannable ariaLabel={null} nodeClassName={css.mini ?? ''} className={css.map ?? ''} />
      </ReactFlow>
    </div>
  );
}

function toEdges({ graph, trace }: ShownLineage): Edge[] {
  return graph.edges
    .map(({ id, from, to, fromColumn, toColumn, change }) => {
      const isCarrying = trace.edges.has(id);
      return {
        id,
        source: from,
        target: to,
        sourceHandle: fromColumn ?? null,
        targetHandle: toColumn ?? null,
        focusable: false,
        zIndex: isCarrying ? 1 : 0,
        className: [isCarrying ? css.carries : '', change === undefined ? '' : css[change]].join(' '),
      };
    })
    .sort((one, other) => one.zIndex - other.zIndex);
}

/** The hops of each column: they stay above it, and keep their size, however one pans and zooms. */
function Headings({ shown: { graph } }: { readonly shown: ShownLineage }) {
  const { x, zoom } = useViewport();
  const degrees = [...new Set(graph.nodes.filter(({ isTile }) => !isTile).map(({ degree }) => degree))];
  return (
    <div className={css.headings}>
      {degrees.map((degree) => (
        <p
          key={degree}
          className={css.heading}
          style={{
            transform: `translateX(${String(x + columnX(degree) * zoom)}px)`,
            maxWidth: `${String(columnX(1) * zoom)}px`,
          }}
        >
          {hopsInWords(degree)}
        </p>
      ))}
    </div>
  );
}

function Zoom() {
  const { zoomIn, zoomOut, fitView } = useReactFlow();
  const { zoom } = useViewport();
  return (
    <div className={css.zoom} role="group" aria-label="Zoom">
      <IconButton icon="minus" label="Zoom out" onClick={() => void zoomOut()} />
      <span className={css.percent}>{Math.round(zoom * 100)} %</span>
      <IconButton icon="plus" label="Zoom in" onClick={() => void zoomIn()} />
      <IconButton icon="search" label="Show everything" onClick={() => void fitView(FIT)} />
    </div>
  );
}

function Legend({ hasColumn, hasTiles }: { readonly hasColumn: boolean; readonly hasTiles: boolean }) {
  return (
    <p className={css.legend}>
      {hasColumn && (
        <span>
          <svg width="20" height="4" aria-hidden="true">
            <line x1="0" x2="20" y1="2" y2="2" className={css.lineCarrying} />
          </svg>{' '}
          carries the column
        </span>
      )}
      <span>
        <svg width="20" height="4" aria-hidden="true">
          <line x1="0" x2="20" y1="2" y2="2" className={css.line} />
        </svg>{' '}
        {hasColumn ? 'other lineage' : 'lineage'}
      </span>
      {hasTiles && <span>a small tile: a job does it</span>}
    </p>
  );
}
