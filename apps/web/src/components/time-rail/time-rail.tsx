import { useState } from 'react';
import { DAY_MS, dateText, momentText, toLocal } from '../../data/times';
import { count } from '../../data/words';
import { Button } from '../button/button';
import { Icon } from '../icon/icon';
import { Dialog } from '../overlay/dialog';
import css from './time-rail.module.css';

interface TimeRailProps {
  /** The days with changes, by the clock of the browser. **Units**: epoch milliseconds. **Order and repeats**: ascending. */
  readonly days: readonly { readonly startTime: number; readonly changes: number }[];
  /** The number of all changes; `undefined`: not known. */
  readonly total: number | undefined;
  /** The shown time; `undefined`: now. */
  readonly atMs: number | undefined;
  readonly onChange: (atMs: number | undefined) => void;
}

const MONTHS_12_MS = 365 * DAY_MS;
const WIDTH = 1_000;
const HEIGHT = 24;

/** When an entity changed, a tick per day, and a slider that shows the page as of a day. */
export function TimeRail({ days: changed, total, atMs, onChange }: TimeRailProps) {
  const [nowMs] = useState(Date.now());
  const [isAsking, setAsking] = useState(false);
  const firstMs = changed[0]?.startTime ?? nowMs;
  const fromMs = dayStart(Math.min(nowMs - MONTHS_12_MS, firstMs - DAY_MS, atMs ?? nowMs));
  const dayOf = (ms: number): number => Math.max(0, Math.round((dayStart(ms) - fromMs) / DAY_MS));
  const days = dayOf(nowMs);
  const perDay = new Map(changed.map(({ startTime, changes }) => [dayOf(startTime), changes]));
  const most = Math.max(1, ...perDay.values());
  const value = atMs === undefined ? days : Math.min(days, dayOf(atMs));
  /** The end of a day, which shows what changed on it. */
  const show = (day: number): void => onChange(day >= days ? undefined : dayStart(fromMs, day + 1) - 1);
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
          {[...perDay].map(([day, changes]) => (
            <rect
              key={day}
              className={day > value ? css.later : css.tick}
              x={x(day) - 2}
              width="4"
              y={HEIGHT - 5 - (changes / most) * (HEIGHT - 6)}
              height={5 + (changes / most) * (HEIGHT - 6)}
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
          aria-valuetext={`${inWords}, ${count(perDay.get(value) ?? 0, 'change')} on this day`}
          onChange={({ target }) => show(Number(target.value))}
        />
        <div className={css.labels} aria-hidden="true">
          <span>{dateText(fromMs, nowMs)}</span>
          <span>today</span>
        </div>
      </div>
      {atMs === undefined ? (
        <span className={css.total}>{total !== undefined && count(total, 'change')}</span>
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

/** The beginning of the day of a time by the clock of the browser, or of one that many days later; summer time makes days longer and shorter. */
function dayStart(ms: number, later = 0): number {
  const day = new Date(ms);
  day.setHours(0, 0, 0, 0);
  return day.setDate(day.getDate() + later);
}
