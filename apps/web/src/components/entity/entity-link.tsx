import { Link } from '@tanstack/react-router';
import { keepAt } from '../../app/keep-at';
import type { ReactNode } from 'react';
import { isSystem, splitUrn } from '../../data/urns';
import { useCard } from '../../data/use-card';
import { Icon } from '../icon/icon';
import { Person } from './person';
import { Tile } from './tile';
import css from './entity.module.css';

interface EntityLinkProps {
  readonly urn: string;
  readonly children: ReactNode;
  readonly className?: string | undefined;
  /** The entity whose card shows beside the link after a moment. */
  readonly 'data-card'?: string;
}

/** A link to the page of an entity, at the time that the page shows. */
export function EntityLink({ urn, ...link }: EntityLinkProps) {
  return <Link to="/e/$urn" params={{ urn }} search={keepAt} {...link} />;
}

/** Types with a page that shows more than the entity itself: what lies in it, and what has it. */
const OWN_PAGES: Readonly<Record<string, '/domains/$urn' | '/glossary/$urn'>> = {
  domain: '/domains/$urn',
  glossaryNode: '/glossary/$urn',
  glossaryTerm: '/glossary/$urn',
};

/** A link to the page that is made for the type, else to that of the entity. */
function PlaceLink({ urn, ...link }: EntityLinkProps) {
  const to = OWN_PAGES[splitUrn(urn).type];
  if (to === undefined) return <EntityLink urn={urn} {...link} />;
  return <Link to={to} params={{ urn }} {...link} />;
}

const PEOPLE = ['corpuser', 'corpGroup'];

interface EntityMarkProps {
  readonly urn: string;
  readonly name: string;
  readonly platform: string | undefined;
}

/** A small figure beside the name: of a person, else of where the entity lives. */
export function EntityMark({ urn, name, platform }: EntityMarkProps) {
  const { type } = splitUrn(urn);
  if (PEOPLE.includes(type)) return <Person name={name} isGroup={type === 'corpGroup' || isSystem(urn)} />;
  return <Tile type={type} platform={type === 'dataPlatform' ? urn : platform} size="small" />;
}

/** Any entity in a line of text: its mark and its name, linked. Its look follows its type. */
export function EntityChip({ urn }: { readonly urn: string }) {
  const { type, name, platform, colour } = useCard(urn);
  if (type === 'tag' || type === 'glossaryTerm') {
    return (
      <PlaceLink urn={urn} className={css.pill} data-card={urn}>
        {type === 'tag' ? <Dot colour={colour} /> : <Icon name="bookOpen" size={14} />}
        <bdi className={css.clipped}>{name}</bdi>
      </PlaceLink>
    );
  }
  return (
    <PlaceLink urn={urn} className={css.chip} data-card={urn}>
      <EntityMark urn={urn} platform={platform} name={name} />
      <bdi className={css.clipped}>{name}</bdi>
    </PlaceLink>
  );
}

const HEX = /^#?([\da-f]{6}|[\da-f]{3})$/i;

/** The colour of a tag is a dot, never a background, and only when it is one. */
function Dot({ colour }: { readonly colour: string | undefined }) {
  const [, digits] = HEX.exec(colour ?? '') ?? [];
  return (
    <svg width="8" height="8" viewBox="0 0 8 8" aria-hidden="true" className={css.dot}>
      <circle cx="4" cy="4" r="4" fill={digits === undefined ? 'currentColor' : `#${digits}`} />
    </svg>
  );
}

interface EntityChipsProps {
  readonly urns: readonly string[];
  /** The others are counted. */
  readonly most?: number;
}

export function EntityChips({ urns, most = 8 }: EntityChipsProps) {
  return (
    <span className={css.chips}>
      {urns.slice(0, most).map((urn) => (
        <EntityChip key={urn} urn={urn} />
      ))}
      {urns.length > most && (
        <span className={css.more}>{(urns.length - most).toLocaleString('en')} more</span>
      )}
    </span>
  );
}
