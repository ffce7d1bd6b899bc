import { Link } from '@tanstack/react-router';
import type { AnswerOf } from '@stratalog/client';
import { useState, type ReactNode } from 'react';
import { Button } from '../../../components/button/button';
import { StatusChip } from '../../../components/status/status-chip';
import { Banner, Loaded, Skeleton } from '../../../components/states/states';
import { useCall } from '../../../data/use-call';
import { IndexVersions } from '../indices/index-versions';
import { Card, OperatePage } from '../operate-parts';
import css from '../operate.module.css';
import { isActive } from '../tasks/tasks';
import { clockText } from './clock';
import { Instances } from './instances';
import { LagByStage } from './lag-by-stage';
import { LagPlot } from './lag-plot';
import { RecentCalls } from './recent-calls';
import { RunningTasks } from './running-tasks';
import { Stages } from './stages';
import { useLag, type Lags } from './use-lag';
import healthCss from './health.module.css';

export type Health = NonNullable<AnswerOf<'GET /operations/health'>>;

const REFRESH_MS = 2_000;
const MANY = 100;

/** Whether the catalog works, and what it is doing; read every two seconds. */
export function HealthPage() {
  const [isPaused, setPaused] = useState(false);
  const refreshMs = isPaused ? false : REFRESH_MS;
  const health = useCall('GET /operations/health', undefined, { refreshMs });
  const lag = useLag(refreshMs);
  const tasks = useCall('GET /operations/tasks', { count: 20 }, { refreshMs });
  const letters = useCall('GET /operations/deadLetters', { count: 0 }, { refreshMs });
  return (
    <OperatePage
      title="Health"
      about={health.data !== undefined && <Status health={health.data} lags={lag.now} />}
      deeds={
        <>
          <span className={healthCss.live}>
            <span
              className={`${healthCss.light ?? ''} ${isPaused ? (healthCss.held ?? '') : ''}`}
              aria-hidden="true"
            />
            {isPaused ? 'as of' : 'live,'} {health.dataUpdatedAt > 0 && clockText(health.dataUpdatedAt)}
          </span>
          <Button icon={isPaused ? 'play' : 'pause'} onClick={() => setPaused(!isPaused)}>
            {isPaused ? 'Continue updates' : 'Pause updates'}
          </Button>
        </>
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
            <div className={css.numbers}>
              <LagNumber title="Search index" changes={lag.now?.search} isKnown={lag.now !== undefined} />
              <LagNumber
                title="Relationship graph"
                changes={lag.now?.graph}
                isKnown={lag.now !== undefined}
              />
              <Figure
                title="Tasks"
                note={`${String((tasks.data?.tasks ?? []).filter(({ state }) => state === 'failed').length)} of the last 20 failed`}
              >
                {String((tasks.data?.tasks ?? []).filter(isActive).length)} active
              </Figure>
              <Figure
                title="Dead letters"
                note={<Link to="/operate/dead-letters">What they are</Link>}
                look={(letters.data?.total ?? 0) > 0 ? css.bad : undefined}
              >
                {letters.data === undefined ? '–' : letters.data.total.toLocaleString('en')}
              </Figure>
            </div>
            <div className={css.columns}>
              <div className={css.stack}>
                <LagByStage health={known} lags={lag.now} />
                <Card title="Lag while this page is open" note="changes not applied yet; up to 30 minutes">
                  <LagPlot past={lag.past} />
                </Card>
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

function Status({ health: { status }, lags }: { readonly health: Health; readonly lags: Lags | undefined }) {
  const isBehind = Math.max(lags?.search ?? 0, lags?.graph ?? 0) >= MANY;
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

interface LagNumberProps {
  readonly title: string;
  readonly changes: number | undefined;
  readonly isKnown: boolean;
}

function LagNumber({ title, changes, isKnown }: LagNumberProps) {
  if (changes === undefined)
    return (
      <Figure title={title} note={isKnown ? 'It does not answer; it may be being built' : 'Being asked'}>
        –
      </Figure>
    );
  return (
    <Figure
      title={title}
      note={`${changes.toLocaleString('en')} changes behind`}
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
  readonly children: string | readonly string[];
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
