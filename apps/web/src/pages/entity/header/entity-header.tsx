import { useState } from 'react';
import { Link } from '@tanstack/react-router';
import { IconButton } from '../../../components/button/button';
import { EntityChip, EntityChips } from '../../../components/entity/entity-link';
import { Icon } from '../../../components/icon/icon';
import { PageTitle } from '../../../components/text/page-title';
import { RelativeTime } from '../../../components/text/relative-time';
import { aspect, isObject, list } from '../../../data/entity-card';
import { starred, toggleStar } from '../../../data/own-entities';
import { platformLook } from '../../../data/platforms';
import { Tile } from '../../../components/entity/tile';
import { useStore } from '../../../data/store';
import { useCard } from '../../../data/use-card';
import { isUrn } from '../../../data/urns';
import { writeSteps } from '../../browse/path-steps';
import { useLastChange } from '../use-changes';
import type { EntityView } from '../use-entity';
import { Checks, hasChecks } from './checks';
import { Contract } from './contract';
import { Feeds, hasLineage } from './feeds';
import { Fresh } from './fresh';
import css from './entity-header.module.css';

interface EntityHeaderProps {
  readonly view: EntityView;
}

/** Answers first: fresh? whose? which domain? who depends on it? when changed? */
export function EntityHeader({ view }: EntityHeaderProps) {
  const { urn, card, model, atMs } = view;
  const last = useLastChange(urn, atMs);
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
        {hasChecks(model) && (
          <Fact label="Checks">
            <Checks view={view} />
          </Fact>
        )}
        {hasChecks(model) && (
          <Fact label="Contract">
            <Contract view={view} />
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

function Path({ view: { card, entity } }: { readonly view: EntityView }) {
  const { platform } = card;
  const steps = list(aspect(entity, 'browsePathsV2')?.path).flatMap((each) =>
    isObject(each) && typeof each.id === 'string' ? [{ id: each.id, urn: each.urn }] : [],
  );
  if (platform === undefined && steps.length === 0) return null;
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
      {steps.slice(0, 8).map(({ id, urn }, at) => (
        <span key={id} className={css.step}>
          <Icon name="chevronRight" size={14} />
          <Link
            to="/browse/paths/$"
            params={{ _splat: writeSteps(steps.slice(0, at + 1).map((step) => step.id)) }}
          >
            {isUrn(urn) ? <StepName urn={urn} /> : <bdi>{id}</bdi>}
          </Link>
        </span>
      ))}
    </nav>
  );
}

function StepName({ urn }: { readonly urn: string }) {
  return <bdi>{useCard(urn).name}</bdi>;
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
