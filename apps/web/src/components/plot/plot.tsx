import { dateText } from '../../data/times';
import css from './plot.module.css';

interface PlotPoint {
  readonly ms: number;
  readonly value: number;
}

interface PlotProps {
  readonly label: string;
  readonly points: readonly PlotPoint[];
  readonly unit: string;
}

const WIDTH = 600;
const HEIGHT = 120;

/** Numbers over time as bars; the same as a table for who cannot see them. **Order and repeats**: by time, ascending. */
export function Plot({ label, points, unit }: PlotProps) {
  const most = Math.max(1, ...points.map(({ value }) => value));
  const step = WIDTH / Math.max(1, points.length);
  const [first] = points;
  const last = points.at(-1);
  return (
    <figure className={css.plot}>
      <figcaption className={css.caption}>
        <span>{label}</span>
        <span className={css.most}>up to {most.toLocaleString('en')}</span>
      </figcaption>
      <svg viewBox={`0 0 ${String(WIDTH)} ${String(HEIGHT)}`} preserveAspectRatio="none" aria-hidden="true">
        {points.map(({ ms, value }, at) => {
          const height = (value / most) * (HEIGHT - 2);
          return (
            <rect
              key={ms}
              className={css.bar}
              x={at * step + step * 0.15}
              width={step * 0.7}
              y={HEIGHT - height}
              height={height}
            >
              <title>{`${dateText(ms)}: ${value.toLocaleString('en')} ${unit}`}</title>
            </rect>
          );
        })}
      </svg>
      {first !== undefined && last !== undefined && (
        <div className={css.axis} aria-hidden="true">
          <span>{dateText(first.ms)}</span>
          <span>{dateText(last.ms)}</span>
        </div>
      )}
      <details className={css.numbers}>
        <summary>As a table</summary>
        <table>
          <thead>
            <tr>
              <th scope="col">Day</th>
              <th scope="col">{unit}</th>
            </tr>
          </thead>
          <tbody>
            {points.map(({ ms, value }) => (
              <tr key={ms}>
                <th scope="row">{dateText(ms)}</th>
                <td>{value.toLocaleString('en')}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </details>
    </figure>
  );
}
