import { useState } from 'react';
import { Button } from '../../components/button/button';
import { Segmented } from '../../components/button/segmented';
import { EntityLink } from '../../components/entity/entity-link';
import { KindAndPath } from '../../components/entity/entity-path';
import { Tile } from '../../components/entity/tile';
import { Icon } from '../../components/icon/icon';
import { Menu } from '../../components/overlay/menu';
import { PageTitle } from '../../components/text/page-title';
import { momentText } from '../../data/times';
import { useCard } from '../../data/use-card';
import { useChangeAddress, type LineageAddress } from './lineage-address';
import { TimesDialog } from './times-dialog';
import css from './lineage-page.module.css';

const HOPS = [1, 2, 3, 4, 6, 10];

interface LineageHeaderProps {
  readonly address: LineageAddress;
  /** False: the list is all that there is, and nothing to choose. */
  readonly hasPicture: boolean;
}

/** Which lineage is shown: of what, in which direction, with columns or without, at which time. */
export function LineageHeader({ address, hasPicture }: LineageHeaderProps) {
  const { urn, column, direction, view, hops, hasJobsAsNodes, atMs, fromMs } = address;
  const card = useCard(urn);
  const change = useChangeAddress();
  const [asked, setAsked] = useState<'at' | 'compare'>();
  return (
    <header className={`${css.header ?? ''} ${atMs === undefined ? '' : (css.past ?? '')}`}>
      <div className={css.of}>
        <p className={css.small}>Lineage of</p>
        <div className={css.title}>
          <PageTitle title={`Lineage of ${card.name}`}>
            <EntityLink urn={urn} className={css.name}>
              <bdi>{card.name}</bdi>
            </EntityLink>
          </PageTitle>
          <Tile type={card.type} platform={card.platform} size="small" />
          <KindAndPath card={card} />
          {column !== undefined && (
            <button
              type="button"
              className={css.column}
              title="Clear"
              onClick={() => change({ column: undefined })}
            >
              Column <code>{column.slice(0, 200)}</code> <Icon name="x" size={14} />
            </button>
          )}
        </div>
      </div>
      <div className={css.tools}>
        <Segmented
          label="Direction"
          value={direction}
          options={[
            { value: 'up', label: 'Upstream' },
            { value: 'both', label: 'Both' },
            { value: 'down', label: 'Downstream' },
          ]}
          onChange={(dir) => change({ dir: dir === 'both' ? undefined : dir, open: [], unfold: [] })}
        />
        {hasPicture && (
          <Segmented
            label="View"
            value={view}
            options={[
              { value: 'columns', label: 'Columns' },
              { value: 'tables', label: 'Tables' },
              { value: 'list', label: 'List' },
            ]}
            onChange={(to) => change({ view: to === 'columns' ? undefined : to })}
          />
        )}
        <Button icon="clock" onClick={() => setAsked('at')}>
          {atMs === undefined ? 'Now' : `As of ${momentText(atMs)}`}
        </Button>
        {atMs !== undefined && <Button onClick={() => change({ at: undefined })}>Back to now</Button>}
        <Button icon="gitFork" onClick={() => setAsked('compare')}>
          Compare
        </Button>
        {fromMs !== undefined && <Button onClick={() => change({ from: undefined })}>Stop comparing</Button>}
        <Menu
          label="More about the picture"
          trigger={<Icon name="ellipsis" />}
          triggerClass={css.more}
          groups={[
            {
              title: 'Hops in each direction',
              items: HOPS.map((number) => ({
                label: String(number),
                isChosen: number === hops,
                run: () => change({ hops: String(number) }),
              })),
            },
            {
              items: [
                {
                  label: hasJobsAsNodes ? 'Show jobs on edges' : 'Show jobs as nodes',
                  run: () => change({ jobs: hasJobsAsNodes ? undefined : 'nodes' }),
                },
              ],
            },
          ]}
        />
      </div>
      {asked !== undefined && (
        <TimesDialog
          address={address}
          isComparing={asked === 'compare'}
          onClose={() => setAsked(undefined)}
        />
      )}
    </header>
  );
}
