import { useState } from 'react';
import { DAY_MS, dateText, momentText } from '../../data/times';
import { count } from '../../data/words';
import { Button } from '../button/button';
import { Icon } from '../icon/icon';
import { Dialog } from '../overlay/dialog';
import css from './time-rail.module.css';

interface TimeRailProps {
  /** When something changed. **Units**: epoch milliseconds. **Order and repeats**: any. */
  readonly changesMs: readonly number[];
  /** False: there were more, before. */
  readonly isAll: boolean;
  /** The shown time; `undefined`: now. */
  readonly atMs: number | undefined;
  readonly onChange: (atMs: number | undefined) => void;
}

const MONTHS_12_MS = 365 * DAY_MS;
const WIDTH = 1_000;
const HEIGHT = 24;

/** When an entity changed, a tick per day, and a slider that shows the page as of a day. */
export function TimeRail({ changesMs, isAll, atMs, onChange }: TimeRailProps) {
  const [nowMs] = useState(Date.now());
  const [isAsking, setAsking] = useState(false);
  const firstMs = changesMs.reduce((least, each) => Math.min(least, each), nowMs);
  const fromMs = Math.min(nowMs - MONTHS_12_MS, firstMs - DAY_MS, atMs ?? nowMs);
  const days = Math.ceil((nowMs - fromMs) / DAY_MS);
  const dayOf = (ms: number): number => Math.min(days, Math.max(0, Math.floor((ms - fromMs) / DAY_MS)));
  const perDay = new Map<number, number[]>();
  for (const ms of changesMs) perDay.set(dayOf(ms), [...(perDay.get(dayOf(ms)) ?? []), ms]);
  const most = Math.max(1, ...[...perDay.values()].map(({ length }) => length));
  const value = atMs === undefined ? days : dayOf(atMs);
  /** The last change of a day, else its end: the moment that people mean. */
  const show = (day: number): void => {
    const ofDay = perDay.get(day) ?? [fromMs + (day + 1) * DAY_MS - 1];
    onChange(day >= days ? undefined : Math.max(...ofDay));
  };
  const inWords = atMs === undefined ? 'Now' : `As of ${momentText(atMs)}`;
  const x = (day: number): number => (day / days) * WIDTH;
  return (
    <section className={`${css.rail ?? ''} ${atMs === undefined ? '' : (css.past ?? '')}`} aria-label="Time">
      <button type="button" className={css.when} onClick={() => setAsking(true)} title="Choose a time">
        <Icon name="history" /> {inWords} <Icon name="chevronDown" size={14} />
      </button>
      <div className={css.slider}>
        <svg viewBox={`0 0 ${String(WIDTH)} ${String(HEIGHT)}`} preserveAspectRatio="none" aria-hidden="true">
          <line x1="0" x2={WIDTH} y1={HEIGHT - 0.5} y2={HEIGHT - 0.5} className={css.axis} />
          {[...perDay].map(([day, ofDay]) => (
            <rect
              key={day}
              className={day > value ? css.later : css.tick}
              x={x(day) - 2}
              width="4"
              y={HEIGHT - 5 - (ofDay.length / most) * (HEIGHT - 6)}
              height={5 + (ofDay.length / most) * (HEIGHT - 6)}
            />
          ))}
          <rect className={css.hand} x={Math.min(x(value), WIDTH - 2) - 1} width="3" y="0" height={HEIGHT} />
        </svg>
        <input
          type="range"
          min={0}
          max={days}
          value={value}
          aria-label="Show the page as of a day"
          aria-valuetext={`${inWords}, ${count(perDay.get(value)?.length ?? 0, 'change')} on this day`}
          onChange={({ target }) => show(Number(target.value))}
        />
        <div className={css.labels} aria-hidden="true">
          <span>{dateText(fromMs, nowMs)}</span>
          <span>today</span>
        </div>
      </div>
      {atMs === undefined ? (
        <span className={css.total}>
          {isAll ? '' : 'More than '}
          {count(changesMs.length, 'change')}
        </span>
      ) : (
        <Button size="small" onClick={() => onChange(undefined)}>
          Back to now
        </Button>
      )}
      {isAsking && (
        <AskTime
          atMs={atMs ?? nowMs}
          onClose={() => setAsking(false)}
          onChange={(ms) => {
            setAsking(false);
            onChange(ms);
          }}
        />
      )}
    </section>
  );
}

interface AskTimeProps {
  readonly atMs: number;
  readonly onClose: () => void;
  readonly onChange: (ms: number) => void;
}

function AskTime({ atMs, onClose, onChange }: AskTimeProps) {
  const [text, setText] = useState(toLocal(atMs));
  const ms = new Date(text).getTime();
  return (
    <Dialog label="Choose a time" onClose={onClose}>
      <form
        className={css.ask}
        onSubmit={(event) => {
          event.preventDefault();
          if (!Number.isNaN(ms)) onChange(ms);
        }}
      >
        <label>
          Show the page as of
          <input
            type="datetime-local"
            value={text}
            max={toLocal(Date.now())}
            onChange={({ target }) => setText(target.value)}
          />
        </label>
        <Button type="submit" kind="primary" disabled={Number.isNaN(ms)}>
          Show
        </Button>
      </form>
    </Dialog>
  );
}

/** The form of the input: local, to the minute. */
function toLocal(ms: number): string {
  return new Date(ms - new Date(ms).getTimezoneOffset() * 60_000).toISOString().slice(0, 16);
}
