import { Link } from '@tanstack/react-router';
import { Loaded } from '../../components/states/states';
import { useCall } from '../../data/use-call';
import { count } from '../../data/words';
import { FolderMark } from './folder-mark';
import { writeSteps } from './path-steps';
import css from './browse.module.css';

const MOST = 200;

interface FolderTreeProps {
  /** The chosen folder. */
  readonly steps: readonly string[];
  readonly type: string | undefined;
  /** How many of the steps lead to this level. */
  readonly depth?: number;
}

/** The folders on the way to the chosen one, with their neighbours. */
export function FolderTree({ steps, type, depth = 0 }: FolderTreeProps) {
  const path = steps.slice(0, depth);
  const found = useCall('POST /entities?action=browseV2', {
    path,
    start: 0,
    count: MOST,
    ...(type === undefined ? {} : { entities: [type] }),
  });
  return (
    <Loaded query={found} what="The folders">
      {({ groups, numGroups }) => (
        <ul className={css.level}>
          {groups.map(({ name, displayName, count: entities }) => (
            <li key={name}>
              <Link
                to="/browse/paths/$"
                params={{ _splat: writeSteps([...path, name]) }}
                search={type === undefined ? {} : { type }}
                aria-current={steps.length === depth + 1 && steps[depth] === name ? 'page' : undefined}
                activeOptions={{ exact: true, includeSearch: false }}
                className={css.step}
              >
                <FolderMark name={name} /> <bdi>{displayName}</bdi>{' '}
                <span className={css.count}>{entities.toLocaleString('en')}</span>
              </Link>
              {steps[depth] === name && <FolderTree steps={steps} type={type} depth={depth + 1} />}
            </li>
          ))}
          {numGroups > MOST && <li className={css.count}>{count(numGroups - MOST, 'more', 'more')}</li>}
        </ul>
      )}
    </Loaded>
  );
}
