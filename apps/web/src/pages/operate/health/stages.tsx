import { Icon } from '../../../components/icon/icon';
import { Card } from '../operate-parts';
import css from '../operate.module.css';
import type { Health } from './lag';

/** The stages of the process that answers, and its roles, each with the reason when it does not run. */
export function Stages({ health: { stages, roles } }: { readonly health: Health }) {
  const running = stages.filter(({ state }) => state === 'running').length;
  const waiting = roles.filter(({ status }) => status !== 'ready');
  return (
    <Card title="Stages" note={`${String(running)} of ${String(stages.length)} run`}>
      <ul className={css.list}>
        {stages.map(({ name, state }) => (
          <li key={name} className={css.stage}>
            <span className={state === 'running' ? css.good : css.warning}>
              <Icon name={state === 'running' ? 'circleCheck' : 'clock'} size={14} />
            </span>
            {name}
            <span className={state === 'running' ? 'visually-hidden' : css.warning}>{state}</span>
          </li>
        ))}
      </ul>
      {stages.map(
        ({ name, reason }) =>
          reason !== undefined && (
            <p key={name} className={css.warning}>
              {name}: <bdi>{reason}</bdi>
            </p>
          ),
      )}
      {waiting.map(({ name, reason }) => (
        <p key={name} className={css.warning}>
          {name} is not ready{reason !== undefined && <>: {reason}</>}
        </p>
      ))}
    </Card>
  );
}
