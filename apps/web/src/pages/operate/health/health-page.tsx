import { useState } from 'react';
import { Button } from '../../../components/button/button';
import { StatusChip } from '../../../components/status/status-chip';
import { Banner, Loaded, Skeleton } from '../../../components/states/states';
import { useCall } from '../../../data/use-call';
import { IndexVersions } from '../indices/index-versions';
import { Live, OperatePage } from '../operate-parts';
import css from '../operate.module.css';
import { clockText } from './clock';
import { Figures } from './figures';
import { Instances } from './instances';
import { MANY, lagOf, type Health } from './lag';
import { LagByStage } from './lag-by-stage';
import { RecentCalls } from './recent-calls';
import { RunningTasks } from './running-tasks';
import { Stages } from './stages';
import { WorkHistory } from './work-history';

const REFRESH_MS = 2_000;
/** The history has a new sample after this time. */
const INTERVAL_MS = 10_000;

/** Whether the catalog works, and what it is doing; read every two seconds. */
export function HealthPage() {
  const [isPaused, setPaused] = useState(false);
  const refreshMs = isPaused ? false : REFRESH_MS;
  const health = useCall('GET /operations/health', undefined, { refreshMs });
  const history = useCall('GET /operations/health/history', undefined, {
    refreshMs: isPaused ? false : INTERVAL_MS,
  });
  const tasks = useCall('GET /operations/tasks', { count: 20 }, { refreshMs });
  return (
    <OperatePage
      title="Health"
      about={health.data !== undefined && <Status health={health.data} />}
      deeds={
        health.data !== undefined && (
          <>
            <Live isLive={!isPaused}>
              {isPaused ? 'as of' : 'live,'} {clockText(health.dataUpdatedAt)}
            </Live>
            <Button icon={isPaused ? 'play' : 'pause'} onClick={() => setPaused(!isPaused)}>
              {isPaused ? 'Continue updates' : 'Pause updates'}
            </Button>
          </>
        )
      }
    >
      <Loaded query={health} what="The health" skeleton={<Skeleton lines={8} />}>
        {(known) => (
          <>
            {health.error !== null && (
              <Banner kind="warning">
                The last reading failed: {health.error.message} What you see is older.
              </Banner>
            )}
            <Figures health={known} last={history.data?.samples.at(-1)} refreshMs={refreshMs} />
            <div className={css.columns}>
              <div className={css.stack}>
                <LagByStage health={known} />
                <WorkHistory history={history} />
                <IndexVersions />
              </div>
              <div className={css.stack}>
                <RunningTasks tasks={tasks.data?.tasks ?? []} />
                <Stages health={known} />
                {known.instances !== undefined && <Instances instances={known.instances} />}
                <RecentCalls />
              </div>
            </div>
          </>
        )}
      </Loaded>
    </OperatePage>
  );
}

function Status({ health }: { readonly health: Health }) {
  const { status } = health;
  const isBehind = Math.max(lagOf(health, 'indexer') ?? 0, lagOf(health, 'graph') ?? 0) >= MANY;
  return (
    <span className={css.row} role="status">
      {status === 'ready' ? (
        <StatusChip look="good" icon="circleCheck">
          Ready
        </StatusChip>
      ) : status === 'degraded' ? (
        <StatusChip look="bad" icon="circleX">
          Degraded
        </StatusChip>
      ) : (
        <StatusChip look="warning" icon="clock">
          {status === 'starting' ? 'Starting' : 'Stopping'}
        </StatusChip>
      )}
      {isBehind && (
        <StatusChip look="warning" icon="clock">
          Search is behind
        </StatusChip>
      )}
    </span>
  );
}
