import { Handle, Position, type Node, type NodeProps } from '@xyflow/react';
import { memo } from 'react';
import { EntityLink } from '../../../components/entity/entity-link';
import { KindAndPath } from '../../../components/entity/entity-path';
import { Tile } from '../../../components/entity/tile';
import { Icon } from '../../../components/icon/icon';
import { useCard } from '../../../data/use-card';
import { splitUrn } from '../../../data/urns';
import { count } from '../../../data/words';
import { typesInWords } from '../graph/fold';
import type { LineageNode } from '../graph/lineage-graph';
import { useChangeAddress } from '../lineage-address';
import { CHANGE_WORDS } from '../lineage-words';
import { useOpenNode } from '../use-open-node';
import css from './canvas.module.css';

export type FlowNode = Node<{
  readonly node: LineageNode;
  /** Urns of the columns that carry the selected one. */
  readonly carries: ReadonlySet<string>;
  readonly isStart: boolean;
}>;

/** The ends of the edges that go to no column. */
function Ends() {
  return (
    <>
      <Handle type="target" position={Position.Left} isConnectable={false} />
      <Handle type="source" position={Position.Right} isConnectable={false} />
    </>
  );
}

export const EntityNode = memo(function EntityNode({
  data: { node, carries, isStart },
}: NodeProps<FlowNode>) {
  const { urn, columns, moreColumns, change } = node;
  const card = useCard(urn);
  const kind = [css.node, isStart ? css.start : '', change === undefined ? '' : css[change]].join(' ');
  return (
    <div className={kind} data-node={urn}>
      <Ends />
      <EntityLink urn={urn} className={css.head}>
        <Tile type={card.type} platform={card.platform} />
        <span className={css.words}>
          <bdi className={css.name} title={card.name.slice(0, 300)}>
            {change !== undefined && (
              <>
                <Icon name={change === 'added' ? 'plus' : 'minus'} size={14} />
                <span className="visually-hidden">{CHANGE_WORDS[change]}: </span>
              </>
            )}
            {card.isKnown ? card.name : node.name}
          </bdi>
          <span className={css.path}>
            <KindAndPath card={card} />
          </span>
        </span>
      </EntityLink>
      {columns.length > 0 && (
        <div className={css.columns}>
          {columns.map((column) => (
            <Column key={column} column={column} carries={carries.has(column)} isSelectable={isStart} />
          ))}
          {moreColumns > 0 && <div className={css.moreColumns}>{count(moreColumns, 'more column')}</div>}
        </div>
      )}
      <More node={node} name={card.name} />
    </div>
  );
});

interface ColumnProps {
  readonly column: string;
  readonly carries: boolean;
  /** The columns of the start can be chosen. */
  readonly isSelectable: boolean;
}

function Column({ column, carries, isSelectable }: ColumnProps) {
  const change = useChangeAddress();
  const name = splitUrn(column).key[1] ?? column;
  return (
    <div className={`${css.column ?? ''} ${carries ? (css.carrying ?? '') : ''}`}>
      <Handle id={column} type="target" position={Position.Left} isConnectable={false} />
      {isSelectable ? (
        <button type="button" tabIndex={-1} title={`Follow ${name}`} onClick={() => change({ column: name })}>
          {name}
        </button>
      ) : (
        <bdi title={name.slice(0, 300)}>{name}</bdi>
      )}
      <Handle id={column} type="source" position={Position.Right} isConnectable={false} />
    </div>
  );
}

/** How many neighbours are not shown, on the side where they are. */
function More({ node, name }: { readonly node: LineageNode; readonly name: string }) {
  const open = useOpenNode();
  const { moreUpstream, moreDownstream, isOpened } = node;
  if (isOpened) return null;
  const badge = (number: number, side: string | undefined, what: string) =>
    number > 0 && (
      <button
        type="button"
        tabIndex={-1}
        className={`${css.badge ?? ''} ${side ?? ''} nodrag nopan`}
        aria-label={`Show ${String(number)} more that ${what} ${name}`}
        onClick={() => open(node)}
      >
        +{number}
      </button>
    );
  return (
    <>
      {badge(moreUpstream, css.left, 'feed')}
      {badge(moreDownstream, css.right, 'depend on')}
    </>
  );
}

export const FoldNode = memo(function FoldNode({ data: { node } }: NodeProps<FlowNode>) {
  const open = useOpenNode();
  const { folded = [] } = node;
  return (
    <div className={css.fold} data-node={node.urn}>
      <Ends />
      <button type="button" className={css.head} onClick={() => open(node)}>
        <span className={css.words}>
          <span className={css.name}>{folded.length} more</span>
          <span className={css.path}>{typesInWords(folded)}</span>
        </span>
      </button>
    </div>
  );
});

/** A job on the edges between what it reads and what it writes. */
export const JobTile = memo(function JobTile({ data: { node } }: NodeProps<FlowNode>) {
  const { name, platform, type, kind } = useCard(node.urn);
  return (
    <div className={css.job} data-tile={node.urn} title={`${kind}: ${name}`}>
      <Ends />
      <EntityLink urn={node.urn}>
        <Tile type={type} platform={platform} />
        <span className="visually-hidden">
          {kind} {name}
        </span>
      </EntityLink>
    </div>
  );
});
