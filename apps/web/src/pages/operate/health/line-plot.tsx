import { clockText } from './clock';
import css from './health.module.css';

interface Line {
  readonly name: string;
  /** **Order and repeats**: as the times. `undefined`: not known then. */
  readonly values: readonly (number | undefined)[];
}

interface LinePlotProps {
  readonly title: string;
  /** **Units**: epoch milliseconds. **Order and repeats**: ascending. */
  readonly times: readonly number[];
  /** At most two, which differ by dash too. */
  readonly lines: readonly Line[];
  /** The least value at the top of the plot. */
  readonly leastTop: number;
  /** Behind a number: "ms". */
  readonly unit?: string;
}

const WIDTH = 740;
const HEIGHT = 70;
const LOOKS = [
  { line: css.first, name: css.firstName },
  { line: css.second, name: css.secondName },
] as const;

/** Numbers over time as lines, with their last values in words. */
export function LinePlot({ title, times, lines, leastTop, unit = '' }: LinePlotProps) {
  const first = times[0] ?? 0;
  const last = times.at(-1) ?? 0;
  const known = lines.flatMap(({ values }) => values.filter((value) => value !== undefined));
  const most = Math.max(0, ...known);
  const top = Math.max(leastTop, most);
  const x = (ms: number): string => (((ms - first) / Math.max(1, last - first)) * WIDTH).toFixed(1);
  const y = (value: number): string => (HEIGHT - (value / top) * HEIGHT).toFixed(1);
  const points = ({ values }: Line): string =>
    values
      .flatMap((value, at) => (value === undefined ? [] : [`${x(times[at] ?? first)},${y(value)}`]))
      .join(' ');
  return (
    <figure>
      <figcaption className={css.axis}>
        <span className={css.plotTitle}>{title}</span>
        <span>
          {lines.map((line, at) => (
            <span key={line.name}>
              {at > 0 && ', '}
              <span className={LOOKS[at]?.name}>
                {line.name}{' '}
                {inWords(
                  line.values.findLast((value) => value !== undefined),
                  unit,
                )}
              </span>
            </span>
          ))}
          ; at most {inWords(most, unit)}
        </span>
      </figcaption>
      <svg
        viewBox={`0 -4 ${String(WIDTH)} ${String(HEIGHT + 8)}`}
        preserveAspectRatio="none"
        className={css.plot}
        aria-hidden="true"
      >
        {lines.map((line, at) => (
          <polyline key={line.name} points={points(line)} className={LOOKS[at]?.line} />
        ))}
      </svg>
      <div className={css.axis} aria-hidden="true">
        <span>{clockText(first)}</span>
        <span>{clockText(last)}</span>
      </div>
    </figure>
  );
}

/** "12.5 ms" */
export function inWords(value: number | undefined, unit = ''): string {
  if (value === undefined) return '–';
  const text = value.toLocaleString('en', { maximumFractionDigits: value < 10 ? 1 : 0 });
  return unit === '' ? text : `${text} ${unit}`;
}
