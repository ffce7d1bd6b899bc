import { Loaded } from '../../../components/states/states';
import { count } from '../../../data/words';
import type { LineageAddress } from '../lineage-address';
import { useWalk } from '../use-walk';
import { Nearest } from './nearest';
import css from './panel.module.css';

/** Answers what an entity or a column is made from. */
export function UpstreamPanel({ address }: { readonly address: LineageAddress }) {
  const walk = useWalk(address, 'UPSTREAM');
  const { column } = address;
  return (
    <section className={css.answer}>
      <p className={css.small}>What it is made from</p>
      <Loaded query={walk} what="What it is made from">
        {({ total, relationships }) => (
          <>
            <h2 className={css.headline}>
              {column === undefined ? 'It' : <code>{column.slice(0, 200)}</code>}{' '}
              {total === 0
                ? 'is made from nothing that is known'
                : `is made from ${column === undefined ? count(total, 'entity', 'entities') : count(total, 'column')}`}
            </h2>
            <Nearest title="Nearest first" nearest={relationships} total={total} />
          </>
        )}
      </Loaded>
    </section>
  );
}
