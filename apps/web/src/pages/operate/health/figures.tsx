import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useCall } from '../../../data/use-call';
import { count } from '../../../data/words';
import css from '../operate.module.css';
import { MANY, lagOf, type Health } from './lag';
import { inWords } from './line-plot';
import type { Sample } from './work-history';

interface FiguresProps {
  readonly health: Health;
  /** The newest interval; `undefined`: none is over. */
  readonly last: Sample | undefined;
  readonly refreshMs: number | false;
}

const MINUTE_S = 60;

/** The four numbers that operators ask for first. */
export function Figures({ health, last, refreshMs }: FiguresProps) {
  const letters = useCall('GET /operations/deadLetters', { count: 0, state: 'open' }, { refreshMs });
  const perSecond = last?.proposalsPerSecond;
  return (
    <div className={css.numbers}>
      <LagFigure title="Search index" changes={lagOf(health, 'indexer')} />
      <LagFigure title="Relationship graph" changes={lagOf(health, 'graph')} />
      <Figure
        title="Writes"
        note={
          last?.p95Millis === undefined
            ? 'No requests yet'
            : `95 of 100 requests within ${inWords(last.p95Millis, 'ms')}`
        }
      >
        {perSecond === undefined ? '–' : `${inWords(Math.round(perSecond * MINUTE_S))} / min`}
      </Figure>
      <Figure
        title="Dead letters"
        note={<Link to="/operate/dead-letters">What they are</Link>}
        look={(letters.data?.total ?? 0) > 0 ? css.bad : undefined}
      >
        {letters.data === undefined ? '–' : letters.data.total.toLocaleString('en')}
      </Figure>
    </div>
  );
}

interface LagFigureProps {
  readonly title: string;
  readonly changes: number | undefined;
}

function LagFigure({ title, changes }: LagFigureProps) {
  if (changes === undefined)
    return (
      <Figure title={title} note="Nothing has been written yet">
        –
      </Figure>
    );
  return (
    <Figure
      title={title}
      note={`${count(changes, 'change')} behind`}
      look={changes >= MANY ? css.warning : undefined}
    >
      {changes === 0 ? 'Up to date' : `${changes.toLocaleString('en')} behind`}
    </Figure>
  );
}

interface FigureProps {
  readonly title: string;
  readonly note: ReactNode;
  readonly look?: string | undefined;
  readonly children: string;
}

function Figure({ title, note, look = '', children }: FigureProps) {
  return (
    <section className={css.card} aria-label={title}>
      <h2 className={css.note}>{title}</h2>
      <p className={`${css.number ?? ''} ${look}`}>{children}</p>
      <p className={css.note}>{note}</p>
    </section>
  );
}
