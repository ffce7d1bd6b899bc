import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { useCall } from '../../data/use-call';
import { useCard } from '../../data/use-card';
import { count } from '../../data/words';
import { Loaded } from '../states/states';
import { IconButton } from '../button/button';
import css from './entity-tree.module.css';

export interface TreeKind {
  /** Entity types of the nodes. */
  readonly types: readonly string[];
  /** The search field that has the urn of the node above. */
  readonly parentField: string;
  /** Types that have nodes below them. */
  readonly parents: readonly string[];
  readonly to: '/domains/$urn' | '/glossary/$urn';
}

/** A level is a call; larger ones name their number. */
const MOST = 200;

/** The parameters of the call that lists the nodes below one, or those at the top. */
export function childrenOf({ types, parentField: field }: TreeKind, parent: string | undefined) {
  const condition =
    parent === undefined
      ? { field, condition: 'EXISTS' as const, negated: true }
      : { field, condition: 'EQUAL' as const, values: [parent] };
  return {
    input: '*',
    entities: [...types],
    start: 0,
    count: MOST,
    facets: [],
    sort: { field: 'name', order: 'ASCENDING' as const },
    filter: { or: [{ and: [condition] }] },
  };
}

interface LevelProps {
  readonly kind: TreeKind;
  readonly parent?: string;
  /** Urn of the chosen node. */
  readonly current: string | undefined;
  /** Urns that are open, since the chosen node lies below them. */
  readonly ancestors: readonly string[];
}

/** Entities that lie in each other, as folders that open. */
export function EntityTree({ kind, parent, current, ancestors }: LevelProps) {
  const level = useCall('POST /entities?action=searchAcrossEntities', childrenOf(kind, parent));
  return (
    <Loaded query={level} what="The tree">
      {({ metadata, numEntities }) => (
        <ul className={css.level}>
          {metadata.urns.map((urn) => (
            <TreeNode key={urn} urn={urn} kind={kind} current={current} ancestors={ancestors} />
          ))}
          {numEntities > MOST && <li className={css.more}>{count(numEntities - MOST, 'more', 'more')}</li>}
          {numEntities === 0 && <li className={css.more}>Nothing here</li>}
        </ul>
      )}
    </Loaded>
  );
}

interface TreeNodeProps extends Omit<LevelProps, 'parent'> {
  readonly urn: string;
}

function TreeNode({ urn, kind, current, ancestors }: TreeNodeProps) {
  const { name, type } = useCard(urn);
  const [isOpen, setOpen] = useState<boolean>();
  const opens = kind.parents.includes(type);
  const isShown = isOpen ?? ancestors.includes(urn);
  return (
    <li>
      <span className={css.node}>
        {opens ? (
          <IconButton
            icon={isShown ? 'chevronDown' : 'chevronRight'}
            label={`${isShown ? 'Close' : 'Open'} ${name}`}
            aria-expanded={isShown}
            onClick={() => setOpen(!isShown)}
          />
        ) : (
          <span className={css.space} />
        )}
        <Link
          to={kind.to}
          params={{ urn }}
          className={css.link}
          aria-current={urn === current ? 'page' : undefined}
        >
          <bdi>{name}</bdi>
        </Link>
      </span>
      {opens && isShown && <EntityTree kind={kind} parent={urn} current={current} ancestors={ancestors} />}
    </li>
  );
}
