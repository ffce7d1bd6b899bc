import { Link } from '@tanstack/react-router';
import { OperatePage } from '../operate-parts';
import { IndexVersions } from './index-versions';
import { RestoreEntities } from './restore-entities';
import { Sizes } from './sizes';

/** What can be derived again from the store, and how much the timeseries hold. */
export function IndicesPage() {
  return (
    <OperatePage title="Indices and sizes" deeds={<Link to="/operate/tasks">All tasks</Link>}>
      <IndexVersions />
      <RestoreEntities />
      <Sizes />
    </OperatePage>
  );
}
