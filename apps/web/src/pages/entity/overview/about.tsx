import { Link } from '@tanstack/react-router';
import { keepAt } from '../../../app/keep-at';
import { EntityChip, EntityChips } from '../../../components/entity/entity-link';
import { aspect, isObject, list, members } from '../../../data/entity-card';
import { dateText, toMs } from '../../../data/times';
import { enumInWords } from '../../../data/words';
import { DOMAIN, TAGS, TERMS, type EntityList } from '../edit/entity-lists';
import { DeprecationEditor, EntitiesEditor, LinksEditor, OwnersEditor } from '../edit/lazy-editors';
import { useEntityView } from '../entity-context';
import { Properties } from './properties';
import { Row } from './row';
import css from './overview-tab.module.css';

/** Whose the entity is, and what people say about it; each row with its editor. */
export function About() {
  const { entity, card } = useEntityView();
  const owners = list(aspect(entity, 'ownership')?.owners).flatMap((each) =>
    isObject(each) && typeof each.owner === 'string'
      ? [{ urn: each.owner, role: typeof each.type === 'string' ? each.type : '' }]
      : [],
  );
  const terms = members(aspect(entity, 'glossaryTerms')?.terms, 'urn');
  const domains = list(aspect(entity, 'domains')?.domains).filter((each) => typeof each === 'string');
  return (
    <aside className={css.side} aria-label="About">
      <h2>About</h2>
      <dl className={css.about}>
        <Row
          label="Owners"
          aspectName="ownership"
          isEmpty={owners.length === 0}
          edit="Edit the owners"
          editor={(close) => <OwnersEditor onClose={close} />}
        >
          {owners.slice(0, 20).map(({ urn, role }) => (
            <div key={`${urn} ${role}`} className={css.owner}>
              <EntityChip urn={urn} />{' '}
              <span className={css.role}>{enumInWords(role).replace(/ owner$/, '')}</span>
            </div>
          ))}
        </Row>
        <Entities label="Terms" of={TERMS} urns={terms} most={12} />
        <Entities label="Tags" of={TAGS} urns={card.tags} most={12} />
        <Entities label="Domain" of={DOMAIN} urns={domains} most={5} />
        <Links />
        <Properties />
        <Deprecation />
        <div>
          <dt>Urn</dt>
          <dd>
            <code className={css.urn}>{entity.urn.slice(0, 2_000)}</code>
          </dd>
        </div>
      </dl>
      <p>
        <Link to="/e/$urn/json" params={{ urn: entity.urn }} search={keepAt}>
          Everything as JSON
        </Link>
      </p>
    </aside>
  );
}

interface EntitiesProps {
  readonly label: string;
  readonly of: EntityList;
  readonly urns: readonly string[];
  readonly most: number;
}

function Entities({ label, of, urns, most }: EntitiesProps) {
  return (
    <Row
      label={label}
      aspectName={of.aspectName}
      isEmpty={urns.length === 0}
      edit={of.label}
      editor={(close) => <EntitiesEditor of={of} onClose={close} />}
    >
      <EntityChips urns={urns} most={most} />
    </Row>
  );
}

const MOST_LINKS = 20;

function Links() {
  const { entity } = useEntityView();
  const links = list(aspect(entity, 'institutionalMemory')?.elements).flatMap((each) =>
    isObject(each) && typeof each.url === 'string' ? [{ url: each.url, text: each.description }] : [],
  );
  return (
    <Row
      label="Links"
      aspectName="institutionalMemory"
      isEmpty={links.length === 0}
      edit="Edit the links"
      editor={(close) => <LinksEditor onClose={close} />}
    >
      {links.slice(0, MOST_LINKS).map(({ url, text }) => {
        const shown = <bdi>{(typeof text === 'string' && text !== '' ? text : url).slice(0, 300)}</bdi>;
        return (
          <div key={url}>
            {/^https?:\/\//i.test(url) ? (
              <a href={url} target="_blank" rel="noreferrer noopener" title={url.slice(0, 300)}>
                {shown}
              </a>
            ) : (
              shown
            )}
          </div>
        );
      })}
    </Row>
  );
}

function Deprecation() {
  const { entity } = useEntityView();
  const { deprecated, note, decommissionTime } = aspect(entity, 'deprecation') ?? {};
  const endMs = toMs(decommissionTime);
  return (
    <Row
      label="Deprecated"
      aspectName="deprecation"
      isEmpty={deprecated !== true}
      none="No"
      edit="Edit the deprecation"
      editor={(close) => <DeprecationEditor onClose={close} />}
    >
      Yes{endMs !== undefined && <span className={css.role}>, decommissioned on {dateText(endMs)}</span>}
      {typeof note === 'string' && note !== '' && (
        <div className={css.role}>
          <bdi>{note.slice(0, 1_000)}</bdi>
        </div>
      )}
    </Row>
  );
}
