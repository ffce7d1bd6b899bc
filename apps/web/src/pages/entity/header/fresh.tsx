import { Icon } from '../../../components/icon/icon';
import { RelativeTime } from '../../../components/text/relative-time';
import { describingValues, isObject } from '../../../data/entity-card';
import { toMs } from '../../../data/times';
import { useTimeseries } from '../use-timeseries';
import type { EntityView } from '../use-entity';
import css from './entity-header.module.css';

/** When the data itself last changed: by an operation that was reported, else by what the source says. */
export function Fresh({ view }: { readonly view: EntityView }) {
  const { urn, model, entity, atMs } = view;
  const { values } = useTimeseries({ urn, type: model.name, aspect: 'operation', limit: 1 });
  if (atMs !== undefined) return <span className={css.none}>Not known for this time</span>;
  const [operation] = values ?? [];
  const loadedMs = toMs(operation?.lastUpdatedTimestamp);
  if (loadedMs !== undefined) {
    return (
      <span className={css.good}>
        <Icon name="circleCheck" /> Loaded <RelativeTime ms={loadedMs} />
      </span>
    );
  }
  const changedMs = describingValues(entity)
    .map(({ lastModified }) => (isObject(lastModified) ? toMs(lastModified.time) : undefined))
    .find((ms) => ms !== undefined && ms > 0);
  return changedMs === undefined ? (
    <span className={css.none}>Nothing known</span>
  ) : (
    <>
      Changed at the source <RelativeTime ms={changedMs} />
    </>
  );
}
