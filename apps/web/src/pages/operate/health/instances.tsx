import { StatusChip, type StatusLook } from '../../../components/status/status-chip';
import { Card } from '../operate-parts';
import css from '../operate.module.css';
import type { Health } from './lag';

type Instance = NonNullable<Health['instances']>[number];

const LOOKS: Readonly<Record<Instance['status'], StatusLook>> = {
  ready: 'good',
  starting: 'warning',
  degraded: 'bad',
  stopping: 'plain',
  lost: 'bad',
};

/** The processes of a distributed catalog. */
export function Instances({ instances }: { readonly instances: readonly Instance[] }) {
  const live = instances.filter(({ status }) => status === 'ready').length;
  return (
    <Card title="Instances" note={`${String(live)} of ${String(instances.length)} ready`}>
      <ul>
        {instances.map(({ id, app, roles, host, pid, version, status, seenMsAgo }) => (
          <li key={id} className={css.line}>
            <strong>{app}</strong>
            <StatusChip look={LOOKS[status]} icon={LOOKS[status] === 'good' ? 'circleCheck' : 'circleAlert'}>
              {status}
            </StatusChip>
            <span className={css.note}>
              {roles.join(', ')} · {host}, pid {pid}, {version} · seen {Math.round(seenMsAgo / 1_000)} s ago
            </span>
          </li>
        ))}
      </ul>
    </Card>
  );
}
