import { clockText } from './clock';
import css from './health.module.css';
import type { LagAt } from './use-lag';

const WIDTH = 740;
const HEIGHT = 110;
const LOWEST_TOP = 10;

/** The lag over time: two lines, which differ by dash too. */
export function LagPlot({ past }: { readonly past: readonly LagAt[] }) {
  const [first] = past;
  const last = past.at(-1);
  if (first === undefined || last === undefined) return null;
  const most = Math.max(LOWEST_TOP, ...past.flatMap(({ search = 0, graph = 0 }) => [search, graph]));
  const spanMs = Math.max(1, last.ms - first.ms);
  const line = (of: 'search' | 'graph'): string =>
    past
      .map(
        (at) =>
          `${(((at.ms - first.ms) / spanMs) * WIDTH).toFixed(1)},${(HEIGHT - ((at[of] ?? 0) / most) * HEIGHT).toFixed(1)}`,
      )
      .join(' ');
  return (
    <figure>
      <svg
        viewBox={`0 -4 ${String(WIDTH)} ${String(HEIGHT + 8)}`}
        preserveAspectRatio="none"
        className={css.plot}
        aria-hidden="true"
      >
        <polyline points={line('search')} className={css.search} />
        <polyline points={line('graph')} className={css.graph} />
      </svg>
      <figcaption className={css.axis}>
        <span>{clockText(first.ms)}</span>
        <span>
          <span className={css.searchName}>search {(last.search ?? 0).toLocaleString('en')}</span>,{' '}
          <span className={css.graphName}>graph {(last.graph ?? 0).toLocaleString('en')}</span>, at most{' '}
          {Math.max(...past.flatMap(({ search = 0, graph = 0 }) => [search, graph])).toLocaleString('en')}
        </span>
        <span>{clockText(last.ms)}</span>
      </figcaption>
    </figure>
  );
}
