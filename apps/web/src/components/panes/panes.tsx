import type { ReactNode } from 'react';
import { useCard } from '../../data/use-card';
import { EntityChip, EntityChips, EntityLink } from '../entity/entity-link';
import { KindAndPath } from '../entity/entity-path';
import { Tile } from '../entity/tile';
import { IconButton } from '../button/button';
import css from './panes.module.css';

interface PanesProps {
  /** What the tree is of: "Folders". */
  readonly label: string;
  readonly tree: ReactNode;
  readonly children: ReactNode;
  /** Urn of the entity that the third pane shows. */
  readonly preview: string | undefined;
  readonly onPreview: (urn: string | undefined) => void;
}

/** A tree, what its chosen node contains, and a preview; one below the other on phones. */
export function Panes({ label, tree, children, preview, onPreview }: PanesProps) {
  return (
    <div className={`${css.panes ?? ''} ${preview === undefined ? '' : (css.three ?? '')}`}>
      <nav className={css.tree} aria-label={label}>
        {tree}
      </nav>
      <div className={css.contents}>{children}</div>
      {preview !== undefined && <Preview urn={preview} onClose={() => onPreview(undefined)} />}
    </div>
  );
}

function Preview({ urn, onClose }: { readonly urn: string; readonly onClose: () => void }) {
  const card = useCard(urn);
  return (
    <aside className={css.preview} aria-label="Preview">
      <div className={css.previewHead}>
        <Tile type={card.type} platform={card.platform} />
        <h2>
          <EntityLink urn={urn}>
            <bdi>{card.name}</bdi>
          </EntityLink>
        </h2>
        <IconButton icon="x" label="Close the preview" onClick={onClose} />
      </div>
      <p>
        <KindAndPath card={card} />
      </p>
      <p className={css.text}>
        {card.description === undefined ? 'No description' : <bdi>{card.description.slice(0, 1_000)}</bdi>}
      </p>
      <dl className={css.facts}>
        <dt>Owners</dt>
        <dd>{card.owners.length === 0 ? 'Nothing known' : <EntityChips urns={card.owners} />}</dd>
        <dt>Domain</dt>
        <dd>{card.domain === undefined ? 'Nothing known' : <EntityChip urn={card.domain} />}</dd>
        <dt>Tags</dt>
        <dd>{card.tags.length === 0 ? 'None' : <EntityChips urns={card.tags} />}</dd>
      </dl>
    </aside>
  );
}

interface EntityRowsProps {
  readonly urns: readonly string[];
  readonly preview: string | undefined;
  readonly onPreview: (urn: string | undefined) => void;
}

/** Entities in a pane: the name leads to the entity, the button to its preview. */
export function EntityRows({ urns, preview, onPreview }: EntityRowsProps) {
  return (
    <ul>
      {urns.map((urn) => (
        <Row key={urn} urn={urn} isPreviewed={urn === preview} onPreview={() => onPreview(urn)} />
      ))}
    </ul>
  );
}

interface RowProps {
  readonly urn: string;
  readonly isPreviewed: boolean;
  readonly onPreview: () => void;
}

function Row({ urn, isPreviewed, onPreview }: RowProps) {
  const card = useCard(urn);
  return (
    <li className={`${css.row ?? ''} ${isPreviewed ? (css.previewed ?? '') : ''}`}>
      <Tile type={card.type} platform={card.platform} />
      <span className={css.words}>
        <EntityLink urn={urn} className={css.link}>
          <bdi>{card.name}</bdi>
        </EntityLink>
        <KindAndPath card={card} />
      </span>
      <IconButton icon="info" label={`Preview ${card.name}`} aria-pressed={isPreviewed} onClick={onPreview} />
    </li>
  );
}
