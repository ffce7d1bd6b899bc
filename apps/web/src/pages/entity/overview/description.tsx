import { EntityChip } from '../../../components/entity/entity-link';
import { Markdown } from '../../../components/markdown/markdown';
import { RelativeTime } from '../../../components/text/relative-time';
import { describedBy } from '../../../data/entity-card';
import { toMs } from '../../../data/times';
import { Editable } from '../edit/editable';
import { TextEditor } from '../edit/lazy-editors';
import { useTextPlace } from '../edit/use-text-place';
import { useEntityView } from '../entity-context';
import css from './overview-tab.module.css';

/** What people or connectors wrote about the entity, and who it was. */
export function Description() {
  const view = useEntityView();
  const { entity, card } = view;
  const place = useTextPlace(view);
  const { created } = describedBy(entity, card.description) ?? {};
  const ms = toMs(created?.time);
  const text =
    card.description === undefined ? (
      <p className={css.empty}>No description yet</p>
    ) : (
      <>
        <Markdown text={card.description} />
        {created !== undefined && ms !== undefined && (
          <p className={css.author}>
            Written by <EntityChip urn={created.actor} /> <RelativeTime ms={ms} />
          </p>
        )}
      </>
    );
  return (
    <section aria-label="Description">
      {place === undefined ? (
        text
      ) : (
        <Editable
          label={`Edit the ${place.field}`}
          aspectName={place.aspectName}
          isLabelled
          editor={(close) => <TextEditor place={place} shown={card.description} onClose={close} />}
        >
          {text}
        </Editable>
      )}
    </section>
  );
}
