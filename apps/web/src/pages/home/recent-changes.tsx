import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { Loaded } from '../../components/states/states';
import { DAY_MS } from '../../data/times';
import { useCall } from '../../data/use-call';
import { DeedList } from '../changes/deed-list';
import css from './home-page.module.css';

const READ = 100;
const SHOWN = 6;

/** What people and connectors did to the catalog in the last week. */
export function RecentChanges() {
  const [startTime] = useState(() => Date.now() - 7 * DAY_MS);
  const found = useCall('GET /changes', { startTime, count: READ });
  return (
    <section className={css.section}>
      <div className={css.head}>
        <h2>Changed this week</h2>
        <Link to="/changes" search={{}}>
          All changes
        </Link>
      </div>
      <Loaded query={found} what="The changes">
        {({ changes }) => <DeedList changes={changes} most={SHOWN} />}
      </Loaded>
    </section>
  );
}
