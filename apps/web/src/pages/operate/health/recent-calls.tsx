import { Link } from '@tanstack/react-router';
import { EntityChip } from '../../../components/entity/entity-link';
import { RelativeTime } from '../../../components/text/relative-time';
import { isForbidden } from '../../../components/states/deed-fault';
import { useCall } from '../../../data/use-call';
import { isUrn } from '../../../data/urns';
import { Card } from '../operate-parts';
import css from '../operate.module.css';

const READ = 50;
const SHOWN = 5;
/** These pages make such calls all the time. */
const READING = /^GET |describeIndex|getIndexSizes/;

/** The last deeds of operators, for who may read them. */
export function RecentCalls() {
  const { data, error } = useCall('GET /operations/audit', { count: READ });
  const deeds = data?.records.filter(({ call }) => !READING.test(call)).slice(0, SHOWN);
  return (
    <Card title="Recent calls of operators" link={<Link to="/operate/audit">Audit</Link>}>
      {isForbidden(error) && <p className={css.note}>{error?.message}</p>}
      {deeds?.length === 0 && <p className={css.note}>None yet.</p>}
      <ul>
        {(deeds ?? []).map(({ id, actor, call, outcome, status, timeMillis }) => (
          <li key={id} className={css.line}>
            {isUrn(actor) && <EntityChip urn={actor} />}
            <span className={outcome === 'done' ? undefined : css.bad}>
              {call}
              {outcome !== 'done' && `, ${outcome} (${String(status)})`}
            </span>
            <span className={`${css.end ?? ''} ${css.note ?? ''}`}>
              <RelativeTime ms={timeMillis} />
            </span>
          </li>
        ))}
      </ul>
    </Card>
  );
}
