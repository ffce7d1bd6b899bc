import { useState } from 'react';
import { Link } from '@tanstack/react-router';
import { IconButton } from '../../../components/button/button';
import { EntityChip, EntityChips, EntityLink } from '../../../components/entity/entity-link';
import { Icon } from '../../../components/icon/icon';
import { PageTitle } from '../../../components/text/page-title';
import { RelativeTime } from '../../../components/text/relative-time';
import { starred, toggleStar } from '../../../data/own-entities';
import { platformLook } from '../../../data/platforms';
import { Tile } from '../../../components/entity/tile';
import { useStore } from '../../../data/store';
import { useCard } from '../../../data/use-card';
import { isUrn } from '../../../data/urns';
import type { Change } from '../use-changes';
import type { EntityView } from '../use-entity';
import { Feeds, hasLineage } from './feeds';
import { Fresh } from './fresh';
import css from './entity-header.module.css';

interface EntityHeaderProps {
  readonly view: EntityView;
  readonly changes: readonly Change[];
}

/** Answers first: fresh? whose? which domain? who depends on it? when changed? */
export function EntityHeader({ view, changes }: EntityHeaderProps) {
  const { urn, card, model, atMs } = view;
  const last = changes.find(({ time }) => atMs === undefined || time <= atMs);
  return (
    <header className={css.header}>
      <Path view={view} />
      <div className={css.title}>
        <PageTitle title={card.name}>
          <bdi>{card.name.slice(0, 300)}</bdi>
        </PageTitle>
        <span className={css.kind}>{card.kind}</span>
        <EntityChips urns={card.tags} most={6} />
        <span className={css.actions}>
          <Star urn={urn} />
          <CopyLink />
        </span>
      </div>
      <dl className={css.facts}>
        {model.aspects.some(({ name }) => name === 'operation') && (
          <Fact label="Fresh">
            <Fresh view={view} />
          </Fact>
        )}
        {model.aspects.some(({ name }) => name === 'ownership') && (
          <Fact label="Owners">
            {card.owners.length === 0 ? <None>Nobody yet</None> : <EntityChips urns={card.owners} most={3} />}
          </Fact>
        )}
        {model.aspects.some(({ name }) => name === 'domains') && (
          <Fact label="Domain">
            {card.domain === undefined ? <None>None yet</None> : <EntityChip urn={card.domain} />}
          </Fact>
        )}
        {hasLineage(model) && (
          <Fact label="Feeds">
            <Feeds view={view} />
          </Fact>
        )}
        <Fact label="Last change">
          {last === undefined ? (
            <None>Nothing known</None>
          ) : (
            <>
              <RelativeTime ms={last.time} /> by <EntityChip urn={last.actor} />
            </>
          )}
        </Fact>
      </dl>
    </header>
  );
}

function Fact({ label, children }: { readonly label: string; readonly children: React.ReactNode }) {
  return (
    <div className={css.fact}>
      <dt>{label}</dt>
      <dd>{children}</dd>
    </div>
  );
}

function None({ children }: { readonly children: string }) {
  return <span className={css.none}>{children}</span>;
}

function Path({ view: { card } }: { readonly view: EntityView }) {
  const { platform, path } = card;
  if (platform === undefined && path.length === 0) return null;
  return (
    <nav className={css.path} aria-label="Where it lies">
      {platform !== undefined && (
        <>
          <Tile type="dataPlatform" platform={platform} size="small" />
          <Link to="/search" search={{ platform: [platform] }}>
            {platformLook(platform).name}
          </Link>
        </>
      )}
      {path.slice(0, 8).map((step) => (
        <span key={step} className={css.step}>
          <Icon name="chevronRight" size={14} />
          {isUrn(step) ? <Step urn={step} /> : <bdi>{step}</bdi>}
        </span>
      ))}
    </nav>
  );
}

function Step({ urn }: { readonly urn: string }) {
  return (
    <EntityLink urn={urn}>
      <bdi>{useCard(urn).name}</bdi>
    </EntityLink>
  );
}

function Star({ urn }: { readonly urn: string }) {
  const isStarred = useStore(starred).includes(urn);
  return (
    <IconButton
      hasBorder
      icon="star"
      label={isStarred ? 'Remove the star' : 'Star: find it on the home page'}
      aria-pressed={isStarred}
      onClick={() => toggleStar(urn)}
    />
  );
}

function CopyLink() {
  const [isCopied, setCopied] = useState(false);
  return (
    <IconButton
      hasBorder
      icon={isCopied ? 'check' : 'link'}
      label={isCopied ? 'Copied' : 'Copy the link to this page'}
      onClick={() => void navigator.clipboard.writeText(location.href).then(() => setCopied(true))}
    />
  );
}
